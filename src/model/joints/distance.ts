import { SensorKind } from "../../../assembly/layout-bodies.js";
import { positive } from "../../base/checking/index.js";
import type { PointPairOptions } from "../markers.js";
import { compliance } from "../recipe-checker.js";
import { type JointOptions, type JointParts, type JointType, pointPair } from "./joint-builder.js";
import { apart, holonomic } from "./rows.js";

/** Options of `distance`. */
export interface DistanceOptions extends PointPairOptions, JointOptions {
  /** Distance in metres. Default: the distance at the poses given. */
  readonly length?: number | undefined;
}

/**
 * A massless rigid link: two points keep their distance. One row, "length". The length must not be zero, as the
 * direction of the link and the row would vanish: use a spherical joint.
 *
 * @example
 * m.distance({ between: [crank, rocker], atA: [0.1, 0, 0], atB: [0.4, 0, 0.2] });
 */
export const distance: JointType<DistanceOptions, JointParts<"length">> = {
  options: { ...pointPair, length: positive, compliance },
  appearance: { line: "bar", attaches: "both", stands: true },
  rows(options, builder) {
    const [a, b] = builder.markers.separatePoints(options, "use spherical, or move one of them");
    const length = options.length ?? builder.markers.distanceBetween(a, b);
    return {
      markers: [a, b],
      blocks: [holonomic(apart(a, b, length, length))],
      sensors: { length: builder.sensor(SensorKind.LENGTH, a, b) },
    };
  },
};
