// A live object of a worker as something that moves by itself. What a view sets is a command there, and shows frames later; here it is
// known at once, so that buttons do not flicker.

import type { GrabOptions } from "../../bodies.js";
import type { LiveGrip, LiveSource, WorkerSource } from "./source.js";

type Matrix = Parameters<LiveSource["matrix"]>[1];

export class SourceOfWorker implements LiveSource {
  readonly #live: WorkerSource;
  /** Where it was when the view began: its start, unless it had been running. */
  readonly #start: Promise<unknown>;
  #paused: boolean;
  #speed = 1;

  constructor(live: WorkerSource) {
    this.#live = live;
    this.#paused = live.paused;
    this.#start = live.save();
    done(this.#start);
  }

  get bodies(): readonly string[] {
    return this.#live.bodies;
  }

  get absent(): readonly string[] {
    return this.#live.absent ?? [];
  }

  get time(): number {
    return this.#live.time;
  }

  get paused(): boolean {
    return this.#paused;
  }

  set paused(paused: boolean) {
    if (paused === this.#paused) return;
    this.#paused = paused;
    done(paused ? this.#live.pause() : this.#live.resume());
  }

  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#speed = speed;
    done(this.#live.speed(speed));
  }

  matrix(body: string | number, out: Matrix, offset?: number): void {
    this.#live.matrix(body, out, offset);
  }

  step(): void {
    done(this.#live.step());
  }

  rewind(): void {
    done(this.#start.then((start) => this.#live.restore(start as never)));
  }

  grab(
    body: string,
    point: readonly [number, number, number],
    options?: GrabOptions,
  ): Promise<LiveGrip> {
    return this.#live.grab(body, point, options);
  }
}

/** A worker that has died tells its own listeners why; the command it left undone has nothing to add. */
function done(command: Promise<unknown>): void {
  command.catch(() => undefined);
}

/** Whether a source is one of a worker. */
export function isOfWorker(source: object): source is WorkerSource {
  return ["pause", "resume", "speed", "save", "restore"].every(
    (name) => typeof (source as Readonly<Record<string, unknown>>)[name] === "function",
  );
}
