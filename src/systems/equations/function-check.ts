// Compares the derivatives that a description gives with differences of the functions they belong to.
//
// A slope is sampled from both sides with two lengths: 0, +-h, +-h/2. The quotients of a smooth function differ by
// O(h f''), those at a kink by the size of the kink, those of a noisy function by its noise over h. What they span is
// therefore an interval that a right derivative lies in, whatever the function is like, and its width says how much the
// comparison is worth. Rejected: central differences alone, whose two lengths agree at a kink and then refuse both of
// its one-sided slopes.

import { SimulationError } from "../../ground/errors.js";
import type { InputArray } from "./description.js";
import type { Equations } from "./made.js";
import type { UserFunctions } from "./user-functions.js";

/** Lengths of the differences: the next one is tried if an interval is wide against the slope. */
const LENGTHS = [2 ** -13, 2 ** -20, 2 ** -26] as const;
/** The same for second derivatives, and over how many of them the first ones are taken. */
const LONG = [2 ** -10, 2 ** -14] as const;
const SPREAD = 8;
/** Width of an interval, relative to the slope, that is narrow enough. */
const NARROW = 1e-3;
/** Relative distance from the interval beyond which a derivative is wrong, and how many widths are allowed besides. */
const WRONG = 1e-3;
const WIDTHS = 10;
/** Part of the size of a function that rounding may change. */
const ROUNDING = 64 * Number.EPSILON;

type Sample = (s: number, h: number, out: Float64Array) => void;

interface Slope {
  readonly low: number;
  readonly high: number;
  readonly width: number;
}

/** The interval of the slope of each row, by the length whose interval is narrowest. */
function slopesOf(
  sample: Sample,
  rows: number,
  scale: number,
  lengths: readonly number[] = LENGTHS,
  noise: (h: number) => number = () => 0,
): readonly Slope[] {
  const best: Slope[] = Array.from({ length: rows }, () => ({
    low: Number.NEGATIVE_INFINITY,
    high: Number.POSITIVE_INFINITY,
    width: Number.POSITIVE_INFINITY,
  }));
  for (const length of lengths) {
    const h = length * scale;
    const [middle, ...sides] = [0, h, -h, h / 2, -h / 2].map((s) => {
      const out = new Float64Array(rows);
      sample(s, h, out);
      return { s, out };
    }) as [{ out: Float64Array }, ...{ s: number; out: Float64Array }[]];
    for (let row = 0; row < rows; row++) {
      const at = middle.out[row] as number;
      const quotients = sides.map(({ s, out }) => ((out[row] as number) - at) / s);
      const [low, high] = [Math.min(...quotients), Math.max(...quotients)];
      const width = high - low + (ROUNDING * Math.abs(at) + noise(h)) / h;
      // Where a function is not defined, nothing is known.
      if (width < (best[row] as Slope).width) best[row] = { low, high, width };
    }
    const isNarrow = ({ low, high, width }: Slope) =>
      width <= NARROW * Math.max(Math.abs(low), Math.abs(high));
    if (best.every(isNarrow)) break;
  }
  return best;
}

/** The difference quotient that a given slope contradicts, if it does. */
function contradicted({ low, high, width }: Slope, given: number, size: number): boolean {
  const distance = Math.max(low - given, given - high);
  return distance > WRONG * Math.max(Math.abs(given), size) + WIDTHS * width;
}

