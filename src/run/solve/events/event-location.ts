import { checkLimits } from "../../../base/run-limits.js";
import type { State } from "../../../interfaces/index.js";
import type { ModeSolver } from "../mode-solver/mode-solver.js";
import type { Setup } from "../setup/setup.js";
import { type CheckedEvent, checkedEvents, DISTURBANCE, noiseOf } from "./event-checks.js";

/** The zero at which an event occurred, until its value has left it. */
class EventZero {
  /** The value there, which rounding keeps from exact zero; NaN once it has been left. */
  value = Number.NaN;
  /** Uncertainty of values: the rate times the error of the time. */
  noise = 0;
  /** An action has changed the value. */
  moved = false;

  get isLeft(): boolean {
    return Number.isNaN(this.value);
  }

  leave(): void {
    this.value = Number.NaN;
  }

  /** Whether a value equals that of the event, up to noise. */
  isAt(value: number): boolean {
    return Math.abs(value - this.value) <= this.noise;
  }
}

// Finds the sign changes of an event function within a step, however often it oscillates there.
//
// A window is sampled at five equally spaced points. The quartic through them is compared with the function at
// unevenly spaced points, so that no frequency hides between all samples. If they differ, the window is halved, which
// needs two more equally spaced points in each half. Windows begin as wide as those of the last step that agreed: a
// function that oscillates is sampled at its own scale, and steps that grow cannot step over that scale.
//
// Two zeros between neighbouring points appear as a dip of the quartic towards zero; the function is evaluated at its
// minimum.
//
// Rejected: bounds on the rate of the function (Park and Barton 1996), which need derivatives of user functions; more
// equally spaced samples, which only move the frequency that is missed.

/** Difference from the quartic up to which it describes the function, as a fraction of the range of values. */
const AGREEMENT_FRACTION = 0.02;
/** That difference for windows of twice the width: it grows by 2^5. */
const AGREEMENT_FRACTION_AT_TWICE = AGREEMENT_FRACTION / 32;
/** Values farther from zero than this many times their range have no zero between them. */
const NO_ZERO_RATIO = 4;
/** Ranges of values below this multiple of their noise carry no information. */
const MIN_RANGE_TO_NOISE = 1e3;
/** Noise below this fraction of the largest value is that of a value that stays at zero. */
const NOISE_FRACTION = 1e-6;
/** Values that were never larger than this, and follow no curve, are zero up to rounding. */
const ZERO_TOLERANCE = 1e-13;
/** Maximum number of times a window is halved. */
const MAX_DEPTH = 14;
/** Maximum samples of a step; fewer after steps in which they did not suffice, down to the minimum. */
const MAX_SAMPLES = 131072;
const MIN_SAMPLES = 64;
/** Maximum number of initial windows of a step. */
const MAX_WINDOWS = 4096;
/** Fraction of a step in which zeros may be missing without a note: jumps are no oscillation. */
const MAX_MISSED_FRACTION = 0.02;
/** Predicted minima of dips above this fraction of the range are not evaluated. */
const MAX_DIP_FRACTION = 0.05;
/** Maximum evaluations in the search for the minimum of a dip. */
const MAX_DIP_EVALUATIONS = 10;

/**
 * Unevenly spaced points of a window, in quarters, one in each interval. The first and third suffice if windows
 * agreed before.
 */
const PROBES = [0.382, 1.296, 2.618, 3.472] as const;
const PROBE_WEIGHTS = PROBES.map(lagrangeWeights);
/** Weights of the derivative of the quartic at the equally spaced points, times 12, in quarters. */
const SLOPES = [
  [-25, 48, -36, 16, -3],
  [-3, -10, 18, -6, 1],
  [1, -8, 0, 8, -1],
  [-1, 6, -18, 10, 3],
  [3, -16, 36, -48, 25],
] as const;

