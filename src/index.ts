export * from "../assembly/layout.js";
export { controlForces } from "./analysis/control-forces.js";
export type * from "./contracts.js";
export type { EquationsDescription } from "./equations/description.js";
export { type Equations, equations } from "./equations/equations.js";
export { type Reference, type TrackedFunction, withTracking } from "./equations/tracking.js";
export { type ErrorCode, NodriftError } from "./errors.js";
export { lagrange } from "./formulations/lagrange.js";
export type { UdwadiaKalabaOptions } from "./formulations/udwadia-kalaba.js";
export { udwadiaKalaba } from "./formulations/udwadia-kalaba.js";
export { ab3, euler, heun, midpoint, rk4 } from "./integrators/index.js";
export { braunBiped1, braunBiped2, braunBiped3 } from "./mechanisms/braun-biped.js";
export {
  braunFourBars,
  braunFourBarsAcceleration,
  braunFourBarsOf,
  braunFourBarsOff,
} from "./mechanisms/braun-four-bars.js";
export {
  BRAUN_GRAVITY,
  braunPendulum,
  braunPendulumAcceleration,
  braunPendulumOff,
} from "./mechanisms/braun-pendulum.js";
export {
  braunSliderCrank,
  braunSliderCrankAcceleration,
  braunSliderCrankOff,
  braunSliderPosition,
} from "./mechanisms/braun-slider-crank.js";
export { mechanisms } from "./mechanisms/index.js";
export type { Mechanism } from "./mechanisms/mechanism.js";
export { type Address, Arena, ArenaPlan, type Segment } from "./memory/arena.js";
export type { SimulationOptions, Snapshot } from "./run/options.js";
export { type Simulation, simulate } from "./run/simulation.js";
export type { ConstraintGraph } from "./sparse/graph.js";
export { planSparse, type SparsePlan } from "./sparse/symbolic.js";
export { baumgarte } from "./stabilisations/baumgarte.js";
export type { DriftEliminationOptions } from "./stabilisations/drift-elimination.js";
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
