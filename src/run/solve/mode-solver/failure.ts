import { NodriftError, SimulationError } from "../../../base/errors.js";
import type { State } from "../../../interfaces/index.js";
import type { ModeSolver } from "./mode-solver.js";
import type { Statistics } from "./statistics.js";

/** How a run ended. */
export type RunStatus =
  /** Not over yet, in a run that is stepped by the user. */
  | "running"
  /** Reached the end of the span. */
  | "finished"
  /** Ended by a terminal event, or by an action that stopped the run. */
  | "event"
  /** Aborted by the signal. */
  | "aborted"
  /** Reached the limit on steps, or on real time. */
  | "maximumSteps"
  | "maximumSeconds"
  /** The step that would meet the tolerance is too small to advance the time, or steps shrink without end. */
  | "stepUnderflow"
  /** Events accumulated (Zeno behaviour). */
  | "eventStorm"
  /** A function, an action or a solve failed. */
  | "failed";

/** Returns the message of a thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A user callback threw. */
export class CallbackError extends Error {
  constructor(what: "each" | "progress", time: number, cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(`${what} threw at t = ${time}: ${message}`, { cause });
  }
}

/** Note for methods without dense output of their own. */
export const NO_DENSE_OUTPUT_NOTE =
  "this method has no dense output: states in between are cubic interpolants without error control. For accurate " +
  "states request them with output: { times } or { rate }, or limit maximumStep";

/** Clause for a run that a limit ended before its initial state was projected. */
export function beforeProjectionClause(t: number): string {
  return ` before the initial state was projected at t = ${t}; it is returned as given`;
}

/** Whether the error is a singular pose, which stops implicit methods. */
export function isSingularPoseError(error: unknown): boolean {
  return error instanceof SimulationError && error.code === "SINGULAR";
}

/** Error for a run without a step length whose method does not estimate its error. */
export function missingErrorEstimate(method: string): NodriftError {
  return new NodriftError(
    "STEP",
    `solve: ${method} does not estimate its error: give a step, or an integrator that does, like dop853()`,
  );
}

/** Error for an initial state that could not be projected at the start time of the run. */
export function assemblyError(error: unknown, assembledAt: number, time: number): unknown {
  if (!(error instanceof NodriftError) || assembledAt === time) return error;
  return new NodriftError(
    error.code,
    `solve: the initial state of the mechanism is for t = ${assembledAt}; use compile(model, { time: ${time} }) for a ` +
      `run from there, or give q. Projecting it at t = ${time} failed: ${error.message}`,
    { cause: error },
  );
}

/** Whether a run with this status cannot continue: limits and the end of the span may have changed since. */
export function isOver(status: RunStatus, atEnd: boolean): boolean {
  if (status === "finished") return atEnd;
  return !["running", "aborted", "maximumSteps", "maximumSeconds"].includes(status);
}

/** Note that the motion is stiff but the chosen method is explicit. */
export function stiffNote<T extends State>({ system }: ModeSolver<T>, t: number): string {
  const start = `the system is stiff from about t = ${t}: the step size is limited by stability, not accuracy.`;
  return system.ode
    ? `${start} An implicit integrator, like radau5(), takes longer ones`
    : `${start} Strong springs or dampers do that: stateSpace() with an implicit integrator, like sdirk4(), takes ` +
        "longer ones; solve does so automatically if no method is given";
}

/** Message for a step underflow, with advice. */
export function underflowReason<T extends State>(
  solver: ModeSolver<T>,
  t: number,
  h: number,
  cause: unknown,
): string {
  if (cause !== undefined) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return `at t = ${t} every step failed, however short: ${message}`;
  }
  const start = `at t = ${t} no step longer than ${Math.abs(h).toExponential(1)} meets the tolerance`;
  const { system, trial } = solver;
  const coordinate = trial.worstCoordinate(solver.arena);
  const values = solver.phi(t);
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

