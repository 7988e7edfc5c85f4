// The kernels and the memory they work in, for those who want to call them: `nodrift/kernels`. Everything here checks what it
// is given but the kernels themselves: they take addresses, and work on whatever lies there. An address outside the memory
// is a WebAssembly.RuntimeError; sizes are checked and told by their status.

import { checkedFunction, needed, number, refuseMore, text } from "./ground/checking/index.js";
import { type Arena, MemoryPlan, type Segment } from "./ground/memory/arena.js";
import type { AllKernels as Kernels } from "./ground/wasm/generated-kernels.js";
import { initSync } from "./ground/wasm/kernels.js";
import * as statuses from "./ground/wasm/status.js";

export * from "../assembly/layout.js";
export * from "../assembly/layout-bodies.js";
export { type ErrorCode, NodriftError } from "./ground/errors.js";
export { type Address, Arena, type Segment } from "./ground/memory/arena.js";
export {
  choleskySlots,
  codSlots,
  codTails,
  eigenScratchSlot,
  eigenSlots,
  eigenValuesSlot,
  eigenVectorSlots,
  eigenVectorsSlot,
  eigenWorkSlot,
  fullPivotLuSlots,
  fullPivotLuStride,
  ldltSlots,
  loopScratchSlots,
  luSlots,
  newtonSlots,
  padToFour,
  padToTwo,
  panelColumns,
  qrPivots,
  qrScratch,
  qrSlots,
  qrTriangle,
  qrTriangleRows,
  solverInner,
  solverMatrix,
  solverRight,
  solverSlots,
  solverVectors,
  svdLeftSlot,
  svdLongSlot,
  svdReflectorSlot,
  svdRightSlot,
  svdScratchSlot,
  svdShortSlot,
  svdSlots,
  svdValuesSlot,
  svdVectorSlots,
  tangentBasis,
  tangentBlock,
  tangentColumns,
  tangentDirections,
  tangentFrame,
  tangentInner,
  tangentMass,
  tangentScratch,
  tangentSlots,
  tangentTriangle,
  tangentWeights,
} from "./ground/memory/sizes.js";
export { Workspace } from "./ground/memory/workspace.js";
export type { ConstraintGraph } from "./ground/sparse/graph.js";
export { planSparse, type SparsePlan } from "./ground/sparse/symbolic.js";
export type { AllKernels as Kernels } from "./ground/wasm/generated-kernels.js";
export { init, initSync } from "./ground/wasm/kernels.js";
export type { WasmSource } from "./ground/wasm/loader.js";
export { KernelError } from "./ground/wasm/status.js";

/**
 * The memory of a computation before it exists: reserve everything, then seal.
 *
 * @example
 * const plan = new ArenaPlan();
 * const a = plan.reserve("A", 9);
 * const factor = plan.reserve("factor", choleskySlots(3));
 * const arena = plan.seal();
 * arena.floats(a).set([4, 1, 0, 1, 3, 1, 0, 1, 2]);
 * checkStatus("choleskyFactor", arena.kernels.choleskyFactor(3, a.address, 3, factor.address));
 */
export class ArenaPlan {
  readonly #plan = new MemoryPlan();

  /** Reserves slots of eight bytes under a name (used in messages only). */
  reserve(name: string, slots: number): Segment {
    return this.#plan.reserve(name, slots);
  }

  /** Makes the memory, exactly as large as reserved, and one instance of the kernels in it. */
  seal(module: WebAssembly.Module = initSync(), ...more: undefined[]): Arena<Kernels> {
    refuseMore("seal", "MEMORY", more);
    return this.#plan.seal<Kernels>(module);
  }
}

const status = needed(number("an integer of 32 bits", (value) => (value | 0) === value));

/**
 * Throws a KernelError when a kernel failed, and gives its status back otherwise.
 *
 * @example
 * checkStatus("choleskyFactor", kernels.choleskyFactor(n, a.address, n, factor.address));
 */
export const checkStatus = checkedFunction(
  "checkStatus",
  "KERNEL",
  { kernel: needed(text), status },
  statuses.check,
);
/** A kernel's status in words. */
export const describeStatus = checkedFunction(
  "describeStatus",
  "KERNEL",
  { status },
  statuses.describeStatus,
);
/** True when a kernel's result must not be used. Rank deficiency is not a failure. */
export const hasFailed = checkedFunction("hasFailed", "KERNEL", { status }, statuses.failed);
/** The code of a kernel's status. */
export const statusCode = checkedFunction("statusCode", "KERNEL", { status }, statuses.statusCode);
/** The index a kernel's status points at: a row, a pivot, an element or an argument. */
export const statusIndex = checkedFunction(
  "statusIndex",
  "KERNEL",
  { status },
  statuses.statusIndex,
);
