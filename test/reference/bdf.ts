// BDF as in textbooks, independent of the package, for comparison with its BDF: variable coefficients by divided
// differences (Brenan, Campbell and Petzold, section 5.1; Hairer and Wanner, Solving ODEs II, section V.1), full
// Newton iterations with df/dy by finite differences in each, orders by the largest next step. No kernels, no reuse
// of factors.

/** D y' = f(t, y), with D = 1 for the first unknowns and 0 for the others. */
export interface PlainProblem {
  readonly y: readonly number[];
  readonly differential: number;
  /** Number of leading unknowns in the error norm. */
  readonly counted: number;
  /** Index of the first velocity in the index-3 form; errors of velocities are weighted by h. */
  readonly positions?: number;
  rate(t: number, y: ArrayLike<number>, out: { [index: number]: number }): void;
}

export interface ReferenceRun {
  /** Unknowns of the error norm at the output times, one after the other. */
  readonly values: readonly number[];
  readonly steps: number;
}

type Row = readonly number[];

const HIGHEST = 5;
const MOST_STEPS = 1e6;

/** Newton's interpolation polynomial through points (t_i, y_i), at t. */
function interpolated(times: Row, states: readonly Row[], t: number): number[] {
  const table = states.map((state) => [...state]);
  const n = states[0]!.length;
  for (let level = 1; level < times.length; level++) {
    for (let i = times.length - 1; i >= level; i--) {
      for (let j = 0; j < n; j++) {
        table[i]![j] = (table[i]![j]! - table[i - 1]![j]!) / (times[i]! - times[i - level]!);
      }
    }
  }
  const value = [...table[times.length - 1]!];
  for (let i = times.length - 2; i >= 0; i--) {
    for (let j = 0; j < n; j++) value[j] = value[j]! * (t - times[i]!) + table[i]![j]!;
  }
  return value;
}

/** Weights of the values at `times` in the derivative of their polynomial at the first of them. */
function derivativeWeights(times: Row): number[] {
  const [t = 0] = times;
  return times.map((own, i) => {
    if (i === 0) return times.slice(1).reduce((sum, other) => sum + 1 / (t - other), 0);
    const rest = times.filter((_, j) => j !== i && j !== 0);
    return rest.reduce((product, other) => (product * (t - other)) / (own - other), 1 / (own - t));
  });
}

/** Solves A x = b by elimination with pivots; both are overwritten. */
function eliminated(a: number[][], b: number[]): number[] {
  const n = b.length;
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k; i < n; i++) if (Math.abs(a[i]![k]!) > Math.abs(a[best]![k]!)) best = i;
    [a[k], a[best]] = [a[best]!, a[k]!];
    [b[k], b[best]] = [b[best]!, b[k]!];
    for (let i = k + 1; i < n; i++) {
      const factor = a[i]![k]! / a[k]![k]!;
      if (factor === 0) continue;
      for (let j = k; j < n; j++) a[i]![j]! -= factor * a[k]![j]!;
      b[i]! -= factor * b[k]!;
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) b[i]! -= a[i]![j]! * b[j]!;
    b[i]! /= a[i]![i]!;
  }
  return b;
}

