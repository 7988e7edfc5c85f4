// Limits of the stops of a mechanism and their events, the names of resting contacts, and events of switching rows.

import { ForceKind, StopData } from "../../../assembly/layout-bodies.js";
import { NodriftError } from "../../base/errors.js";
import type { ForceData, ModelData } from "../../model/model-data.js";

/** One side of a stop. */
export interface Limit {
  readonly stop: string;
  readonly sensor: number;
  /** 1: the upper limit, -1: the lower one. */
  readonly side: 1 | -1;
  readonly value: number;
  readonly isRigid: boolean;
  readonly restitution: number;
}

/** An event of a stop. */
export interface StopEvent {
  readonly kind: "impact" | "release" | "touch";
  readonly limit: Limit;
}

/** The event of a row of equations that switches on or off. */
export interface RowEvent {
  readonly kind: "row";
  readonly row: string;
  /** Whether another condition decides when it ends. */
  readonly isOneSided: boolean;
}

/** Returns all finite limits of the stops of a model. */
export function limitsOf(data: ModelData): readonly Limit[] {
  let found = cache.get(data);
  if (found === undefined) {
    found = data.forces.filter(({ kind }) => kind === ForceKind.STOP).flatMap(sidesOf);
    cache.set(data, found);
  }
  return found;
}

const cache = new WeakMap<ModelData, readonly Limit[]>();

function sidesOf({ name: stop, a: sensor, constants }: ForceData): Limit[] {
  const isRigid = constants[StopData.STIFFNESS] === 0;
  const restitution = constants[StopData.RESTITUTION]!;
  const sides = [
    { side: -1 as const, value: constants[StopData.LOWER]! },
    { side: 1 as const, value: constants[StopData.UPPER]! },
  ];
  return sides
    .filter(({ value }) => Number.isFinite(value))
    .map((each) => ({ stop, sensor, isRigid, restitution, ...each }));
}

/** Returns the same limit in a model with other values; undefined if it has none. */
export function limitIn(data: ModelData, { stop, side }: Pick<Limit, "stop" | "side">) {
  return limitsOf(data).find((each) => each.stop === stop && each.side === side);
}

/** Name of the row that holds a joint at a limit. */
export function restingRowName({ stop, side }: Pick<Limit, "stop" | "side">): string {
  return `rest at ${limitName({ stop, side })}`;
}

/** Name of a limit, and of the impact event there. */
export function limitName({ stop, side }: Pick<Limit, "stop" | "side">): string {
  return `${stop}: ${side > 0 ? "upper" : "lower"}`;
}

/** Throws if a pose is beyond a rigid stop. */
export function refusePenetration(where: string, data: ModelData, values: ArrayLike<number>): void {
  for (const { isRigid, stop, side, sensor, value } of limitsOf(data)) {
    if (!isRigid || side * (values[sensor]! - value) <= 1e-9 * (1 + Math.abs(value))) continue;
    throw new NodriftError(
      "STEP",
      `${where}: the pose found violates the rigid stop "${stop}", which is not modelled here: give the stop a stiffness`,
    );
  }
}
