// Methods as text, for files: which make no sense for mechanisms.

import { NodriftError } from "../../../ground/errors.js";
import { checkMethod } from "../../../run/stepping/compatibility.js";
import type { System } from "../../../seam/index.js";
import type { MethodChoice } from "../../../solve.js";

export { estimatesError, type MethodChoice, methodNames, parseMethod } from "../../../solve.js";

/** Why a method makes no sense for a mechanism, if it does not. */
export function methodProblem(choice: MethodChoice): string | undefined {
  if (!("method" in choice)) return undefined;
  try {
    checkMethod(choice.method, MECHANISM);
    return undefined;
  } catch (error) {
    if (error instanceof NodriftError) return error.message;
    throw error;
  }
}

/** What all mechanisms have in common, for checks of methods. */
const MECHANISM = { name: "mechanism", hasPotential: true, dense: {} } as unknown as System;
