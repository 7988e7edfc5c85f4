// A worker without a thread: messages are handed over at once, and time passes when a test says so.

import type { WebWorker } from "nodrift/worker";
import { type Clock, type Maker, serve } from "nodrift/worker-serve";

/** A clock that stands until it is moved. */
export class ManualClock implements Clock {
  time = 0;
  #timers: { at: number; call: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(milliseconds: number, call: () => void): () => void {
    const timer = { at: this.time + milliseconds, call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  /** Lets milliseconds pass; timers ring on time, or all at the end where the thread is held up. */
  pass(milliseconds: number, isHeldUp = false): void {
    const end = this.time + milliseconds;
    for (;;) {
      this.#timers.sort((a, b) => a.at - b.at);
      const next = this.#timers[0];
      if (next === undefined || next.at > end) break;
      this.#timers.shift();
      this.time = isHeldUp ? end : Math.max(this.time, next.at);
      next.call();
    }
    this.time = end;
  }
}

type Listener = (event: never) => void;

/** A worker whose program serves a model here. */
export class WorkerHere implements WebWorker {
  /** Frames that the page gives back are kept here, if there is a list. */
  held: unknown[] | undefined;
  #far: ((event: { data: unknown }) => void) | undefined;
  readonly #near = new Map<string, Listener[]>();
  #isOver = false;

  constructor(clock: Clock, maker: Maker) {
    serve(maker, {
      clock,
      port: {
        postMessage: (data, transfer) =>
          this.tell("message", { data: structuredClone(data, { transfer }) }),
        addEventListener: (_, listener) => {
          this.#far = listener;
        },
      },
    });
  }

  postMessage(data: unknown, transfer?: unknown): void {
    if (this.#isOver) return;
    const isFrame = data instanceof ArrayBuffer || (data as { type?: string }).type === "read";
    if (this.held && isFrame) this.held.push(data);
    else this.#far?.({ data: structuredClone(data, { transfer: transfer as ArrayBuffer[] }) });
  }

  addEventListener(type: string, listener: unknown): void {
    this.#near.set(type, [...(this.#near.get(type) ?? []), listener as Listener]);
  }

  /** An event of the worker. */
  tell(type: "message" | "error", event: object): void {
    if (!this.#isOver) for (const listener of this.#near.get(type) ?? []) listener(event as never);
  }

  terminate(): void {
    this.#isOver = true;
  }
}
