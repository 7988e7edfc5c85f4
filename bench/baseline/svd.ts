// The pseudoinverse by singular value decomposition in JavaScript, as fast as possible: the algorithm of the kernels,
// preallocated flat arrays, no allocation in a call. It lacks their scaling: entries must be of moderate size.

import { reflectColumns, sumOfSquares, updateAndCombine, updateAndDot } from "./svd-columns.js";
import { diagonalise } from "./svd-iterate.js";

/** Makes x the n x m pseudoinverse of the m x n matrix a, both by columns. */
export type Pseudoinverse = (a: Float64Array, x: Float64Array) => void;

/** The pseudoinverse for one size. */
export function plainPseudoinverse(m: number, n: number): Pseudoinverse {
  const long = Math.max(m, n);
  const short = Math.min(m, n);
  const p = new Float64Array(long * short);
  const q = new Float64Array(short * short);
  const panel = m === n ? p : new Float64Array(long * short);
  const [d, e, y, v, w, left, right, h] = Array.from({ length: 8 }, () => new Float64Array(short));
  const bidiagonal = { n: short, d, e, p, ldp: long, q };

  return (a, x) => {
    const norm = copyMatrix(m, n, a, panel);
    if (m !== n) reduceToTriangle(long, short, panel, p, h);
    bidiagonalise(short, p, long, q, d, e, y, v, w, left, right);
    const unit = norm > 0 ? 1 / norm : 1;
    for (let i = 0; i < short; i++) {
      d[i] *= unit;
      e[i] *= unit;
    }
    diagonalise(bidiagonal);
    for (let k = short - 1; k >= 0 && m !== n; k--) {
      const u = k + k * long;
      reflectColumns(long - k, short, h[k], panel, u, p, k, long);
    }
    invert(long, d, unit);
    if (m < n) multiplyScaled(n, m, short, d, p, q, x);
    else multiplyScaled(n, m, short, d, q, p, x);
  };
}

/** Copies the matrix with its longer side down; returns its norm. */
function copyMatrix(m: number, n: number, a: Float64Array, copy: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < m; i++) {
      const value = a[i + j * m];
      sum += value * value;
      copy[m < n ? j + i * n : i + j * m] = value;
    }
  }
  return Math.sqrt(sum);
}

/** Makes the reflector of x from `at` on; returns beta. h is 1 / (beta (beta - alpha)). */
function reflect(x: Float64Array, at: number, length: number): number {
  const norm = Math.sqrt(sumOfSquares(x, at, length));
  const beta = x[at] > 0 ? -norm : norm;
  x[at] -= beta;
  return beta;
}

function factorOf(beta: number, head: number): number {
  return beta === 0 ? 0 : -1 / (beta * head);
}

function reduceToTriangle(
  long: number,
  short: number,
  panel: Float64Array,
  triangle: Float64Array,
  h: Float64Array,
): void {
  triangle.fill(0);
  for (let k = 0; k < short; k++) {
    const u = k + k * long;
    for (let i = 0; i < k; i++) triangle[i + k * long] = panel[i + k * long];
    const beta = reflect(panel, u, long - k);
    triangle[u] = beta;
    h[k] = factorOf(beta, panel[u]);
    reflectColumns(long - k, short - 1 - k, h[k], panel, u, panel, u + long, long);
  }
}

function bidiagonalise(
  n: number,
  p: Float64Array,
  ldp: number,
  q: Float64Array,
  d: Float64Array,
  e: Float64Array,
  y: Float64Array,
  v: Float64Array,
  w: Float64Array,
  left: Float64Array,
  right: Float64Array,
): void {
  v.fill(0);
  w.fill(0);
  for (let k = 0; k < n; k++) {
    const u = k * ldp;
    for (let i = k; i < n; i++) p[u + i] -= v[k] * w[i];
    d[k] = reflect(p, u + k, n - k);
    const head = p[u + k];
    left[k] = factorOf(d[k], head);
    if (k === n - 1) break;
    updateAndDot(n, k, left[k], w, v, p, ldp, y);
    const row = (k + 1) * n;
    for (let j = k + 1; j < n; j++) q[row + j] = p[k + j * ldp] - head * y[j];
    e[k] = reflect(q, row + k + 1, n - 1 - k);
    const g = factorOf(e[k], q[row + k + 1]);
    right[k + 1] = g;
    for (let j = k + 1; j < n; j++) v[j] = q[row + j];
    w.fill(0, k);
    updateAndCombine(n, k, y, v, p, ldp, w);
    for (let i = k; i < n; i++) w[i] *= g;
  }
  multiplyReflectors(n, p, ldp, left);
  q.fill(0, 0, n);
  right[0] = 0;
  multiplyReflectors(n, q, n, right);
}

function multiplyReflectors(n: number, a: Float64Array, lda: number, h: Float64Array): void {
  for (let k = n - 1; k >= 0; k--) {
    const u = k + k * lda;
    if (h[k] !== 0) reflectColumns(n - k, n - 1 - k, h[k], a, u, a, u + lda, lda);
    const scale = -h[k] * a[u];
    for (let i = 0; i < n - k; i++) a[u + i] *= scale;
    a[u] += 1;
    for (let i = k * lda; i < u; i++) a[i] = 0;
  }
}

/** Reciprocals of the singular values, zero for those treated as zero. */
function invert(long: number, d: Float64Array, unit: number): void {
  let largest = 0;
  for (let i = 0; i < d.length; i++) largest = Math.max(largest, Math.abs(d[i]));
  const limit = Number.EPSILON * long * largest;
  for (let i = 0; i < d.length; i++) d[i] = Math.abs(d[i]) > limit ? unit / d[i] : 0;
}

/** X = V diag(r) U^T, four terms at a time. */
function multiplyScaled(
  rows: number,
  columns: number,
  count: number,
  r: Float64Array,
  v: Float64Array,
  u: Float64Array,
  x: Float64Array,
): void {
  for (let j = 0; j < columns; j++) {
    const to = j * rows;
    x.fill(0, to, to + rows);
    let l = 0;
    for (; l + 3 < count; l += 4) {
      const s0 = r[l] * u[j + l * columns];
      const s1 = r[l + 1] * u[j + (l + 1) * columns];
      const s2 = r[l + 2] * u[j + (l + 2) * columns];
      const s3 = r[l + 3] * u[j + (l + 3) * columns];
      const v0 = l * rows;
      const v1 = v0 + rows;
      const v2 = v1 + rows;
      const v3 = v2 + rows;
      for (let i = 0; i < rows; i++) {
        x[to + i] += s0 * v[v0 + i] + s1 * v[v1 + i] + (s2 * v[v2 + i] + s3 * v[v3 + i]);
      }
    }
    for (; l < count; l++) {
      const s0 = r[l] * u[j + l * columns];
      for (let i = 0; i < rows; i++) x[to + i] += s0 * v[l * rows + i];
    }
  }
}
