// Compares user-supplied derivatives with finite differences of their functions.
//
// A correct derivative must never be rejected, whatever its function, and a wrong one should cost few evaluations. So
// there are two comparisons. The first one is sharp: central differences of two lengths, along two directions in place
// of all coordinates. Nearly all correct derivatives pass it with ten evaluations. The others are sampled from both
// sides of the state, coordinate by coordinate, with lengths from 4e-3 to 1e-17 of the scale. The quotients of one
// length span an interval, and a length counts if its interval is narrow. At a kink, in noise, or if a function is
// stiffer than the length or rounding prevails, quotients differ, and such a length abstains. A derivative is wrong if
// two lengths (three, for second derivatives) agree with each other against it and none agrees with it; it is in doubt
// if they cannot settle it.
//
// Rejected: one length, fitted to the function, as a correct derivative is then rejected wherever the fit fails;
// central differences alone, which agree with each other at a kink, and with neither of its slopes.

/** Writes the functions at a displacement s. Samples that throw or are not finite are ignored. */
export type SampledFunction = (s: number, out: Float64Array) => void;

/** A derivative that differs from differences. */
export interface Contradiction {
  readonly row: number;
  readonly column: number;
  readonly given: number;
  /** Derivative by finite differences. */
  readonly found: number;
  /** False if the derivative may be right: the function is not smooth enough to decide, or the difference is small. */
  readonly isWrong: boolean;
}

/** Derivatives along one displacement. */
interface Line {
  readonly rows: number;
  readonly sample: SampledFunction;
  /** Given derivative, by row. */
  readonly given: (row: number) => number;
  /** Derivative with all its terms positive, by row; rounding is small against it. */
  readonly size?: (row: number) => number;
  /**
   * Value at the state, by row, of functions that are zero if the constraints hold. Derivatives may rely on that, as x
   * / L does for a length L. Lengths shorter than the distance to where the function is zero do not contradict them.
   */
  readonly residual?: ((row: number) => number) | undefined;
  /** Allowed relative errors, by row. */
  readonly loose?: (row: number) => number;
  /**
   * Change of the function, by row, for a displacement of all coordinates by their scales; determines its rounding
   * errors.
   */
  readonly variation: (row: number) => number;
  /** Magnitude of the displaced argument relative to the displacement at s = 1: shorter steps are lost in rounding. */
  readonly offset: number;
  /** First or second derivatives. */
  readonly order?: 1 | 2;
}

/** Relative difference that the sharp comparison accepts, and above which a derivative is in doubt, or wrong. */
const SHARP_TOLERANCE = 1e-7;
/** Relative error of the sharp comparison above which it decides nothing. */
const MAX_SHARP_ERROR = 1e-4;
const DOUBT_TOLERANCE = 1e-5;
const WRONG_TOLERANCE = 1e-2;
/** Minimum length, in distances to where a function is zero, if derivatives may rely on that zero. */
const MIN_DISTANCES_TO_ZERO = 10;
/** Distance of a correct derivative from an interval, in widths of the interval. */
const MAX_INTERVAL_WIDTHS = 10;
/**
 * Width of an interval that counts, relative to the derivative found, or to the given one if only rounding is found.
 */
const MAX_RELATIVE_WIDTH = 0.05;
const ZERO_TOLERANCE = 1e-6;
/** Ratio of the widths of successive lengths, for a smooth function. */
const SHRINKAGE_RATIO = 0.75;
/** Longer lengths are not local, and contradict only if the state is farther from the constraints. */
const MAX_LOCAL_LENGTH = 2 ** -8;
/** Fraction of the magnitude of a function that rounding may change, and minimum displacement in spacings. */
const ROUNDING_FRACTION = 64 * Number.EPSILON;
const MIN_SPACINGS = 2 ** 12;

/** Displacements of the sharp comparison and of the other one, for first and second derivatives. */
const DISPLACEMENTS = {
  1: { sharp: [-13, -20], all: [16, 8, 0, -8, -13, -20, -26, -32, -38, -44, -50, -56] },
  2: { sharp: [-7, -10], all: [8, 0, -4, -6, -8, -10, -12, -15, -18, -21, -24] },
} as const;
/** Displacement for the variation of functions: short, since the variation at the state is needed. */
const VARIATION_DISPLACEMENT = 2 ** -26;
/** Fractions of a length at which quotients are taken: the noise of second derivatives shows only with three. */
const LENGTH_FRACTIONS = { 1: [1, 1 / 2], 2: [1, 1 / 2, 3 / 4] } as const;

