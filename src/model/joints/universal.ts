import { columns, IDENTITY, scale } from "../../base/algebra/vectors.js";
import type { VectorLike } from "../../base/checking/values.js";
import type { FramePairOptions } from "../markers.js";
import { crossMarkers } from "./arms.js";
import { crossed, type JointOptions, type JointType } from "./joint-builder.js";
import {
  coincide,
  FLIP,
  hinge,
  holonomic,
  rightAngle,
  type TreeForm,
  UNIT_X,
  UNIT_Y,
  UNIT_Z,
  Z,
} from "./rows.js";

/** Options of `universal`. */
export interface UniversalOptions extends Omit<FramePairOptions, "axis">, JointOptions {
  /** Arm of the cross that is hinged in A, in the world at the poses given. */
  readonly axisA?: VectorLike | undefined;
  /** Arm of the cross that is hinged in B, perpendicular to the first. */
  readonly axisB?: VectorLike | undefined;
}

/**
 * The cross has z_A and z_B for arms. Angle 1 is counted from x_A to z_B about z_A, angle 2 from z_A to x_B about z_B:
 * both are zero at the given poses if the joint was made from bodies. The cross, (z_B, ., z_A), is A Rz(q1), and B is
 * (z_A, ., z_B) Rz(q2), so with ARMS = (z, -y, x), which is its own inverse, B = A Rz(q1) ARMS Rz(q2). From B
 *
 *   A F = B Rz(-q2) ARMS Rz(-q1) F = (B F) Rz(q2) (F ARMS F) Rz(q1).
 */
const ARMS = columns(UNIT_Z, scale(-1, UNIT_Y), UNIT_X);
const FLIPPED_ARMS = columns(scale(-1, UNIT_Z), scale(-1, UNIT_Y), scale(-1, UNIT_X));
const tree: TreeForm = {
  alignment: "arms",
  fromA: { nodes: [hinge(IDENTITY, "angle 1"), hinge(ARMS, "angle 2")], end: IDENTITY },
  fromB: { nodes: [hinge(FLIP, "angle 2"), hinge(FLIPPED_ARMS, "angle 1")], end: FLIP },
};

/**
 * A Cardan joint: the bodies are hinged to the two arms of a cross, which are perpendicular to each other
 * ("cross") and meet in one point ("x", "y" and "z", along the axes of the world). With markers, the arms are their z
 * axes.
 *
 * @example
 * m.universal({ between: [drive, shaft], at: [0, 0, 1], axisA: [1, 0, 0], axisB: [0, 1, 0] });
 */
export const universal: JointType<UniversalOptions> = {
  options: crossed,
  appearance: { symbol: "cross", attaches: "both", stands: true, plane: "leaves" },
  tree,
  rows(options, builder) {
    const [a, b] = crossMarkers(options, builder);
    const cross = rightAngle("cross", a, Z, b, Z);
    return { markers: [a, b], blocks: [holonomic(coincide(a, b), cross)] };
  },
};
