// The ABI: the only list of what the module exports.

export { choleskyFactor } from "./dense/cholesky";
export {
  choleskyBackward,
  choleskyForward,
  choleskySolve,
  choleskySolveMany,
} from "./dense/cholesky-solve";
export { checkFinite } from "./math/finite";
export { codFactor, codNullSpace } from "./dense/cod";
export { codSolve, codSolveTransposed } from "./dense/cod-solve";
export { gramSchmidt } from "./dense/gram-schmidt";
export { pivotedQrFactor } from "./dense/pivoted-qr";
export { qrApply, qrFactor, qrForm, qrSolve } from "./dense/qr";
