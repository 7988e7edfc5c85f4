// C = A B in plain JavaScript: two columns of C at a time as combinations of four columns of A, so
// that each load of A serves two products and each load of C four.

/** C = A B, all n x n by columns. */
export function product(n: number, a: Float64Array, b: Float64Array, c: Float64Array): void {
  let j = 0;
  for (; j + 2 <= n; j += 2) twoColumns(n, a, b, j * n, c);
  if (j < n) oneColumn(n, a, b, j * n, c);
}

function twoColumns(
  n: number,
  a: Float64Array,
  b: Float64Array,
  first: number,
  c: Float64Array,
): void {
  for (let i = first; i < first + 2 * n; i++) c[i] = 0;
  let p = 0;
  for (; p + 4 <= n; p += 4) {
    const at = first + p;
    const b00 = b[at];
    const b10 = b[at + 1];
    const b20 = b[at + 2];
    const b30 = b[at + 3];
    const b01 = b[at + n];
    const b11 = b[at + n + 1];
    const b21 = b[at + n + 2];
    const b31 = b[at + n + 3];
    let a0 = p * n;
    for (let i = first; i < first + n; i++, a0++) {
      const x0 = a[a0];
      const x1 = a[a0 + n];
      const x2 = a[a0 + 2 * n];
      const x3 = a[a0 + 3 * n];
      c[i] += x0 * b00 + x1 * b10 + (x2 * b20 + x3 * b30);
      c[i + n] += x0 * b01 + x1 * b11 + (x2 * b21 + x3 * b31);
    }
  }
  for (; p < n; p++) {
    const b0 = b[first + p];
    const b1 = b[first + p + n];
    let a0 = p * n;
    for (let i = first; i < first + n; i++, a0++) {
      const x = a[a0];
      c[i] += x * b0;
      c[i + n] += x * b1;
    }
  }
}

function oneColumn(
  n: number,
  a: Float64Array,
  b: Float64Array,
  first: number,
  c: Float64Array,
): void {
  for (let i = first; i < first + n; i++) c[i] = 0;
  for (let p = 0; p < n; p++) {
    const value = b[first + p];
    let from = p * n;
    for (let i = first; i < first + n; i++, from++) c[i] += a[from] * value;
  }
}
