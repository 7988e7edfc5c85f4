import { argument, numbers, refuseMore, whole } from "../checking/index.js";
import { NodriftError } from "../errors.js";
import { ComplexHessenberg } from "./complex-hessenberg.js";
import { hypotenuse } from "./portable-trigonometry.js";

// Eigenvalues of small real matrices without symmetry: balancing by powers of two (Parlett and
// Reinsch 1969), reduction to Hessenberg form by reflections (Golub & Van Loan, 4th ed., section
// 7.4.2), then QR steps in complex arithmetic with Wilkinson's shift (section 7.5). Complex
// arithmetic needs no double shifts, and speed does not matter here: this runs once for a matrix of
// a few dozen rows, never in a step.

/** A complex number. */
export interface Eigenvalue {
  /** Real part. */
  readonly real: number;
  /** Imaginary part. */
  readonly imaginary: number;
}

/** Steps for one eigenvalue; three are usual. */
const LIMIT = 60;
/** Every this many steps the shift is arbitrary, which breaks cycles. */
const EXCEPTIONAL = 10;

/**
 * Eigenvalues of an n x n matrix by columns, in no order.
 *
 * @example
 * eigenvalues(2, [0, -1, 1, 0]); // i and -i
 */
export function eigenvalues(
  n: number,
  matrix: ArrayLike<number>,
  ...more: undefined[]
): Eigenvalue[] {
  refuseMore("eigenvalues", "DESCRIPTION", more, "it takes a size and a matrix");
  argument("eigenvalues", "DESCRIPTION", "n", n, whole(0));
  const a = argument("eigenvalues", "DESCRIPTION", "matrix", matrix, numbers);
  if (matrix.length !== n * n) {
    throw new NodriftError("DESCRIPTION", `eigenvalues: ${matrix.length} numbers are not ${n}^2`);
  }
  balance(n, a);
  reduce(n, a);
  return iterate(n, a);
}

/**
 * Largest magnitude of an eigenvalue.
 *
 * @example
 * spectralRadius(2, [0.5, 0, 0, 0.25]); // 0.5
 */
export function spectralRadius(n: number, matrix: ArrayLike<number>, ...more: undefined[]): number {
  return eigenvalues(n, matrix, ...more).reduce(
    (largest, { real, imaginary }) => Math.max(largest, hypotenuse(real, imaginary)),
    0,
  );
}

/** D^-1 A D with D of powers of two, so that rows and columns have like norms: no rounding. */
function balance(n: number, a: Float64Array): void {
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < n; i++) {
      let [row, column] = [0, 0];
      for (let j = 0; j < n; j++) {
        if (j === i) continue;
        row += Math.abs(a[i + j * n] as number);
        column += Math.abs(a[j + i * n] as number);
      }
      if (row === 0 || column === 0) continue;
      const factor = evenPower(row / column);
      if (factor === 1 || row / factor + column * factor > 0.95 * (row + column)) continue;
      changed = true;
      for (let j = 0; j < n; j++) {
        a[i + j * n] = (a[i + j * n] as number) / factor;
        a[j + i * n] = (a[j + i * n] as number) * factor;
      }
    }
  }
}

/**
 * The power of two that is nearest to the root of a ratio, found by halving: the last bits of Math.log2 and of
 * powers are each engine's own.
 */
function evenPower(ratio: number): number {
  let factor = 1;
  let left = Math.min(Math.max(ratio, Number.MIN_VALUE), Number.MAX_VALUE);
  for (; left >= 2; left /= 4) factor *= 2;
  for (; left < 0.5; left *= 4) factor /= 2;
  return factor;
}

/** A similar matrix that is zero below the first subdiagonal. */
function reduce(n: number, a: Float64Array): void {
  for (let k = 0; k + 2 < n; k++) {
    const u = a.slice(k + 1 + k * n, n + k * n);
    const length = hypotenuse(...u);
    if (length === 0) continue;
    u[0] = (u[0] as number) + ((u[0] as number) < 0 ? -length : length);
    const scale = hypotenuse(...u);
    for (let i = 0; i < u.length; i++) u[i] = (u[i] as number) / scale;
    for (let j = 0; j < n; j++) reflect(u, a, k + 1 + j * n, 1);
    for (let i = 0; i < n; i++) reflect(u, a, i + (k + 1) * n, n);
    a.fill(0, k + 2 + k * n, n + k * n);
  }
}

/** x = x - 2 u (u . x) for the numbers of `a` from `start` on. */
function reflect(u: Float64Array, a: Float64Array, start: number, stride: number): void {
  let sum = 0;
  for (let i = 0; i < u.length; i++) sum += (u[i] as number) * (a[start + i * stride] as number);
  for (let i = 0; i < u.length; i++) {
    a[start + i * stride] = (a[start + i * stride] as number) - 2 * sum * (u[i] as number);
  }
}

/** QR steps on the part that is left, from its last row upwards. */
function iterate(n: number, real: Float64Array): Eigenvalue[] {
  const matrix = new ComplexHessenberg(n, real);
  const found: Eigenvalue[] = [];
  for (let [last, steps] = [n - 1, 0]; last >= 0; steps++) {
    const first = matrix.splitAbove(last);
    if (first === last) {
      found.push(matrix.entry(last, last));
      [last, steps] = [last - 1, -1];
    } else if (steps === LIMIT) {
      throw new NodriftError("KERNEL", "eigenvalues: the QR iteration did not converge");
    } else {
      const exceptional = steps % EXCEPTIONAL === EXCEPTIONAL - 1;
      matrix.step(first, last, exceptional ? matrix.subdiagonal(last) : matrix.shift(last));
    }
  }
  return found;
}
