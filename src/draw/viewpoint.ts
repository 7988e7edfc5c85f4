// Default viewpoint of a mechanism, and the extent of the picture.

import {
  add,
  axesAlong,
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
} from "../base/algebra/vectors.js";
import { descriptionError, type VectorLike, vector } from "../base/checking/values.js";
import { appearanceOf, type Matrix, type ModelData, type Vector } from "../model/model-data.js";
import { type NamedView, namedViews } from "./camera.js";
import type { Poses } from "./frames.js";
import type { Anchor, Item } from "./scene-data.js";

/** Directions of the front view: right x up is towards the viewer. */
export interface Directions {
  readonly up: Vector;
  readonly right: Vector;
  readonly towards: Vector;
}

/** Cosine of the largest angle between the upward direction and a coordinate axis for which up is that axis. */
const MIN_UP_ALIGNMENT = Math.cos(0.45);
/** Cosine above which axes are parallel. */
const MIN_PARALLEL_COSINE = 1 - 1e-4;
/** Extent relative to the size below which a mechanism is flat, and is viewed along that direction. */
const MAX_FLAT_FRACTION = 0.03;
/** Number of points examined to find the extent of the picture. */
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
  if (Math.abs(up[largest]!) < MIN_UP_ALIGNMENT) return up;
  const axis = [0, 0, 0];
  axis[largest] = Math.sign(up[largest]!);
  return [axis[0]!, axis[1]!, axis[2]!];
}

/** Returns the direction towards the viewer. */
export function viewFrom(
  from: NamedView | VectorLike | undefined,
  data: ModelData,
  poses: Poses,
  { up, right, towards }: Directions,
  extremes: readonly Vector[],
): Vector {
  const named = namedViews({ up, right });
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
  const flat = [towards, right].find((direction) => range(direction) < MAX_FLAT_FRACTION * size);
  return flat ?? named.isometric;
}

/** Returns the common hinge axis of a planar mechanism. */
function commonAxis({ joints, markers }: ModelData, poses: Poses): Vector | undefined {
  const hinges = joints.filter((joint) => appearanceOf(joint).plane === "normal");
  const isSpatial = joints.some((joint) => appearanceOf(joint).plane === "leaves");
  if (isSpatial || hinges.length === 0) return undefined;
  const axes = hinges.map((joint) => {
    const { body, axes } = markers[joint.markers![0]]!;
    return times(poses.at(0, body).rotation, column(axes, 2));
  });
  const [first] = axes;
  return axes.every((axis) => Math.abs(dot(axis, first!)) > MIN_PARALLEL_COSINE)
    ? first
    : undefined;
}

/** The 26 directions from the centre of a cube to its corners, edge midpoints and face centres. */
const ALL_ROUND: readonly Vector[] = Array.from(
  { length: 27 },
  (_, i): Vector => [(i % 3) - 1, (Math.floor(i / 3) % 3) - 1, Math.floor(i / 9) - 1],
).filter((direction) => norm(direction) > 0);

/**
 * Returns the points of all items and frames that are farthest in any of many directions, relative to the followed body;
 * all others lie between them. A body that flies off after all its joints are gone counts only while it stays near:
 * otherwise the rest would be tiny.
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

/** Largest distance of a loose body from the other bodies at which it counts, relative to their size. */
const LOOSE_MARGIN_FRACTION = 0.35;

/** Points that are farthest in some direction. Stored as plain numbers, since hundreds of thousands are examined. */
class Extremes {
  readonly #reaches = new Float64Array(ALL_ROUND.length).fill(Number.NEGATIVE_INFINITY);
  readonly #points: Vector[] = ALL_ROUND.map(() => ZERO);

  get isEmpty(): boolean {
    return this.#reaches[0] === Number.NEGATIVE_INFINITY;
  }

