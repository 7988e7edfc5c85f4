// Chunks of cases for workers. Short cases form large chunks, so that the overhead per case is negligible. Chunks that kill a
// worker are bisected to isolate the case.

import type { StopSignal } from "../../src/solve.js";
import { DEFAULT_SECONDS, lateReason } from "../cases/case-runner.js";
import type { Plan } from "../cases/plan.js";
import { lineOf } from "../cases/result.js";
import type { Ledger } from "../journal/ledger.js";
import { type CaseWorker, WorkerLost } from "./case-worker.js";

/** Target duration of a chunk in seconds. */
const CHUNK_S = 0.5;
/** Largest growth factor of chunks, and their largest size. */
const MAX_GROWTH = 4;
const MAX_CASES_PER_CHUNK = 2000;
/** Chunks per worker among the remaining cases: the last chunks are small, so that workers finish at about the same time. */
const CHUNKS_PER_WORKER = 4;

/** Cases that are run together. */
export interface Chunk {
  readonly indices: readonly number[];
  /** Number of workers lost with this case alone. */
  readonly attempts: number;
}

/** Timeout of a chunk in seconds. Models have a limit of their own; the code of a module may never return. */
export function timeoutOf({ definition }: Plan, { indices }: Chunk): number {
  const { maximumSeconds = DEFAULT_SECONDS } = definition.limits ?? {};
  const slack = definition.model.kind === "module" ? 2 : 30;
  return indices.length === 1
    ? 1.2 * maximumSeconds + slack
    : maximumSeconds + 20 * CHUNK_S + slack;
}

/**
 * Returns the chunks to retry after the loss of a worker, or the line of a failed case. A chunk that timed out is retried case by
 * case, since halves could time out repeatedly. A module that times out with a single case is not retried.
 */
export function afterLoss(
  plan: Plan,
  { indices, attempts }: Chunk,
  { message, isLate }: WorkerLost,
): readonly Chunk[] | string {
  if (indices.length > 1) {
    const size = isLate ? 1 : Math.ceil(indices.length / 2);
    const parts = Math.ceil(indices.length / size);
    return Array.from({ length: parts }, (_, i) => ({
      indices: indices.slice(i * size, (i + 1) * size),
      attempts: 0,
    }));
  }
  const {
    model,
    limits: { maximumSeconds = DEFAULT_SECONDS, attempts: maximumAttempts = 3 } = {},
  } = plan.definition;
  if (isLate && model.kind === "module") {
    return failedLine(plan, indices[0]!, lateReason(maximumSeconds));
  }
  if (attempts + 1 < maximumAttempts) return [{ indices, attempts: attempts + 1 }];
  return setAsideLine(plan, indices[0]!, maximumAttempts, message);
}

/** Runs cases on one worker until each has a line. Yields the lines as they arrive. */
export async function* linesOf(
  worker: CaseWorker,
  plan: Plan,
  indices: readonly number[],
  signal: StopSignal,
): AsyncGenerator<readonly string[]> {
  const open: Chunk[] = indices.length > 0 ? [{ indices, attempts: 0 }] : [];
  for (let chunk = open.pop(); chunk && !signal.aborted; chunk = open.pop()) {
    try {
      yield (await worker.run(chunk.indices, timeoutOf(plan, chunk))).lines;
    } catch (error) {
      if (!(error instanceof WorkerLost) || signal.aborted) throw error;
      const after = afterLoss(plan, chunk, error);
      if (typeof after === "string") yield [after];
      else open.push(...[...after].reverse());
    }
  }
}

/** Line of a failed case that kills every worker. */
export function setAsideLine(plan: Plan, index: number, attempts: number, why: string): string {
  const workers = attempts === 1 ? "a worker was" : `${attempts} workers were`;
  return failedLine(plan, index, `set aside: ${workers} lost with this case (${why})`);
}

function failedLine(plan: Plan, index: number, reason: string): string {
  return lineOf({
    case: index,
    id: plan.id(index),
    status: "failed",
    parameters: Array.from(plan.values(index)),
    reason,
  });
}

/** Divides the open cases of a ledger into chunks. */
export class Chunks {
  readonly #ledger: Ledger;
  readonly #workers: number;
  readonly #retries: Chunk[] = [];
  readonly #wanted: readonly number[] | undefined;
  #next = 0;
  #size = 1;

  /** Uses all open cases, or only `wanted` ones. */
  constructor(ledger: Ledger, workers: number, wanted?: readonly number[]) {
    this.#ledger = ledger;
    this.#workers = workers;
    this.#wanted = wanted;
  }

  /** Returns the next chunk; undefined if none is left. */
  next(): Chunk | undefined {
    const retry = this.#retries.pop();
    if (retry) return retry;
    const indices: number[] = [];
    const size = Math.min(
      this.#size,
      Math.ceil(this.#left() / (CHUNKS_PER_WORKER * this.#workers)),
    );
    while (indices.length < Math.max(1, size) && this.#next < this.#end()) {
      const index = this.#wanted ? this.#wanted[this.#next]! : this.#next;
      this.#next++;
      if (index < this.#ledger.count && this.#ledger.isOpen(index)) indices.push(index);
    }
    return indices.length > 0 ? { indices, attempts: 0 } : undefined;
  }

  /** Adapts the size of chunks to a measured run time. */
  learn(count: number, seconds: number): void {
    if (count === 0) return;
    const size = Math.floor(CHUNK_S / Math.max(seconds / count, 1e-6));
    this.#size = Math.max(1, Math.min(size, this.#size * MAX_GROWTH, MAX_CASES_PER_CHUNK));
  }

  /** Handles the loss of a worker. Returns the line of the case that fails by it, if any. */
  lost(chunk: Chunk, loss: WorkerLost): string | undefined {
    const after = afterLoss(this.#ledger.plan, chunk, loss);
    if (typeof after === "string") return after;
    this.#retries.push(...[...after].reverse());
    return undefined;
  }

  #end(): number {
    return this.#wanted ? this.#wanted.length : this.#ledger.count;
  }

  #left(): number {
    return this.#end() - this.#next;
  }
}
