import { SensorKind } from "../../../assembly/layout-bodies.js";
import {
  type FramedJointOptions,
  framed,
  type JointParts,
  type JointType,
} from "./joint-builder.js";
import { alongAxis, holonomic, noRotation, slide, transverse } from "./rows.js";

/** Options of `prismatic`. */
export type PrismaticOptions = FramedJointOptions;

/**
 * A slide: B translates along the axis of A without rotation. Rows "transverse 1" and "transverse 2" keep its point
 * on the line, "turn x", "turn y" and "turn z" keep its axes aligned. `displacement` is measured along the axis from
 * A's point to B's; if made from bodies, it is zero at the poses given. Without `at` that point is the
 * origin of the second body (of the first, if the second is the ground); the motion does not depend on it.
 *
 * @example
 * m.prismatic({ between: [m.ground, slider], axis: [1, 0, 0] });
 */
export const prismatic: JointType<PrismaticOptions, JointParts<"displacement">> = {
  options: framed,
  appearance: { symbol: "block", attaches: "both", slides: true },
  tree: { ...alongAxis(slide), alignment: "axes" },
  rows(options, builder) {
    const [a, b] = builder.markers.framePair(options, { at: "optional" });
    return {
      markers: [a, b],
      blocks: [holonomic(...transverse(a, b), ...noRotation(a, b))],
      sensors: {
        displacement: builder.sensor(SensorKind.DISPLACEMENT, a, b),
      },
    };
  },
};
