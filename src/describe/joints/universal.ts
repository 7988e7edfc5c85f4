import type { FramePairOptions } from "../model/markers.js";
import type { VectorLike } from "../model/option-checks.js";
import { crossMarkers } from "./arms.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { coincide, holonomic, rightAngle, Z } from "./rows.js";

/** Options of `universal`. */
export interface UniversalOptions extends Omit<FramePairOptions, "axis"> {
  /** The arm of the cross that turns in A, in the world at the poses given. */
  readonly axisA?: VectorLike | undefined;
  /** The arm that turns in B, perpendicular to the first. */
  readonly axisB?: VectorLike | undefined;
  /** How much its rows give way: decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A Cardan joint: the bodies are hinged to the two arms of a cross, which are perpendicular to each other
 * ("cross") and meet in one point ("x", "y" and "z", along the axes of the world). With markers the arms
 * are their z.
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