/** Samples one event function and reports the intervals between its samples in order. */
class EventScan {
  /** Width of windows that agreed, NaN before the first step. */
  width = Number.NaN;
  samples = MAX_SAMPLES;
  /** Largest magnitude of values so far. */
  largest = 0;
  /** Zeros may be missing in the last step. */
  isIncomplete = false;
  /** Values of the last step are rounding of zero. */
  isRounding = false;
  readonly #sample: (t: number) => number;
  readonly #noise: () => number;
  /** Examines an interval given the values at its ends; false ends the search. */
  readonly #examine: (a: number, b: number, before: number, value: number) => boolean;
  /** Values at the equally spaced points of open windows, five for each depth. */
  readonly #values = new Float64Array(5 * (MAX_DEPTH + 2));
  #samplesLeft = 0;
  #leaves = 0;
  #missed = 0;
  #isSplit = false;
  #worst = 0;
  #noiseNow = Number.NaN;
  #hasAgreed = false;
  #nextWidth = Number.NaN;

  constructor(
    sample: (t: number) => number,
    noise: () => number,
    examine: (a: number, b: number, before: number, value: number) => boolean,
  ) {
    this.#sample = sample;
    this.#noise = noise;
    this.#examine = examine;
  }

  /** Examines the step from t with the value `first` there; returns the last value. */
  step(t: number, h: number, first: number): number {
    const length = Math.abs(h);
    this.#hasAgreed = this.width >= length / 2;
    const windows =
      this.#hasAgreed || Number.isNaN(this.width)
        ? 1
        : Math.min(Math.ceil(length / this.width), MAX_WINDOWS);
    this.#samplesLeft = this.samples;
    this.#leaves = 0;
    this.#missed = 0;
    this.#isSplit = false;
    this.isRounding = false;
    this.#worst = 0;
    this.#noiseNow = Number.NaN;
    this.#nextWidth = this.width;
    let value = first;
    let continues = true;
    for (let k = 0; k < windows && continues; k++) {
      const from = t + (h * k) / windows;
      const to = k === windows - 1 ? t + h : t + (h * (k + 1)) / windows;
      const values = this.#values;
      values[0] = value;
      values[2] = this.#evaluate(from + ((h / windows) * 2) / 4);
      values[4] = this.#evaluate(to);
      value = values[4];
      continues = this.#window(from, h / windows, to, 0);
    }
    this.isIncomplete = this.#missed > MAX_MISSED_FRACTION * length;
    // If a zero ended the search, the rest of the step has not been examined.
    if (continues) this.#nextWidth = this.#widthOfNext(length, length / windows);
    return value;
  }

  /** Updates the window width and the sample budget. Call when the step is accepted. */
  accept(): void {
    this.width = this.#nextWidth;
    this.samples = this.isIncomplete
      ? Math.max(this.samples / 4, MIN_SAMPLES)
      : Math.min(this.samples * 2, MAX_SAMPLES);
  }

  #widthOfNext(length: number, window: number): number {
    if (this.#isSplit) return length / this.#leaves;
    const known = Number.isNaN(this.width) ? window : this.width;
    return this.#worst <= AGREEMENT_FRACTION_AT_TWICE ? Math.max(known, 2 * window) : known;
  }

