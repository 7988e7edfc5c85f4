import { IDENTITY } from "../../base/algebra/vectors.js";
import type { JointType } from "./joint-builder.js";
import {
  centreMarker,
  planeMarker,
  rollingBody,
  rollingOptions,
  type WheelOptions,
  wheelBlocks,
} from "./rolling-contact.js";

/** Options of `rollingSphere`. */
export type RollingSphereOptions = WheelOptions;

/**
 * A ball that rolls on a plane without slipping: one row on positions ("height") and two on velocities
 * ("rolling 1", "rolling 2", along x and y of the plane). Spin about the normal is free.
 *
 * @example
 * m.rollingSphere({ body: ball, radius: 0.1, plane: { body: tray, normal: [0, 0, 1] } });
 */
export const rollingSphere: JointType<RollingSphereOptions> = {
  options: rollingOptions,
  appearance: { attaches: "neither", plane: "leaves", rolls: "ball" },
  rows(options, builder) {
    const end = rollingBody(options.body, builder);
    const wheel = centreMarker(end, options, IDENTITY, builder);
    const plane = planeMarker(end, options.plane, builder);
    return { markers: [plane, wheel], blocks: wheelBlocks(plane, wheel, options.radius, false) };
  },
};
