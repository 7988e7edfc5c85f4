/** A matrix with a larger leading dimension; the gaps are NaN, which no result may contain. */
export function spread(m: number, n: number, a: Float64Array, ld: number): Float64Array {
  const wide = new Float64Array(ld * n).fill(Number.NaN);
  for (let j = 0; j < n; j++) wide.set(a.subarray(j * m, j * m + m), j * ld);
  return wide;
}
