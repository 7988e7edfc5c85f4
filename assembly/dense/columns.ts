// In-place operations of factorisations on columns and rows. Internal: sizes are right, nothing is
// checked.

import { at, get, getPair, laneSum, set, setPair, splat } from "../math/slots";

/**
 * Index of the first element of largest magnitude (0 of an empty or all-NaN column). Long columns
 * in two sweeps: the first has no branch to predict, the second stops at the first hit.
 */
export function largestIndex(n: i32, x: usize): i32 {
  if (n < 8) return largestOfFew(n, x);
  let pair = f64x2.splat(0.0), other = pair;
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    pair = f64x2.pmax(pair, f64x2.abs(getPair(x, i)));
    other = f64x2.pmax(other, f64x2.abs(getPair(x, i + 2)));
  }
  for (; i < n; i++) pair = f64x2.pmax(pair, f64x2.abs(splat(x, i)));
  const largest = laneMaximum(f64x2.pmax(pair, other));
  for (i = 0; i < n; i++) if (Math.abs(get(x, i)) == largest) return i;
  return 0;
}

function largestOfFew(n: i32, x: usize): i32 {
  let best = -1.0, winner = 0;
  for (let i = 0; i < n; i++) {
    const size = Math.abs(get(x, i));
    winner = size > best ? i : winner;
    best = size > best ? size : best;
  }
  return winner;
}

/** The larger of two lanes that are not NaN. */
// @ts-ignore: decorator
@inline
export function laneMaximum(pair: v128): f64 {
  const first = f64x2.extract_lane(pair, 0), second = f64x2.extract_lane(pair, 1);
  return first < second ? second : first;
}

/** x = alpha x. */
export function scaleColumn(n: i32, alpha: f64, x: usize): void {
  const factor = f64x2.splat(alpha);
  let i = 0;
  for (; i + 2 <= n; i += 2) setPair(x, i, f64x2.mul(getPair(x, i), factor));
  if (i < n) set(x, i, get(x, i) * alpha);
}

/** y = y - alpha x. */
export function subtractMultiple(n: i32, alpha: f64, x: usize, y: usize): void {
  const factor = f64x2.splat(alpha);
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    setPair(y, i, f64x2.sub(getPair(y, i), f64x2.mul(getPair(x, i), factor)));
  }
  if (i < n) set(y, i, get(y, i) - get(x, i) * alpha);
}

/** y = y - (alpha x + beta z). */
export function subtractTwoMultiples(
  n: i32, alpha: f64, x: usize, beta: f64, z: usize, y: usize,
): void {
  const first = f64x2.splat(alpha), second = f64x2.splat(beta);
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    const sum = f64x2.add(f64x2.mul(getPair(x, i), first), f64x2.mul(getPair(z, i), second));
    setPair(y, i, f64x2.sub(getPair(y, i), sum));
  }
  if (i < n) set(y, i, get(y, i) - (get(x, i) * alpha + get(z, i) * beta));
}

/** y = y - T x for four columns of T: one load and store of y serves all four. */
// @ts-ignore: decorator
@inline
export function subtractFourColumns(
  n: i32, t: usize, ldt: i32, x0: f64, x1: f64, x2: f64, x3: f64, y: usize,
): void {
  const t0 = t, t1 = at(t0, ldt), t2 = at(t1, ldt), t3 = at(t2, ldt);
  const v0 = f64x2.splat(x0), v1 = f64x2.splat(x1), v2 = f64x2.splat(x2), v3 = f64x2.splat(x3);
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    const first = f64x2.add(f64x2.mul(getPair(t0, i), v0), f64x2.mul(getPair(t1, i), v1));
    const second = f64x2.add(f64x2.mul(getPair(t2, i), v2), f64x2.mul(getPair(t3, i), v3));
    setPair(y, i, f64x2.sub(getPair(y, i), f64x2.add(first, second)));
  }
  if (i < n) {
    const first = get(t0, i) * x0 + get(t1, i) * x1, second = get(t2, i) * x2 + get(t3, i) * x3;
    set(y, i, get(y, i) - (first + second));
  }
}

/** y_c = y_c + sign t_c . x for four columns of T: one load of x serves all four. */
// @ts-ignore: decorator
@inline
export function addFourDots(n: i32, t: usize, ldt: i32, x: usize, sign: f64, y: usize): void {
  const t0 = t, t1 = at(t0, ldt), t2 = at(t1, ldt), t3 = at(t2, ldt);
  let v0 = f64x2.splat(0.0), v1 = v0, v2 = v0, v3 = v0;
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    const pair = getPair(x, i);
    v0 = f64x2.add(v0, f64x2.mul(getPair(t0, i), pair));
    v1 = f64x2.add(v1, f64x2.mul(getPair(t1, i), pair));
    v2 = f64x2.add(v2, f64x2.mul(getPair(t2, i), pair));
    v3 = f64x2.add(v3, f64x2.mul(getPair(t3, i), pair));
  }
  let s0 = laneSum(v0), s1 = laneSum(v1), s2 = laneSum(v2), s3 = laneSum(v3);
  if (i < n) {
    const last = get(x, i);
    s0 += get(t0, i) * last;
    s1 += get(t1, i) * last;
    s2 += get(t2, i) * last;
    s3 += get(t3, i) * last;
  }
  set(y, 0, get(y, 0) + sign * s0);
  set(y, 1, get(y, 1) + sign * s1);
  set(y, 2, get(y, 2) + sign * s2);
  set(y, 3, get(y, 3) + sign * s3);
}

/** Exchanges two columns. */
export function swapColumns(n: i32, x: usize, y: usize): void {
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    const pair = getPair(x, i);
    setPair(x, i, getPair(y, i));
    setPair(y, i, pair);
  }
  if (i < n) swapSlots(at(x, i), at(y, i));
}

/** Exchanges two strided vectors: two rows of a matrix, or a row and a column. */
export function swapStrided(columns: i32, x: usize, stepX: i32, y: usize, stepY: i32): void {
  const bytesX = (<usize>stepX) << 3, bytesY = (<usize>stepY) << 3;
  for (let j = 0; j < columns; j++) {
    swapSlots(x, y);
    x += bytesX;
    y += bytesY;
  }
}

/** Exchanges two slots. */
// @ts-ignore: decorator
@inline
export function swapSlots(x: usize, y: usize): void {
  const value = get(x, 0);
  set(x, 0, get(y, 0));
  set(y, 0, value);
}

/** Copies a column and returns the sum of its magnitudes: not finite if an element is not. */
export function copyColumn(n: i32, from: usize, to: usize): f64 {
  let sum = f64x2.splat(0.0);
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    const pair = getPair(from, i);
    setPair(to, i, pair);
    sum = f64x2.add(sum, f64x2.abs(pair));
  }
  if (i == n) return laneSum(sum);
  const last = get(from, i);
  set(to, i, last);
  return laneSum(sum) + Math.abs(last);
}

/** x = 0. memory.fill leaves compiled code, which costs more than clearing a short column. */
export function clearColumn(n: i32, x: usize): void {
  for (let i = 0; i < n; i++) set(x, i, 0.0);
}

/** perm = (0, 1, 2, ...): integers in records are stored as f64. */
export function identityPermutation(n: i32, perm: usize): void {
  for (let i = 0; i < n; i++) set(perm, i, i);
}
