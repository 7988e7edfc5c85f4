// A worker without a thread: messages are delivered synchronously, and tests advance the clock.

import type { WebWorker } from "nodrift/worker";
import { type Clock, type ModelFactory, serve } from "nodrift/worker-serve";

/** A manual clock. */
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

  /** Advances by milliseconds; timers fire on time, or all at the end if the thread is blocked. */
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

/** A worker that serves a model in this thread. */
export class WorkerHere implements WebWorker {
  /** Collects frames that the page returns, if it is a list. */
  held: unknown[] | undefined;
  #far: ((event: { data: unknown }) => void) | undefined;
  readonly #near = new Map<string, Listener[]>();
  #isOver = false;

  constructor(clock: Clock, maker: ModelFactory) {
    serve(maker, {
      clock,
      port: {
        postMessage: (data, transfer) =>
          this.emit("message", { data: structuredClone(data, { transfer }) }),
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

  /** Emits an event of the worker. */
  emit(type: "message" | "error", event: object): void {
    if (!this.#isOver) for (const listener of this.#near.get(type) ?? []) listener(event as never);
  }

  terminate(): void {
    this.#isOver = true;
  }
}
