// Lengths and places in the records of kernels. The functions are those that the kernels are compiled from, which take what
// they are given; here sizes are checked.

import * as layout from "../../../assembly/layout.js";
import { loopScratchSlots as loopScratchLength } from "../../../assembly/layout-bodies.js";
import { argument, refuseMore, whole } from "../checking/index.js";

/** Sizes of kernels are integers of 32 bits. */
const size = whole(0, 2 ** 31 - 1);

/* @__NO_SIDE_EFFECTS__ */
function sized<F extends (...sizes: never[]) => number>(name: string, length: F): F {
  return ((...given: unknown[]) => {
    const wanted = length.length;
    refuseMore(name, "MEMORY", given.slice(wanted), `it takes ${wanted} sizes`);
    const sizes = Array.from({ length: wanted }, (_, i) =>
      argument(name, "MEMORY", `size ${i + 1} of ${wanted}`, given[i], size),
    );
    return length(...(sizes as never[]));
  }) as unknown as F;
}

export const loopScratchSlots = sized("loopScratchSlots", loopScratchLength);
export const padToFour = sized("padToFour", layout.padToFour);
export const padToTwo = sized("padToTwo", layout.padToTwo);
export const choleskySlots = sized("choleskySlots", layout.choleskySlots);
export const panelColumns = sized("panelColumns", layout.panelColumns);
export const svdValuesSlot = sized("svdValuesSlot", layout.svdValuesSlot);
export const svdLongSlot = sized("svdLongSlot", layout.svdLongSlot);
export const svdShortSlot = sized("svdShortSlot", layout.svdShortSlot);
export const svdLeftSlot = sized("svdLeftSlot", layout.svdLeftSlot);
export const svdRightSlot = sized("svdRightSlot", layout.svdRightSlot);
export const svdReflectorSlot = sized("svdReflectorSlot", layout.svdReflectorSlot);
export const svdScratchSlot = sized("svdScratchSlot", layout.svdScratchSlot);
export const svdVectorSlots = sized("svdVectorSlots", layout.svdVectorSlots);
export const svdSlots = sized("svdSlots", layout.svdSlots);
export const eigenValuesSlot = sized("eigenValuesSlot", layout.eigenValuesSlot);
export const eigenVectorsSlot = sized("eigenVectorsSlot", layout.eigenVectorsSlot);
export const eigenWorkSlot = sized("eigenWorkSlot", layout.eigenWorkSlot);
export const eigenScratchSlot = sized("eigenScratchSlot", layout.eigenScratchSlot);
export const eigenVectorSlots = sized("eigenVectorSlots", layout.eigenVectorSlots);
export const eigenSlots = sized("eigenSlots", layout.eigenSlots);
export const luSlots = sized("luSlots", layout.luSlots);
export const fullPivotLuStride = sized("fullPivotLuStride", layout.fullPivotLuStride);
export const fullPivotLuSlots = sized("fullPivotLuSlots", layout.fullPivotLuSlots);
export const ldltSlots = sized("ldltSlots", layout.ldltSlots);
export const newtonSlots = sized("newtonSlots", layout.newtonSlots);
export const qrTriangle = sized("qrTriangle", layout.qrTriangle);
export const qrTriangleRows = sized("qrTriangleRows", layout.qrTriangleRows);
export const qrPivots = sized("qrPivots", layout.qrPivots);
export const qrScratch = sized("qrScratch", layout.qrScratch);
export const qrSlots = sized("qrSlots", layout.qrSlots);
export const codTails = sized("codTails", layout.codTails);
export const codSlots = sized("codSlots", layout.codSlots);
export const solverMatrix = sized("solverMatrix", layout.solverMatrix);
export const solverVectors = sized("solverVectors", layout.solverVectors);
export const solverRight = sized("solverRight", layout.solverRight);
export const solverInner = sized("solverInner", layout.solverInner);
export const solverSlots = sized("solverSlots", layout.solverSlots);
export const tangentColumns = sized("tangentColumns", layout.tangentColumns);
export const tangentWeights = sized("tangentWeights", layout.tangentWeights);
export const tangentDirections = sized("tangentDirections", layout.tangentDirections);
export const tangentFrame = sized("tangentFrame", layout.tangentFrame);
export const tangentTriangle = sized("tangentTriangle", layout.tangentTriangle);
export const tangentBasis = sized("tangentBasis", layout.tangentBasis);
export const tangentScratch = sized("tangentScratch", layout.tangentScratch);
export const tangentMass = sized("tangentMass", layout.tangentMass);
export const tangentBlock = sized("tangentBlock", layout.tangentBlock);
export const tangentInner = sized("tangentInner", layout.tangentInner);
export const tangentSlots = sized("tangentSlots", layout.tangentSlots);
