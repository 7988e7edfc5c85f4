// Column loops of the plain JavaScript decomposition: four columns at a time, then one.

/** x . x from index `from`. */
export function sumOfSquares(x: Float64Array, from: number, length: number): number {
  let sum = 0;
  for (let i = from; i < from + length; i++) sum += x[i] * x[i];
  return sum;
}

/** a_j = a_j - h (u . a_j) u, where u begins at `at` of its array and a_0 at `first` of its. */
export function reflectColumns(
  length: number,
  count: number,
  h: number,
  u: Float64Array,
  at: number,
  a: Float64Array,
  first: number,
  lda: number,
): void {
  let j = 0;
  for (; j + 3 < count; j += 4) {
    const a0 = first + j * lda - at;
    const a1 = a0 + lda;
    const a2 = a1 + lda;
    const a3 = a2 + lda;
    let y0 = 0;
    let y1 = 0;
    let y2 = 0;
    let y3 = 0;
    for (let i = at; i < at + length; i++) {
      const x = u[i];
      y0 += x * a[a0 + i];
      y1 += x * a[a1 + i];
      y2 += x * a[a2 + i];
      y3 += x * a[a3 + i];
    }
    y0 *= h;
    y1 *= h;
    y2 *= h;
    y3 *= h;
    for (let i = at; i < at + length; i++) {
      const x = u[i];
      a[a0 + i] -= x * y0;
      a[a1 + i] -= x * y1;
      a[a2 + i] -= x * y2;
      a[a3 + i] -= x * y3;
    }
  }
  for (; j < count; j++) {
    const a0 = first + j * lda - at;
    let y0 = 0;
    for (let i = at; i < at + length; i++) y0 += u[i] * a[a0 + i];
    y0 *= h;
    for (let i = at; i < at + length; i++) a[a0 + i] -= u[i] * y0;
  }
}

/** a_j = a_j - v_j w, then y_j = h (u . a_j). */
export function updateAndDot(
  n: number,
  k: number,
  h: number,
  w: Float64Array,
  v: Float64Array,
  a: Float64Array,
  lda: number,
  y: Float64Array,
): void {
  const u = k * lda;
  let j = k + 1;
  for (; j + 1 < n; j += 2) {
    const a0 = j * lda;
    const a1 = a0 + lda;
    const v0 = v[j];
    const v1 = v[j + 1];
    let y0 = 0;
    let y1 = 0;
    for (let i = k; i < n; i++) {
      const x = a[u + i];
      const x0 = a[a0 + i] - v0 * w[i];
      const x1 = a[a1 + i] - v1 * w[i];
      a[a0 + i] = x0;
      a[a1 + i] = x1;
      y0 += x0 * x;
      y1 += x1 * x;
    }
    y[j] = h * y0;
    y[j + 1] = h * y1;
  }
  if (j < n) {
    const a0 = j * lda;
    let y0 = 0;
    for (let i = k; i < n; i++) {
      const x0 = a[a0 + i] - v[j] * w[i];
      a[a0 + i] = x0;
      y0 += x0 * a[u + i];
    }
    y[j] = h * y0;
  }
}

/** a_j = a_j - y_j u, then w = w + sum_j v_j a_j. */
export function updateAndCombine(
  n: number,
  k: number,
  y: Float64Array,
  v: Float64Array,
  a: Float64Array,
  lda: number,
  w: Float64Array,
): void {
  const u = k * lda;
  let j = k + 1;
  for (; j + 1 < n; j += 2) {
    const a0 = j * lda;
    const a1 = a0 + lda;
    const y0 = y[j];
    const y1 = y[j + 1];
    const v0 = v[j];
    const v1 = v[j + 1];
    for (let i = k; i < n; i++) {
      const x = a[u + i];
      const x0 = a[a0 + i] - x * y0;
      const x1 = a[a1 + i] - x * y1;
      a[a0 + i] = x0;
      a[a1 + i] = x1;
      w[i] += x0 * v0 + x1 * v1;
    }
  }
  if (j < n) {
    const a0 = j * lda;
    const y0 = y[j];
    const v0 = v[j];
    for (let i = k; i < n; i++) {
      const x0 = a[a0 + i] - a[u + i] * y0;
      a[a0 + i] = x0;
      w[i] += x0 * v0;
    }
  }
}

/** Rotates two columns. */
export function rotate(
  length: number,
  c: number,
  s: number,
  a: Float64Array,
  first: number,
  second: number,
): void {
  const end = first + (length & ~1);
  let i = first;
  let j = second;
  for (; i < end; i += 2, j += 2) {
    const x0 = a[i];
    const x1 = a[i + 1];
    const y0 = a[j];
    const y1 = a[j + 1];
    a[i] = c * x0 + s * y0;
    a[j] = c * y0 - s * x0;
    a[i + 1] = c * x1 + s * y1;
    a[j + 1] = c * y1 - s * x1;
  }
  if (length & 1) {
    const x = a[i];
    const y = a[j];
    a[i] = c * x + s * y;
    a[j] = c * y - s * x;
  }
}
