import { hypotenuse } from "./portable-trigonometry.js";

/** A complex number. */
interface Complex {
  readonly real: number;
  readonly imaginary: number;
}

/** A complex matrix that is zero below the first subdiagonal, and QR steps on it. */
export class ComplexHessenberg {
  readonly #n: number;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;

  /** Takes a real Hessenberg matrix by columns and works in it. */
  constructor(n: number, real: Float64Array) {
    this.#n = n;
    this.#real = real;
    this.#imaginary = new Float64Array(n * n);
  }

  entry(row: number, column: number): Complex {
    const at = row + column * this.#n;
    return { real: this.#real[at] as number, imaginary: this.#imaginary[at] as number };
  }

  /** First row of the part that ends in `last` and does not fall apart. */
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

  /** An arbitrary shift of the right size. */
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