/** Runs a problem with an error of `local` (1 + |y|) in each step, and returns it at increasing times. */
export function referenceBdf(
  problem: PlainProblem,
  outputs: Row,
  local: number,
  firstStep: number,
): ReferenceRun {
  const { differential, counted, positions = Number.POSITIVE_INFINITY } = problem;
  const rate = (t: number, y: Row): number[] => {
    const out = new Array<number>(y.length).fill(0);
    problem.rate(t, y, out);
    return out;
  };
  const sizeOf = (error: Row, y: Row, h: number): number => {
    let sum = 0;
    for (let j = 0; j < counted; j++) {
      const weight = j >= positions ? Math.min(1, h) : 1;
      sum += ((weight * error[j]!) / (local * (1 + Math.abs(y[j]!)))) ** 2;
    }
    return Math.sqrt(sum / counted);
  };
  /** y with D p'(t) = f(t, y), p the polynomial through it and earlier states. */
  const corrected = (t: number, guess: Row, times: Row, states: readonly Row[], h: number) => {
    const [own = 0, ...others] = derivativeWeights([t, ...times]);
    const known = guess.map((_, j) =>
      others.reduce((sum, weight, i) => sum + weight * states[i]![j]!, 0),
    );
    const y = [...guess];
    let before = Number.POSITIVE_INFINITY;
    for (let iteration = 0; iteration < 12; iteration++) {
      const f = rate(t, y);
      const residual = f.map((value, j) =>
        j < differential ? value - own * y[j]! - known[j]! : value,
      );
      const matrix = y.map((_, i) => y.map((__, j) => (i === j && i < differential ? own : 0)));
      for (let j = 0; j < y.length; j++) {
        const delta = 1e-7 * Math.max(Math.abs(y[j]!), 1e-3);
        const moved = [...y];
        moved[j]! += delta;
        const other = rate(t, moved);
        for (let i = 0; i < y.length; i++) matrix[i]![j]! -= (other[i]! - f[i]!) / delta;
      }
      const change = eliminated(matrix, residual);
      for (let j = 0; j < y.length; j++) y[j]! += change[j]!;
      const size = sizeOf(change, y, h);
      if (size < 1e-4 || (iteration > 2 && size < 1e-2 && size > before / 2)) return y;
      if (!(size < Number.POSITIVE_INFINITY)) return undefined;
      before = size;
    }
    return undefined;
  };

  let times: number[] = [0];
  let states: number[][] = [[...problem.y]];
  let [h, order, since, steps] = [firstStep, 1, 0, 0];
  const values: number[] = [];
  const end = outputs.at(-1)!;
  while (times[0]! < end && steps < MOST_STEPS) {
    const [now = 0] = times;
    const t = now + h;
    const known = times.length;
    const isFirst = known === 1;
    const predict = (k: number) => interpolated(times.slice(0, k + 1), states.slice(0, k + 1), t);
    const slope = isFirst ? rate(now, states[0]!) : [];
    const guess = isFirst
      ? states[0]!.map((value, j) => (j < differential ? value + h * slope[j]! : value))
      : predict(order);
    const y = corrected(t, guess, times.slice(0, order), states.slice(0, order), h);
    if (y === undefined) {
      h /= 4;
      since = 0;
      continue;
    }
    const errorOf = (k: number) => {
      const from = isFirst ? guess : predict(k);
      const difference = y.map((value, j) => value - from[j]!);
      const back = isFirst ? now - h : times[k]!;
      return (h / (t - back)) * sizeOf(difference, y, h);
    };
    const error = errorOf(order);
    if (!(error <= 1)) {
      h *= Math.max(0.2, Math.min(0.9, 0.8 * error ** (-1 / (order + 1))));
      if (order > 1 && errorOf(order - 1) < error) order--;
      since = 0;
      continue;
    }
    steps++;
    since++;
    times = [t, ...times].slice(0, HIGHEST + 2);
    states = [y, ...states].slice(0, HIGHEST + 2);
    while (values.length / counted < outputs.length) {
      const output = outputs[values.length / counted]!;
      if (output > t) break;
      const count = order + 1;
      values.push(
        ...interpolated(times.slice(0, count), states.slice(0, count), output).slice(0, counted),
      );
    }
    if (since <= order) continue;
    // Orders by the largest step that each allows; differences are those of the step that was accepted.
    const factorAt = (k: number): number => {
      if (k < 1 || k > HIGHEST || times.length < k + 2) return 0;
      const from = interpolated(times.slice(1, k + 2), states.slice(1, k + 2), t);
      const difference = y.map((value, j) => value - from[j]!);
      const size = (h / (t - times[k + 1]!)) * sizeOf(difference, y, h);
      return 0.8 * Math.max(size, 1e-6) ** (-1 / (k + 1));
    };
    const candidates = [order - 1, order, order + 1].map((k) => ({ k, factor: factorAt(k) }));
    const best = candidates.reduce((a, b) => (b.factor > 1.1 * a.factor ? b : a));
    if (best.factor > 1.2 || best.factor < 0.9) {
      order = best.k;
      h *= Math.max(0.5, Math.min(2, best.factor));
      since = 0;
    }
  }
  return { values, steps };
}
