// Saves a run at random steps and continues from there: into itself, and into another one.

import type { Run, RunSnapshot, Solution } from "nodrift/solve";
import { Hash } from "./hash.js";
import { seeded } from "./random.js";
import type { SavedRun } from "./saved-runs.js";

/** What must be the same, step by step and at the end: bits as text. */
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

/** How a solution ended and what it cost, but for the seconds. */
export function endOf({ end, status, notes, statistics }: Solution): string {
  const { seconds: _, ...costs } = statistics;
  return JSON.stringify([bitsOf(end.time, end.q, end.v), status, notes, costs]);
}

/** Takes a run to its end; `look` is called after each step, and before the first. */
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

/** A trace from a step on: what a run that is restored there has to find. */
export function tailOf({ steps, end, events }: Trace, from: number, seen: number): Trace {
  return { steps: steps.slice(from), end, events: events.slice(seen) };
}

/** A snapshot, and which steps and events came before it. */
export interface Saved {
  readonly step: number;
  readonly events: number;
  readonly snapshot: RunSnapshot;
}

/** Numbers of steps, drawn at random; some may be the same. */
export function randomSteps(count: number, steps: number, seed: number): number[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () => Math.floor(((random() + 1) / 2) * steps));
}

export interface Comparison {
  /** The run itself, not saved, and saved on the way. */
  readonly plain: Trace;
  readonly saving: Trace;
  /** What each continuation found, and what it should have found. */
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

/** Of the continuations of a run, and the run that was saved, how many differ in any bit. */
export function countDifferences(run: SavedRun, count: number, seed: number): number {
  const { plain, saving, continued } = compareSaved(run, count, seed);
  const differ = (one: Trace, other: Trace) => JSON.stringify(one) !== JSON.stringify(other);
  const wrong = continued.filter(({ found, wanted }) => differ(found, wanted)).length;
  return wrong + (differ(plain, saving) ? 1 : 0);
}
