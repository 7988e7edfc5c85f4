import { SensorKind } from "../../../assembly/layout-bodies.js";
import type { FramePairOptions } from "../markers.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { holonomic, level, tilts, Z } from "./rows.js";

/** Options of `planar`. */
export interface PlanarOptions extends FramePairOptions {
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A plate on a table: B's point stays in the plane of A ("axial") and its normal parallel to A's
 * ("tilt 1", "tilt 2"); `axis` is the normal. Two translations and a rotation are free; the rotation is measured as
 * `angle`.
 *
 * @example
 * m.planar({ between: [m.ground, puck], axis: [0, 0, 1] });
 */
export function planar(options: PlanarOptions, builder: JointBuilder): JointParts<"angle"> {
  builder.check(options, ["between"], ["at", "axis", "compliance"]);
  const [a, b] = builder.markers.framePair(options, { at: "optional" });
  return {
    markers: [a, b],
    blocks: [holonomic(level("axial", a, Z, b), ...tilts(a, b))],
    sensors: {
      angle: builder.sensor(SensorKind.ANGLE, a, b),
    },
  };
}
