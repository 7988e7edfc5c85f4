// The ABI of the kernels module: the functions of `nodrift/kernels`. Only that entry point loads
// it, and it needs no other module. It therefore repeats the core kernels (index.ts), from one
// source, and two kernels of other modules: newtonMatrix (stiff.ts) and sparseSolve (bodies.ts).

export { choleskyFactor } from "./dense/cholesky";
export { choleskyFactorSolve } from "./dense/cholesky";
export {
  choleskyBackward,
  choleskyForward,
  choleskySolve,
  choleskySolveMany,
} from "./dense/cholesky";
export { codFactor, codNullSpace } from "./dense/cod";
export { codFactorSolve } from "./dense/cod";
export { codSolve, codSolveTransposed } from "./dense/cod";
export { luReciprocalCondition } from "./dense/condition";
export { eigenFactor } from "./dense/eigen";
export {
  eigenInertia,
  eigenNullSpace,
  eigenValues,
  eigenVectors,
} from "./dense/eigen";
export { fullPivotLuFactor } from "./dense/full-pivot-lu";
export { fullPivotLuNullSpace, fullPivotLuSolve } from "./dense/full-pivot-lu";
export { gramSchmidt } from "./dense/gram-schmidt";
export { ldltFactor } from "./dense/ldlt";
export { ldltSolve, ldltSolveMany } from "./dense/ldlt";
export { luFactor } from "./dense/lu";
export { luSolve, luSolveMany, luSolveTransposed } from "./dense/lu";
export { pivotedQrFactor } from "./dense/pivoted-qr";
export {
  gram,
  matrixProduct,
  matrixProductTranspose,
  matrixTransposeProduct,
} from "./dense/products";
export { qrApply, qrFactor, qrForm, qrSolve } from "./dense/qr";
export { svdFactor } from "./dense/svd";
export {
  svdNullSpace,
  svdPseudoinverse,
  svdRank,
  svdSolve,
  svdValues,
} from "./dense/svd";
export { triangularSolve } from "./dense/triangular";
export {
  axpy,
  combine,
  errorMaximum,
  errorNorm,
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
export {
  newtonMatrix,
  newtonMatrixFromJacobians,
  newtonPrepare,
  newtonPrepareFromJacobians,
  newtonSolve,
} from "./implicit/pi";
export { checkFinite } from "./math/finite";
export { dot, largestMagnitude } from "./math/vectors";
export { rotateVector, rotateVectorBack, rotationMatrix } from "./rotation/matrix";
export { normalise, quaternionProduct, ratesToAngularVelocity } from "./rotation/quaternion";
export { angularVelocityToRates } from "./rotation/rates";
export {
  rotationG,
  updateCayley,
  updateExponential,
  updateImplicit,
} from "./rotation/update";
export { sparseAssemble } from "./sparse/assemble";
export { sparseFactor } from "./sparse/block-cholesky";
export { sparseSolve } from "./sparse/block-cholesky";
