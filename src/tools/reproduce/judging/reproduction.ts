// What it is to reproduce a table: entries, each with its verdict, one after the other.

/** What became of a number. */
export type Verdict =
  /** Within the acceptance: of what is printed, of the reference, or of a bound. */
  | "reproduced"
  /**
   * Known: the paper's number does not follow from what the paper describes. Our own check of it
   * holds.
   */
  | "not reproducible"
  /** Outside of the acceptance: a defect, or a machine that differs. */
  | "missed";

/** One number of a table. */
export interface Entry {
  /** What is measured: "theta1 at step 5e-3". */
  readonly quantity: string;
  /** As in the paper; undefined where the paper has none. */
  readonly printed: number | undefined;
  /**
   * What an independent implementation found, where that differs from the paper or stands in for
   * it.
   */
  readonly reference: number | undefined;
  /** Ours, measured now. NaN where a run failed. */
  readonly value: number;
  /**
   * Signed: value - c, where c is the reference, else what is printed. Relative to |c|, unless the
   * acceptance is "exactly", or "within" so much of a unit or of nothing: then it is the plain
   * difference. Where there is neither a reference nor a print, c is the bound of the acceptance.
   */
  readonly difference: number;
  /**
   * "within 1e-10 relative", "within 2 steps", "within 0.01", "at most 1e-14", "at least 300",
   * "exactly"; or "known not to reproduce", after which "; " and one of these may follow: our own
   * check.
   */
  readonly acceptance: string;
  /** Whether it is accepted. */
  readonly verdict: Verdict;
  /** Why it differs, in a sentence. */
  readonly note?: string;
}

/** A table of a paper that can be measured again. */
export interface Reproduction {
  /** In kebab-case: paper and table. */
  readonly name: string;
  /** The paper it is from. */
  readonly paper: string;
  /** What the table shows. */
  readonly title: string;
  /**
   * What one has to know to read the paper's table: errata, and choices that the paper does not
   * state.
   */
  readonly notes: readonly string[];
  /** Measures entry after entry. Lets other tasks have a turn in between. */
  run(): AsyncGenerator<Entry>;
}

/** A table, with the generator that measures it. */
export interface Table extends Omit<Reproduction, "run"> {
  measure(): Iterable<Entry> | AsyncIterable<Entry>;
}

/** Milliseconds of work after which others have a turn. */
const WORK = 50;

/**
 * A reproduction of a table that does not hold up displays and interrupts: not longer than an entry
 * takes.
 */
export function reproduction({ measure, ...described }: Table): Reproduction {
  return {
    ...described,
    async *run() {
      await turnOfOthers();
      let began = performance.now();
      for await (const entry of measure()) {
        yield entry;
        if (performance.now() - began < WORK) continue;
        await turnOfOthers();
        began = performance.now();
      }
    },
  };
}

/** Promises alone do not let timers and signals through. */
function turnOfOthers(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