/** Checks the functions of a description at one state; throws the first contradiction by the user's names. */
export function checkFunctions(
  { name, description, coordinateNames, holonomicNames, nonholonomicNames, mass }: Equations,
  functions: UserFunctions,
  state: { readonly q: InputArray; readonly v: InputArray },
  t: number,
): void {
  const n = coordinateNames.length;
  const q = Float64Array.from(state.q);
  const { gives } = functions;
  // Rates of rows vary with velocities: a state at rest would leave their terms unseen.
  const v = Float64Array.from(state.v, (x, i) => x + (1 + i / n) * (i % 2 === 0 ? 0.7 : -0.6));
  const rate = (out: Float64Array, evaluate: () => void) => {
    functions.changed();
    evaluate();
    return out;
  };
  const moved = (from: InputArray, along: (i: number) => number, s: number) =>
    from.map((x, i) => x + s * along(i)) as typeof q;
  const unit = (j: number) => (i: number) => (i === j ? 1 : 0);
  const refuse = (what: string, where: string, given: number, { low, high }: Slope) => {
    const found = Number(((low + high) / 2).toPrecision(6));
    throw new SimulationError(
      "EVALUATION",
      t,
      `${name}: ${what} contradicts the other functions at t = ${t}: it gives ${given} for ${where}, where differences ` +
        `give ${found}. Correct it, leave it out, or switch this comparison off by check: false`,
    );
  };
  /** Compares a matrix, rows by coordinates, with differences of a function of `x`. */
  const compareColumns = (
    what: string,
    rows: readonly string[],
    matrix: Float64Array,
    x: Float64Array,
    sample: (x: Float64Array, out: Float64Array) => void,
  ) => {
    for (let j = 0; j < n; j++) {
      const along = unit(j);
      const line: Sample = (s, _h, out) => {
        functions.changed();
        sample(moved(x, along, s), out);
      };
      const slopes = slopesOf(line, rows.length, Math.max(1, Math.abs(x[j] as number)));
      slopes.forEach((slope, i) => {
        const given = matrix[i * n + j] as number;
        const size = Math.max(Math.abs(slope.low), Math.abs(slope.high));
        if (contradicted(slope, given, size)) {
          refuse(what, `the derivative of "${rows[i]}" by "${coordinateNames[j]}"`, given, slope);
        }
      });
    }
  };
  /** Compares given numbers with the slope of `sample` along the motion or along time. */
  const compareLine = (
    what: string,
    rows: readonly string[],
    given: Float64Array,
    sign: number,
    sample: Sample,
    lengths?: readonly number[],
    noise?: (h: number) => number,
  ) => {
    const slopes = slopesOf(sample, rows.length, 1, lengths, noise);
    slopes.forEach((slope, i) => {
      const value = sign * (given[i] as number);
      const size = Math.max(Math.abs(slope.low), Math.abs(slope.high));
      if (!contradicted(slope, value, size)) return;
      const [low, high] = [sign * slope.low, sign * slope.high];
      refuse(what, `"${rows[i]}"`, given[i] as number, { ...slope, low, high });
    });
  };

  if (mass.function && !mass.diagonal) {
    const m = new Float64Array(n * n);
    rate(m, () => functions.mass(q, v, m, t));
    for (let k = 0; k < n * n; k++) {
      const [i, j] = [Math.floor(k / n), k % n];
      const [one, other] = [m[k] as number, m[j * n + i] as number];
      const allowed = 1e-9 * Math.max(Math.abs(one), Math.abs(other));
      // NaN is reported where it is used.
      if (!(Math.abs(one - other) > allowed)) continue;
      throw new SimulationError(
        "EVALUATION",
        t,
        `${name}: mass is not symmetric at t = ${t}: it gives ${one} between "${coordinateNames[i]}" and ` +
          `"${coordinateNames[j]}", and ${other} between these the other way round`,
      );
    }
  }
  const rows = holonomicNames.length;
  const jacobian = new Float64Array(rows * n);
  if (rows > 0 && gives.jacobian) {
    rate(jacobian, () => functions.jacobian(q, v, jacobian, t));
    compareColumns("holonomic.jacobian", holonomicNames, jacobian, q, (x, out) =>
      functions.phi(x, v, out, t),
    );
  }
  if (rows > 0 && gives.timeDerivative) {
    const given = new Float64Array(rows);
    rate(given, () => functions.timeDerivative(q, v, given, t));
    compareLine("holonomic.timeDerivative", holonomicNames, given, 1, (s, _h, out) => {
      functions.changed();
      functions.phi(q, v, out, t + s);
    });
  }
  if (rows > 0 && gives.gamma) {
    const given = new Float64Array(rows);
    rate(given, () => functions.gamma(q, v, given, t));
    const along = (i: number) => v[i] as number;
    if (gives.jacobian && functions.scleronomic) {
      compareLine("holonomic.gamma", holonomicNames, given, -1, (s, _h, out) => {
        functions.changed();
        functions.jacobian(moved(q, along, s), v, jacobian, t);
        for (let i = 0; i < rows; i++) {
          out[i] = v.reduce((sum, x, j) => sum + (jacobian[i * n + j] as number) * x, 0);
        }
      });
    } else {
      // The second derivative of Phi along the motion, as the slope of difference quotients of Phi. Short steps are left
      // out, as rounding is divided by their square.
      const [before, after] = [new Float64Array(rows), new Float64Array(rows)];
      const size = q.reduce((most, x) => Math.max(most, x * x), 1);
      const sample: Sample = (s, h, out) => {
        functions.changed();
        functions.phi(moved(q, along, s - SPREAD * h), v, before, t + s - SPREAD * h);
        functions.changed();
        functions.phi(moved(q, along, s + SPREAD * h), v, after, t + s + SPREAD * h);
        for (let i = 0; i < rows; i++) {
          out[i] = ((after[i] as number) - (before[i] as number)) / (2 * SPREAD * h);
        }
      };
      const noise = (h: number) => (ROUNDING * size) / (SPREAD * h);
      compareLine("holonomic.gamma", holonomicNames, given, -1, sample, LONG, noise);
    }
  }
  const others = nonholonomicNames.length;
  if (others > 0 && gives.nonholonomicJacobian) {
    const given = new Float64Array(others * n);
    rate(given, () => functions.nonholonomicJacobian(q, v, given, t));
    compareColumns("nonholonomic.jacobian", nonholonomicNames, given, v, (x, out) =>
      functions.nonholonomic(q, x, out, t),
    );
  }
  if (others > 0 && gives.nonholonomicGamma) {
    const given = new Float64Array(others);
    rate(given, () => functions.nonholonomicGamma(q, v, given, t));
    compareLine("nonholonomic.gamma", nonholonomicNames, given, -1, (s, _h, out) => {
      functions.changed();
      functions.nonholonomic(
        moved(q, (i) => v[i] as number, s),
        v,
        out,
        t + s,
      );
    });
  }
  if (description.potential && gives.potentialGradient) {
    const given = new Float64Array(n);
    rate(given, () => functions.potentialGradient(q, v, given, t));
    compareColumns("potentialGradient", ["potential"], given, q, (x, out) => {
      out[0] = functions.potential(x, v, t);
    });
  }
  functions.changed();
}
