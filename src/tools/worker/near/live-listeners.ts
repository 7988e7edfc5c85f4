// Who is told what happens to a live model.

import { argument, callback, oneOf } from "../../../ground/checking/index.js";

/** How a motion ended. */
export interface LiveEnd {
  /** When. */
  readonly time: number;
  /** "until", or the status of a run. */
  readonly reason: string;
}

/** What listeners are given, by the event. */
export interface LiveEvents<L> {
  frame: L;
  error: Error;
  end: LiveEnd;
}

type Listener = (given: never) => void;

const EVENTS = oneOf("frame", "error", "end");

/** A loop that waits for frames. */
interface Reader {
  frame(): void;
  finish(error?: Error): void;
}

export class LiveListeners<L> {
  readonly #lists = {
    frame: new Set<Listener>(),
    error: new Set<Listener>(),
    end: new Set<Listener>(),
  };
  readonly #readers = new Set<Reader>();

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

  tell<Type extends keyof LiveEvents<L>>(type: Type, given: LiveEvents<L>[Type]): void {
    for (const listener of this.#lists[type]) (listener as (given: unknown) => void)(given);
    for (const reader of this.#readers) {
      if (type === "frame") reader.frame();
      else if (type === "end") reader.finish();
    }
  }

  /** Of a step, or of the worker itself. */
  error(error: Error, isLast: boolean): void {
    const { error: list } = this.#lists;
    if (list.size === 0 && this.#readers.size === 0) {
      // Nobody would ever know.
      queueMicrotask(() => {
        throw error;
      });
    }
    for (const listener of list) (listener as (given: unknown) => void)(error);
    // A failed step ends a loop too where nobody else hears of it: no frame would ever come.
    if (isLast || list.size === 0) for (const reader of this.#readers) reader.finish(error);
  }

  /** No more frames. */
  finish(): void {
    for (const reader of this.#readers) reader.finish();
  }

  iterate(live: L, isAlive: () => boolean): AsyncIterator<L, undefined> {
    return new FrameReader(live, isAlive, this.#readers);
  }
}

/** Frames as an asynchronous loop gets them: the last one, whenever it asks. */
class FrameReader<L> implements AsyncIterator<L, undefined>, Reader {
  readonly #live: L;
  readonly #all: Set<Reader>;
  #isNew = false;
  #isOver: boolean;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(live: L, isAlive: () => boolean, all: Set<Reader>) {
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
