// Solves with a Cholesky factor: A x = b by L y = b, then L^T x = y.
//
// The right-hand side is copied to the scratch at the end of the factor, where it is padded to
// four. So b and x may be the same memory, and on failure x is not written.

import { padToFour, Status } from "../layout";
import { nonFiniteRow } from "../math/finite";
import { at, get, getPair, getSingle, laneSum, pairOf, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";

/** Which triangles a solve applies. */
enum Half {
  BOTH = 0,
  FORWARD = 1,
  BACKWARD = 2,
}

/** x = A^-1 b. NON_FINITE names the element of b, or of an overflowing x. */
export function choleskySolve(n: i32, factor: usize, b: usize, x: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const p = padToFour(n), y = at(factor, p * p + p);
  copyPadded(n, p, b, y);
  forwardTiles(p, factor, y);
  backwardTiles(p, factor, y);
  if (!allFinite(p, y)) return statusAt(Status.NON_FINITE, culprit(n, b, y));
  copyOut(n, y, x);
  return Status.OK;
}

/** X = A^-1 B for several right-hand sides. */
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
    copyPadded(n, p, from, y);
    if (half != Half.BACKWARD) forwardTiles(p, factor, y);
    if (half != Half.FORWARD) backwardTiles(p, factor, y);
    if (!allFinite(p, y)) return statusAt(Status.NON_FINITE, culprit(n, from, y));
    copyOut(n, y, to);
  }
  return Status.OK;
}

/**
 * Copies n values, padded by zeros to p. In pairs, as the tiles will read them: a pair cannot
 * be forwarded from two single stores.
 */
export function copyPadded(n: i32, p: i32, from: usize, y: usize): void {
  const even = n & ~1;
  for (let i = 0; i < even; i += 2) setPair(y, i, getPair(from, i));
  if (even < n) setPair(y, even, getSingle(from, even));
  if (((n + 1) & ~1) < p) setPair(y, p - 2, f64x2.splat(0.0));
}

/** Copies n of the padded values. */
export function copyOut(n: i32, y: usize, to: usize): void {
  const even = n & ~1;
  for (let i = 0; i < even; i += 2) setPair(to, i, getPair(y, i));
  if (even < n) set(to, even, get(y, even));
}

/** Whether all p values are finite. */
export function allFinite(p: i32, y: usize): bool {
  let sum = f64x2.splat(0.0);
  for (let i = 0; i < p; i += 2) {
    const pair = getPair(y, i);
    sum = f64x2.add(sum, f64x2.sub(pair, pair));
  }
  return laneSum(sum) == 0.0;
}

/** The bad element of the right-hand side; if there is none, that of the overflowing solution. */
function culprit(n: i32, b: usize, y: usize): i32 {
  const cause = nonFiniteRow(n, 1, b, n);
  return cause >= 0 ? cause : nonFiniteRow(n, 1, y, n);
}

/** y = L^-1 y, four columns of L at a time; y has p slots. */
export function forwardTiles(p: i32, factor: usize, y: usize): void {
  for (let k = 0; k < p; k += 4) {
    const r = at(factor, p * p + k);
    const l0 = at(factor, k + k * p), l1 = at(l0, p), l2 = at(l1, p), l3 = at(l2, p);
    const s = at(y, k);
    const y0 = get(s, 0) * get(r, 0);
    const y1 = (get(s, 1) - get(l0, 1) * y0) * get(r, 1);
    const y2 = (get(s, 2) - get(l0, 2) * y0 - get(l1, 2) * y1) * get(r, 2);
    const y3 = (get(s, 3) - get(l0, 3) * y0 - get(l1, 3) * y1 - get(l2, 3) * y2) * get(r, 3);
    setPair(s, 0, pairOf(y0, y1));
    setPair(s, 2, pairOf(y2, y3));
    const v0 = f64x2.splat(y0), v1 = f64x2.splat(y1), v2 = f64x2.splat(y2), v3 = f64x2.splat(y3);
    for (let i = 4; i < p - k; i += 2) {
      let pair = f64x2.sub(getPair(s, i), f64x2.mul(getPair(l0, i), v0));
      pair = f64x2.sub(pair, f64x2.mul(getPair(l1, i), v1));
      pair = f64x2.sub(pair, f64x2.mul(getPair(l2, i), v2));
      setPair(s, i, f64x2.sub(pair, f64x2.mul(getPair(l3, i), v3)));
    }
  }
}

/** y = L^-T y, four columns of L at a time; y has p slots. */
export function backwardTiles(p: i32, factor: usize, y: usize): void {
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
    setPair(s, 0, pairOf(x0, x1));
    setPair(s, 2, pairOf(x2, x3));
  }
}
