// Eigenvalues and orthonormal eigenvectors of a symmetric matrix: A = Z diag(values) Z^T.

import {
  EigenHeader, eigenScratchSlot, eigenValuesSlot, eigenVectorSlots, eigenVectorsSlot,
  eigenWorkSlot, Inertia, padToTwo, panelColumns, Status,
} from "../layout";
import { nonFiniteRowOfTriangle } from "../math/finite";
import { at, copySlots, get, getPair, set, setPair, splat } from "../math/slots";
import { statusAt } from "../math/status";
import {
  clearPairs, columnDots, laneSums, makeReflector, multiplyReflectors, subtractColumn,
} from "./svd-columns";
import {
  inRange, isSplit, largestElement, rotateColumns, swapColumns, unitScale,
} from "./svd-iterate";

/**
 * Decomposes the symmetric n x n matrix whose lower triangle is at `a`. NO_CONVERGENCE names the
 * eigenvalue; no matrix is known that causes it.
 */
export function eigenFactor(n: i32, a: usize, lda: i32, factor: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (lda < n) return statusAt(Status.BAD_SIZE, 2);
  set(factor, EigenHeader.SCALE, 1.0);
  set(factor, EigenHeader.SWEEPS, 0.0);
  if (n == 0) return Status.OK;
  const ld = padToTwo(n), copy = at(factor, eigenWorkSlot(n));
  let square = copyTriangle(n, a, lda, 1.0, copy, ld);
  if (!inRange(square)) {
    const row = nonFiniteRowOfTriangle(n, a, lda);
    if (row >= 0) return statusAt(Status.NON_FINITE, row);
    const scale = unitScale(largestElement(n, n, copy, ld));
    set(factor, EigenHeader.SCALE, scale);
    square = copyTriangle(n, a, lda, scale, copy, ld);
  }
  return decompose(n, Math.sqrt(square), factor);
}

/** Copies the lower triangle to both, and adds the squares of all elements. */
function copyTriangle(n: i32, a: usize, lda: i32, scale: f64, copy: usize, ld: i32): f64 {
  let square = 0.0;
  clearPairs(panelColumns(n) * ld, copy);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      const value = scale * get(a, i + j * lda);
      square += 2.0 * value * value;
      set(copy, i + j * ld, value);
      set(copy, j + i * ld, value);
    }
  }
  return square;
}

function decompose(n: i32, norm: f64, factor: usize): i32 {
  const stride = eigenVectorSlots(n), ld = padToTwo(n);
  const work = at(factor, eigenWorkSlot(n)), z = at(factor, eigenVectorsSlot(n));
  const d = at(factor, eigenValuesSlot()), e = at(factor, eigenScratchSlot(n));
  clearPairs((panelColumns(n) - n) * ld, at(z, n * ld));
  tridiagonalise(n, work, z, ld, d, e, at(e, stride), stride);

  const unit = unitScale(norm);
  for (let i = 0; i < n; i++) {
    set(d, i, get(d, i) * unit);
    set(e, i, get(e, i) * unit);
  }
  const sweeps = diagonaliseSymmetric(n, d, e, z, ld);
  if (sweeps < 0) return statusAt(Status.NO_CONVERGENCE, -1 - sweeps);
  set(factor, EigenHeader.SWEEPS, sweeps);
  for (let i = 0; i < n; i++) set(d, i, get(d, i) * (1.0 / unit));
  sortAscending(n, d, z, ld);
  return Status.OK;
}

function sortAscending(n: i32, d: usize, z: usize, ld: i32): void {
  for (let i = 0; i < n - 1; i++) {
    let least = i;
    for (let j = i + 1; j < n; j++) if (get(d, j) < get(d, least)) least = j;
    if (least == i) continue;
    const value = get(d, i);
    set(d, i, get(d, least));
    set(d, least, value);
    swapColumns(ld, at(z, i * ld), at(z, least * ld));
  }
}

// Reduction of a symmetric matrix to tridiagonal form, A = Z T Z^T (Golub & Van Loan, Matrix
// Computations, 8.3.1), one pass over what is left of A in each step:
//
//   u from column k, y = h A u                      fused with the end of the step before
//   w = y - (h / 2) (y . u) u
//   A = A - u w^T - w u^T                           begins the next step
//
// Both triangles are stored: then all columns are complete and A u is a dot product with each.

/**
 * Reduces the n x n matrix at `a`, which is overwritten; z becomes Z, d the diagonal of T and e its
 * subdiagonal. `vectors` is scratch for four vectors of length `stride`.
 */
