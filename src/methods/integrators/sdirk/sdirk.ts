import {
  listOf,
  needed,
  oneOf,
  optionsOf,
  positive,
  type Shape,
  text,
  whole,
  word,
} from "../../../ground/checking/index.js";
import type { AdaptiveIntegrator } from "../../../seam/index.js";
import { requireSizes, weights } from "../fixed/tableau.js";
import { sdirk14Tableau } from "./sdirk-1-4.js";
import { sdirk415Tableau } from "./sdirk-4-15.js";
import { SdirkStepper } from "./sdirk-stepper.js";
import type { SdirkTableau } from "./tableau.js";

const TABLEAU: Shape<SdirkTableau> = {
  name: needed(word),
  reference: needed(text),
  order: needed(whole(1)),
  errorOrder: needed(whole(1)),
  gamma: needed(positive),
  alpha: needed(listOf(weights)),
  c: needed(weights),
  embedded: needed(weights),
  guesses: needed(listOf(weights)),
  dense: needed(listOf(weights)),
};

/**
 * A singly diagonally implicit Runge-Kutta method given by its tableau, for stiff systems: its steps are as long as
 * accuracy allows, however strong springs and dampers are. df/dy is that of the formulation where it has
 * formulas for it, else found by differences.
 *
 * @example
 * const method = { formulation: stateSpace(), integrator: sdirk(sdirk14Tableau) };
 */
export function sdirk(given: SdirkTableau, ...more: undefined[]): AdaptiveIntegrator {
  const tableau = optionsOf("sdirk", "METHOD", given, TABLEAU, more);
  const stages = tableau.c.length;
  requireSizes("sdirk", tableau, [
    ["alpha", [stages]],
    ["embedded", [stages - 1]],
    ["dense", [4, stages]],
  ]);
  const { name, reference, order, errorOrder, c } = tableau;
  return {
    name,
    reference,
    order,
    errorOrder,
    stages: c.length,
    // Only first guesses and the Jacobian come from earlier steps: they do not change what is iterated to.
    isMultistep: false,
    isImplicit: true,
    // Its stages have order 1: with index 3 multipliers do not converge (Hairer, Lubich and Roche 1989, theorem 6.1).
    highestIndex: 2,
    bind: (ode, workspace) => new SdirkStepper(tableau, ode, workspace),
  };
}

const TABLEAUS = { "4/15": sdirk415Tableau, "1/4": sdirk14Tableau } as const;

/** Which of the two tableaus of Hairer and Wanner. */
export interface Sdirk4Options {
  /** The diagonal of its tableau. Default: "4/15", the more accurate one. */
  readonly gamma?: "4/15" | "1/4";
}

const made: Partial<Record<keyof typeof TABLEAUS, AdaptiveIntegrator>> = {};

const SHAPE: Shape<Sdirk4Options> = { gamma: oneOf("4/15", "1/4") };

/**
 * An L-stable method of order 4 with five implicit stages: for stiff systems, and tolerances of 1e-2 to 1e-6. The one
 * that takes over at tolerances of 1e-3 and more where the motion is stiff and no method was asked for. Errors are measured by their root mean
 * square, as in the code SDIRK4 of Hairer and Wanner.
 *
 * @example
 * solve(suspension, { span: [0, 10], integrator: sdirk4(), tolerance: 1e-4 });
 * const method = { formulation: stateSpace(), integrator: sdirk4({ gamma: "1/4" }) };
 */
export function sdirk4(options: Sdirk4Options = {}, ...more: undefined[]): AdaptiveIntegrator {
  const { gamma = "4/15" } = optionsOf("sdirk4", "METHOD", options, SHAPE, more);
  // One object for all calls: `solve` finds the memory of an earlier run by it.
  made[gamma] ??= Object.freeze(sdirk(TABLEAUS[gamma]));
  return made[gamma];
}
