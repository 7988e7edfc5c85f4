/** Naive Cholesky by columns: the lower triangle of L, or the row of the bad pivot. */
export function naiveCholesky(n: number, a: Float64Array): Float64Array | number {
  const l = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = a[i + j * n];
      for (let p = 0; p < j; p++) sum -= l[i + p * n] * l[j + p * n];
      if (i === j && !(sum > 0)) return j;
      l[i + j * n] = i === j ? Math.sqrt(sum) : sum / l[j + j * n];
    }
  }
  return l;
}
