// Complete orthogonal decomposition in plain JavaScript: the algorithm of the kernel, written for
// speed.

import { makePivotedQr, type PivotedQr, pivotedQr } from "./pivoted-qr.js";

/** A decomposition of an m x n matrix C and the memory for it. */
export interface Cod {
  /** The pivoted QR factors of C^T. */
  readonly qr: PivotedQr;
  /** Reflectors of the second stage: the part beyond the triangle, by columns; then their heads. */
  readonly tails: Float64Array;
  readonly heads: Float64Array;
  readonly weights: Float64Array;
  readonly work: Float64Array;
}

/** Memory for decompositions of m x n matrices. */
export function makeCod(m: number, n: number): Cod {
  const most = Math.min(m, n);
  return {
    qr: makePivotedQr(n, m),
    tails: new Float64Array(m * most),
    heads: new Float64Array(most),
    weights: new Float64Array(most),
    work: new Float64Array(Math.max(m, n)),
  };
}

/** Decomposes C, given by rows. */
export function codFactor(c: Float64Array, cod: Cod): number {
  const rank = pivotedQr(c, cod.qr);
  if (rank < cod.qr.n) annihilate(rank, cod);
  return rank;
}

function annihilate(rank: number, cod: Cod): void {
  const { m: n, n: m, columns, diagonal, reciprocals } = cod.qr;
  const { tails, heads, weights } = cod;
  const extent = m - rank;
  for (let k = 0; k < rank; k++) {
    for (let i = 0; i < extent; i++) tails[i + k * extent] = columns[k + (rank + i) * n];
  }
  for (let k = rank - 1; k >= 0; k--) {
    const start = k * extent;
    const end = start + extent;
    const alpha = diagonal[k];
    let square = alpha * alpha;
    for (let i = start; i < end; i++) square += tails[i] * tails[i];
    const beta = alpha < 0 ? Math.sqrt(square) : -Math.sqrt(square);
    const first = alpha - beta;
    const weight = -1 / (beta * first);
    heads[k] = first;
    weights[k] = weight;
    diagonal[k] = beta;
    reciprocals[k] = -weight * first;
    for (let j = 0; j < k; j++) {
      let dot = first * columns[j + k * n];
      for (let i = start, to = j * extent; i < end; i++, to++) dot += tails[i] * tails[to];
      dot *= weight;
      columns[j + k * n] -= dot * first;
      for (let i = start, to = j * extent; i < end; i++, to++) tails[to] -= dot * tails[i];
    }
  }
}

/** x = C^+ b: the shortest x that minimises |C x - b|. */
export function codSolve(cod: Cod, b: Float64Array, x: Float64Array): void {
  const { m: n, n: m, columns, reciprocals, weights, order, rank } = cod.qr;
  const y = cod.work;
  for (let k = 0; k < m; k++) y[k] = b[order[k]];
  if (rank < m) reduce(rank, m - rank, cod);
  for (let k = 0; k < rank; k++) {
    const r = k * n;
    let even = 0;
    let odd = 0;
    let i = 0;
    for (; i + 1 < k; i += 2) {
      even += columns[r + i] * y[i];
      odd += columns[r + i + 1] * y[i + 1];
    }
    if (i < k) even += columns[r + i] * y[i];
    y[k] = (y[k] - even - odd) * reciprocals[k];
  }
  for (let i = rank; i < n; i++) y[i] = 0;
  for (let k = rank - 1; k >= 0; k--) reflect(columns, k * n, k, n, weights[k], y);
  for (let i = 0; i < n; i++) x[i] = y[i];
}

/** Applies the reflector in rows k to n of the column at v; four sums, so that none waits. */
function reflect(
  columns: Float64Array,
  v: number,
  k: number,
  n: number,
  weight: number,
  y: Float64Array,
): void {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let i = k;
  for (; i + 3 < n; i += 4) {
    first += columns[v + i] * y[i];
    second += columns[v + i + 1] * y[i + 1];
    third += columns[v + i + 2] * y[i + 2];
    fourth += columns[v + i + 3] * y[i + 3];
  }
  for (; i < n; i++) first += columns[v + i] * y[i];
  const multiple = weight * (first + second + third + fourth);
  for (i = k; i < n; i++) y[i] -= multiple * columns[v + i];
}

function reduce(rank: number, extent: number, cod: Cod): void {
  const { tails, heads, weights, work } = cod;
  for (let k = rank - 1; k >= 0; k--) {
    const start = k * extent;
    let dot = heads[k] * work[k];
    for (let i = 0; i < extent; i++) dot += tails[start + i] * work[rank + i];
    dot *= weights[k];
    work[k] -= dot * heads[k];
    for (let i = 0; i < extent; i++) work[rank + i] -= dot * tails[start + i];
  }
}
