// The ABI of the core module: the only list of its exports. Each is called by some method;
// kernels that only users call are in kernels.ts.

export { axpy, combine, errorMaximum, matrixTransposeVector, matrixVector } from "./dense/vectors";
export {
  addRowsTimes,
  copyVector,
  diagonalMatrix,
  driftSides,
  multiplyEach,
  stabilisedRight,
} from "./dynamics/arrays";
export { checkFinite } from "./math/finite";
export { dot, largestMagnitude } from "./math/vectors";
