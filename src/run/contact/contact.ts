// Limits of the stops of a mechanism and their events, the names of resting contacts, and events of switching rows.

import { BODY_VELOCITIES, ForceKind, Sensor, StopData } from "../../../assembly/layout-bodies.js";
import { NodriftError, SimulationError } from "../../base/errors.js";
import { type ForceData, GROUND, type ModelData } from "../../model/model-data.js";
import type { ImpactContact } from "./impulses.js";

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

// Thresholds of contacts at limits, and errors for states beyond a limit.

/** Penetration up to which a state counts as at the limit. */
export const PENETRATION_TOLERANCE = 1e-9;
/** Gap up to which a state counts as at the limit, and height of negligible bounces, in units of the coordinate. */
export const CONTACT_GAP = 2e-11;
/**
 * Rates after an impact that count as zero: relative to the rate before it, or to 1 m/s or rad/s if that is larger,
 * for resting contacts, for contacts that were not closing, and under fixed steps.
 */
export const ZERO_CONTACT_RATE = 1e-12;

/** Whether two limits are the same, in models whose values may differ. */
export function isSame(one: Limit, other: Limit): boolean {
  return one.stop === other.stop && one.side === other.side;
}

/** Error for a state beyond a rigid limit. */
export function penetrationError(limit: Limit, beyond: number, t: number): SimulationError {
  return new SimulationError(
    "ASSEMBLY",
    t,
    `stop "${limit.stop}": at t = ${t} the joint is ${beyond.toPrecision(3)} beyond its ` +
      `${limit.side > 0 ? "upper" : "lower"} limit ${limit.value}; rigid stops allow no penetration: start or set it inside`,
  );
}

/** Error for a limit hit more than `most` times in a step. */
export function tooManyImpactsError(limit: Limit, most: number, t: number): SimulationError {
  return new SimulationError(
    "STEP",
    t,
    `stop "${limit.stop}": at t = ${t} its ${limit.side > 0 ? "upper" : "lower"} limit was hit more than ${most} times in a step: ` +
      "take shorter steps, or give the stop a stiffness or less restitution",
  );
}

/** Returns the impact contact of a limit: the covector of its closing motion, and its rate. */
export function limitContact(
  { sensors, markers }: Pick<ModelData, "sensors" | "markers">,
  { sensor, side }: Limit,
  restitution: number,
): ImpactContact {
  const { a, b } = sensors[sensor]!;
  const ends = [
    { body: markers[a]!.body, from: Sensor.LENGTH * sensor + Sensor.JACOBIAN_A },
    { body: markers[b]!.body, from: Sensor.LENGTH * sensor + Sensor.JACOBIAN_B },
  ].filter(({ body }) => body !== GROUND);
  return {
    restitution,
    closing(bodies, out) {
      const records = bodies.sensors(true);
      out.fill(0);
      for (const { body, from } of ends) {
        for (let i = 0; i < BODY_VELOCITIES; i++) {
          const slot = BODY_VELOCITIES * body + i;
          out[slot] = out[slot]! + side * records[from + i]!;
        }
      }
      return side * records[Sensor.LENGTH * sensor + Sensor.RATE]!;
    },
  };
}
