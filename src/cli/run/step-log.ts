/** Largest number of steps kept for plots. Of longer runs every second, fourth, ... step is kept. */
const MAX_KEPT_STEPS = 20_000;

/** Step sizes over time, for a run of any length. */
export class StepLog {
  readonly times: number[] = [];
  readonly lengths: number[] = [];
  #last: number;
  #every = 1;
  #count = 0;

  constructor(start: number) {
    this.#last = start;
  }

  /** Records a step that ended at `time`. Events end steps, too; steps of zero length are ignored. */
  add(time: number): void {
    const length = Math.abs(time - this.#last);
    this.#last = time;
    if (length === 0 || this.#count++ % this.#every !== 0) return;
    this.times.push(time);
    this.lengths.push(length);
    if (this.times.length > MAX_KEPT_STEPS) this.#thin();
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
