// Accelerations from a basis of the null space, without multipliers.

import { choleskyFactor, choleskySolve } from "../dense/cholesky";
import { luFactor, luSolve } from "../dense/lu";
import { matrixProduct, matrixTransposeProduct } from "../dense/products";
import { matrixTransposeVector, matrixVector } from "../dense/vectors";
import { Status, STATUS_BITS, tangentBlock, tangentMass } from "../layout";
import { at, copySlots, get, set } from "../math/slots";
import { failed, statusAt, statusCode } from "../math/status";
import { basisOf, rankOf, rowOf, scratchOf, tangentAdd } from "./tangent";

/**
 * Maggi's equations (Laulusa and Bauchau 2008, eq. 10) with any a_p of J a_p = right:
 *
 *   (B^T M B) zeta = B^T (Q - M a_p),   a = a_p + B zeta,   B the basis.
 *
 * M need be positive on the null space only. `zeta` has length n, padded with zeros.
 * NOT_POSITIVE names the coordinate that moves most in the direction that has no mass.
 */
export function reducedAccelerate(
  n: i32, m: i32, record: usize, mass: usize, forces: usize, particular: usize, zeta: usize,
  out: usize,
): i32 {
  const basis = basisOf(n, m, record), count = n - rankOf(record);
  const product = scratchOf(n, m, record), square = at(product, n * n);
  const rest = at(square, n * n), right = at(rest, n);
  const factor = at(record, tangentMass(n, m));
  matrixProduct(n, n, count, mass, n, basis, n, product, n);
  matrixTransposeProduct(count, n, count, basis, n, product, n, square, count);
  matrixVector(n, n, mass, n, particular, rest);
  for (let i = 0; i < n; i++) set(rest, i, get(forces, i) - get(rest, i));
  matrixTransposeVector(n, count, basis, n, rest, right);
  const status = choleskyFactor(count, square, count, factor);
  if (failed(status)) return blamed(n, status, basis);
  const solved = choleskySolve(count, factor, right, zeta);
  if (failed(solved)) return blamed(n, solved, basis);
  for (let j = count; j < n; j++) set(zeta, j, 0.0);
  copySlots(particular, out, n);
  tangentAdd(n, m, record, zeta, out);
  return Status.OK;
}

/** Converts the status of a direction to that of the coordinate it moves most. */
function blamed(n: i32, status: i32, basis: usize): i32 {
  const direction = at(basis, (status >> STATUS_BITS) * n);
  let most = 0;
  for (let i = 1; i < n; i++) {
    if (Math.abs(get(direction, i)) > Math.abs(get(direction, most))) most = i;
  }
  return statusAt(statusCode(status), most);
}

/**
 * The null space formulation (Hemami and Weimer 1981; Laulusa and Bauchau 2008, eq. 14) with the
 * rows that were chosen:
 *
 *   [B^T M]     [B^T Q ]
 *   [  J  ] a = [ right]
 *
 * Its factor takes the place of that of a dependent block. SINGULAR and NON_FINITE name n + row, or
 * a coordinate.
 */
export function nullSpaceAccelerate(
  n: i32, m: i32, jacobian: usize, mass: usize, forces: usize, right: usize, record: usize,
  out: usize,
): i32 {
  const basis = basisOf(n, m, record), rank = rankOf(record), count = n - rank;
  const matrix = scratchOf(n, m, record), rest = at(matrix, 2 * n * n);
  const factor = at(record, tangentBlock(n, m));
  matrixTransposeProduct(count, n, n, basis, n, mass, n, matrix, n);
  matrixTransposeVector(n, count, basis, n, forces, rest);
  for (let i = 0; i < rank; i++) {
    const row = rowOf(record, i);
    for (let j = 0; j < n; j++) set(matrix, count + i + j * n, get(jacobian, j + row * n));
    set(rest, count + i, get(right, row));
  }
  let status = luFactor(n, matrix, n, factor);
  if (!failed(status)) status = luSolve(n, factor, rest, out);
  if (!failed(status)) return Status.OK;
  const index = status >> STATUS_BITS;
  if (index < count) return blamed(n, status, basis);
  return statusAt(statusCode(status), n + rowOf(record, index - count));
}

/**
 * Aghili's equation with the constrained mass matrix (IEEE Trans. Robot. 21 (2005) 834-849), for an
 * orthonormal basis B, P = B B^T, and the minimum-norm a_p of J a_p = right:
 *
 *   (M + P M - M P) a = P Q + M a_p
 *
 * It is P M a = P Q, the motion, and M (I - P) a = M a_p, the constraints, in one. P M - M P is
 * skew: the matrix is as definite as M, whatever the rows. Its factor takes the place of that of a
 * dependent block. SINGULAR and NON_FINITE name a coordinate.
 */
export function projectedAccelerate(
  n: i32, m: i32, record: usize, mass: usize, forces: usize, particular: usize, out: usize,
): i32 {
  const basis = basisOf(n, m, record), count = n - rankOf(record);
  const matrix = scratchOf(n, m, record), product = at(matrix, n * n);
  const rest = at(product, n * n), taken = at(rest, n);
  const factor = at(record, tangentBlock(n, m));
  matrixTransposeProduct(count, n, n, basis, n, mass, n, matrix, count);
  matrixProduct(n, count, n, basis, n, matrix, count, product, n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const skew = get(product, i + j * n) - get(product, j + i * n);
      set(matrix, i + j * n, get(mass, i + j * n) + skew);
    }
  }
  matrixVector(n, n, mass, n, particular, rest);
  matrixTransposeVector(n, count, basis, n, forces, taken);
  for (let j = count; j < n; j++) set(taken, j, 0.0);
  tangentAdd(n, m, record, taken, rest);
  const status = luFactor(n, matrix, n, factor);
  return failed(status) ? status : luSolve(n, factor, rest, out);
}
