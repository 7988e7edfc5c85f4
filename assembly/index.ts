// The ABI of the core module: the only list of its exports. Each is called by some method;
// kernels that only users call are in kernels.ts.

export { choleskyBackward, choleskyFactor, choleskyForward } from "./dense/cholesky";
export { fullPivotLuFactor } from "./dense/full-pivot-lu";
export { luFactor, luSolve, luSolveTransposed } from "./dense/lu";
export {
  axpy,
  combine,
  errorMaximum,
  matrixTransposeVector,
  matrixVector,
} from "./dense/vectors";
export {
  addRowsTimes,
  copyVector,
  diagonalMatrix,
  driftSides,
  multiplyEach,
  stabilisedRight,
} from "./dynamics/arrays";
export { tangentChoose } from "./dynamics/basis";
export { frameFactor, frameParticular, frameRate } from "./dynamics/frame";
export { partitionFactor, partitionParticular, partitionTake } from "./dynamics/partition";
export { projectiveChoice } from "./dynamics/projective";
export { solverRank } from "./dynamics/pseudo";
export { nullSpaceAccelerate, projectedAccelerate, reducedAccelerate } from "./dynamics/reduced";
export {
  solverFactor,
  solverFactorRates,
  solverMassSolve,
  solverMinnorm,
  solverMultipliers,
  solverRates,
} from "./dynamics/solver";
export { tangentAdd, tangentTake } from "./dynamics/tangent";
export { checkFinite } from "./math/finite";
export { dot, largestMagnitude } from "./math/vectors";
