// Runs a model and keeps what files and pictures are made of.

import type { State } from "../../../seam/index.js";
import {
  type Progress,
  type Solution,
  type SolveOptions,
  type Source,
  type StateOf,
  start,
} from "../../../solve.js";
import { SILENT } from "../terminal/bar.js";
import { short } from "../terminal/numbers.js";
import type { Terminal } from "../terminal/terminal.js";
import { plannedOutput } from "./planned-output.js";
import { StepLog } from "./step-log.js";

/** Milliseconds after which rows of a run are given away for the first time, and again. */
const LONG = 1000;
const AGAIN = 500;

/** A run and what was asked of it. */
export interface Recording<S extends State> {
  readonly solution: Solution<S>;
  /** The steps that were taken. */
  readonly steps: StepLog;
  /** States for the table, in their order. */
  readonly rows: readonly number[];
  /** States for the animation and the plots, about evenly in time. */
  readonly frames: readonly S[];
}

/** Writes rows of the table during the run, so that they survive whatever happens to it. */
export type RowKeeper<S extends State> = (
  solution: Solution<S>,
  rows: (solution: Solution<S>) => readonly number[],
) => void;

export interface RecordOptions<S extends State> {
  readonly terminal: Terminal;
  readonly isQuiet?: boolean | undefined;
  /** Whether pictures will be made. */
  readonly hasPictures: boolean;
  readonly keepRows?: RowKeeper<S> | undefined;
}

/** Runs to the end, or until Ctrl-C. */
export function record<System extends Source>(
  system: System,
  options: SolveOptions<System>,
  { terminal, isQuiet, hasPictures, keepRows }: RecordOptions<StateOf<System>>,
): Recording<StateOf<System>> {
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
    for (let next = performance.now() + LONG; run.step(); ) {
      steps.add(run.time);
      if (performance.now() < next) continue;
      keepRows?.(run.solution(), plan.rows);
      next = performance.now() + AGAIN;
    }
    steps.add(run.time);
    const solution = run.solution();
    const frames = hasPictures ? plan.frames(solution) : [];
    return { solution, steps, rows: plan.rows(solution), frames };
  } finally {
    bar.stop();
  }
}

/** What a run shows beside its bar. */
function runText({ time, step, steps, seconds }: Progress): string {
  const rate = seconds > 0 ? `${short(steps / seconds)} steps/s` : "";
  return `t = ${short(time, 4)}  step ${short(Math.abs(step))}  ${rate}`;
}
