// A simulation, which the view steps in real time.

import type { BodySimulation, GrabOptions, Grip, ModelData, NamedNumber } from "../../bodies.js";
import type { Feed, Readings } from "./feed.js";
import { writePose } from "./pose-table.js";
import { lookAhead } from "./preview.js";

/** Milliseconds of a frame that steps may take: what is more is shown in slow motion, and the page stays alive. */
const BUDGET = 12;
/** Real seconds that are made up for at most, after a page was in the background. */
const CATCH_UP = 0.1;

export class SimulationFeed implements Feed {
  readonly span = undefined;
  readonly moves = true;
  readonly frames = undefined;
  readonly hasSpeed: boolean;
  isPlaying = false;
  speed = 1;
  readonly #simulation: BodySimulation;
  readonly #drives: boolean;
  readonly #start: ReturnType<BodySimulation["save"]>;
  #due = 0;

  constructor(simulation: BodySimulation, drives: boolean) {
    this.#simulation = simulation;
    this.#drives = drives;
    this.hasSpeed = drives;
    this.#start = simulation.save();
  }

  get data(): ModelData {
    return this.#simulation.data;
  }

  get time(): number {
    return this.#simulation.time;
  }

  advance(seconds: number): void {
    if (!this.#drives || !this.isPlaying) return;
    const { step } = this.#simulation;
    this.#due += Math.min(seconds, CATCH_UP) * this.speed;
    const until = performance.now() + BUDGET;
    while (this.#due >= step) {
      this.#simulation.advance();
      this.#due -= step;
      if (performance.now() > until) this.#due = Math.min(this.#due, step);
    }
  }

  matrices(out: Float32Array | Float64Array, offset: number): void {
    for (const [i, name] of this.#simulation.bodies.entries()) {
      const { position, orientation } = this.#simulation.body(name);
      writePose(position, orientation, out, offset + 16 * i);
    }
  }

  readonly preview = (each: () => void): void => {
    if (this.#drives) lookAhead(this.#simulation, each);
  };

  readonly step = (count: number): void => {
    if (count > 0) this.#simulation.advance(count);
  };

  /** Numbers that were set stay set. */
  readonly rewind = (): void => {
    const values = Object.fromEntries(this.parameters().map(({ name, value }) => [name, value]));
    this.#simulation.restore(this.#start);
    if (Object.keys(values).length > 0) this.#simulation.set(values);
    this.#due = 0;
  };

  readings(): Readings {
    return this.#simulation;
  }

  grab(body: string, point: readonly [number, number, number], options?: GrabOptions): Grip {
    return this.#simulation.grab(body, point, options);
  }

  parameters(): readonly NamedNumber[] {
    return this.#simulation.parameters;
  }

  set(values: Readonly<Record<string, number>>): void {
    this.#simulation.set(values);
  }
}
