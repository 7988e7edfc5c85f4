// The ABI of the stiff module: the only list of its exports. The LU kernels are also those of
// dense.ts: 3 kB here save programs with mechanisms the rest of that module.

export { fullPivotLuFactor } from "./dense/full-pivot-lu";
export { luFactor, luSolve } from "./dense/lu";
export { bodyForceDerivatives } from "./derivatives/forces";
export { bodyRowDerivatives } from "./derivatives/rows";
export { bodyConstraintStiffness } from "./derivatives/second";
export { bodyTurnDerivatives } from "./derivatives/turns";
export {
  complexLuFactor,
  complexLuSolve,
  complexShifted,
  realShifted,
} from "./implicit/complex-lu";
export { multiple } from "./implicit/state-space";
export { endPass, endProbe } from "./implicit/end-check";
export { scaledNorm, toleranceScale } from "./implicit/end-check";
export { complexPi, complexPiSolve, newtonMatrix, piRight } from "./implicit/pi";
export {
  radauBegin,
  radauEndResidual, radauError,
  radauJudge,
  radauResidual,
  radauTrial,
  radauUpdate,
} from "./implicit/radau";
export { radauAttempt } from "./implicit/radau";
export { radauNext } from "./implicit/radau";
export { radauBatch } from "./implicit/radau";
export {
  blocksTimesRows,
  clearRows,
  entriesTimesRows,
  rowsProduct,
  squareByColumns,
  unitRows,
} from "./implicit/rows";
export { sparseLuFactor, sparseLuSolve } from "./implicit/sparse-lu";
export { sparseLuChoose, sparseRank } from "./implicit/sparse-lu-choose";
export { complexSparseLuFactor, complexSparseLuSolve } from "./implicit/sparse-lu-complex";
export { sparseLuCondition } from "./implicit/sparse-lu";
export { sparseLuSolveRows, sparseLuSolveRowsTransposed } from "./implicit/sparse-lu";
export {
  complexSparsePiRight,
  complexSparsePiTake,
  complexSparseShift,
  gatherValues,
  sparsePiRight,
  sparsePiTake,
  sparseShift,
} from "./implicit/pi";
export { sparseLuSigns, sparseLuWeakest } from "./implicit/sparse-lu";
export {
  gather,
  gatherSum,
  sameNumbers,
  scatterNegative,
  stateDefect,
} from "./implicit/state-space";
export { stageResidual, stageUpdate } from "./implicit/stages";
export { treeAxes, treeColumns } from "./tree/derivatives/columns";
export { treeDerivatives } from "./tree/derivatives/entries";
export { treeMass } from "./tree/derivatives/mass";
export { treeJacobian, treeRowDerivatives } from "./tree/derivatives/rows";
export { treeStageFactor, treeStageSolve } from "./tree/derivatives/stage";
export { treeStageColumns, treeStageLinks } from "./tree/derivatives/stage";
export { treePositionBias, treeTurnDerivatives } from "./tree/derivatives/turns";
