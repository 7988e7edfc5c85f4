// Poses of a motion that is made as it goes, about evenly in time: what rails, roads and the size of the picture are found
// from. When there are too many, every second is dropped.

import type { ModelData } from "../../bodies.js";
import { quaternionOf } from "../../ground/algebra/vectors.js";
import type { Frames } from "../report/scene-data.js";
import type { PoseTable } from "./pose-table.js";

/** States that are kept at most. */
const MOST = 400;
/** Seconds between two states at first. */
const SPACING = 1 / 60;
/** Seconds by which roads go on before the wheels get there. */
const AHEAD = 3;

interface Row {
  readonly time: number;
  readonly positions: readonly number[];
  readonly orientations: readonly number[];
}

export class History {
  #rows: Row[] = [];
  /** States of a look ahead. */
  #expected: readonly Row[] = [];
  #spacing = SPACING;
  /** How many states came when a scene was made last. */
  #shown = 0;
  #count = 0;

  constructor(
    readonly data: ModelData,
    readonly table: PoseTable,
  ) {}

  /** The same with another table. */
  with(table: PoseTable): History {
    const other = new History(this.data, table);
    other.#rows = this.#rows;
    other.#expected = this.#expected;
    other.#spacing = this.#spacing;
    other.#shown = this.#shown;
    other.#count = this.#count;
    return other;
  }

  /** Forgets all: the motion begins again. */
  clear(): void {
    this.#rows = [];
    this.#spacing = SPACING;
    this.#shown = 0;
    this.#count = 0;
  }

  /** What was taken so far was a look ahead: the motion itself is still to come. */
  expect(): void {
    this.#expected = this.#rows;
    this.clear();
  }

  /** Takes the poses of now. */
  take(time: number): void {
    const last = this.#rows.at(-1);
    if (last !== undefined && Math.abs(time - last.time) < this.#spacing) return;
    this.#rows.push(this.#row(time));
    this.#count++;
    if (this.#rows.length <= MOST) return;
    this.#rows = this.#rows.filter((_, i) => i % 2 === 0);
    this.#spacing *= 2;
  }

  /** Whether twice as much is known as when a scene was last made of it: then it is worth another. */
  get isRicher(): boolean {
    return this.#count >= 2 * this.#shown + 8;
  }

  frames(time: number): Frames {
    if (this.#rows.length === 0) this.#rows.push(this.#row(time));
    this.#shown = this.#count;
    const seen = [...this.#rows, ...this.#ahead()];
    const last = seen.at(-1)!.time;
    const rows = [...seen, ...this.#expected.filter((row) => row.time > last)];
    return {
      times: rows.map((row) => row.time),
      positions: rows.flatMap((row) => row.positions),
      orientations: rows.flatMap((row) => row.orientations),
      lengthUnit: "m",
      timeUnit: "s",
    };
  }

  /** Where a vehicle will be: as the heaviest body went, so go all. */
  #ahead(): Row[] {
    const [first, last] = [this.#rows[0]!, this.#rows.at(-1)!];
    const passed = last.time - first.time;
    if (!(passed > 0) || !this.data.forces.some(({ type }) => type === "tyre")) return [];
    const masses = this.data.bodies.map(({ mass }) => mass);
    const heaviest = masses.indexOf(Math.max(...masses));
    const way = [0, 1, 2].map((i) => {
      const place = 3 * heaviest + i;
      return ((last.positions[place]! - first.positions[place]!) * (passed + AHEAD)) / passed;
    });
    const positions = first.positions.map((x, i) => x + way[i % 3]!);
    return [{ ...last, time: last.time + AHEAD, positions }];
  }

  #row(time: number): Row {
    const { matrices } = this.table;
    const bodies = this.data.bodies.map((_, i) => this.table.placeOf(i));
    return {
      time,
      positions: bodies.flatMap((o) => [...matrices.subarray(o + 12, o + 15)]),
      orientations: bodies.flatMap((o) => [
        ...quaternionOf([0, 1, 2].flatMap((j) => [...matrices.subarray(o + 4 * j, o + 4 * j + 3)])),
      ]),
    };
  }
}
