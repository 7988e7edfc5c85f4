// The ABI of the dense module: the only list of its exports. Factorisations of dense matrices, and
// what formulations make of them. Mechanisms with the default method need none of it.

export { choleskyBackward, choleskyFactor, choleskyForward } from "./dense/cholesky";
export { fullPivotLuFactor } from "./dense/full-pivot-lu";
export { luFactor, luSolve, luSolveTransposed } from "./dense/lu";
export { tangentChoose } from "./dynamics/basis";
export { frameFactor, frameParticular, frameRate } from "./dynamics/frame";
export { partitionFactor, partitionParticular, partitionTake } from "./dynamics/partition";
export { projectiveChoice } from "./dynamics/projective";
export { solverRank } from "./dynamics/pseudo";
export { nullSpaceAccelerate, projectedAccelerate, reducedAccelerate } from "./dynamics/reduced";
export { solverFactor, solverFactorRates, solverRates } from "./dynamics/solver";
export { solverMassSolve, solverMinnorm, solverMultipliers } from "./dynamics/solver";
export { tangentAdd, tangentTake } from "./dynamics/tangent";
