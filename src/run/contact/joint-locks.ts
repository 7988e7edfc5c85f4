// Joint locks during a run: the settings with joints locked or unlocked.

import { RowKind, SensorKind } from "../../../assembly/layout-bodies.js";
import {
  add,
  column,
  cross,
  dot,
  IDENTITY,
  type Matrix,
  multiply,
  norm,
  normalised,
  rotationOf,
  scale,
  subtract,
  times,
  transposeMultiply,
  unit,
  ZERO,
} from "../../base/algebra/vectors.js";
import { hint, show } from "../../base/checking/values.js";
import { NodriftError } from "../../base/errors.js";
import { type Joint, partName } from "../../model/handles.js";
import type { HeldCoordinate, HeldCoordinates } from "../../model/held-coordinates.js";
import { GROUND, type JointData, type ModelData, type Vector } from "../../model/model-data.js";
import type { ModelSettings } from "../../model/settings.js";

// Rows that hold the free motion of B in A at a joint: relative translations of B's point and relative rotations.
//
// Each row on markers concerns one of the two: a . b (rotation about a x b), a . d and |d| (translations along a and
// d). So translations and rotations have three directions each; those neither constrained by the joint nor measured
// by a sensor are held along the axes of the markers, in the order in which they add most. Rejected: to hold all six
// directions of a weld. Those that the joint holds too would be redundant, and the share of the lock in a reaction
// would be arbitrary.

/** Minimum length of the new component of a direction for a row along it: of three axes one always has more. */
const MIN_NEW_COMPONENT = 0.1;
const AXES = [0, 1, 2] as const;
/** Rows on two markers that hold a relative translation or rotation. */
const SIMPLE_ROWS: readonly number[] = [
  RowKind.COINCIDE,
  RowKind.DOT1,
  RowKind.DOT2,
  RowKind.DISTANCE,
];

/**
 * Returns the coordinates to hold, by coordinate name. At joints that couple others, or roll, only the measured
 * coordinate.
 */
function freeCoordinates(
  data: ModelData,
  { markers, blocks, sensors }: JointData,
  q: ArrayLike<number>,
  measure: (sensor: number) => number,
): (HeldCoordinate & { readonly coordinate: string })[] {
  const rows = blocks.flatMap((block) => block.rows);
  if (markers === undefined) return [];
  // The displacement of a thread follows its angle.
  if (!rows.every(({ kind }) => SIMPLE_ROWS.includes(kind))) {
    return Object.entries(sensors)
      .slice(0, 1)
      .map(([coordinate, sensor]) => ({ coordinate, name: "", sensor, value: measure(sensor) }));
  }
  const [a, b] = markers.map((marker) => frameOf(data, marker, q)) as [MarkerPose, MarkerPose];
  const between = subtract(b.point, a.point);
  const along = norm(between) > 0 ? unit(between) : ZERO;
  const translations = new Span();
  const rotations = new Span();
  for (const { kind, axisA, axisB } of rows) {
    if (kind === RowKind.COINCIDE) for (const i of AXES) translations.add(column(a.axes, i));
    else if (kind === RowKind.DOT1)
      rotations.add(cross(column(a.axes, axisA), column(b.axes, axisB)));
    else translations.add(kind === RowKind.DOT2 ? column(a.axes, axisA) : along);
  }
  const found = Object.entries(sensors).flatMap(([coordinate, sensor]) => {
    const { kind } = data.sensors[sensor]!;
    const isNew =
      kind === SensorKind.ANGLE
        ? rotations.add(column(a.axes, 2))
        : translations.add(kind === SensorKind.LENGTH ? along : column(a.axes, 2));
    return isNew ? [{ coordinate, name: "", sensor, value: measure(sensor) }] : [];
  });
  const heldTranslations = translations.missing(a.axes).map((axis) => ({
    coordinate: `displacement ${"xyz"[axis]}`,
    name: "",
    markers,
    axis,
    value: dot(column(a.axes, axis), between),
  }));
  const heldRotations = rotations.missing(b.axes).map((axis) => ({
    coordinate: `turn ${"xyz"[axis]}`,
    name: "",
    markers,
    axis,
    axes: transposeMultiply(a.rotation, b.axes),
  }));
  return [...found, ...heldTranslations, ...heldRotations];
}

interface MarkerPose {
  readonly point: Vector;
  readonly rotation: Matrix;
  readonly axes: Matrix;
}

/** Returns the frame of a marker in the world. */
function frameOf({ markers, bodies }: ModelData, marker: number, q: ArrayLike<number>): MarkerPose {
  const { body, point, axes } = markers[marker]!;
  if (body === GROUND) return { point, rotation: IDENTITY, axes };
  const [x = 0, y = 0, z = 0, ...turn] = Array.from({ length: 7 }, (_, i) => q[7 * body + i]!);
  const rotation = rotationOf(normalised(turn));
  const arm = times(rotation, subtract(point, bodies[body]!.centre));
  return { point: add([x, y, z], arm), rotation, axes: multiply(rotation, axes) };
}

/** Span of the held directions. */
class Span {
  readonly #basis: Vector[] = [];

