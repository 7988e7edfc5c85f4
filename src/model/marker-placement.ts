// World frames of bodies and markers at the given poses, and placement of markers at world frames.

import {
  add,
  axesAlong,
  column,
  columns,
  cross,
  IDENTITY,
  multiply,
  norm,
  rotationOf,
  subtract,
  times,
  transposeMultiply,
  transposeTimes,
  ZERO,
} from "../base/algebra/vectors.js";
import {
  checkKeys,
  descriptionError,
  direction,
  label,
  oneOf,
  vector,
} from "../base/checking/values.js";
import type { Body, Marker, MarkerOptions } from "./handles.js";
import type { Matrix, Vector } from "./model-data.js";
import { GROUND } from "./model-data.js";
import type { Store } from "./store.js";

/** A point and axes (as columns), in the world. */
export interface Frame {
  readonly point: Vector;
  readonly axes: Matrix;
}

const WORLD: Frame = { point: ZERO, axes: IDENTITY };

/** Sine of the angle below which two directions count as parallel, since their perpendicular would be noise. */
const PARALLEL_TOLERANCE = 1e-6;

export function bodyFrame(store: Store, body: number): Frame {
  if (body === GROUND) return WORLD;
  const { position, orientation } = store.bodies[body]!;
  return { point: position, axes: rotationOf(orientation) };
}

export function centreOfMass(store: Store, body: number): Vector {
  const frame = bodyFrame(store, body);
  if (body === GROUND) return frame.point;
  return add(frame.point, times(frame.axes, store.bodies[body]!.centre));
}

export function markerFrame(store: Store, marker: number): Frame {
  const { body, point, axes } = store.markers[marker]!;
  const frame = bodyFrame(store, body);
  return { point: add(frame.point, times(frame.axes, point)), axes: multiply(frame.axes, axes) };
}

/** Adds a marker for a recipe at a world frame. */
export function placeMarker(store: Store, name: string, body: number, frame: Frame): number {
  return store.addMarker({ name, body, ...inBody(store, body, frame) });
}

function inBody(store: Store, body: number, frame: Frame): Frame {
  const own = bodyFrame(store, body);
  return {
    point: transposeTimes(own.axes, subtract(frame.point, own.point)),
    axes: transposeMultiply(own.axes, frame.axes),
  };
}

/** Adds a marker with the user's options. */
export function addMarker(store: Store, body: Body, options: MarkerOptions): Marker {
  const owner = label("body", body.name);
  checkKeys(`marker of ${owner}`, options, [], ["name", "at", "axis", "x", "frame"]);
  const name = store.nameFor(`marker of ${body.name}`, "marker", options.name);
  const where = `${label("marker", name)} of ${owner}`;
  const inWorld = oneOf(where, "frame", options.frame ?? "body", ["body", "world"]) === "world";
  const origin = inWorld ? bodyFrame(store, body.index).point : ZERO;
  const frame = {
    point: vector(where, "at", options.at ?? origin),
    axes: axesFrom(where, options.axis ?? [0, 0, 1], options.x),
  };
  const local = inWorld ? inBody(store, body.index, frame) : frame;
  return store.addNamedMarker(body, { name, body: body.index, ...local });
}

/** Returns axes with z along one option and x guided by another, which must not be parallel. */
export function axesFrom(where: string, axis: unknown, x?: unknown): Matrix {
  const z = direction(where, "axis", axis);
  if (x === undefined) return axesAlong(z);
  const guide = direction(where, "x", x);
  if (norm(cross(z, guide)) < PARALLEL_TOLERANCE) {
    throw descriptionError(where, "x is parallel to axis: it must point across it");
  }
  return axesAlong(z, guide);
}

/** Returns axes with x along a blade and y along up x blade. */
export function axesAcross(where: string, blade: unknown, up: unknown): Matrix {
  const x = direction(where, "direction", blade);
  const above = direction(where, "up", up);
  if (norm(cross(above, x)) < PARALLEL_TOLERANCE) {
    throw descriptionError(where, "direction is parallel to up: the blade must lie across it");
  }
  const z = column(axesAlong(x, above), 0);
  return columns(x, cross(z, x), z);
}
