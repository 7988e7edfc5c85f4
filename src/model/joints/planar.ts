import { SensorKind } from "../../../assembly/layout-bodies.js";
import { columns, IDENTITY, scale } from "../../base/algebra/vectors.js";
import {
  type FramedJointOptions,
  framed,
  type JointParts,
  type JointType,
} from "./joint-builder.js";
import {
  FLIP,
  hinge,
  holonomic,
  level,
  slide,
  type TreeForm,
  tilts,
  UNIT_X,
  UNIT_Y,
  UNIT_Z,
  Z,
} from "./rows.js";

/** Options of `planar`. */
export type PlanarOptions = FramedJointOptions;

/**
 * p_B - p_A = x x_A + y y_A, B = A Rz(q). From A: along x_A, along y_A, then the turn. The axis of a slide is z of its
 * node, so the frames are (y, z, x) and (z, x, y) of A, and then A itself: each is the one before, turned by CYCLE.
 *
 * From B the turn comes first, because x and y are along the axes of A: with (x, y, z) = A F the slides are along -x_A =
 * -x and -y_A = y. Their frames are (z, y, -x) and (z, x, y). Rejected: slides first, in the axes of B: x and y would mean
 * something else when the parent is B.
 */
const CYCLE = columns(UNIT_Y, UNIT_Z, UNIT_X);
const ALONG_MINUS_X = columns(UNIT_Z, UNIT_Y, scale(-1, UNIT_X));
const FROM_MINUS_X_TO_Y = columns(UNIT_X, scale(-1, UNIT_Z), UNIT_Y);
const tree: TreeForm = {
  alignment: "axis",
  fromA: {
    nodes: [slide(CYCLE, "displacement x"), slide(CYCLE, "displacement y"), hinge(CYCLE)],
    end: IDENTITY,
  },
  fromB: {
    nodes: [
      hinge(FLIP),
      slide(ALONG_MINUS_X, "displacement x"),
      slide(FROM_MINUS_X_TO_Y, "displacement y"),
    ],
    // F times (z, x, y).
    end: columns(scale(-1, UNIT_Z), UNIT_X, scale(-1, UNIT_Y)),
  },
};

/**
 * A plate on a table: B's point stays in the plane of A ("axial") and its normal parallel to A's
 * ("tilt 1", "tilt 2"); `axis` is the normal. Two translations and a rotation are free; the rotation is measured as
 * `angle`.
 *
 * @example
 * m.planar({ between: [m.ground, puck], axis: [0, 0, 1] });
 */
export const planar: JointType<PlanarOptions, JointParts<"angle">> = {
  options: framed,
  appearance: { symbol: "plate", attaches: "second", plane: "normal" },
  tree,
  rows(options, builder) {
    const [a, b] = builder.markers.framePair(options, { at: "optional" });
    return {
      markers: [a, b],
      blocks: [holonomic(level("axial", a, Z, b), ...tilts(a, b))],
      sensors: {
        angle: builder.sensor(SensorKind.ANGLE, a, b),
      },
    };
  },
};
