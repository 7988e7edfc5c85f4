// Building blocks of other kernels that only tests call directly: compiled for tests, not shipped.

export { sparseLuSolveTransposed } from "./implicit/sparse-lu";
