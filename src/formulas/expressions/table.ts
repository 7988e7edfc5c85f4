// Functions given by tables of points.

import {
  checkKeys,
  descriptionError,
  isList,
  numbers,
  oneOf,
  ownOptions,
  show,
} from "../../base/checking/values.js";

// Cubic splines by their second derivatives M at the points x, with lengths h_i = x_(i+1) - x_i of
// intervals and slopes s_i = (y_(i+1) - y_i) / h_i of chords. On interval i the second derivative
// is a straight line; twice integrated, and through both points, with u = x - x_i:
//
//   y(u) = y_i + (s_i - h_i (2 M_i + M_(i+1)) / 6) u + M_i / 2 u^2 + (M_(i+1) - M_i) / (6 h_i) u^3
//
// The slopes of neighbours are equal at the points inside when
//
//   h_(i-1) M_(i-1) + 2 (h_(i-1) + h_i) M_i + h_i M_(i+1) = 6 (s_i - s_(i-1))          (1)
//
// The end conditions add two equations. Every system here is symmetric and diagonally
// dominant, so elimination needs no pivoting. (de Boor, A Practical Guide to Splines,
// chapter IV.)

/** Lengths of the intervals of a curve, and slopes of their chords. */
interface Chords {
  readonly lengths: Float64Array;
  readonly slopes: Float64Array;
}

/** End conditions of a spline. */
type EndCondition = "natural" | "level" | "periodic";

/** Four coefficients of a spline for each interval, of 1, u, u^2 and u^3. */
function splineCoefficients(x: Float64Array, y: Float64Array, ends: EndCondition): Float64Array {
  const chords = chordsOf(x, y);
  const bends = ends === "periodic" ? periodicBends(chords) : openBends(chords, ends);
  const out = new Float64Array(4 * chords.slopes.length);
  for (let i = 0; i < chords.slopes.length; i++) {
    const h = chords.lengths[i]!;
    const [left, right] = [bends[i]!, bends[i + 1]!];
    const slope = chords.slopes[i]! - (h * (2 * left + right)) / 6;
    out.set([y[i]!, slope, left / 2, (right - left) / (6 * h)], 4 * i);
  }
  return out;
}

/** Coefficients of straight lines between the points, in the same form. */
function chordCoefficients(x: Float64Array, y: Float64Array): Float64Array {
  const { slopes } = chordsOf(x, y);
  const out = new Float64Array(4 * slopes.length);
  for (let i = 0; i < slopes.length; i++) out.set([y[i]!, slopes[i]!], 4 * i);
  return out;
}

function chordsOf(x: Float64Array, y: Float64Array): Chords {
  const lengths = new Float64Array(x.length - 1);
  const slopes = new Float64Array(x.length - 1);
  for (let i = 0; i < lengths.length; i++) {
    lengths[i] = x[i + 1]! - x[i]!;
    slopes[i] = (y[i + 1]! - y[i]!) / lengths[i]!;
  }
  return { lengths, slopes };
}

/** Second derivatives at the points of a spline that is not periodic. */
function openBends({ lengths, slopes }: Chords, ends: EndCondition): Float64Array {
  const last = lengths.length;
  const diagonal = new Float64Array(last + 1);
  const beside = lengths.slice();
  const right = new Float64Array(last + 1);
  for (let i = 1; i < last; i++) {
    diagonal[i] = 2 * (lengths[i - 1]! + lengths[i]!);
    right[i] = 6 * (slopes[i]! - slopes[i - 1]!);
  }
  if (ends === "level") {
    // (1) with the slope 0 instead of the missing neighbour:
    //   2 h_0 M_0 + h_0 M_1 = 6 s_0,   h_(n-1) M_(n-1) + 2 h_(n-1) M_n = -6 s_(n-1).
    diagonal[0] = 2 * lengths[0]!;
    diagonal[last] = 2 * lengths[last - 1]!;
    right[0] = 6 * slopes[0]!;
    right[last] = -6 * slopes[last - 1]!;
  } else {
    // M_0 = M_n = 0, so their terms in the neighbouring equations vanish as well.
    diagonal[0] = 1;
    diagonal[last] = 1;
    beside[0] = 0;
    beside[last - 1] = 0;
  }
  return solveTridiagonal(diagonal, beside, right);
}

