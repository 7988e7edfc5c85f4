// Search for NaN and Infinity. Kernels do not call this routinely: a non-finite entry propagates to
// a pivot or a norm. Only when that happens is the input searched for the culprit.

import { Status } from "../layout";
import { get } from "./slots";
import { statusAt } from "./status";

/** x - x is 0 for finite numbers and NaN for all others. */
// @ts-ignore: decorator
@inline
export function isNumber(x: f64): bool {
  return x - x == 0.0;
}

/** First row of a column-major matrix with a non-finite entry, or -1. */
export function nonFiniteRow(rows: i32, columns: i32, a: usize, lda: i32): i32 {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      if (!isNumber(get(a, i + j * lda))) return i;
    }
  }
  return -1;
}

/** First row of a lower triangle with a non-finite entry, or -1. */
export function nonFiniteRowOfTriangle(n: i32, a: usize, lda: i32): i32 {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      if (!isNumber(get(a, i + j * lda))) return i;
    }
  }
  return -1;
}

/** Status of a vector: OK, or NON_FINITE with the first bad element. */
export function checkFinite(n: i32, x: usize): i32 {
  const bad = nonFiniteRow(n, 1, x, n);
  return bad < 0 ? (Status.OK as i32) : statusAt(Status.NON_FINITE, bad);
}
