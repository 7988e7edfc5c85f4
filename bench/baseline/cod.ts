// Complete orthogonal decomposition in plain JavaScript: the algorithm of the kernel, written for
// speed.

import { makePivotedQr, type PivotedQr, pivotedQr, reflectOne } from "./pivoted-qr.js";

/** A decomposition of an m x n matrix C and the memory for it. */
export interface Cod {
  /** The pivoted QR factors of C^T. */
  readonly qr: PivotedQr;
  /** Reflectors of the second stage: what is beyond the triangle, by columns; then their heads. */
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
    let sum = y[k];
    for (let i = 0, r = k * n; i < k; i++, r++) sum -= columns[r] * y[i];
    y[k] = sum * reciprocals[k];
  }
  for (let i = rank; i < n; i++) y[i] = 0;
  for (let k = rank - 1; k >= 0; k--) {
    reflectOne(columns, k * n + k, k * n + n, weights[k], y, k);
  }
  for (let i = 0; i < n; i++) x[i] = y[i];
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
