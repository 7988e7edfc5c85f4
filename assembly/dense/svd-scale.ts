// Powers of two that bring a matrix into the range where squares neither overflow nor underflow.
// They are exact, so scaling costs no accuracy.

import { get } from "../math/slots";

/** A sum of squares outside these may be inaccurate: the largest element is then measured. */
const LEAST_SQUARE: f64 = 2.0 ** -800;
const LARGEST_SQUARE: f64 = 2.0 ** 800;

/** Exponents of powers of two whose reciprocals are normal numbers too. */
const EXPONENT_LIMIT: i32 = 1000;

/** True when a matrix with this sum of squares is finite and can be used without scaling. */
// @ts-ignore: decorator
@inline
export function inRange(square: f64): bool {
  return square >= LEAST_SQUARE && square <= LARGEST_SQUARE;
}

/** The power of two that brings x > 0 to [1, 2), or as near as its exponent may go; 1 for zero. */
export function unitScale(x: f64): f64 {
  if (x == 0.0) return 1.0;
  const exponent = <i32>((reinterpret<u64>(x) >> 52) & 0x7ff) - 1023;
  const limited = min(max(exponent, -EXPONENT_LIMIT), EXPONENT_LIMIT);
  return reinterpret<f64>((<u64>(1023 - limited)) << 52);
}

/** The largest absolute value in a finite matrix. */
export function largestElement(rows: i32, columns: i32, a: usize, lda: i32): f64 {
  let largest = 0.0;
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < rows; i++) largest = Math.max(largest, Math.abs(get(a, i + j * lda)));
  }
  return largest;
}
