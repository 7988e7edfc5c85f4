// Runs the open cases of a campaign on several seats, and keeps what they give.

import type { StopSignal } from "../../../solve.js";
import type { CaseResult } from "../cases/result.js";
import type { Ledger } from "../journal/ledger.js";
import { type Chunk, Chunks, timeoutOf } from "./chunks.js";
import { type Seat, WorkerLost } from "./seat.js";

/** Milliseconds between writes to the disk itself. */
const FLUSH = 1000;
/** Results that wait to be taken: more, and the seats wait. */
const WAITING = 20_000;
/** Milliseconds between looks at a signal. */
const LOOK = 100;

export interface SweepOptions {
  /** Ends it; what is done is kept. */
  readonly signal?: StopSignal | undefined;
  /** Only these cases. */
  readonly wanted?: readonly number[];
}

/** Runs cases, and gives their results in the order in which they come. */
export async function* sweep(
  ledger: Ledger,
  seats: readonly Seat[],
  { signal, wanted }: SweepOptions = {},
): AsyncGenerator<CaseResult> {
  const run = new Run(ledger, seats, signal, wanted);
  try {
    yield* run.results();
  } finally {
    await run.close();
  }
}

class Run {
  readonly #ledger: Ledger;
  readonly #seats: readonly Seat[];
  readonly #signal: StopSignal | undefined;
  readonly #chunks: Chunks;
  readonly #ready: CaseResult[] = [];
  #flushed = performance.now();
  #active = 0;
  #isOver = false;
  #error: unknown;
  #wake: () => void = () => {};

  constructor(
    ledger: Ledger,
    seats: readonly Seat[],
    signal: StopSignal | undefined,
    wanted: readonly number[] | undefined,
  ) {
    this.#ledger = ledger;
    this.#seats = seats;
    this.#signal = signal;
    this.#chunks = new Chunks(ledger, seats.length, wanted);
  }

  async *results(): AsyncGenerator<CaseResult> {
    this.#active = this.#seats.length;
    for (const seat of this.#seats) void this.#serve(seat);
    while (true) {
      yield* this.#ready.splice(0);
      if (this.#error !== undefined) throw this.#error;
      if (this.#ready.length > 0) continue;
      if (this.#active === 0 || this.#isStopped()) break;
      await this.#news();
    }
    this.#ledger.flush();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#seats.map((seat) => seat.close()));
    // What was on its way is not taken any more: the ledger may be closed.
    this.#wake = () => {};
  }

  #isStopped(): boolean {
    return this.#signal?.aborted === true || this.#ledger.stopReason !== undefined;
  }

  /** Till something happens; a signal that is shared memory is looked at now and then. */
  #news(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #serve(seat: Seat): Promise<void> {
    try {
      while (!this.#isOver && !this.#isStopped()) {
        const chunk = this.#chunks.next();
        if (!chunk) {
          // Others may lose theirs, and leave halves.
          if (this.#busy === 0) break;
          await new Promise((resolve) => setTimeout(resolve, 20));
          continue;
        }
        await this.#work(seat, chunk);
        while (this.#ready.length > WAITING && !this.#isOver) {
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

  async #work(seat: Seat, chunk: Chunk): Promise<void> {
    this.#busy++;
    try {
      const timeout = timeoutOf(this.#ledger.plan, chunk);
      const { lines, seconds } = await seat.run(chunk.indices, timeout);
      if (this.#isOver) return;
      this.#chunks.learn(lines.length, seconds);
      this.#keep(lines);
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error;
      if (this.#isOver) return;
      const line = this.#chunks.lost(chunk, error);
      if (line !== undefined) this.#keep([line]);
    } finally {
      this.#busy--;
    }
  }

  #keep(lines: readonly string[]): void {
    this.#ready.push(...this.#ledger.add(lines));
    const now = performance.now();
    if (now - this.#flushed > FLUSH) {
      this.#ledger.flush();
      this.#flushed = now;
    }
    this.#wake();
  }
}
