import { SensorKind } from "../../../assembly/layout-bodies.js";
import type { FramePairOptions } from "../markers.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { holonomic, transverse } from "./rows.js";

/** Options of `pointOnLine`. */
export interface PointOnLineOptions extends FramePairOptions {
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A pin in a straight slot: a point of B stays on a line of A through `at` along `axis`. Rows "transverse 1" and
 * "transverse 2"; all rotations are free. `displacement` is measured along the line.
 *
 * @example
 * m.pointOnLine({ between: [m.ground, rod], at: [1, 0, 0], axis: [1, 0, 0] });
 */
export function pointOnLine(
  options: PointOnLineOptions,
  builder: JointBuilder,
): JointParts<"displacement"> {
  builder.check(options, ["between"], ["at", "axis", "compliance"]);
  const [a, b] = builder.markers.framePair(options);
  return {
    markers: [a, b],
    blocks: [holonomic(...transverse(a, b))],
    sensors: {
      displacement: builder.sensor(SensorKind.DISPLACEMENT, a, b),
    },
  };
}