  /** Adds a direction; returns whether it was independent. */
  add(direction: Vector): boolean {
    const rest = this.#rest(direction);
    if (norm(rest) < MIN_NEW_COMPONENT) return false;
    this.#basis.push(unit(rest));
    return true;
  }

  /** Returns the axes that complete the span, chosen in the order in which they add most. */
  missing(axes: Matrix): (0 | 1 | 2)[] {
    const added: (0 | 1 | 2)[] = [];
    while (this.#basis.length < 3) {
      const left = AXES.map((axis) => norm(this.#rest(column(axes, axis))));
      const most = left.indexOf(Math.max(...left)) as 0 | 1 | 2;
      added.push(most);
      this.add(column(axes, most));
    }
    return added.sort();
  }

  #rest(direction: Vector): Vector {
    return this.#basis.reduce((rest, e) => subtract(rest, scale(dot(rest, e), e)), direction);
  }
}

/** The state in which coordinates are held: sensor values and body coordinates. */
export interface HeldState {
  readonly q: ArrayLike<number>;
  readonly unwrappedAngles: ArrayLike<number>;
  /** Value of a sensor. */
  measure(sensor: number): number;
}

/** Name of the lock of a joint. */
export function lockName(joint: string): string {
  return `lock of ${joint}`;
}

/**
 * Returns the locks of a joint's coordinates: the first has the plain name, in the others the coordinate follows it.
 */
function locksOf(
  { joints }: ModelData,
  joint: string,
  rows: readonly HeldCoordinate[],
): readonly HeldCoordinate[] {
  const others = joints.filter(({ name }) => name !== joint).map(({ name }) => lockName(name));
  return rows.filter(
    ({ name }) =>
      name === lockName(joint) ||
      (name.startsWith(`${lockName(joint)} (`) && !others.includes(name)),
  );
}

/** Returns the settings with other held coordinates, stored with the state in which they are held. */
export function withLocks(
  settings: ModelSettings,
  rows: readonly HeldCoordinate[],
  state: Pick<HeldState, "q" | "unwrappedAngles">,
): ModelSettings {
  const { held: _, ...rest } = settings;
  if (rows.length === 0) return rest;
  const at = { q: Array.from(state.q), unwrappedAngles: Array.from(state.unwrappedAngles) };
  return { ...rest, held: { rows, at } satisfies HeldCoordinates };
}

/** Returns the settings with every coordinate of a joint held at its present value. */
export function withLocked(
  data: ModelData,
  settings: ModelSettings,
  given: string | Joint,
  state: HeldState,
): ModelSettings {
  const joint = lockableJoint("lock", data, given);
  const { name, type } = joint;
  const before = settings.held?.rows ?? [];
  if (locksOf(data, name, before).length > 0) {
    throw new NodriftError("STEP", `lock: joint "${name}" is already locked`);
  }
  const free = freeCoordinates(data, joint, state.q, (sensor) => state.measure(sensor));
  if (free.length === 0) {
    const why =
      type === "fixed" ? "leaves nothing free" : "does not join two bodies by rows of its own";
    throw new NodriftError("STEP", `lock: ${type} "${name}" ${why}: there is nothing to hold`);
  }
  const added = free.map(({ coordinate, ...row }, i) => ({
    ...row,
    name: i === 0 ? lockName(name) : `${lockName(name)} (${coordinate})`,
  }));
  const taken = added.find((row) => data.joints.some((joint) => joint.name === row.name));
  if (taken) throw new NodriftError("STEP", `lock: a joint "${taken.name}" already exists`);
  return withLocks(settings, [...before, ...added], state);
}

/** Returns the settings with a joint unlocked. */
export function withUnlocked(
  data: ModelData,
  settings: ModelSettings,
  given: string | Joint,
  state: HeldState,
): ModelSettings {
  const { name } = lockableJoint("unlock", data, given);
  const before = settings.held?.rows ?? [];
  const locks = locksOf(data, name, before);
  const rows = before.filter((row) => !locks.includes(row));
  if (rows.length < before.length) return withLocks(settings, rows, state);
  throw new NodriftError("STEP", `unlock: joint "${name}" is not locked`);
}

/** Returns a joint that can be locked. */
function lockableJoint(where: string, data: ModelData, given: string | Joint) {
  const { joints } = data;
  const name = partName(where, data, given, "joint");
  const joint = joints.find((each) => each.name === name);
  if (joint === undefined) {
    const names = joints.map((each) => each.name);
    throw new NodriftError(
      "DESCRIPTION",
      `${where}: there is no joint ${show(name)}${hint(name, names)}`,
    );
  }
  if (joint.isDrive) {
    throw new NodriftError(
      "STEP",
      `${where}: "${joint.name}" is a ${joint.type}, which already holds its joint: name a joint that moves`,
    );
  }
  return joint;
}

/** Returns the state in which coordinates are held, at zero velocities, which do not matter. */
export function heldStateOf({ at }: HeldCoordinates, velocities: number) {
  const q = Float64Array.from(at.q);
  return {
    q,
    v: new Float64Array(velocities),
    unwrappedAngles: Float64Array.from(at.unwrappedAngles),
  };
}
