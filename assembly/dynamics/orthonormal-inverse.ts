// The pseudoinverse of C, m x n, by Gram-Schmidt (Arabyan and Wu, Multibody System Dynamics 2,
// 1998; Laulusa and Bauchau 2008, section 4.5). Two orthonormalisations, of the rows of C and of
// the result, find it for any rank:
//
//   C^T = V R        V with as many columns as the rank, R with a column for each row of C
//   R^T = W S        of full column rank
//   C^+ = V S^-1 W^T
//
// Rejected: the independent rows alone, C^+ = V R_D^-T on them. That is the pseudoinverse only if
// the right-hand side is consistent with the dropped rows, which velocities off the constraints are
// not.
//
// Record: rank, V (m columns of padded n), R^T and W (m columns of m), S (m x m), a vector of m.

import { scaleColumn } from "../dense/columns";
import { padToFour, Status } from "../layout";
import { isNumber } from "../math/finite";
import { at, clearSlots, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import { dot, subtractMultiple } from "../math/vectors";
import { takeOff } from "./tangent";

/** Lower bound of the rank tolerance, for each row. */
const MIN_RANK_TOLERANCE: f64 = f64.EPSILON;

// @ts-ignore: decorator
@inline
function vectorsOf(inner: usize): usize {
  return at(inner, 2);
}

function triangleOf(n: i32, m: i32, inner: usize): usize {
  return at(vectorsOf(inner), m * padToFour(n));
}

export function orthonormalRank(inner: usize): i32 {
  return <i32>get(inner, 0);
}

/** Factors C, given as C^T by padded columns. DEFICIENT and NON_FINITE name a row. */
export function factorOrthonormal(n: i32, m: i32, tolerance: f64, ct: usize, inner: usize): i32 {
  const p = padToFour(n), v = vectorsOf(inner), r = triangleOf(n, m, inner);
  const y = at(r, 3 * m * m);
  const relative = Math.max(tolerance, MIN_RANK_TOLERANCE * <f64>max(m, n));
  let rank = 0, dropped = -1;
  clearSlots(r, m * m);
  for (let i = 0; i < m; i++) {
    const x = at(v, rank * p), from = at(ct, i * p);
    for (let k = 0; k < n; k++) set(x, k, get(from, k));
    for (let k = n; k < p; k++) set(x, k, 0.0);
    const length = Math.sqrt(dot(n, x, x));
    if (!isNumber(length)) return statusAt(Status.NON_FINITE, i);
    clearSlots(y, m);
    takeOff(p, rank, v, x, y);
    for (let k = 0; k < rank; k++) set(r, i + k * m, get(y, k));
    const left = Math.sqrt(dot(n, x, x));
    if (rank < n && left > relative * length) {
      set(r, i + rank * m, left);
      scaleColumn(n, 1.0 / left, x);
      rank++;
    } else if (dropped < 0) {
      dropped = i;
    }
  }
  set(inner, 0, rank);
  factorTriangle(m, rank, r);
  return dropped < 0 ? (Status.OK as i32) : statusAt(Status.DEFICIENT, dropped);
}

/** R^T = W S, of full column rank. */
function factorTriangle(m: i32, rank: i32, r: usize): void {
  const w = at(r, m * m), s = at(w, m * m);
  for (let j = 0; j < rank; j++) {
    const x = at(w, j * m), column = at(s, j * m);
    for (let k = 0; k < m; k++) set(x, k, get(r, k + j * m));
    clearSlots(column, m);
    takeOff(m, j, w, x, column);
    const left = Math.sqrt(dot(m, x, x));
    set(column, j, left);
    scaleColumn(m, 1.0 / left, x);
  }
}

/** z = C^+ u = V S^-1 W^T u; z has padded n slots. */
export function solveOrthonormal(n: i32, m: i32, inner: usize, u: usize, z: usize): void {
  const p = padToFour(n), v = vectorsOf(inner), r = triangleOf(n, m, inner);
  const w = at(r, m * m), s = at(w, m * m), y = at(s, m * m), rank = orthonormalRank(inner);
  clearSlots(z, p);
  for (let j = 0; j < rank; j++) set(y, j, dot(m, at(w, j * m), u));
  for (let j = rank - 1; j >= 0; j--) {
    const value = get(y, j) / get(s, j + j * m);
    set(y, j, value);
    subtractMultiple(j, value, at(s, j * m), y);
    subtractMultiple(n, -value, at(v, j * p), z);
  }
}

/** lambda = (C^T)^+ z = W S^-T V^T z. */
export function solveOrthonormalTransposed(
  n: i32, m: i32, inner: usize, z: usize, lambda: usize,
): void {
  const p = padToFour(n), v = vectorsOf(inner), r = triangleOf(n, m, inner);
  const w = at(r, m * m), s = at(w, m * m), y = at(s, m * m), rank = orthonormalRank(inner);
  clearSlots(lambda, m);
  for (let j = 0; j < rank; j++) {
    const column = at(s, j * m);
    const value = (dot(n, at(v, j * p), z) - dot(j, column, y)) / get(column, j);
    set(y, j, value);
    subtractMultiple(m, -value, at(w, j * m), lambda);
  }
}
