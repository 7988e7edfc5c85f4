// Methods as text, for files: which make no sense for what is in the file.

import { NodriftError } from "../../../ground/errors.js";
import { checkMethod } from "../../../run/stepping/compatibility.js";
import type { System } from "../../../seam/index.js";
import { estimatesError, type MethodChoice, parseMethod } from "../../../solve.js";

import type { SolveSettings } from "../document/document.js";
import type { Problems } from "../text/problems.js";

export { estimatesError, type MethodChoice, methodNames, parseMethod } from "../../../solve.js";

/** The method of a file. Tells where there is none of that name, or it makes no sense there. */
export function checkMethodOf(
  solve: SolveSettings | undefined,
  problems: Problems,
  name: string,
): MethodChoice | undefined {
  const path = ["solve", "method"];
  if (solve?.method === undefined || problems.isBroken(path)) return undefined;
  const { method, step } = solve;
  const choice = problems.attempt(path, () => parseMethod(method));
  if (!choice) return undefined;
  const problem = methodProblem(choice, name);
  if (problem !== undefined) problems.add(path, problem);
  else if (step === undefined && !estimatesError(choice)) {
    problems.add(path, `"${method}" does not estimate its error: give a "step" beside it`);
  }
  return choice;
}

/** Why a method makes no sense, if it does not. */
export function methodProblem(choice: MethodChoice, name: string): string | undefined {
  if (!("method" in choice)) return undefined;
  try {
    checkMethod(choice.method, { ...MECHANISM, name });
    return undefined;
  } catch (error) {
    if (error instanceof NodriftError) return error.message;
    throw error;
  }
}

/** What all systems of files have in common, for checks of methods. */
const MECHANISM = { name: "mechanism", hasPotential: true, dense: {} } as unknown as System;
