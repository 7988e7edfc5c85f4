import type { State } from "../contracts.js";
import type { Leg } from "./leg.js";

/** How a run ended. */
export type Status =
  /** At the end of the span. */
  | "finished"
  /** By a terminal event, or an action that stopped it. */
  | "event"
  /** By the signal. */
  | "aborted"
  /** By the limit on steps, or on real time. */
  | "maximumSteps"
  | "maximumSeconds"
  /** The step that would meet the tolerance is too small to be added to the time. */
  | "stepUnderflow"
  /** Events came ever closer together. */
  | "eventStorm"
  /** A function, an action or a solve failed. */
  | "failed";

/** Whether a run that ended so cannot go on: limits may be other ones now, and so may the end of the span. */
export function isOver(status: Status, atEnd: boolean): boolean {
  if (status === "finished") return atEnd;
  return !["aborted", "maximumSteps", "maximumSeconds"].includes(status);
}

/** Why no step was short enough: in words, with what to try. */
export function underflowReason<T extends State>(
  leg: Leg<T>,
  t: number,
  h: number,
  cause: unknown,
): string {
  const start = `at t = ${t} no step longer than ${Math.abs(h).toExponential(1)} meets the tolerance`;
  if (cause instanceof Error) {
    return `${start}: shorter ones end in: ${cause.message}`;
  }
  const { system, motion } = leg;
  const coordinate = motion.worstCoordinate(leg.arena);
  const values = leg.phi(t);
  let worst = -1;
  values.forEach((value, row) => {
    if (worst < 0 || Math.abs(value) > Math.abs(values[worst] as number)) worst = row;
  });
  const constraint =
    worst < 0
      ? ""
      : `; the constraint that is most violated is "${system.rowNames[worst]}" (${(values[worst] as number).toExponential(1)})`;
  return (
    `${start}; the coordinate that changes most abruptly is "${coordinate}"${constraint}. The motion may have a ` +
    "singularity or a jump there (a force or drive that is not continuous: make it an event), or the system is " +
    "stiff (very strong springs or dampers: soften them or use an implicit method), or the tolerance is too small"
  );
}

export function stormReason(name: string, t: number, count: number, within: number): string {
  return (
    `event "${name}" came ${count} times within ${within.toExponential(1)} before t = ${t}, ever more often: the run ` +
    "would never get past that time. Let the action end the motion that comes to rest (for instance switch to a " +
    "mode where the contact is a constraint, or stop), when the speed falls below what matters to you"
  );
}
