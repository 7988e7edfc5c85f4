// Naive Gaussian elimination on column-major arrays.

export interface NaiveLu {
  /** L below the diagonal (unit), U on and above it; m x n. */
  readonly lu: Float64Array;
  readonly rows: number[];
  readonly columns: number[];
  readonly rank: number;
}

/** P A Q = L U. Partial pivoting searches a column, complete pivoting the remaining matrix. */
export function naiveLu(
  m: number,
  n: number,
  a: Float64Array,
  complete: boolean,
  tolerance = 0,
): NaiveLu {
  const lu = a.slice();
  const rows = Array.from({ length: m }, (_, i) => i);
  const columns = Array.from({ length: n }, (_, j) => j);
  const swap = (i: number, j: number) => ([lu[i], lu[j]] = [lu[j], lu[i]]);
  let largest = 0;
  let k = 0;
  for (; k < Math.min(m, n); k++) {
    let [best, row, column] = [-1, k, k];
    for (let j = k; j < (complete ? n : k + 1); j++) {
      for (let i = k; i < m; i++) {
        if (Math.abs(lu[i + j * m]) > best) [best, row, column] = [Math.abs(lu[i + j * m]), i, j];
      }
    }
    if (!(best > tolerance * largest)) break;
    largest = Math.max(largest, best);
    for (let j = 0; j < n; j++) swap(k + j * m, row + j * m);
    for (let i = 0; i < m; i++) swap(i + k * m, i + column * m);
    [rows[k], rows[row]] = [rows[row], rows[k]];
    [columns[k], columns[column]] = [columns[column], columns[k]];
    for (let i = k + 1; i < m; i++) {
      lu[i + k * m] /= lu[k + k * m];
      for (let j = k + 1; j < n; j++) lu[i + j * m] -= lu[i + k * m] * lu[k + j * m];
    }
  }
  return { lu, rows, columns, rank: k };
}

/** A^-1 by Gauss-Jordan elimination with partial pivoting. */
export function naiveInverse(n: number, a: Float64Array): Float64Array {
  const work = a.slice();
  const inverse = new Float64Array(n * n);
  for (let i = 0; i < n; i++) inverse[i + i * n] = 1;
  for (let k = 0; k < n; k++) {
    let row = k;
    for (let i = k; i < n; i++)
      if (Math.abs(work[i + k * n]) > Math.abs(work[row + k * n])) row = i;
    const pivot = work[row + k * n];
    for (const matrix of [work, inverse]) {
      for (let j = 0; j < n; j++) {
        const value = matrix[row + j * n];
        matrix[row + j * n] = matrix[k + j * n];
        matrix[k + j * n] = value / pivot;
      }
    }
    for (let i = 0; i < n; i++) {
      const factor = work[i + k * n];
      if (i === k || factor === 0) continue;
      for (const matrix of [work, inverse]) {
        for (let j = 0; j < n; j++) matrix[i + j * n] -= factor * matrix[k + j * n];
      }
    }
  }
  return inverse;
}

/** |A|_1: the largest sum of a column's magnitudes. */
export function oneNorm(n: number, a: Float64Array): number {
  let largest = 0;
  for (let j = 0; j < n; j++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += Math.abs(a[i + j * n]);
    largest = Math.max(largest, sum);
  }
  return largest;
}
