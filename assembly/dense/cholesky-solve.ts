// Solves with a Cholesky factor: A x = b by L y = b, then L^T x = y.
//
// The right side is copied to the scratch at the end of the factor, where it is padded to four. So
// b and x may be the same memory, and on failure x is not written.

import { padToFour, Status } from "../layout";
import { isNumber } from "../math/finite";
import { at, get, getPair, laneSum, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";

/** Which triangles a solve applies. */
enum Half {
  BOTH = 0,
  FORWARD = 1,
  BACKWARD = 2,
}

/** x = A^-1 b. NON_FINITE names the element of b, or of an overflowing x. */
export function choleskySolve(n: i32, factor: usize, b: usize, x: usize): i32 {
  return solveColumns(n, 1, Half.BOTH, factor, b, n, x, n);
}

/** X = A^-1 B for several right sides. */
export function choleskySolveMany(
  n: i32, count: i32, factor: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  return solveColumns(n, count, Half.BOTH, factor, b, ldb, x, ldx);
}

/** X = L^-1 B: the half of the inverse that turns J M^-1 J^T into C C^T with C^T = L^-1 J^T. */
export function choleskyForward(
  n: i32, count: i32, factor: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  return solveColumns(n, count, Half.FORWARD, factor, b, ldb, x, ldx);
}

/** X = L^-T B: the other half. */
export function choleskyBackward(
  n: i32, count: i32, factor: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  return solveColumns(n, count, Half.BACKWARD, factor, b, ldb, x, ldx);
}

function solveColumns(
  n: i32, count: i32, half: Half, factor: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (count < 0) return statusAt(Status.BAD_SIZE, 1);
  if (ldb < n || ldx < n) return statusAt(Status.BAD_SIZE, ldb < n ? 4 : 6);
  const p = padToFour(n);
  const y = at(factor, p * p + p);
  for (let column = 0; column < count; column++) {
    const from = at(b, column * ldb), to = at(x, column * ldx);
    for (let i = 0; i < n; i++) set(y, i, get(from, i));
    for (let i = n; i < p; i++) set(y, i, 0.0);
    if (half != Half.BACKWARD) forwardTiles(p, factor, y);
    if (half != Half.FORWARD) backwardTiles(p, factor, y);
    const bad = firstBad(n, y);
    if (bad >= 0) {
      const cause = firstBad(n, from);
      return statusAt(Status.NON_FINITE, cause >= 0 ? cause : bad);
    }
    for (let i = 0; i < n; i++) set(to, i, get(y, i));
  }
  return Status.OK;
}

function firstBad(n: i32, x: usize): i32 {
  for (let i = 0; i < n; i++) if (!isNumber(get(x, i))) return i;
  return -1;
}

/** y = L^-1 y, four columns of L at a time. */
function forwardTiles(p: i32, factor: usize, y: usize): void {
  for (let k = 0; k < p; k += 4) {
    const r = at(factor, p * p + k);
    const l0 = at(factor, k + k * p), l1 = at(l0, p), l2 = at(l1, p), l3 = at(l2, p);
    const s = at(y, k);
    const y0 = get(s, 0) * get(r, 0);
    const y1 = (get(s, 1) - get(l0, 1) * y0) * get(r, 1);
    const y2 = (get(s, 2) - get(l0, 2) * y0 - get(l1, 2) * y1) * get(r, 2);
    const y3 = (get(s, 3) - get(l0, 3) * y0 - get(l1, 3) * y1 - get(l2, 3) * y2) * get(r, 3);
    set(s, 0, y0);
    set(s, 1, y1);
    set(s, 2, y2);
    set(s, 3, y3);
    const v0 = f64x2.splat(y0), v1 = f64x2.splat(y1), v2 = f64x2.splat(y2), v3 = f64x2.splat(y3);
    for (let i = 4; i < p - k; i += 2) {
      let pair = f64x2.sub(getPair(s, i), f64x2.mul(getPair(l0, i), v0));
      pair = f64x2.sub(pair, f64x2.mul(getPair(l1, i), v1));
      pair = f64x2.sub(pair, f64x2.mul(getPair(l2, i), v2));
      setPair(s, i, f64x2.sub(pair, f64x2.mul(getPair(l3, i), v3)));
    }
  }
}

/** y = L^-T y, four columns of L at a time. */
function backwardTiles(p: i32, factor: usize, y: usize): void {
  for (let k = p - 4; k >= 0; k -= 4) {
    const r = at(factor, p * p + k);
    const l0 = at(factor, k + k * p), l1 = at(l0, p), l2 = at(l1, p), l3 = at(l2, p);
    const s = at(y, k);
    let v0 = f64x2.splat(0.0), v1 = v0, v2 = v0, v3 = v0;
    for (let i = 4; i < p - k; i += 2) {
      const pair = getPair(s, i);
      v0 = f64x2.add(v0, f64x2.mul(getPair(l0, i), pair));
      v1 = f64x2.add(v1, f64x2.mul(getPair(l1, i), pair));
      v2 = f64x2.add(v2, f64x2.mul(getPair(l2, i), pair));
      v3 = f64x2.add(v3, f64x2.mul(getPair(l3, i), pair));
    }
    const x3 = (get(s, 3) - laneSum(v3)) * get(r, 3);
    const x2 = (get(s, 2) - laneSum(v2) - get(l2, 3) * x3) * get(r, 2);
    const x1 = (get(s, 1) - laneSum(v1) - get(l1, 2) * x2 - get(l1, 3) * x3) * get(r, 1);
    const x0 =
      (get(s, 0) - laneSum(v0) - get(l0, 1) * x1 - get(l0, 2) * x2 - get(l0, 3) * x3) * get(r, 0);
    set(s, 0, x0);
    set(s, 1, x1);
    set(s, 2, x2);
    set(s, 3, x3);
  }
}
