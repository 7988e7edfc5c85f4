// The way of a point: known beforehand, or as far as it was seen.

import { Motion } from "../report/page/motion.js";
import type { Anchor, Frames } from "../report/scene-data.js";
import type { PoseTable } from "./pose-table.js";

/** Points that are kept; of more every second is dropped. */
const MOST = 4000;

export class Trail {
  /** Times and places, three numbers each. */
  #times: number[] = [];
  #places: number[] = [];
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

  /** Whether all of it is known: then only the part up to now is shown. */
  readonly isKnown: boolean = false;

  clear(): void {
    if (this.isKnown) return;
    this.#times = [];
    this.#places = [];
    this.#stride = 1;
  }

  /** Goes on to where the point is now. */
  take(time: number, table: PoseTable): void {
    if (this.isKnown || time === this.#times.at(-1)) return;
    if (++this.#skipped < this.#stride) return;
    this.#skipped = 0;
    this.#add(time, table.point(...this.anchor));
    if (this.#times.length <= MOST) return;
    this.#times = this.#times.filter((_, i) => i % 2 === 0);
    this.#places = this.#places.filter((_, i) => Math.floor(i / 3) % 2 === 0);
    this.#stride *= 2;
  }

  #add(time: number, place: readonly number[]): void {
    this.#times.push(time);
    this.#places.push(...place);
  }

  /** Points up to a time, three numbers each, and the present one. */
  upTo(time: number, table: PoseTable): number[] {
    let count = this.#times.length;
    while (count > 0 && this.#times[count - 1]! > time) count--;
    return [...this.#places.slice(0, 3 * count), ...table.point(...this.anchor)];
  }
}
