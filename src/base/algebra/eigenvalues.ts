import { argument, numbers, refuseMore, whole } from "../checking/index.js";
import { NodriftError } from "../errors.js";
import { hypotenuse } from "./portable-trigonometry.js";

/** A complex number. */
interface Complex {
  readonly real: number;
  readonly imaginary: number;
}

/** A complex matrix that is zero below the first subdiagonal, and QR steps on it. */
class ComplexHessenberg {
  readonly #n: number;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;

  /** Works in place on a real Hessenberg matrix, column-major. */
  constructor(n: number, real: Float64Array) {
    this.#n = n;
    this.#real = real;
    this.#imaginary = new Float64Array(n * n);
  }

  entry(row: number, column: number): Complex {
    const at = row + column * this.#n;
    return { real: this.#real[at] as number, imaginary: this.#imaginary[at] as number };
  }

  /** Returns the first row of the last irreducible block that ends in `last`. */
  splitAbove(last: number): number {
    let k = last;
    for (; k > 0; k--) {
      const size = magnitude(this.entry(k, k)) + magnitude(this.entry(k - 1, k - 1));
      if (magnitude(this.entry(k, k - 1)) <= Number.EPSILON * size) {
        this.#set(k, k - 1, 0, 0);
        break;
      }
    }
    return k;
  }

  /** Returns an arbitrary shift of the right size. */
  subdiagonal(last: number): Complex {
    const { real, imaginary } = this.entry(last, last);
    return { real: real + magnitude(this.entry(last, last - 1)), imaginary };
  }

  /** Wilkinson's shift: the eigenvalue of the last 2 x 2 block that is nearer to its last entry. */
  shift(last: number): Complex {
    const d = this.entry(last, last);
    const half = scaled(0.5, minus(this.entry(last - 1, last - 1), d));
    const product = times(this.entry(last - 1, last), this.entry(last, last - 1));
    const root = squareRoot(plus(times(half, half), product));
    const [one, other] = [plus(half, root), minus(half, root)];
    return plus(d, magnitude(one) < magnitude(other) ? one : other);
  }

  /** H - s = Q R, then R Q + s, on the rows and columns from `first` to `last`. */
  step(first: number, last: number, s: Complex): void {
    for (let k = first; k <= last; k++) this.#add(k, scaled(-1, s));
    const rotations: (readonly [Complex, Complex])[] = [];
    for (let k = first; k < last; k++) rotations.push(this.#eliminate(k, last));
    for (const [index, [c, z]] of rotations.entries()) {
      const k = first + index;
      for (let i = first; i <= Math.min(k + 1, last); i++) {
        const [x, y] = [this.entry(i, k), this.entry(i, k + 1)];
        this.#put(i, k, plus(times(x, conjugate(c)), times(y, conjugate(z))));
        this.#put(i, k + 1, minus(times(y, c), times(x, z)));
      }
    }
    for (let k = first; k <= last; k++) this.#add(k, s);
  }

  /** Makes the subdiagonal below row k zero by a rotation of rows k and k + 1. */
  #eliminate(k: number, last: number): readonly [Complex, Complex] {
    const [a, b] = [this.entry(k, k), this.entry(k + 1, k)];
    const length = hypotenuse(a.real, a.imaginary, b.real, b.imaginary);
    if (length === 0)
      return [
        { real: 1, imaginary: 0 },
        { real: 0, imaginary: 0 },
      ] as const;
    const [c, z] = [scaled(1 / length, conjugate(a)), scaled(1 / length, conjugate(b))];
    for (let j = k; j <= last; j++) {
      const [x, y] = [this.entry(k, j), this.entry(k + 1, j)];
      this.#put(k, j, plus(times(c, x), times(z, y)));
      this.#put(k + 1, j, minus(times(conjugate(c), y), times(conjugate(z), x)));
    }
    return [c, z] as const;
  }

  #put(row: number, column: number, { real, imaginary }: Complex): void {
    this.#set(row, column, real, imaginary);
  }

  #add(k: number, s: Complex): void {
    this.#put(k, k, plus(this.entry(k, k), s));
  }

  #set(row: number, column: number, real: number, imaginary: number): void {
    this.#real[row + column * this.#n] = real;
    this.#imaginary[row + column * this.#n] = imaginary;
  }
}

const magnitude = (a: Complex): number => hypotenuse(a.real, a.imaginary);

const conjugate = ({ real, imaginary }: Complex): Complex => ({ real, imaginary: -imaginary });

const scaled = (s: number, a: Complex): Complex => ({
  real: s * a.real,
  imaginary: s * a.imaginary,
});

const plus = (a: Complex, b: Complex): Complex => ({
  real: a.real + b.real,
  imaginary: a.imaginary + b.imaginary,
});

const minus = (a: Complex, b: Complex): Complex => plus(a, scaled(-1, b));

const times = (a: Complex, b: Complex): Complex => ({
  real: a.real * b.real - a.imaginary * b.imaginary,
  imaginary: a.real * b.imaginary + a.imaginary * b.real,
});

/** The root with a real part that is not negative, without cancellation. */
function squareRoot(a: Complex): Complex {
  const large = Math.sqrt((magnitude(a) + Math.abs(a.real)) / 2);
  if (large === 0) return { real: 0, imaginary: 0 };
  const small = Math.abs(a.imaginary) / (2 * large);
  const [real, imaginary] = a.real >= 0 ? [large, small] : [small, large];
  return { real, imaginary: a.imaginary < 0 ? -imaginary : imaginary };
}

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

/** Maximum number of QR steps for one eigenvalue; three are usual. */
const MAX_STEPS_PER_EIGENVALUE = 60;
/** Number of steps between arbitrary shifts, which break cycles. */
const EXCEPTIONAL_SHIFT_STEPS = 10;

/**
 * Returns the eigenvalues of an n x n matrix, column-major, in no order.
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

/** D^-1 A D with D of powers of two, so that norms of rows and columns are similar: no rounding. */
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
 * Returns the power of two nearest to the square root of a ratio, found by halving: the last bits of Math.log2 and of
 * powers differ between engines.
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

/** x = x - 2 u (u . x) for the elements of `a` from `start` on. */
function reflect(u: Float64Array, a: Float64Array, start: number, stride: number): void {
  let sum = 0;
  for (let i = 0; i < u.length; i++) sum += (u[i] as number) * (a[start + i * stride] as number);
  for (let i = 0; i < u.length; i++) {
    a[start + i * stride] = (a[start + i * stride] as number) - 2 * sum * (u[i] as number);
  }
}

/** Applies QR steps to the remaining block, from its last row upwards. */
function iterate(n: number, real: Float64Array): Eigenvalue[] {
  const matrix = new ComplexHessenberg(n, real);
  const found: Eigenvalue[] = [];
  for (let [last, steps] = [n - 1, 0]; last >= 0; steps++) {
    const first = matrix.splitAbove(last);
    if (first === last) {
      found.push(matrix.entry(last, last));
      [last, steps] = [last - 1, -1];
    } else if (steps === MAX_STEPS_PER_EIGENVALUE) {
      throw new NodriftError("KERNEL", "eigenvalues: the QR iteration did not converge");
    } else {
      const exceptional = steps % EXCEPTIONAL_SHIFT_STEPS === EXCEPTIONAL_SHIFT_STEPS - 1;
      matrix.step(first, last, exceptional ? matrix.subdiagonal(last) : matrix.shift(last));
    }
  }
  return found;
}
