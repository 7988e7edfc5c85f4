import { cross, IDENTITY, norm } from "../../base/algebra/vectors.js";
import type { VectorLike } from "../../base/checking/values.js";
import { axesFrom } from "../marker-placement.js";
import { vector } from "../recipe-checker.js";
import type { JointType } from "./joint-builder.js";
import {
  centreMarker,
  planeMarker,
  rollingBody,
  rollingOptions,
  type WheelOptions,
  wheelBlocks,
} from "./rolling-contact.js";

/** Options of `rollingDisk`. */
export interface RollingDiskOptions extends WheelOptions {
  /** Rolling body, or a marker at its centre with z along the axle. */
  readonly body: WheelOptions["body"];
  /** Axle, in the world at the poses given. Omit it if `body` is a marker, whose z is the axle. */
  readonly axis?: VectorLike | undefined;
}

/** Sine of the angle between axle and normal below which the disk lies flat. */
const FLAT_DISK_TOLERANCE = 1e-6;

/**
 * A thin disk that rolls on a plane without slipping: a coin, a bicycle's wheel. It touches the plane with
 * its lowest point, at the height radius sqrt(1 - (n.c)^2) below its centre for a normal n and an axle c:
 * one row on positions ("height") and two on velocities ("rolling 1", "rolling 2"). Lean and spin are free.
 *
 * @example
 * m.rollingDisk({ body: coin, radius: 0.01, axis: [0, 1, 0] });
 */
export const rollingDisk: JointType<RollingDiskOptions> = {
  options: { ...rollingOptions, axis: vector },
  appearance: { attaches: "neither", plane: "leaves", rolls: "disk" },
  rows(options, builder) {
    const end = rollingBody(options.body, builder);
    const { axis, radius } = options;
    if (end.kind === "marker")
      builder.absent({ axis }, ["axis"], "the axle is the z of the marker");
    else if (axis === undefined) throw builder.error("axis is missing: the axle, in the world");
    const axes = axis === undefined ? IDENTITY : axesFrom(builder.where, axis);
    const wheel = centreMarker(end, options, axes, builder);
    const plane = planeMarker(end, options.plane, builder);
    if (
      norm(cross(builder.markers.markerAxis(plane), builder.markers.markerAxis(wheel))) <
      FLAT_DISK_TOLERANCE
    ) {
      throw builder.error("the disk lies flat at the start: tilt it");
    }
    return { markers: [plane, wheel], blocks: wheelBlocks(plane, wheel, radius, true) };
  },
};
