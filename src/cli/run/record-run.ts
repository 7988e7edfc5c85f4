// Runs a model and keeps the states for tables, plots and animation.

import type { State } from "../../interfaces/index.js";
import { short } from "../../report/numbers.js";
import {
  type OutputOption,
  type Progress,
  type Solution,
  type SolveOptions,
  type Source,
  type StateOf,
  start,
} from "../../solve.js";
import { SILENT, type Terminal } from "../terminal/terminal.js";

// Plan of the states that a run stores: the rows of the table, and the frames of pictures. A solution stores both in
// one list; the plan separates them.

/** Number of states of an animation, and of a table without given times. */
const FRAMES = 601;
const ROWS = 1001;
/** Largest number of rows whose times are listed in advance. */
const MAX_LISTED_TIMES = 1e5;
/** Number of rows that suffices for the animation and the plots as well. */
const MIN_FRAMES = 300;

interface PlannedOutput {
  readonly output: OutputOption;
  /** Indices of the states of the table. */
  rows<S extends State>(solution: Solution<S>): readonly number[];
  /** States of the animation and the plots. */
  frames<S extends State>(solution: Solution<S>): readonly S[];
}

type TimeSpan = readonly [number, number];

/** Plans the output of a run. */
function plannedOutput(
  asked: OutputOption | undefined,
  span: TimeSpan,
  hasPictures: boolean,
): PlannedOutput {
  if (asked === "steps") {
    return { output: "steps", rows: everyRow, frames: betweenSteps };
  }
  if (asked === "ends" && !hasPictures) {
    return { output: "ends", rows: everyRow, frames: everyState };
  }
  if (isMany(asked, span)) return { output: asked, rows: everyRow, frames: everyState };
  const table = tableTimes(asked, span);
  if (!hasPictures || table.length >= MIN_FRAMES) {
    return { output: { times: table }, rows: everyRow, frames: everyState };
  }
  const direction = Math.sign(span[1] - span[0]);
  const merged = new Set([...table, ...even(span, FRAMES)]);
  const times = [...merged].sort((a, b) => direction * (a - b));
  const wanted = new Set(table);
  return {
    output: { times },
    rows: ({ time }) => [...time.keys()].filter((index) => wanted.has(time[index]!)),
    frames: everyState,
  };
}

/** Whether a rate yields more rows than pictures could use; the run then generates their times. */
function isMany(
  asked: OutputOption | undefined,
  [from, to]: TimeSpan,
): asked is { readonly rate: number } {
  return (
    typeof asked === "object" &&
    "rate" in asked &&
    Math.abs(to - from) * asked.rate > MAX_LISTED_TIMES
  );
}

function everyRow<S extends State>({ length }: Solution<S>): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** Stored states, thinned to at most twice the number of frames. */
function everyState<S extends State>(solution: Solution<S>): S[] {
  const stride = Math.max(1, Math.floor(solution.length / FRAMES));
  const states: S[] = [];
  for (let i = 0; i < solution.length; i += stride) states.push(solution.state(i));
  const { end } = solution;
  if (states.at(-1)?.time !== end.time) states.push(end);
  return states;
}

/** States at evenly spaced times, from dense output. */
function betweenSteps<S extends State>(solution: Solution<S>): S[] {
  const from = solution.time[0] ?? solution.end.time;
  const to = solution.end.time;
  if (from === to) return [solution.end];
  return even([from, to], FRAMES).map((time) => solution.at(time));
}

/** Evenly spaced times that include both ends exactly. */
function even([from, to]: TimeSpan, count: number): number[] {
  const last = count - 1;
  return Array.from({ length: count }, (_, k) =>
    k === last ? to : from + ((to - from) * k) / last,
  );
}

function tableTimes(
  asked: Exclude<OutputOption, "steps"> | undefined,
  span: TimeSpan,
): readonly number[] {
  if (asked === undefined) return even(span, ROWS);
  if (asked === "ends") return span;
  if ("times" in asked) return Array.from(asked.times);
  const [from, to] = span;
  const count = Math.floor(Math.abs(to - from) * asked.rate * (1 + Number.EPSILON)) + 1;
  const direction = Math.sign(to - from);
  const times = Array.from({ length: count }, (_, k) => from + (direction * k) / asked.rate);
  return times.at(-1) === to ? times : [...times, to];
}

/** Milliseconds after which the rows of a run are written for the first time, and between later writes. */
const FIRST_WRITE_MS = 1000;
const WRITE_INTERVAL_MS = 500;

/** A run with its rows and frames. */
export interface RunRecord<S extends State> {
  readonly solution: Solution<S>;
  /** Log of the steps. */
  readonly steps: StepLog;
  /** Indices of the states of the table, in their order. */
  readonly rows: readonly number[];
  /** States for the animation and the plots, about evenly spaced in time. */
  readonly frames: readonly S[];
}

/** Writes rows of the table during the run, so that they survive if it is killed. */
export type RowKeeper<S extends State> = (
  solution: Solution<S>,
  rows: (solution: Solution<S>) => readonly number[],
) => void;

export interface RunRecordOptions<S extends State> {
  readonly terminal: Terminal;
  readonly isQuiet?: boolean | undefined;
  /** Whether the animation and the plots will be drawn. */
  readonly hasPictures: boolean;
  readonly keepRows?: RowKeeper<S> | undefined;
}

/** Runs until the end or Ctrl-C. */
export function record<System extends Source>(
  system: System,
  options: SolveOptions<System>,
  { terminal, isQuiet, hasPictures, keepRows }: RunRecordOptions<StateOf<System>>,
): RunRecord<StateOf<System>> {
  const bar = isQuiet ? SILENT : terminal.bar();
  const plan = plannedOutput(options.output, options.span, hasPictures);
  const steps = new StepLog(options.span[0]);
  try {
    const run = start(system, {
      ...options,
      output: plan.output,
      signal: terminal.signal,
      progress: (progress) => bar.update(progress.fraction, runText(progress)),
    });
    for (let next = performance.now() + FIRST_WRITE_MS; run.step(); ) {
      steps.add(run.time);
      if (performance.now() < next) continue;
      keepRows?.(run.solution(), plan.rows);
      next = performance.now() + WRITE_INTERVAL_MS;
    }
    steps.add(run.time);
    const solution = run.solution();
    const frames = hasPictures ? plan.frames(solution) : [];
    return { solution, steps, rows: plan.rows(solution), frames };
  } finally {
    bar.stop();
  }
}

/** Text next to the progress bar. */
function runText({ time, step, steps, seconds }: Progress): string {
  const rate = seconds > 0 ? `${short(steps / seconds)} steps/s` : "";
  return `t = ${short(time, 4)}  step ${short(Math.abs(step))}  ${rate}`;
}

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
