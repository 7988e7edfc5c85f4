export * from "../assembly/layout.js";
export { controlForces } from "./analysis/control-forces.js";
export { type EnergyCoupling, energyCoupling } from "./analysis/coupling.js";
export { type Drift, measureDrift } from "./analysis/drift.js";
export { type Eigenvalue, eigenvalues, spectralRadius } from "./analysis/eigenvalues.js";
export { linearMap, type StabilityLimitOptions, stabilityLimit } from "./analysis/linear-map.js";
export { baumgarteHeunMap, type LinearConstraints, welchMap } from "./analysis/stability.js";
export type * from "./contracts.js";
export { hong } from "./coupled/hong.js";
export { coupledMethods } from "./coupled/index.js";
export { welch } from "./coupled/welch.js";
export type { EquationsDescription } from "./equations/description.js";
export { type Equations, equations } from "./equations/equations.js";
export { type Reference, type TrackedFunction, withTracking } from "./equations/tracking.js";
export { type ErrorCode, NodriftError } from "./errors.js";
export { accelerationProjection } from "./formulations/acceleration-projection.js";
export { coordinatePartitioning } from "./formulations/coordinate-partitioning.js";
export { frozenBasis } from "./formulations/frozen-basis.js";
export { formulations } from "./formulations/index.js";
export { lagrange } from "./formulations/lagrange.js";
export { maggi } from "./formulations/maggi.js";
export { nullSpace } from "./formulations/null-space.js";
export { phaseSpace } from "./formulations/phase-space.js";
export { projective } from "./formulations/projective.js";
export type { UdwadiaKalabaOptions } from "./formulations/udwadia-kalaba.js";
export { udwadiaKalaba } from "./formulations/udwadia-kalaba.js";
export { ab3, euler, heun, integrators, midpoint, rk4 } from "./integrators/index.js";
export { type Address, Arena, ArenaPlan, type Segment } from "./memory/arena.js";
export type { SimulationOptions, Snapshot } from "./run/options.js";
export { type Simulation, simulate } from "./run/simulation.js";
export type { ConstraintGraph } from "./sparse/graph.js";
export { planSparse, type SparsePlan } from "./sparse/symbolic.js";
export { baumgarte } from "./stabilisations/baumgarte.js";
export type { DriftEliminationOptions } from "./stabilisations/drift-elimination.js";
export { driftElimination } from "./stabilisations/drift-elimination.js";
export { energyDescent } from "./stabilisations/energy-descent.js";
export { energyMultiplier } from "./stabilisations/energy-multiplier.js";
export { energyVelocity } from "./stabilisations/energy-velocity.js";
export { stabilisations } from "./stabilisations/index.js";
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
