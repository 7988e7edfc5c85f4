import { locationOf, reading, show } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { System, SystemSource } from "../../seam/index.js";
import {
  type Equations,
  equationParts,
  type RowSwitching,
  rowSwitching,
} from "../../systems/equations/made.js";

/** Refuses what makes no system: a model that is not compiled, a promise that is not awaited, a bare description. */
export function checkSource(where: string, source: unknown, example: string): void {
  const place = locationOf(where, "STEP", "the first argument");
  const fits = reading(place, () => makesSystems(source) || isEquations(source));
  if (fits) return;
  throw new NodriftError(
    "STEP",
    `${where}: the first argument is not a system: give a compiled model or equations, as in ${example}`,
  );
}

function makesSystems(source: unknown): source is SystemSource {
  return isObject(source) && typeof source.system === "function";
}

/** What `equations` made. */
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

/** Rows of a source that switch on and off; undefined if none does. */
export function switchingOf(source: Equations | SystemSource): RowSwitching | undefined {
  return (source as { readonly [rowSwitching]?: RowSwitching })[rowSwitching];
}

/** A system of a source that was checked, with memory of its own. */
export function systemOf(source: Equations | SystemSource): System {
  if (!makesSystems(source)) return source[equationParts].system(source);
  const made: unknown = source.system();
  if (isObject(made) && isObject(made.workspace) && isObject(made.coordinates)) {
    return made as unknown as System;
  }
  throw new NodriftError("DESCRIPTION", `system() gave ${show(made)}, which is not a system`);
}
