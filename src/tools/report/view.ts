// The viewpoint of a mechanism, and what has to be in the picture.

import type { ModelData, Vector } from "../../describe/model/model-data.js";
import { descriptionError, type VectorLike, vector } from "../../describe/model/option-checks.js";
import {
  add,
  column,
  cross,
  dot,
  norm,
  scale,
  subtract,
  times,
  unit,
  vectorOf,
  ZERO,
} from "../../ground/algebra/vectors.js";
import { lookOf } from "./joint-looks.js";
import { keyPoints } from "./key-points.js";
import type { Poses } from "./poses.js";
import type { Item } from "./scene-data.js";

/** A direction to look from, by its name. */
export type NamedView = "front" | "side" | "top" | "isometric";

/** Directions of a front view: right x up is towards the viewer. */
export interface Directions {
  readonly up: Vector;
  readonly right: Vector;
  readonly towards: Vector;
}

/** Up is the axis of coordinates nearest to against gravity, unless that leans by more than this. */
const LEANING = Math.cos(0.45);
/** Axes that differ by less than this are parallel. */
const PARALLEL = 1 - 1e-4;
/** What is flatter than this, relative to its size, is viewed from the side where it shows. */
const FLAT = 0.03;
/** Number of points examined to find what has to be in the picture. */
const POINTS = 400_000;

export function directionsOf(data: ModelData, given: VectorLike | undefined): Directions {
  const up = unit(given === undefined ? upwards(data.gravity) : vector("sceneOf", "up", given));
  const guide = Math.abs(up[0]) > 0.9 ? vectorOf(0, 1, 0) : vectorOf(1, 0, 0);
  const right = unit(subtract(guide, scale(dot(guide, up), up)));
  return { up, right, towards: cross(right, up) };
}

function upwards(gravity: Vector): Vector {
  if (norm(gravity) === 0) return [0, 0, 1];
  const up = unit(scale(-1, gravity));
  const largest = [0, 1, 2].reduce((a, b) => (Math.abs(up[b]!) > Math.abs(up[a]!) ? b : a));
  if (Math.abs(up[largest]!) < LEANING) return up;
  const axis = [0, 0, 0];
  axis[largest] = Math.sign(up[largest]!);
  return [axis[0]!, axis[1]!, axis[2]!];
}

/** Towards the viewer. */
export function viewFrom(
  from: NamedView | VectorLike | undefined,
  data: ModelData,
  poses: Poses,
  { up, right, towards }: Directions,
  extremes: readonly Vector[],
): Vector {
  const isometric = unit(add(add(scale(0.9, towards), scale(0.62, right)), scale(0.55, up)));
  const named = { front: towards, side: right, top: up, isometric };
  if (typeof from === "string") {
    if (from in named) return named[from];
    throw descriptionError(
      "sceneOf",
      `from is "${from}"; there are: ${Object.keys(named).join(", ")}`,
    );
  }
  if (from !== undefined) return unit(vector("sceneOf", "from", from));
  const hinge = commonAxis(data, poses);
  if (hinge !== undefined && Math.abs(dot(hinge, up)) < 0.5) {
    return dot(hinge, towards) < -1e-9 ? scale(-1, hinge) : hinge;
  }
  const range = (direction: Vector) => {
    const all = extremes.map((point) => dot(direction, point));
    return Math.max(...all) - Math.min(...all);
  };
  const size = Math.max(range(up), range(right), range(towards));
  const flat = [towards, right].find((direction) => range(direction) < FLAT * size);
  return flat ?? isometric;
}

/** The axis that all hinges of a planar mechanism have. */
function commonAxis({ joints, markers }: ModelData, poses: Poses): Vector | undefined {
  const hinges = joints.filter((joint) => lookOf(joint).plane === "normal");
  const isSpatial = joints.some((joint) => lookOf(joint).plane === "leaves");
  if (isSpatial || hinges.length === 0) return undefined;
  const axes = hinges.map((joint) => {
    const { body, axes } = markers[joint.markers![0]]!;
    return times(poses.at(0, body).rotation, column(axes, 2));
  });
  const [first] = axes;
  return axes.every((axis) => Math.abs(dot(axis, first!)) > PARALLEL) ? first : undefined;
}

/** The 26 directions from the middle of a cube to its corners, and the middles of edges and faces. */
const ALL_ROUND: readonly Vector[] = Array.from(
  { length: 27 },
  (_, i): Vector => [(i % 3) - 1, (Math.floor(i / 3) % 3) - 1, Math.floor(i / 9) - 1],
).filter((direction) => norm(direction) > 0);

