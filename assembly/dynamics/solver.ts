// One structure serves all formulations (Laulusa and Bauchau 2008, sections 2.2 and 2.3). With M =
// L L^T and C = J L^-T:
//
//   accelerations   L^T a = w + C^+ (right - C w),  w = L^-1 Q
//   minnorm(r)      L^T x = C^+ r                    least kinetic energy among all x with J x = r
//   multipliers     lambda = (C^T)^+ C^+ (right - C w)
//
// C is kept by rows, which is C^T = L^-1 J^T by columns. C^+ comes from a complete orthogonal
// decomposition, from the singular values, or from the Cholesky factor of C C^T = J M^-1 J^T. The
// saddle point matrix [M J^T; J 0] is the fourth way; it knows no C.
//
// Status indices below n are coordinates (the mass matrix), from n on constraint rows.

import {
  padToFour, SolverMethod, solverInner, solverMatrix, solverRight, solverVectors, Status,
} from "../layout";
import { allFinite, copyOut } from "../dense/cholesky-solve";
import { matrixTransposeVector } from "../dense/vectors";
import { nonFiniteRow } from "../math/finite";
import { at, clearSlots, get, getPair, set, setPair } from "../math/slots";
import { failed, shiftIndex, statusAt } from "../math/status";
import { massFactor, unwhiten, whiten } from "./mass";
import { factorInner, innerTransposed, pseudoSolve } from "./pseudo";
import { factorSaddle, solveSaddle } from "./saddle";

/** Factors M and J. DEFICIENT (a dependent row) and SINGULAR name n + row. */
export function solverFactor(
  n: i32, m: i32, method: i32, kind: i32, tolerance: f64, mass: usize, jacobian: usize,
  record: usize,
): i32 {
  const status = massFactor(n, kind, mass, record);
  if (failed(status) || m == 0) return status;
  if (method == SolverMethod.KKT) return factorSaddle(n, m, kind, mass, jacobian, record);
  const p = padToFour(n), ct = at(record, solverMatrix(n));
  for (let i = 0; i < m; i++) whiten(n, kind, record, at(jacobian, i * n), at(ct, i * p));
  return shiftIndex(factorInner(n, m, method, tolerance, ct, at(record, solverInner(n, m))), n);
}

/** x = M^-1 b. x may be b. */
export function solverMassSolve(
  n: i32, m: i32, kind: i32, record: usize, b: usize, x: usize,
): i32 {
  const w = at(record, solverVectors(n, m));
  whiten(n, kind, record, b, w);
  return giveBack(n, kind, record, w, x);
}

/**
 * Accelerations with J out = right and, when an address is given for its right side r, the least
 * correction of the velocities: minnorm(r). NON_FINITE names a coordinate.
 */
export function solverRates(
  n: i32, m: i32, method: i32, kind: i32, record: usize, forces: usize, right: usize, r: usize,
  out: usize, correction: usize,
): i32 {
  if (m == 0) {
    if (r != 0) clearSlots(correction, n);
    return solverMassSolve(n, m, kind, record, forces, out);
  }
  if (method == SolverMethod.KKT) {
    const status = solveSaddle(n, m, record, forces, right, out, 0);
    return failed(status) || r == 0 ? status : solveSaddle(n, m, record, 0, r, correction, 0);
  }
  const p = padToFour(n);
  const w = at(record, solverVectors(n, m)), z = at(w, p), u = at(record, solverRight(n, m));
  residual(n, m, kind, record, forces, right, w, u);
  if (r != 0) for (let i = 0; i < m; i++) set(u, m + i, get(r, i));
  const status = pseudoSolve(n, m, method, r != 0 ? 2 : 1, record, u, z);
  if (failed(status)) return status;
  for (let i = 0; i < p; i += 2) setPair(z, i, f64x2.add(getPair(z, i), getPair(w, i)));
  if (r != 0) {
    const corrected = giveBack(n, kind, record, at(z, p), correction);
    if (failed(corrected)) return corrected;
  }
  return giveBack(n, kind, record, z, out);
}

/** The padded w = L^-1 Q and u = right - C w. */
function residual(
  n: i32, m: i32, kind: i32, record: usize, forces: usize, right: usize, w: usize, u: usize,
): void {
  whiten(n, kind, record, forces, w);
  matrixTransposeVector(n, m, at(record, solverMatrix(n)), padToFour(n), w, u);
  for (let i = 0; i < m; i++) set(u, i, get(right, i) - get(u, i));
}

/** Out of the whitened space, when the result is finite. */
function giveBack(n: i32, kind: i32, record: usize, z: usize, out: usize): i32 {
  unwhiten(n, kind, record, z);
  if (!allFinite(padToFour(n), z)) return statusAt(Status.NON_FINITE, nonFiniteRow(n, 1, z, n));
  copyOut(n, z, out);
  return Status.OK;
}

/** X = M^-1 J^T (J M^-1 J^T)^+ R: `count` columns of m, and of n numbers. X must not be R. */
export function solverMinnorm(
  n: i32, m: i32, method: i32, kind: i32, count: i32, record: usize, r: usize, x: usize,
): i32 {
  if (m == 0) {
    clearSlots(x, n * count);
    return Status.OK;
  }
  const z = at(record, solverVectors(n, m));
  for (let j = 0; j < count; j++) {
    const from = at(r, j * m), to = at(x, j * n);
    let status = 0;
    if (method == SolverMethod.KKT) {
      status = solveSaddle(n, m, record, 0, from, to, 0);
    } else {
      status = pseudoSolve(n, m, method, 1, record, from, z);
      if (!failed(status)) status = giveBack(n, kind, record, z, to);
    }
    if (failed(status)) return status;
  }
  return Status.OK;
}

/** Multipliers of least norm with M a = Q + J^T lambda and J a = right. */
export function solverMultipliers(
  n: i32, m: i32, method: i32, kind: i32, record: usize, forces: usize, right: usize, lambda: usize,
): i32 {
  if (m == 0) return Status.OK;
  const w = at(record, solverVectors(n, m)), z = at(w, padToFour(n));
  if (method == SolverMethod.KKT) return solveSaddle(n, m, record, forces, right, w, lambda);
  const u = at(record, solverRight(n, m));
  residual(n, m, kind, record, forces, right, w, u);
  const status = pseudoSolve(n, m, method, 1, record, u, z);
  return failed(status) ? status : innerTransposed(n, m, method, record, z, lambda);
}
