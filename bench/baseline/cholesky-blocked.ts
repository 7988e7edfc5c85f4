// Cholesky in JavaScript with register blocks: each pass over two pairs of rows forms four sums, which
// halves the loads of the plain version. Blocks of 4 x 2 and 4 x 4 were tried: their sums no longer
// fit the registers available to a function, and they were slower.

/** As choleskyPlain, by 2 x 2 blocks. */
export function choleskyBlocked(n: number, a: Float64Array, l: Float64Array): boolean {
  const even = n & ~1;
  for (let i = 0; i < even; i += 2) {
    const r0 = i * n;
    const r1 = r0 + n;
    for (let j = 0; j < i; j += 2) {
      const c0 = j * n;
      const c1 = c0 + n;
      let s00 = a[r0 + j];
      let s01 = a[r0 + j + 1];
      let s10 = a[r1 + j];
      let s11 = a[r1 + j + 1];
      for (let k = 0; k < j; k++) {
        const x0 = l[r0 + k];
        const x1 = l[r1 + k];
        const y0 = l[c0 + k];
        const y1 = l[c1 + k];
        s00 -= x0 * y0;
        s01 -= x0 * y1;
        s10 -= x1 * y0;
        s11 -= x1 * y1;
      }
      const d0 = l[c0 + j];
      const low = l[c1 + j];
      const d1 = l[c1 + j + 1];
      s00 *= d0;
      s10 *= d0;
      l[r0 + j] = s00;
      l[r1 + j] = s10;
      l[r0 + j + 1] = (s01 - s00 * low) * d1;
      l[r1 + j + 1] = (s11 - s10 * low) * d1;
    }
    if (!diagonalBlock(n, i, a, l)) return false;
  }
  return even === n || lastRow(n, a, l);
}

function diagonalBlock(n: number, i: number, a: Float64Array, l: Float64Array): boolean {
  const r0 = i * n;
  const r1 = r0 + n;
  let p0 = a[r0 + i];
  let low = a[r1 + i];
  let p1 = a[r1 + i + 1];
  for (let k = 0; k < i; k++) {
    const x0 = l[r0 + k];
    const x1 = l[r1 + k];
    p0 -= x0 * x0;
    low -= x1 * x0;
    p1 -= x1 * x1;
  }
  if (!(p0 > 0)) return false;
  const d0 = 1 / Math.sqrt(p0);
  low *= d0;
  p1 -= low * low;
  if (!(p1 > 0)) return false;
  l[r0 + i] = d0;
  l[r1 + i] = low;
  l[r1 + i + 1] = 1 / Math.sqrt(p1);
  return true;
}

function lastRow(n: number, a: Float64Array, l: Float64Array): boolean {
  const i = n - 1;
  const row = i * n;
  let pivot = a[row + i];
  for (let j = 0; j < i; j++) {
    const other = j * n;
    let sum = a[row + j];
    for (let k = 0; k < j; k++) sum -= l[row + k] * l[other + k];
    sum *= l[other + j];
    l[row + j] = sum;
    pivot -= sum * sum;
  }
  if (!(pivot > 0)) return false;
  l[row + i] = 1 / Math.sqrt(pivot);
  return true;
}
