import { SensorKind } from "../../../assembly/layout-bodies.js";
import type { FramePairOptions } from "../markers.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { holonomic, tilts } from "./rows.js";

/** Options of `parallel`. */
export interface ParallelOptions extends FramePairOptions {
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A drafting arm: `axis` of B stays parallel to that of A ("tilt 1", "tilt 2"). Three translations and the rotation
 * about the axis are free; the rotation is measured as `angle`.
 *
 * @example
 * m.parallel({ between: [m.ground, board], axis: [0, 0, 1] });
 */
export function parallel(options: ParallelOptions, builder: JointBuilder): JointParts<"angle"> {
  builder.check(options, ["between"], ["at", "axis", "compliance"]);
  const [a, b] = builder.markers.framePair(options, { at: "optional" });
  return {
    markers: [a, b],
    blocks: [holonomic(...tilts(a, b))],
    sensors: {
      angle: builder.sensor(SensorKind.ANGLE, a, b),
    },
  };
}