/**
 * Second derivatives of a periodic spline: M_n = M_0, and (1) holds there
 * with the last interval before the first. The other rows are tridiagonal in M_1 ... M_(n-1) with
 * M_0 on the right, so these are p + M_0 q with
 *
 *   T p = r,   T q = -(h_0, 0, ..., 0, h_(n-1)),
 *
 * and the row of M_0, 2 (h_(n-1) + h_0) M_0 + h_0 M_1 + h_(n-1) M_(n-1) = r_0, yields
 *
 *   M_0 = (r_0 - h_0 p_1 - h_(n-1) p_(n-1)) / (2 (h_(n-1) + h_0) + h_0 q_1 + h_(n-1) q_(n-1)).
 *
 * The denominator is a Schur complement of a positive definite matrix: it is positive.
 */
function periodicBends({ lengths, slopes }: Chords): Float64Array {
  const count = lengths.length;
  const inside = count - 1;
  const first = lengths[0]!;
  const final = lengths[count - 1]!;
  const diagonal = new Float64Array(inside);
  const right = new Float64Array(inside);
  for (let i = 0; i < inside; i++) {
    diagonal[i] = 2 * (lengths[i]! + lengths[i + 1]!);
    right[i] = 6 * (slopes[i + 1]! - slopes[i]!);
  }
  const coupling = new Float64Array(inside);
  coupling[0]! -= first;
  coupling[inside - 1]! -= final;
  const beside = lengths.subarray(1, count - 1);
  const p = solveTridiagonal(diagonal, beside, right);
  const q = solveTridiagonal(diagonal, beside, coupling);
  const reached = (part: Float64Array) => first * part[0]! + final * part[inside - 1]!;
  const own = 6 * (slopes[0]! - slopes[count - 1]!);
  const start = (own - reached(p)) / (2 * (final + first) + reached(q));
  const bends = new Float64Array(count + 1).fill(start);
  for (let i = 0; i < inside; i++) bends[i + 1] = p[i]! + start * q[i]!;
  return bends;
}

/** Solves a symmetric tridiagonal system by forward elimination without pivoting. */
function solveTridiagonal(
  diagonal: Float64Array,
  beside: Float64Array,
  right: Float64Array,
): Float64Array {
  const pivots = diagonal.slice();
  const out = right.slice();
  for (let i = 1; i < out.length; i++) {
    const factor = beside[i - 1]! / pivots[i - 1]!;
    pivots[i]! -= factor * beside[i - 1]!;
    out[i]! -= factor * out[i - 1]!;
  }
  for (let i = out.length - 1; i >= 0; i--) {
    const next = i + 1 < out.length ? beside[i]! * out[i + 1]! : 0;
    out[i] = (out[i]! - next) / pivots[i]!;
  }
  return out;
}

type Outside = "hold" | "repeat" | "extend";

/** Points of a function, with its interpolation and extrapolation. */
export interface TableOptions {
  /** Arguments, strictly increasing. */
  readonly x: readonly number[];
  /** Values, one for each argument. */
  readonly y: readonly number[];
  /** "cubic" (a spline with continuous second derivatives, the default) or "linear". */
  readonly interpolation?: "cubic" | "linear";
  /**
   * Beyond the ends: the last value ("hold", the default), periodic ("repeat"), or linear ("extend").
   */
  readonly outside?: Outside;
}

/** Points and pieces of a table; read-only. */
export interface TablePieces {
  readonly x: Float64Array;
  /** Coefficients of 1, u, u^2, u^3 for each piece: before the first point, between points, after the last. u starts at the preceding point. */
  readonly coefficients: Float64Array;
  /** Whether the table is periodic. */
  readonly repeats: boolean;
}

/** End conditions. A spline that holds its last value has zero slope at its ends, so that the slope is continuous. */
const ENDS: Readonly<Record<Outside, EndCondition>> = {
  hold: "level",
  repeat: "periodic",
  extend: "natural",
};

/**
 * A function through points, with its derivatives. At a discontinuity of a derivative, at a point or an end, the
 * right-hand value is used.
 *
 * @example
 * const lift = new Table({ x: [0, 1, 2, 3], y: [0, 0.02, 0.01, 0], outside: "repeat" });
 * lift.value(0.5);
 * lift.rate(7.25); // the same as at 1.25
 */
export class Table {
  readonly #x: Float64Array;
  readonly #repeats: boolean;
  /** Coefficients of 1, u, u^2, u^3 for each piece: before the first point, between points, after the last. */
  readonly #coefficients: Float64Array;
  /** Piece of the last call, since the next call is often in the same piece. */
  #piece = 0;

