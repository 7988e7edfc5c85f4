// Finds the sign changes of an event function within a step, however often it oscillates there.
//
// A window is sampled at five even points. The quartic through them is compared with the function at points that are uneven, so that
// no frequency hides between all samples. Where they differ, the window is halved, which needs two more even points in
// each half. Windows begin as wide as those of the last step that agreed: a function that oscillates is sampled by its
// own scale, and steps that grow cannot step over that scale.
//
// Two zeros between neighbouring points show as a dip of the quartic towards zero; the function is evaluated at its bottom.
//
// Rejected: bounds on the rate of the function (Park and Barton 1996), which need derivatives of user functions; more even samples, which
// only move the frequency that is missed.

/** Difference from the quartic up to which it describes the function, in parts of the range of values. */
const AGREEMENT = 0.02;
/** The same for windows of twice the width: the difference grows by 2^5. */
const AGREEMENT_AT_TWICE = AGREEMENT / 32;
/** Values farther from zero than this many times their range have no zero between them. */
const FAR_FROM_ZERO = 4;
/** Ranges of values below this many times their noise show nothing. */
const ABOVE_NOISE = 1e3;
/** Noise below this part of the largest value is that of a value that stays at zero. */
const NOISE_PART = 1e-6;
/** Values that were never larger than this, and follow no curve, are rounding of zero. */
const ROUNDING = 1e-13;
/** A window is not halved more often. */
const MAX_DEPTH = 14;
/** Samples of a step; fewer after steps where they were not enough, down to the least. */
export const MAX_SAMPLES = 131072;
const MIN_SAMPLES = 64;
/** Windows a step begins with at most. */
const MAX_WINDOWS = 4096;
/** Part of the length of a step in which zeros may be missing and no note is made: jumps are no oscillation. */
const MISSED_PART = 0.02;
/** Predicted bottoms of dips above this part of the range are not evaluated. */
const DIP_RANGE = 0.05;
/** Evaluations in search of the bottom of a dip. */
const DIP_SEARCH = 10;

/** Uneven points of a window, in quarters, each between others: the first and third are enough where windows agreed before. */
const PROBES = [0.382, 1.296, 2.618, 3.472] as const;
const PROBE_WEIGHTS = PROBES.map(lagrangeWeights);
/** Weights of the derivative of the quartic at the even points, times 12, in quarters. */
const SLOPES = [
  [-25, 48, -36, 16, -3],
  [-3, -10, 18, -6, 1],
  [1, -8, 0, 8, -1],
  [-1, 6, -18, 10, 3],
  [3, -16, 36, -48, 25],
] as const;

/** Samples one event function and reports the intervals between its samples in order. */
export class EventScan {
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
  /** Takes an interval and the values at its ends; false ends the search. */
  readonly #examine: (a: number, b: number, before: number, value: number) => boolean;
  /** Values at the even points of windows that are open, five for each depth. */
  readonly #values = new Float64Array(5 * (MAX_DEPTH + 2));
  #left = 0;
  #leaves = 0;
  #missed = 0;
  #isSplit = false;
  #worst = 0;
  #noiseNow = Number.NaN;
  #isKnown = false;
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

  /** Examines the step from t with the value `first` there, and gives the last value. */
  step(t: number, h: number, first: number): number {
    const length = Math.abs(h);
    this.#isKnown = this.width >= length / 2;
    const windows =
      this.#isKnown || Number.isNaN(this.width)
        ? 1
        : Math.min(Math.ceil(length / this.width), MAX_WINDOWS);
    this.#left = this.samples;
    this.#leaves = 0;
    this.#missed = 0;
    this.#isSplit = false;
    this.isRounding = false;
    this.#worst = 0;
    this.#noiseNow = Number.NaN;
    this.#nextWidth = this.width;
    let value = first;
    let goesOn = true;
    for (let k = 0; k < windows && goesOn; k++) {
      const from = t + (h * k) / windows;
      const to = k === windows - 1 ? t + h : t + (h * (k + 1)) / windows;
      const values = this.#values;
      values[0] = value;
      values[2] = this.#evaluate(from + ((h / windows) * 2) / 4);
      values[4] = this.#evaluate(to);
      value = values[4];
      goesOn = this.#window(from, h / windows, to, 0);
    }
    this.isIncomplete = this.#missed > MISSED_PART * length;
    // Where a zero ended the search the rest of the step has not been examined.
    if (goesOn) this.#nextWidth = this.#judgedWidth(length, length / windows);
    return value;
  }

