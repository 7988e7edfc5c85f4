import { SensorKind } from "../../../assembly/layout-bodies.js";
import type { FramePairOptions } from "../markers.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { holonomic, tilts, transverse } from "./rows.js";

/** Options of `cylindrical`. */
export interface CylindricalOptions extends FramePairOptions {
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A shaft in a long bush: B rotates about the axis of A and slides along it. Has the rows of a revolute joint without
 * "axial". Measures `angle` and `displacement`, which are zero at the poses given if made from bodies.
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
