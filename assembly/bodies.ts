// The ABI of the bodies module: the only list of what it exports.

export { bodyFactor } from "./bodies/factor";
export { bodyJacobianTimes, bodyJacobianTransposeTimes } from "./bodies/jacobian";
export { bodyMassSolve, bodyMassTimes } from "./bodies/mass";
export { bodyDisplace, bodyGradient, bodyNormalise, bodyPositionRate } from "./bodies/motion";
export { bodyAccelerate, bodyMinnorm } from "./bodies/solve";
export { bodyKinematics } from "./kinematics/frames";
export { bodyForces, bodyPotential } from "./forces/registry";
