// The ABI of the bodies module: the only list of its exports.

export { bodyAngularRate, bodyEvaluate, bodySpeedRange } from "./bodies/evaluate";
export { bodyFactor } from "./bodies/factor";
export { bodyJacobianTimes, bodyJacobianTransposeTimes } from "./bodies/jacobian";
export { bodyMassSolve, bodyMassTimes } from "./bodies/mass";
export {
  bodyDisplace,
  bodyGradient,
  bodyNormalise,
  bodyPositionBias,
  bodyPositionRate,
} from "./bodies/motion";
export { bodyAccelerate, bodyMinnorm } from "./bodies/factor";
export { bodyContinue, bodyContinueSome, bodySensors } from "./constraints/sensors";
export { bodyForces, bodyPotential } from "./forces/registry";
export { bodyKinematics } from "./kinematics/frames";
export { sparseSolve } from "./sparse/block-cholesky";
export {
  treeBodyBias,
  treeBodyVelocities,
  treeFrames,
  treeJointForces,
} from "./tree/bodies";
export { treeFactor } from "./tree/factor";
export { treeGradient, treeKineticForces } from "./tree/gradient";
export { treeDisplace, treeLoad, treeNormalise, treeNote, treePositionRate } from "./tree/motion";
export { treeOutwards } from "./tree/outwards";
export { treePublish } from "./tree/publish";
export { treeAccelerate, treeMinnorm } from "./tree/row-solve";
export { treeGamma } from "./tree/row-solve";
export { treeClose, treeRowStages } from "./tree/row-stages";
export { treeCompliance, treeRowSteps } from "./tree/row-stages";
export { treeRowFactor } from "./tree/rows";
export { treeAccelerations, treeSolve } from "./tree/solve";
export { treeStages, treeSteps } from "./tree/stages";
