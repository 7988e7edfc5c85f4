// What it is to reproduce a table: entries, each with its verdict, one after the other.

import type { Bound } from "./bounds.js";
import { turnOfOthers } from "./turns.js";

/** What became of a number. */
export type Verdict =
  /** What is printed comes out. */
  | "reproduced"
  /** What is printed comes out as an order of magnitude. */
  | "in magnitude"
  /** What is printed does not come out, as is known, and what does is what we expect. */
  | "not reproducible"
  /** Not printed; within the bounds of our own reference. */
  | "checked"
  /** Nothing is known to hold it against: no verdict. */
  | "reported"
  /** A bound does not hold: a defect, or a machine that differs. */
  | "missed";

/** What a number is to its paper. */
export type EntryClass =
  | "printed and reproduced"
  /** Printed with digits that do not come out, in an order of magnitude that does. */
  | "printed, in magnitude"
  | "printed and not reproducible"
  /** Held against our own reference, or a bound. */
  | "checked"
  | "reported";

/** One number of a table. */
export interface Entry {
  /** What is measured: "theta1 at step 5e-3". */
  readonly quantity: string;
  /** What it is to its paper: known before it is measured. */
  readonly class: EntryClass;
  /** What the paper prints for this very case; undefined where it prints nothing. */
  readonly printed: number | undefined;
  /** What an independent code found, or theory says. */
  readonly reference: number | undefined;
  /** Ours, measured now. NaN where a run failed. */
  readonly value: number;
  /**
   * Signed: value - c, where c is what the first bound is about, else the print, the reference, the bound. Relative to
   * |c|, unless that is 0 or the bound is a distance. NaN where there is nothing to compare with.
   */
  readonly difference: number;
  /** What is accepted: all of these must hold. */
  readonly bounds: readonly Bound[];
  /** The same in words. */
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
  /** Times of CPU are measured: in a process of its own. */
  readonly isTimed?: boolean;
  /** Seconds that it takes on one core, roughly: long ones are begun first. Default: 1. */
  readonly seconds?: number;
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
