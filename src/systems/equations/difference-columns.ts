import { ORDER_4, ORDER_6 } from "../../base/algebra/differences.js";
import type { Workspace } from "../../base/memory/workspace.js";

/** Writes a function's values at x. */
type VectorFunction = (x: Float64Array, value: Float64Array) => void;

/**
 * Both derivatives of a function by one of its arguments, of order 6, and their differences from those of order 4.
 * These show the scale on which the function varies, and its rounding errors.
 */
class TwoOrders {
  /** The base point. */
  readonly x: Float64Array<ArrayBuffer>;
  /** f' and f'', and their differences from order 4, by row. */
  readonly first: Float64Array<ArrayBuffer>;
  readonly second: Float64Array<ArrayBuffer>;
  readonly firstOff: Float64Array<ArrayBuffer>;
  readonly secondOff: Float64Array<ArrayBuffer>;
  readonly #sample: VectorFunction;
  readonly #middle: Float64Array<ArrayBuffer>;
  readonly #ahead: Float64Array<ArrayBuffer>;
  readonly #behind: Float64Array<ArrayBuffer>;

  constructor(count: number, rows: number, sample: VectorFunction) {
    const values = () => new Float64Array(rows);
    this.#sample = sample;
    this.x = new Float64Array(count);
    this.first = values();
    this.second = values();
    this.firstOff = values();
    this.secondOff = values();
    this.#middle = values();
    this.#ahead = values();
    this.#behind = values();
  }

  /**
   * Sets the base point, which may have more entries than arguments, and optionally its value, which second
   * derivatives need.
   */
  stand(x: ArrayLike<number>, withValue: boolean): void {
    for (let i = 0; i < this.x.length; i++) this.x[i] = x[i] as number;
    if (withValue) this.#sample(this.x, this.#middle);
  }

  /** Quotients use the increment of x after rounding. */
  derive(argument: number, h: number): void {
    const { x } = this;
    const at = x[argument] as number;
    this.first.fill(0);
    this.second.fill(0);
    this.firstOff.fill(0);
    this.secondOff.fill(0);
    try {
      for (let k = 1; k <= ORDER_6.length; k++) {
        const ahead = at + k * h;
        const behind = at - k * h;
        x[argument] = ahead;
        this.#sample(x, this.#ahead);
        x[argument] = behind;
        this.#sample(x, this.#behind);
        this.#add(k, ahead - at, at - behind);
      }
    } finally {
      x[argument] = at;
    }
  }

  #add(k: number, forward: number, backward: number): void {
    const weight = ORDER_6[k - 1] as number;
    const off = (ORDER_4[k - 1] ?? 0) - weight;
    const width = forward + backward;
    for (let row = 0; row < this.first.length; row++) {
      const ahead = this.#ahead[row] as number;
      const behind = this.#behind[row] as number;
      const middle = this.#middle[row] as number;
      const first = (ahead - behind) / width;
      const second = (2 * ((ahead - middle) / forward - (middle - behind) / backward)) / width;
      this.first[row] = (this.first[row] as number) + weight * first;
      this.second[row] = (this.second[row] as number) + weight * second;
      this.firstOff[row] = (this.firstOff[row] as number) + off * first;
      this.secondOff[row] = (this.secondOff[row] as number) + off * second;
    }
  }
}

/**
 * Steps are at most h = STEP_RATIO R, with R the length over which the function varies: |f^(k)| = A / R^(k - 1), A the
 * size of f'. The error of order 6, STEP_RATIO^6 / 140 = 2e-14, is then about that of rounding, 2 eps / STEP_RATIO =
 * 4e-14.
 */
const STEP_RATIO = 0.012;
/** Allowed difference between orders 4 and 6 in f', in units of A, and in h f'': both show that R is long enough. */
const FIRST_TOLERANCE = STEP_RATIO ** 4 / 30;
const SECOND_TOLERANCE = STEP_RATIO ** 5 / 90;

/**
 * Entries smaller than this fraction of the largest of their row are judged as if they had that size: they may be
 * rounding.
 */
