// Traits of each kind of row and of each force law, for all code outside the kernels. A kind of the layout without an
// entry here does not compile.

import { ForceKind, RowKind, SensorKind } from "../../assembly/layout-bodies.js";
import type { ForceData, PrimitiveKind, RowData, SensorData } from "./model-data.js";

interface RowTraits {
  /** The list that `a` and `b` of a row are indices in. */
  readonly joins: "markers" | "sensors";
  /** Whether it reads the axes of its markers, not only their points. */
  readonly readsAxes: boolean;
  /** Whether its constants begin with a prescribed value and its first two derivatives. */
  readonly isPrescribed: boolean;
  /** For each row, the indices of the six velocities of a body it can act on. */
  readonly columns: readonly (readonly number[])[];
  /** Whether its second derivatives are zero except with respect to two rotations. */
  readonly curvesInRotationsOnly: boolean;
}

const ALL = [0, 1, 2, 3, 4, 5];
const TURNING = [3, 4, 5];
const markers = {
  joins: "markers",
  readsAxes: true,
  isPrescribed: false,
  columns: [ALL],
  curvesInRotationsOnly: false,
} as const;

const ROWS: { readonly [Kind in PrimitiveKind]: RowTraits } = {
  [RowKind.COINCIDE]: {
    ...markers,
    readsAxes: false,
    columns: [0, 1, 2].map((axis) => [axis, ...TURNING]),
    curvesInRotationsOnly: true,
  },
  [RowKind.DOT1]: { ...markers, columns: [TURNING], curvesInRotationsOnly: true },
  [RowKind.DOT2]: { ...markers, isPrescribed: true },
  [RowKind.DISTANCE]: { ...markers, readsAxes: false, isPrescribed: true },
  [RowKind.COUPLE]: { ...markers, joins: "sensors", readsAxes: false, isPrescribed: true },
  [RowKind.WHEEL_HEIGHT]: markers,
  [RowKind.ROLLING]: markers,
  [RowKind.KNIFE_EDGE]: markers,
};

/** Whether a row couples or drives sensors; all other rows act on markers. */
export function couplesSensors({ kind }: RowData): boolean {
  return ROWS[kind].joins === "sensors";
}

export function readsAxes({ kind }: RowData): boolean {
  return ROWS[kind].readsAxes;
}

export function isPrescribed({ kind }: RowData): boolean {
  return ROWS[kind].isPrescribed;
}

/** Returns the pairs of markers a row acts between: its own, or those of its sensors. */
export function markerPairs(
  row: RowData,
  sensors: readonly SensorData[],
): readonly (readonly [number, number])[] {
  if (!couplesSensors(row)) return [[row.a, row.b]];
  return sensorsOf(row).map((index): [number, number] => [sensors[index]!.a, sensors[index]!.b]);
}

/** Returns, for each row of a primitive, the indices of the velocities of a body it can act on. */
export function columnsOf(
  row: RowData,
  sensors: readonly SensorData[],
): readonly (readonly number[])[] {
  return couplesAngles(row, sensors) ? [TURNING] : ROWS[row.kind].columns;
}

/** Whether the second derivatives of a row are zero except with respect to two rotations of its bodies. */
export function curvesInRotationsOnly(row: RowData, sensors: readonly SensorData[]): boolean {
  return ROWS[row.kind].curvesInRotationsOnly || couplesAngles(row, sensors);
}

function couplesAngles(row: RowData, sensors: readonly SensorData[]): boolean {
  return couplesSensors(row) && sensorsOf(row).every((index) => measuresAngle(sensors[index]!));
}

function measuresAngle({ kind }: SensorData): boolean {
  return kind === SensorKind.ANGLE;
}

/** Whether a force is a torque that depends on rotations and angular velocities only. */
export function isTorqueOfRotations(force: ForceData, sensors: readonly SensorData[]): boolean {
  return actsOnSensor(force) ? measuresAngle(sensors[force.a]!) : force.kind === ForceKind.TORQUE;
}

/** Returns the sensors of a coupling row; -1 means none. */
export function sensorsOf({ a, b }: RowData): readonly number[] {
  return b < 0 ? [a] : [a, b];
}

interface ForceTraits {
  /** The list that `a` of a force is an index in; `b` is a marker, or none. */
  readonly actsOn: "markers" | "sensor";
  /** Whether the law reads the axes of its markers, not only their points. */
  readonly readsAxes: boolean;
}

const FORCES: { readonly [Kind in ForceKind]: ForceTraits } = {
  [ForceKind.FORCE]: { actsOn: "markers", readsAxes: true },
  [ForceKind.TORQUE]: { actsOn: "markers", readsAxes: true },
  [ForceKind.SPRING]: { actsOn: "markers", readsAxes: false },
  [ForceKind.SENSOR_SPRING]: { actsOn: "sensor", readsAxes: false },
  [ForceKind.BUSHING]: { actsOn: "markers", readsAxes: true },
  [ForceKind.DRAG]: { actsOn: "markers", readsAxes: true },
  [ForceKind.TYRE]: { actsOn: "markers", readsAxes: true },
  [ForceKind.STOP]: { actsOn: "sensor", readsAxes: false },
  [ForceKind.FRICTION]: { actsOn: "sensor", readsAxes: false },
  [ForceKind.MOTOR]: { actsOn: "sensor", readsAxes: false },
};

/** Whether a force acts along a sensor; all others act on markers. */
export function actsOnSensor({ kind }: ForceData): boolean {
  return FORCES[kind].actsOn === "sensor";
}

/** Returns the markers a force acts on: its own, or those of its sensor. */
export function forceMarkers(force: ForceData, sensors: readonly SensorData[]): readonly number[] {
  const { a, b } = actsOnSensor(force) ? sensors[force.a]! : force;
  return [a, b].filter((marker) => marker >= 0);
}

/** Whether the law of a force or its user function reads the axes of its markers. */
export function forceReadsAxes({ kind, update }: ForceData): boolean {
  return FORCES[kind].readsAxes || update !== undefined;
}
