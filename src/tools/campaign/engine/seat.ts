// Where cases are run: in this process, or in one of their own.

import type { StopSignal } from "../../../solve.js";
import type { CaseRunner } from "../cases/case-runner.js";
import { lineOf } from "../cases/result.js";

/** Lines of results, and the seconds they took. */
export interface Work {
  readonly lines: readonly string[];
  readonly seconds: number;
}

/** A worker, from the outside. */
export interface Seat {
  /** Runs cases. Throws {@link WorkerLost} where the worker is gone; another has then taken its place. */
  run(indices: readonly number[], timeout: number): Promise<Work>;
  close(): Promise<void>;
}

/** A worker ended in the midst of its cases, or did not end them in time. */
export class WorkerLost extends Error {
  override readonly name = "WorkerLost";

  constructor(
    message: string,
    /** It was ended because its cases took too long. */
    readonly isLate = false,
  ) {
    super(message);
  }
}

/** Milliseconds after which others have their turn: a turn costs as much as the book-keeping of a case. */
const TURN = 5;

/** Runs cases one after the other. Between them others have their turn, though not after each that is short. */
export async function runCases(
  runner: CaseRunner,
  indices: readonly number[],
  signal?: StopSignal,
): Promise<Work> {
  const began = performance.now();
  const lines: string[] = [];
  let turn = began;
  for (const index of indices) {
    if (signal?.aborted) break;
    lines.push(lineOf(await runner.run(index, signal)));
    if (performance.now() - turn < TURN) continue;
    await new Promise((resolve) => setImmediate(resolve));
    turn = performance.now();
  }
  return { lines, seconds: (performance.now() - began) / 1000 };
}

/** A seat in this process. */
export function ownSeat(runner: CaseRunner, signal?: StopSignal): Seat {
  return {
    run: (indices) => runCases(runner, indices, signal),
    close: async () => {},
  };
}
