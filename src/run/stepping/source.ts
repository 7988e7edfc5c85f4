import { locationOf, reading, show } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { System, SystemSource } from "../../interfaces/index.js";
import {
  type Equations,
  equationParts,
  type RowSwitching,
  rowSwitching,
} from "../../systems/equations/equations-types.js";

/**
 * Throws for values that are no system: a model that is not compiled, a promise that is not awaited, a bare
 * description.
 */
export function checkSource(where: string, source: unknown, example: string): void {
  const location = locationOf(where, "STEP", "the first argument");
  const fits = reading(location, () => makesSystems(source) || isEquations(source));
  if (fits) return;
  throw new NodriftError(
    "STEP",
    `${where}: the first argument is not a system: give a compiled model or equations, as in ${example}`,
  );
}

function makesSystems(source: unknown): source is SystemSource {
  return isObject(source) && typeof source.system === "function";
}

/** Whether a value was made by `equations`. */
export function isEquations(source: unknown): source is Equations {
  if (!isObject(source) || !isObject(source.description) || !isObject(source.mass)) return false;
  if (!(equationParts in source)) return false;
  const lists = ["coordinateNames", "holonomicNames", "nonholonomicNames", "differentiated"];
  return (
    typeof source.description.forces === "function" &&
    lists.every((list) => Array.isArray(source[list]))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Returns the switching rows of a source; undefined if none switches. */
export function switchingOf(source: Equations | SystemSource): RowSwitching | undefined {
  return (source as { readonly [rowSwitching]?: RowSwitching })[rowSwitching];
}

/** Returns a new system of a checked source, with memory of its own. */
export function systemOf(source: Equations | SystemSource): System {
  if (!makesSystems(source)) return source[equationParts].system(source);
  const made: unknown = source.system();
  if (isObject(made) && isObject(made.workspace) && isObject(made.coordinates)) {
    return made as unknown as System;
  }
  throw new NodriftError("DESCRIPTION", `system() returned ${show(made)}, which is not a system`);
}
