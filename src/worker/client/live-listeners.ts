// Listeners of a live model.

import { argument, callback, oneOf } from "../../base/checking/index.js";

/** End of a motion. */
export interface LiveEnd {
  /** Simulated time of the end. */
  readonly time: number;
  /** "until", or the status of a run. */
  readonly reason: string;
}

/** Arguments of listeners, by event. */
export interface LiveEvents<L> {
  frame: L;
  error: Error;
  end: LiveEnd;
}

type Listener = (given: never) => void;

const EVENTS = oneOf("frame", "error", "end");

/** An asynchronous loop over frames. */
interface FrameListener {
  frame(): void;
  finish(error?: Error): void;
}

export class LiveListeners<L> {
  readonly #lists = {
    frame: new Set<Listener>(),
    error: new Set<Listener>(),
    end: new Set<Listener>(),
  };
  readonly #readers = new Set<FrameListener>();

  add<Type extends keyof LiveEvents<L>>(
    type: Type,
    listener: (given: LiveEvents<L>[Type]) => void,
  ): () => void {
    argument("on", "STEP", "the event", type, EVENTS);
    argument("on", "STEP", "the listener", listener, callback());
    const list = this.#lists[type];
    list.add(listener as Listener);
    return () => void list.delete(listener as Listener);
  }

  emit<Type extends keyof LiveEvents<L>>(type: Type, given: LiveEvents<L>[Type]): void {
    for (const listener of this.#lists[type]) (listener as (given: unknown) => void)(given);
    for (const reader of this.#readers) {
      if (type === "frame") reader.frame();
      else if (type === "end") reader.finish();
    }
  }

  /** Reports an error of a step, or the last error of a worker. */
  error(error: Error, isLast: boolean): void {
    const { error: list } = this.#lists;
    if (list.size === 0 && this.#readers.size === 0) {
      // Without a listener the error must not vanish.
      queueMicrotask(() => {
        throw error;
      });
    }
    for (const listener of list) (listener as (given: unknown) => void)(error);
    // Without a listener a failed step ends loops too: they would wait for a frame that never comes.
    if (isLast || list.size === 0) for (const reader of this.#readers) reader.finish(error);
  }

  /** Ends all loops over frames. */
  finish(): void {
    for (const reader of this.#readers) reader.finish();
  }

  iterate(live: L, isAlive: () => boolean): AsyncIterator<L, undefined> {
    return new FrameReader(live, isAlive, this.#readers);
  }
}

/** Asynchronous iterator that returns the latest frame. */
class FrameReader<L> implements AsyncIterator<L, undefined>, FrameListener {
  readonly #live: L;
  readonly #all: Set<FrameListener>;
  #isNew = false;
  #isOver: boolean;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(live: L, isAlive: () => boolean, all: Set<FrameListener>) {
    this.#live = live;
    this.#all = all;
    this.#isOver = !isAlive();
    all.add(this);
  }

  frame(): void {
    this.#isNew = true;
    this.#wake?.();
  }

  finish(error?: Error): void {
    this.#isOver = true;
    this.#error = error;
    this.#all.delete(this);
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<L, undefined>> {
    while (!this.#isNew && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#isNew) {
      this.#isNew = false;
      return { done: false, value: this.#live };
    }
    const error = this.#error;
    this.#error = undefined;
    if (error) throw error;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<L, undefined>> {
    this.finish();
    this.#isNew = false;
    return { done: true, value: undefined };
  }
}