/**
 * Points of all items and frames that are farthest in any of many directions, relative to the body that is
 * followed: what is between them is in the picture too. A body that flies off, with all that joined it gone, is in the
 * picture as long as it stays near: else the rest would be tiny.
 */
export function extremesOf(
  data: ModelData,
  items: readonly Item[],
  poses: Poses,
  follow: number,
  up: Vector,
): readonly Vector[] {
  const points = keyPoints(items).filter(([body]) => follow < 0 || body >= 0);
  const frames = poses.sample(Math.min(400, Math.max(8, POINTS / Math.max(1, points.length))));
  const isLoose = looseBodies(data, poses.frames);
  const extremes = new Extremes();
  const flights: Vector[] = [];
  for (const frame of frames) {
    const time = poses.frames.times[frame]!;
    const origin = follow < 0 ? ZERO : levelled(poses.at(frame, follow).position, up);
    let [body, pose, loose] = [Number.NaN, poses.at(frame, -1), false];
    for (const [owner, x, y, z] of points) {
      if (owner !== body)
        [body, pose, loose] = [owner, poses.at(frame, owner), isLoose(owner, time)];
      const world = add(pose.position, times(pose.rotation, [x, y, z]));
      const point = subtract(world, origin);
      if (loose) flights.push(point);
      else extremes.take(point);
    }
  }
  const near = extremes.isEmpty ? () => true : extremes.neighbourhood();
  for (const point of flights) if (near(point)) extremes.take(point);
  return extremes.points();
}

/** How far from the rest something may be to be in the picture, relative to the size of the rest. */
const NEARBY = 0.35;

/** Points that are farthest in some direction. */
class Extremes {
  readonly #best = ALL_ROUND.map(() => ({ reach: Number.NEGATIVE_INFINITY, point: ZERO }));

  get isEmpty(): boolean {
    return this.#best[0]!.reach === Number.NEGATIVE_INFINITY;
  }

  take(point: Vector): void {
    for (const [i, direction] of ALL_ROUND.entries()) {
      const reach = dot(direction, point);
      if (reach > this.#best[i]!.reach) this.#best[i] = { reach, point };
    }
  }

  points(): readonly Vector[] {
    return this.#best.map(({ point }) => point);
  }

  /** Whether a point is in the box around these, made larger. */
  neighbourhood(): (point: Vector) => boolean {
    const all = this.points();
    const ends = [0, 1, 2].map((i) => {
      const values = all.map((point) => point[i]!);
      return [Math.min(...values), Math.max(...values)] as const;
    });
    const more = NEARBY * Math.max(...ends.map(([low, high]) => high - low));
    return (point) =>
      ends.every(([low, high], i) => point[i]! >= low - more && point[i]! <= high + more);
  }
}

/** Bodies of which every joint and force is absent at a time. Those that never had any are not meant. */
function looseBodies(data: ModelData, { absences = [] }: Poses["frames"]) {
  if (absences.length === 0) return () => false;
  const parts = data.bodies.map((): string[] => []);
  const join = (name: string, marker: number | undefined) => {
    if (marker !== undefined && marker >= 0) parts[data.markers[marker]!.body]?.push(name);
  };
  for (const { name, markers } of data.joints) for (const each of markers ?? []) join(name, each);
  for (const { name, type, a, b } of data.forces) {
    if (type !== "torsionSpring") join(name, a);
    join(name, b);
  }
  const isAbsent = (name: string, time: number) =>
    absences.some((absence) => absence.name === name && absence.from <= time && time <= absence.to);
  return (body: number, time: number) => {
    const joined = parts[body] ?? [];
    return joined.length > 0 && joined.every((name) => isAbsent(name, time));
  };
}

/** The part of a position that is not along up: what a view that follows moves by. */
function levelled(position: Vector, up: Vector): Vector {
  return subtract(position, scale(dot(position, up), up));
}

/** How much farther than its size something goes before it is followed, and how straight. */
const FAR = 2.5;
const ASIDE = 0.2;

/** The heaviest body, if all of it goes far away, level and straight: a vehicle. Else -1. */
export function whomToFollow(data: ModelData, poses: Poses, up: Vector, size: number): number {
  const masses = data.bodies.map(({ mass }) => mass);
  const body = masses.indexOf(Math.max(...masses));
  if (body < 0) return -1;
  const way = (frame: number) =>
    levelled(subtract(poses.at(frame, body).position, poses.at(0, body).position), up);
  const end = way(poses.count - 1);
  if (norm(end) < FAR * size) return -1;
  const along = unit(end);
  const isStraight = poses.sample(50).every((frame) => {
    const d = way(frame);
    return norm(subtract(d, scale(dot(d, along), along))) < ASIDE * norm(end);
  });
  return isStraight ? body : -1;
}
