// Roads under tyres, planes under rolling bodies, and shaker plates under wheels.

import { TyreData, WheelData } from "../../assembly/layout-bodies.js";
import {
  add,
  column,
  norm,
  scale,
  subtract,
  times,
  transposeTimes,
} from "../base/algebra/vectors.js";
import {
  appearanceOf,
  type ForceData,
  type JointData,
  type MarkerData,
  type ModelData,
  type Vector,
} from "../model/model-data.js";
import type { Poses } from "./frames.js";
import type { Drawing, Item } from "./scene-data.js";

/** Number of points along a road. */
const POINTS = 600;
/** Margins of a road beyond and beside the wheels, in wheel radii. */
const END_MARGIN_RADII = 4;
const SIDE_MARGIN_RADII = 0.9;
/** Minimum distance of lines across a road, in wheel radii. */
const LINE_SPACING_RADII = 2;
/** Lateral deviation of a track, relative to its length, beyond which it is not straight. */
const MAX_LATERAL_FRACTION = 0.05;
/** Margin of planes beyond the wheels, in wheel radii; and number of cells along the longer side. */
const PLANE_MARGIN_RADII = 1.3;
const CELLS = 14;

/** A plate under a wheel whose road moves: a body whose height is set for each frame. */
export interface Shaker {
  readonly item: Drawing;
  /** Body that carries the road. */
  readonly carrier: number;
  /** Returns x, y, z of its origin at a time, in the frame of the carrier. */
  readonly place: (time: number) => Vector;
}

export interface Roads {
  readonly items: readonly Item[];
  readonly shakers: readonly Shaker[];
}

/** Returns the roads of all wheels. Shakers get the body indices from `next` on. */
export function roadsOf(data: ModelData, poses: Poses, next: number): Roads {
  const tracks = tracksOf(data, poses);
  const moving = tracks.filter(isMoving);
  const groups = new Map<string, Track[]>();
  for (const track of tracks.filter((each) => !moving.includes(each))) {
    const { body, axes, point } = track.road;
    const key = JSON.stringify([body, axes.map((x) => x.toFixed(6)), point]);
    groups.set(key, [...(groups.get(key) ?? []), track]);
  }
  return {
    items: [...groups.values()].flatMap((group) => straightRoad(group) ?? plane(group)),
    shakers: moving.map((track, i) => shaker(track, next + i)),
  };
}

/** Returns a band as broad as all tracks; undefined unless they are straight and parallel. */
function straightRoad(group: readonly Track[]): Item[] | undefined {
  const course = courseOf(group);
  if (course === undefined) return undefined;
  const { from, length, radius } = course;
  const pair = pairsAlong(group[0]!, course);
  const edges = Array.from({ length: POINTS + 1 }, (_, i) => pair(from + (length * i) / POINTS));
  const step = niceAbove(LINE_SPACING_RADII * radius);
  const first = Math.ceil(from / step);
  const count = Math.floor((from + length) / step) - first + 1;
  const lines = Array.from({ length: count }, (_, i) => pair((first + i) * step));
  if (![...edges, ...lines].every(isComplete)) return undefined;
  const thinned = withoutLevel(edges as [Vector, Vector][]);
  const across = lines.flat() as Vector[];
  return [{ kind: "road", body: group[0]!.road.body, edges: thinned.flat(), across }];
}

/** Common straight path of all wheels on a road. */
interface Course {
  /** Direction in the axes of the road. */
  readonly direction: readonly [number, number];
  /** Start along the direction. */
  readonly from: number;
  readonly length: number;
  /** Lateral positions of the leftmost and rightmost wheels. */
  readonly lanes: readonly [number, number];
  /** Radius of the largest wheel. */
  readonly radius: number;
}

function courseOf(group: readonly Track[]): Course | undefined {
  const radius = Math.max(...group.map((track) => track.radius));
  const direction = directionOf(group, radius);
  const [ux, uy] = direction;
  const along = group.flatMap(({ places }) => places.map(({ x, y }) => ux * x + uy * y));
  const asides = group.map(({ places }) => places.map(({ x, y }) => ux * y - uy * x));
  const span = Math.max(...along) - Math.min(...along);
  const limit = MAX_LATERAL_FRACTION * span + radius / 2;
  if (asides.some((all) => Math.max(...all) - Math.min(...all) > limit)) return undefined;
  const middles = asides.map((all) => all.reduce((sum, aside) => sum + aside, 0) / all.length);
  return {
    direction,
    from: Math.min(...along) - END_MARGIN_RADII * radius,
    length: span + 2 * END_MARGIN_RADII * radius,
    lanes: [Math.max(...middles), Math.min(...middles)],
    radius,
  };
}