/** Message for a run that was ended because its steps shrink towards a finite time. */
export function escapeReason<T extends State>(
  { system }: ModeSolver<T>,
  t: number,
  limit: number,
  steps: number,
): string {
  const start =
    `after ${steps} steps, at t = ${t}, steps shrink without end towards t = ${limit}, which none would pass: ` +
    "each doubling of their number advanced by less than half of the one before. ";
  return system.ode
    ? `${start}The solution has a singularity there`
    : `${start}The motion escapes to infinity there: a force supplies ever more energy. Check laws that grow with positions or ` +
        "velocities, and at the signs of springs and dampers";
}

const RESTING_CONTACT_ADVICE =
  "End the bouncing in the action: switch to a mode where the contact is a constraint, or stop, once the speed is " +
  "small enough. List in `modes` where the contact event is active";

const ROW_SWITCHING_ADVICE =
  "Let its `when` continue to grow after the row has become active, or give { begin, end }: `end` may read the multipliers";

/** An event that occurs too often, of the user or of a switching row. */
interface Repeated {
  readonly name: string;
  readonly own?: { readonly kind: string };
}

/** Message for events that accumulate. */
export function zenoMessage(
  { name, own }: Repeated,
  t: number,
  [from, to]: readonly [number, number],
  { events: count, part }: { readonly events: number; readonly part: number },
): string {
  const within = part * Math.abs(to - from) * count;
  const period = `${count} times within ${within.toExponential(1)} before t = ${t}`;
  if (own?.kind === "row")
    return `row "${name}" switched on and off ${period}. ${ROW_SWITCHING_ADVICE}`;
  return `event "${name}" occurred ${period} (events accumulate): the run cannot pass that time. ${RESTING_CONTACT_ADVICE}`;
}

/** Message for an event that repeats without leaving its zero. */
export function repeatedEventMessage(name: string, t: number): string {
  return (
    `event "${name}" repeats immediately at t = ${t}: its action does not keep the event function away from ` +
    `zero. ${RESTING_CONTACT_ADVICE}`
  );
}

const DIFFERENCES_PREFIX = "differences: ";

/** Number of correct digits for an error, for a note. */
function digitsOf(error: number): number {
  let digits = 0;
  for (let size = 1; size / 10 >= error && digits < 16; size /= 10) digits++;
  return digits;
}

/** Notes derivatives by finite differences that are less accurate than the tolerance. Only the worst is noted. */
export function noteDifferences<T extends State>(
  { system, trial }: ModeSolver<T>,
  t: number,
  notes: string[],
): void {
  const found = system.matrices.accuracy?.worstDifference?.(t);
  const { relative, velocities } = trial.unknowns.weights;
  const asked = Math.max(relative, velocities);
  if (found === undefined || !(found.error > asked)) return;
  const digits = digitsOf(found.error);
  const known = notes.findIndex((note) => note.startsWith(DIFFERENCES_PREFIX));
  if (known >= 0 && Number(/to about (\d+)/.exec(notes[known] as string)?.[1]) <= digits) return;
  if (known >= 0) notes.splice(known, 1);
  notes.push(
    `${DIFFERENCES_PREFIX}derivatives of ${found.name} are computed by finite differences, and at t = ${t} these are accurate to about ${digits} ` +
      `digits, too few for a tolerance of ${asked.toExponential(0)}: give its derivatives (jacobian and gamma), or make ` +
      "it smoother",
  );
}

/** Constraint violation above which a run gets a note. */
const MIN_NOTED_DRIFT = 1e-6;

/** Notes constraint violations at the end of a run without errors. */
export function noteDrift({ maximumDrift }: Statistics, notes: string[]): void {
  if (!(maximumDrift.position > MIN_NOTED_DRIFT)) return;
  notes.push(
    `constraints were violated by up to ${maximumDrift.position.toPrecision(2)} at the ends of steps: use a stabilisation such ` +
      "as projection(), or a smaller tolerance; if both are there, check jacobian and gamma",
  );
}

/** Notes doubts raised by comparisons of user functions, each function once. */
export function noteDoubts(doubts: readonly string[], notes: string[]): void {
  for (const doubt of doubts) {
    const [subject] = doubt.split(IN_DOUBT) as [string];
    if (!notes.some((note) => note.startsWith(subject + IN_DOUBT))) notes.push(doubt);
  }
}

/** Follows the name of a function in a doubt. */
const IN_DOUBT = " is in doubt";
