// The exported experiments, with their arguments checked. Tables and figures of this folder call the unchecked ones.

import {
  callback,
  checkedFunction,
  finite,
  isList,
  isRecord,
  needed,
  notNegative,
  number,
  positive,
  type Rule,
  rule,
  whole,
} from "../../../src/base/checking/index.js";
import * as experiments from "../experiments/index.js";

/** Rule for an object of this package that has certain properties. */
function made(wants: string, ...parts: readonly string[]): Rule {
  return needed(
    rule(wants, (value) => {
      const isObject = typeof value === "object" && value !== null;
      return (
        isObject && parts.every((part) => (value as Record<string, unknown>)[part] !== undefined)
      );
    }),
  );
}

const list = needed(rule("a list of numbers", isList));
const options = rule("an object", isRecord);
const method = needed(
  rule("a method", (value) => isRecord(value) && ("coupled" in value || "formulation" in value)),
);
const formulation = made("a formulation", "bind", "changesUnknowns");
const coupled = made("a coupled method", "bind", "survivesRedundantRows");
const system = made("a mechanism with its start", "equations", "q");
const compiled = made("a compiled model", "bodySystem", "without");
const comparison = made("a comparison", "acceleration", "start");
const tableau = made("a tableau", "gamma", "alpha", "c");
const solution = made("a solution", "status", "statistics", "end");
const simulation = made("a simulation", "advance", "runTo");
const length = needed(positive);
const value = needed(finite);
/** Simulated time, limited as longer references would not fit into memory. */
const span = number("a number of seconds up to 1e5", (seconds) => seconds > 0 && seconds <= 1e5);

const check = <F extends (...given: never[]) => unknown>(
  name: string,
  call: F,
  rules: Readonly<Record<string, Rule>> = {},
): F => checkedFunction(name, "DESCRIPTION", rules, call);

const e = experiments;
/** Braun and Goldfarb's method. */
export const braunMethod = check("braunMethod", e.braunMethod, { options, drift: options });
/** The two four-bars under a gravity, compared by x3. */
export const fourBarsOf = check("fourBarsOf", e.fourBarsOf, { gravity: value });
/** Largest |Phi'| of a biped from a time on at which the rounding of its initial state has decayed. */
export const bipedError = check("bipedError", e.bipedError, {
  system,
  span: length,
  from: positive,
});
/** Largest constraint errors of a run from an initial state as given. */
export const constraintErrors = check("constraintErrors", e.constraintErrors, {
  system,
  run: needed(options),
});
/**
 * The fraction of CPU time spent on correction: 1 - (without it) / (with it), from the minima of seven rounds each.
 */
export const correctionShare = check("correctionShare", e.correctionShare, { system });
/**
 * Steps by the null space of a random matrix, for four ways to find its basis: the least of seven rounds each.
 */
export const basisCosts = check("basisCosts", e.basisCosts, {
  rows: needed(whole(1)),
  columns: needed(whole(1)),
});
/** Exponent of the constraint error in the step: of |Phi| and of |Phi'|, pendulum over 10 s. */
export const constraintOrder = check("constraintOrder", e.constraintOrder, {
  short: length,
  long: length,
});
/** Constraint error two steps after a pendulum starts off its constraint. */
export const errorAfterTwoSteps = check("errorAfterTwoSteps", e.errorAfterTwoSteps);
/**
 * CPU time of a call in seconds, of this process alone, so that other load on the machine counts as little as possible.
 */
