// Coordinates that are held where they are while a mechanism runs: joints that are locked, and those that rest at a stop.
// Each is a drive of one row whose value is a constant, behind all joints of the model, so that everything that knows drives
// knows these: readings, files of results, trees of joints.

import { SensorKind } from "../../assembly/layout-bodies.js";
import type { Matrix } from "../ground/algebra/vectors.js";
import { coupled, holonomic, level, noTurn } from "./joints/rows.js";
import type { JointData, MarkerData, ModelData } from "./model/model-data.js";

/** One coordinate that is held. The name is that of the joint that holds it. */
export type HeldCoordinate = { readonly name: string } & (
  | {
      /** What is held: a sensor of the model, and its value. */
      readonly sensor: number;
      readonly value: number;
    }
  | {
      /** Where B's point is along an axis of A: joints whose slides no sensor measures. */
      readonly markers: readonly [number, number];
      readonly axis: 0 | 1 | 2;
      readonly value: number;
    }
  | {
      /** How B is turned about one of its axes: `axes` are those of B in the body of A. */
      readonly markers: readonly [number, number];
      readonly axis: 0 | 1 | 2;
      readonly axes: Matrix;
    }
);

/** All of them, and the state in which the last one was caught: plain data. */
export interface HeldCoordinates {
  readonly rows: readonly HeldCoordinate[];
  readonly at: { readonly q: readonly number[]; readonly turns: readonly number[] };
}

const DRIVES = {
  [SensorKind.ANGLE]: ["driveAngle", "angle", "torque"],
  [SensorKind.DISPLACEMENT]: ["driveDisplacement", "displacement", "force"],
  [SensorKind.LENGTH]: ["driveLength", "length", "force"],
} as const;

/** The model with rows for what is held. */
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

/** Adds the marker that a turn is measured from. */
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
    blocks: [holonomic(noTurn(from, b)[axis]!)],
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
