// Common part of joints between two perpendicular axes, with one arm of a cross on each body.

import { axesAlong, dot } from "../../base/algebra/vectors.js";
import type { VectorLike } from "../../base/checking/values.js";
import type { FramePairNeeds, FramePairOptions } from "../markers.js";
import { GROUND, type Vector } from "../model-data.js";
import type { BodyOrMarker } from "../recipe-checker.js";
import type { JointBuilder } from "./joint-builder.js";

interface CrossOptions extends Omit<FramePairOptions, "axis"> {
  readonly axisA?: VectorLike | undefined;
  readonly axisB?: VectorLike | undefined;
}

/** Largest deviation from a right angle that counts as rounding. */
const RIGHT_ANGLE_TOLERANCE = 1e-6;

/** Returns markers on A and B, each with z along an arm: the user's own, or new ones that share a point. */
export function crossMarkers(
  options: CrossOptions,
  builder: JointBuilder,
  needs: Pick<FramePairNeeds, "at"> = {},
): readonly [number, number] {
  const [a, b] = builder.ends(options.between);
  const marker = [a, b].find((end) => end.kind === "marker");
  if (marker !== undefined) builder.absent(options, ["at"], "the marker says where");
  const usual = marker ?? (needs.at === "optional" ? secondBody(a, b) : undefined);
  const point =
    usual === undefined || options.at !== undefined
      ? builder.neededPoint(options.at)
      : builder.markers.frameOf(usual).point;
  if (a.kind === "marker" && b.kind === "marker") {
    builder.absent(options, ["axisA", "axisB"], "the arms are the z of the markers");
    return [a.index, b.index];
  }
  const axisA = arm(a, "axisA", options.axisA, builder);
  const axisB = arm(b, "axisB", options.axisB, builder);
  if (Math.abs(dot(axisA, axisB)) > RIGHT_ANGLE_TOLERANCE) {
    const degrees = (Math.acos(dot(axisA, axisB)) * 180) / Math.PI;
    throw builder.error(
      `axisA and axisB must be perpendicular at the start, but are ${degrees.toFixed(3)} degrees apart`,
    );
  }
  return [
    builder.markers.markerAt(a, { point, axes: axesAlong(axisA, axisB) }),
    builder.markers.markerAt(b, { point, axes: axesAlong(axisB, axisA) }),
  ];
}

/** Returns the second body, or the first if the second is the ground. */
function secondBody(a: BodyOrMarker, b: BodyOrMarker): BodyOrMarker {
  return b.index === GROUND ? a : b;
}

/** Returns the direction of an arm in the world. */
function arm(
  end: BodyOrMarker,
  option: "axisA" | "axisB",
  given: VectorLike | undefined,
  builder: JointBuilder,
): Vector {
  if (end.kind === "body") return builder.neededAxis(option, given);
  builder.absent({ [option]: given }, [option], "the arm is the z of the marker");
  return builder.markers.axisOf(end);
}
