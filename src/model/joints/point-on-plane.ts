import { type FramedJointOptions, framed, type JointType } from "./joint-builder.js";
import { holonomic, level, Z } from "./rows.js";

/** Options of `pointOnPlane`. */
export type PointOnPlaneOptions = FramedJointOptions;

/**
 * A foot on a smooth floor that holds it: a point of B stays in the plane of A through `at` with the
 * normal `axis`. One row, "axial".
 *
 * @example
 * m.pointOnPlane({ between: [m.ground, stool], at: [0.2, 0, 0], axis: [0, 0, 1] });
 */
export const pointOnPlane: JointType<PointOnPlaneOptions> = {
  options: framed,
  appearance: { symbol: "foot", attaches: "second" },
  rows(options, builder) {
    const [a, b] = builder.markers.framePair(options);
    return {
      markers: [a, b],
      blocks: [holonomic(level("axial", a, Z, b))],
    };
  },
};