/** Quotients of one length, by row. */
interface Quotients {
  readonly low: number;
  readonly high: number;
  /** Width including rounding, and its rounding component. */
  readonly width: number;
  readonly rounding: number;
  /** Largest sampled value. */
  readonly largest: number;
  /** Extrapolated central quotients, and the distance between them. */
  readonly best: number;
  readonly apart: number;
}

/** Compares the derivatives of a line; returns those that disagree. */
export function compareLine(line: Line, column = 0): Contradiction[] {
  return agreesSharply(line) ? [] : judge(line, column);
}

/** Derivatives by several coordinates: rows are functions, columns are coordinates. */
export interface GivenMatrix extends Pick<Line, "rows" | "residual"> {
  readonly columns: number;
  readonly given: (row: number, column: number) => number;
  /** The coordinates. */
  readonly x: ArrayLike<number>;
  /** Writes the functions at other coordinates. */
  readonly at: (x: Float64Array, out: Float64Array) => void;
}

/** Scale against which the displacement of a coordinate is small. */
export function scaleOf(x: number): number {
  return Math.max(1, Math.abs(x));
}

/** Variation of the functions with their coordinates, by row. */
export function variationOf({
  rows,
  x,
  at,
}: Pick<GivenMatrix, "rows" | "x" | "at">): (row: number) => number {
  const moved = new Float64Array(x.length);
  const [before, after] = [-VARIATION_DISPLACEMENT, VARIATION_DISPLACEMENT].map((s) => {
    const sample = (_: number, out: Float64Array) => {
      for (let j = 0; j < moved.length; j++)
        moved[j] = x[j]! + s * scaleOf(x[j]!) * DIRECTIONS[0]!(j);
      at(moved, out);
    };
    return sampled({ rows, sample }, s);
  });
  // If the function is not defined on both sides, everything may be rounding.
  return (row) => Math.abs(after![row]! - before![row]!) / (2 * VARIATION_DISPLACEMENT);
}

/** Compares a matrix of derivatives. */
export function compareMatrix(matrix: GivenMatrix): Contradiction[] {
  const { rows, columns, given, x, at, residual } = matrix;
  const scales = Float64Array.from({ length: columns }, (_, j) => scaleOf(x[j]!));
  const moved = new Float64Array(columns);
  const variation = variationOf(matrix);
  const along = (weight: (column: number) => number): Line => ({
    rows,
    residual,
    variation,
    offset: 1,
    given: (row) => sum(columns, (j) => given(row, j) * scales[j]! * weight(j)),
    size: (row) => sum(columns, (j) => Math.abs(given(row, j) * scales[j]! * weight(j))),
    sample: (s, out) => {
      for (let j = 0; j < columns; j++) moved[j] = x[j]! + s * scales[j]! * weight(j);
      at(moved, out);
    },
  });
  if (DIRECTIONS.every((direction) => agreesSharply(along(direction)))) return [];
  return Array.from({ length: columns }, (_, column) => {
    const line = along((j) => (j === column ? 1 : 0));
    const scale = scales[column]!;
    const offset = Math.abs(x[column]!) / scale;
    return compareLine({ ...line, offset }, column).map((one) => ({
      ...one,
      given: one.given / scale,
      found: one.found / scale,
    }));
  }).flat();
}

/** Indices of the calls of a function that are compared: the first one and a later one. */
export const COMPARED_CALLS: readonly number[] = [0, 40];

/**
 * Wraps a derivative by time so that it is compared with its function, at the first call and at a later one. `refuse`
 * receives the given derivative and the one by finite differences.
 */
export function comparedRate(
  rate: (t: number) => number,
  value: (t: number) => number,
  order: 1 | 2,
  refuse: (t: number, given: number, found: number) => Error,
): (t: number) => number {
  let calls = 0;
  const compare = (t: number, given: number) => {
    const [wrong] = compareLine({
      rows: 1,
      order,
      given: () => given,
      offset: Math.max(1, Math.abs(t)),
      variation: () => Math.abs(t * given),
      sample: (s, out) => {
        out[0] = value(t + s);
      },
    });
    if (wrong?.isWrong) throw refuse(t, given, Number(wrong.found.toPrecision(6)));
  };
  // A separate function, since closures over t would allocate in each call.
  return (t) => {
    const given = rate(t);
    if (COMPARED_CALLS.includes(calls++)) compare(t, given);
    return given;
  };
}

