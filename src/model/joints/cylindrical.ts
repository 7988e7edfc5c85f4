import { SensorKind } from "../../../assembly/layout-bodies.js";
import {
  type FramedJointOptions,
  framed,
  type JointParts,
  type JointType,
} from "./joint-builder.js";
import { alongAxis, hinge, holonomic, slide, tilts, transverse } from "./rows.js";

/** Options of `cylindrical`. */
export type CylindricalOptions = FramedJointOptions;

/**
 * A shaft in a long bush: B rotates about the axis of A and slides along it. Has the rows of a revolute joint without
 * "axial". Measures `angle` and `displacement`, which are zero at the poses given if made from bodies.
 *
 * @example
 * m.cylindrical({ between: [housing, shaft], at: [0, 0, 1], axis: [0, 0, 1] });
 */
export const cylindrical: JointType<CylindricalOptions, JointParts<"angle" | "displacement">> = {
  options: framed,
  appearance: { symbol: "sleeve", attaches: "both", slides: true, isAxle: true },
  tree: { ...alongAxis(slide, hinge()), alignment: "axis" },
  rows(options, builder) {
    const [a, b] = builder.markers.framePair(options);
    return {
      markers: [a, b],
      blocks: [holonomic(...transverse(a, b), ...tilts(a, b))],
      sensors: {
        angle: builder.sensor(SensorKind.ANGLE, a, b),
        displacement: builder.sensor(SensorKind.DISPLACEMENT, a, b),
      },
    };
  },
};
