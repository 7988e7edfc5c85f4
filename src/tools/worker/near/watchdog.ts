// Whether a worker still answers. Browsers say nothing when one is ended: it just falls silent.

/** Milliseconds between two questions. */
const PERIOD = 1000;

/**
 * Asks every second, and counts questions without an answer. Seconds of a clock would not do: while a computer sleeps
 * they pass, and nobody asks.
 */
export class Watchdog {
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #unanswered = 0;

  constructor(patience: number, ask: () => void, despair: () => void) {
    if (patience === Number.POSITIVE_INFINITY) return;
    const most = Math.max(1, (1000 * patience) / PERIOD);
    this.#timer = setInterval(() => {
      if (this.#unanswered >= most) despair();
      else {
        this.#unanswered++;
        ask();
      }
    }, PERIOD);
    // It keeps no program of Node alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** There was an answer. */
  heard(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
