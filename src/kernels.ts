// The kernels and the memory they work in, for those who want to call them: `nodrift/kernels`.

export * from "../assembly/layout.js";
export * from "../assembly/layout-bodies.js";
export { type ErrorCode, NodriftError } from "./errors.js";
export { type Address, Arena, ArenaPlan, type Segment } from "./memory/arena.js";
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