const NEGLIGIBLE_FRACTION = 1e-4;
/** Tests finite-difference steps by comparing two orders. */
class DifferenceStepTest {
  readonly orders: TwoOrders;
  /** Whether the last measured step changed nothing. */
  isSilent = false;
  /** Largest |f'| of each row by any argument. */
  largest: Float64Array;
  /** Largest |f'| of each row by the arguments noted since {@link begin}. */
  readonly #seen: Float64Array<ArrayBuffer>;

  constructor(count: number, rows: number, sample: VectorFunction) {
    this.orders = new TwoOrders(count, rows, sample);
    this.largest = new Float64Array(rows);
    this.#seen = new Float64Array(rows);
  }

  /** Starts a series of measured arguments. */
  begin(): void {
    this.#seen.fill(0);
  }

  /** Ends the series: all arguments have been noted. */
  end(): void {
    this.largest.set(this.#seen);
  }

  /** Returns the error measure of a step; Infinity if the function has no values. */
  measure(j: number, h: number): number {
    const { first, second, firstOff, secondOff } = this.orders;
    this.isSilent = false;
    try {
      this.orders.derive(j, h);
    } catch {
      return Number.POSITIVE_INFINITY;
    }
    let worst = 0;
    this.isSilent = true;
    for (let row = 0; row < this.orders.first.length; row++) {
      if (first[row] !== 0 || second[row] !== 0) this.isSilent = false;
      const own = Math.max(
        Math.abs(first[row] as number),
        Math.abs((second[row] as number) * h) / STEP_RATIO,
      );
      const size = Math.max(own, NEGLIGIBLE_FRACTION * (this.largest[row] as number));
      if (size === 0) continue;
      const odd = Math.abs(firstOff[row] as number) / (size * FIRST_TOLERANCE);
      const even = Math.abs((secondOff[row] as number) * h) / (size * SECOND_TOLERANCE);
      if (!(odd + even < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
      worst = Math.max(worst, odd, even);
    }
    return worst;
  }

  /** Relative difference of the first derivatives of two orders. */
  disagreement(j: number, h: number): number {
    const { first, firstOff } = this.orders;
    this.orders.derive(j, h);
    let worst = 0;
    for (let row = 0; row < this.orders.first.length; row++) {
      const size = Math.max(Math.abs(first[row] as number), (this.largest[row] as number) / 8);
      if (size > 0) worst = Math.max(worst, Math.abs(firstOff[row] as number) / size);
    }
    return worst;
  }

  /** Includes the measured argument in the largest |f'|. */
  note(): void {
    for (let row = 0; row < this.orders.first.length; row++) {
      const size = Math.abs(this.orders.first[row] as number);
      if (size < Number.POSITIVE_INFINITY) {
        this.#seen[row] = Math.max(this.#seen[row] as number, size);
      }
    }
  }
}

/** First step of the search: fits functions that vary over a unit of length, or a radian. */
const FIRST_STEP = 2 ** -7;
/** Maximum relative step: linear functions have no length scale R. */
const MAX_STEP = 2 ** -5;
/** Maximum number of halvings. */
const MAX_HALVINGS = 32;
/** Ratio of error measures above which the step is searched again, and below which it may grow. */
const RESEARCH_RATIO = 16;
const GROWTH_RATIO = 1 / 64;
/** Ratio of a neighbouring step to a step: shorter, and not a power of two. */
const NEIGHBOUR_RATIO = 13 / 16;
/** Fraction of a step at which orders differ by rounding alone, and the effect of that noise on second derivatives. */
const NOISE_STEP_FRACTION = 2 ** -5;
const NOISE_FACTOR = (NOISE_STEP_FRACTION * 3.65) / 0.153 / 25 / STEP_RATIO;

/**
 * The derivatives of a function by each of its arguments. Each argument has its own step that fits the function: the
 * longest at which two orders of finite differences agree, in f' and, as f may be even about x, in f''. The steps lie
 * in memory that is saved and restored.
 */
export class DifferenceColumns {
  /** Number of arguments. */
  readonly count: number;
  readonly #rows: number;
  readonly #judge: DifferenceStepTest;
  /** The step of each argument, 0 before it is found, and its error measure: up to 1 is good. */
  #steps: Float64Array;
  #errors: Float64Array;

  constructor(count: number, rows: number, sample: VectorFunction) {
    this.count = count;
    this.#rows = rows;
    this.#judge = new DifferenceStepTest(count, rows, sample);
    this.#steps = new Float64Array(count);
    this.#errors = new Float64Array(count);
  }

  /** Number of values for {@link remember}. */
  get memory(): number {
    return 2 * this.count + this.#rows;
  }

  /** Places the steps in this memory. */
  remember(memory: Float64Array): void {
    this.#steps = memory.subarray(0, this.count);
    this.#errors = memory.subarray(this.count, 2 * this.count);
    this.#judge.largest = memory.subarray(2 * this.count);
  }

  get isFound(): boolean {
    return (this.#steps[0] as number) > 0;
  }

  /** The length R over which the function varies with an argument, up to the longest relevant one. */
  lengthOf(argument: number): number {
    return (this.#steps[argument] as number) / STEP_RATIO;
  }

  shortestLength(): number {
    return this.#steps.reduce((least, step) => Math.min(least, step)) / STEP_RATIO;
  }

  /** Number of these lengths passed per unit of time. Velocities of quantities that are not arguments do not count. */
  changeRate(velocity: ArrayLike<number>): number {
    let rate = 0;
    for (let j = 0; j < this.count; j++) rate += Math.abs(velocity[j] as number) / this.lengthOf(j);
    return rate;
  }

  /**
   * Relative error of second derivatives; 0 if none were evaluated. Rounding: at a step shorter by NOISE_STEP_FRACTION
   * orders 4 and 6 differ by 0.153 sigma / h, sigma the noise of f, and second derivatives along a line, with steps of
   * 5 h, are wrong by 3.65 sigma / (5 h)^2. Kinks: the difference between the orders at the step itself.
   */
  errorAt(x: ArrayLike<number>): number {
    if (!this.isFound) return 0;
    let worst = 0;
    this.#judge.orders.stand(x, true);
    for (let j = 0; j < this.count; j++) {
      const h = this.#steps[j] as number;
      const noise = this.#judge.disagreement(j, h * NOISE_STEP_FRACTION) * NOISE_FACTOR;
      const corner = (this.#errors[j] as number) > 1 ? this.#judge.disagreement(j, h) : 0;
      worst = Math.max(worst, noise, corner);
    }
    return worst;
  }

  /** The derivatives by one argument. If the function is not defined at that distance, shorter steps are used. */
  column(x: ArrayLike<number>, argument: number, out: Float64Array, offset = 0, stride = 1): void {
    const orders = this.#judge.orders;
    let h = this.#steps[argument] as number;
    orders.stand(x, false);
    for (let halvings = 0; ; halvings++, h /= 2) {
      orders.derive(argument, h);
      if (orders.first.every(Number.isFinite) || halvings === MAX_HALVINGS) break;
    }
    for (let row = 0; row < this.#rows; row++) {
      out[offset + row * stride] = orders.first[row] as number;
    }
  }

  /**
   * Fits the steps to the function around x: before the first use, and at the beginning of a step of a motion. Good
   * steps are unchanged, so that derivatives are smooth.
   */
  fit(x: ArrayLike<number>): void {
    const isFirst = !this.isFound;
    this.#judge.orders.stand(x, true);
    if (isFirst) {
      this.#steps.fill(FIRST_STEP);
      this.#judge.begin();
      for (let j = 0; j < this.count; j++) {
        this.#judge.measure(j, FIRST_STEP);
        this.#judge.note();
      }
      this.#judge.end();
    }
    this.#judge.begin();
    for (let j = 0; j < this.count; j++) this.#fitOne(x, j, isFirst);
    this.#judge.end();
  }

  #fitOne(x: ArrayLike<number>, j: number, isFirst: boolean): void {
    const h = this.#steps[j] as number;
    const error = this.#judge.measure(j, h);
    this.#judge.note();
    const good = isFirst ? 1 : Math.max(1, RESEARCH_RATIO * (this.#errors[j] as number));
    if (error <= 1) {
      if (!isFirst && error > GROWTH_RATIO) this.#keep(j, h, error);
      else this.#grow(x, j, h, error);
    } else if (error <= good) this.#improve(j, h, error);
    else this.#search(x, j);
  }

  #keep(j: number, h: number, error: number): void {
    this.#steps[j] = h;
    this.#errors[j] = error;
  }

  /**
   * Lengthens a step while it remains good, since longer steps reduce rounding errors. If the values do not change at
   * all, the function does not depend on the argument, or only rounding is visible: the step then grows beyond the
   * range of rounding, too.
   */
  #grow(x: ArrayLike<number>, j: number, h: number, error: number): void {
    this.#keep(j, h, error);
    const isSilent = this.#judge.isSilent;
    const longest =
      MAX_STEP * (isSilent ? largest(x, this.count) : Math.max(1, Math.abs(x[j] as number)));
    for (let next = 2 * h; next <= longest; next *= 2) {
      const found = this.#judge.measure(j, next);
      if (found <= 1) this.#keep(j, next, found);
      else if (!isSilent) return;
    }
  }

  /** If rounding or kinks leave no good step, takes the better neighbour, as conditions nearby may change. */
  #improve(j: number, h: number, error: number): void {
    this.#keep(j, h, error);
    const longer = this.#judge.measure(j, 2 * h);
    if (longer < error / 2) this.#keep(j, 2 * h, longer);
    const shorter = this.#judge.measure(j, h / 2);
    if (shorter < Math.min(error / 2, longer)) this.#keep(j, h / 2, shorter);
  }

  /**
   * Finds the longest good step below the first one, or, if rounding spoils these, the longest above it; else the best
   * one.
   */
  #search(x: ArrayLike<number>, j: number): void {
    this.#keep(j, FIRST_STEP, Number.POSITIVE_INFINITY);
    const isRounding =
      this.#judge.measure(j, 4 * FIRST_STEP) < this.#judge.measure(j, FIRST_STEP / 4);
    if (isRounding && this.#searchAbove(x, j)) return;
    for (let i = 0, h = FIRST_STEP; i <= MAX_HALVINGS; i++, h /= 2) if (this.#isGood(j, h)) return;
    if (!isRounding) this.#searchAbove(x, j);
  }

  #searchAbove(x: ArrayLike<number>, j: number): boolean {
    let found = false;
    for (let h = 2 * FIRST_STEP; h <= MAX_STEP * largest(x, this.count); h *= 2) {
      if (this.#isGood(j, h)) found = true;
      else if (found) break;
    }
    return found;
  }

  /** Tests a step and a neighbouring one, since rounding errors of differences may agree by chance. */
  #isGood(j: number, h: number): boolean {
    const error = this.#judge.measure(j, h);
    // The step is so short that the increment vanishes in rounding.
    if (this.#judge.isSilent) return false;
    const both = Math.max(error, this.#judge.measure(j, h * NEIGHBOUR_RATIO));
    if (both <= 1 || both < (this.#errors[j] as number)) this.#keep(j, h, both);
    return both <= 1;
  }
}

/** The largest magnitude of some values, or 1. */
function largest(x: ArrayLike<number>, count: number): number {
  let most = 1;
  for (let i = 0; i < count; i++) most = Math.max(most, Math.abs(x[i] as number));
  return most;
}

/** Places the steps in the memory of a workspace. */
export function remembered(
  workspace: Workspace,
  name: string,
  columns: DifferenceColumns,
): DifferenceColumns {
  const segment = workspace.reserve(name, columns.memory);
  workspace.whenSealed((arena) => columns.remember(arena.floats(segment)));
  return columns;
}
