import type { VectorLike } from "../../base/checking/values.js";
import type { FramePairOptions } from "../markers.js";
import { crossMarkers } from "./arms.js";
import { crossed, type JointOptions, type JointType } from "./joint-builder.js";
import { holonomic, rightAngle, Z } from "./rows.js";

/** Options of `perpendicular`. */
export interface PerpendicularOptions extends Omit<FramePairOptions, "axis">, JointOptions {
  /** The axis on A, in the world at the poses given. */
  readonly axisA?: VectorLike | undefined;
  /** The axis on B, perpendicular to the first. */
  readonly axisB?: VectorLike | undefined;
}

/**
 * An axis of B stays perpendicular to one of A ("right angle"): a universal joint whose arms need not meet. Three
 * translations and the rotations about both axes are free. `at` only determines where the reaction is reported.
 * Default: at the origin of the second body (of the first, if the second is the ground). With markers, their z axes
 * are used.
 *
 * @example
 * m.perpendicular({ between: [frame, rotor], axisA: [0, 0, 1], axisB: [1, 0, 0] });
 */
export const perpendicular: JointType<PerpendicularOptions> = {
  options: crossed,
  appearance: { symbol: "cross", attaches: "neither", plane: "leaves" },
  rows(options, builder) {
    const [a, b] = crossMarkers(options, builder, { at: "optional" });
    return { markers: [a, b], blocks: [holonomic(rightAngle("right angle", a, Z, b, Z))] };
  },
};
