// The ABI of the stiff module: the only list of what it exports.

export { bodyConstraintStiffness } from "./derivatives/second";
export {
  complexLuFactor, complexLuSolve, complexShifted, realShifted,
} from "./implicit/complex-lu";
export { scaledNorm, toleranceScale } from "./implicit/norms";