  #evaluate(t: number): number {
    this.#samplesLeft--;
    const value = this.#sample(t);
    if (Math.abs(value) > this.largest) this.largest = Math.abs(value);
    return value;
  }

  /** Examines a window whose values at both ends and in the middle are known; returns false if the search ends. */
  #window(from: number, width: number, to: number, depth: number): boolean {
    const values = this.#values;
    const at = 5 * depth;
    values[at + 1] = this.#evaluate(from + width / 4);
    values[at + 3] = this.#evaluate(from + (width * 3) / 4);
    const agrees = this.#agrees(from, width, depth);
    if (agrees || depth === MAX_DEPTH || this.#samplesLeft <= 0) {
      if (!agrees) this.#missed += Math.abs(width);
      this.#leaves++;
      return this.#intervals(from, width, to, at);
    }
    this.#isSplit = true;
    for (let half = 0; half <= 2; half += 2) {
      values[at + 5] = values[at + half]!;
      values[at + 7] = values[at + half + 1]!;
      values[at + 9] = values[at + half + 2]!;
      const start = half === 0 ? from : from + width / 2;
      const end = half === 0 ? from + width / 2 : to;
      if (!this.#window(start, width / 2, end, depth + 1)) return false;
    }
    return true;
  }

  /** Whether the equally spaced points show all sign changes of a window. */
  #agrees(from: number, width: number, depth: number): boolean {
    const values = this.#values;
    const at = 5 * depth;
    let low = values[at]!;
    let high = low;
    for (let k = 1; k < 5; k++) {
      low = Math.min(low, values[at + k]!);
      high = Math.max(high, values[at + k]!);
    }
    const isFresh = depth > 0 || !this.#hasAgreed;
    if (!isFresh && isFar(low, high)) return true;
    let difference = 0;
    let [rises, falls] = [true, true];
    for (let i = 0; i < 4; i++) {
      const [before, after] = [values[at + i]!, values[at + i + 1]!];
      let between = before;
      if (isFresh || i % 2 === 0) {
        between = this.#evaluate(from + (width * PROBES[i]!) / 4);
        const weights = PROBE_WEIGHTS[i]!;
        let predicted = 0;
        for (let k = 0; k < 5; k++) predicted += weights[k]! * values[at + k]!;
        difference = Math.max(difference, Math.abs(between - predicted));
        low = Math.min(low, between);
        high = Math.max(high, between);
      }
      rises &&= before <= between && between <= after;
      falls &&= before >= between && between >= after;
    }
    const range = high - low;
    if (range > 0) this.#worst = Math.max(this.#worst, difference / range);
    // Infinite values have no range, and halving finds nothing.
    if (!(difference > AGREEMENT_FRACTION * range) || isFar(low, high)) return true;
    if (this.largest <= ZERO_TOLERANCE) {
      this.isRounding = true;
      return true;
    }
    // A jump or a steep rise from one sign to the other is one zero.
    if ((rises || falls) && low < 0 && high > 0) return true;
    if (Number.isNaN(this.#noiseNow)) this.#noiseNow = this.#noise();
    if (range > MIN_RANGE_TO_NOISE * this.#noiseNow) return false;
    // A value that stays at zero is noise there, but one that is noise everywhere is no valid function.
    if (range > NOISE_FRACTION * this.largest) this.#missed += Math.abs(width);
    return true;
  }

  /** Reports the intervals of a window. An interval that dips beyond zero is split in two. */
  #intervals(from: number, width: number, to: number, at: number): boolean {
    const values = this.#values;
    for (let k = 1; k < 5; k++) {
      const a = from + (width * (k - 1)) / 4;
      const b = k === 4 ? to : from + (width * k) / 4;
      let before = values[at + k - 1]!;
      const value = values[at + k]!;
      let start = a;
      const bottom = before * value > 0 ? this.#dip(a, b, at, k) : Number.NaN;
      if (!Number.isNaN(bottom)) {
        const beyond = this.#evaluate(bottom);
        if (!this.#examine(a, bottom, before, beyond)) return false;
        start = bottom;
        before = beyond;
      }
      if (!this.#examine(start, b, before, value)) return false;
    }
    return true;
  }

  /**
   * Returns a time between neighbouring points of equal sign at which the value has the opposite sign; NaN if none is
   * found.
   */
  #dip(a: number, b: number, at: number, k: number): number {
    const values = this.#values;
    const sign = Math.sign(values[at + k]!);
    const before = sign * values[at + k - 1]!;
    const after = sign * values[at + k]!;
    let range = 0;
    let down = 0;
    let up = 0;
    for (let i = 0; i < 5; i++) {
      const value = sign * values[at + i]!;
      range = Math.max(range, Math.abs(value - before));
      down += (SLOPES[k - 1]![i]! / 12) * value;
      up += (SLOPES[k]![i]! / 12) * value;
    }
    const slack = AGREEMENT_FRACTION * range;
    if (!(down < slack && up > -slack && down < up)) return Number.NaN;
    const part = Math.min(Math.max(down / (down - up), 0.05), 0.95);
    // Value of the cubic with these values and slopes there.
    const remainder = 1 - part;
    const bottom =
      before * remainder * remainder * (1 + 2 * part) +
      after * part * part * (3 - 2 * part) +
      part * remainder * (remainder * down - part * up);
    if (!(bottom <= MAX_DIP_FRACTION * range)) return Number.NaN;
    return this.#descend(a, a + part * (b - a), b, before, after, sign);
  }

  /** Successive parabolic interpolation (Brent 1973, chapter 5), which ends once the value is beyond zero. */
  #descend(
    from: number,
    between: number,
    to: number,
    valueFrom: number,
    valueTo: number,
    sign: number,
  ): number {
    let [a, m, b, fa, fb] = [from, between, to, valueFrom, valueTo];
    let fm = sign * this.#evaluate(m);
    for (let i = 0; i < MAX_DIP_EVALUATIONS && fm > 0; i++) {
      const [left, right] = [m - a, b - m];
      const [first, second] = [(fm - fa) / left, (fb - fm) / right];
      const curvature = (second - first) / (left + right);
      const slope = first + curvature * left;
      if (!(curvature > 0) || fm - (slope * slope) / (4 * curvature) > fm / 2) return Number.NaN;
      const x = m - slope / (2 * curvature);
      if (!((x - a) * (b - x) > 0) || x === m) return Number.NaN;
      const fx = sign * this.#evaluate(x);
      const isFirst = (x - a) * (m - x) > 0;
      if (fx < fm) {
        if (isFirst) [b, fb] = [m, fm];
        else [a, fa] = [m, fm];
        [m, fm] = [x, fx];
      } else if (isFirst) [a, fa] = [x, fx];
      else [b, fb] = [x, fx];
    }
    return fm < 0 ? m : Number.NaN;
  }
}

