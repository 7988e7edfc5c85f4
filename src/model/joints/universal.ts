import type { FramePairOptions } from "../markers.js";
import type { VectorLike } from "../option-checks.js";
import { crossMarkers } from "./arms.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { coincide, holonomic, rightAngle, Z } from "./rows.js";

/** Options of `universal`. */
export interface UniversalOptions extends Omit<FramePairOptions, "axis"> {
  /** Arm of the cross that is hinged in A, in the world at the poses given. */
  readonly axisA?: VectorLike | undefined;
  /** Arm of the cross that is hinged in B, perpendicular to the first. */
  readonly axisB?: VectorLike | undefined;
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A Cardan joint: the bodies are hinged to the two arms of a cross, which are perpendicular to each other
 * ("cross") and meet in one point ("x", "y" and "z", along the axes of the world). With markers, the arms are their z
 * axes.
 *
 * @example
 * m.universal({ between: [drive, shaft], at: [0, 0, 1], axisA: [1, 0, 0], axisB: [0, 1, 0] });
 */
export function universal(options: UniversalOptions, builder: JointBuilder): JointParts {
  builder.check(options, ["between"], ["at", "axisA", "axisB", "compliance"]);
  const [a, b] = crossMarkers(options, builder);
  const cross = rightAngle("cross", a, Z, b, Z);
  return { markers: [a, b], blocks: [holonomic(coincide(a, b), cross)] };
}
