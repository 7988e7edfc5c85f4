/** How many steps are kept for plots; of more, every second, fourth, ... one is. */
const KEPT = 20_000;

/** Lengths of steps over time, of a run of any length. */
export class StepLog {
  readonly times: number[] = [];
  readonly lengths: number[] = [];
  #last: number;
  #every = 1;
  #count = 0;

  constructor(start: number) {
    this.#last = start;
  }

  /** A step has ended at a time. Events end steps, too; nothing happens where no time has passed. */
  add(time: number): void {
    const length = Math.abs(time - this.#last);
    this.#last = time;
    if (length === 0 || this.#count++ % this.#every !== 0) return;
    this.times.push(time);
    this.lengths.push(length);
    if (this.times.length > KEPT) this.#thin();
  }

  #thin(): void {
    this.#every *= 2;
    for (const list of [this.times, this.lengths]) {
      let kept = 0;
      for (let i = 0; i < list.length; i += 2) list[kept++] = list[i]!;
      list.length = kept;
    }
  }
}
