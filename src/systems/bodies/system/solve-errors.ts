import { Status } from "../../../../assembly/layout.js";
import { BODY_POSITIONS, BODY_VELOCITIES, ForceKind } from "../../../../assembly/layout-bodies.js";
import { MotorData } from "../../../../assembly/layout-motor.js";
import { SimulationError } from "../../../base/errors.js";
import { describeStatus, statusCode, statusIndex } from "../../../base/wasm/status.js";
import { bristlesOf } from "../../../model/forces/bristles.js";
import type { BodyData, ForceData, ModelData } from "../../../model/model-data.js";

/** Data that are searched for the cause of a failed solve. */
export interface BodyErrorContext {
  readonly name: string;
  readonly time: number;
  readonly model: ModelData;
  readonly rowNames: readonly string[];
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly loads: Float64Array;
  readonly phi: Float64Array;
  readonly gamma: Float64Array;
}

/** Above this magnitude, products of coordinates overflow. */
export const MAX_COORDINATE = 1e50;

/** Returns the error for a failed solve of a mechanism: names the body, the joint, the time, and a remedy. */
export function bodySolveError(
  suspects: BodyErrorContext,
  status: number,
  advice: string,
): SimulationError {
  const { name, time } = suspects;
  const badState =
    badBody(suspects, "position", suspects.q, BODY_POSITIONS) ??
    badBody(suspects, "velocity", suspects.v, BODY_VELOCITIES);
  if (badState !== undefined) {
    return new SimulationError(
      "STEP",
      time,
      `${name}: the ${badState} at t = ${time}: the motion diverged. Try a shorter step${stiffAdvice(suspects.model)}`,
    );
  }
  const load = badBody(suspects, "force", suspects.loads, BODY_VELOCITIES);
  if (load !== undefined) {
    return new SimulationError("EVALUATION", time, `${name}: the ${load} at t = ${time}`);
  }
  for (const values of [suspects.phi, suspects.gamma]) {
    const row = values.findIndex((value) => !Number.isFinite(value));
    if (row < 0) continue;
    return new SimulationError(
      "EVALUATION",
      time,
      `${name}: the constraint "${suspects.rowNames[row]}" gave ${values[row]} at t = ${time}: ` +
        "check that its drive and geometry are defined there",
    );
  }
  return new SimulationError(codeOf(status), time, reason(suspects, status, advice));
}

/** Returns further advice if motors have gains or friction has bristles, which are the usual cause. */
export function stiffAdvice({ forces, states }: ModelData): string {
  const rubbing = forces.find(({ name }) => states.some((own) => own.name === bristlesOf(name)));
  const gain = ({ constants }: ForceData) =>
    Math.max(constants[MotorData.STIFFNESS]!, constants[MotorData.DAMPING]!);
  const motors = forces.filter((force) => force.kind === ForceKind.MOTOR && gain(force) > 0);
  const reasons = rubbing ? [`the bristles of friction "${rubbing.name}"`] : [];
  if (motors.length > 0) {
    const { name } = motors.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    reasons.push(`the gains of motor "${name}"`);
  }
  if (reasons.length === 0) return "";
  return ` (${reasons.join(" or ")} ask for one), a method for stiff motion like stateSpace() with ros3(), or solve`;
}

function badBody(
  { model }: BodyErrorContext,
  what: string,
  values: Float64Array,
  size: number,
): string | undefined {
  const index = values.findIndex((value) => !(Math.abs(value) < MAX_COORDINATE));
  if (index < 0) return undefined;
  const body = model.bodies[Math.floor(index / size)];
  return `${what} of "${body?.name}" is ${values[index]}`;
}

function codeOf(status: number): "MASS" | "SINGULAR" | "STEP" {
  if (statusCode(status) === Status.NOT_POSITIVE) return "MASS";
  return statusCode(status) <= Status.DEFICIENT || statusCode(status) === Status.SINGULAR
    ? "SINGULAR"
    : "STEP";
}

function reason(suspects: BodyErrorContext, status: number, advice: string): string {
  const { name, time, rowNames } = suspects;
  const code = statusCode(status);
  if (code === Status.DEFICIENT || code === Status.SINGULAR) {
    const row = rowNames[statusIndex(status)];
    const which = row === undefined ? "" : ` ("${row}" repeats others)`;
    return `${name}: the constraints depend on each other at t = ${time}${which}: ${advice}`;
  }
  if (code === Status.NOT_POSITIVE)
    return `${name}: ${lostInMasses(suspects, status)} at t = ${time}`;
  return `${name}: the solve ${describeStatus(status)} at t = ${time}`;
}

/** Masses, or masses and moments, that differ by a smaller factor do not cancel each other's digits. */
const SAFE_MASS_RATIO = 1e6;

/**
 * J M^-1 J^T is positive but for rounding, relative to its largest entries: those of the lightest body. The other
 * entries are lost in that rounding if masses, or inertias, differ by twelve powers of ten or more. If they do not,
 * more rows depend on each other than at other poses.
 */
function lostInMasses({ model: { bodies }, rowNames }: BodyErrorContext, status: number): string {
  const ease = (body: BodyData) => Math.max(1 / body.mass, 1 / leastMoment(body));
  const lightest = bodies.reduce((one, other) => (ease(other) > ease(one) ? other : one));
  const heaviest = bodies.reduce((one, other) => (other.mass > one.mass ? other : one));
  const lost = `the reaction in "${rowNames[statusIndex(status)]}" is lost to rounding`;
  if (heaviest.mass * ease(lightest) < SAFE_MASS_RATIO) {
    return `${lost}: more constraints depend on each other in this pose than elsewhere. Start away from it, or give the joints of the loop a velocity`;
  }
  return (
    `${lost}: masses in this loop range from "${lightest.name}" ` +
    `(${lightest.mass} kg, moment ${leastMoment(lightest)} kg m^2) to "${heaviest.name}" (${heaviest.mass} kg). ` +
    "Make them more alike, or replace a light link by a distance joint"
  );
}

function leastMoment({ inertia: [x = 0, , , , y = 0, , , , z = 0] }: BodyData): number {
  return Math.min(x, y, z);
}
