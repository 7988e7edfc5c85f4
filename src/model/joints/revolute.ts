import { SensorKind } from "../../../assembly/layout-bodies.js";
import {
  type FramedJointOptions,
  framed,
  type JointParts,
  type JointType,
} from "./joint-builder.js";
import { alongAxis, hinge, holonomic, level, tilts, transverse, Z } from "./rows.js";

/** Options of `revolute`. */
export type RevoluteOptions = FramedJointOptions;

/**
 * A hinge: the bodies rotate about one axis. B's point stays on A's axis ("transverse 1", "transverse 2") and at its
 * height ("axial"), and its axis stays parallel to A's ("tilt 1", "tilt 2"). Its `angle` is measured from x of A to x
 * of B about z of A; if made from bodies, it is zero at the poses given.
 *
 * @example
 * m.revolute({ between: [m.ground, crank], at: [0, 0, 0], axis: [0, 1, 0] });
 */
export const revolute: JointType<RevoluteOptions, JointParts<"angle">> = {
  options: framed,
  appearance: { symbol: "pin", attaches: "both", stands: true, isAxle: true, plane: "normal" },
  tree: { ...alongAxis(hinge), alignment: "axis" },
  rows(options, builder) {
    const [a, b] = builder.markers.framePair(options);
    return {
      markers: [a, b],
      blocks: [holonomic(...transverse(a, b), level("axial", a, Z, b), ...tilts(a, b))],
      sensors: { angle: builder.sensor(SensorKind.ANGLE, a, b) },
    };
  },
};
