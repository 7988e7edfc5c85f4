// Reproduction of a table: a sequence of entries, each with its verdict.

import type { Bound } from "./bounds.js";

/** Result of judging a value. */
export type Verdict =
  /** The printed value is reproduced. */
  | "reproduced"
  /** The printed value is reproduced in its order of magnitude. */
  | "in magnitude"
  /** The printed value is not reproduced, as is known, and the value is as expected. */
  | "not reproducible"
  /** Not printed; within the bounds of our own reference. */
  | "checked"
  /** No reference exists: no verdict. */
  | "reported"
  /** A bound does not hold: a defect, or a machine that differs. */
  | "missed";

/** Relation of a value to its paper. */
export type EntryClass =
  | "printed and reproduced"
  /** Printed; its digits are not reproduced, but its order of magnitude is. */
  | "printed, in magnitude"
  | "printed and not reproducible"
  /** Compared with our own reference, or a bound. */
  | "checked"
  | "reported";

/** One value of a table. */
export interface Entry {
  /** Name of the quantity, such as "theta1 at step 5e-3". */
  readonly quantity: string;
  /** Relation to its paper, which is known before the measurement. */
  readonly class: EntryClass;
  /** Value printed in the paper for this very case; undefined if it prints none. */
  readonly printed: number | undefined;
  /** Result of an independent code, or of theory. */
  readonly reference: number | undefined;
  /** Our value, measured now. NaN if a run failed. */
  readonly value: number;
  /**
   * Signed difference value - c, with c the reference of the first bound, else the print, the reference, the bound. Relative to
   * |c|, unless that is 0 or the bound is a distance. NaN if there is nothing to compare with.
   */
  readonly difference: number;
  /** Acceptance bounds, all of which must hold. */
  readonly bounds: readonly Bound[];
  /** The bounds in words. */
  readonly acceptance: string;
  /** Verdict of the bounds. */
  readonly verdict: Verdict;
  /** Reason for the difference, in a sentence. */
  readonly note?: string;
}

/** A part of a paper that can be computed again, result after result. */
export interface PaperPart<Result> {
  /** Name in kebab-case: paper and table, or paper and figures. */
  readonly name: string;
  /** The paper. */
  readonly paper: string;
  /** Contents of the table or the figures. */
  readonly title: string;
  /** Notes needed to read it: errata, and choices that the paper does not state. */
  readonly notes: readonly string[];
  /** Approximate duration on one core, in seconds; long parts are started first. Default: 1. */
  readonly seconds?: number;
  /** Computes result after result. Yields to other tasks in between. */
  run(): AsyncGenerator<Result>;
}

/** A table of a paper that can be measured again. */
export interface Reproduction extends PaperPart<Entry> {
  /** True if CPU times are measured, which needs a process of its own. */
  readonly isTimed?: boolean;
}

/** A table, with the generator that measures it. */
interface Table extends Omit<Reproduction, "run"> {
  measure(): Iterable<Entry> | AsyncIterable<Entry>;
}

/** Milliseconds of work after which other tasks may run. */
const WORK = 50;

/** Creates a reproduction of a table that blocks displays and interrupts for no longer than an entry takes. */
export function reproduction({ measure, ...described }: Table): Reproduction {
  return { ...described, run: () => interruptible(measure()) };
}

/** Yields the results, and yields to other tasks in between: promises alone do not let timers and signals run. */
export async function* interruptible<Result>(
  results: Iterable<Result> | AsyncIterable<Result>,
): AsyncGenerator<Result> {
  const others = () => new Promise<void>((resolve) => setTimeout(resolve));
  await others();
  let began = performance.now();
  for await (const result of results) {
    yield result;
    if (performance.now() - began < WORK) continue;
    await others();
    began = performance.now();
  }
}