  /** The step is accepted. */
  accept(): void {
    this.width = this.#nextWidth;
    this.samples = this.isIncomplete
      ? Math.max(this.samples / 4, MIN_SAMPLES)
      : Math.min(this.samples * 2, MAX_SAMPLES);
  }

  #judgedWidth(length: number, window: number): number {
    if (this.#isSplit) return length / this.#leaves;
    const known = Number.isNaN(this.width) ? window : this.width;
    return this.#worst <= AGREEMENT_AT_TWICE ? Math.max(known, 2 * window) : known;
  }

  #evaluate(t: number): number {
    this.#left--;
    const value = this.#sample(t);
    if (Math.abs(value) > this.largest) this.largest = Math.abs(value);
    return value;
  }

  /** Examines a window whose values at both ends and in the middle are known; false where the search ends. */
  #window(from: number, width: number, to: number, depth: number): boolean {
    const values = this.#values;
    const at = 5 * depth;
    values[at + 1] = this.#evaluate(from + width / 4);
    values[at + 3] = this.#evaluate(from + (width * 3) / 4);
    const agrees = this.#agrees(from, width, depth);
    if (agrees || depth === MAX_DEPTH || this.#left <= 0) {
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

  /** Whether the even points show all sign changes of a window. */
  #agrees(from: number, width: number, depth: number): boolean {
    const values = this.#values;
    const at = 5 * depth;
    let low = values[at]!;
    let high = low;
    for (let k = 1; k < 5; k++) {
      low = Math.min(low, values[at + k]!);
      high = Math.max(high, values[at + k]!);
    }
    const isFresh = depth > 0 || !this.#isKnown;
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
    // Infinite values have no range, and nothing is found by halving.
    if (!(difference > AGREEMENT * range) || isFar(low, high)) return true;
    if (this.largest <= ROUNDING) {
      this.isRounding = true;
      return true;
    }
    // A jump or a steep rise from one sign to the other is one zero.
    if ((rises || falls) && low < 0 && high > 0) return true;
    if (Number.isNaN(this.#noiseNow)) this.#noiseNow = this.#noise();
    if (range > ABOVE_NOISE * this.#noiseNow) return false;
    // A value that stays at zero is noise there, but one that is noise everywhere is no function.
    if (range > NOISE_PART * this.largest) this.#missed += Math.abs(width);
    return true;
  }

  /** Reports the intervals of a window. One that dips beyond zero is two. */
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

  /** A time between neighbouring points of equal sign at which the value has the other one; NaN if none is found. */
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
    const slack = AGREEMENT * range;
    if (!(down < slack && up > -slack && down < up)) return Number.NaN;
    const part = Math.min(Math.max(down / (down - up), 0.05), 0.95);
    // The cubic with these values and slopes, there.
    const rest = 1 - part;
    const bottom =
      before * rest * rest * (1 + 2 * part) +
      after * part * part * (3 - 2 * part) +
      part * rest * (rest * down - part * up);
    if (!(bottom <= DIP_RANGE * range)) return Number.NaN;
    return this.#descend(a, a + part * (b - a), b, before, after, sign);
  }

  /** Successive parabolic interpolation (Brent 1973, chapter 5), which ends where the value is beyond zero. */
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
    for (let i = 0; i < DIP_SEARCH && fm > 0; i++) {
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

/** Whether values are so far from zero, for their range, that no zero is among them. */
function isFar(low: number, high: number): boolean {
  return Math.max(low, -high) > FAR_FROM_ZERO * (high - low);
}

/** Weights of values at 0, 1, 2, 3, 4 in that of their quartic at x. */
function lagrangeWeights(x: number): readonly number[] {
  return [0, 1, 2, 3, 4].map((i) =>
    [0, 1, 2, 3, 4].reduce((product, j) => (j === i ? product : (product * (x - j)) / (i - j)), 1),
  );
}
