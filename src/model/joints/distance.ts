import { SensorKind } from "../../../assembly/layout-bodies.js";
import type { PointPairOptions } from "../markers.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { apart, holonomic } from "./rows.js";

/** Options of `distance`. */
export interface DistanceOptions extends PointPairOptions {
  /** Distance in metres. Default: the distance at the poses given. */
  readonly length?: number | undefined;
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A massless rigid link: two points keep their distance. One row, "length". The length must not be zero, as the
 * direction of the link and the row would vanish: use a spherical joint.
 *
 * @example
 * m.distance({ between: [crank, rocker], atA: [0.1, 0, 0], atB: [0.4, 0, 0.2] });
 */
export function distance(options: DistanceOptions, builder: JointBuilder): JointParts<"length"> {
  builder.check(options, ["between"], ["atA", "atB", "length", "compliance"]);
  const [a, b] = builder.markers.separatePoints(options, "use spherical, or move one of them");
  const length =
    options.length === undefined
      ? builder.markers.distanceBetween(a, b)
      : builder.positive("length", options.length);
  return {
    markers: [a, b],
    blocks: [holonomic(apart(a, b, length, length))],
    sensors: { length: builder.sensor(SensorKind.LENGTH, a, b) },
  };
}
