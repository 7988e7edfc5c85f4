// One name for systems by formulas and by functions.

import { isRecord, locationOf, readValue } from "../../base/checking/index.js";
import type {
  FormulaDescription,
  FormulaOdeDescription,
} from "../../formulas/symbolic/description.js";
import type { EquationsDescription } from "../equations/description.js";
import { equations as byFunctions, type Equations } from "../equations/equations.js";
import { ode as odeByFunction, type PlainOde } from "../ode/ode.js";
import type { OdeDescription } from "../ode/ode-functions.js";
import {
  type EvaluationOptions,
  type FormulaEquations,
  formulaEquations,
} from "./formula-equations.js";
import { type FormulaOde, formulaOde } from "./formula-ode.js";

/**
 * Equations of motion by formulas: derived exactly, compiled when a run begins. Descriptions by functions are taken as
 * `equations` of `nodrift` takes them.
 *
 * @example
 * const pendulum = equations({
 *   coordinates: ["x", "y"],
 *   parameters: { m: 1, g: 9.81, L: 1 },
 *   lagrangian: "m*(x'^2 + y'^2)/2 - m*g*y",
 *   holonomic: { length: "x^2 + y^2 - L^2" },
 * });
 * const solution = solve(pendulum, { span: [0, 10], q: [1, 0], v: [0, 0] });
 * pendulum.parameters.g = 1.62;
 */
export function equations(
  given: FormulaDescription,
  options?: EvaluationOptions,
  ...more: undefined[]
): FormulaEquations;
export function equations(given: EquationsDescription, ...more: undefined[]): Equations;
export function equations(
  given: FormulaDescription | EquationsDescription,
  options?: EvaluationOptions,
  ...more: undefined[]
): FormulaEquations | Equations {
  if (isFunctionOf("equations", given, "forces")) {
    return byFunctions(
      given as EquationsDescription,
      ...([options, ...more].slice(options ? 0 : 1) as undefined[]),
    );
  }
  return formulaEquations(given as FormulaDescription, options, ...more);
}

/**
 * Differential equations y' = f(t, y) by formulas, with df/dy exactly for implicit methods. Descriptions by functions are
 * taken as `ode` of `nodrift/solve` takes them.
 *
 * @example
 * const vanDerPol = ode({
 *   unknowns: ["y", "z"],
 *   parameters: { mu: 1000 },
 *   rates: { y: "z", z: "mu*(1 - y^2)*z - y" },
 *   start: { y: 2 },
 * });
 * solve(vanDerPol, { span: [0, 2000], integrator: radau5() });
 */
export function ode(
  given: FormulaOdeDescription,
  options?: EvaluationOptions,
  ...more: undefined[]
): FormulaOde;
export function ode(given: OdeDescription, ...more: undefined[]): PlainOde;
export function ode(
  given: FormulaOdeDescription | OdeDescription,
  options?: EvaluationOptions,
  ...more: undefined[]
): FormulaOde | PlainOde {
  if (isFunctionOf("ode", given, "rate")) {
    return odeByFunction(
      given as OdeDescription,
      ...([options, ...more].slice(options ? 0 : 1) as undefined[]),
    );
  }
  return formulaOde(given as FormulaOdeDescription, options, ...more);
}

/** Returns whether a description is one by functions: its required member is a function. */
function isFunctionOf(where: string, given: unknown, key: string): boolean {
  if (!isRecord(given)) return false;
  return typeof readValue(locationOf(where, "DESCRIPTION", key), given, key) === "function";
}
