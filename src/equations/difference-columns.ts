import type { Workspace } from "../memory/workspace.js";
import { type Sampled, TwoOrders } from "./two-orders.js";

/**
 * Steps are h = RATIO R at most, R the length over which the function varies: |f^(k)| = A / R^(k - 1), A the size of f'.
 * The error of order 6, RATIO^6 / 140 = 2e-14, is then that of rounding, 2 eps / RATIO = 4e-14.
 */
const RATIO = 0.012;
/** What orders 4 and 6 may differ by in f', in units of A, and in h f'': both say that R is long enough. */
const ODD_ALLOWED = RATIO ** 4 / 30;
const EVEN_ALLOWED = RATIO ** 5 / 90;

/** Where the search begins: fits what varies over a unit of length, or a radian. */
const FIRST_STEP = 2 ** -7;
/** Longest step, in parts of the argument or of 1: what is linear has no R. */
const LONGEST = 2 ** -5;
/** Halvings at most. */
const HALVINGS = 32;
/** Entries this small against the largest of their row are judged as if they were this large: they may be rounding. */
const NEGLIGIBLE = 1e-4;
/** A step that did its best is looked for anew where it does so much worse; and may grow where it does so much better. */
const MUCH_WORSE = 16;
const MUCH_BETTER = 1 / 64;
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
  readonly #orders: TwoOrders;
  /** Largest |f'| of each row by the arguments seen so far. */
  readonly #seen: Float64Array<ArrayBuffer>;
  /** The step of each argument, 0 before it is found; how well each does: up to 1 is good; the largest |f'| of each row. */
  #steps: Float64Array;
  #errors: Float64Array;
  #largest: Float64Array;

  constructor(count: number, rows: number, sample: Sampled) {
    this.count = count;
    this.#rows = rows;
    this.#orders = new TwoOrders(count, rows, sample);
    this.#seen = new Float64Array(rows);
    this.#steps = new Float64Array(count);
    this.#errors = new Float64Array(count);
    this.#largest = new Float64Array(rows);
  }

  /** How many numbers {@link remember} takes. */
  get memory(): number {
    return 2 * this.count + this.#rows;
  }

  /** Where the steps are kept. */
  remember(memory: Float64Array): void {
    this.#steps = memory.subarray(0, this.count);
    this.#errors = memory.subarray(this.count, 2 * this.count);
    this.#largest = memory.subarray(2 * this.count);
  }

  get isFound(): boolean {
    return (this.#steps[0] as number) > 0;
  }

  /** The length R over which the function varies with an argument, as far as that matters. */
  lengthOf(argument: number): number {
    return (this.#steps[argument] as number) / RATIO;
  }

  /** How many of these lengths are passed in a unit of time. Velocities of what is no argument do not count. */
  changeRate(velocity: ArrayLike<number>): number {
    let rate = 0;
    for (let j = 0; j < this.count; j++) rate += Math.abs(velocity[j] as number) / this.lengthOf(j);
    return rate;
  }

  /**
   * By how much second derivatives are wrong, in parts of their size; 0 where nobody has asked for any. Rounding: at a
   * step shorter by NOISE_PART orders 4 and 6 differ by 0.153 sigma / h, sigma the noise of f, and second derivatives along a
   * line, with steps of 5 h, are wrong by 3.65 sigma / (5 h)^2. Corners: by what the orders differ at the step itself.
   */
  errorAt(x: ArrayLike<number>): number {
    if (!this.isFound) return 0;
    let worst = 0;
    this.#orders.stand(x, true);
    for (let j = 0; j < this.count; j++) {
      const h = this.#steps[j] as number;
      const noise = this.#disagreement(j, h * NOISE_PART) * NOISE_FACTOR;
      const corner = (this.#errors[j] as number) > 1 ? this.#disagreement(j, h) : 0;
      worst = Math.max(worst, noise, corner);
    }
    return worst;
  }

  /** The derivatives by one argument. Where the function is not defined as far away, nearer. */
  column(x: ArrayLike<number>, argument: number, out: Float64Array, offset = 0, stride = 1): void {
    const orders = this.#orders;
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
    this.#orders.stand(x, true);
    if (isFirst) {
      this.#steps.fill(FIRST_STEP);
      this.#seen.fill(0);
      for (let j = 0; j < this.count; j++) {
        this.#measure(j, FIRST_STEP);
        this.#noteLargest();
      }
      this.#largest.set(this.#seen);
    }
    this.#seen.fill(0);
    for (let j = 0; j < this.count; j++) this.#fitOne(x, j, isFirst);
    this.#largest.set(this.#seen);
  }

  #fitOne(x: ArrayLike<number>, j: number, isFirst: boolean): void {
    const h = this.#steps[j] as number;
    const error = this.#measure(j, h);
    this.#noteLargest();
    const good = isFirst ? 1 : Math.max(1, MUCH_WORSE * (this.#errors[j] as number));
    const longest = LONGEST * Math.max(1, Math.abs(x[j] as number));
    if (error <= 1) this.#grow(j, h, error, longest, isFirst);
    else if (error <= good) this.#improve(j, h, error);
    else this.#search(x, j);
  }

  #keep(j: number, h: number, error: number): void {
    this.#steps[j] = h;
    this.#errors[j] = error;
  }

  /** Longer steps make less of rounding, while they do as well. */
  #grow(j: number, h: number, error: number, longest: number, isFirst: boolean): void {
    this.#keep(j, h, error);
    if (!isFirst && error > MUCH_BETTER) return;
    for (let next = 2 * h; next <= longest; next *= 2) {
      const found = this.#measure(j, next);
      if (!(found <= 1)) return;
      this.#keep(j, next, found);
    }
  }

  /** Rounding or corners leave no good step: the better neighbour, as what is near may change. */
  #improve(j: number, h: number, error: number): void {
    this.#keep(j, h, error);
    const longer = this.#measure(j, 2 * h);
    if (longer < error / 2) this.#keep(j, 2 * h, longer);
    const shorter = this.#measure(j, h / 2);
    if (shorter < Math.min(error / 2, longer)) this.#keep(j, h / 2, shorter);
  }

  /** The longest good step below the first one; else one that rounding asks for, above it; else the best there is. */
  #search(x: ArrayLike<number>, j: number): void {
    let most = 1;
    for (let i = 0; i < this.count; i++) most = Math.max(most, Math.abs(x[i] as number));
    this.#keep(j, FIRST_STEP, Number.POSITIVE_INFINITY);
    for (let i = 0, h = FIRST_STEP; i <= HALVINGS; i++, h /= 2) if (this.#isGood(j, h)) return;
    for (let h = 2 * FIRST_STEP; h <= LONGEST * most; h *= 2) if (this.#isGood(j, h)) return;
  }

  #isGood(j: number, h: number): boolean {
    const error = this.#measure(j, h);
    if (error < (this.#errors[j] as number)) this.#keep(j, h, error);
    return error <= 1;
  }

  /** How well a step does. Infinity where the function has no values. */
  #measure(j: number, h: number): number {
    const { first, second, firstOff, secondOff } = this.#orders;
    try {
      this.#orders.derive(j, h);
    } catch {
      return Number.POSITIVE_INFINITY;
    }
    let worst = 0;
    for (let row = 0; row < this.#rows; row++) {
      const own = Math.max(
        Math.abs(first[row] as number),
        Math.abs((second[row] as number) * h) / RATIO,
      );
      const size = Math.max(own, NEGLIGIBLE * (this.#largest[row] as number));
      if (size === 0) continue;
      const odd = Math.abs(firstOff[row] as number) / (size * ODD_ALLOWED);
      const even = Math.abs((secondOff[row] as number) * h) / (size * EVEN_ALLOWED);
      if (!(odd + even < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
      worst = Math.max(worst, odd, even);
    }
    return worst;
  }

  /** By how much of their size the first derivatives of two orders differ. */
  #disagreement(j: number, h: number): number {
    const { first, firstOff } = this.#orders;
    this.#orders.derive(j, h);
    let worst = 0;
    for (let row = 0; row < this.#rows; row++) {
      const size = Math.max(Math.abs(first[row] as number), (this.#largest[row] as number) / 8);
      if (size > 0) worst = Math.max(worst, Math.abs(firstOff[row] as number) / size);
    }
    return worst;
  }

  #noteLargest(): void {
    for (let row = 0; row < this.#rows; row++) {
      const size = Math.abs(this.#orders.first[row] as number);
      if (size < Number.POSITIVE_INFINITY) {
        this.#seen[row] = Math.max(this.#seen[row] as number, size);
      }
    }
  }
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
