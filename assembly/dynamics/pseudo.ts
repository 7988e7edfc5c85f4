// The pseudoinverse of C, m x n, in three ways. C is given as C^T, n x m by columns padded to four;
// so are the whitened vectors of n numbers.

import { choleskyFactor } from "../dense/cholesky";
import { choleskySolve } from "../dense/cholesky-solve";
import { codFactor } from "../dense/cod";
import { codSolve, codSolvePanel, codSolveTransposed } from "../dense/cod-solve";
import { gram } from "../dense/products";
import { svdFactor } from "../dense/svd";
import { svdPseudoinverse, svdRank } from "../dense/svd-results";
import { matrixTransposeVector, matrixVector } from "../dense/vectors";
import {
  choleskySlots, padToFour, QrHeader, qrScratch, SolverMethod, solverInner, solverMatrix, Status,
  STATUS_BITS, svdSlots,
} from "../layout";
import { at, get, getPair, set, setPair } from "../math/slots";
import { failed, statusAt, statusCode } from "../math/status";

/** Factors C for {@link pseudoSolve}. Indices are rows of C. */
export function factorInner(
  n: i32, m: i32, method: i32, tolerance: f64, ct: usize, inner: usize,
): i32 {
  switch (method) {
    case SolverMethod.SVD: {
      // (C^T)^+ is formed once: with several right-hand sides that is cheaper than U S^+ V^T for
      // each.
      const status = svdFactor(n, m, ct, padToFour(n), inner);
      return failed(status)
        ? status
        : svdPseudoinverse(n, m, inner, tolerance, at(inner, svdSlots(n, m)), m);
    }
    case SolverMethod.CHOLESKY: {
      const s = at(inner, choleskySlots(m));
      gram(n, m, ct, padToFour(n), s, m);
      const status = choleskyFactor(m, s, m, inner);
      return statusCode(status) == Status.NOT_POSITIVE
        ? statusAt(Status.SINGULAR, status >> STATUS_BITS)
        : status;
    }
    default:
      return codFactor(m, n, ct, padToFour(n), tolerance, inner);
  }
}

/** Z = C^+ R, `count` columns of m and of padded n numbers. */
export function pseudoSolve(
  n: i32, m: i32, method: i32, count: i32, record: usize, r: usize, z: usize,
): i32 {
  const p = padToFour(n), inner = at(record, solverInner(n, m));
  if (method == SolverMethod.COD && get(inner, QrHeader.RANK) > 0.0) {
    solveByCod(n, m, count, inner, r, z);
    return Status.OK;
  }
  for (let j = 0; j < count; j++) for (let i = n; i < p; i++) set(z, i + j * p, 0.0);
  // Without any rank nothing of r arrives in z, so r itself is searched for NaN.
  if (method == SolverMethod.COD) return codSolve(m, n, inner, count, r, m, z, p);
  for (let j = 0; j < count; j++) {
    const from = at(r, j * m), to = at(z, j * p);
    const status = method == SolverMethod.SVD
      ? matrixTransposeVector(m, n, at(inner, svdSlots(n, m)), m, from, to)
      : solveByCholesky(n, m, record, inner, from, to);
    if (failed(status)) return status;
  }
  return Status.OK;
}

/** At most two right-hand sides. NaN is not checked here but in the final result. */
function solveByCod(n: i32, m: i32, count: i32, inner: usize, r: usize, z: usize): void {
  const p = padToFour(n), ld = padToFour(max(m, n)), panel = at(inner, qrScratch(n, m));
  codSolvePanel(m, n, inner, count, r, m);
  for (let j = 0; j < count; j++) {
    const from = at(panel, j * ld), to = at(z, j * p);
    for (let i = 0; i < p; i += 2) setPair(to, i, getPair(from, i));
  }
}

function solveByCholesky(n: i32, m: i32, record: usize, inner: usize, r: usize, z: usize): i32 {
  const lambda = at(inner, choleskySlots(m) + m * m);
  const status = choleskySolve(m, inner, r, lambda);
  if (failed(status)) return status;
  return matrixVector(n, m, at(record, solverMatrix(n)), padToFour(n), lambda, z);
}

/** lambda = (C^T)^+ z: what {@link pseudoSolve} made z from, of least norm. */
export function innerTransposed(
  n: i32, m: i32, method: i32, record: usize, z: usize, lambda: usize,
): i32 {
  const inner = at(record, solverInner(n, m));
  switch (method) {
    case SolverMethod.SVD:
      return matrixVector(m, n, at(inner, svdSlots(n, m)), m, z, lambda);
    case SolverMethod.CHOLESKY: {
      matrixTransposeVector(n, m, at(record, solverMatrix(n)), padToFour(n), z, lambda);
      return choleskySolve(m, inner, lambda, lambda);
    }
    default:
      return codSolveTransposed(m, n, inner, 1, z, n, lambda, m);
  }
}

/** Rank of C. The Cholesky factor exists for full rank only. */
export function solverRank(n: i32, m: i32, method: i32, tolerance: f64, record: usize): i32 {
  const inner = at(record, solverInner(n, m));
  if (m == 0) return 0;
  switch (method) {
    case SolverMethod.COD:
      return <i32>get(inner, QrHeader.RANK);
    case SolverMethod.SVD:
      return svdRank(n, m, inner, tolerance);
    default:
      return m;
  }
}
