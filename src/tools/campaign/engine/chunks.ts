// Which cases are given out together. Short cases go in large parts, so that handing them over costs nothing; parts that cost a
// worker its life are halved until the case that does it is alone.

import type { Ledger } from "../journal/ledger.js";

/** Seconds of work in a part. */
const SECONDS = 0.5;
/** A part grows at most so fast, and to so many cases. */
const GROWTH = 4;
const MOST = 2000;
/** Parts at the end of a campaign are small, so that no worker waits long for the last. */
const SHARE = 4;

/** Cases that belong together. */
export interface Chunk {
  readonly indices: readonly number[];
  /** How often a worker was lost with this case alone. */
  readonly tries: number;
}

/** Gives out the open cases of a ledger. */
export class Chunks {
  readonly #ledger: Ledger;
  readonly #workers: number;
  readonly #again: Chunk[] = [];
  readonly #wanted: readonly number[] | undefined;
  #next = 0;
  #size = 1;
  /**
   * Cases go one by one, and a worker that is late with one is ended: code of a module may never give control back, so that
   * only the end of its process keeps a limit.
   */
  readonly isTimed: boolean;

  /** Of all cases, or of some. */
  constructor(ledger: Ledger, workers: number, wanted?: readonly number[]) {
    this.#ledger = ledger;
    this.#workers = workers;
    this.#wanted = wanted;
    const { model, limits } = ledger.plan.definition;
    this.isTimed = model.kind === "module" && limits?.maximumSeconds !== undefined;
  }

  /** The next cases; undefined if there are no more. */
  next(): Chunk | undefined {
    const again = this.#again.pop();
    if (again) return again;
    const indices: number[] = [];
    const size = Math.min(this.#size, Math.ceil(this.#left() / (SHARE * this.#workers)));
    while (indices.length < Math.max(1, size) && this.#next < this.#end()) {
      const index = this.#wanted ? this.#wanted[this.#next]! : this.#next;
      this.#next++;
      if (index < this.#ledger.count && this.#ledger.isOpen(index)) indices.push(index);
    }
    return indices.length > 0 ? { indices, tries: 0 } : undefined;
  }

  /** So many cases took so long. */
  learn(count: number, seconds: number): void {
    if (count === 0 || this.isTimed) return;
    const fitting = Math.floor(SECONDS / Math.max(seconds / count, 1e-6));
    this.#size = Math.max(1, Math.min(fitting, this.#size * GROWTH, MOST));
  }

  /** Seconds in which cases should be done, of which each may take so many. */
  patience({ indices }: Chunk, maximumSeconds: number): number {
    if (this.isTimed) return 1.2 * maximumSeconds + 2;
    const expected = 20 * SECONDS;
    return indices.length === 1 ? 1.2 * maximumSeconds + 30 : maximumSeconds + expected + 30;
  }

  /** Their worker was lost: halves are tried, and single cases so many times. Gives the case that is to be set aside. */
  lost({ indices, tries }: Chunk, most: number): number | undefined {
    if (indices.length > 1) {
      const half = indices.length >>> 1;
      this.#again.push(
        { indices: indices.slice(half), tries: 0 },
        { indices: indices.slice(0, half), tries: 0 },
      );
      return undefined;
    }
    if (tries + 1 >= most) return indices[0];
    this.#again.push({ indices, tries: tries + 1 });
    return undefined;
  }

  #end(): number {
    return this.#wanted ? this.#wanted.length : this.#ledger.count;
  }

  #left(): number {
    return this.#end() - this.#next;
  }
}