  take(point: Vector): void {
    const [x, y, z] = point;
    for (let i = 0; i < ALL_ROUND.length; i++) {
      const direction = ALL_ROUND[i]!;
      const reach = direction[0] * x + direction[1] * y + direction[2] * z;
      if (!(reach > this.#reaches[i]!)) continue;
      this.#reaches[i] = reach;
      this.#points[i] = point;
    }
  }

  points(): readonly Vector[] {
    return this.#points;
  }

  /** Returns a test whether a point is in the enlarged bounding box. */
  neighbourhood(): (point: Vector) => boolean {
    const all = this.points();
    const ends = [0, 1, 2].map((i) => {
      const values = all.map((point) => point[i]!);
      return [Math.min(...values), Math.max(...values)] as const;
    });
    const more = LOOSE_MARGIN_FRACTION * Math.max(...ends.map(([low, high]) => high - low));
    return (point) =>
      ends.every(([low, high], i) => point[i]! >= low - more && point[i]! <= high + more);
  }
}

/** Returns the bodies with joints and forces that are all absent at a time. */
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

/** Returns the horizontal part of a position, by which a following view moves. */
function levelled(position: Vector, up: Vector): Vector {
  return subtract(position, scale(dot(position, up), up));
}

/** Travel, relative to the size, beyond which a mechanism is followed; and its largest deviation from a line. */
const MIN_FOLLOWED_TRAVEL = 2.5;
const MAX_LATERAL_FRACTION = 0.2;

/** Returns the heaviest body if the mechanism travels far, level and straight, as a vehicle does; else -1. */
export function bodyToFollow(data: ModelData, poses: Poses, up: Vector, size: number): number {
  const masses = data.bodies.map(({ mass }) => mass);
  const body = masses.indexOf(Math.max(...masses));
  if (body < 0) return -1;
  const travel = (frame: number) =>
    levelled(subtract(poses.at(frame, body).position, poses.at(0, body).position), up);
  const end = travel(poses.count - 1);
  if (norm(end) < MIN_FOLLOWED_TRAVEL * size) return -1;
  const along = unit(end);
  const isStraight = poses.sample(50).every((frame) => {
    const d = travel(frame);
    return norm(subtract(d, scale(dot(d, along), along))) < MAX_LATERAL_FRACTION * norm(end);
  });
  return isStraight ? body : -1;
}

// Key points of items, which define their extent.

/** Returns the key points of all items but roads and planes, which are not part of a mechanism. */
export function keyPoints(items: readonly Item[]): Anchor[] {
  return items.flatMap(pointsOf).sort((a, b) => a[0] - b[0]);
}

function pointsOf(item: Item): Anchor[] {
  const on = (body: number, points: readonly Vector[]) =>
    points.map((point): Anchor => [body, ...point]);
  switch (item.kind) {
    case "link":
      return on(item.body, item.points);
    case "lines":
      return on(item.body, item.lines.flat());
    case "bar":
    case "spring":
      return [item.a, item.b];
    case "box":
      return on(item.body, corners(item.centre, item.axes, scale(0.5, item.size)));
    case "cylinder":
    case "wheel": {
      const { centre, axis, radius } = item;
      const half = (item.kind === "wheel" ? item.width : item.length) / 2;
      return on(item.body, corners(centre, axesAlong(axis), [radius, radius, half]));
    }
    case "circle":
    case "sphere": {
      const { centre, radius: r } = item;
      return on(item.body, extremePoints(centre, r));
    }
    case "rail": {
      const [body, x, y, z] = item.at;
      const at = (way: number) => add([x, y, z], scale(way, item.axis));
      return on(body, [at(item.from), at(item.to)]);
    }
    case "ground":
      return on(-1, [item.at]);
    default:
      return [];
  }
}

/** Returns the eight corners of a box. */
function corners(centre: Vector, axes: Matrix, half: Vector): Vector[] {
  return Array.from({ length: 8 }, (_, i) =>
    [0, 1, 2].reduce<Vector>(
      (point, j) => add(point, scale((i >> j) & 1 ? half[j]! : -half[j]!, column(axes, j))),
      centre,
    ),
  );
}

function extremePoints([x, y, z]: Vector, r: number): Vector[] {
  return [
    [x + r, y, z],
    [x - r, y, z],
    [x, y + r, z],
    [x, y - r, z],
    [x, y, z + r],
    [x, y, z - r],
  ];
}

/** Returns the median over bodies of the largest drawn dimension, so that a few very large bodies do not count. */
export function detailOf(items: readonly Item[], otherwise: number): number {
  const sizes = items
    .flatMap((item) => {
      if (item.kind === "link") return [spread(item.points)];
      if (item.kind === "box") return [Math.max(...item.size)];
      if (item.kind === "cylinder") return [Math.max(item.length, 2 * item.radius)];
      if (item.kind === "sphere" || item.kind === "wheel") return [2 * item.radius];
      return [];
    })
    .filter((size) => size > 0)
    .sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)] ?? otherwise;
}

function spread(points: readonly Vector[]): number {
  return Math.max(...points.map((point) => norm(subtract(point, points[0]!))));
}
