// Subject of a view: a feed, the poses of its bodies, and the scene built from them. Independent of the DOM, so that
// tests can inspect it in Node.

import { TyreData } from "../../assembly/layout-bodies.js";
import { norm, quaternionOf, subtract } from "../base/algebra/vectors.js";
import { hint } from "../base/checking/index.js";
import { NodriftError } from "../base/errors.js";
import type { Body, Force, Joint, ModelData } from "../bodies.js";
import type { Shaker } from "../draw/items-roads.js";
import { rollingRadius } from "../draw/items-roads.js";
import { Motion, PoseTable, Trail } from "../draw/motion.js";
import { liveScene, type SceneOptions } from "../draw/scene.js";
import type { Anchor, Frames, Scene } from "../draw/scene-data.js";
import { partName } from "../model/handles.js";
import { appearanceOf } from "../model/model-data.js";
import { type Arrow, type ArrowKind, Arrows } from "./arrows.js";
import type { Feed } from "./feed.js";
import type { NamedPart } from "./picture.js";

// Sampled poses of a live motion, about evenly spaced in time. Rails, roads and the extent of the picture are found from
// them. If there are too many, every second one is dropped.

/** Maximum number of stored states. */
const MAX_STATES = 400;
/** Initial sampling interval in simulated seconds. */
const INITIAL_SPACING_S = 1 / 60;
/** Seconds of motion by which roads and planes extend ahead of the wheels. */
const LOOKAHEAD_S = 3;
/** Seconds of recent motion from which the path of a vehicle is extrapolated. */
const EXTRAPOLATION_BASE_S = 0.5;
/** Minimum time between two scenes, in seconds, if wheels have left the floor of the first. */
const MIN_REBUILD_INTERVAL_S = 0.25;

interface FrameRow {
  readonly time: number;
  readonly positions: readonly number[];
  readonly orientations: readonly number[];
}

class History {
  #rows: FrameRow[] = [];
  /** States of the preview. */
  #expected: readonly FrameRow[] = [];
  #spacing = INITIAL_SPACING_S;
  /** Number of states when the last scene was built. */
  #shown = 0;
  #count = 0;
  /** Rolling bodies; the coordinate range of each that the floor of the last scene covers; and the time of that scene. */
  readonly #wheels: readonly Wheel[];
  #reach: readonly (readonly [number, number])[] = [];
  #builtAt = Number.NaN;
  #isBeyond = false;

  constructor(
    readonly data: ModelData,
    readonly table: PoseTable,
  ) {
    this.#wheels = wheelsOf(data);
  }

  /** Returns a copy that reads from another pose table. */
  with(table: PoseTable): History {
    const other = new History(this.data, table);
    other.#rows = this.#rows;
    other.#expected = this.#expected;
    other.#spacing = this.#spacing;
    other.#shown = this.#shown;
    other.#count = this.#count;
    other.#reach = this.#reach;
    other.#builtAt = this.#builtAt;
    return other;
  }

  /** Removes all states. Call when the motion restarts. */
  clear(): void {
    this.#rows = [];
    this.#spacing = INITIAL_SPACING_S;
    this.#shown = 0;
    this.#count = 0;
    this.#reach = [];
  }

  /** Marks the states taken so far as a preview of the motion to come. */
  expect(): void {
    this.#expected = this.#rows;
    this.clear();
  }

