import { SensorKind } from "../../../assembly/layout-bodies.js";
import type { FramePairOptions } from "../model/markers.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { holonomic, tilts, transverse } from "./rows.js";

/** Options of `cylindrical`. */
export interface CylindricalOptions extends FramePairOptions {
  /** How much its rows give way: decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A shaft in a long bush: B turns about the axis of A and slides along it. The rows of a revolute joint
 * without "axial". Offers `angle` and `displacement`, zero at the poses given if made from bodies.
 *
 * @example
 * m.cylindrical({ between: [housing, shaft], at: [0, 0, 1], axis: [0, 0, 1] });
 */
export function cylindrical(
  options: CylindricalOptions,
  builder: JointBuilder,
): JointParts<"angle" | "displacement"> {
  builder.check(options, ["between"], ["at", "axis", "compliance"]);
  const [a, b] = builder.markers.framePair(options);
  return {
    markers: [a, b],
    blocks: [holonomic(...transverse(a, b), ...tilts(a, b))],
    sensors: {
      angle: builder.sensor(SensorKind.ANGLE, a, b),
      displacement: builder.sensor(SensorKind.DISPLACEMENT, a, b),
    },
  };
}
