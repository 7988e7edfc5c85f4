// Runs a model and keeps what files and pictures are made of.

import type { BodyState, CompiledModel } from "../../../bodies.js";
import { type Progress, type Solution, type SolveOptions, start } from "../../../solve.js";
import { SILENT } from "../terminal/bar.js";
import { short } from "../terminal/numbers.js";
import type { Terminal } from "../terminal/terminal.js";
import { plannedOutput } from "./planned-output.js";
import { StepLog } from "./step-log.js";

/** Milliseconds after which rows of a run are given away for the first time, and again. */
const LONG = 1000;
const AGAIN = 500;

/** A run and what was asked of it. */
export interface Recording {
  readonly solution: Solution<BodyState>;
  /** The steps that were taken. */
  readonly steps: StepLog;
  /** States for the table, in their order. */
  readonly rows: readonly number[];
  /** States for the animation and the plots, about evenly in time. */
  readonly frames: readonly BodyState[];
}

/** Writes rows of the table during the run, so that they survive whatever happens to it. */
export type RowKeeper = (
  solution: Solution<BodyState>,
  rows: (solution: Solution<BodyState>) => readonly number[],
) => void;

export interface RecordOptions {
  readonly terminal: Terminal;
  readonly isQuiet?: boolean | undefined;
  /** Whether pictures will be made. */
  readonly hasPictures: boolean;
  readonly keepRows?: RowKeeper | undefined;
}

/** Runs to the end, or till Ctrl-C. */
export function record(
  system: CompiledModel,
  options: SolveOptions<CompiledModel>,
  { terminal, isQuiet, hasPictures, keepRows }: RecordOptions,
): Recording {
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
