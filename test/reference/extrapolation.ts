// Gragg, Bulirsch and Stoer: the midpoint rule with 2, 4, ... 16 steps, extrapolated to order 16 (Hairer, Norsett,
// Wanner, Solving ODEs I, section II.9). One order only, as tolerances are always tight here.

/** y' = f(y), written into `out`. */
export type Rate = (y: Float64Array, out: Float64Array) => void;

export interface Extrapolation {
  /** Called with the end of each step, which it may correct. */
  readonly accept?: (y: Float64Array, t: number) => void;
  readonly tolerance: number;
  readonly firstStep?: number;
  /** Maximum number of attempts, after which the end is NaN. Default: unlimited. */
  readonly attempts?: number;
}

const COLUMNS = 8;

/** y at `until`, from y at 0. The error of each step is kept below the tolerance, relative to 1 + |y|. */
export function integrate(
  rate: Rate,
  start: Float64Array,
  until: number,
  { accept = () => {}, tolerance, firstStep = 0.02, attempts = 1e9 }: Extrapolation,
): Float64Array {
  let y: Float64Array = start.slice();
  let [t, step] = [0, Math.min(firstStep, until)];
  for (let attempt = 0; t < until; attempt++) {
    if (attempt === attempts) return y.fill(Number.NaN);
    const last = step >= until - t;
    const h = last ? until - t : step;
    const { end, error } = extrapolated(rate, y, h);
    const factor = 0.8 * (tolerance / Math.max(error, 1e-20)) ** (1 / (2 * COLUMNS - 1));
    // A step much shorter than this is no better: its error is rounding.
    if (error <= tolerance || h < 1e-5 * until) {
      y = end;
      t = last ? until : t + h;
      accept(y, t);
    }
    step = h * Math.min(2, Math.max(0.1, factor));
  }
  return y;
}

/** One step, and the difference of the last two columns of the tableau. */
function extrapolated(rate: Rate, y: Float64Array, h: number) {
  const first = new Float64Array(y.length);
  rate(y, first);
  let before: Float64Array[] = [];
  for (let k = 0; k < COLUMNS; k++) {
    const line = [midpoints(rate, y, first, h, 2 * (k + 1))];
    for (let j = 1; j <= k; j++) {
      // Aitken and Neville in h^2: the ratio of the step lengths, squared.
      const ratio = ((k + 1) / (k + 1 - j)) ** 2 - 1;
      const [fine, coarse] = [line[j - 1], before[j - 1]];
      line.push(fine.map((value, i) => value + (value - coarse[i]) / ratio));
    }
    before = line;
  }
  const [less, end] = before.slice(-2);
  const error = end.reduce(
    (worst, value, i) => Math.max(worst, Math.abs(value - less[i]) / (1 + Math.abs(value))),
    0,
  );
  return { end, error: Number.isNaN(end[0]) ? Number.POSITIVE_INFINITY : error };
}

/** n steps of the midpoint rule, the first by Euler. Without Gragg's smoothing: it costs digits and helps stiff motion only. */
function midpoints(rate: Rate, y: Float64Array, first: Float64Array, h: number, n: number) {
  const step = h / n;
  let [before, now] = [y, y.map((value, i) => value + step * first[i])];
  const slope = new Float64Array(y.length);
  for (let i = 1; i < n; i++) {
    rate(now, slope);
    const next = before.map((value, j) => value + 2 * step * slope[j]);
    [before, now] = [now, next];
  }
  return now;
}
