// When a contact is closed, and what is wrong with a state beyond a limit.

import { SimulationError } from "../../ground/errors.js";
import type { Limit } from "./limits.js";

/** How far beyond a limit a state may be and be at it. */
export const AT = 1e-9;
/** How far before a limit a state is at it: heights of bounces that are nothing, in units. */
export const LEAST = 2e-11;
/**
 * Rates after an impact that count as zero: as a part of the rate before it, or of 1 m/s or rad/s, if that is larger, for contacts that rested, that
 * were not closing, and in steps of one length.
 */
export const STILL = 1e-12;

/** Whether two limits are the same, in models whose numbers may differ. */
export function isSame(one: Limit, other: Limit): boolean {
  return one.stop === other.stop && one.side === other.side;
}

export function beyondLimit(limit: Limit, beyond: number, t: number): SimulationError {
  return new SimulationError(
    "ASSEMBLY",
    t,
    `stop "${limit.stop}": at t = ${t} its joint is ${beyond.toPrecision(3)} beyond the ` +
      `${limit.side > 0 ? "upper" : "lower"} limit of ${limit.value}, and a rigid stop has no depth: start or set it inside`,
  );
}

/** A limit has been met more than `most` times in a step. */
export function metTooOften(limit: Limit, most: number, t: number): SimulationError {
  return new SimulationError(
    "STEP",
    t,
    `stop "${limit.stop}": at t = ${t} its ${limit.side > 0 ? "upper" : "lower"} limit has been met more than ${most} times in a step: ` +
      "take shorter steps, or give the stop a stiffness or less restitution",
  );
}
