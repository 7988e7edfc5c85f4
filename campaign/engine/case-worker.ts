// Workers that run cases, in this process or in another one.

import type { StopSignal } from "../../src/solve.js";
import type { CaseRunner } from "../cases/case-runner.js";
import { lineOf } from "../cases/result.js";

/** Lines of results, and their run time in seconds. */
export interface Work {
  readonly lines: readonly string[];
  readonly seconds: number;
}

/** Runs cases in this process or in another one. */
export interface CaseWorker {
  /** Runs cases within `timeout` seconds. Throws {@link WorkerLost} if the worker died; the next call starts another. */
  run(indices: readonly number[], timeout: number): Promise<Work>;
  close(): Promise<void>;
}

/** A worker died during its cases, or did not finish them in time. */
export class WorkerLost extends Error {
  override readonly name = "WorkerLost";

  constructor(
    message: string,
    /** Whether it was terminated because of the timeout. */
    readonly isLate = false,
  ) {
    super(message);
  }
}

/** Milliseconds between ticks of the event loop; a tick costs as much as the overhead of a case. */
const TICK_INTERVAL_MS = 5;

/** Runs cases one at a time. Yields to the event loop between them, but not after every short case. */
export async function runCases(
  runner: CaseRunner,
  indices: readonly number[],
  signal?: StopSignal,
): Promise<Work> {
  const began = performance.now();
  const lines: string[] = [];
  let lastTick = began;
  for (const index of indices) {
    if (signal?.aborted) break;
    lines.push(lineOf(await runner.run(index, signal)));
    if (performance.now() - lastTick < TICK_INTERVAL_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    lastTick = performance.now();
  }
  return { lines, seconds: (performance.now() - began) / 1000 };
}

/** A worker in this process. */
export function inProcessWorker(runner: CaseRunner, signal?: StopSignal): CaseWorker {
  return {
    run: (indices) => runCases(runner, indices, signal),
    close: async () => {},
  };
}
