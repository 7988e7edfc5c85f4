// Functions given by points.

import {
  checkKeys,
  descriptionError,
  isList,
  numbers,
  oneOf,
  ownOptions,
  show,
} from "../../ground/option-checks.js";
import { chordCoefficients, type Ends, splineCoefficients } from "./spline.js";

type Outside = "hold" | "repeat" | "extend";

/** Points of a function, and how it goes between and beyond them. */
export interface TableOptions {
  /** Strictly increasing. */
  readonly x: readonly number[];
  /** As many values. */
  readonly y: readonly number[];
  /** A cubic spline, with smooth first and second derivatives (if not given), or straight lines. */
  readonly interpolation?: "cubic" | "linear";
  /**
   * Beyond the ends: the last value (if not given), the same again and again, or a straight line.
   */
  readonly outside?: Outside;
}

/** A table as its points and pieces: not to be changed. */
export interface TablePieces {
  readonly x: Float64Array;
  /** Of 1, u, u^2, u^3, u from the point before, for each piece: before the first point, between points, after the last. */
  readonly coefficients: Float64Array;
  /** Whether it goes on with its first point after its last. */
  readonly repeats: boolean;
}

/** A spline that holds its last value is level at its ends: so its slope does not jump there. */
const ENDS: Readonly<Record<Outside, Ends>> = {
  hold: "level",
  repeat: "periodic",
  extend: "natural",
};

/**
 * A function through points, with its derivatives. Where one of them jumps, at a point or at an
 * end, it has the value of the right side.
 *
 * @example
 * const lift = new Table({ x: [0, 1, 2, 3], y: [0, 0.02, 0.01, 0], outside: "repeat" });
 * lift.value(0.5);
 * lift.rate(7.25); // the same as at 1.25
 */
export class Table {
  readonly #x: Float64Array;
  readonly #repeats: boolean;
  /** Of 1, u, u^2, u^3 for each piece: before the first point, between points, after the last. */
  readonly #coefficients: Float64Array;
  /** The piece of the last call: the next one is often in the same. */
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

  /** The function. */
  value(x: number): number {
    return this.derivative(x, 0);
  }

  /** Its first derivative. */
  rate(x: number): number {
    return this.derivative(x, 1);
  }

  /** Its second derivative. */
  acceleration(x: number): number {
    return this.derivative(x, 2);
  }

  /** The derivative of some order, for chains of them; order 0 is the function. */
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

  /** What it is made of, for those who compile it. */
  pieces(): TablePieces {
    return { x: this.#x, coefficients: this.#coefficients, repeats: this.#repeats };
  }

  /** The same place of the first period. */
  #wrapped(x: number): number {
    const first = this.#x[0]!;
    const last = this.#x[this.#x.length - 1]!;
    if (x >= first && x < last) return x;
    const period = last - first;
    const rest = (x - first) % period;
    return first + (rest < 0 ? rest + period : rest);
  }

  /** How many points are not after a place: 0 before the first one. */
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

/** Coefficients with those of the pieces before the first point and after the last. */
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
  // Where the rounding of a place makes it the end of the period, it is the beginning of the next.
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
      throw descriptionError(
        "table",
        `x must increase, but x[${i}] = ${x[i]} comes after ${x[i - 1]}`,
      );
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
