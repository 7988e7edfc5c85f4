// Coordinates held constant at run time: locked joints, and joints that rest at a stop. Each becomes a drive of one
// row with a constant value, after all joints of the model. Code that handles drives, such as readings, result files
// and joint trees, therefore handles these too.

import { SensorKind } from "../../assembly/layout-bodies.js";
import type { Matrix } from "../base/algebra/vectors.js";
import { coupled, holonomic, level, noRotation } from "./joints/rows.js";
import type { JointData, MarkerData, ModelData } from "./model-data.js";

/** One held coordinate, with the name of the joint that holds it. */
export type HeldCoordinate = { readonly name: string } & (
  | {
      /** Index of the held sensor, and its value. */
      readonly sensor: number;
      readonly value: number;
    }
  | {
      /** Position of B's point along an axis of A, for joints whose translation no sensor measures. */
      readonly markers: readonly [number, number];
      readonly axis: 0 | 1 | 2;
      readonly value: number;
    }
  | {
      /** Orientation of B about one of its axes. `axes` are the axes of B in the body of A. */
      readonly markers: readonly [number, number];
      readonly axis: 0 | 1 | 2;
      readonly axes: Matrix;
    }
);

/** All held coordinates, and the state in which the last one was locked, as plain data. */
export interface HeldCoordinates {
  readonly rows: readonly HeldCoordinate[];
  readonly at: { readonly q: readonly number[]; readonly unwrappedAngles: readonly number[] };
}

const DRIVES = {
  [SensorKind.ANGLE]: ["driveAngle", "angle", "torque"],
  [SensorKind.DISPLACEMENT]: ["driveDisplacement", "displacement", "force"],
  [SensorKind.LENGTH]: ["driveLength", "length", "force"],
} as const;

/** Returns the model with rows for the held coordinates. */
export function withHeld(data: ModelData, held: HeldCoordinates | undefined): ModelData {
  if (held === undefined || held.rows.length === 0) return data;
  const markers = [...data.markers];
  const rows = held.rows.map((row) =>
    "sensor" in row ? measuredJoint(data, row) : relativeJoint(markers, row),
  );
  return Object.freeze({
    ...data,
    markers: Object.freeze(markers),
    joints: Object.freeze([...data.joints, ...rows]),
  });
}

/** Creates a joint that holds a relative position or rotation; adds the marker a rotation is measured from. */
function relativeJoint(
  all: MarkerData[],
  row: Exclude<HeldCoordinate, { readonly sensor: number }>,
): JointData {
  const { name, markers, axis } = row;
  const [a, b] = markers;
  const held = { name, markers, sensors: {}, isDrive: true, holds: true } as const;
  if ("value" in row) {
    const along = { ...level(`displacement ${"xyz"[axis]}`, a, axis, b), prescribed: row.value };
    return Object.freeze({ ...held, type: "driveDisplacement", blocks: [holonomic(along)] });
  }
  const { body, point } = all[a]!;
  const from = all.push({ name, body, point, axes: row.axes, holds: true }) - 1;
  return Object.freeze({
    ...held,
    type: "driveAngle",
    blocks: [holonomic(noRotation(from, b)[axis]!)],
  });
}

function measuredJoint(
  { sensors }: ModelData,
  { name, sensor, value }: Extract<HeldCoordinate, { readonly sensor: number }>,
): JointData {
  const { kind, a, b } = sensors[sensor]!;
  const [type, what, unit] = DRIVES[kind];
  return Object.freeze({
    name,
    type,
    markers: [a, b] as const,
    blocks: Object.freeze([holonomic(coupled(what, [sensor, -1], [1, 0], value, unit))]),
    sensors: Object.freeze({ [what]: sensor }),
    isDrive: true,
    holds: true,
  });
}
