export * from "../assembly/layout.js";
export type * from "./contracts.js";
export type { EquationsDescription } from "./equations/description.js";
export { type Equations, equations } from "./equations/equations.js";
export { type ErrorCode, NodriftError } from "./errors.js";
export { accelerationProjection } from "./formulations/acceleration-projection.js";
export { coordinatePartitioning } from "./formulations/coordinate-partitioning.js";
export { frozenBasis } from "./formulations/frozen-basis.js";
export { lagrange } from "./formulations/lagrange.js";
export { maggi } from "./formulations/maggi.js";
export { nullSpace } from "./formulations/null-space.js";
export { phaseSpace } from "./formulations/phase-space.js";
export { projective } from "./formulations/projective.js";
export { udwadiaKalaba } from "./formulations/udwadia-kalaba.js";
export { ab3, euler, heun, midpoint, rk4 } from "./integrators/index.js";
export { type Address, Arena, ArenaPlan, type Segment } from "./memory/arena.js";
export type { SimulationOptions, Snapshot } from "./run/options.js";
export { type Simulation, simulate } from "./run/simulation.js";
export type { ConstraintGraph } from "./sparse/graph.js";
export { planSparse, type SparsePlan } from "./sparse/symbolic.js";
export { baumgarte } from "./stabilisations/baumgarte.js";
export { driftElimination } from "./stabilisations/drift-elimination.js";
export { none } from "./stabilisations/none.js";
export { projection } from "./stabilisations/projection.js";
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
