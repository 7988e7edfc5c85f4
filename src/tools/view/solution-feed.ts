// A solution: its motion is known, so time can be gone through.

import type { BodyState, ModelData, NamedNumber } from "../../bodies.js";
import type { Solution } from "../../solve.js";
import { absencesOf } from "../report/absences.js";
import { framesOf } from "../report/frames.js";
import { Motion } from "../report/page/motion.js";
import { rateFor } from "../report/page/player.js";
import type { Frames } from "../report/scene-data.js";
import type { Feed, Readings } from "./feed.js";

/** Real seconds at the end before it begins again. */
const PAUSE = 0.7;

export class SolutionFeed implements Feed {
  readonly moves = true;
  readonly hasSpeed = true;
  readonly span: readonly [number, number];
  isPlaying = false;
  /** Of the motion for a second of the viewer. */
  speed: number;
  time: number;
  readonly frames: Frames;
  readonly #solution: Solution<BodyState>;
  readonly #motion: Motion;
  readonly #order: readonly number[];
  #waited = 0;

  constructor(
    solution: Solution<BodyState>,
    readonly data: ModelData,
  ) {
    this.#solution = solution;
    this.frames = framesOf(solution.states(), data, {
      events: solution.events,
      absences: absencesOf(solution),
    });
    this.#motion = Motion.of(this.frames);
    this.span = [this.#motion.start, this.#motion.end];
    this.time = this.#motion.start;
    this.speed = rateFor(this.#motion.end - this.#motion.start);
    const numbers = Array.from(solution.time, (_, i) => i);
    // A run backward in time is shown forward.
    this.#order = solution.time[0]! > solution.time.at(-1)! ? numbers.reverse() : numbers;
  }

  advance(seconds: number): void {
    if (!this.isPlaying) return;
    const [start, end] = this.span;
    if (this.time < end) {
      this.time = Math.min(end, this.time + Math.min(0.1, seconds) * this.speed);
      return;
    }
    this.#waited += seconds;
    if (this.#waited < PAUSE) return;
    this.#waited = 0;
    this.time = start;
  }

  matrices(out: Float32Array | Float64Array, offset: number): void {
    this.#motion.moveTo(this.time);
    const { poses } = this.#motion;
    for (let i = 0; i < this.data.bodies.length; i++) {
      const [from, to] = [12 * (i + 1), offset + 16 * i];
      for (let j = 0; j < 3; j++) {
        for (let k = 0; k < 3; k++) out[to + 4 * j + k] = poses[from + 3 + 3 * j + k]!;
        out[to + 4 * j + 3] = 0;
        out[to + 12 + j] = poses[from + j]!;
      }
      out[to + 15] = 1;
    }
  }

  readonly step = (count: number): void => {
    this.time = this.#motion.neighbour(this.time, count);
  };

  readonly rewind = (): void => {
    this.time = this.span[0];
  };

  readonly seek = (time: number): void => {
    this.time = Math.min(this.span[1], Math.max(this.span[0], time));
  };

  /** Of the last stored state that is not after the time. */
  readings(): Readings {
    const { time } = this.#solution;
    let [low, high] = [0, this.#order.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (time[this.#order[middle]!]! <= this.time) low = middle;
      else high = middle - 1;
    }
    return this.#solution.state(this.#order[low]!);
  }

  readonly history = (most: number) => {
    const stride = Math.max(1, Math.ceil(this.#order.length / most));
    return this.#order
      .filter((_, i) => i % stride === 0)
      .map((index) => ({ time: this.#solution.time[index]!, at: this.#solution.state(index) }));
  };

  parameters(): readonly NamedNumber[] {
    return [];
  }
}
