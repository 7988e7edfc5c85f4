// Something that moves by itself.

import type { ModelData, NamedNumber } from "../../bodies.js";
import { NodriftError } from "../../ground/errors.js";
import type { Feed, Readings } from "./feed.js";
import type { LiveSource } from "./source.js";

export class LiveFeed implements Feed {
  readonly span = undefined;
  readonly moves = true;
  readonly frames = undefined;
  readonly hasSpeed: boolean;
  readonly step: Feed["step"];
  readonly rewind: Feed["rewind"];
  readonly grab: Feed["grab"];
  readonly set: Feed["set"];
  readonly #live: LiveSource;
  readonly #given: ModelData;
  #isPlaying = true;

  constructor(live: LiveSource, data: ModelData) {
    this.#live = live;
    this.#given = data;
    this.hasSpeed = "speed" in live;
    const [theirs, ours] = [live.bodies.length, data.bodies.length];
    if (theirs !== ours) {
      throw new NodriftError(
        "DESCRIPTION",
        `view: the source has ${theirs} bodies and the model ${ours}: they must be the same`,
      );
    }
    if (live.step) this.step = (count) => void (count > 0 && live.step?.());
    if (live.rewind) this.rewind = () => void live.rewind?.();
    if (live.grab) this.grab = (body, point, options) => live.grab!(body, point, options);
    if (live.set) this.set = (values) => void live.set?.(values);
  }

  get data(): ModelData {
    return this.#live.data ?? this.#given;
  }

  get time(): number {
    return this.#live.time;
  }

  get isPlaying(): boolean {
    return this.#live.paused === undefined ? this.#isPlaying : !this.#live.paused;
  }

  set isPlaying(isPlaying: boolean) {
    this.#isPlaying = isPlaying;
    if ("paused" in this.#live) this.#live.paused = !isPlaying;
  }

  get speed(): number {
    return this.#live.speed ?? 1;
  }

  set speed(speed: number) {
    if (this.hasSpeed) this.#live.speed = speed;
  }

  advance(): void {}

  matrices(out: Float32Array | Float64Array, offset: number): void {
    for (let i = 0; i < this.#given.bodies.length; i++) this.#live.matrix(i, out, offset + 16 * i);
  }

  get absent(): readonly string[] | undefined {
    return this.#live.absent;
  }

  /** Where the source can tell numbers of its parts, they are shown. */
  readings(): Readings | undefined {
    const live = this.#live as LiveSource & Partial<Readings>;
    return live.body && live.joint && live.force ? (live as Readings) : undefined;
  }

  parameters(): readonly NamedNumber[] {
    return this.#live.parameters ?? [];
  }
}