export const cpuSeconds = check("cpuSeconds", e.cpuSeconds, { run: needed(callback()) });
/** The angle at every step, by RK-4 with steps so small that only rounding errors remain. */
export const pendulumReference = check("pendulumReference", e.pendulumReference, {
  seconds: needed(span),
});
/** Runs a case and returns its maxima over all steps. */
export const pendulumMaxima = check("pendulumMaxima", e.pendulumMaxima, {
  case: made("a case", "mechanism", "stabilisation"),
  seconds: length,
  reference: list,
});
/** Largest constraint error, energy error and coupling of the sleigh over 20 seconds. */
export const sleighMaxima = check("sleighMaxima", e.sleighMaxima, {
  stabilisation: needed(rule("a list of stabilisations", Array.isArray)),
});
/** A simulation by RK4. */
export const simulated = check("simulated", e.simulated, {
  system,
  formulation,
  step: length,
  stabilisation: rule(
    "a stabilisation, or a list",
    (one) => typeof one === "object" && one !== null,
  ),
});
/** Largest constraint errors of a run. */
export const drift = check("drift", e.drift, { simulation, until: value });
/** Whether a run lasts for 10 s and stays near the constraints. */
export const survives = check("survives", e.survives, { system, formulation, step: length });
/** Order of convergence from steps h and h / 4, against a run with a far shorter step. */
export const formulationOrder = check("formulationOrder", e.formulationOrder, {
  system,
  formulation,
  step: length,
  until: length,
});
/** Largest relative distance of accelerations from those of the saddle point system, at random states. */
export const distanceFromSaddle = check("distanceFromSaddle", e.distanceFromSaddle, {
  system,
  formulation,
  states: needed(whole(1)),
});
/** The HMMWV at rest on a level road. */
export const settledHmmwv = check("settledHmmwv", e.settledHmmwv);
/** The dominant eigenvalue of the motion in independent coordinates at a state, as implicit methods have df/dy. */
export const dominantEigenvalue = check("dominantEigenvalue", e.dominantEigenvalue, {
  source: compiled,
  state: made("a state", "q", "v"),
});
/** Heights of the chassis in the first 2 s, at a tolerance of 1e-5. */
export const hmmwvHeightsAt = check("hmmwvHeightsAt", e.hmmwvHeightsAt, {
  source: compiled,
  asked: list,
});
/** Accepted steps for 5 s over the bump at a tolerance; NaN if a run fails. */
export const hmmwvStepsAt = check("hmmwvStepsAt", e.hmmwvStepsAt, {
  source: compiled,
  tolerance: length,
});
/** J1 and J2 of the stiff double pendulum and of the HMMWV at random states: analytic against finite differences. */
export const jacobianErrors = check("jacobianErrors", e.jacobianErrors);
/** Errors of J1 and J2 for any mechanism, at states near its start. */
export const jacobianErrorsOf = check("jacobianErrorsOf", e.jacobianErrorsOf, { source: compiled });
/** Spectral radii over steps from 1e-4 to 10 s. */
export const spectralRadii = check("spectralRadii", e.spectralRadii);
/** The longest step with which the hanging double pendulum stays where it is. */
export const longestStableStep = check("longestStableStep", e.longestStableStep, { coupled });
/** The method Welch et al. compare theirs with: Heun, with Baumgarte's alpha = damping / h and beta = 1 / h. */
export const baumgarteHeun = check("baumgarteHeun", e.baumgarteHeun, {
  damping: needed(notNegative),
});
/** An integrator on independent coordinates, given or chosen automatically. */
export const inStateSpace = check("inStateSpace", e.inStateSpace, {
  integrator: made("an integrator", "bind", "isMultistep"),
  independent: rule("a list of names", isList),
});
/** Order of the errors of positions and velocities at t = 2 as the step is halved. */
export const measuredOrder = check("measuredOrder", e.measuredOrder, {
  system,
  method,
  step: positive,
});
/** Van der Pol's oscillator and Robertson's reaction. */
export const stiffOdes = check("stiffOdes", e.stiffOdes);
/** Accepted steps of SDIRK 4/15; NaN if it fails. */
export const sdirkSteps = check("sdirkSteps", e.sdirkSteps, {
  source: made("an ode", "system", "names"),
  time: length,
  tolerance: needed(options),
});
/** The angle at 0, interval, 2 interval, ... (count + 1 values). */
export const referenceMotion = check("referenceMotion", e.referenceMotion, {
  acceleration: needed(callback()),
  angle: value,
  rate: value,
  interval: length,
  count: needed(whole(0)),
});
/** The angles of the exact motion, every 0.01 s. */
export const exactAngles = check("exactAngles", e.exactAngles, { comparison, span: length });
/** The reference angles of the paper, every 0.01 s: ode45 at 1e-12, which has errors of its own. */
export const ode45Angles = check("ode45Angles", e.ode45Angles, { comparison, span: length });
/** Runs a mechanism as given and compares it with the exact motion. */
export const runAgainstReference = check("runAgainstReference", e.runAgainstReference, {
  comparison,
  exact: list,
  method,
  step: length,
  from: notNegative,
});
/** The largest error of the minimal equation by the same integrator, free of constraint errors. */
export const runMinimal = check("runMinimal", e.runMinimal, {
  comparison,
  exact: list,
  step: length,
});
/**
 * Largest residual of the eight conditions of order 4 (Hairer, Nørsett and Wanner, Solving ODEs I, table II.2.1), with
 * the last row of A as the weights.
 */
