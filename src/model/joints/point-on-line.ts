import { SensorKind } from "../../../assembly/layout-bodies.js";
import {
  type FramedJointOptions,
  framed,
  type JointParts,
  type JointType,
} from "./joint-builder.js";
import { holonomic, transverse } from "./rows.js";

/** Options of `pointOnLine`. */
export type PointOnLineOptions = FramedJointOptions;

/**
 * A pin in a straight slot: a point of B stays on a line of A through `at` along `axis`. Rows "transverse 1" and
 * "transverse 2"; all rotations are free. `displacement` is measured along the line.
 *
 * @example
 * m.pointOnLine({ between: [m.ground, rod], at: [1, 0, 0], axis: [1, 0, 0] });
 */
export const pointOnLine: JointType<PointOnLineOptions, JointParts<"displacement">> = {
  options: framed,
  appearance: { symbol: "pin", attaches: "both", slides: true },
  rows(options, builder) {
    const [a, b] = builder.markers.framePair(options);
    return {
      markers: [a, b],
      blocks: [holonomic(...transverse(a, b))],
      sensors: {
        displacement: builder.sensor(SensorKind.DISPLACEMENT, a, b),
      },
    };
  },
};
