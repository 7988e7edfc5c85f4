// Solves with a symmetric positive semidefinite 3 x 3 matrix whose small eigenvalues are raised, by Jacobi's rotations (Golub and Van Loan, Matrix
// Computations, section 8.5). Square roots and arithmetic only: the same bits everywhere.

/** Eigenvalues below this fraction of the largest are treated as zero. */
const ZERO_EIGENVALUE_TOLERANCE = 1e-9;
/** Sweeps over the three pairs: convergence is quadratic, and four suffice. */
const JACOBI_SWEEPS = 8;

/**
 * Writes A^-1 x with the nonzero eigenvalues of A raised to `least` of the largest; the result has no component along
 * zero eigenvalues. `a` is 3 x 3 and overwritten.
 */
export function boundedSolve(
  a: Float64Array,
  least: number,
  x: Float64Array,
  out: Float64Array,
): void {
  VECTORS.fill(0);
  VECTORS[0] = 1;
  VECTORS[4] = 1;
  VECTORS[8] = 1;
  for (let sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
    rotate(a, 0, 1);
    rotate(a, 0, 2);
    rotate(a, 1, 2);
  }
  const largest = Math.max(a[0]!, a[4]!, a[8]!);
  out.fill(0);
  for (let k = 0; k < 3; k++) {
    const value = a[4 * k]!;
    if (!(value > ZERO_EIGENVALUE_TOLERANCE * largest)) continue;
    const v = 3 * k;
    const part =
      (VECTORS[v]! * x[0]! + VECTORS[v + 1]! * x[1]! + VECTORS[v + 2]! * x[2]!) /
      Math.max(value, least * largest);
    for (let i = 0; i < 3; i++) out[i] = out[i]! + part * VECTORS[v + i]!;
  }
}

/** Eigenvectors, column-major. */
const VECTORS = new Float64Array(9);

/** Annihilates the entry (p, q). */
function rotate(a: Float64Array, p: number, q: number): void {
  const off = a[3 * q + p]!;
  if (off === 0) return;
  const theta = (a[4 * q]! - a[4 * p]!) / (2 * off);
  const size = Math.abs(theta) + Math.sqrt(theta * theta + 1);
  const t = (theta < 0 ? -1 : 1) / size;
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  turn(a, 3 * p, 3 * q, 1, c, s);
  turn(a, p, q, 3, c, s);
  turn(VECTORS, 3 * p, 3 * q, 1, c, s);
}

/** Rotates two rows or columns, given by their first entries and the distance between entries. */
function turn(m: Float64Array, p: number, q: number, stride: number, c: number, s: number): void {
  for (let k = 0; k < 3; k++) {
    const i = p + stride * k;
    const j = q + stride * k;
    const x = m[i]!;
    const y = m[j]!;
    m[i] = c * x - s * y;
    m[j] = s * x + c * y;
  }
}
