// The ABI of the bodies module: the only list of what it exports.

export { bodyKinematics } from "./kinematics/frames";
export { bodyForces, bodyPotential } from "./forces/registry";
