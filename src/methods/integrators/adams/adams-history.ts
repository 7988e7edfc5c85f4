import type { Address } from "../../../ground/memory/arena.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import { at } from "./differences.js";

/** Places of the numbers that are kept besides the slopes; the lengths of the steps follow. */
enum Kept {
  KNOWN,
  NEWEST,
  ORDER,
  STARTING,
  FAILURES,
  PUSHED,
  TAKEN,
  COUNT,
}

/**
 * Slopes of earlier steps: rows of a ring in the arena, and one row of it for the slope at the end of the
 * step that is tried. All rows enter every sum, many with the weight zero, which does not make up for NaN:
 * rows out of use are overwritten by the newest. Lengths of steps are kept, not times: late in a run differences of times are rough.
 */
export class AdamsHistory {
  /** Where the slopes lie in units of a step from the newest one, the newest first. */
  readonly nodes: Float64Array;
  readonly #rows: number;
  readonly #slopes: Address;
  readonly #weights: Address;
  readonly #workspace: Workspace;
  readonly #n: number;
  #ring = new Float64Array(0);
  #kept = new Float64Array(0);

  constructor(name: string, n: number, length: number, workspace: Workspace) {
    const rows = length + 1;
    this.#n = n;
    this.#rows = rows;
    this.#workspace = workspace;
    this.nodes = new Float64Array(length);
    this.#slopes = workspace.vector(`${name} slopes`, n * rows);
    const weights = workspace.reserve(`${name} weights`, rows);
    const kept = workspace.reserve(`${name} history`, Kept.COUNT + rows);
    this.#weights = weights.address;
    workspace.whenSealed((arena) => {
      this.#ring = arena.floats(weights);
      this.#kept = arena.floats(kept);
      this.forget();
    });
  }

  /** The order of the coming step. */
  get order(): number {
    return at(this.#kept, Kept.ORDER);
  }
  set order(value: number) {
    this.#kept[Kept.ORDER] = value;
  }

  /** No step has been taken yet, or the order has risen with every step. */
  get starting(): boolean {
    return this.#kept[Kept.STARTING] === 1;
  }
  set starting(value: boolean) {
    this.#kept[Kept.STARTING] = value ? 1 : 0;
  }

  /** Attempts in a row whose error was too large. */
  get failures(): number {
    return at(this.#kept, Kept.FAILURES);
  }
  set failures(value: number) {
    this.#kept[Kept.FAILURES] = value;
  }

  /** Slopes that can be used, the one at the beginning of the step among them. */
  get known(): number {
    return at(this.#kept, Kept.KNOWN);
  }

  /** The slope at the beginning of the step. */
  get newest(): Address {
    return this.#row(at(this.#kept, Kept.NEWEST));
  }

  /** The slope at the end of the step. */
  get end(): Address {
    return this.#row(this.#wrap(at(this.#kept, Kept.NEWEST) + 1));
  }

  /** Steps that stand. */
  get taken(): number {
    return at(this.#kept, Kept.TAKEN);
  }

  /** Commits the step and the slopes pushed for it. */
  commit(): void {
    this.#kept[Kept.PUSHED] = 0;
    this.#kept[Kept.TAKEN] = this.taken + 1;
    this.failures = 0;
  }

  /** Removes slopes pushed for a rejected step; the oldest slopes are already overwritten. */
  undo(): void {
    const pushed = at(this.#kept, Kept.PUSHED);
    if (pushed === 0) return;
    const newest = this.#wrap(at(this.#kept, Kept.NEWEST) - pushed);
    this.#kept[Kept.NEWEST] = newest;
    this.#kept[Kept.KNOWN] = Math.max(0, this.known - pushed);
    this.#kept[Kept.PUSHED] = 0;
    // Rows out of use now: what was pushed, and the end of the last part.
    for (let k = 1; k <= pushed + 1; k++)
      this.#copy(this.newest, this.#row(this.#wrap(newest + k)));
  }

  forget(): void {
    this.#kept.fill(0);
    this.order = 1;
    this.starting = true;
  }

  /** Begins with the slope that has been written as {@link newest}. */
  begin(): void {
    this.#kept[Kept.KNOWN] = 1;
    const { newest } = this;
    for (let row = 0; row < this.#rows; row++) this.#copy(newest, this.#row(row));
  }

  /** Reversing time discards all slopes but the newest. */
  handleReversal(h: number): void {
    const newest = at(this.#kept, Kept.NEWEST);
    if (this.known < 2 || at(this.#kept, Kept.COUNT + newest) * h > 0) return;
    this.forget();
    this.#kept[Kept.NEWEST] = newest;
    this.#kept[Kept.KNOWN] = 1;
  }

  /** Writes the {@link nodes} for a step of length h; gives how many there are. */
  locate(h: number): number {
    const newest = at(this.#kept, Kept.NEWEST);
    let back = 0;
    for (let age = 0; age < this.known; age++) {
      this.nodes[age] = age === 0 ? 0 : -back / h;
      back += at(this.#kept, Kept.COUNT + this.#wrap(newest - age));
    }
    return this.known;
  }

  /** Whatever the last attempt left at the end is no part of the next. */
  clearEnd(): void {
    this.#copy(this.newest, this.end);
  }

  /** The slope at the end becomes the newest: the step of length h is accepted. */
  push(h: number): void {
    const newest = this.#wrap(at(this.#kept, Kept.NEWEST) + 1);
    this.#kept[Kept.NEWEST] = newest;
    this.#kept[Kept.COUNT + newest] = h;
    this.#kept[Kept.KNOWN] = Math.min(this.known + 1, this.#rows - 1);
    this.#kept[Kept.PUSHED] = at(this.#kept, Kept.PUSHED) + 1;
  }

  /** out = base + h sum of weights times slopes: the weight of the end, then the newest, and so on. */
  combine(h: number, base: Address, weights: Float64Array, from: number, out: Address): void {
    const ring = this.#ring;
    const end = at(this.#kept, Kept.NEWEST) + 1;
    ring.fill(0);
    for (let k = 0; k <= this.known; k++) ring[this.#wrap(end - k)] = at(weights, from + k);
    this.#workspace.kernels.combine(this.#n, this.#rows, h, base, this.#slopes, this.#weights, out);
  }

  #row(index: number): Address {
    return this.#slopes + 8 * this.#n * index;
  }

  #wrap(index: number): number {
    return ((index % this.#rows) + this.#rows) % this.#rows;
  }

  #copy(from: Address, to: Address): void {
    this.#workspace.kernels.copyVector(this.#n, from, to);
  }
}
