import type { Workspace } from "../../ground/memory/workspace.js";
import type { Sampled } from "./difference-orders.js";
import { DifferenceStepTest, RATIO } from "./difference-step-test.js";

/** Where the search begins: fits what varies over a unit of length, or a radian. */
const FIRST_STEP = 2 ** -7;
/** Longest relative step: linear functions have no length scale R. */
const LONGEST = 2 ** -5;
/** Halvings at most. */
const HALVINGS = 32;
/** Search again if the step became this much worse; let it grow if it became this much better. */
const MUCH_WORSE = 16;
const MUCH_BETTER = 1 / 64;
/** A step beside another, shorter and no power of two. */
const BESIDE = 13 / 16;
/** Part of a step at which orders differ by rounding alone, and what second derivatives make of that. */
const NOISE_PART = 2 ** -5;
const NOISE_FACTOR = (NOISE_PART * 3.65) / 0.153 / 25 / RATIO;

/**
 * The derivatives of a function by each of its arguments, with a step of its own for each that fits the function: the
 * longest at which two orders of differences agree, in f' and, as f may be even about x, in f''. The steps lie in
 * memory that is saved and restored.
 */
export class DifferenceColumns {
  /** Arguments. */
  readonly count: number;
  readonly #rows: number;
  readonly #judge: DifferenceStepTest;
  /** The step of each argument, 0 before it is found, and how well it does: up to 1 is good. */
  #steps: Float64Array;
  #errors: Float64Array;

  constructor(count: number, rows: number, sample: Sampled) {
    this.count = count;
    this.#rows = rows;
    this.#judge = new DifferenceStepTest(count, rows, sample);
    this.#steps = new Float64Array(count);
    this.#errors = new Float64Array(count);
  }

  /** How many numbers {@link remember} takes. */
  get memory(): number {
    return 2 * this.count + this.#rows;
  }

  /** Where the steps are kept. */
  remember(memory: Float64Array): void {
    this.#steps = memory.subarray(0, this.count);
    this.#errors = memory.subarray(this.count, 2 * this.count);
    this.#judge.largest = memory.subarray(2 * this.count);
  }