/** Whether values are so far from zero, relative to their range, that no zero is among them. */
function isFar(low: number, high: number): boolean {
  return Math.max(low, -high) > NO_ZERO_RATIO * (high - low);
}

/** Weights of the values at 0, 1, 2, 3, 4 in the value of their quartic at x. */
function lagrangeWeights(x: number): readonly number[] {
  return [0, 1, 2, 3, 4].map((i) =>
    [0, 1, 2, 3, 4].reduce((product, j) => (j === i ? product : (product * (x - j)) / (i - j)), 1),
  );
}

/**
 * Finds a zero of a function between a and b, where its values have different signs, by Brent's method (Brent,
 * Algorithms for Minimization without Derivatives, 1973, chapter 4), to within `tolerance`. Returns the end of the
 * last bracket that lies beyond the zero, seen from a, so that the result is past the zero.
 */
function findRoot(
  value: (x: number) => number,
  from: number,
  to: number,
  valueFrom: number,
  valueTo: number,
  tolerance: number,
): number {
  let [a, b, fa, fb] = [from, to, valueFrom, valueTo];
  let [c, fc] = [a, fa];
  let d = b - a;
  let e = d;
  for (let i = 0; i < 200 && fb !== 0; i++) {
    if (fb > 0 === fc > 0) {
      [c, fc] = [a, fa];
      d = b - a;
      e = d;
    }
    if (Math.abs(fc) < Math.abs(fb)) {
      [a, b, c] = [b, c, b];
      [fa, fb, fc] = [fb, fc, fb];
    }
    const timeTolerance = 2 * Number.EPSILON * Math.abs(b) + tolerance / 2;
    const middle = (c - b) / 2;
    if (Math.abs(middle) <= timeTolerance) break;
    const step =
      Math.abs(e) >= timeTolerance && Math.abs(fa) > Math.abs(fb) ? interpolated() : undefined;
    [e, d] = step === undefined ? [middle, middle] : [d, step];
    [a, fa] = [b, fb];
    b += Math.abs(d) > timeTolerance ? d : Math.sign(middle) * timeTolerance;
    fb = value(b);

    /** Step by inverse quadratic or linear interpolation; undefined if it is not good enough. */
    function interpolated(): number | undefined {
      const s = fb / fa;
      let [p, q] = [2 * middle * s, 1 - s];
      if (a !== c) {
        const [r, t] = [fb / fc, fa / fc];
        p = s * (2 * middle * t * (t - r) - (b - a) * (r - 1));
        q = (t - 1) * (r - 1) * (s - 1);
      }
      if (p > 0) q = -q;
      p = Math.abs(p);
      const good = 2 * p < Math.min(3 * middle * q - Math.abs(timeTolerance * q), Math.abs(e * q));
      return good ? p / q : undefined;
    }
  }
  const beyond = fb === 0 || fb > 0 === valueTo > 0 ? b : c;
  return Math.abs(beyond - from) > Math.abs(to - from) ? to : beyond;
}

