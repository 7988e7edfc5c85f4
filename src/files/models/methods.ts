// Checks the method of a file against its contents.

import { NodriftError } from "../../base/errors.js";
import type { System } from "../../interfaces/index.js";
import { checkMethod } from "../../run/stepping/compatibility.js";
import { estimatesError, type MethodChoice, parseMethod } from "../../solve.js";

import type { SolveSettings } from "../document/document.js";
import type { Problems } from "../text/problems.js";

export { estimatesError, type MethodChoice, methodNames, parseMethod } from "../../solve.js";

/** Parses the method of a file. Adds a problem if its name is unknown or it does not suit the system. */
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
    problems.add(path, `"${method}" does not estimate its error: add a "step"`);
  }
  return choice;
}

/** Why a method does not suit the system; undefined if it does. */
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

/** Stand-in for a mechanism in checks of methods, with the properties that all mechanisms share. */
const MECHANISM = { name: "mechanism", hasPotential: true, dense: {} } as unknown as System;
