// Coordinates that are held where they are while a mechanism runs: joints that are locked, and those that rest at a stop.
// Each is a drive of one row whose value is a constant, behind all joints of the model, so that everything that knows drives
// knows these: readings, files of results, trees of joints.

import { SensorKind } from "../../assembly/layout-bodies.js";
import { coupled, holonomic } from "./joints/rows.js";
import type { JointData, ModelData } from "./model/model-data.js";

/** One coordinate that is held. */
export interface HeldCoordinate {
  /** Of the joint that holds it. */
  readonly name: string;
  /** What is held: a sensor of the model, and its value. */
  readonly sensor: number;
  readonly value: number;
}

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
  const rows = held.rows.map((row) => jointOf(data, row));
  return Object.freeze({ ...data, joints: Object.freeze([...data.joints, ...rows]) });
}

function jointOf({ sensors }: ModelData, { name, sensor, value }: HeldCoordinate): JointData {
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
