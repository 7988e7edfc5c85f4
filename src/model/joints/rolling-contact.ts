// Common part of rolling disks and spheres: a wheel, a plane, and rows at the point of contact.

import { RowKind } from "../../../assembly/layout-bodies.js";
import { IDENTITY } from "../../base/algebra/vectors.js";
import { needed, positive } from "../../base/checking/index.js";
import { checkKeys, type VectorLike } from "../../base/checking/values.js";
import type { Body, Marker } from "../handles.js";
import { axesFrom } from "../marker-placement.js";
import { type BlockData, GROUND, type Matrix, type RowData } from "../model-data.js";
import {
  type BodyOrMarker,
  bodyOf,
  compliance,
  end,
  recipeOption,
  vector,
} from "../recipe-checker.js";
import type { JointBuilder, JointOptions } from "./joint-builder.js";
import { row, X, Y } from "./rows.js";

/** A plane fixed to the ground or to a body, in the world at the poses given. */
export interface Plane {
  /** Point of the plane. Default: the origin of its body. */
  readonly point?: VectorLike | undefined;
  /** Normal of the plane, towards the rolling body. Default: (0, 0, 1). */
  readonly normal?: VectorLike | undefined;
  /** Body that carries the plane. Default: the ground. */
  readonly body?: Body | string | undefined;
}

/** Rules of {@link WheelOptions}. */
export const rollingOptions = {
  body: needed(end),
  radius: needed(positive),
  plane: recipeOption("plane", "a plane, or a marker"),
  centre: vector,
  compliance,
};

/** Options that rolling disks and spheres share. */
export interface WheelOptions extends JointOptions {
  /** Rolling body, or a marker at its centre. */
  readonly body: BodyOrMarker | string;
  /**
   * Plane it rolls on, or a marker with its point on the plane and z as normal. Default: the plane z = 0 of the
   * ground.
   */
  readonly plane?: Plane | Marker | string | undefined;
  /** Radius in metres. */
  readonly radius: number;
  /** Centre, in the world at the poses given. Default: the origin of the body. */
  readonly centre?: VectorLike | undefined;
}

/** Returns the rolling body or its marker; rejects the ground. */
export function rollingBody(value: unknown, builder: JointBuilder): BodyOrMarker {
  const end = builder.end("body", value);
  if (bodyOf(end).index === GROUND) throw builder.error("body is the ground, which does not roll");
  return end;
}

/** Returns the marker at the centre: the user's, or a new one. */
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

/** Returns the marker of the plane: the user's, or a new one. */
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
 * Returns the rows of a wheel that touches the plane ("height"). Its material point at the contact has the velocity
 * of the plane along x and y of the plane ("rolling 1", "rolling 2"). Spin about the normal is free.
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