/** Returns a function for the points of both edges, at the height of the road under the wheels. */
function pairsAlong({ road, height, places }: Track, { direction, lanes, radius }: Course) {
  const [ux, uy] = direction;
  const edge = (s: number, lane: number, beside: number): Vector | undefined => {
    const h = height(ux * s - uy * lane, uy * s + ux * lane, places[0]!.time);
    const aside = lane + beside * radius;
    if (h === undefined) return undefined;
    return add(road.point, times(road.axes, [ux * s - uy * aside, uy * s + ux * aside, h]));
  };
  return (s: number) => [
    edge(s, lanes[0], SIDE_MARGIN_RADII),
    edge(s, lanes[1], -SIDE_MARGIN_RADII),
  ];
}

function isComplete(pair: readonly (Vector | undefined)[]): boolean {
  return pair.every((point) => point !== undefined);
}

/** Returns the travel direction of the wheel that moves farthest; x if no wheel moves. */
function directionOf(group: readonly Track[], radius: number): readonly [number, number] {
  let best = [radius / 2, 0] as readonly [number, number];
  for (const { places } of group) {
    const [a, b] = [places[0]!, places.at(-1)!];
    const shift = [b.x - a.x, b.y - a.y] as const;
    if (Math.hypot(...shift) > Math.hypot(...best)) best = shift;
  }
  const length = Math.hypot(...best);
  return [best[0] / length, best[1] / length];
}

/** Removes pairs that lie on the line between their neighbours: most roads are level. */
function withoutLevel(pairs: readonly [Vector, Vector][]): readonly [Vector, Vector][] {
  const bends = ([a, b, c]: readonly Vector[]) =>
    norm(subtract(add(a!, c!), scale(2, b!))) > 1e-6 * norm(subtract(c!, a!));
  return pairs.filter((pair, i) => {
    const [before, after] = [pairs[i - 1], pairs[i + 1]];
    if (before === undefined || after === undefined) return true;
    return [0, 1].some((side) => bends([before[side]!, pair[side]!, after[side]!]));
  });
}

/** Returns the part of the plane that contains all tracks. */
function plane(group: readonly Track[]): Item[] {
  const { road } = group[0]!;
  const radius = Math.max(...group.map((track) => track.radius));
  const places = group.flatMap((track) => track.places);
  const cell = niceAbove((spanOf(places) + 2 * radius) / CELLS);
  const ends = (pick: (place: TrackPoint) => number) => {
    const all = places.map(pick);
    const [low, high] = [
      Math.min(...all) - PLANE_MARGIN_RADII * radius,
      Math.max(...all) + PLANE_MARGIN_RADII * radius,
    ];
    return [cell * Math.floor(low / cell), cell * Math.ceil(high / cell)] as const;
  };
  const [x, y] = [ends((place) => place.x), ends((place) => place.y)];
  const level = group[0]!.height(places[0]!.x, places[0]!.y, places[0]!.time) ?? 0;
  return [
    {
      kind: "plane",
      body: road.body,
      corner: add(road.point, times(road.axes, [x[0], y[0], level])),
      u: scale(x[1] - x[0], column(road.axes, 0)),
      v: scale(y[1] - y[0], column(road.axes, 1)),
      cells: [Math.round((x[1] - x[0]) / cell), Math.round((y[1] - y[0]) / cell)],
    },
  ];
}

/** Returns a square plate that moves with the road height under the wheel. */
function shaker(track: Track, body: number): Shaker {
  const { road, radius, places, height } = track;
  const { x, y } = places[0]!;
  const size = 2.4 * radius;
  const [u, v] = [scale(size, column(road.axes, 0)), scale(size, column(road.axes, 1))];
  const corner = scale(-0.5, add(u, v));
  return {
    item: { kind: "plane", body, corner, u, v, cells: [4, 4] },
    carrier: road.body,
    place: (time) => add(road.point, times(road.axes, [x, y, height(x, y, time) ?? 0])),
  };
}

