// Runs the open cases of a campaign on several workers and stores their results.

import type { StopSignal } from "../../src/solve.js";
import type { CaseResult } from "../cases/result.js";
import type { Ledger } from "../journal/ledger.js";
import { type CaseWorker, WorkerLost } from "./case-worker.js";
import { type Chunk, Chunks, timeoutOf } from "./chunks.js";

/** Milliseconds between flushes to disk. */
const FLUSH_INTERVAL_MS = 1000;
/** Largest number of results that wait to be consumed; beyond it the workers wait. */
const MAX_PENDING_RESULTS = 20_000;
/** Milliseconds between checks of the stop signal. */
const ABORT_POLL_MS = 100;

export interface SweepOptions {
  /** Stops the campaign; results so far are kept. */
  readonly signal?: StopSignal | undefined;
  /** Runs only these cases. */
  readonly wanted?: readonly number[];
}

/** Runs cases. Yields their results as they arrive. */
export async function* sweep(
  ledger: Ledger,
  workers: readonly CaseWorker[],
  { signal, wanted }: SweepOptions = {},
): AsyncGenerator<CaseResult> {
  const run = new Run(ledger, workers, signal, wanted);
  try {
    yield* run.results();
  } finally {
    await run.close();
  }
}

class Run {
  readonly #ledger: Ledger;
  readonly #workers: readonly CaseWorker[];
  readonly #signal: StopSignal | undefined;
  readonly #chunks: Chunks;
  readonly #ready: CaseResult[] = [];
  #lastFlush = performance.now();
  #active = 0;
  #isClosed = false;
  #error: unknown;
  #wake: () => void = () => {};

  constructor(
    ledger: Ledger,
    workers: readonly CaseWorker[],
    signal: StopSignal | undefined,
    wanted: readonly number[] | undefined,
  ) {
    this.#ledger = ledger;
    this.#workers = workers;
    this.#signal = signal;
    this.#chunks = new Chunks(ledger, workers.length, wanted);
  }

  async *results(): AsyncGenerator<CaseResult> {
    this.#active = this.#workers.length;
    for (const worker of this.#workers) void this.#serve(worker);
    while (true) {
      yield* this.#ready.splice(0);
      if (this.#error !== undefined) throw this.#error;
      if (this.#ready.length > 0) continue;
      if (this.#active === 0 || this.#isStopped()) break;
      await this.#waitForResults();
    }
    this.#ledger.flush();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#workers.map((worker) => worker.close()));
    // Later results are ignored, since the ledger may be closed.
    this.#wake = () => {};
  }

  #isStopped(): boolean {
    return this.#signal?.aborted === true || this.#ledger.stopReason !== undefined;
  }

  /** Waits for a result, or until the next check of the signal. */
  #waitForResults(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ABORT_POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #serve(worker: CaseWorker): Promise<void> {
    try {
      while (!this.#isClosed && !this.#isStopped()) {
        const chunk = this.#chunks.next();
        if (!chunk) {
          // Other workers may still lose chunks, whose halves become available.
          if (this.#busy === 0) break;
          await new Promise((resolve) => setTimeout(resolve, 20));
          continue;
        }
        await this.#work(worker, chunk);
        while (this.#ready.length > MAX_PENDING_RESULTS && !this.#isClosed) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
    } catch (error) {
      this.#error ??= error;
    }
    this.#active--;
    this.#wake();
  }

  #busy = 0;

  async #work(worker: CaseWorker, chunk: Chunk): Promise<void> {
    this.#busy++;
    try {
      const timeout = timeoutOf(this.#ledger.plan, chunk);
      const { lines, seconds } = await worker.run(chunk.indices, timeout);
      if (this.#isClosed) return;
      this.#chunks.learn(lines.length, seconds);
      this.#store(lines);
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error;
      if (this.#isClosed) return;
      const line = this.#chunks.lost(chunk, error);
      if (line !== undefined) this.#store([line]);
    } finally {
      this.#busy--;
    }
  }

  #store(lines: readonly string[]): void {
    this.#ready.push(...this.#ledger.add(lines));
    const now = performance.now();
    if (now - this.#lastFlush > FLUSH_INTERVAL_MS) {
      this.#ledger.flush();
      this.#lastFlush = now;
    }
    this.#wake();
  }
}
