// Saves a run at random steps and continues from there: into itself, and into another one.

import type { Run, RunSnapshot, Solution } from "nodrift/solve";
import { Hash } from "./hash.js";
import { seeded } from "./random.js";
import type { SavedRun } from "./saved-runs.js";

/** Data that must be identical, step by step and at the end: bits as text. */
export interface Trace {
  /** Time and state after each step. */
  readonly steps: readonly string[];
  readonly end: string;
  readonly events: readonly string[];
}

function bitsOf(...values: (number | Float64Array)[]): string {
  const hash = new Hash();
  for (const value of values) hash.add(typeof value === "number" ? Float64Array.of(value) : value);
  return hash.digest();
}

/** End and cost of a solution, without its run time. */
export function endOf({ end, status, notes, statistics }: Solution): string {
  const { seconds: _, ...costs } = statistics;
  return JSON.stringify([bitsOf(end.time, end.q, end.v), status, notes, costs]);
}

/** Takes a run to its end; `look` is called before the first step and after each step. */
export function trace(run: Run, look?: (run: Run, step: number) => void): Trace {
  const steps: string[] = [];
  look?.(run, 0);
  for (let going = !run.isOver; going; ) {
    going = run.step();
    const { q, v } = run.state;
    steps.push(bitsOf(run.time, q, v));
    look?.(run, steps.length);
  }
  const solution = run.solution();
  const events = solution.events.map(({ name, time, before, after, mode }) =>
    [name, mode, bitsOf(time, before.q, before.v, after.q, after.v)].join(),
  );
  return { steps, end: endOf(solution), events };
}

/** The trace from a step on, which a run restored there must reproduce. */
export function tailOf({ steps, end, events }: Trace, from: number, seen: number): Trace {
  return { steps: steps.slice(from), end, events: events.slice(seen) };
}

/** A snapshot, and which steps and events came before it. */
export interface Saved {
  readonly step: number;
  readonly events: number;
  readonly snapshot: RunSnapshot;
}

/** Random step indices, possibly repeated. */
export function randomSteps(count: number, steps: number, seed: number): number[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () => Math.floor(((random() + 1) / 2) * steps));
}

export interface Comparison {
  /** The run itself, without and with saves. */
  readonly plain: Trace;
  readonly saving: Trace;
  /** Result of each continuation, and the expected result. */
  readonly continued: readonly {
    readonly how: string;
    readonly found: Trace;
    readonly wanted: Trace;
  }[];
}

/** Saves a run at random steps, and continues from each. */
export function compareSaved(run: SavedRun, count: number, seed: number): Comparison {
  const plain = trace(run.begin());
  const steps = randomSteps(count, plain.steps.length, seed);
  const saved: Saved[] = [];
  const itself = run.begin();
  const saving = trace(itself, (now, step) => {
    for (const chosen of steps) {
      if (chosen !== step) continue;
      saved.push({ step, events: now.solution().events.length, snapshot: now.save() });
    }
  });
  const continued = saved.flatMap(({ step, events, snapshot }) => {
    const wanted = tailOf(plain, step, events);
    const other = run.begin();
    other.restore(structuredClone(snapshot));
    itself.restore(snapshot);
    return [
      { how: `step ${step}, in the same run`, found: trace(itself), wanted },
      { how: `step ${step}, in another run`, found: trace(other), wanted },
    ];
  });
  return { plain, saving, continued };
}

/** Number of continuations of a run, and of saved runs, that differ in any bit. */
export function countDifferences(run: SavedRun, count: number, seed: number): number {
  const { plain, saving, continued } = compareSaved(run, count, seed);
  const differ = (one: Trace, other: Trace) => JSON.stringify(one) !== JSON.stringify(other);
  const wrong = continued.filter(({ found, wanted }) => differ(found, wanted)).length;
  return wrong + (differ(plain, saving) ? 1 : 0);
}
