// The condition of a factored matrix, without its inverse: |A^-1|_1 is the largest value of the
// convex function |A^-1 x|_1 over |x|_1 <= 1, climbed from vertex to vertex by subgradients. The
// estimate is a lower bound, nearly always within a factor of three. Hager 1984; Higham, ACM TOMS
// 14 (1988), algorithm 4.1 (also Accuracy and Stability of Numerical Algorithms, section 15.3).
//
// Exchanging rows and columns does not change the norm of the inverse, so L and U suffice.

import { LuHeader, padToFour } from "../layout";
import { at, get, set } from "../math/slots";
import { clearColumn, largestIndex } from "./columns";
import {
  Diagonal, solveLower, solveLowerTransposed, solveUpper, solveUpperTransposed,
} from "./triangles";

const MAXIMUM_CLIMBS: i32 = 4;

/**
 * Estimate of 1 / (|A|_1 |A^-1|_1) for a matrix factored by luFactor: 1 for an empty matrix, near
 * 2e-16 and below if the matrix is singular in working precision. NaN for a negative size.
 */
export function luReciprocalCondition(n: i32, factor: usize): f64 {
  if (n < 0) return NaN;
  const p = padToFour(n);
  const lu = at(factor, LuHeader.SLOTS);
  return reciprocalCondition(n, get(factor, LuHeader.NORM), lu, p, at(lu, p * p + p));
}

/** 1 / (norm |(L U)^-1|_1), U's diagonal being stored as reciprocals. Scratch: 2 n slots. */
export function reciprocalCondition(n: i32, norm: f64, lu: usize, ld: i32, scratch: usize): f64 {
  if (n == 0) return 1.0;
  const estimate = 1.0 / (norm * inverseNorm(n, lu, ld, scratch));
  return estimate >= 0.0 ? estimate : 0.0;
}

function inverseNorm(n: i32, lu: usize, ld: i32, x: usize): f64 {
  const signs = at(x, n);
  for (let i = 0; i < n; i++) set(x, i, 1.0 / n);
  clearColumn(n, signs);
  let best = applyInverse(n, lu, ld, x);
  let vertex = -1;
  for (let climb = 0; n > 1 && climb < MAXIMUM_CLIMBS; climb++) {
    if (!takeSigns(n, x, signs)) break;
    solveUpperTransposed(n, lu, ld, Diagonal.RECIPROCAL, x);
    solveLowerTransposed(n, lu, ld, Diagonal.UNIT, x);
    const steepest = largestIndex(n, x);
    if (steepest == vertex) break;
    vertex = steepest;
    clearColumn(n, x);
    set(x, vertex, 1.0);
    const value = applyInverse(n, lu, ld, x);
    if (!(value > best)) break;
    best = value;
  }
  // Guards against cancellation that keeps the climb at a poor vertex.
  for (let i = 0; i < n; i++) {
    const size = n > 1 ? 1.0 + <f64>i / <f64>(n - 1) : 1.0;
    set(x, i, (i & 1) != 0 ? -size : size);
  }
  return max<f64>(best, (2.0 * applyInverse(n, lu, ld, x)) / (3.0 * n));
}

/** x = (L U)^-1 x; returns |x|_1. */
function applyInverse(n: i32, lu: usize, ld: i32, x: usize): f64 {
  solveLower(n, lu, ld, Diagonal.UNIT, x);
  solveUpper(n, lu, ld, Diagonal.RECIPROCAL, x);
  let sum = 0.0;
  for (let i = 0; i < n; i++) sum += Math.abs(get(x, i));
  return sum;
}

/** x = sign(x), kept in `signs` too. False when they are the signs kept before. */
function takeSigns(n: i32, x: usize, signs: usize): bool {
  let changed = false;
  for (let i = 0; i < n; i++) {
    const sign = get(x, i) < 0.0 ? -1.0 : 1.0;
    if (sign != get(signs, i)) changed = true;
    set(signs, i, sign);
    set(x, i, sign);
  }
  return changed;
}