/** Two directions with components of different sizes and signs, the same ones in each run. */
const DIRECTIONS = [0.6180339887498949, 0.7548776662466927].map((ratio) => (column: number) => {
  const part = ((column + 1) * ratio) % 1;
  return (part < 0.5 ? -1 : 1) * (0.5 + ((part * 17) % 1) / 2);
});

function sum(count: number, term: (j: number) => number): number {
  let total = 0;
  for (let j = 0; j < count; j++) total += term(j);
  return total;
}

/** Whether all rows agree with central differences. */
function agreesSharply(line: Line): boolean {
  const { rows, given, size, order = 1 } = line;
  const open = new Set(Array.from({ length: rows }, (_, row) => row));
  const middle = sampled(line, 0);
  for (const power of DISPLACEMENTS[order].sharp) {
    const found = quotientsOf(line, middle, 2 ** power);
    for (const row of open) {
      const { best, apart, rounding } = found(row);
      const value = given(row);
      const most = Math.max(size?.(row) ?? 0, Math.abs(value), Math.abs(best));
      const error = apart + rounding;
      const isClose = Math.abs(value - best) <= SHARP_TOLERANCE * most + 4 * error;
      // Zeros, as at rest, are smaller than their rounding errors.
      const isZero = value === 0 && Math.abs(best) + apart <= rounding;
      if (isZero || (isClose && error <= MAX_SHARP_ERROR * most)) open.delete(row);
    }
    if (open.size === 0) return true;
  }
  return false;
}

/** Evaluates the votes of all lengths. */
function judge(line: Line, column: number): Contradiction[] {
  const { rows, given, offset, order = 1, residual, loose, variation } = line;
  const least = (row: number) =>
    residual ? (MIN_DISTANCES_TO_ZERO * Math.abs(residual(row))) / variation(row) : 0;
  const middle = sampled(line, 0);
  const votes = Array.from({ length: rows }, () => ({
    isSure: false,
    agree: 0,
    near: 0,
    contradict: 0,
    possible: 0,
    /** Vote of the shortest length whose interval is narrow enough. */
    last: "nothing" as "nothing" | "agrees" | "possible" | "differs",
    /** Difference of the given derivative at the last length that contradicts it. */
    off: 0,
    /** Number of lengths that contradict the given derivative and agree with the previous longer one that did. */
    settled: 0,
    contradicting: Number.NaN,
    /** Derivative of the narrowest interval. */
    found: Number.NaN,
    width: Number.POSITIVE_INFINITY,
    /** Width at the previous length. */
    before: 0,
  }));
  for (const power of DISPLACEMENTS[order].all) {
    const h = 2 ** power;
    if (h < MIN_SPACINGS * Number.EPSILON * offset) break;
    const quotients = quotientsOf(line, middle, h);
    for (let row = 0; row < rows; row++) {
      const { low, high, width, largest } = quotients(row);
      if (!Number.isFinite(width)) continue;
      const vote = votes[row]!;
      const value = given(row);
      const size = Math.max(Math.abs(low), Math.abs(high));
      const distance = Math.max(low - value, value - high, 0);
      // A derivative that is zero, or small against the given one: its intervals shrink with their lengths. Intervals
      // of a function that is stiffer than its lengths grow.
      const isSmall =
        width <= WRONG_TOLERANCE * Math.abs(value) && width < SHRINKAGE_RATIO * vote.before;
      vote.before = width;
      if (width < vote.width) Object.assign(vote, { width, found: (low + high) / 2 });
      const isZero =
        size <= (ROUNDING_FRACTION * largest) / h ** order &&
        width <= ZERO_TOLERANCE * Math.abs(value);
      const isNarrow = width <= MAX_RELATIVE_WIDTH * size;
      if (!(isNarrow || isZero || isSmall)) {
        if (distance <= width) vote.possible++;
        continue;
      }
      const most = Math.max(size, Math.abs(value));
      const allowed = MAX_INTERVAL_WIDTHS * width + (loose?.(row) ?? 0) * most;
      const beyond = distance - allowed;
      const isLocal = power < 0 || (isNarrow && least(row) > MAX_LOCAL_LENGTH);
      if (!isLocal || Number.isNaN(beyond)) {
        // Long lengths may reveal the derivative that local noise hides, and no more.
        if (distance <= allowed) vote.possible++;
      } else if (beyond <= DOUBT_TOLERANCE * most) {
        const agrees = allowed <= MAX_RELATIVE_WIDTH * most;
        // A length that could not resolve the difference does not contradict one that did.
        if (vote.off === 0 || allowed < vote.off) vote.last = agrees ? "agrees" : "possible";
        if (agrees) vote.agree++;
        else vote.possible++;
        vote.isSure ||= allowed <= MAX_INTERVAL_WIDTHS * DOUBT_TOLERANCE * most;
      } else if (!(h >= least(row))) {
        // Neither does it if the minimum length is unknown.
        vote.possible++;
      } else {
        // A staircase is constant within a step, and correct over many.
        if (!isZero) Object.assign(vote, { last: "differs", off: distance });
        if (distance <= WRONG_TOLERANCE * most) vote.near++;
        else {
          const middle = isNarrow ? (low + high) / 2 : 0;
          if (Math.abs(middle - vote.contradicting) <= WRONG_TOLERANCE * Math.abs(middle))
            vote.settled++;
          vote.contradicting = middle;
          vote.contradict++;
        }
      }
    }
    if (votes.every(({ isSure }) => isSure)) return [];
  }
  return votes.flatMap(
    ({ isSure, agree, near, contradict, settled, possible, last, found }, row) => {
      const isRight = isSure || (agree > 0 && last !== "differs");
      const isOpen = near + contradict === 0 && (possible > 0 || Number.isNaN(found));
      if (isRight || isOpen) return [];
      const isWrong = near + agree === 0 && settled >= order && last !== "possible";
      return [{ row, column, given: given(row), found, isWrong }];
    },
  );
}

