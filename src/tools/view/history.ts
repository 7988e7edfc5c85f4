// Poses of a motion that is made as it goes, about evenly in time: what rails, roads and the size of the picture are found
// from. When there are too many, every second is dropped.

import { TyreData } from "../../../assembly/layout-bodies.js";
import type { ModelData } from "../../bodies.js";
import { quaternionOf } from "../../ground/algebra/vectors.js";
import { lookOf } from "../report/joint-looks.js";
import type { Frames } from "../report/scene-data.js";
import { rollingRadius } from "../report/tracks.js";
import type { PoseTable } from "./pose-table.js";

/** States that are kept at most. */
const MOST = 400;
/** Seconds between two states at first. */
const SPACING = 1 / 60;
/** Seconds by which roads and planes go on before the wheels get there. */
const AHEAD = 3;
/** Seconds of motion from which the way of a vehicle is foretold. */
const RECENT = 0.5;
/** Seconds between two scenes at least, where wheels get beyond the floor of the first. */
const PAUSE = 0.25;

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
  /** What rolls; the least and the largest coordinates of each that the floor of the last scene was made for; and its time. */
  readonly #wheels: readonly Wheel[];
  #reach: readonly (readonly [number, number])[] = [];
  #madeAt = Number.NaN;
  #isBeyond = false;

  constructor(
    readonly data: ModelData,
    readonly table: PoseTable,
  ) {
    this.#wheels = wheelsOf(data);
  }

  /** The same with another table. */
  with(table: PoseTable): History {
    const other = new History(this.data, table);
    other.#rows = this.#rows;
    other.#expected = this.#expected;
    other.#spacing = this.#spacing;
    other.#shown = this.#shown;
    other.#count = this.#count;
    other.#reach = this.#reach;
    other.#madeAt = this.#madeAt;
    return other;
  }

  /** Forgets all: the motion begins again. */
  clear(): void {
    this.#rows = [];
    this.#spacing = SPACING;
    this.#shown = 0;
    this.#count = 0;
    this.#reach = [];
  }

  /** What was taken so far was a look ahead: the motion itself is still to come. */
  expect(): void {
    this.#expected = this.#rows;
    this.clear();
  }

  /** Takes the poses of now. */
  take(time: number): void {
    this.#isBeyond =
      Math.abs(time - this.#madeAt) >= PAUSE &&
      this.#reach.some(([low, high], i) => !(low <= this.#wheelAt(i) && this.#wheelAt(i) <= high));
    const last = this.#rows.at(-1);
    if (last !== undefined && Math.abs(time - last.time) < this.#spacing) return;
    this.#rows.push(this.#row(time));
    this.#count++;
    if (this.#rows.length <= MOST) return;
    this.#rows = this.#rows.filter((_, i) => i % 2 === 0);
    this.#spacing *= 2;
  }

  /**
   * Whether twice as much is known as when a scene was last made of it, or a wheel has got beyond what its floor was made for: then it is
   * worth another.
   */
  get isRicher(): boolean {
    return this.#isBeyond || this.#count >= 2 * this.#shown + 8;
  }

  /** Coordinate i % 3 of wheel i / 3. */
  #wheelAt(i: number): number {
    return this.table.matrices[
      this.table.placeOf(this.#wheels[Math.floor(i / 3)]!.body) + 12 + (i % 3)
    ]!;
  }

  frames(time: number): Frames {
    if (this.#rows.length === 0) this.#rows.push(this.#row(time));
    this.#shown = this.#count;
    const now = time > this.#rows.at(-1)!.time ? [this.#row(time)] : [];
    const seen = [...this.#rows, ...now];
    seen.push(...this.#ahead(seen));
    const last = seen.at(-1)!.time;
    const rows = [...seen, ...this.#expected.filter((row) => row.time > last)];
    this.#reach = this.#wheels.flatMap(({ body, radius }) =>
      [0, 1, 2].map((axis) => {
        const all = rows.map(({ positions }) => positions[3 * body + axis]!);
        return [Math.min(...all) - radius, Math.max(...all) + radius] as const;
      }),
    );
    this.#madeAt = time;
    this.#isBeyond = false;
    return {
      times: rows.map((row) => row.time),
      positions: rows.flatMap((row) => row.positions),
      orientations: rows.flatMap((row) => row.orientations),
      lengthUnit: "m",
      timeUnit: "s",
    };
  }

  /** Where a vehicle will be: as the heaviest body went of late, so go all. */
  #ahead(rows: readonly Row[]): Row[] {
    const last = rows.at(-1)!;
    const first = rows.filter(({ time }) => time <= last.time - RECENT).at(-1) ?? rows[0]!;
    const passed = last.time - first.time;
    if (!(passed > 0) || this.#wheels.length === 0) return [];
    const masses = this.data.bodies.map(({ mass }) => mass);
    const heaviest = masses.indexOf(Math.max(...masses));
    const way = [0, 1, 2].map((i) => {
      const place = 3 * heaviest + i;
      return ((last.positions[place]! - first.positions[place]!) * AHEAD) / passed;
    });
    const positions = last.positions.map((x, i) => x + way[i % 3]!);
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

/** A body that rolls. Floors go on beyond it by more than its radius. */
interface Wheel {
  readonly body: number;
  readonly radius: number;
}

function wheelsOf({ forces, joints, markers }: ModelData): readonly Wheel[] {
  const wheel = (marker: number, radius: number) => ({ body: markers[marker]!.body, radius });
  const tyres = forces.filter(({ type }) => type === "tyre");
  const rolling = joints.filter((joint) => lookOf(joint).rolls !== undefined);
  return [
    ...tyres.map(({ b, constants }) => wheel(b, constants[TyreData.RADIUS]!)),
    ...rolling.map((joint) => wheel(joint.markers![1], rollingRadius(joint))),
  ];
}
