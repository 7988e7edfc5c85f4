// Entry point `nodrift/analysis`: analysis of methods and motions (stability, drift, control forces).

export { type Eigenvalue, eigenvalues, spectralRadius } from "../base/algebra/eigenvalues.js";
export {
  type TrackedFunction,
  type TrackingReference,
  withTracking,
} from "../systems/equations/tracking.js";
export { controlForces } from "./control-forces.js";
export { type Drift, measureDrift } from "./drift.js";
export { type EnergyCoupling, energyCoupling } from "./energy-coupling.js";
export type { StateLike } from "./equation-state.js";
export { linearMap, type StabilityLimitOptions, stabilityLimit } from "./linear-map.js";
export { type ConstraintProjectors, projectors } from "./projectors.js";
export { baumgarteHeunMap, type LinearConstraints, welchMap } from "./stability.js";