function tridiagonalise(
  n: i32, a: usize, z: usize, ld: i32, d: usize, e: usize, vectors: usize, stride: i32,
): void {
  const rows = padToTwo(n);
  const y = vectors, u = at(y, stride), w = at(u, stride), factors = at(w, stride);
  clearPairs(2 * stride, u);
  clearPairs(rows, z);
  set(factors, 0, 0.0);
  for (let k = 0; k < n; k++) {
    const here = k & ~1, column = at(a, k * ld);
    if (k > 0) {
      subtractColumn(rows - here, get(w, k), at(u, here), at(column, here));
      subtractColumn(rows - here, get(u, k), at(w, here), at(column, here));
    }
    set(d, k, get(column, k));
    if (k == n - 1) break;
    const start = (k + 1) & ~1, length = rows - start, rest = n - 1 - k;
    const reflector = at(z, start + (k + 1) * ld), next = at(column, ld + start);
    for (let i = 0; i < length; i += 2) setPair(reflector, i, getPair(column, start + i));
    const h = makeReflector(length, k + 1, reflector, at(e, k));
    set(factors, k + 1, h);
    if (k == 0) columnDots(length, rest, h, reflector, next, ld, at(y, k + 1));
    else updateAndDot(length, rest, k + 1, start, u, w, h, reflector, next, ld, at(y, k + 1));
    for (let i = k + 1; i < n; i++) set(u, i, get(reflector, i - start));
    correct(k + 1, n, h, u, y, w);
  }
  multiplyReflectors(n, rows, z, ld, factors);
}

/** w = y - (h / 2) (y . u) u, from element `first` on; the element before it becomes zero. */
function correct(first: i32, n: i32, h: f64, u: usize, y: usize, w: usize): void {
  let dot = 0.0;
  for (let i = first; i < n; i++) dot += get(y, i) * get(u, i);
  const half = 0.5 * h * dot;
  for (let i = first; i < n; i++) set(w, i, get(y, i) - half * get(u, i));
  set(w, first - 1, 0.0);
  set(u, first - 1, 0.0);
}

/** a_j = a_j - w_j u - u_j w, then y_j = h (v . a_j): columns from `first`, rows from `start`. */
function updateAndDot(
  length: i32, count: i32, first: i32, start: i32, u: usize, w: usize, h: f64, v: usize,
  a: usize, lda: i32, y: usize,
): void {
  const end = at(v, length), scale = f64x2.splat(h);
  for (let j = 0; j < count; j += 2) {
    let a0 = at(a, j * lda), a1 = at(a0, lda);
    const u0 = splat(u, first + j), u1 = splat(u, first + j + 1);
    const w0 = splat(w, first + j), w1 = splat(w, first + j + 1);
    let y0 = f64x2.splat(0.0), y1 = y0;
    let left = at(u, start), right = at(w, start);
    for (let row = v; row < end; row += 16) {
      const pair = getPair(row, 0), uPair = getPair(left, 0), wPair = getPair(right, 0);
      const change0 = f64x2.add(f64x2.mul(w0, uPair), f64x2.mul(u0, wPair));
      const change1 = f64x2.add(f64x2.mul(w1, uPair), f64x2.mul(u1, wPair));
      const p0 = f64x2.sub(getPair(a0, 0), change0), p1 = f64x2.sub(getPair(a1, 0), change1);
      y0 = f64x2.add(y0, f64x2.mul(pair, p0));
      y1 = f64x2.add(y1, f64x2.mul(pair, p1));
      setPair(a0, 0, p0);
      setPair(a1, 0, p1);
      left += 16;
      right += 16;
      a0 += 16;
      a1 += 16;
    }
    setPair(y, j, f64x2.mul(laneSums(y0, y1), scale));
  }
}

// The eigenvalues of a symmetric tridiagonal matrix by QR sweeps with Wilkinson's shift, the
// rotations accumulated in Z (Golub & Van Loan, Matrix Computations, 8.3.5; Parlett, The Symmetric
// Eigenvalue Problem, 8.9-8.13).
//
// The matrix is scaled to norm 1, so an element below 2^-54, or lost in rounding its neighbours,
// is negligible: setting it to zero is an error of the size that the reduction to tridiagonal form
// has made already.

/** If |(x, bulge)|^2 is below this, a sweep ends and the bulge is dropped. */
const TINY: f64 = 2.0 ** -960;

/** Sweeps allowed for each value; two are usual. */
const SWEEPS_EACH: i32 = 40;

/**
 * Makes d the eigenvalues, in no order. Returns the number of sweeps, or -1 - index when the value
 * at the index did not converge.
 */
function diagonaliseSymmetric(n: i32, d: usize, e: usize, z: usize, ldz: i32): i32 {
  let sweeps = 0, last = SWEEPS_EACH;
  let high = n - 1;
  while (high > 0) {
    let low = high;
    while (low > 0 && !isSplit(get(d, low - 1), get(e, low - 1), get(d, low))) low--;
    if (low == high) {
      high--;
      last = sweeps + SWEEPS_EACH;
      continue;
    }
    if (sweeps++ == last) return -1 - high;
    sweep(n, low, high, d, e, z, ldz);
  }
  return sweeps;
}

