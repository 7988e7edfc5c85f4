// Sensors of laws along one coordinate: that of a joint, or the distance of two points.

import { SensorKind } from "../../../assembly/layout-bodies.js";
import { oneOf } from "../../base/checking/index.js";
import { label } from "../../base/checking/values.js";
import type { Joint } from "../handles.js";
import type { PointPairOptions } from "../markers.js";
import { ends, joint, vector } from "../recipe-checker.js";
import type { ForceBuilder } from "./force-builder.js";

/** A coordinate of a joint. */
export type JointCoordinate = "angle" | "displacement";

/** Rules of {@link SensedOptions}. */
export const jointCoordinate = oneOf("angle", "displacement");
export const sensedRules = {
  joint,
  between: ends,
  atA: vector,
  atB: vector,
  of: jointCoordinate,
};

interface SensedOptions {
  readonly between?: PointPairOptions["between"] | undefined;
  readonly atA?: PointPairOptions["atA"];
  readonly atB?: PointPairOptions["atB"];
  readonly joint?: Joint | string | undefined;
  readonly of?: JointCoordinate | undefined;
}

/** Returns the sensor of a joint's coordinate, or a new one for a distance. */
export function measuredBy(options: SensedOptions, builder: ForceBuilder): number {
  const { joint, between, of, atA, atB } = options;
  if ((joint === undefined) === (between === undefined)) {
    throw builder.error("give a joint, or between: two bodies or markers whose distance counts");
  }
  if (between === undefined) {
    if (atA !== undefined || atB !== undefined) throw builder.error("atA and atB go with between");
    return coordinateOf(joint, of, builder);
  }
  if (of !== undefined) throw builder.error("of is a coordinate of a joint; between has a length");
  const [a, b] = builder.markers.separatePoints(
    { ...options, between },
    "their distance needs a direction. Move one of them",
  );
  return builder.store.addForceSensor({ kind: SensorKind.LENGTH, a, b, owner: builder.name });
}

/** Returns the sensor of a joint's only coordinate, or of the named one. */
export function coordinateOf(
  joint: unknown,
  of: JointCoordinate | undefined,
  builder: ForceBuilder,
): number {
  const data = builder.joint("joint", joint);
  const offered = Object.keys(data.sensors);
  if (of === undefined && offered.length > 1) {
    const which = `${label(data.type, data.name)} has ${offered.join(" and ")}`;
    throw builder.error(`${which}: say which, as in of: "${offered[0]}"`);
  }
  return builder.sensorOf("joint", joint, of ?? offered[0] ?? "angle");
}
