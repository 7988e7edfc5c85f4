import { ORDER_8, spacingAt } from "../../base/algebra/differences.js";
import type { DifferenceColumns } from "./difference-columns.js";

/**
 * Step along a line, as a fraction of the length over which a function varies: order 8 is then wrong by 1e-13 in
 * second derivatives, and rounding is 4 eps / STEP_RATIO^2.
 */
const STEP_RATIO = 0.06;
/** Number of steps beyond which there are no sample points. */
const OUTER_STEPS = ORDER_8.length + 1;
/** Maximum number of halvings if the function is not defined at that distance. */
const MAX_HALVINGS = 16;
/** Number of candidate steps, and the spacing of arguments, in their lengths, above which candidates are compared. */
const STEP_CANDIDATES = 64;
const COARSE_SPACING = 2 ** -46;

/** Rates of change, in lengths per second, treated as zero: the step for such a rate would be infinite. */
const MIN_CHANGE_RATE = 1e-300;

/** Writes the values of a function at a point and a time. */
export type SampledAt = (q: Float64Array, t: number, value: Float64Array) => void;

/**
 * Derivatives of a function along q + s v, t + s. The sample points are equidistant floating-point numbers: the
 * displacement s v is rounded to the spacing of the farthest of them, and so is q if its own spacing is finer.
 * Rounding then changes the direction by eps |q| / s, while points rounded one by one would cause an error of eps |q|
 * / s^2. If |q| is so large that this matters, s is chosen so that the displacement needs little rounding.
 */
export class DifferenceLine {
  readonly #count: number;
  readonly #rows: number;
  readonly #sample: SampledAt;
  /** The base point, the displacement of a step and the spacing, for q and then t. */
  readonly #middle: Float64Array<ArrayBuffer>;
  readonly #way: Float64Array<ArrayBuffer>;
  readonly #spacing: Float64Array<ArrayBuffer>;
  readonly #point: Float64Array<ArrayBuffer>;
  readonly #value: Float64Array<ArrayBuffer>;
  readonly #ahead: Float64Array<ArrayBuffer>;
  readonly #behind: Float64Array<ArrayBuffer>;

  constructor(count: number, rows: number, sample: SampledAt) {
    this.#count = count;
    this.#rows = rows;
    this.#sample = sample;
    this.#middle = new Float64Array(count + 1);
    this.#way = new Float64Array(count + 1);
    this.#spacing = new Float64Array(count + 1);
    this.#point = new Float64Array(count);
    this.#value = new Float64Array(rows);
    this.#ahead = new Float64Array(rows);
    this.#behind = new Float64Array(rows);
  }

  /**
   * The first derivative at a point, which is q and then t, with velocities, which are v and then 1. Both may omit the
   * time if the function does not depend on it. `lengths` holds the lengths over which it varies.
   */
  first(
    place: Float64Array,
    velocity: Float64Array,
    lengths: DifferenceColumns,
    out: Float64Array,
  ): void {
    this.#along(place, velocity, lengths, out, false);
  }

  /** The second derivative. */
  second(
    place: Float64Array,
    velocity: Float64Array,
    lengths: DifferenceColumns,
    out: Float64Array,
  ): void {
    this.#along(place, velocity, lengths, out, true);
  }

  #along(
    place: Float64Array,
    velocity: Float64Array,
    lengths: DifferenceColumns,
    out: Float64Array,
    twice: boolean,
  ): void {
    out.fill(0);
    const rate = lengths.changeRate(velocity);
    if (rate < MIN_CHANGE_RATE) return;
    let wanted = STEP_RATIO / rate;
    for (let i = 0; i <= MAX_HALVINGS; i++, wanted /= 2) {
      this.#space(place, velocity, wanted);
      const s = this.#chosen(velocity, lengths, wanted);
      this.#put(place, velocity, s);
      this.#sum(s, out, twice);
      if (out.every(Number.isFinite)) return;
    }
  }

  #sum(s: number, out: Float64Array, twice: boolean): void {
    out.fill(0);
    if (twice) this.#sampleAt(0, this.#value);
    for (let k = 1; k <= ORDER_8.length; k++) {
      this.#sampleAt(k, this.#ahead);
      this.#sampleAt(-k, this.#behind);
      const weight = ORDER_8[k - 1] as number;
      const factor = twice ? weight / (k * s * (k * s)) : weight / (2 * k * s);
      for (let row = 0; row < this.#rows; row++) {
        const ahead = this.#ahead[row] as number;
        const behind = this.#behind[row] as number;
        const value = this.#value[row] as number;
        const change = twice ? ahead - value + (behind - value) : ahead - behind;
        out[row] = (out[row] as number) + factor * change;
      }
    }
  }

  #sampleAt(k: number, value: Float64Array): void {
    const n = this.#count;
    for (let i = 0; i < n; i++) {
      this.#point[i] = (this.#middle[i] as number) + k * (this.#way[i] as number);
    }
    this.#sample(this.#point, (this.#middle[n] as number) + k * (this.#way[n] as number), value);
  }

  /** Sets the spacing of floating-point numbers at the farthest points. */
  #space(place: Float64Array, velocity: Float64Array, s: number): void {
    for (let i = 0; i <= this.#count; i++) {
      const way = s * (velocity[i] as number);
      this.#spacing[i] = spacingAt(Math.abs(place[i] as number) + OUTER_STEPS * Math.abs(way));
    }
  }

  /**
   * Returns a step near the requested one, not above it, in which the argument with the coarsest spacing moves by an
   * integer number of spacings, and the others nearly so.
   */
  #chosen(velocity: Float64Array, lengths: DifferenceColumns, wanted: number): number {
    let coarsest = -1;
    let most = COARSE_SPACING;
    for (let i = 0; i < lengths.count; i++) {
      const size = (this.#spacing[i] as number) / lengths.lengthOf(i);
      if (velocity[i] === 0 || size <= most) continue;
      coarsest = i;
      most = size;
    }
    if (coarsest < 0) return wanted;
    const unit = (this.#spacing[coarsest] as number) / Math.abs(velocity[coarsest] as number);
    const whole = Math.floor(wanted / unit);
    let best = wanted;
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < Math.min(STEP_CANDIDATES, whole / 2); k++) {
      const s = (whole - k) * unit;
      const off = this.#roundingOf(velocity, lengths, s);
      if (!(off < least)) continue;
      best = s;
      least = off;
    }
    return best;
  }

  /** Deviation of the displacements of a step from integer numbers of spacings, in lengths. */
  #roundingOf(velocity: Float64Array, lengths: DifferenceColumns, s: number): number {
    let sum = 0;
    for (let i = 0; i < lengths.count; i++) {
      const way = s * (velocity[i] as number);
      const spacing = this.#spacing[i] as number;
      if (way !== 0)
        sum += Math.abs(way - Math.round(way / spacing) * spacing) / lengths.lengthOf(i);
    }
    return sum;
  }

  #put(place: Float64Array, velocity: Float64Array, s: number): void {
    for (let i = 0; i <= this.#count; i++) {
      const at = place[i] as number;
      const way = s * (velocity[i] as number);
      const spacing = this.#spacing[i] as number;
      this.#middle[i] = way === 0 ? at : Math.round(at / spacing) * spacing;
      this.#way[i] = way === 0 ? 0 : Math.round(way / spacing) * spacing;
    }
  }
}