  constructor(given: TableOptions) {
    const options = ownOptions("table", given);
    checkKeys("table", options, ["x", "y"], ["interpolation", "outside"]);
    const { interpolation = "cubic", outside = "hold" } = options;
    oneOf("table", "interpolation", interpolation, ["cubic", "linear"]);
    oneOf("table", "outside", outside, ["hold", "repeat", "extend"]);
    const x = pointsOf(options.x);
    const y = Float64Array.from(numbers("table", "y", options.y, x.length));
    if (outside === "repeat") checkPeriod(y);
    const inside =
      interpolation === "linear"
        ? chordCoefficients(x, y)
        : splineCoefficients(x, y, ENDS[outside]);
    this.#x = x;
    this.#repeats = outside === "repeat";
    this.#coefficients = withEnds(inside, x, y, outside);
    if (!this.#coefficients.every(Number.isFinite)) {
      throw descriptionError("table", "points are too close together: slopes overflow");
    }
  }

  /** Value of the function. */
  value(x: number): number {
    return this.derivative(x, 0);
  }

  /** First derivative. */
  rate(x: number): number {
    return this.derivative(x, 1);
  }

  /** Second derivative. */
  acceleration(x: number): number {
    return this.derivative(x, 2);
  }

  /** Derivative of any order; order 0 is the function. */
  derivative(x: number, order: number): number {
    if (typeof x !== "number")
      throw descriptionError("table", `x is ${show(x)}, which is not a number`);
    if (typeof order !== "number")
      throw descriptionError("table", `order is ${show(order)}, which is not a number`);
    const place = this.#repeats ? this.#wrapped(x) : x;
    const piece = this.#pieceAt(place);
    const u = place - this.#x[Math.max(piece - 1, 0)]!;
    const at = 4 * piece;
    const b = this.#coefficients[at + 1]!;
    const c = this.#coefficients[at + 2]!;
    const d = this.#coefficients[at + 3]!;
    switch (order) {
      case 0:
        return ((d * u + c) * u + b) * u + this.#coefficients[at]!;
      case 1:
        return (3 * d * u + 2 * c) * u + b;
      case 2:
        return 6 * d * u + 2 * c;
      case 3:
        return 6 * d;
      default:
        return 0;
    }
  }

  /** Points and pieces of the table, for the compiler. */
  pieces(): TablePieces {
    return { x: this.#x, coefficients: this.#coefficients, repeats: this.#repeats };
  }

  /** Wraps an argument into the first period. */
  #wrapped(x: number): number {
    const first = this.#x[0]!;
    const last = this.#x[this.#x.length - 1]!;
    if (x >= first && x < last) return x;
    const period = last - first;
    const rest = (x - first) % period;
    return first + (rest < 0 ? rest + period : rest);
  }

  /** Number of points that are not after an argument; 0 before the first one. */
  #pieceAt(x: number): number {
    const points = this.#x;
    const kept = this.#piece;
    const isAfter = kept === 0 || x >= points[kept - 1]!;
    if (isAfter && (kept === points.length || x < points[kept]!)) return kept;
    let low = 0;
    let high = points.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (points[middle]! <= x) low = middle + 1;
      else high = middle;
    }
    this.#piece = low;
    return low;
  }
}

/** Adds the coefficients of the pieces before the first point and after the last. */
function withEnds(
  inside: Float64Array,
  x: Float64Array,
  y: Float64Array,
  outside: Outside,
): Float64Array {
  const out = new Float64Array(inside.length + 8);
  out.set(inside, 4);
  out[0] = y[0]!;
  const end = out.length - 4;
  out[end] = y[y.length - 1]!;
  if (outside === "extend") {
    const [b, c, d] = inside.subarray(-3) as unknown as [number, number, number];
    const u = x[x.length - 1]! - x[x.length - 2]!;
    out[1] = inside[1]!;
    out[end + 1] = (3 * d * u + 2 * c) * u + b;
  }
  // An argument rounded to the end of the period is the beginning of the next.
  if (outside === "repeat") out.copyWithin(end, 4, 8);
  return out;
}

function pointsOf(given: unknown): Float64Array {
  if (!isList(given))
    throw descriptionError("table", `x must be a list of numbers, not ${show(given)}`);
  if (given.length < 2) {
    throw descriptionError("table", `x must have at least 2 points, but has ${given.length}`);
  }
  const x = Float64Array.from(numbers("table", "x", given, given.length));
  for (let i = 1; i < x.length; i++) {
    if (x[i]! <= x[i - 1]!) {
      throw descriptionError("table", `x must increase, but x[${i}] = ${x[i]} follows ${x[i - 1]}`);
    }
  }
  return x;
}

function checkPeriod(y: Float64Array): void {
  const first = y[0]!;
  const last = y[y.length - 1]!;
  if (y.length < 3) {
    throw descriptionError("table", `a periodic table needs at least 3 points, got ${y.length}`);
  }
  if (first !== last) {
    throw descriptionError(
      "table",
      `a periodic table needs equal first and last y, got ${first} and ${last}`,
    );
  }
}
