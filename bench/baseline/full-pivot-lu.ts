// LU with complete pivoting in plain JavaScript. As in the kernel, the search for the next pivot is fused with the
// update, two columns at a time.

import { reciprocalCondition } from "./condition.js";

/** Output of a factorisation, allocated once, outside the timed part. */
export interface FullPivotLuFactor {
  /** L below the diagonal, U above, the reciprocals of U's diagonal on it; by columns. */
  readonly lu: Float64Array;
  /** The original row of each row, and column of each column. */
  readonly rows: Int32Array;
  readonly columns: Int32Array;
  readonly scratch: readonly [Float64Array, Float64Array];
  rank: number;
  reciprocalCondition: number;
  /** Index of the next pivot in `lu`. */
  next: number;
}

/** Room for a factor. */
export function makeFullPivotLu(m: number, n: number): FullPivotLuFactor {
  return {
    lu: new Float64Array(m * n),
    rows: new Int32Array(m),
    columns: new Int32Array(n),
    scratch: [new Float64Array(Math.min(m, n)), new Float64Array(Math.min(m, n))],
    rank: 0,
    reciprocalCondition: 1,
    next: 0,
  };
}

/** P A Q = L U. Returns the rank. */
export function fullPivotLuFactor(
  m: number,
  n: number,
  a: Float64Array,
  factor: FullPivotLuFactor,
): number {
  const { lu, rows, columns } = factor;
  for (let i = 0; i < m; i++) rows[i] = i;
  for (let j = 0; j < n; j++) columns[j] = j;
  copyAndSearch(m * n, a, factor);
  const full = Math.min(m, n);
  const tolerance = Number.EPSILON * Math.max(m, n);
  let largest = 0;
  let k = 0;
  for (; k < full; k++) {
    const pivot = lu[factor.next];
    const size = Math.abs(pivot);
    if (!(size > tolerance * largest)) break;
    if (size > largest) largest = size;
    const column = Math.floor(factor.next / m);
    exchange(m, n, k, column, factor.next - column * m, factor);
    const diagonal = k + k * m;
    const reciprocal = 1 / pivot;
    lu[diagonal] = reciprocal;
    for (let i = diagonal + 1; i < (k + 1) * m; i++) lu[i] *= reciprocal;
    factor.next = eliminate(m, n, k, lu);
  }
  factor.rank = k;
  const norm = blockNorm(k, m, a, rows, columns);
  const [x, signs] = factor.scratch;
  factor.reciprocalCondition = reciprocalCondition({ n: k, lu, ld: m }, norm, x, signs);
  return k;
}

function copyAndSearch(length: number, a: Float64Array, factor: FullPivotLuFactor): void {
  const { lu } = factor;
  let best = -1;
  let next = 0;
  for (let i = 0; i < length; i++) {
    const value = a[i];
    lu[i] = value;
    const size = Math.abs(value);
    if (size > best) {
      best = size;
      next = i;
    }
  }
  factor.next = next;
}

function exchange(
  m: number,
  n: number,
  k: number,
  column: number,
  row: number,
  { lu, rows, columns }: FullPivotLuFactor,
): void {
  if (column !== k) {
    for (let i = k * m, j = column * m; i < k * m + m; i++, j++) {
      const value = lu[i];
      lu[i] = lu[j];
      lu[j] = value;
    }
    const index = columns[k];
    columns[k] = columns[column];
    columns[column] = index;
  }
  if (row !== k) {
    for (let i = k, j = row; i < m * n; i += m, j += m) {
      const value = lu[i];
      lu[i] = lu[j];
      lu[j] = value;
    }
    const index = rows[k];
    rows[k] = rows[row];
    rows[row] = index;
  }
}

/** Applies the rank-one update; returns the index of its largest entry. */
function eliminate(m: number, n: number, k: number, lu: Float64Array): number {
  const first = k + 1 + k * m;
  const end = (k + 1) * m;
  let best = -1;
  let next = 0;
  let j = k + 1;
  for (; j + 2 <= n; j += 2) {
    let to0 = k + j * m;
    let to1 = to0 + m;
    const u0 = lu[to0];
    const u1 = lu[to1];
    for (let i = first; i < end; i++) {
      const multiplier = lu[i];
      const value0 = lu[++to0] - multiplier * u0;
      lu[to0] = value0;
      const value1 = lu[++to1] - multiplier * u1;
      lu[to1] = value1;
      if (Math.abs(value0) > best) {
        best = Math.abs(value0);
        next = to0;
      }
      if (Math.abs(value1) > best) {
        best = Math.abs(value1);
        next = to1;
      }
    }
  }
  if (j < n) {
    let to = k + j * m;
    const u = lu[to];
    for (let i = first; i < end; i++) {
      const value = lu[++to] - lu[i] * u;
      lu[to] = value;
      if (Math.abs(value) > best) {
        best = Math.abs(value);
        next = to;
      }
    }
  }
  return next;
}

function blockNorm(
  rank: number,
  m: number,
  a: Float64Array,
  rows: Int32Array,
  columns: Int32Array,
): number {
  let norm = 0;
  for (let j = 0; j < rank; j++) {
    const column = columns[j] * m;
    let sum = 0;
    for (let i = 0; i < rank; i++) sum += Math.abs(a[column + rows[i]]);
    if (sum > norm) norm = sum;
  }
  return norm;
}
