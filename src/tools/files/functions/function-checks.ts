// What functions of files are made from, as programs give it.

import { FunctionLibrary } from "../../../describe/expressions/index.js";
import { descriptionError, show } from "../../../describe/model/option-checks.js";
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
} from "../../../ground/checking/index.js";
import type { FunctionSource, NamedFunction } from "../document/document.js";

/** The parts are checked where they are used. */
const DEFINITION = { name: needed(anything), of: anything, expression: anything, table: anything };

export function checkedDefinition(given: NamedFunction): NamedFunction {
  const read = optionsOf<Record<string, unknown>>("define", "DESCRIPTION", given, DEFINITION);
  const definition = plain(locationOf("define", "DESCRIPTION"), read) as NamedFunction;
  if ("table" in definition === "expression" in definition) {
    throw descriptionError("define", "give { name, of, expression } or { name, table }");
  }
  return definition;
}

/** A formula or a table, copied. */
export function checkedSource<Source>(where: string, source: Source): Source {
  const place = locationOf(where, "DESCRIPTION", "the source");
  if (typeof source === "string") return source;
  if (!isRecord(source)) throw wrongValueError(place, source, "a formula, or { table: { x, y } }");
  const read = readOptions<{ table: unknown }>(place, source, { table: needed(anything) });
  return plain(place, read) as Source;
}

/** Three numbers, formulas or tables, copied. */
export function checkedSources(sources: readonly FunctionSource[]): readonly FunctionSource[] {
  const place = locationOf("loadLaw", "DESCRIPTION", "sources");
  const length = lengthOf(place, sources, "3 numbers, formulas or tables");
  if (length !== 3) {
    throw descriptionError("load", `it must have 3 numbers, formulas or tables, not ${length}`);
  }
  return Array.from(sources, (source, i) => {
    if (typeof source !== "number") return checkedSource(`loadLaw: sources[${i}]`, source);
    if (Number.isFinite(source)) return source;
    throw descriptionError("load", `sources[${i}] is ${source}; give a finite number`);
  });
}

/** The functions that formulas may call. */
export function requireFunctions(where: string, functions: unknown): void {
  if (functions === undefined) return;
  const place = locationOf(where, "DESCRIPTION", "functions");
  const fits = reading(place, () => {
    const { library } = (functions ?? {}) as { library?: unknown };
    return library instanceof FunctionLibrary;
  });
  if (fits) return;
  throw descriptionError(where, `functions is ${show(functions)}; give new Functions()`);
}