  get isFound(): boolean {
    return (this.#steps[0] as number) > 0;
  }

  /** The length R over which the function varies with an argument, as far as that matters. */
  lengthOf(argument: number): number {
    return (this.#steps[argument] as number) / RATIO;
  }

  shortestLength(): number {
    return this.#steps.reduce((least, step) => Math.min(least, step)) / RATIO;
  }

  /** How many of these lengths are passed in a unit of time. Velocities of what is no argument do not count. */
  changeRate(velocity: ArrayLike<number>): number {
    let rate = 0;
    for (let j = 0; j < this.count; j++) rate += Math.abs(velocity[j] as number) / this.lengthOf(j);
    return rate;
  }

  /**
   * Relative error of second derivatives; 0 if none were evaluated. Rounding: at a
   * step shorter by NOISE_PART orders 4 and 6 differ by 0.153 sigma / h, sigma the noise of f, and second derivatives along a
   * line, with steps of 5 h, are wrong by 3.65 sigma / (5 h)^2. Corners: by what the orders differ at the step itself.
   */
  errorAt(x: ArrayLike<number>): number {
    if (!this.isFound) return 0;
    let worst = 0;
    this.#judge.orders.stand(x, true);
    for (let j = 0; j < this.count; j++) {
      const h = this.#steps[j] as number;
      const noise = this.#judge.disagreement(j, h * NOISE_PART) * NOISE_FACTOR;
      const corner = (this.#errors[j] as number) > 1 ? this.#judge.disagreement(j, h) : 0;
      worst = Math.max(worst, noise, corner);
    }
    return worst;
  }

  /** The derivatives by one argument. Where the function is not defined as far away, nearer. */
  column(x: ArrayLike<number>, argument: number, out: Float64Array, offset = 0, stride = 1): void {
    const orders = this.#judge.orders;
    let h = this.#steps[argument] as number;
    orders.stand(x, false);
    for (let halvings = 0; ; halvings++, h /= 2) {
      orders.derive(argument, h);
      if (orders.first.every(Number.isFinite) || halvings === HALVINGS) break;
    }
    for (let row = 0; row < this.#rows; row++) {
      out[offset + row * stride] = orders.first[row] as number;
    }
  }

  /**
   * Fits the steps to the function around x: before others ask, and where a step of a motion begins. Steps that do well are
   * left alone, so that derivatives are smooth.
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
    const good = isFirst ? 1 : Math.max(1, MUCH_WORSE * (this.#errors[j] as number));
    if (error <= 1) {
      if (!isFirst && error > MUCH_BETTER) this.#keep(j, h, error);
      else this.#grow(x, j, h, error);
    } else if (error <= good) this.#improve(j, h, error);
    else this.#search(x, j);
  }

  #keep(j: number, h: number, error: number): void {
    this.#steps[j] = h;
    this.#errors[j] = error;
  }

  /**
   * Longer steps make less of rounding, while they do as well. Where nothing changed at all, the function does not depend on the
   * argument, or only rounding is seen: then beyond what rounding spoils, too.
   */
  #grow(x: ArrayLike<number>, j: number, h: number, error: number): void {
    this.#keep(j, h, error);
    const isSilent = this.#judge.isSilent;
    const longest =
      LONGEST * (isSilent ? largest(x, this.count) : Math.max(1, Math.abs(x[j] as number)));
    for (let next = 2 * h; next <= longest; next *= 2) {
      const found = this.#judge.measure(j, next);
      if (found <= 1) this.#keep(j, next, found);
      else if (!isSilent) return;
    }
  }

  /** Rounding or corners leave no good step: the better neighbour, as what is near may change. */
  #improve(j: number, h: number, error: number): void {
    this.#keep(j, h, error);
    const longer = this.#judge.measure(j, 2 * h);
    if (longer < error / 2) this.#keep(j, 2 * h, longer);
    const shorter = this.#judge.measure(j, h / 2);
    if (shorter < Math.min(error / 2, longer)) this.#keep(j, h / 2, shorter);
  }

  /**
   * The longest good step below the first one, or, where rounding spoils that, the longest above it; else the best there is.
   */
  #search(x: ArrayLike<number>, j: number): void {
    this.#keep(j, FIRST_STEP, Number.POSITIVE_INFINITY);
    const isRounding =
      this.#judge.measure(j, 4 * FIRST_STEP) < this.#judge.measure(j, FIRST_STEP / 4);
    if (isRounding && this.#searchAbove(x, j)) return;
    for (let i = 0, h = FIRST_STEP; i <= HALVINGS; i++, h /= 2) if (this.#isGood(j, h)) return;
    if (!isRounding) this.#searchAbove(x, j);
  }

  #searchAbove(x: ArrayLike<number>, j: number): boolean {
    let found = false;
    for (let h = 2 * FIRST_STEP; h <= LONGEST * largest(x, this.count); h *= 2) {
      if (this.#isGood(j, h)) found = true;
      else if (found) break;
    }
    return found;
  }

  /** Tries a step, and one beside it: what rounding leaves of differences may agree by chance. */
  #isGood(j: number, h: number): boolean {
    const error = this.#judge.measure(j, h);
    // So short a step that rounding leaves nothing of it.
    if (this.#judge.isSilent) return false;
    const both = Math.max(error, this.#judge.measure(j, h * BESIDE));
    if (both <= 1 || both < (this.#errors[j] as number)) this.#keep(j, h, both);
    return both <= 1;
  }
}

/** The largest of some numbers, or 1. */
function largest(x: ArrayLike<number>, count: number): number {
  let most = 1;
  for (let i = 0; i < count; i++) most = Math.max(most, Math.abs(x[i] as number));
  return most;
}

/** Lets the steps lie in the memory of a workspace. */
export function remembered(
  workspace: Workspace,
  name: string,
  columns: DifferenceColumns,
): DifferenceColumns {
  const segment = workspace.reserve(name, columns.memory);
  workspace.whenSealed((arena) => columns.remember(arena.floats(segment)));
  return columns;
}
