// The kernels and the memory they work in, for those who want to call them: `nodrift/kernels`. Everything here checks what it
// is given but the kernels themselves: they take addresses, and work on whatever lies there. An address outside the memory
// is a WebAssembly.RuntimeError; sizes are checked and told by their status.

export * from "../assembly/layout.js";
export * from "../assembly/layout-bodies.js";
export { type ErrorCode, NodriftError } from "./errors.js";
export { type Address, Arena, ArenaPlan, type Segment } from "./memory/arena.js";
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
} from "./memory/sizes.js";
export { Workspace } from "./memory/workspace.js";
export type { ConstraintGraph } from "./sparse/graph.js";
export { planSparse, type SparsePlan } from "./sparse/symbolic.js";
export type { Kernels } from "./wasm/generated.js";
export { init, initSync, type WasmSource } from "./wasm/module.js";
export {
  check,
  describeStatus,
  failed,
  KernelError,
  statusCode,
  statusIndex,
} from "./wasm/status.js";
