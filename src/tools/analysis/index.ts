// What is known about a method or a motion beside the motion itself: `nodrift/analysis`.

export { type Eigenvalue, eigenvalues, spectralRadius } from "../../ground/algebra/eigenvalues.js";
export {
  type TrackedFunction,
  type TrackingReference,
  withTracking,
} from "../../systems/equations/tracking.js";
export { controlForces } from "./control-forces.js";
export { type Drift, measureDrift } from "./drift.js";
export { type EnergyCoupling, energyCoupling } from "./energy-coupling.js";
export { linearMap, type StabilityLimitOptions, stabilityLimit } from "./linear-map.js";
export { baumgarteHeunMap, type LinearConstraints, welchMap } from "./stability.js";
