// Where wheels are over their roads, and how high these are.

import { TyreData, WheelData } from "../../../assembly/layout-bodies.js";
import type {
  ForceData,
  JointData,
  MarkerData,
  ModelData,
} from "../../describe/model/model-data.js";
import { subtract, transposeTimes } from "../../ground/algebra/vectors.js";
import { lookOf } from "./joint-looks.js";
import type { Poses } from "./poses.js";

/** Frames at which it is looked where wheels are. */
const SAMPLES = 300;
/** Places and times at which it is looked whether a road moves. */
const PLACES = 10;
const TIMES = 8;

/** What a wheel is on: a marker whose z is the normal, and where the wheel was over it. */
export interface Track {
  readonly road: MarkerData;
  readonly radius: number;
  readonly places: readonly Place[];
  /** Over the plane of the road; undefined where it cannot be known. */
  readonly height: (x: number, y: number, t: number) => number | undefined;
}

export interface Place {
  readonly time: number;
  readonly x: number;
  readonly y: number;
}

/** Of all tyres, and of all that rolls. */
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
    .filter((joint) => lookOf(joint).rolls !== undefined)
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

/** Where a marker is over another's x and y. */
function placesOn(road: MarkerData, wheel: MarkerData, poses: Poses): Place[] {
  return poses.sample(SAMPLES).map((frame) => {
    const { position, rotation } = poses.at(frame, road.body);
    const world = poses.point(frame, wheel.body, wheel.point);
    const own = subtract(transposeTimes(rotation, subtract(world, position)), road.point);
    const [x, y] = transposeTimes(road.axes, own);
    return { time: poses.frames.times[frame]!, x, y };
  });
}

/**
 * The height a tyre's law sees. The law writes it among its constants when it is told where road and wheel are: here
 * the road is not turned, and the wheel is at x and y. User functions may refuse.
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

/** Whether the height changes with time where the wheel is. */
export function isMoving({ places, height }: Track): boolean {
  const [first, last] = [places[0]!.time, places.at(-1)!.time];
  const times = Array.from({ length: TIMES }, (_, i) => first + ((last - first) * (i + 1)) / TIMES);
  return places
    .filter((_, i) => i % Math.ceil(places.length / PLACES) === 0)
    .some(({ x, y }) => times.some((t) => height(x, y, t) !== height(x, y, first)));
}

/** How far a wheel gets. */
export function spanOf(places: readonly Place[]): number {
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  const range = (all: number[]) => Math.max(...all) - Math.min(...all);
  return Math.hypot(range(xs), range(ys));
}
