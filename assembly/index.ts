// The ABI: the only list of what the module exports.

export { choleskyFactor } from "./dense/cholesky";
export {
  choleskyBackward,
  choleskyForward,
  choleskySolve,
  choleskySolveMany,
} from "./dense/cholesky-solve";
export { checkFinite } from "./math/finite";
export { sparseAssemble } from "./sparse/assemble";
export { sparseFactor } from "./sparse/block-cholesky";
export { sparseSolve } from "./sparse/block-solve";
export { svdFactor } from "./dense/svd";
export {
  svdNullSpace,
  svdPseudoinverse,
  svdRank,
  svdSolve,
  svdValues,
} from "./dense/svd-results";
export { eigenFactor } from "./dense/eigen";
export {
  eigenInertia,
  eigenNullSpace,
  eigenValues,
  eigenVectors,
} from "./dense/eigen-results";
