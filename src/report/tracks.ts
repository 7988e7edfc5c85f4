// Tracks of wheels on their roads, and heights of the roads.

import { TyreData, WheelData } from "../../assembly/layout-bodies.js";
import { subtract, transposeTimes } from "../base/algebra/vectors.js";
import {
  appearanceOf,
  type ForceData,
  type JointData,
  type MarkerData,
  type ModelData,
} from "../model/model-data.js";
import type { Poses } from "./poses.js";

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
