// Thresholds of contacts at limits, and errors for states beyond a limit.

import { SimulationError } from "../../base/errors.js";
import type { Limit } from "./joint-limits.js";

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