export const orderResidual = check("orderResidual", e.orderResidual, { tableau });
/** Times of the stages in a step: the sums of the rows of A. */
export const stageTimes = check("stageTimes", e.stageTimes, { tableau });
/** |R| far out on the negative real axis. */
export const stabilityAtInfinity = check("stabilityAtInfinity", e.stabilityAtInfinity, { tableau });
/** Largest |R| on the imaginary axis. */
export const stabilityOnAxis = check("stabilityOnAxis", e.stabilityOnAxis, { tableau });
/** Table III of Negrut et al.: accepted steps at a tolerance. */
export const stiffPendulumSteps = check("stiffPendulumSteps", e.stiffPendulumSteps, {
  tolerance: length,
});
/**
 * Accepted steps if the rods are bodies in space, with Euler parameters: e3 of both is independent.
 */
export const stiffPendulumStepsOfBodies = check(
  "stiffPendulumStepsOfBodies",
  e.stiffPendulumStepsOfBodies,
  { bodies: compiled, tolerance: length },
);
/** theta1 and its rate after 2 s at a tolerance of 1e-8. */
export const stiffPendulumEnd = check("stiffPendulumEnd", e.stiffPendulumEnd);
/** The reference motion: Radau IIA at 1e-12, in the two angles. */
export const exactStiffPendulum = check("exactStiffPendulum", e.exactStiffPendulum, {
  start: options,
});
/** Table II of Negrut et al.: errors of theta1 and its rate at all steps of a run at a tolerance. */
export const stiffPendulumErrors = check("stiffPendulumErrors", e.stiffPendulumErrors, {
  tolerance: length,
  exact: solution,
  start: options,
});
/**
 * The dominant eigenvalue of the motion linearised at the start, by finite differences of the accelerations; all others are
 * far smaller.
 */
export const stiffPendulumEigenvalue = check("stiffPendulumEigenvalue", e.stiffPendulumEigenvalue);
/** 10^from, ..., 10^to: exact, as the decimals are. */
export const powersOfTen = check("powersOfTen", e.powersOfTen, { from: value, to: value });
/** Errors of a solution against another one, at the output times of the first. */
export const trajectoryError = check("trajectoryError", e.trajectoryError, {
  solution,
  exact: solution,
  reading: needed(callback()),
});
/** Table 1, measured. */
export const measureTable1 = check("measureTable1", e.measureTable1, {
  coupled: { ...coupled, needed: false },
});
/** Worst relative deviation and worst deviation of the order, for each class of table 1. */
export const table1Deviations = check("table1Deviations", e.table1Deviations, {
  rows: needed(
    rule(
      "what measureTable1() gave",
      (rows) =>
        Array.isArray(rows) &&
        rows.length < 100 &&
        rows.every((row) => isRecord(row) && "printed" in row),
    ),
  ),
});
/** The double pendulum of table 1 by a method of fourth order. */
export const convergedDoublePendulum = check("convergedDoublePendulum", e.convergedDoublePendulum);
/** Mean |Phi| of the slider-crank for the two steps of table 2: the last step is not counted. */
export const measureTable2 = check("measureTable2", e.measureTable2, { method });
/** Largest error of the crank angle in the 10 s of table 2 with a step of 0.01, which the paper calls converged. */
export const crankError = check("crankError", e.crankError, { method });
