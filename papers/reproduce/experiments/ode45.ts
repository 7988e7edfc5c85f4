// What Braun and Goldfarb call "numerically exact": the minimal equation by "a MATLAB solver" at absolute and relative tolerances
// of 1e-12. It is taken to be ode45, as Shampine and Reichelt describe it (The MATLAB ODE suite, SIAM J. Sci. Comput. 18 (1997)
// 1-22): the pair of Dormand and Prince with local extrapolation; the error of a step in the largest norm, each component
// relative to the larger of its magnitudes at both ends, which count as 1 at least (absolute over relative tolerance); and output
// by a free interpolant of order 4, whose choice changes nothing here: it is off by less than a step is.
// Rejected: dp5() of this package. Its steps follow another rule, and its own error after 1000 s is another one.

import { dormandPrinceTableau } from "../../../src/solve.js";
import { type Comparison, INTERVAL } from "./reference-run.js";

const { a, b, errors, dense } = dormandPrinceTableau;
/** Weights of each stage, the last of which is the end of the step. */
const ROWS = [...a, b];
const ERRORS = errors[0]!;
/** The quartic term of the interpolant; values and slopes of both ends determine the others. */
const QUARTIC = dense[0]!;

const TOLERANCE = 1e-12;
const POWER = 1 / 5;
/** The next step is 0.8 (tolerance / error)^(1/5) times as long, at most 5 times. */
const SAFETY = 0.8;
const MAX_GROWTH = 5;
/** A step that failed is made shorter by the same rule, to a tenth at least; from its second failure on, to a half. */
const MIN_SHRINKAGE = 0.1;
const SECOND_SHRINKAGE = 0.5;
/** Steps are at most a tenth of the span. The last one may be longer by a tenth. */
const MAX_STEP_FRACTION = 0.1;
const LAST_STEP_STRETCH = 1.1;

/** The reference angles of the paper, every 0.01 s: ode45 at 1e-12, which has errors of its own. */
export function ode45Angles({ acceleration, start }: Comparison, span: number): Float64Array {
  const angles = new Float64Array(Math.round(span / INTERVAL) + 1);
  const slopes = ROWS.map(() => new Float64Array(2));
  const [first, last] = [slopes[0]!, slopes[slopes.length - 1]!];
  const [y, end, trial] = [Float64Array.from(start), new Float64Array(2), new Float64Array(2)];
  const evaluate = (at: Float64Array, slope: Float64Array) => {
    slope[0] = at[1]!;
    slope[1] = acceleration(at[0]!, at[1]!);
  };
  /** Sum of slopes by weights. */
  const weighted = (weights: readonly number[], i: number) => {
    let sum = 0;
    for (let k = 0; k < weights.length; k++) sum += weights[k]! * slopes[k]![i]!;
    return sum;
  };
  /** Takes a step from `y` to `end`, and returns its error over the tolerance. */
  const tryStep = (h: number) => {
    for (let k = 1; k < ROWS.length; k++) {
      const at = k === ROWS.length - 1 ? end : trial;
      for (let i = 0; i < 2; i++) at[i] = y[i]! + h * weighted(ROWS[k]!, i);
      evaluate(at, slopes[k]!);
    }
    let worst = 0;
    for (let i = 0; i < 2; i++) {
      const size = Math.max(Math.abs(y[i]!), Math.abs(end[i]!), 1);
      worst = Math.max(worst, Math.abs(h * weighted(ERRORS, i)) / size);
    }
    return worst / TOLERANCE;
  };

  evaluate(y, first);
  const speed = first.reduce(
    (m, f, i) => Math.max(m, Math.abs(f) / Math.max(Math.abs(y[i]!), 1)),
    0,
  );
  const longest = MAX_STEP_FRACTION * span;
  let h = Math.min(longest, (SAFETY * TOLERANCE ** POWER) / speed);
  let [time, count] = [0, 1];
  angles[0] = y[0]!;
  while (count < angles.length) {
    if (LAST_STEP_STRETCH * h >= span - time) h = span - time;
    let error = tryStep(h);
    const isFirstTry = error <= 1;
    if (!isFirstTry) {
      h *= Math.max(MIN_SHRINKAGE, SAFETY * error ** -POWER);
      for (error = tryStep(h); error > 1; error = tryStep(h)) h *= SECOND_SHRINKAGE;
      // An acceleration that is not a number.
      if (!(error <= 1)) return angles.fill(Number.NaN, count);
    }
    const next = span - time <= h ? span : time + h;
    const change = end[0]! - y[0]!;
    const bow = h * first[0]! - change;
    const bend = change - h * last[0]! - bow;
    const quartic = h * weighted(QUARTIC, 0);
    for (; count < angles.length && Math.min(count * INTERVAL, span) <= next; count++) {
      const s = (count * INTERVAL - time) / h;
      angles[count] = y[0]! + s * (change + (1 - s) * (bow + s * (bend + (1 - s) * quartic)));
    }
    y.set(end);
    first.set(last);
    time = next;
    if (isFirstTry) h = Math.min(longest, h * Math.min(MAX_GROWTH, SAFETY * error ** -POWER));
  }
  return angles;
}
