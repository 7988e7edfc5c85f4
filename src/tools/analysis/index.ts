// What is known about a method or a motion beside the motion itself: `nodrift/analysis`.

export { type Eigenvalue, eigenvalues, spectralRadius } from "../../ground/algebra/eigenvalues.js";
export {
  type Reference,
  type TrackedFunction,
  withTracking,
} from "../../systems/equations/tracking.js";
export { controlForces } from "./control-forces.js";
export { type EnergyCoupling, energyCoupling } from "./coupling.js";
export { type Drift, measureDrift } from "./drift.js";
export { linearMap, type StabilityLimitOptions, stabilityLimit } from "./linear-map.js";
export { baumgarteHeunMap, type LinearConstraints, welchMap } from "./stability.js";
