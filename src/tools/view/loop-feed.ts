// A realtime loop: of a simulation, or of a run to a tolerance.

import type {
  BodySimulation,
  BodyState,
  GrabOptions,
  Grip,
  ModelData,
  NamedNumber,
} from "../../bodies.js";
import type { Realtime, RealtimeRun } from "../../solve.js";
import { AbsentParts } from "../report/absences.js";
import type { Feed, Readings } from "./feed.js";
import { lookAhead } from "./preview.js";

type Loop = Realtime<BodySimulation> | RealtimeRun<BodyState>;

export class LoopFeed implements Feed {
  readonly span = undefined;
  readonly moves = true;
  readonly frames = undefined;
  readonly hasSpeed = true;
  readonly step: ((count: number) => void) | undefined;
  readonly rewind: (() => void) | undefined;
  readonly preview: Feed["preview"];
  readonly grab: Feed["grab"];
  readonly set: Feed["set"];
  readonly #loop: Loop;
  readonly #drives: boolean;
  readonly #given: ModelData;
  readonly #simulation: BodySimulation | undefined;
  readonly #absent: AbsentParts | undefined;

  constructor(loop: Loop, data: ModelData, drives: boolean) {
    this.#loop = loop;
    this.#drives = drives;
    this.#given = data;
    if (!("simulation" in loop)) {
      this.#absent = new AbsentParts(loop.run);
      this.step = (count) => void (count > 0 && !loop.run.isOver && loop.run.step());
      return;
    }
    const { simulation } = loop;
    this.#simulation = simulation;
    const start = simulation.save();
    this.step = (count) => {
      if (count <= 0) return;
      simulation.advance(count);
      loop.reset();
    };
    this.rewind = () => {
      const values = Object.fromEntries(this.parameters().map(({ name, value }) => [name, value]));
      simulation.restore(start);
      if (Object.keys(values).length > 0) simulation.set(values);
      loop.reset();
    };
    if (drives) {
      this.preview = (each) => {
        lookAhead(simulation, () => {
          loop.reset();
          each();
        });
        loop.reset();
      };
    }
    this.grab = (
      body: string,
      point: readonly [number, number, number],
      options?: GrabOptions,
    ): Grip => simulation.grab(body, point, options);
    this.set = (values) => void simulation.set(values);
  }

  get data(): ModelData {
    return this.#simulation?.data ?? this.#given;
  }

  get absent(): readonly string[] | undefined {
    return this.#absent?.names;
  }

  get time(): number {
    return this.#loop.time;
  }

  get isPlaying(): boolean {
    return !this.#loop.paused;
  }

  set isPlaying(isPlaying: boolean) {
    this.#loop.paused = !isPlaying;
  }

  get speed(): number {
    return this.#loop.speed;
  }

  set speed(speed: number) {
    this.#loop.speed = speed;
  }

  advance(seconds: number): void {
    if (this.#drives) this.#loop.advance(seconds);
  }

  matrices(out: Float32Array | Float64Array, offset: number): void {
    for (let i = 0; i < this.data.bodies.length; i++) this.#loop.matrix(i, out, offset + 16 * i);
  }

  readings(): Readings {
    return this.#simulation ?? (this.#loop as RealtimeRun<BodyState>).run.state;
  }

  parameters(): readonly NamedNumber[] {
    return this.#simulation?.parameters ?? [];
  }
}
