import { number, oneOf, optionsOf, type Shape } from "../../ground/checking/index.js";
import type { CoupledMethod } from "../../seam/index.js";
import { type AlphaCoefficients, chungHulbert } from "./alpha-coefficients.js";
import { AlphaStepper } from "./alpha-stepper.js";

/** Which constraints methods of the alpha family solve for. */
export interface AlphaOptions {
  /**
   * "stabilised": positions and velocities are on the constraints at the ends of steps, as in the form of Gear, Gupta and
   * Leimkuhler. "index3": positions only, half as many multipliers, for steps of one length. Default: "stabilised".
   */
  readonly form?: "stabilised" | "index3";
}

/** Options of {@link generalisedAlpha}. */
export interface GeneralisedAlphaOptions extends AlphaOptions {
  /**
   * Spectral radius for infinitely high frequencies: 0 removes them in a step, values near 1 hardly damp them. Below 1: at
   * 1 the multipliers oscillate for ever. Default: 0.8.
   */
  readonly rhoInfinity?: number;
}

export const FORM_SHAPE: Shape<AlphaOptions> = { form: oneOf("stabilised", "index3") };

const SHAPE: Shape<GeneralisedAlphaOptions> = {
  rhoInfinity: number("a number from 0 to less than 1", (value) => value >= 0 && value < 1),
  ...FORM_SHAPE,
};

/**
 * The generalised-alpha method of Chung and Hulbert with constraints, after Arnold, Bruels and Cardona: of order 2 in
 * positions, velocities and multipliers, one implicit solve a step, with damping of high frequencies that is chosen. Bodies
 * turn on their group. Positions lie on the constraints. For structural vibrations and large stiff models at
 * tolerances of engineering; `radau5` is far more accurate for the same work where motion is smooth.
 *
 * @example
 * simulate(pendulum, { method: { coupled: generalisedAlpha({ rhoInfinity: 0.9 }) }, step: 1e-3, q: [1, 0] });
 * solve(suspension, { span: [0, 10], method: "generalisedAlpha", tolerance: 1e-4 });
 */
export function generalisedAlpha(
  options: GeneralisedAlphaOptions = {},
  ...more: undefined[]
): CoupledMethod {
  const read = optionsOf("generalisedAlpha", "METHOD", options, SHAPE, more);
  const { rhoInfinity = 0.8, form = "stabilised" } = read;
  return alphaMethod("generalisedAlpha", rhoInfinity, form, chungHulbert(rhoInfinity), {
    reference:
      "Chung and Hulbert, J. Appl. Mech. 60 (1993) 371-375; Arnold, Bruels and Cardona, Numer. Math. 129 (2015) 149-179",
  });
}

/** A method of the alpha family by its coefficients. */
export function alphaMethod(
  kind: string,
  parameter: number,
  form: "stabilised" | "index3",
  coefficients: AlphaCoefficients,
  { reference }: { readonly reference: string },
): CoupledMethod {
  const name = `${kind}(${parameter}${form === "index3" ? ", index3" : ""})`;
  return {
    name,
    reference,
    order: 2,
    stages: 1,
    level: "position",
    survivesSingularPoses: false,
    survivesRedundantRows: false,
    needs: "matrices",
    variableSteps: form === "stabilised" ? "asTheyAre" : "refused",
    bind: (system) =>
      new AlphaStepper(system, name, coefficients, form === "index3" ? "positions" : "both"),
  };
}