  /** Samples the present poses. */
  take(time: number): void {
    this.#isBeyond =
      Math.abs(time - this.#builtAt) >= MIN_REBUILD_INTERVAL_S &&
      this.#reach.some(([low, high], i) => !(low <= this.#wheelAt(i) && this.#wheelAt(i) <= high));
    const last = this.#rows.at(-1);
    if (last !== undefined && Math.abs(time - last.time) < this.#spacing) return;
    this.#rows.push(this.#row(time));
    this.#count++;
    if (this.#rows.length <= MAX_STATES) return;
    this.#rows = this.#rows.filter((_, i) => i % 2 === 0);
    this.#spacing *= 2;
  }

  /**
   * Whether a new scene is worthwhile: twice as many states are known as for the last one, or a wheel has left the floor.
   */
  get isStale(): boolean {
    return this.#isBeyond || this.#count >= 2 * this.#shown + 8;
  }

  /** Coordinate i % 3 of wheel i / 3. */
  #wheelAt(i: number): number {
    return this.table.matrices[
      this.table.offsetOf(this.#wheels[Math.floor(i / 3)]!.body) + 12 + (i % 3)
    ]!;
  }

  frames(time: number): Frames {
    if (this.#rows.length === 0) this.#rows.push(this.#row(time));
    this.#shown = this.#count;
    const now = time > this.#rows.at(-1)!.time ? [this.#row(time)] : [];
    const seen = [...this.#rows, ...now];
    seen.push(...this.#extrapolated(seen));
    const last = seen.at(-1)!.time;
    const rows = [...seen, ...this.#expected.filter((row) => row.time > last)];
    this.#reach = this.#wheels.flatMap(({ body, radius }) =>
      [0, 1, 2].map((axis) => {
        const all = rows.map(({ positions }) => positions[3 * body + axis]!);
        return [Math.min(...all) - radius, Math.max(...all) + radius] as const;
      }),
    );
    this.#builtAt = time;
    this.#isBeyond = false;
    return {
      times: rows.map((row) => row.time),
      positions: rows.flatMap((row) => row.positions),
      orientations: rows.flatMap((row) => row.orientations),
      lengthUnit: "m",
      timeUnit: "s",
    };
  }

  /** Extrapolates all bodies by the recent velocity of the heaviest one, to extend roads ahead of a vehicle. */
  #extrapolated(rows: readonly FrameRow[]): FrameRow[] {
    const last = rows.at(-1)!;
    const first =
      rows.filter(({ time }) => time <= last.time - EXTRAPOLATION_BASE_S).at(-1) ?? rows[0]!;
    const passed = last.time - first.time;
    if (!(passed > 0) || this.#wheels.length === 0) return [];
    const masses = this.data.bodies.map(({ mass }) => mass);
    const heaviest = masses.indexOf(Math.max(...masses));
    const shift = [0, 1, 2].map((i) => {
      const place = 3 * heaviest + i;
      return ((last.positions[place]! - first.positions[place]!) * LOOKAHEAD_S) / passed;
    });
    const positions = last.positions.map((x, i) => x + shift[i % 3]!);
    return [{ ...last, time: last.time + LOOKAHEAD_S, positions }];
  }

  #row(time: number): FrameRow {
    const { matrices } = this.table;
    const bodies = this.data.bodies.map((_, i) => this.table.offsetOf(i));
    return {
      time,
      positions: bodies.flatMap((o) => [...matrices.subarray(o + 12, o + 15)]),
      orientations: bodies.flatMap((o) => [
        ...quaternionOf([0, 1, 2].flatMap((j) => [...matrices.subarray(o + 4 * j, o + 4 * j + 3)])),
      ]),
    };
  }
}

/** A rolling body. Floors extend beyond it by more than its radius. */
interface Wheel {
  readonly body: number;
  readonly radius: number;
}

function wheelsOf({ forces, joints, markers }: ModelData): readonly Wheel[] {
  const wheel = (marker: number, radius: number) => ({ body: markers[marker]!.body, radius });
  const tyres = forces.filter(({ type }) => type === "tyre");
  const rolling = joints.filter((joint) => appearanceOf(joint).rolls !== undefined);
  return [
    ...tyres.map(({ b, constants }) => wheel(b, constants[TyreData.RADIUS]!)),
    ...rolling.map((joint) => wheel(joint.markers![1], rollingRadius(joint))),
  ];
}

export class ViewSubject {
  readonly feed: Feed;
  readonly scales = new Arrows();
  /** Body poses as of the last {@link read}. */
  table: PoseTable;
  scene: Scene;
  trails: readonly Trail[];
  /** Size of the mechanism. */
  size = 1;
  readonly #options: SceneOptions;
  #history: History;
  #shakers: readonly Shaker[] = [];
  #data: ModelData;

  constructor(feed: Feed, options: SceneOptions) {
    this.feed = feed;
    this.#options = options;
    this.#data = feed.data;
    this.table = new PoseTable(feed.data.bodies.length);
    this.#history = new History(feed.data, this.table);
    feed.preview?.(() => {
      this.#readBodies();
      this.#history.take(feed.time);
    });
    this.#history.expect();
    this.#readBodies();
    this.scene = this.#describe();
    this.trails = this.scene.traces.map((anchor) => this.#trailOf(anchor));
  }

  /** Reads the present poses. */
  read(): void {
    this.#readBodies();
    const { time } = this.feed;
    for (const [i, { carrier, place }] of this.#shakers.entries()) {
      this.table.place(this.#data.bodies.length + i, this.table.point(carrier, ...place(time)));
    }
    if (this.feed.frames === undefined && this.feed.moves) this.#history.take(time);
    for (const trail of this.trails) trail.take(time, this.table);
  }

  #readBodies(): void {
    this.feed.matrices(this.table.matrices, this.table.offsetOf(0));
  }

  /** Rebuilds the scene if model values or the extent of the motion changed. Returns whether it did. */
  refresh(): boolean {
    const isChanged = this.feed.data !== this.#data;
    const isStale = this.feed.frames === undefined && this.feed.moves && this.#history.isStale;
    if (!isChanged && !isStale) return false;
    this.#data = this.feed.data;
    this.scene = this.#describe();
    return true;
  }

  /** Discards the sampled motion. Call after a jump in time. */
  forget(): void {
    this.#history.clear();
    this.scales.clear();
    for (const trail of this.trails) trail.clear();
  }

  #describe(): Scene {
    const { feed } = this;
    const frames = feed.frames ?? this.#history.frames(feed.time);
    const { scene, shakers } = liveScene(this.#data, frames, this.#options);
    this.#shakers = shakers;
    const bodies = this.#data.bodies.length + shakers.length;
    if (bodies !== this.table.bodies) {
      this.table = new PoseTable(bodies);
      this.#history = this.#history.with(this.table);
      this.#readBodies();
    }
    const { extremes } = scene.view;
    const reach = extremes.reduce((most, p) => Math.max(most, norm(subtract(p, extremes[0]!))), 0);
    this.size = Math.max(reach, scene.view.detail);
    return scene;
  }

  /** Returns the present arrows. */
  arrows(kinds: readonly ArrowKind[]): readonly Arrow[] {
    return this.scales.collect(this.feed, this.table, kinds);
  }

  /** Returns the joints and forces that the present mode lacks. */
  absent(): ReadonlySet<string> {
    const { time, frames } = this.feed;
    const gone = frames?.absences?.filter(({ from, to }) => from <= time && time < to) ?? [];
    return new Set([...gone.map(({ name }) => name), ...(this.feed.absent ?? [])]);
  }

  /** Starts or stops tracing the centre of a body. Returns whether it is traced now. */
  toggleTrace(name: string): boolean {
    const body = this.#data.bodies.findIndex((each) => each.name === name);
    const has = this.trails.some(({ anchor }) => anchor[0] === body);
    const anchor: Anchor = [body, ...this.#data.bodies[body]!.centre];
    this.trails = has
      ? this.trails.filter((trail) => trail.anchor[0] !== body)
      : [...this.trails, this.#trailOf(anchor)];
    return !has;
  }

  #trailOf(anchor: Anchor): Trail {
    const { frames } = this.feed;
    return new Trail(anchor, frames && Motion.of(frames));
  }

  /** Returns the kind of a named part. */
  kindOf(name: string): NamedPart["kind"] {
    if (this.#data.joints.some((joint) => joint.name === name)) return "joint";
    const { forces, userForces } = this.#data;
    return [...forces, ...userForces].some((force) => force.name === name) ? "force" : "body";
  }

  /** Returns a body, joint or force by its handle or name. */
  named(part: string | Body | Joint | Force): NamedPart {
    const name = partName("view", this.#data, part, "body", "joint", "force");
    const { bodies, joints, forces } = this.#data;
    const names = [...bodies, ...joints, ...forces].map((part) => part.name);
    if (names.includes(name)) {
      const isBody = bodies.some((body) => body.name === name);
      return { kind: isBody ? "body" : this.kindOf(name), name };
    }
    throw new NodriftError("DESCRIPTION", `view: unknown part "${name}"${hint(name, names)}`);
  }
}
