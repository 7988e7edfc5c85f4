// Checks the sources of functions given by programs.

import {
  anything,
  isRecord,
  lengthOf,
  locationOf,
  needed,
  optionsOf,
  plain,
  reading,
  readOptions,
  wrongValueError,
} from "../../base/checking/index.js";
import { FunctionLibrary } from "../../formulas/expressions/index.js";
import { descriptionError, show } from "../../model/option-checks.js";
import type { FunctionSource, NamedFunction } from "../document/document.js";

/** The values are checked when they are used. */
const DEFINITION = { name: needed(anything), of: anything, expression: anything, table: anything };

export function checkedDefinition(given: NamedFunction): NamedFunction {
  const read = optionsOf<Record<string, unknown>>("define", "DESCRIPTION", given, DEFINITION);
  const definition = plain(locationOf("define", "DESCRIPTION"), read) as NamedFunction;
  if ("table" in definition === "expression" in definition) {
    throw descriptionError("define", "use { name, of, expression } or { name, table }");
  }
  return definition;
}

/** Checks and copies a formula or a table. */
export function checkedSource<Source>(where: string, source: Source): Source {
  const location = locationOf(where, "DESCRIPTION", "the source");
  if (typeof source === "string") return source;
  if (!isRecord(source))
    throw wrongValueError(location, source, "a formula, or { table: { x, y } }");
  const read = readOptions<{ table: unknown }>(location, source, { table: needed(anything) });
  return plain(location, read) as Source;
}

/** Checks and copies three numbers, formulas or tables. */
export function checkedSources(sources: readonly FunctionSource[]): readonly FunctionSource[] {
  const location = locationOf("loadLaw", "DESCRIPTION", "sources");
  const length = lengthOf(location, sources, "3 numbers, formulas or tables");
  if (length !== 3) {
    throw descriptionError("load", `must have 3 numbers, formulas or tables, not ${length}`);
  }
  return Array.from(sources, (source, i) => {
    if (typeof source !== "number") return checkedSource(`loadLaw: sources[${i}]`, source);
    if (Number.isFinite(source)) return source;
    throw descriptionError("load", `sources[${i}] is ${source}; use a finite number`);
  });
}

/** Checks a set of functions that formulas may call. */
export function requireFunctions(where: string, functions: unknown): void {
  if (functions === undefined) return;
  const location = locationOf(where, "DESCRIPTION", "functions");
  const fits = reading(location, () => {
    const { library } = (functions ?? {}) as { library?: unknown };
    return library instanceof FunctionLibrary;
  });
  if (fits) return;
  throw descriptionError(where, `functions is ${show(functions)}; use new FunctionSet()`);
}
