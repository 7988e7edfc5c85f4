// The pseudoinverse of C, m x n, in four ways, and its penalty approximation. C is given as C^T,
// n x m, with columns padded to four; so are the whitened vectors of length n.
//
// A penalty 1 / c on the constraints gives C^T (C C^T + c I)^-1 in place of C^+ (Bayo, Garcia de
// Jalon and Serna, CMAME 71, 1988): the same as (I + C^T C / c)^-1 C^T / c, as it is printed.
// Rejected: the printed form, n x n. It adds C^T C / c to I, so that rounding of 1 / c ulps reaches
// directions that the constraints leave free; here every result lies in the range of C^T.

import { choleskyFactor, choleskySolve } from "../dense/cholesky";
import { codFactor, codSolve, codSolvePanel, codSolveTransposed } from "../dense/cod";
import { gram } from "../dense/products";
import { svdFactor, svdPseudoinverse, svdRank } from "../dense/svd";
import { matrixTransposeVector, matrixVector } from "../dense/vectors";
import {
  choleskySlots, padToFour, QrHeader, qrScratch, SolverMethod, solverInner, solverMatrix, Status,
  STATUS_BITS, svdSlots,
} from "../layout";
import { at, copySlots, get, getPair, set, setPair } from "../math/slots";
import { failed, statusAt, statusCode } from "../math/status";
import {
  factorOrthonormal, orthonormalRank, solveOrthonormal, solveOrthonormalTransposed,
} from "./orthonormal-inverse";

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
    case SolverMethod.GRAM_SCHMIDT:
      return factorOrthonormal(n, m, tolerance, ct, inner);
    case SolverMethod.CHOLESKY:
    case SolverMethod.PENALTY: {
      const s = at(inner, choleskySlots(m));
      gram(n, m, ct, padToFour(n), s, m);
      if (method == SolverMethod.PENALTY) addCompliance(m, tolerance, s);
      const status = choleskyFactor(m, s, m, inner);
      return statusCode(status) == Status.NOT_POSITIVE
        ? statusAt(Status.SINGULAR, status >> STATUS_BITS)
        : status;
    }
    default:
      return codFactor(m, n, ct, padToFour(n), tolerance, inner);
  }
}

/**
 * Adds a fraction of the largest diagonal element to all, which makes repeated rows independent.
 */
function addCompliance(m: i32, relative: f64, s: usize): void {
  let largest = 0.0;
  for (let i = 0; i < m; i++) largest = Math.max(largest, get(s, i + i * m));
  const compliance = largest > 0.0 ? relative * largest : 1.0;
  for (let i = 0; i < m; i++) set(s, i + i * m, get(s, i + i * m) + compliance);
}

/** Z = C^+ R, `count` columns of length m and of padded length n. */
export function pseudoSolve(
  n: i32, m: i32, method: i32, count: i32, record: usize, r: usize, z: usize,
): i32 {
  const p = padToFour(n), inner = at(record, solverInner(n, m));
  if (method == SolverMethod.COD && get(inner, QrHeader.RANK) > 0.0) {
    solveByCod(n, m, count, inner, r, z);
    return Status.OK;
  }
  for (let j = 0; j < count; j++) for (let i = n; i < p; i++) set(z, i + j * p, 0.0);
  // If the rank is zero, r does not reach z, so r itself is searched for NaN.
  if (method == SolverMethod.COD) return codSolve(m, n, inner, count, r, m, z, p);
  for (let j = 0; j < count; j++) {
    const from = at(r, j * m), to = at(z, j * p);
    if (method == SolverMethod.GRAM_SCHMIDT) {
      solveOrthonormal(n, m, inner, from, to);
      continue;
    }
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

/** lambda = (C^T)^+ z: the multipliers of minimum norm for a z of {@link pseudoSolve}. */
export function innerTransposed(
  n: i32, m: i32, method: i32, record: usize, z: usize, lambda: usize,
): i32 {
  const inner = at(record, solverInner(n, m));
  switch (method) {
    case SolverMethod.SVD:
      return matrixVector(m, n, at(inner, svdSlots(n, m)), m, z, lambda);
    case SolverMethod.GRAM_SCHMIDT:
      solveOrthonormalTransposed(n, m, inner, z, lambda);
      return Status.OK;
    case SolverMethod.PENALTY:
      // Multipliers of the solve itself: (C C^T + c I)^-1 C z would lose a fraction of them.
      copySlots(at(inner, choleskySlots(m) + m * m), lambda, m);
      return Status.OK;
    case SolverMethod.CHOLESKY: {
      matrixTransposeVector(n, m, at(record, solverMatrix(n)), padToFour(n), z, lambda);
      return choleskySolve(m, inner, lambda, lambda);
    }
    default:
      return codSolveTransposed(m, n, inner, 1, z, n, lambda, m);
  }
}

/** Rank of C. The Cholesky factor exists for full rank only; a penalty makes every row count. */
export function solverRank(n: i32, m: i32, method: i32, tolerance: f64, record: usize): i32 {
  const inner = at(record, solverInner(n, m));
  if (m == 0) return 0;
  switch (method) {
    case SolverMethod.COD:
      return <i32>get(inner, QrHeader.RANK);
    case SolverMethod.SVD:
      return svdRank(n, m, inner, tolerance);
    case SolverMethod.GRAM_SCHMIDT:
      return orthonormalRank(inner);
    default:
      return m;
  }
}
