// The ABI of the bodies module: the only list of what it exports.

export { bodyRows } from "./constraints/registry";
export { bodyConstraintStiffness } from "./constraints/second";
export { bodyContinue, bodySensors } from "./constraints/sensors";
export { bodyKinematics } from "./kinematics/frames";
