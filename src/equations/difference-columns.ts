import type { Workspace } from "../memory/workspace.js";
import { ORDER_4, ORDER_6 } from "./differences.js";

/** Writes a function's values at x. */
export type Sampled = (x: Float64Array, value: Float64Array) => void;

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

/**
 * The derivatives of a function by each of its arguments, with a step of its own for each that fits the function: it is
 * found where two orders of differences agree, by f' and, as f may be even about x, by f''. The steps are to lie in memory that is saved and restored.
 */
export class DifferenceColumns {
  /** Arguments. */
  readonly count: number;
  readonly #rows: number;
  readonly #sample: Sampled;
  readonly #x: Float64Array<ArrayBuffer>;
  readonly #centre: Float64Array<ArrayBuffer>;
  readonly #ahead: Float64Array<ArrayBuffer>;
  readonly #behind: Float64Array<ArrayBuffer>;
  /** f' and f'' of order 6, and by how much those of order 4 are others. */
  readonly #first: Float64Array<ArrayBuffer>;
  readonly #second: Float64Array<ArrayBuffer>;
  readonly #firstOff: Float64Array<ArrayBuffer>;
  readonly #secondOff: Float64Array<ArrayBuffer>;
  /** Largest |f'| of each row by the arguments seen so far. */
  readonly #seen: Float64Array<ArrayBuffer>;
  /** The step of each argument, 0 before it is found; how well each does: up to 1 is good; the largest |f'| of each row. */
  #steps: Float64Array;
  #errors: Float64Array;
  #largest: Float64Array;

  constructor(count: number, rows: number, sample: Sampled) {
    const values = () => new Float64Array(rows);
    this.count = count;
    this.#rows = rows;
    this.#sample = sample;
    this.#x = new Float64Array(count);
    this.#centre = values();
    this.#ahead = values();
    this.#behind = values();
    this.#first = values();
    this.#second = values();
    this.#firstOff = values();
    this.#secondOff = values();
    this.#seen = values();
    this.#steps = new Float64Array(count);
    this.#errors = new Float64Array(count);
    this.#largest = values();
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

  /** The argument whose step does worst, and how well: up to 1 its derivatives are good to rounding. */
  worst(): { readonly argument: number; readonly error: number } {
    let argument = 0;
    for (let j = 1; j < this.count; j++) {
      if (this.#errorOf(j) > this.#errorOf(argument)) argument = j;
    }
    return { argument, error: this.#errorOf(argument) * ODD_ALLOWED };
  }

  /** The derivatives by one argument. Where the function is not defined as far away, nearer. */
  column(x: ArrayLike<number>, argument: number, out: Float64Array, offset = 0, stride = 1): void {
    let h = this.#steps[argument] as number;
    this.#stand(x);
    for (let halvings = 0; ; halvings++, h /= 2) {
      this.#derive(argument, h);
      if (areFinite(this.#first) || halvings === HALVINGS) break;
    }
    for (let row = 0; row < this.#rows; row++) {
      out[offset + row * stride] = this.#first[row] as number;
    }
  }

  /**
   * Fits the steps to the function around x: to be called before others ask, and where a step of a motion begins. Steps
   * that do well are left alone, so that derivatives are smooth.
   */
  fit(x: ArrayLike<number>): void {
    const isFirst = !this.isFound;
    this.#stand(x);
    this.#sample(this.#x, this.#centre);
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

  #stand(x: ArrayLike<number>): void {
    for (let i = 0; i < this.count; i++) this.#x[i] = x[i] as number;
  }

  #fitOne(x: ArrayLike<number>, j: number, isFirst: boolean): void {
    const h = this.#steps[j] as number;
    const error = this.#measure(j, h);
    this.#noteLargest();
    const good = isFirst ? 1 : Math.max(1, MUCH_WORSE * this.#errorOf(j));
    const longest = LONGEST * Math.max(1, Math.abs(x[j] as number));
    if (error <= 1) this.#grow(j, h, error, longest, isFirst);
    else if (error <= good) this.#improve(j, h, error);
    else this.#search(x, j);
  }

  #errorOf(j: number): number {
    return this.#errors[j] as number;
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
    if (error < this.#errorOf(j)) this.#keep(j, h, error);
    return error <= 1;
  }

  /** How well a step does. Infinity where the function has no values. */
  #measure(j: number, h: number): number {
    try {
      this.#derive(j, h);
    } catch {
      return Number.POSITIVE_INFINITY;
    }
    let worst = 0;
    for (let row = 0; row < this.#rows; row++) {
      const own = Math.max(
        Math.abs(this.#first[row] as number),
        Math.abs(((this.#second[row] as number) * h) / RATIO),
      );
      const size = Math.max(own, NEGLIGIBLE * (this.#largest[row] as number));
      if (size === 0) continue;
      const odd = Math.abs(this.#firstOff[row] as number) / (size * ODD_ALLOWED);
      const even = Math.abs((this.#secondOff[row] as number) * h) / (size * EVEN_ALLOWED);
      if (!(odd + even < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
      worst = Math.max(worst, odd, even);
    }
    return worst;
  }

  #noteLargest(): void {
    for (let row = 0; row < this.#rows; row++) {
      const size = Math.abs(this.#first[row] as number);
      if (size < Number.POSITIVE_INFINITY) {
        this.#seen[row] = Math.max(this.#seen[row] as number, size);
      }
    }
  }

  /** Both derivatives by an argument at two orders. Quotients are by what was really added to x. */
  #derive(j: number, h: number): void {
    const x = this.#x;
    const at = x[j] as number;
    this.#first.fill(0);
    this.#second.fill(0);
    this.#firstOff.fill(0);
    this.#secondOff.fill(0);
    try {
      for (let k = 1; k <= ORDER_6.length; k++) {
        const ahead = at + k * h;
        const behind = at - k * h;
        x[j] = ahead;
        this.#sample(x, this.#ahead);
        x[j] = behind;
        this.#sample(x, this.#behind);
        this.#add(k, ahead - at, at - behind);
      }
    } finally {
      x[j] = at;
    }
  }

  #add(k: number, forward: number, backward: number): void {
    const weight = ORDER_6[k - 1] as number;
    const off = (ORDER_4[k - 1] ?? 0) - weight;
    const width = forward + backward;
    for (let row = 0; row < this.#rows; row++) {
      const ahead = this.#ahead[row] as number;
      const behind = this.#behind[row] as number;
      const centre = this.#centre[row] as number;
      const first = (ahead - behind) / width;
      const second = (2 * ((ahead - centre) / forward - (centre - behind) / backward)) / width;
      this.#first[row] = (this.#first[row] as number) + weight * first;
      this.#second[row] = (this.#second[row] as number) + weight * second;
      this.#firstOff[row] = (this.#firstOff[row] as number) + off * first;
      this.#secondOff[row] = (this.#secondOff[row] as number) + off * second;
    }
  }
}

function areFinite(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
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
