// Loops over vectors of any length and alignment.

import { get, getPair, laneSum, set, setPair } from "./slots";

/** x . y */
// @ts-ignore: decorator
@inline
export function dot(n: i32, x: usize, y: usize): f64 {
  let even = f64x2.splat(0.0), odd = even;
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    even = f64x2.add(even, f64x2.mul(getPair(x, i), getPair(y, i)));
    odd = f64x2.add(odd, f64x2.mul(getPair(x, i + 2), getPair(y, i + 2)));
  }
  let sum = i > 0 ? laneSum(f64x2.add(even, odd)) : 0.0;
  for (; i < n; i++) sum += get(x, i) * get(y, i);
  return sum;
}

/** y = y - s x */
// @ts-ignore: decorator
@inline
export function subtractMultiple(n: i32, s: f64, x: usize, y: usize): void {
  const pair = f64x2.splat(s);
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    setPair(y, i, f64x2.sub(getPair(y, i), f64x2.mul(pair, getPair(x, i))));
  }
  if (i < n) set(y, i, get(y, i) - s * get(x, i));
}

/**
 * Whether no magnitude of x exceeds `most`; false if one is NaN. Comparisons are independent;
 * a maximum of the elements is several times as slow.
 */
// @ts-ignore: decorator
@inline
export function areWithin(n: i32, x: usize, most: f64): bool {
  let within = true;
  for (let i = 0; i < n; i++) within = within && Math.abs(get(x, i)) <= most;
  return within;
}

/** Largest magnitude of x; NaN if one is. */
export function largestMagnitude(n: i32, x: usize): f64 {
  let largest = 0.0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(get(x, i)));
  return largest;
}
