// The matrix of the Newton iteration of an SDIRK stage. With accelerations k as unknowns,
//
//   q = ... + h^2 gamma^2 k,   v = ... + h gamma k,   alpha = h gamma,
//   Pi = M - alpha M J2 - alpha^2 M J1,     J1 = da/dq, J2 = da/dv of the accelerations a(q, v).
//
// Where the products M J1 and M J2 come for free (the coordinate-partitioned form differentiates
// M a, so M is never inverted), Pi is a sum; otherwise Pi = M (I - alpha J2 - alpha^2 J1) is one
// product. All matrices are n x n by columns without gaps.

import { LuHeader, luSlots, Status } from "../layout";
import { at, get, getPair, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";
import { luFactor } from "./lu";
import { matrixProduct } from "./products";

/** Pi = M - alpha MJ2 - alpha^2 MJ1. Pi may be any of the three. */
export function newtonMatrix(
  n: i32, alpha: f64, m: usize, mj1: usize, mj2: usize, pi: usize,
): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const one = f64x2.splat(alpha);
  const count = n * n;
  let i = 0;
  for (; i + 2 <= count; i += 2) {
    const sum = f64x2.add(getPair(mj2, i), f64x2.mul(getPair(mj1, i), one));
    setPair(pi, i, f64x2.sub(getPair(m, i), f64x2.mul(sum, one)));
  }
  if (i < count) set(pi, i, get(m, i) - (get(mj2, i) + get(mj1, i) * alpha) * alpha);
  return Status.OK;
}

/** Pi = M (I - alpha J2 - alpha^2 J1). Scratch: n^2 slots that share no memory with the others. */
export function newtonMatrixFromJacobians(
  n: i32, alpha: f64, m: usize, j1: usize, j2: usize, scratch: usize, pi: usize,
): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  for (let i = 0; i < n * n; i++) set(scratch, i, -(get(j2, i) + get(j1, i) * alpha) * alpha);
  for (let i = 0; i < n; i++) set(scratch, i + i * n, get(scratch, i + i * n) + 1.0);
  return matrixProduct(n, n, n, m, n, scratch, n, pi, n);
}

/**
 * Forms and factors Pi from products. The record (newtonSlots) begins with an LU record: luSolve
 * and luReciprocalCondition take it. SINGULAR and NON_FINITE as luFactor, rows being those of Pi.
 */
export function newtonPrepare(
  n: i32, alpha: f64, m: usize, mj1: usize, mj2: usize, factor: usize,
): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const pi = at(factor, luSlots(n));
  newtonMatrix(n, alpha, m, mj1, mj2, pi);
  return luFactor(n, pi, n, factor);
}

/** Forms and factors Pi from M and the Jacobians, as {@link newtonPrepare}. */
export function newtonPrepareFromJacobians(
  n: i32, alpha: f64, m: usize, j1: usize, j2: usize, factor: usize,
): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const pi = at(factor, luSlots(n));
  // The square of the factor is not in use yet: scratch for the second factor of the product.
  newtonMatrixFromJacobians(n, alpha, m, j1, j2, at(factor, LuHeader.SLOTS), pi);
  return luFactor(n, pi, n, factor);
}
