/** Reference Gram-Schmidt with always four passes: the independent directions, and the indices of their columns. */
export function naiveGramSchmidt(m: number, n: number, a: Float64Array, tolerance: number) {
  const directions: Float64Array[] = [];
  const kept: number[] = [];
  for (let j = 0; j < n; j++) {
    const column = a.slice(j * m, j * m + m);
    const x = column.slice();
    for (let pass = 0; pass < 4; pass++) {
      for (const q of directions) {
        const product = q.reduce((sum, value, i) => sum + value * x[i], 0);
        for (let i = 0; i < m; i++) x[i] -= product * q[i];
      }
    }
    const length = Math.hypot(...x);
    if (length > tolerance * Math.hypot(...column)) {
      directions.push(x.map((value) => value / length));
      kept.push(j);
    }
  }
  return { directions, kept };
}
