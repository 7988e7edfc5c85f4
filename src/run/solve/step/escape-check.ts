// Tells motion that escapes in finite time: its steps shrink without end towards a time that no number of them passes.
//
// The time that is reached is the sum of the lengths of steps. Cauchy's condensation test: for lengths that do not grow, the sum is finite
// if the sum of what each doubling of the number of steps adds is. Where three doublings in turn each added at most half of the one before, it
// is taken for geometric: what is still to come is then less than the last addition, and if far more is missing the run would never end.
// Lengths that fall to a level, as where motion becomes stiff, fail the test from their second doubling on: it adds twice
// as much. Those of a frequency that grows as exp(t) add the same each time.
//
// Rejected: a least length of steps. A body that spins ever faster needs 1e7 steps, an hour, until one cannot be added to the
// time; and a thousandth of a microsecond is a proper step for a quartz. A least progress per step, for the same reason.

/** Steps at the first look: before, doublings say little. */
const FIRST = 512;
const DOUBLINGS = 3;
const SHRINKS = 0.5;
/** How much more must be missing than the last doubling added: at the present lengths millions of steps. */
const MISSING = 1000;

export class EscapeCheck {
  readonly #end: number;
  #next = FIRST;
  #time = Number.NaN;
  #added = Number.NaN;
  #shrunk = 0;

  constructor(end: number) {
    this.#end = end;
  }

  /** How many steps there may be at the next look. */
  get next(): number {
    return this.#next;
  }

  /** The time that steps cannot pass, if they show it. */
  limit(steps: number, time: number): number | undefined {
    if (steps < this.#next) return undefined;
    // A run that was restored begins in between.
    while (this.#next <= steps) this.#next *= 2;
    const added = time - this.#time;
    const ratio = added / this.#added;
    this.#time = time;
    this.#added = added;
    this.#shrunk = Math.abs(ratio) <= SHRINKS ? this.#shrunk + 1 : 0;
    const isFar = Math.abs(this.#end - time) > MISSING * Math.abs(added);
    if (this.#shrunk < DOUBLINGS || !isFar) return undefined;
    return time + (added * ratio) / (1 - ratio);
  }
}
