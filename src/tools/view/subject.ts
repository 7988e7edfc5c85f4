// What a view shows: a feed, where its bodies are, and the scene that is made of them. It knows nothing of pages, so its
// numbers can be looked at anywhere.

import type { Body, Force, Joint, ModelData } from "../../bodies.js";
import { nameGiven } from "../../describe/model/handles.js";
import { norm, subtract } from "../../ground/algebra/vectors.js";
import { hint } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { Shaker } from "../report/items-roads.js";
import { liveScene, type SceneOptions } from "../report/scene.js";
import type { Anchor, Scene } from "../report/scene-data.js";
import { type Arrow, type ArrowKind, Arrows } from "./arrows.js";
import type { Feed } from "./feed.js";
import { History } from "./history.js";
import type { Named } from "./picture.js";
import { PoseTable } from "./pose-table.js";
import { Trail } from "./trail.js";

export class Subject {
  readonly feed: Feed;
  readonly scales = new Arrows();
  /** Where bodies are, since {@link read}. */
  table: PoseTable;
  scene: Scene;
  trails: readonly Trail[];
  /** Of the mechanism. */
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
    this.trails = this.scene.traces.map((anchor) => new Trail(anchor, feed.frames));
  }

  /** Reads where bodies are now. */
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
    this.feed.matrices(this.table.matrices, this.table.placeOf(0));
  }

  /** Makes the scene anew where numbers of the model were set, or the motion showed more. Tells whether it did. */
  refresh(): boolean {
    const isChanged = this.feed.data !== this.#data;
    const isRicher = this.feed.frames === undefined && this.feed.moves && this.#history.isRicher;
    if (!isChanged && !isRicher) return false;
    this.#data = this.feed.data;
    this.scene = this.#describe();
    return true;
  }

  /** After a jump in time: what was seen is of another motion. */
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

  /** Arrows of now. */
  arrows(kinds: readonly ArrowKind[]): readonly Arrow[] {
    return this.scales.collect(this.feed, this.table, kinds);
  }

  /** Joints and forces that the mode lacks now. */
  absent(): ReadonlySet<string> {
    const { time, frames } = this.feed;
    const gone = frames?.absences?.filter(({ from, to }) => from <= time && time < to) ?? [];
    return new Set([...gone.map(({ name }) => name), ...(this.feed.absent ?? [])]);
  }

  /** Draws the way of the centre of a body from now on, or no longer. Tells which. */
  toggleTrace(name: string): boolean {
    const body = this.#data.bodies.findIndex((each) => each.name === name);
    const has = this.trails.some(({ anchor }) => anchor[0] === body);
    const anchor: Anchor = [body, ...this.#data.bodies[body]!.centre];
    this.trails = has
      ? this.trails.filter((trail) => trail.anchor[0] !== body)
      : [...this.trails, new Trail(anchor, this.feed.frames)];
    return !has;
  }

  /** What a name stands for. */
  kindOf(name: string): Named["kind"] {
    if (this.#data.joints.some((joint) => joint.name === name)) return "joint";
    const { forces, userForces } = this.#data;
    return [...forces, ...userForces].some((force) => force.name === name) ? "force" : "body";
  }

  /** A body, joint or force by its handle or its name. */
  named(part: string | Body | Joint | Force): Named {
    const name = nameGiven("view", this.#data, part, "body", "joint", "force");
    const { bodies, joints, forces } = this.#data;
    const names = [...bodies, ...joints, ...forces].map((part) => part.name);
    if (names.includes(name)) {
      const isBody = bodies.some((body) => body.name === name);
      return { kind: isBody ? "body" : this.kindOf(name), name };
    }
    throw new NodriftError("DESCRIPTION", `view: there is no "${name}"${hint(name, names)}`);
  }
}
