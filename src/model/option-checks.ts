// RecipeOption checks of descriptions, re-exported for recipes. They are in a lower layer because formulas use them too.

import { NodriftError } from "../base/errors.js";

export * from "../base/option-checks.js";

/** Creates the error for a user-given derivative that contradicts its function. */
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
