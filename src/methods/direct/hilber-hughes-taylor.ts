import { number, optionsOf, type Shape } from "../../base/checking/index.js";
import type { CoupledMethod } from "../../interfaces/index.js";
import {
  type AlphaOptions,
  alphaMethod,
  hilberHughesTaylor as coefficientsOf,
  FORM_SHAPE,
} from "./generalised-alpha.js";

/** Options of {@link hilberHughesTaylor}. */
export interface HilberHughesTaylorOptions extends AlphaOptions {
  /** Damping parameter, from -1/3 (most damping) to below 0. Default: -0.1. */
  readonly alpha?: number;
}

const SHAPE: Shape<HilberHughesTaylorOptions> = {
  alpha: number("a number from -1/3 to less than 0", (value) => value >= -1 / 3 && value < 0),
  ...FORM_SHAPE,
};

/**
 * The method of Hilber, Hughes and Taylor, HHT-alpha, with constraints: like `generalisedAlpha`, with forces at t +
 * (1 + alpha) h. For comparison with codes that use it; `generalisedAlpha` damps low frequencies less.
 *
 * @example
 * simulate(pendulum, { method: { coupled: hilberHughesTaylor({ alpha: -0.3 }) }, step: 1e-3, q: [1, 0] });
 */
export function hilberHughesTaylor(
  options: HilberHughesTaylorOptions = {},
  ...more: undefined[]
): CoupledMethod {
  const read = optionsOf("hilberHughesTaylor", "METHOD", options, SHAPE, more);
  const { alpha = -0.1, form = "stabilised" } = read;
  return alphaMethod("hilberHughesTaylor", alpha, form, coefficientsOf(alpha), {
    reference:
      "Hilber, Hughes and Taylor, Earthquake Eng. Struct. Dyn. 5 (1977) 283-292; Negrut et al., J. Comput. Nonlinear Dyn. 2 (2007) 73-85",
  });
}
