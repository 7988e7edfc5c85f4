// The QR sweeps of the plain JavaScript decomposition: line by line those of the kernel.

import { rotate } from "./svd-columns.js";

const NEGLIGIBLE = 2 ** -54;
const UNIT_ROUNDOFF = 2 ** -53;
const TINY = 2 ** -1000;

/** A bidiagonal matrix scaled to norm 1 and the matrices its rotations are accumulated in. */
export interface Bidiagonal {
  readonly n: number;
  readonly d: Float64Array;
  readonly e: Float64Array;
  readonly p: Float64Array;
  readonly ldp: number;
  readonly q: Float64Array;
}

/** Writes the singular values to d, unordered and of any sign. */
export function diagonalise(b: Bidiagonal): void {
  const { n, d, e } = b;
  let high = n - 1;
  for (let sweeps = 0; high > 0 && sweeps < 40 * n; ) {
    let low = high;
    let singular = Math.abs(d[high]) <= NEGLIGIBLE;
    while (low > 0 && !isSplit(d[low - 1], e[low - 1], d[low])) {
      low--;
      if (Math.abs(d[low]) <= NEGLIGIBLE) singular = true;
    }
    if (low === high) {
      high--;
      continue;
    }
    sweeps++;
    if (singular) sweepUnshifted(b, low, high);
    else sweepShifted(b, low, high);
  }
}

function isSplit(before: number, beside: number, after: number): boolean {
  return Math.abs(beside) <= NEGLIGIBLE + UNIT_ROUNDOFF * (Math.abs(before) + Math.abs(after));
}

function shiftOf(low: number, high: number, d: Float64Array, e: Float64Array): number {
  const before = high - 1 > low ? e[high - 2] : 0;
  const d0 = d[high - 1];
  const d1 = d[high];
  const e0 = e[high - 1];
  const corner = d1 * d1 + e0 * e0;
  const side = d0 * e0;
  const half = 0.5 * (d0 * d0 + before * before - corner);
  const root = Math.sqrt(half * half + side * side);
  return corner - (side * side) / (half < 0 ? half - root : half + root);
}

function sweepShifted(b: Bidiagonal, low: number, high: number): void {
  const { n, d, e, p, ldp, q } = b;
  let end = high;
  let di = d[low];
  let ei = e[low];
  let f = di * di - shiftOf(low, high, d, e);
  let g = di * ei;
  for (let i = low; i < high; i++) {
    const following = d[i + 1];
    const product = f * di + g * ei;
    const bulge = g * following;
    const square = f * f + g * g;
    const productSquare = product * product + bulge * bulge;
    if (productSquare < TINY) {
      e[i] = ei;
      end = i;
      break;
    }
    const r = Math.sqrt(square);
    const productNorm = Math.sqrt(productSquare);
    const reciprocal = r * (1 / square);
    const productReciprocal = productNorm * (1 / productSquare);
    const cosine = product * productReciprocal;
    const sine = bulge * productReciprocal;
    const above = (f * ei - g * di) * reciprocal;
    const below = f * following * reciprocal;
    const c = f * reciprocal;
    const s = g * reciprocal;
    if (i > low) e[i - 1] = r;
    d[i] = productNorm * reciprocal;
    f = cosine * above + sine * below;
    di = cosine * below - sine * above;
    if (i + 1 < high) {
      const next = e[i + 1];
      g = sine * next;
      ei = cosine * next;
    }
    rotate(n, c, s, q, i * n, (i + 1) * n);
    rotate(n, cosine, sine, p, i * ldp, (i + 1) * ldp);
  }
  d[end] = di;
  e[end - 1] = f;
}

function sweepUnshifted(b: Bidiagonal, low: number, high: number): void {
  const { n, d, e, p, ldp, q } = b;
  for (let i = low; i <= high; i++) if (Math.abs(d[i]) <= NEGLIGIBLE) d[i] = 0;
  let c = 1;
  let cosine = 1;
  let sine = 0;
  for (let i = low; i < high; i++) {
    const f = c * d[i];
    const g = e[i];
    const r = Math.sqrt(f * f + g * g);
    c = f / r;
    const s = g / r;
    if (i > low) e[i - 1] = sine * r;
    const first = cosine * r;
    const second = s * d[i + 1];
    const norm = Math.sqrt(first * first + second * second);
    const fine = norm > NEGLIGIBLE * NEGLIGIBLE;
    cosine = fine ? first / norm : 1;
    sine = fine ? second / norm : 0;
    d[i] = norm;
    rotate(n, c, s, q, i * n, (i + 1) * n);
    rotate(n, cosine, sine, p, i * ldp, (i + 1) * ldp);
  }
  const last = c * d[high];
  d[high] = cosine * last;
  e[high - 1] = sine * last;
}
