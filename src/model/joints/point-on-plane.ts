import type { FramePairOptions } from "../markers.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { holonomic, level, Z } from "./rows.js";

/** Options of `pointOnPlane`. */
export interface PointOnPlaneOptions extends FramePairOptions {
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A foot on a smooth floor that holds it: a point of B stays in the plane of A through `at` with the
 * normal `axis`. One row, "axial".
 *
 * @example
 * m.pointOnPlane({ between: [m.ground, stool], at: [0.2, 0, 0], axis: [0, 0, 1] });
 */
export function pointOnPlane(options: PointOnPlaneOptions, builder: JointBuilder): JointParts {
  builder.check(options, ["between"], ["at", "axis", "compliance"]);
  const [a, b] = builder.markers.framePair(options);
  return {
    markers: [a, b],
    blocks: [holonomic(level("axial", a, Z, b))],
  };
}
