import { SensorKind } from "../../../assembly/layout-bodies.js";
import {
  type FramedJointOptions,
  framed,
  type JointParts,
  type JointType,
} from "./joint-builder.js";
import { holonomic, tilts } from "./rows.js";

/** Options of `parallel`. */
export type ParallelOptions = FramedJointOptions;

/**
 * A drafting arm: `axis` of B stays parallel to that of A ("tilt 1", "tilt 2"). Three translations and the rotation
 * about the axis are free; the rotation is measured as `angle`.
 *
 * @example
 * m.parallel({ between: [m.ground, board], axis: [0, 0, 1] });
 */
export const parallel: JointType<ParallelOptions, JointParts<"angle">> = {
  options: framed,
  appearance: { symbol: "rods", attaches: "neither" },
  rows(options, builder) {
    const [a, b] = builder.markers.framePair(options, { at: "optional" });
    return {
      markers: [a, b],
      blocks: [holonomic(...tilts(a, b))],
      sensors: {
        angle: builder.sensor(SensorKind.ANGLE, a, b),
      },
    };
  },
};
