/** Result of the reference QR: R with a positive diagonal, and the order of the columns. */
export interface NaiveQr {
  readonly r: Float64Array;
  readonly order: number[];
  readonly rank: number;
}

/**
 * Reference QR by modified Gram-Schmidt; R has min(m, n) rows. With pivoting every step measures what
 * is left of all columns and takes the longest; it stops when that is negligible relative to the first.
 */
export function naiveQr(m: number, n: number, a: Float64Array, pivoting: boolean): NaiveQr {
  const steps = Math.min(m, n);
  const left = Array.from({ length: n }, (_, j) => a.slice(j * m, j * m + m));
  const rows = Array.from({ length: n }, () => new Float64Array(steps));
  const order = Array.from({ length: n }, (_, j) => j);
  let first = 0;
  let rank = 0;
  for (; rank < steps; rank++) {
    if (pivoting) {
      let best = rank;
      for (let j = rank; j < n; j++) if (size(left[order[j]]) > size(left[order[best]])) best = j;
      [order[rank], order[best]] = [order[best], order[rank]];
    }
    const x = left[order[rank]];
    const length = size(x);
    if (rank === 0) first = length;
    if (pivoting && !(length > Number.EPSILON * Math.max(m, n) * first)) break;
    rows[order[rank]][rank] = length;
    for (let j = rank + 1; j < n; j++) {
      const y = left[order[j]];
      const product = x.reduce((sum, value, i) => sum + (value / length) * y[i], 0);
      rows[order[j]][rank] = product;
      for (let i = 0; i < m; i++) y[i] -= (product * x[i]) / length;
    }
  }
  const r = new Float64Array(steps * n);
  order.forEach((from, to) => void r.set(rows[from], to * steps));
  return { r, order, rank };
}

function size(x: Float64Array): number {
  return Math.hypot(...x);
}

/** R with its rows multiplied by signs that make the diagonal positive. */
export function withPositiveDiagonal(steps: number, r: Float64Array): Float64Array {
  return r.map((value, at) => (r[(at % steps) * (steps + 1)] < 0 ? -value : value));
}
