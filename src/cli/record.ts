// Runs a model and keeps what files and pictures are made of.

import type { BodyState, CompiledModel } from "../bodies/index.js";
import { type Solution, type SolveOptions, start } from "../solve/index.js";
import { plannedOutput } from "./planned-output.js";
import { progressBar, runText } from "./progress.js";
import { StepLog } from "./step-log.js";
import type { Terminal } from "./terminal.js";

/** Real time between two looks at signals, in milliseconds. */
const PATIENCE = 15;

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

export interface RecordOptions {
  readonly terminal: Terminal;
  readonly isQuiet?: boolean | undefined;
  /** Whether pictures will be made. */
  readonly hasPictures: boolean;
}

/** Runs to the end, or till Ctrl-C. */
export async function record(
  system: CompiledModel,
  options: SolveOptions<CompiledModel>,
  { terminal, isQuiet, hasPictures }: RecordOptions,
): Promise<Recording> {
  const bar = progressBar(terminal, isQuiet);
  const plan = plannedOutput(options.output, options.span, hasPictures);
  const steps = new StepLog(options.span[0]);
  try {
    const run = start(system, {
      ...options,
      output: plan.output,
      signal: terminal.signal,
      progress: (progress) => bar.update(progress.fraction, runText(progress)),
    });
    for (let since = performance.now(); run.step(); ) {
      steps.add(run.time);
      if (performance.now() - since < PATIENCE) continue;
      await new Promise((resolve) => setTimeout(resolve));
      since = performance.now();
    }
    steps.add(run.time);
    const solution = run.solution();
    const frames = hasPictures ? plan.frames(solution) : [];
    return { solution, steps, rows: plan.rows(solution), frames };
  } finally {
    bar.stop();
  }
}
