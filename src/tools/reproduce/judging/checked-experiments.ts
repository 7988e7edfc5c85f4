// The experiments as they are exported: with their arguments checked. Tables and figures of this room call them as they are.

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
} from "../../../ground/checking/index.js";
import * as experiments from "../experiments/index.js";

/** An object of this package with some parts. */
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
/** Longer references would not fit into memory. */
const span = number("a number of seconds up to 1e5", (seconds) => seconds > 0 && seconds <= 1e5);

const check = <F extends (...given: never[]) => unknown>(
  name: string,
  call: F,
  rules: Readonly<Record<string, Rule>> = {},
): F => checkedFunction(name, "DESCRIPTION", rules, call);

const e = experiments;
export const braunMethod = check("braunMethod", e.braunMethod, { options, drift: options });
export const fourBarsOf = check("fourBarsOf", e.fourBarsOf, { gravity: value });
export const bipedError = check("bipedError", e.bipedError, {
  system,
  span: length,
  from: positive,
});
export const constraintOrder = check("constraintOrder", e.constraintOrder, {
  short: length,
  long: length,
});
export const errorAfterTwoSteps = check("errorAfterTwoSteps", e.errorAfterTwoSteps);
export const cpuSeconds = check("cpuSeconds", e.cpuSeconds, { run: needed(callback()) });
export const pendulumReference = check("pendulumReference", e.pendulumReference, {
  seconds: needed(span),
});
export const pendulumMaxima = check("pendulumMaxima", e.pendulumMaxima, {
  case: made("a case", "mechanism", "stabilisation"),
  seconds: length,
  reference: list,
});
export const sleighMaxima = check("sleighMaxima", e.sleighMaxima, {
  stabilisation: needed(rule("a list of stabilisations", Array.isArray)),
});
export const simulated = check("simulated", e.simulated, {
  system,
  formulation,
  step: length,
  stabilisation: rule(
    "a stabilisation, or a list",
    (one) => typeof one === "object" && one !== null,
  ),
});
export const drift = check("drift", e.drift, { simulation, until: value });
export const survives = check("survives", e.survives, { system, formulation, step: length });
export const formulationOrder = check("formulationOrder", e.formulationOrder, {
  system,
  formulation,
  step: length,
  until: length,
});
export const distanceFromSaddle = check("distanceFromSaddle", e.distanceFromSaddle, {
  system,
  formulation,
  states: needed(whole(1)),
});
export const settledHmmwv = check("settledHmmwv", e.settledHmmwv);
export const dominantEigenvalue = check("dominantEigenvalue", e.dominantEigenvalue, {
  source: compiled,
  state: made("a state", "q", "v"),
});
export const hmmwvHeightsAt = check("hmmwvHeightsAt", e.hmmwvHeightsAt, {
  source: compiled,
  asked: list,
});
export const hmmwvStepsAt = check("hmmwvStepsAt", e.hmmwvStepsAt, {
  source: compiled,
  tolerance: length,
});
export const jacobianErrors = check("jacobianErrors", e.jacobianErrors);
export const spectralRadii = check("spectralRadii", e.spectralRadii);
export const longestStableStep = check("longestStableStep", e.longestStableStep, { coupled });
export const baumgarteHeun = check("baumgarteHeun", e.baumgarteHeun, {
  damping: needed(notNegative),
});
export const inStateSpace = check("inStateSpace", e.inStateSpace, {
  integrator: made("an integrator", "bind", "isMultistep"),
  independent: rule("a list of names", isList),
});
export const measuredOrder = check("measuredOrder", e.measuredOrder, {
  system,
  method,
  step: positive,
});
export const stiffOdes = check("stiffOdes", e.stiffOdes);
export const sdirkSteps = check("sdirkSteps", e.sdirkSteps, {
  source: made("an ode", "system", "names"),
  time: length,
  tolerance: needed(options),
});
export const referenceMotion = check("referenceMotion", e.referenceMotion, {
  acceleration: needed(callback()),
  angle: value,
  rate: value,
  interval: length,
  count: needed(whole(0)),
});
export const exactAngles = check("exactAngles", e.exactAngles, { comparison, span: length });
export const runAgainstReference = check("runAgainstReference", e.runAgainstReference, {
  comparison,
  exact: list,
  method,
  step: length,
});
export const runMinimal = check("runMinimal", e.runMinimal, {
  comparison,
  exact: list,
  step: length,
});
export const orderResidual = check("orderResidual", e.orderResidual, { tableau });
export const stabilityAtInfinity = check("stabilityAtInfinity", e.stabilityAtInfinity, { tableau });
export const stabilityOnAxis = check("stabilityOnAxis", e.stabilityOnAxis, { tableau });
export const stiffPendulumSteps = check("stiffPendulumSteps", e.stiffPendulumSteps, {
  tolerance: length,
});
export const stiffPendulumEnd = check("stiffPendulumEnd", e.stiffPendulumEnd);
export const exactStiffPendulum = check("exactStiffPendulum", e.exactStiffPendulum);
export const stiffPendulumErrors = check("stiffPendulumErrors", e.stiffPendulumErrors, {
  tolerance: length,
  exact: solution,
});
export const stiffPendulumEigenvalue = check("stiffPendulumEigenvalue", e.stiffPendulumEigenvalue);
export const powersOfTen = check("powersOfTen", e.powersOfTen, { from: value, to: value });
export const trajectoryError = check("trajectoryError", e.trajectoryError, {
  solution,
  exact: solution,
  reading: needed(callback()),
});
export const measureTable1 = check("measureTable1", e.measureTable1, {
  coupled: { ...coupled, needed: false },
});
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
export const convergedDoublePendulum = check("convergedDoublePendulum", e.convergedDoublePendulum);
export const measureTable2 = check("measureTable2", e.measureTable2, { method });
export const crankError = check("crankError", e.crankError, { method });
