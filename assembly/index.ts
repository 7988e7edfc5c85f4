// The ABI of the core module: the only list of its exports. Each is called by some method;
// kernels that only users call are in kernels.ts.

export { axpy, combine, errorMaximum } from "./dense/vectors";
export { matrixTransposeVector, matrixVector } from "./dense/vectors";
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