/** Accuracy of zeros, in units of time, relative to the time itself if that is large, or to a shorter span. */
const TIME_TOLERANCE = 1e-12;
/** Fraction of that accuracy for zeros on a polynomial and for ends of steps: the rest covers their errors. */
export const LOCATION_FRACTION = 1e-3;
/** Fraction of a step used to find the direction of a value. */
const PROBE_STEP_FRACTION = 1e-3;
/** Maximum halvings of a bracket in the search for the side an event came from. */
const MAX_HALVINGS = 40;

/**
 * A row that becomes active may hold its own condition at zero, like a gap that it closes. Then the condition does
 * not change, up to this multiple of its noise, along a path of this length, on which the curvature of a gap is
 * rounding.
 */
const HELD_CHANGE_NOISE = 4;
const LOOKAHEAD_PATH = 1e-7;
/**
 * Tolerances by which such a condition may be off before it counts again: between the ends of steps rows hold to the
 * tolerance.
 */
const HELD_TOLERANCES = 100;

const NO_EVENTS: ReadonlySet<number> = new Set();

/** A zero that was found. */
export interface Occurrence<T extends State> {
  readonly event: CheckedEvent<T>;
  readonly time: number;
  readonly rising: boolean;
}

/** Times with values of different sign, measured from the value that counts as zero. */
interface Bracket {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
  readonly zero: number;
}

/** Tracks the sign of each event function and locates sign changes. */
export class EventLocator<T extends State> {
  readonly events: readonly CheckedEvent<T>[];
  /** -1, 0 or 1: 0 while the side is unknown. */
  #sides: number[];
  #values: number[];
  #next: number[];
  readonly #lastZeros: EventZero[];
  /** Scans of the events, by event index. */
  readonly scans: readonly EventScan[];
  readonly #found: Occurrence<T>[] = [];
  /** Solver of the examined step. */
  #solver!: ModeSolver<T>;
  #end = 0;

  readonly #unit: number;

