// C = A B in plain JavaScript, by tiles of four rows and two columns held in local variables: eight
// products for six loads and no store. Faster than 2 x 2 tiles and than sums of columns.

/** C = A B, all n x n by columns. */
export function product(n: number, a: Float64Array, b: Float64Array, c: Float64Array): void {
  const even = n & ~1;
  const whole = n & ~3;
  for (let j = 0; j < even; j += 2) {
    for (let i = 0; i < whole; i += 4) tile(n, a, i, b, j * n, c);
    for (let i = whole; i < n; i++) pair(n, a, i, b, j * n, c);
  }
  if (even < n) column(n, a, b, even * n, c);
}

function tile(
  n: number,
  a: Float64Array,
  row: number,
  b: Float64Array,
  first: number,
  c: Float64Array,
): void {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let t0 = 0;
  let t1 = 0;
  let t2 = 0;
  let t3 = 0;
  let p = row;
  for (let q = first; q < first + n; q++) {
    const u = b[q];
    const v = b[q + n];
    const x0 = a[p];
    const x1 = a[p + 1];
    const x2 = a[p + 2];
    const x3 = a[p + 3];
    s0 += x0 * u;
    s1 += x1 * u;
    s2 += x2 * u;
    s3 += x3 * u;
    t0 += x0 * v;
    t1 += x1 * v;
    t2 += x2 * v;
    t3 += x3 * v;
    p += n;
  }
  const to = first + row;
  c[to] = s0;
  c[to + 1] = s1;
  c[to + 2] = s2;
  c[to + 3] = s3;
  c[to + n] = t0;
  c[to + n + 1] = t1;
  c[to + n + 2] = t2;
  c[to + n + 3] = t3;
}

/** One row, two columns. */
function pair(
  n: number,
  a: Float64Array,
  row: number,
  b: Float64Array,
  first: number,
  c: Float64Array,
): void {
  let s = 0;
  let t = 0;
  let p = row;
  for (let q = first; q < first + n; q++) {
    s += a[p] * b[q];
    t += a[p] * b[q + n];
    p += n;
  }
  c[first + row] = s;
  c[first + row + n] = t;
}

/** The last column, when n is odd. */
function column(n: number, a: Float64Array, b: Float64Array, first: number, c: Float64Array): void {
  for (let i = first; i < first + n; i++) c[i] = 0;
  for (let p = 0; p < n; p++) {
    const value = b[first + p];
    let from = p * n;
    for (let i = first; i < first + n; i++, from++) c[i] += a[from] * value;
  }
}
