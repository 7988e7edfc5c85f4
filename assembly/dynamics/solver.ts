// One structure serves all formulations (Laulusa and Bauchau 2008, sections 2.2 and 2.3). With M =
// L L^T and C = J L^-T:
//
//   accelerations   L^T a = w + C^+ (right - C w),  w = L^-1 Q
//   minnorm(r)      L^T x = C^+ r                    least kinetic energy among all x with J x = r
//   multipliers     lambda = (C^T)^+ C^+ (right - C w)
//
// C is stored row-major, which is C^T = L^-1 J^T column-major. C^+ comes from a complete orthogonal
// decomposition, from the singular values, or from the Cholesky factor of C C^T = J M^-1 J^T. The
// saddle point matrix [M J^T; J 0] is the fourth way; it does not use C.
//
// Status indices below n are coordinates (the mass matrix), from n on constraint rows.

import {
  padToFour, SolverMethod, SolverSides, solverInner, solverMatrix, solverRight, solverVectors,
  Status,
} from "../layout";
import { allFinite, copyOut } from "../dense/cholesky";
import { axpy, matrixTransposeVector } from "../dense/vectors";
import { nonFiniteRow } from "../math/finite";
import { at, clearSlots, get, getAddress, getPair, set, setPair } from "../math/slots";
import { failed, shiftIndex, statusAt } from "../math/status";
import { massFactor, unwhiten, unwhitenTwo, whiten, whitenRows, whitenTwo } from "./mass";
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
  whitenRows(n, m, kind, record, jacobian, ct);
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
 * Accelerations with J out = right and, if an address is given for its right-hand side r, the
 * least correction of the velocities: corrected = v + minnorm(r). NON_FINITE names a coordinate.
 */
export function solverRates(
  n: i32, m: i32, method: i32, kind: i32, record: usize, forces: usize, right: usize, r: usize,
  v: usize, out: usize, corrected: usize,
): i32 {
  if (m == 0) {
    if (r != 0) copyOut(n, v, corrected);
    return solverMassSolve(n, m, kind, record, forces, out);
  }
  if (method == SolverMethod.KKT) {
    const status = solveSaddle(n, m, record, forces, right, out, 0);
    if (failed(status) || r == 0) return status;
    const z = at(record, solverVectors(n, m)), second = solveSaddle(n, m, record, 0, r, z, 0);
    return failed(second) ? second : axpy(n, 1.0, z, v, corrected);
  }
  whiten(n, kind, record, forces, at(record, solverVectors(n, m)));
  return ratesOfWhitened(n, m, method, kind, record, right, r, v, out, corrected);
}

/**
 * solverFactor and solverRates in one: forces and rows of J are whitened together. `sides` are
 * SolverSides: the addresses that solverRates takes.
 */
export function solverFactorRates(
  n: i32, m: i32, method: i32, kind: i32, tolerance: f64, mass: usize, jacobian: usize,
  record: usize, sides: usize,
): i32 {
  const forces = getAddress(sides, SolverSides.FORCES);
  const right = getAddress(sides, SolverSides.RIGHT), r = getAddress(sides, SolverSides.CORRECTION);
  const v = getAddress(sides, SolverSides.VELOCITIES), out = getAddress(sides, SolverSides.OUT);
  const corrected = getAddress(sides, SolverSides.CORRECTED);
  if (m == 0 || method == SolverMethod.KKT) {
    const status = solverFactor(n, m, method, kind, tolerance, mass, jacobian, record);
    if (failed(status)) return status;
    return solverRates(n, m, method, kind, record, forces, right, r, v, out, corrected);
  }
  let status = massFactor(n, kind, mass, record);
  if (failed(status)) return status;
  const ct = at(record, solverMatrix(n)), w = at(record, solverVectors(n, m));
  if (m & 1) {
    const last = m - 1;
    whitenRows(n, last, kind, record, jacobian, ct);
    whitenTwo(n, kind, record, at(jacobian, last * n), at(ct, last * padToFour(n)), forces, w);
  } else {
    whitenRows(n, m, kind, record, jacobian, ct);
    whiten(n, kind, record, forces, w);
  }
  status = factorInner(n, m, method, tolerance, ct, at(record, solverInner(n, m)));
  if (failed(status)) return shiftIndex(status, n);
  return ratesOfWhitened(n, m, method, kind, record, right, r, v, out, corrected);
}

/** {@link solverRates} once the forces are whitened. */
function ratesOfWhitened(
  n: i32, m: i32, method: i32, kind: i32, record: usize, right: usize, r: usize, v: usize,
  out: usize, corrected: usize,
): i32 {
  const p = padToFour(n);
  const w = at(record, solverVectors(n, m)), z = at(w, p), u = at(record, solverRight(n, m));
  residual(n, m, record, right, w, u);
  if (r != 0) for (let i = 0; i < m; i++) set(u, m + i, get(r, i));
  const status = pseudoSolve(n, m, method, r != 0 ? 2 : 1, record, u, z);
  if (failed(status)) return status;
  for (let i = 0; i < p; i += 2) setPair(z, i, f64x2.add(getPair(z, i), getPair(w, i)));
  if (r == 0) return giveBack(n, kind, record, z, out);
  unwhitenTwo(n, kind, record, z);
  const first = copyFinite(n, z, out);
  if (failed(first)) return first;
  const second = at(z, p);
  if (!allFinite(p, second)) return statusAt(Status.NON_FINITE, nonFiniteRow(n, 1, second, n));
  return axpy(n, 1.0, second, v, corrected);
}

/** u = right - C w with the whitened forces w = L^-1 Q. */
function residual(n: i32, m: i32, record: usize, right: usize, w: usize, u: usize): void {
  matrixTransposeVector(n, m, at(record, solverMatrix(n)), padToFour(n), w, u);
  for (let i = 0; i < m; i++) set(u, i, get(right, i) - get(u, i));
}

/** Transforms a finite result back from the whitened space. */
function giveBack(n: i32, kind: i32, record: usize, z: usize, out: usize): i32 {
  unwhiten(n, kind, record, z);
  return copyFinite(n, z, out);
}

/** Copies n of the padded values if all are finite. */
function copyFinite(n: i32, z: usize, out: usize): i32 {
  if (!allFinite(padToFour(n), z)) return statusAt(Status.NON_FINITE, nonFiniteRow(n, 1, z, n));
  copyOut(n, z, out);
  return Status.OK;
}

/** X = M^-1 J^T (J M^-1 J^T)^+ R: `count` columns of length m, and of length n. X must not be R. */
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
  whiten(n, kind, record, forces, w);
  residual(n, m, record, right, w, u);
  const status = pseudoSolve(n, m, method, 1, record, u, z);
  return failed(status) ? status : innerTransposed(n, m, method, record, z, lambda);
}
