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
  SolverMethod, solverInner, solverMatrix, solverRight, solverVectors, Status,
} from "../layout";
import { matrixTransposeVector } from "../dense/vectors";
import { at, clearSlots, get, set } from "../math/slots";
import { failed, shiftIndex } from "../math/status";
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
  const ct = at(record, solverMatrix(n));
  const whitened = whiten(n, kind, m, record, jacobian, n, ct, n);
  if (failed(whitened)) return whitened;
  return shiftIndex(factorInner(n, m, method, tolerance, ct, at(record, solverInner(n, m))), n);
}

/** x = M^-1 b. x may be b. */
export function solverMassSolve(n: i32, kind: i32, record: usize, b: usize, x: usize): i32 {
  const status = whiten(n, kind, 1, record, b, n, x, n);
  return failed(status) ? status : unwhiten(n, kind, 1, record, x, n, x, n);
}

/** Accelerations with J out = right. NON_FINITE names a coordinate. */
export function solverAccelerate(
  n: i32, m: i32, method: i32, kind: i32, record: usize, forces: usize, right: usize, out: usize,
): i32 {
  if (m == 0) return solverMassSolve(n, kind, record, forces, out);
  if (method == SolverMethod.KKT) return solveSaddle(n, m, record, forces, right, out, 0);
  const w = at(record, solverVectors(n, m)), z = at(w, n);
  const status = correction(n, m, method, kind, record, forces, right, w, z);
  if (failed(status)) return status;
  for (let i = 0; i < n; i++) set(z, i, get(z, i) + get(w, i));
  return unwhiten(n, kind, 1, record, z, n, out, n);
}

/** w = L^-1 Q and z = C^+ (right - C w). */
function correction(
  n: i32, m: i32, method: i32, kind: i32, record: usize, forces: usize, right: usize, w: usize,
  z: usize,
): i32 {
  const status = whiten(n, kind, 1, record, forces, n, w, n);
  if (failed(status)) return status;
  const u = at(record, solverRight(n, m));
  matrixTransposeVector(n, m, at(record, solverMatrix(n)), n, w, u);
  for (let i = 0; i < m; i++) set(u, i, get(right, i) - get(u, i));
  return pseudoSolve(n, m, method, 1, record, u, z);
}

/** X = M^-1 J^T (J M^-1 J^T)^+ R: `count` columns of m, and of n numbers. X must not be R. */
export function solverMinnorm(
  n: i32, m: i32, method: i32, kind: i32, count: i32, record: usize, r: usize, x: usize,
): i32 {
  if (m == 0) {
    clearSlots(x, n * count);
    return Status.OK;
  }
  for (let j = 0; j < count; j++) {
    const from = at(r, j * m), to = at(x, j * n);
    let status = 0;
    if (method == SolverMethod.KKT) {
      status = solveSaddle(n, m, record, 0, from, to, 0);
    } else {
      const z = at(record, solverVectors(n, m) + n);
      status = pseudoSolve(n, m, method, 1, record, from, z);
      if (!failed(status)) status = unwhiten(n, kind, 1, record, z, n, to, n);
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
  const w = at(record, solverVectors(n, m)), z = at(w, n);
  if (method == SolverMethod.KKT) return solveSaddle(n, m, record, forces, right, w, lambda);
  const status = correction(n, m, method, kind, record, forces, right, w, z);
  return failed(status) ? status : innerTransposed(n, m, method, record, z, lambda);
}