/** The eigenvalue of the last 2 x 2 block that is nearer to its last element. */
function shiftOf(high: i32, d: usize, e: usize): f64 {
  const corner = get(d, high), side = get(e, high - 1);
  const half = 0.5 * (get(d, high - 1) - corner);
  const root = Math.sqrt(half * half + side * side);
  return corner - (side * side) / (half < 0.0 ? half - root : half + root);
}

function sweep(n: i32, low: i32, high: i32, d: usize, e: usize, z: usize, ldz: i32): void {
  const rows = padToTwo(n);
  let di = get(d, low), ei = get(e, low);
  let x = di - shiftOf(high, d, e), bulge = ei;
  for (let i = low; i < high; i++) {
    const square = x * x + bulge * bulge;
    if (square < TINY) {
      set(e, i, ei);
      high = i;
      break;
    }
    const r = Math.sqrt(square), reciprocal = r * (1.0 / square);
    const c = x * reciprocal, s = bulge * reciprocal;
    const following = get(d, i + 1);
    const twist = s * (di - following) - 2.0 * c * ei;
    if (i > low) set(e, i - 1, r);
    set(d, i, di - s * twist);
    di = following + s * twist;
    x = -c * twist - ei;
    if (i + 1 < high) {
      ei = get(e, i + 1);
      bulge = s * ei;
      ei = c * ei;
    }
    rotateColumns(rows, c, s, at(z, i * ldz), at(z, (i + 1) * ldz));
  }
  set(d, high, di);
  set(e, high - 1, x);
}

// Results of an eigendecomposition: values, vectors, null space and inertia.
//
// Eigenvalues at or below tolerance * the largest, in absolute value, count as zero; a
// tolerance <= 0 means eps * n.

/** Copies the eigenvalues, ascending. */
export function eigenValues(n: i32, factor: usize, values: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const from = at(factor, eigenValuesSlot()), scale = 1.0 / get(factor, EigenHeader.SCALE);
  for (let i = 0; i < n; i++) set(values, i, get(from, i) * scale);
  return Status.OK;
}

/** Copies the n x n eigenvectors, in the order of the values. */
export function eigenVectors(n: i32, factor: usize, vectors: usize, ldv: i32): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (ldv < n) return statusAt(Status.BAD_SIZE, 3);
  const from = at(factor, eigenVectorsSlot(n)), ld = padToTwo(n);
  for (let j = 0; j < n; j++) copySlots(at(from, j * ld), at(vectors, j * ldv), n);
  return Status.OK;
}

/** Magnitude below which an eigenvalue counts as zero. */
function zeroLimit(n: i32, factor: usize, tolerance: f64): f64 {
  if (n == 0) return 0.0;
  const values = at(factor, eigenValuesSlot());
  const largest = Math.max(Math.abs(get(values, 0)), Math.abs(get(values, n - 1)));
  return largest * (tolerance > 0.0 ? tolerance : f64.EPSILON * <f64>n);
}

/**
 * The eigenvectors whose values count as zero: an orthonormal n x (n - rank) basis of the null
 * space. DEFICIENT with the rank when it is below n.
 */
export function eigenNullSpace(n: i32, factor: usize, tolerance: f64, z: usize, ldz: i32): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (ldz < n) return statusAt(Status.BAD_SIZE, 4);
  const values = at(factor, eigenValuesSlot()), limit = zeroLimit(n, factor, tolerance);
  const vectors = at(factor, eigenVectorsSlot(n)), ld = padToTwo(n);
  let count = 0;
  for (let j = 0; j < n; j++) {
    if (Math.abs(get(values, j)) > limit) continue;
    copySlots(at(vectors, j * ld), at(z, count * ldz), n);
    count++;
  }
  return count > 0 ? statusAt(Status.DEFICIENT, n - count) : (Status.OK as i32);
}

/** Counts negative, zero and positive eigenvalues: three slots, see Inertia. */
export function eigenInertia(n: i32, factor: usize, tolerance: f64, counts: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const values = at(factor, eigenValuesSlot()), limit = zeroLimit(n, factor, tolerance);
  let negative = 0, positive = 0;
  for (let j = 0; j < n; j++) {
    const value = get(values, j);
    if (value < -limit) negative++;
    else if (value > limit) positive++;
  }
  set(counts, Inertia.NEGATIVE, negative);
  set(counts, Inertia.ZERO, n - negative - positive);
  set(counts, Inertia.POSITIVE, positive);
  return Status.OK;
}
