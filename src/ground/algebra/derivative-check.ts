// Compares derivatives that users give with differences of the functions they belong to.
//
// A derivative that is right must never be refused, whatever its function is like, and one that is wrong should cost few
// evaluations. So there are two comparisons. The first one is sharp: central differences of two lengths, along two
// directions in place of all coordinates. Nearly all right derivatives pass it with ten evaluations. What does not pass is
// sampled from both sides of the state, coordinate by coordinate, with lengths from 4e-3 to 1e-17 of the scale: the quotients
// of one length span an interval, and a length has a say if its interval is narrow. At a kink, in noise, where a function
// is stiffer than the length or rounding prevails, quotients differ, and such a length abstains. A derivative is
// wrong if two lengths (three, for second derivatives) agree with each other against it and none agrees with it; in doubt if
// they cannot settle it.
// Rejected: one length, fitted to the function, as a right derivative is then refused wherever the fit fails; central
// differences alone, which agree with each other at a kink, and with neither of its slopes.

/** Writes the functions at a displacement s. What throws or is not finite says nothing. */
export type Sampled = (s: number, out: Float64Array) => void;

/** A derivative that differs from differences. */
export interface Contradiction {
  readonly row: number;
  readonly column: number;
  readonly given: number;
  /** By differences. */
  readonly found: number;
  /** False where the function may be right: it is not smooth enough to tell, or the difference is small. */
  readonly isWrong: boolean;
}

/** Derivatives along one displacement. */
interface Line {
  readonly rows: number;
  readonly sample: Sampled;
  /** By row. */
  readonly given: (row: number) => number;
  /** By row: the derivative with all its terms positive, which rounding is small against. */
  readonly size?: (row: number) => number;
  /**
   * By row: the value at the state of functions that are zero where they hold. Derivatives may rely on that, as x / L does
   * for a length L: shorter lengths than the distance to where the function is zero do not contradict them.
   */
  readonly residual?: ((row: number) => number) | undefined;
  /** By row: relative errors that are allowed. */
  readonly loose?: (row: number) => number;
  /** By row: change of the function for a displacement of all coordinates by their scales, which says how it is rounded. */
  readonly variation: (row: number) => number;
  /** What is displaced, in parts of the displacement at s = 1: where steps are lost in rounding. */
  readonly offset: number;
  /** First or second derivatives. */
  readonly order?: 1 | 2;
}

/** Relative distance that the sharp comparison leaves, and beyond which a derivative is in doubt, or wrong. */
const SHARP = 1e-7;
/** Relative error of the sharp comparison beyond which it says nothing. */
const SURE = 1e-4;
const DOUBTFUL = 1e-5;
const WRONG = 1e-2;
/** Distances to where a function is zero that a length has at least, if derivatives may rely on it. */
const RELIANCE = 10;
/** Widths of an interval by which a right derivative may lie beside it. */
const WIDTHS = 10;
/** Width of an interval against the derivative found that counts, or against a given one where nothing but rounding is found. */
const NARROW = 0.05;
const ZERO = 1e-6;
/** Part of its width that an interval has with the next length, where a function is smooth. */
const SHRINKING = 0.75;
/** Lengths above it are no longer local, and contradict only if a state is farther from where its constraints hold. */
const LOCAL_LENGTH = 2 ** -8;
/** Part of the size of a function that rounding may change, and spacings that a displacement has at least. */
const ROUNDING = 64 * Number.EPSILON;
const SPACINGS = 2 ** 12;

/** Displacements: of the sharp comparison and of the other one, for first and second derivatives. */
const LENGTHS = {
  1: { sharp: [-13, -20], all: [16, 8, 0, -8, -13, -20, -26, -32, -38, -44, -50, -56] },
  2: { sharp: [-7, -10], all: [8, 0, -4, -6, -8, -10, -12, -15, -18, -21, -24] },
} as const;
/** The length that the variation of functions is found with: short, as it is that of the state. */
const LOCAL = 2 ** -26;
/** Parts of a length at which quotients are taken: the noise of second ones needs three to be seen. */
const PARTS = { 1: [1, 1 / 2], 2: [1, 1 / 2, 3 / 4] } as const;

/** Quotients of one length, by row. */
interface Quotients {
  readonly low: number;
  readonly high: number;
  /** Width, rounding included, and the part of rounding. */
  readonly width: number;
  readonly rounding: number;
  /** The largest value that was sampled. */
  readonly largest: number;
  /** Central ones, extrapolated, and how far they are apart. */
  readonly best: number;
  readonly apart: number;
}

/** Compares the derivatives of a line; what agrees is not in the result. */
export function compareLine(line: Line, column = 0): Contradiction[] {
  return agreesSharply(line) ? [] : judge(line, column);
}

/** Derivatives by several coordinates: rows by columns. */
export interface GivenMatrix extends Pick<Line, "rows" | "residual"> {
  readonly columns: number;
  readonly given: (row: number, column: number) => number;
  /** The coordinates. */
  readonly x: ArrayLike<number>;
  /** Writes the functions for other coordinates. */
  readonly at: (x: Float64Array, out: Float64Array) => void;
}

/** What a displacement of a coordinate is small against. */
export function scaleOf(x: number): number {
  return Math.max(1, Math.abs(x));
}

