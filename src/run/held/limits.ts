// Stops of a mechanism: what `solve` looks for, and whether something rests at one. Likewise rows that switch.

import { ForceKind, StopData } from "../../../assembly/layout-bodies.js";
import type { ForceData, ModelData } from "../../describe/model/model-data.js";
import { NodriftError } from "../../ground/errors.js";

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

/** What an event of a stop is about. */
export interface StopEvent {
  readonly kind: "impact" | "release" | "touch";
  readonly limit: Limit;
}

/** The event of a row of equations that switches on or off. */
export interface RowEvent {
  readonly kind: "row";
  readonly row: string;
  /** Another condition says when it ends. */
  readonly isOneSided: boolean;
}

/** All finite limits of the stops of a model. */
export function limitsOf(data: ModelData): readonly Limit[] {
  let found = known.get(data);
  if (found === undefined) {
    found = data.forces.filter(({ kind }) => kind === ForceKind.STOP).flatMap(sidesOf);
    known.set(data, found);
  }
  return found;
}

const known = new WeakMap<ModelData, readonly Limit[]>();

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

/** The same limit in a model with other numbers; undefined where it has none. */
export function limitIn(data: ModelData, { stop, side }: Pick<Limit, "stop" | "side">) {
  return limitsOf(data).find((each) => each.stop === stop && each.side === side);
}

/** The name of what keeps a joint at a limit. */
export function restName({ stop, side }: Pick<Limit, "stop" | "side">): string {
  return `rest at ${limitName({ stop, side })}`;
}

/** The name of a limit, and of the event that it is met. */
export function limitName({ stop, side }: Pick<Limit, "stop" | "side">): string {
  return `${stop}: ${side > 0 ? "upper" : "lower"}`;
}

/** Throws where a pose is beyond a rigid stop. */
export function refuseBeyond(where: string, data: ModelData, values: ArrayLike<number>): void {
  for (const { isRigid, stop, side, sensor, value } of limitsOf(data)) {
    if (!isRigid || side * (values[sensor]! - value) <= 1e-9 * (1 + Math.abs(value))) continue;
    throw new NodriftError(
      "STEP",
      `${where}: the pose that was found is beyond the rigid stop "${stop}", which it does not know: give the stop a stiffness`,
    );
  }
}