  /** `own` are events of the mechanism, indexed after the given ones. */
  constructor(
    { events, span, sources }: Pick<Setup<T>, "events" | "span" | "sources">,
    own: readonly CheckedEvent<T>[] = [],
  ) {
    this.events = [...checkedEvents<T>(events, Object.keys(sources)), ...own];
    this.#unit = Math.min(1, Math.abs(span[1] - span[0]));
    this.#sides = this.events.map(() => 0);
    this.#values = this.events.map(() => 0);
    this.#next = this.events.map(() => 0);
    this.#lastZeros = this.events.map(() => new EventZero());
    this.scans = this.events.map(
      (event) =>
        new EventScan(
          (at) => this.#sample(event, at),
          () => noiseOf(event, this.#solver, this.#end),
          (a, b, before, value) => this.#examine(event, a, b, before, value),
        ),
    );
  }

  save(): readonly number[] {
    return [
      ...this.#sides,
      ...this.#lastZeros.flatMap(({ value, noise }) => [value, noise]),
      ...this.scans.flatMap(({ width, samples, largest }) => [width, samples, largest]),
    ];
  }

  /** Whether saved values are of the same number of events. Snapshots of 0.2.0 contain no scans. */
  fits(saved: readonly number[]): boolean {
    const count = this.events.length;
    return saved.length === 3 * count || saved.length === 6 * count;
  }

  restore(saved: readonly number[]): void {
    const count = this.events.length;
    this.#sides = saved.slice(0, count);
    this.#lastZeros.forEach((lastZero, i) => {
      lastZero.value = saved[count + 2 * i] as number;
      lastZero.noise = saved[count + 2 * i + 1] as number;
    });
    this.scans.forEach((scan, i) => {
      const [width = Number.NaN, samples = MAX_SAMPLES, largest = 0] = saved.slice(3 * (count + i));
      Object.assign(scan, { width, samples, largest });
    });
  }

  /** Accuracy of the times of zeros. */
  timeTolerance(time: number): number {
    return TIME_TOLERANCE * Math.max(this.#unit, Math.abs(time));
  }

  /** Stores the values of events on which a step from t ends. */
  storeReached(solver: ModeSolver<T>, t: number, end: number, met: readonly Occurrence<T>[]): void {
    const nudge = 1e-4 * (end - t);
    for (const { event } of met) {
      const lastZero = this.#lastZeros[event.index] as EventZero;
      lastZero.value = event.value(solver.viewer.atAccepted(end));
      if (nudge === 0) continue;
      const rate =
        (lastZero.value - event.value(solver.viewer.atInterpolated(end - nudge))) / nudge;
      const noise = noiseOf(event, solver, end);
      lastZero.noise = Math.max(noise, this.timeTolerance(end) * Math.abs(rate));
    }
    this.#accept();
  }

  /**
   * Records which actions changed their event's value. Call after actions, before the state is projected onto the
   * constraints.
   */
  recordActions(solver: ModeSolver<T>, t: number, met: readonly Occurrence<T>[]): void {
    for (const { event } of met) {
      const lastZero = this.#lastZeros[event.index] as EventZero;
      const value = event.value(solver.viewer.atShown(t));
      lastZero.moved = !lastZero.isAt(value);
    }
  }

  /** Whether an event found at the start of a step has not left its zero since it occurred there. */
  isStuck(met: readonly Occurrence<T>[]): boolean {
    return met.some(({ event }) => !(this.#lastZeros[event.index] as EventZero).isLeft);
  }

  /**
   * Finds the side of each event at the accepted state. If the value is zero, or the event just occurred there, the
   * side is the one the value moves to. Events whose rate an action reversed are on the side they came from, even if
   * they barely leave zero.
   */
  arm(
    solver: ModeSolver<T>,
    t: number,
    h: number,
    met: readonly Occurrence<T>[] = [],
    bounced: ReadonlySet<number> = NO_EVENTS,
  ): void {
    for (const event of this.events) {
      const { index } = event;
      const lastZero = this.#lastZeros[index] as EventZero;
      const happened = met.find((each) => each.event === event);
      if (!event.counts(solver.mode)) {
        this.#sides[index] = 0;
        lastZero.leave();
      } else if (event.side)
        this.#armSide(event, event.side(solver.viewer.atAccepted(t)), solver, t);
      else if (!happened) this.#sides[index] = this.#side(event, solver, t, h);
      else {
        const value = event.value(solver.viewer.atAccepted(t));
        const came = happened.rising ? -1 : 1;
        const going =
          lastZero.moved && value !== 0 ? Math.sign(value) : this.#going(event, solver, t, h);
        lastZero.value = lastZero.moved ? Number.NaN : value;
        this.#sides[index] = bounced.has(index) ? came : going;
      }
    }
  }

  /**
   * Sets a known side, as for a rigid stop, which is never passed. A value within noise counts as zero until it is
   * left.
   */
  #armSide(event: CheckedEvent<T>, side: number, solver: ModeSolver<T>, t: number): void {
    const lastZero = this.#lastZeros[event.index] as EventZero;
    const hasSide = this.#sides[event.index] === side;
    this.#sides[event.index] = side;
    const { own } = event;
    // Another function decides when the row ends, and rounding in multipliers may be as large as they are.
    const isOther = own?.kind === "row" && own.isOneSided;
    if (isOther && side > 0) {
      lastZero.leave();
      return;
    }
    const value = event.value(solver.viewer.atAccepted(t));
    if (own?.kind === "row" && hasSide && lastZero.isAt(value)) return;
    const known = lastZero.isLeft || isOther ? 0 : lastZero.noise;
    const rounding = noiseOf(event, solver, t);
    const noise = Math.max(rounding, known);
    lastZero.value = Math.abs(value) <= noise ? value : Number.NaN;
    lastZero.noise = noise;
    if (own?.kind !== "row" || side < 0 || lastZero.isLeft) return;
    if (this.#changeAhead(event, solver, t) > HELD_CHANGE_NOISE * noise) return;
    const { relative, positions } = solver.trial.unknowns.weights;
    lastZero.noise = Math.max(
      noise,
      rounding * ((HELD_TOLERANCES * (relative + positions)) / DISTURBANCE),
    );
  }

  /** Change of a value in a short time along the motion. */
  #changeAhead(event: CheckedEvent<T>, solver: ModeSolver<T>, t: number): number {
    const { q, v } = solver.viewer.atAccepted(t);
    const value = event.value(solver.viewer.atAccepted(t));
    const speed = largestOf(v);
    const interval = Math.min(
      LOOKAHEAD_PATH * this.#unit,
      (LOOKAHEAD_PATH * (1 + largestOf(q))) / speed,
    );
    return Math.abs(event.value(solver.viewer.atExtrapolated(t, interval)) - value);
  }

  /** Side of an event that has not occurred now: its sign, unless that is noise. */
  #side(event: CheckedEvent<T>, solver: ModeSolver<T>, t: number, h: number): number {
    const lastZero = this.#lastZeros[event.index] as EventZero;
    const known = this.#sides[event.index] as number;
    const value = event.value(solver.viewer.atAccepted(t));
    if (lastZero.isAt(value)) return known;
    lastZero.leave();
    const noise = noiseOf(event, solver, t);
    if (!(Math.abs(value) <= noise)) return Math.sign(value);
    if (known !== 0) return known;
    lastZero.value = value;
    lastZero.noise = noise;
    return this.#going(event, solver, t, h, noise);
  }

  /** Finds the zeros in the step taken but not yet committed, in the order they occur. */
  find(solver: ModeSolver<T>, t: number, h: number): readonly Occurrence<T>[] {
    this.#found.length = 0;
    this.#solver = solver;
    this.#end = t + h;
    for (const event of this.events) {
      const { index } = event;
      this.#next[index] = this.#sides[index] as number;
      if (!event.counts(solver.mode)) continue;
      const first = event.value(solver.viewer.atBefore(t, solver.trial.before));
      this.#values[index] = (this.scans[index] as EventScan).step(t, h, first);
    }
    return this.#found.length < 2 ? this.#found : sortedByTime(this.#found, Math.sign(h));
  }

  /** Stores the sides at the end of the step. Call when the step is accepted as examined. */
  commit(): void {
    for (let i = 0; i < this.#sides.length; i++) {
      this.#sides[i] = this.#next[i] as number;
      const lastZero = this.#lastZeros[i] as EventZero;
      if (!lastZero.isAt(this.#values[i] as number)) lastZero.leave();
    }
    this.#accept();
  }

  #accept(): void {
    for (const scan of this.scans) scan.accept();
  }

  #sample(event: CheckedEvent<T>, t: number): number {
    checkLimits();
    const { viewer } = this.#solver;
    return event.value(t === this.#end ? viewer.atAccepted(t) : viewer.atInterpolated(t));
  }

  /** Searches for a zero between neighbouring samples; returns false if a step will be ended on it. */
  #examine(event: CheckedEvent<T>, a: number, b: number, before: number, value: number): boolean {
    const { index, direction } = event;
    const solver = this.#solver;
    const side = this.#next[index] as number;
    const zero = this.#zeroOf(index, value, side);
    if (zero === undefined || side === Math.sign(value - zero)) return true;
    if (
      value === 0 &&
      side !== 0 &&
      this.#touches(event, solver, b, (b - a) * PROBE_STEP_FRACTION, side)
    ) {
      return true;
    }
    // Exactly zero: the sign is decided later.
    this.#next[index] = Math.sign(value);
    if (side === 0) return true;
    const rising = side < 0;
    if (direction !== "both" && rising !== (direction === "rising")) return true;
    const bracket = { from: a, to: b, before: before - zero, after: value - zero, zero };
    const time = value === 0 ? b : this.#locate(event, solver, bracket, side);
    this.#found.push({ event, time, rising });
    return event.action === undefined;
  }

  /** Value that counts as zero: the value at the last event until it is left; undefined while it stays there. */
  #zeroOf(index: number, value: number, side: number): number | undefined {
    const lastZero = this.#lastZeros[index] as EventZero;
    if (lastZero.isAt(value)) return undefined;
    return lastZero.isLeft || side === 0 ? 0 : lastZero.value;
  }

  #locate(
    event: CheckedEvent<T>,
    solver: ModeSolver<T>,
    { from, to, before, after, zero }: Bracket,
    side: number,
  ): number {
    const value = (t: number) => event.value(solver.viewer.atInterpolated(t)) - zero;
    const lastZero = this.#lastZeros[event.index] as EventZero;
    let [a, valueA] = [from, before];
    // Just after an event the value is zero up to noise, and may leave the noise band only briefly. Start the bracket
    // outside the band: a sign change inside it is not an event. If the value never leaves the band, use its raw
    // sign.
    for (const noise of lastZero.isLeft ? [0] : [lastZero.noise, 0]) {
      for (let k = MAX_HALVINGS; k > 0 && !(side * valueA > noise); k--) {
        a = from + (to - from) / 2 ** k;
        valueA = value(a);
      }
      if (side * valueA > noise) break;
    }
    if (Math.sign(valueA) !== side) return from;
    return findRoot(value, a, to, valueA, after, LOCATION_FRACTION * this.timeTolerance(to));
  }

  /** Whether a value that is zero at a time is on the same side again right after it: the sign does not change. */
  #touches(
    { when }: CheckedEvent<T>,
    solver: ModeSolver<T>,
    t: number,
    nudge: number,
    side: number,
  ): boolean {
    // The function need not be defined beyond its zero.
    try {
      return Math.sign(when(solver.viewer.atInterpolated(t + nudge))) === side;
    } catch {
      return false;
    }
  }

  /** Side a value moves to from the accepted state: that of its rate, if it is more than noise. */
  #going(event: CheckedEvent<T>, solver: ModeSolver<T>, t: number, h: number, noise = 0): number {
    const value = event.value(solver.viewer.atAccepted(t));
    let change = event.value(solver.viewer.atExtrapolated(t, PROBE_STEP_FRACTION * h)) - value;
    // A function that oscillates may have reversed by then: its first change counts if it is no less steep.
    const first =
      event.value(solver.viewer.atExtrapolated(t, PROBE_STEP_FRACTION * PROBE_STEP_FRACTION * h)) -
      value;
    if (first * change < 0 && Math.abs(first) >= PROBE_STEP_FRACTION * Math.abs(change))
      change = first;
    return Math.abs(change) > noise ? Math.sign(change) : 0;
  }
}

function largestOf(values: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  return largest;
}

/** Defined outside so that no closure is allocated in a step. */
function sortedByTime<T extends State>(found: Occurrence<T>[], sign: number): Occurrence<T>[] {
  return found.sort((one, other) => sign * (one.time - other.time));
}