/** Returns the functions at a displacement; NaN if they have no value. */
export function sampled({ rows, sample }: Pick<Line, "rows" | "sample">, s: number): Float64Array {
  const out = new Float64Array(rows);
  try {
    sample(s, out);
  } catch {
    // Outside the domain of the function. At the state itself the run calls the function and reports what it throws.
    out.fill(Number.NaN);
  }
  return out;
}

/** The functions on both sides of the state. */
interface Side {
  readonly s: number;
  readonly after: Float64Array;
  readonly before: Float64Array;
}

/** The quotients of one length. */
function quotientsOf(line: Line, middle: Float64Array, h: number): (row: number) => Quotients {
  const { order = 1, variation } = line;
  const sides: readonly Side[] = LENGTH_FRACTIONS[order].map((part) => ({
    s: part * h,
    after: sampled(line, part * h),
    before: sampled(line, -part * h),
  }));
  return (row) => {
    const at = middle[row]!;
    let [low, high, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Math.abs(at)];
    const take = (...quotients: number[]) => {
      low = Math.min(low, ...quotients);
      high = Math.max(high, ...quotients);
    };
    const central = sides.map(({ s, after, before }) => {
      const [up, down] = [after[row]! - at, at - before[row]!];
      largest = Math.max(largest, Math.abs(after[row]!), Math.abs(before[row]!));
      const quotient = order === 1 ? (up + down) / (2 * s) : (up - down) / (s * s);
      take(...(order === 1 ? [up / s, down / s] : [quotient]));
      return quotient;
    }) as [number, number];
    if (order === 2) {
      // Second derivatives of both sides differ if the curvature jumps.
      const [{ s, after, before }, near] = sides as [Side, Side];
      take((4 * (after[row]! - 2 * near.after[row]! + at)) / (s * s));
      take((4 * (before[row]! - 2 * near.before[row]! + at)) / (s * s));
    }
    const rounding = (ROUNDING_FRACTION * (largest + variation(row))) / h ** order;
    return {
      low,
      high,
      width: high - low + rounding,
      rounding,
      largest,
      best: (4 * central[1] - central[0]) / 3,
      apart: Math.abs(central[1] - central[0]),
    };
  };
}
