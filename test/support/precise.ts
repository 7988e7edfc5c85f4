// Arithmetic with 60 decimal places, and derivatives by finite differences in it, with about 30 significant digits
// for the functions here. An oracle independent of the package.

const DIGITS = 60n;
const ONE = 10n ** DIGITS;

/** A number as an integer of 10^-60. */
export type Precise = bigint;

export const precise = {
  /** The exact value of a number. */
  of(x: number): Precise {
    if (x === 0) return 0n;
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, x);
    const bits = view.getBigUint64(0);
    const exponent = Number((bits >> 52n) & 0x7ffn);
    const fraction = (bits & 0xfffffffffffffn) | (exponent === 0 ? 0n : 1n << 52n);
    const power = Math.max(exponent, 1) - 1075;
    const size =
      power >= 0 ? (fraction << BigInt(power)) * ONE : (fraction * ONE) >> BigInt(-power);
    return x < 0 ? -size : size;
  },
  toNumber(a: Precise): number {
    const text = (a < 0n ? -a : a).toString().padStart(61, "0");
    return Number(`${a < 0n ? "-" : ""}${text.slice(0, -60)}.${text.slice(-60)}`);
  },
  times: (a: Precise, b: Precise): Precise => (a * b) / ONE,
  over: (a: Precise, b: Precise): Precise => (a * ONE) / b,
  root(a: Precise): Precise {
    if (a === 0n) return 0n;
    let x = precise.of(Math.sqrt(precise.toNumber(a)));
    for (let i = 0; i < 4; i++) x = (x + precise.over(a, x)) / 2n;
    return x;
  },
  exp(a: Precise): Precise {
    // exp(a) = exp(a / 2^20)^(2^20).
    let term = ONE;
    let sum = ONE;
    const small = a >> 20n;
    for (let k = 1n; term !== 0n; k++) {
      term = precise.times(term, small) / k;
      sum += term;
    }
    for (let i = 0; i < 20; i++) sum = precise.times(sum, sum);
    return sum;
  },
  /** (cos a, sin a) by their series. */
  circle(a: Precise): readonly [Precise, Precise] {
    const square = precise.times(a, a);
    const series = (first: Precise, from: bigint) => {
      let term = first;
      let sum = first;
      for (let k = from; term !== 0n && term !== -1n; k += 2n) {
        term = -precise.times(term, square) / (k * (k + 1n));
        sum += term;
      }
      return sum;
    };
    return [series(ONE, 1n), series(a, 2n)];
  },
  cos: (a: Precise): Precise => precise.circle(a)[0],
  sin: (a: Precise): Precise => precise.circle(a)[1],
};

const STEP = ONE / 10n ** 18n;

/** df/dx at x, by central differences. */
export function preciseDerivative(
  f: (x: readonly Precise[]) => Precise,
  x: readonly number[],
  by: number,
): number {
  const at = (shift: Precise) =>
    f(x.map((value, i) => precise.of(value) + (i === by ? shift : 0n)));
  return precise.toNumber(precise.over(at(STEP) - at(-STEP), 2n * STEP));
}

/** d2f/dx dy, by central differences. */
export function preciseSecond(
  f: (x: readonly Precise[]) => Precise,
  x: readonly number[],
  first: number,
  second: number,
): number {
  const at = (a: Precise, b: Precise) =>
    f(x.map((value, i) => precise.of(value) + (i === first ? a : 0n) + (i === second ? b : 0n)));
  const sum = at(STEP, STEP) - at(STEP, -STEP) - at(-STEP, STEP) + at(-STEP, -STEP);
  return precise.toNumber(precise.over(precise.over(sum, 2n * STEP), 2n * STEP));
}
