// Kernels that others are made of and that only tests call: compiled for them, not shipped.

export { sparseLuSolveTransposed } from "./implicit/sparse-lu";
