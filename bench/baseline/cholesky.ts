// Cholesky in plain JavaScript: what a careful programmer writes without WebAssembly.
// Row-major lower triangle, so that every inner loop is a dot product of two contiguous rows.

/** L of A = L L^T by rows (left-looking); diagonal entries hold their reciprocals. */
export function choleskyPlain(n: number, a: Float64Array, l: Float64Array): boolean {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j < i; j++) {
      const other = j * n;
      let sum = a[row + j];
      for (let k = 0; k < j; k++) sum -= l[row + k] * l[other + k];
      l[row + j] = sum * l[other + j];
    }
    let pivot = a[row + i];
    for (let k = 0; k < i; k++) pivot -= l[row + k] * l[row + k];
    if (!(pivot > 0)) return false;
    l[row + i] = 1 / Math.sqrt(pivot);
  }
  return true;
}

/** x = A^-1 b with the factor of {@link choleskyPlain} or {@link choleskyBlocked}. */
export function choleskyPlainSolve(
  n: number,
  l: Float64Array,
  b: Float64Array,
  x: Float64Array,
): void {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    let sum = b[i];
    for (let k = 0; k < i; k++) sum -= l[row + k] * x[k];
    x[i] = sum * l[row + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    const row = i * n;
    const value = x[i] * l[row + i];
    x[i] = value;
    for (let k = 0; k < i; k++) x[k] -= l[row + k] * value;
  }
}
