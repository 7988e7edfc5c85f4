// A step of Newton's method towards rest that never climbs: (K + s I) d = r with the least s >= 0 for which K + s I
// is positive and d not longer than a radius (Levenberg 1944; Moré and Sorensen 1983 for the radius). Without s,
// from a start above a saddle, Newton's method ends on it: a pendulum that is nearly upright would be put upright.

import { combination, dot } from "../../../ground/algebra/gram-schmidt.js";

/** Shifts that are tried, over the largest entry of K: the first one, and how they grow. */
const SHIFT = { first: 1e-6, growth: 4, most: 60 } as const;
/** A pivot that is positive, over the largest entry of K. */
const POSITIVE = 1e-13;

export interface Step {
  /** Factors of the basis. */
  readonly factors: Float64Array;
  /** Work of the forces on the way, to the second order. */
  readonly work: number;
  /** A full Newton step. */
  readonly whole: boolean;
}

/** The step for the forces r and K = -dr/dz by columns; sizeOf is what the radius limits. */
export function descend(
  r: Float64Array,
  columns: readonly Float64Array[],
  radius: number,
  sizeOf: (factors: Float64Array) => number,
): Step {
  const n = r.length;
  const largest = columns.reduce(
    (most, column) => column.reduce((m, x) => Math.max(m, Math.abs(x)), most),
    0,
  );
  // Without any stiffness: along the force.
  const scale = largest > 0 ? largest : 1;
  const unit = columns.map((column) => column.map((x) => x / scale));
  const right = r.map((x) => x / scale);
  let shift = 0;
  for (let i = 0; ; i++) {
    if (isPositive(unit, shift)) {
      const factors = solved(unit, shift, right);
      if (sizeOf(factors) <= radius || i === SHIFT.most) {
        const work = dot(r, factors) - dot(factors, combination(columns, factors, n)) / 2;
        return { factors, work, whole: shift === 0 };
      }
    }
    shift = Math.max(SHIFT.first, SHIFT.growth * shift);
  }
}

/**
 * (A + shift I)^-1 b by elimination, without exchanges: where the symmetric part is positive definite there is no
 * need for them (Golub & Van Loan, 4th ed., section 4.1.4).
 */
function solved(
  columns: readonly Float64Array[],
  shift: number,
  right: Float64Array,
): Float64Array {
  const n = columns.length;
  const left = columns.map((column, j) => column.map((x, i) => (i === j ? x + shift : x)));
  const x = right.slice();
  for (let k = 0; k < n; k++) {
    const below = left[k]!;
    for (let i = k + 1; i < n; i++) below[i] = below[i]! / below[k]!;
    for (let j = k + 1; j < n; j++) {
      const [column, factor] = [left[j]!, left[j]![k]!];
      for (let i = k + 1; i < n; i++) column[i] = column[i]! - below[i]! * factor;
    }
    for (let i = k + 1; i < n; i++) x[i] = x[i]! - below[i]! * x[k]!;
  }
  for (let k = n - 1; k >= 0; k--) {
    x[k] = x[k]! / left[k]![k]!;
    for (let i = 0; i < k; i++) x[i] = x[i]! - left[k]![i]! * x[k]!;
  }
  return x;
}

/** Whether the symmetric part of a matrix and a shift are positive definite: Cholesky's pivots. */
function isPositive(columns: readonly Float64Array[], shift: number): boolean {
  const n = columns.length;
  const lower = columns.map((column, j) =>
    Float64Array.from(column, (x, i) => (x + columns[i]![j]!) / 2 + (i === j ? shift : 0)),
  );
  for (let j = 0; j < n; j++) {
    const pivot = lower[j]![j]!;
    if (!(pivot > POSITIVE)) return false;
    for (let k = j + 1; k < n; k++) {
      const factor = lower[j]![k]! / pivot;
      for (let i = k; i < n; i++) lower[k]![i] = lower[k]![i]! - factor * lower[j]![i]!;
    }
  }
  return true;
}
