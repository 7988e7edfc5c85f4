import { axesAlong, dot } from "../../ground/algebra/vectors.js";
import type { End } from "../model/checker.js";
import type { VectorLike } from "../model/checks.js";
import type { Vector } from "../model/description.js";
import type { BetweenOptions } from "../model/markers.js";
import type { Compliance, JointBuilder, JointParts } from "./builder.js";
import { coincide, holonomic, perpendicular, Z } from "./rows.js";

export interface UniversalOptions extends Omit<BetweenOptions, "axis"> {
  /** The arm of the cross that turns in A, in the world at the poses given. */
  readonly axisA?: VectorLike | undefined;
  /** The arm that turns in B, perpendicular to the first. */
  readonly axisB?: VectorLike | undefined;
  readonly compliance?: Compliance | undefined;
}

/** Farther than this from a right angle is not a matter of rounding. */
const TOLERANCE = 1e-6;

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
  const ends = builder.ends(options.between);
  const [a, b] = markers(options, ends, builder);
  const cross = perpendicular("cross", a, Z, b, Z);
  return { markers: [a, b], blocks: [holonomic(coincide(a, b), cross)] };
}

function markers(
  options: UniversalOptions,
  [a, b]: readonly [End, End],
  builder: JointBuilder,
): readonly [number, number] {
  const marker = [a, b].find((end) => end.kind === "marker");
  if (marker !== undefined) builder.absent(options, ["at"], "the marker says where");
  const point =
    marker === undefined ? builder.neededPoint(options.at) : builder.markers.frameOf(marker).point;
  if (a.kind === "marker" && b.kind === "marker") {
    builder.absent(options, ["axisA", "axisB"], "the arms are the z of the markers");
    return [a.index, b.index];
  }
  const axisA = arm(a, "axisA", options.axisA, builder);
  const axisB = arm(b, "axisB", options.axisB, builder);
  if (Math.abs(dot(axisA, axisB)) > TOLERANCE) {
    const degrees = (Math.acos(dot(axisA, axisB)) * 180) / Math.PI;
    throw builder.refuse(
      `axisA and axisB must be perpendicular at the start, but are ${degrees.toFixed(3)} degrees apart`,
    );
  }
  return [
    builder.markers.markerAt(a, { point, axes: axesAlong(axisA, axisB) }),
    builder.markers.markerAt(b, { point, axes: axesAlong(axisB, axisA) }),
  ];
}

/** The direction of an arm in the world. */
function arm(
  end: End,
  option: "axisA" | "axisB",
  given: VectorLike | undefined,
  builder: JointBuilder,
): Vector {
  if (end.kind === "body") return builder.neededAxis(option, given);
  builder.absent({ [option]: given }, [option], "the arm is the z of the marker");
  return builder.markers.axisOf(end);
}
