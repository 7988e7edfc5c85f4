import { NodriftError, SimulationError } from "../../../ground/errors.js";
import type { State } from "../../../seam/index.js";
import type { Leg } from "./leg.js";

/** How a run ended. */
export type RunStatus =
  /** Not over: of a run that is taken step by step. */
  | "running"
  /** At the end of the span. */
  | "finished"
  /** By a terminal event, or an action that stopped it. */
  | "event"
  /** By the signal. */
  | "aborted"
  /** By the limit on steps, or on real time. */
  | "maximumSteps"
  | "maximumSeconds"
  /** The step that would meet the tolerance is too small to be added to the time, or steps shrink without end. */
  | "stepUnderflow"
  /** Events accumulated (Zeno behaviour). */
  | "eventStorm"
  /** A function, an action or a solve failed. */
  | "failed";

/** What was thrown, as text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A callback of the user threw. */
export class CallbackError extends Error {
  constructor(what: "each" | "progress", time: number, cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(`${what} threw at t = ${time}: ${message}`, { cause });
  }
}

/** A note on methods without dense output of their own. */
export const CUBICS =
  "this method has no dense output: states in between are cubic interpolants without error control. For accurate " +
  "states request them with output: { times } or { rate }, or limit maximumStep";

/** Where a run was when a limit ended it before its start was found. */
export function beforeStart(t: number): string {
  return ` before the start was brought onto the constraints at t = ${t}: it is shown as it was given`;
}

/** Whether the error is a singular pose, which stops implicit methods. */
export function isSingularPoseError(error: unknown): boolean {
  return error instanceof SimulationError && error.code === "SINGULAR";
}

export function noEstimate(method: string): NodriftError {
  return new NodriftError(
    "STEP",
    `solve: ${method} does not estimate its error: give a step, or an integrator that does, like dop853()`,
  );
}

/** The start of a mechanism could not be brought to the time at which the run begins. */
export function notAssembled(error: unknown, assembledAt: number, time: number): unknown {
  if (!(error instanceof NodriftError) || assembledAt === time) return error;
  return new NodriftError(
    error.code,
    `solve: the start of the mechanism is that of t = ${assembledAt}; use compile(model, { time: ${time} }) for a ` +
      `run from there, or give q. Bringing it to t = ${time} failed: ${error.message}`,
    { cause: error },
  );
}

/** Whether a run that ended so cannot continue: limits and the end of the span may have changed. */
export function isOver(status: RunStatus, atEnd: boolean): boolean {
  if (status === "finished") return atEnd;
  return !["running", "aborted", "maximumSteps", "maximumSeconds"].includes(status);
}

/** The method that was asked for is not one for stiff motion. */
export function stiffNote<T extends State>({ system }: Leg<T>, t: number): string {
  const start = `the system is stiff from about t = ${t}: the step size is limited by stability, not accuracy.`;
  return system.ode
    ? `${start} An implicit integrator, like radau5(), takes longer ones`
    : `${start} Strong springs or dampers do that: stateSpace() with an implicit integrator, like sdirk4(), takes ` +
        "longer ones; solve does so by itself where no method is given";
}

/** Why no step was short enough, as text, with what to try. */
export function underflowReason<T extends State>(
  leg: Leg<T>,
  t: number,
  h: number,
  cause: unknown,
): string {
  if (cause !== undefined) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return `at t = ${t} every step failed, however short: ${message}`;
  }
  const start = `at t = ${t} no step longer than ${Math.abs(h).toExponential(1)} meets the tolerance`;
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
      : `; the constraint that is most violated is "${system.constraints.rowNames[worst]}" (${(values[worst] as number).toExponential(1)})`;
  return (
    `${start}; the ${system.ode ? "unknown" : "coordinate"} with the largest error is "${coordinate}"${constraint}. ` +
    (system.ode
      ? "The solution may have a singularity or a jump there (make jumps of the rate events), or the equation is " +
        "stiff (use an implicit integrator), or the tolerance is too small"
      : "The motion may have a singularity or a jump there (a force or drive that is not continuous: make it an " +
        "event), or the system is stiff (very strong springs or dampers: soften them or use an implicit method), or " +
        "the tolerance is too small")
  );
}

/** Why a run whose steps shrink without end was ended, as text. */
export function escapeReason<T extends State>(
  { system }: Leg<T>,
  t: number,
  limit: number,
  steps: number,
): string {
  const start =
    `after ${steps} steps, at t = ${t}, steps shrink without end towards t = ${limit}, which none would pass: ` +
    "each doubling of their number advanced by less than half of the one before. ";
  return system.ode
    ? `${start}The solution has a singularity there`
    : `${start}The motion runs away there: a force feeds it ever more energy. Look at laws that grow with positions or ` +
        "velocities, and at the signs of springs and dampers";
}

const AT_REST =
  "End the bouncing in the action: switch to a mode where the contact is a constraint, or stop, once the speed is " +
  "small enough. List in `modes` where the contact event is active";

const SWITCHING =
  "Let its `when` go on to grow after the row has begun to act, or give { begin, end }: `end` may read the multipliers";

/** An event that comes too often: of the user, or of a row that switches. */
interface Repeated {
  readonly name: string;
  readonly own?: { readonly kind: string };
}

export function stormReason(
  { name, own }: Repeated,
  t: number,
  [from, to]: readonly [number, number],
  { events: count, part }: { readonly events: number; readonly part: number },
): string {
  const within = part * Math.abs(to - from) * count;
  const period = `${count} times within ${within.toExponential(1)} before t = ${t}`;
  if (own?.kind === "row") return `row "${name}" switched on and off ${period}. ${SWITCHING}`;
  return `event "${name}" occurred ${period} (events accumulate): the run cannot pass that time. ${AT_REST}`;
}

export function stuckReason(name: string, t: number): string {
  return (
    `event "${name}" repeats immediately at t = ${t}: its action does not keep the event function away from ` +
    `zero. ${AT_REST}`
  );
}