/** How much functions change with their coordinates, by row. */
export function variationOf({
  rows,
  x,
  at,
}: Pick<GivenMatrix, "rows" | "x" | "at">): (row: number) => number {
  const moved = new Float64Array(x.length);
  const [before, after] = [-LOCAL, LOCAL].map((s) => {
    const sample = (_: number, out: Float64Array) => {
      for (let j = 0; j < moved.length; j++)
        moved[j] = x[j]! + s * scaleOf(x[j]!) * DIRECTIONS[0]!(j);
      at(moved, out);
    };
    return sampled({ rows, sample }, s);
  });
  // Where it is not defined on both sides, everything may be rounding.
  return (row) => Math.abs(after![row]! - before![row]!) / (2 * LOCAL);
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

/** Which calls of a function are compared: the first one and a later one. */
export const COMPARED_CALLS: readonly number[] = [0, 40];

/**
 * A derivative by time that is compared with the function it belongs to, at the first call and at a later one. `refuse`
 * gets what it gives and what differences give.
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
  // Apart, as closures over t would make an object in each call.
  return (t) => {
    const given = rate(t);
    if (COMPARED_CALLS.includes(calls++)) compare(t, given);
    return given;
  };
}

/** Two directions whose parts have different sizes and signs, the same ones in each run. */
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
  for (const power of LENGTHS[order].sharp) {
    const found = quotientsOf(line, middle, 2 ** power);
    for (const row of open) {
      const { best, apart, rounding } = found(row);
      const value = given(row);
      const most = Math.max(size?.(row) ?? 0, Math.abs(value), Math.abs(best));
      const error = apart + rounding;
      const isClose = Math.abs(value - best) <= SHARP * most + 4 * error;
      // Zeros, as at rest, are smaller than what rounding leaves of them.
      const isZero = value === 0 && Math.abs(best) + apart <= rounding;
      if (isZero || (isClose && error <= SURE * most)) open.delete(row);
    }
    if (open.size === 0) return true;
  }
  return false;
}

/** Asks all lengths. */
function judge(line: Line, column: number): Contradiction[] {
  const { rows, given, offset, order = 1, residual, loose, variation } = line;
  const least = (row: number) =>
    residual ? (RELIANCE * Math.abs(residual(row))) / variation(row) : 0;
  const middle = sampled(line, 0);
  const votes = Array.from({ length: rows }, () => ({
    isSure: false,
    agree: 0,
    near: 0,
    contradict: 0,
    possible: 0,
    /** What the shortest length said that is not too wide to say anything. */
    last: "nothing" as "nothing" | "agrees" | "possible" | "differs",
    /** How far off the given one was where the last length differed. */
    off: 0,
    /** Lengths that contradict the given one, and agree with the longer one that did before. */
    settled: 0,
    contradicting: Number.NaN,
    /** Of the narrowest interval. */
    found: Number.NaN,
    width: Number.POSITIVE_INFINITY,
    /** The width of the length before. */
    before: 0,
  }));
  for (const power of LENGTHS[order].all) {
    const h = 2 ** power;
    if (h < SPACINGS * Number.EPSILON * offset) break;
    const quotients = quotientsOf(line, middle, h);
    for (let row = 0; row < rows; row++) {
      const { low, high, width, largest } = quotients(row);
      if (!Number.isFinite(width)) continue;
      const vote = votes[row]!;
      const value = given(row);
      const size = Math.max(Math.abs(low), Math.abs(high));
      const distance = Math.max(low - value, value - high, 0);
      // A derivative that is zero, or small against the given one: intervals shrink with their lengths. Those of a function
      // that is stiffer than its lengths grow.
      const isSmall = width <= WRONG * Math.abs(value) && width < SHRINKING * vote.before;
      vote.before = width;
      if (width < vote.width) Object.assign(vote, { width, found: (low + high) / 2 });
      const isZero = size <= (ROUNDING * largest) / h ** order && width <= ZERO * Math.abs(value);
      const isNarrow = width <= NARROW * size;
      if (!(isNarrow || isZero || isSmall)) {
        if (distance <= width) vote.possible++;
        continue;
      }
      const most = Math.max(size, Math.abs(value));
      const allowed = WIDTHS * width + (loose?.(row) ?? 0) * most;
      const beyond = distance - allowed;
      const isLocal = power < 0 || (isNarrow && least(row) > LOCAL_LENGTH);
      if (!isLocal || Number.isNaN(beyond)) {
        // Long lengths may show that a function means what local noise hides, and no more.
        if (distance <= allowed) vote.possible++;
      } else if (beyond <= DOUBTFUL * most) {
        const agrees = allowed <= NARROW * most;
        // A length that would not see the difference does not contradict one that saw it.
        if (vote.off === 0 || allowed < vote.off) vote.last = agrees ? "agrees" : "possible";
        if (agrees) vote.agree++;
        else vote.possible++;
        vote.isSure ||= allowed <= WIDTHS * DOUBTFUL * most;
      } else if (!(h >= least(row))) {
        // Nor where the least length is not known.
        vote.possible++;
      } else {
        // A staircase does not change at all within a step, and is right over many.
        if (!isZero) Object.assign(vote, { last: "differs", off: distance });
        if (distance <= WRONG * most) vote.near++;
        else {
          const middle = isNarrow ? (low + high) / 2 : 0;
          if (Math.abs(middle - vote.contradicting) <= WRONG * Math.abs(middle)) vote.settled++;
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

/** The functions at a displacement; NaN where they have no value. */
export function sampled({ rows, sample }: Pick<Line, "rows" | "sample">, s: number): Float64Array {
  const out = new Float64Array(rows);
  try {
    sample(s, out);
  } catch {
    // Beyond where the function is defined. At the state itself the run calls it, and reports what it throws.
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
  const sides: readonly Side[] = PARTS[order].map((part) => ({
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
      // Second derivatives of both sides, which differ where a curvature jumps.
      const [{ s, after, before }, near] = sides as [Side, Side];
      take((4 * (after[row]! - 2 * near.after[row]! + at)) / (s * s));
      take((4 * (before[row]! - 2 * near.before[row]! + at)) / (s * s));
    }
    const rounding = (ROUNDING * (largest + variation(row))) / h ** order;
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
