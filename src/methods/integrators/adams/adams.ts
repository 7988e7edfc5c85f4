import { optionsOf, type Shape, whole } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import type { AdaptiveIntegrator } from "../../../seam/index.js";
import { AdamsStepper } from "./adams-stepper.js";
import { HIGHEST_ORDER } from "./adams-weights.js";

/** What orders an Adams method may use. */
export interface AdamsOptions {
  /** The highest order it may choose. Default: 12. */
  readonly maximumOrder?: number;
  /** One order for all steps. Above 9 oscillations grow unless h times their frequency is below 0.05. */
  readonly order?: number;
}

const SHAPE: Shape<AdamsOptions> = {
  maximumOrder: whole(1, HIGHEST_ORDER),
  order: whole(1, HIGHEST_ORDER),
};

/**
 * Adams-Bashforth-Moulton in PECE form with steps and orders that vary, after the codes DE and
 * STEP of Shampine and Gordon. Two evaluations a step, whatever the order: the choice for expensive right-hand
 * sides, smooth motion and many outputs (dense output costs no evaluation). Where forces jump it
 * must start anew at order 1, and Runge-Kutta methods are the better choice.
 *
 * Order k means a predictor of order k, an error estimate O(h^(k+1)), and a result of order k + 1: the
 * corrector has one order more, and the step keeps what it gains (local extrapolation).
 *
 * Without `order` the first step has order 1 and should be small, as a controller makes it. With `order` the
 * first eight steps are taken in parts, 34 in all, and have that order too: the choice for steps of one length.
 *
 * @example
 * adams();                     // orders 1 to 12
 * adams({ maximumOrder: 6 });  // for motion that is not quite smooth
 * adams({ order: 4 });         // steps of one length
 */
export function adams(options: AdamsOptions = {}, ...more: undefined[]): AdaptiveIntegrator {
  const read = optionsOf("adams", "METHOD", options, SHAPE, more);
  const { order: fixed, maximumOrder = HIGHEST_ORDER } = read;
  if (fixed !== undefined && read.maximumOrder !== undefined) {
    throw new NodriftError("METHOD", "adams: give order or maximumOrder, not both");
  }
  const highest = fixed ?? maximumOrder;
  const suffix = highest === HIGHEST_ORDER ? "" : ` up to ${highest}`;
  const name = fixed === undefined ? `adams${suffix}` : `adams of order ${fixed}`;
  return {
    name,
    reference:
      "Shampine and Gordon, Computer Solution of Ordinary Differential Equations, Freeman 1975; Hairer, Norsett and Wanner, Solving ODEs I, section III.5",
    order: highest + 1,
    errorOrder: highest + 1,
    stages: 2,
    isMultistep: true,
    bind: (ode, workspace) =>
      new AdamsStepper({ name, highest, fixed: fixed !== undefined }, ode, workspace),
  };
}
