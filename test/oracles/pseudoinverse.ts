import { multiply } from "../support/matrix.js";

/**
 * The pseudoinverse, column by column (Greville 1960): with A = [B a], d = B^+ a and c = a - B d,
 * the last row of A^+ is c^+, or d^T B^+ / (1 + d.d) when c is zero, and the others B^+ - d row.
 */
export function naivePseudoinverse(
  m: number,
  n: number,
  a: Float64Array,
  tolerance = 1e-9,
): Float64Array {
  let inverse = new Float64Array(0);
  for (let k = 0; k < n; k++) {
    const column = a.slice(k * m, k * m + m);
    const d = multiply(k, m, 1, inverse, column);
    const explained = multiply(m, k, 1, a.slice(0, k * m), d);
    const rest = column.map((value, i) => value - explained[i]);
    const row =
      Math.hypot(...rest) > tolerance * Math.hypot(...column)
        ? rest.map((value) => value / square(rest))
        : multiply(1, k, m, d, inverse).map((value) => value / (1 + square(d)));
    const next = new Float64Array((k + 1) * m);
    for (let j = 0; j < m; j++) {
      for (let i = 0; i < k; i++) next[i + j * (k + 1)] = inverse[i + j * k] - d[i] * row[j];
      next[k + j * (k + 1)] = row[j];
    }
    inverse = next;
  }
  return inverse;
}

function square(x: Float64Array): number {
  return x.reduce((sum, value) => sum + value * value, 0);
}