/** Returns the smallest of 1, 2 and 5 times a power of ten that is not below x. */
export function niceAbove(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return ([1, 2, 5, 10].find((factor) => factor * power >= x * (1 - 1e-9)) ?? 10) * power;
}

// Tracks of wheels on their roads, and heights of the roads.

/** Number of frames examined for wheel positions. */
const SAMPLES = 300;
/** Numbers of positions and times examined to detect a moving road. */
const PROBED_POSITIONS = 10;
const PROBED_TIMES = 8;

/** Road of a wheel, a marker whose z is the normal, and the positions of the wheel over it. */
export interface Track {
  readonly road: MarkerData;
  readonly radius: number;
  readonly places: readonly TrackPoint[];
  /** Returns the height over the plane of the road; undefined if it is unknown. */
  readonly height: (x: number, y: number, t: number) => number | undefined;
}

export interface TrackPoint {
  readonly time: number;
  readonly x: number;
  readonly y: number;
}

/** Returns the tracks of all tyres and rolling joints. */
export function tracksOf(data: ModelData, poses: Poses): Track[] {
  return [...tyreTracks(data, poses), ...rollingTracks(data, poses)];
}

function tyreTracks(data: ModelData, poses: Poses): Track[] {
  return data.forces
    .filter(({ type }) => type === "tyre")
    .map((force) => {
      const road = data.markers[force.a]!;
      const places = placesOn(road, data.markers[force.b]!, poses);
      const radius = force.constants[TyreData.RADIUS]! || spanOf(places) / 20 || 1;
      return { road, radius, places, height: heightOf(force) };
    });
}

function rollingTracks(data: ModelData, poses: Poses): Track[] {
  return data.joints
    .filter((joint) => appearanceOf(joint).rolls !== undefined)
    .map((joint) => {
      const { markers } = joint;
      const road = data.markers[markers![0]]!;
      const radius = rollingRadius(joint);
      const places = placesOn(road, data.markers[markers![1]]!, poses);
      return { road, radius, places, height: () => 0 };
    });
}

export function rollingRadius({ blocks }: JointData): number {
  return blocks[0]!.rows[0]!.constants[WheelData.RADIUS]!;
}

/** Returns the positions of a wheel marker in x and y of the road. */
function placesOn(road: MarkerData, wheel: MarkerData, poses: Poses): TrackPoint[] {
  return poses.sample(SAMPLES).map((frame) => {
    const { position, rotation } = poses.at(frame, road.body);
    const world = poses.point(frame, wheel.body, wheel.point);
    const own = subtract(transposeTimes(rotation, subtract(world, position)), road.point);
    const [x, y] = transposeTimes(road.axes, own);
    return { time: poses.frames.times[frame]!, x, y };
  });
}

/**
 * Returns the height as seen by a tyre's law, which writes it to its constants when updated with the poses of road and
 * wheel: here the road is not rotated, and the wheel is at x and y. User functions may throw.
 */
function heightOf({ constants, update }: ForceData): Track["height"] {
  const slots = Float64Array.from(constants);
  if (update === undefined) return () => slots[TyreData.HEIGHT];
  const still = () => ({
    point: new Float64Array(3),
    velocity: new Float64Array(3),
    angularVelocity: new Float64Array(3),
    axes: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
  });
  const [road, wheel] = [still(), still()];
  return (x, y, t) => {
    wheel.point.set([x, y, 0]);
    try {
      update(slots, [road, wheel], new Float64Array(2), t);
      return slots[TyreData.HEIGHT];
    } catch {
      return undefined;
    }
  };
}

/** Whether the height under the wheel changes with time. */
export function isMoving({ places, height }: Track): boolean {
  const [first, last] = [places[0]!.time, places.at(-1)!.time];
  const times = Array.from(
    { length: PROBED_TIMES },
    (_, i) => first + ((last - first) * (i + 1)) / PROBED_TIMES,
  );
  return places
    .filter((_, i) => i % Math.ceil(places.length / PROBED_POSITIONS) === 0)
    .some(({ x, y }) => times.some((t) => height(x, y, t) !== height(x, y, first)));
}

/** Returns the extent of a wheel's positions. */
export function spanOf(places: readonly TrackPoint[]): number {
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  const range = (all: number[]) => Math.max(...all) - Math.min(...all);
  return Math.hypot(range(xs), range(ys));
}
