// Direct access to the kernels and their memory: `nodrift/kernels`. All functions check their arguments except the
// kernels themselves, which operate on any address they are given. An address outside the memory causes a
// WebAssembly.RuntimeError; sizes are checked and reported by the status.

import { checkedFunction, needed, number, refuseMore, text } from "./base/checking/index.js";
import { type Arena, MemoryPlan, type Segment } from "./base/memory/arena.js";
import type { AllKernels as Kernels } from "./base/wasm/generated-kernels.js";
import { initSync } from "./base/wasm/kernels.js";
import * as statuses from "./base/wasm/status.js";

export * from "../assembly/layout.js";
export * from "../assembly/layout-bodies.js";
export { type ErrorCode, NodriftError } from "./base/errors.js";
export { type Address, Arena, type Segment } from "./base/memory/arena.js";
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
} from "./base/memory/sizes.js";
export { Workspace } from "./base/memory/workspace.js";
export type { ConstraintGraph } from "./base/sparse/symbolic.js";
export { planSparse, type SparsePlan } from "./base/sparse/symbolic.js";
export type { AllKernels as Kernels } from "./base/wasm/generated-kernels.js";
export { init, initSync } from "./base/wasm/kernels.js";
export type { WasmSource } from "./base/wasm/loader.js";
export { KernelError } from "./base/wasm/status.js";

/**
 * Memory plan of a computation: reserve all segments, then seal it.
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

  /** Allocates the memory, exactly as large as reserved, and instantiates the kernels in it. */
  seal(module: WebAssembly.Module = initSync(), ...more: undefined[]): Arena<Kernels> {
    refuseMore("seal", "MEMORY", more);
    return this.#plan.seal<Kernels>(module);
  }
}

const status = needed(number("an integer of 32 bits", (value) => (value | 0) === value));

/**
 * Throws a KernelError if a kernel failed, and otherwise returns its status.
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
/** Describes a kernel's status. */
export const describeStatus = checkedFunction(
  "describeStatus",
  "KERNEL",
  { status },
  statuses.describeStatus,
);
/** Whether a kernel's result must not be used. Rank deficiency is not a failure. */
export const hasFailed = checkedFunction("hasFailed", "KERNEL", { status }, statuses.failed);
/** Returns the code of a kernel's status. */
export const statusCode = checkedFunction("statusCode", "KERNEL", { status }, statuses.statusCode);
/** Returns the index in a kernel's status: that of a row, pivot, element or argument. */
export const statusIndex = checkedFunction(
  "statusIndex",
  "KERNEL",
  { status },
  statuses.statusIndex,
);
