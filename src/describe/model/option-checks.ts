// Checks of descriptions, where recipes look for them. Formulas have the same checks, and lie below models.

import { NodriftError } from "../../ground/errors.js";

export * from "../../ground/option-checks.js";

/** The error for a derivative by a function that contradicts the function it belongs to. */
export function wrongDerivative(
  where: string,
  option: string,
  t: number,
  given: number,
  found: number,
): NodriftError {
  return new NodriftError(
    "EVALUATION",
    `${where}: ${option} contradicts the function it is the derivative of: at t = ${t} it gives ${given}, where differences ` +
      `give ${found}. Correct it, leave it out, or switch comparisons off by model({ check: false })`,
  );
}
