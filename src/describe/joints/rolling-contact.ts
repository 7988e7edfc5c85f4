// What rolling disks and spheres have in common: a wheel, a plane, and rows at the point of contact.

import { RowKind } from "../../../assembly/layout-bodies.js";
import { IDENTITY } from "../../ground/algebra/vectors.js";
import type { Body, Marker } from "../model/handles.js";
import { axesFrom } from "../model/marker-placement.js";
import type { BlockData, Matrix, RowData } from "../model/model-data.js";
import { GROUND } from "../model/model-data.js";
import { checkKeys, type VectorLike } from "../model/option-checks.js";
import { type BodyOrMarker, bodyOf } from "../model/recipe-checker.js";
import type { Compliance, JointBuilder } from "./joint-builder.js";
import { row, X, Y } from "./rows.js";

/** A plane of the ground, or of a body that carries it, in the world at the poses given. */
export interface Plane {
  /** A point of it; the origin of its body if not given. */
  readonly point?: VectorLike | undefined;
  /** Its normal, towards what rolls on it; (0, 0, 1) if not given. */
  readonly normal?: VectorLike | undefined;
  /** The ground, if not given. */
  readonly body?: Body | string | undefined;
}

/** Options that rolling disks and spheres share. */
export interface WheelOptions {
  /** For messages, readings and files. Default: the type with a number. */
  readonly name?: string | undefined;
  /** What rolls: a body, or a marker at its centre. */
  readonly body: BodyOrMarker | string;
  /** What it rolls on: the plane z = 0 of the ground if not given. A marker: its point, with z as normal. */
  readonly plane?: Plane | Marker | string | undefined;
  /** Radius in metres. */
  readonly radius: number;
  /** Centre, in the world at the poses given; the origin of the body if not given. */
  readonly centre?: VectorLike | undefined;
  /** How much its rows give way: decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/** The body that rolls. */
export function rollingBody(value: unknown, builder: JointBuilder): BodyOrMarker {
  const end = builder.end("body", value);
  if (bodyOf(end).index === GROUND) throw builder.error("body is the ground, which does not roll");
  return end;
}

/** The marker at the centre: the user's, or a new one. */
export function centreMarker(
  end: BodyOrMarker,
  options: WheelOptions,
  axes: Matrix,
  builder: JointBuilder,
): number {
  const { centre } = options;
  if (end.kind === "marker") {
    builder.absent({ centre }, ["centre"], "the marker says where");
    return end.index;
  }
  const point =
    centre === undefined ? builder.markers.frameOf(end).point : builder.vector("centre", centre);
  return builder.markers.place(end, { point, axes });
}

/** The marker of the plane: the user's, or a new one. */
export function planeMarker(wheel: BodyOrMarker, plane: unknown, builder: JointBuilder): number {
  if (typeof plane === "string" || (plane as Marker | undefined)?.kind === "marker") {
    const marker = builder.store.handle(builder.where, "plane", plane, "marker");
    builder.ends([marker, wheel]);
    return marker.index;
  }
  const given = (plane ?? {}) as Plane;
  const where = `${builder.where}: plane`;
  checkKeys(where, given, [], ["point", "normal", "body"]);
  const body =
    given.body === undefined ? builder.store.ground : builder.body("plane.body", given.body);
  builder.ends([body, wheel]);
  const point =
    given.point === undefined
      ? builder.markers.frameOf(body).point
      : builder.vector("plane.point", given.point);
  const axes =
    given.normal === undefined
      ? IDENTITY
      : axesFrom(builder.where, builder.direction("plane.normal", given.normal));
  return builder.markers.place(body, { point, axes });
}

/**
 * The wheel touches the plane ("height"), and its material point at the contact moves as the plane's does,
 * along x and y of the plane ("rolling 1", "rolling 2"). It may spin about the normal.
 */
export function wheelBlocks(
  plane: number,
  wheel: number,
  radius: number,
  isDisk: boolean,
): readonly BlockData[] {
  const make = (kind: RowData["kind"], name: string, axis: number) =>
    row(kind, [name], plane, wheel, axis, isDisk ? 1 : 0, [radius], undefined, "force");
  return [
    { holonomic: true, rows: [make(RowKind.WHEEL_HEIGHT, "height", 0)] },
    {
      holonomic: false,
      rows: [make(RowKind.ROLLING, "rolling 1", X), make(RowKind.ROLLING, "rolling 2", Y)],
    },
  ];
}
