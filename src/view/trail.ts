// Path of a point: known in advance, or as far as it has been seen.

import { Motion } from "../report/page/motion.js";
import type { Anchor, Frames } from "../report/scene-data.js";
import type { PoseTable } from "./pose-table.js";

/** Maximum number of stored points; beyond it every second point is dropped. */
const MAX_POINTS = 4000;

export class Trail {
  /** Times and positions, three coordinates each. */
  #times: number[] = [];
  #points: number[] = [];
  #stride = 1;
  #skipped = 0;

  constructor(
    readonly anchor: Anchor,
    frames?: Frames,
  ) {
    if (frames === undefined) return;
    const motion = Motion.of(frames);
    for (const time of motion.times) {
      motion.moveTo(time);
      this.#add(time, motion.point(...anchor));
    }
    this.isKnown = true;
  }

  /** Whether the full path is known; then only the part up to the present time is shown. */
  readonly isKnown: boolean = false;

  clear(): void {
    if (this.isKnown) return;
    this.#times = [];
    this.#points = [];
    this.#stride = 1;
  }

  /** Appends the present position. */
  take(time: number, table: PoseTable): void {
    if (this.isKnown || time === this.#times.at(-1)) return;
    if (++this.#skipped < this.#stride) return;
    this.#skipped = 0;
    this.#add(time, table.point(...this.anchor));
    if (this.#times.length <= MAX_POINTS) return;
    this.#times = this.#times.filter((_, i) => i % 2 === 0);
    this.#points = this.#points.filter((_, i) => Math.floor(i / 3) % 2 === 0);
    this.#stride *= 2;
  }

  #add(time: number, point: readonly number[]): void {
    this.#times.push(time);
    this.#points.push(...point);
  }

  /** Returns the points up to a time, three coordinates each, and the present one. */
  upTo(time: number, table: PoseTable): number[] {
    let count = this.#times.length;
    while (count > 0 && this.#times[count - 1]! > time) count--;
    return [...this.#points.slice(0, 3 * count), ...table.point(...this.anchor)];
  }
}
