import {
  finite,
  hint,
  isList,
  isRecord,
  locationOf,
  plain,
  wrongValueError,
} from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import { type Node, partsOf } from "../../formulas/expressions/graph.js";
import { Program } from "../../formulas/expressions/program.js";
import type { ParameterValues } from "../../formulas/symbolic/description.js";
import { expandedNames } from "../../formulas/symbolic/expression.js";
import type { FormulaInput } from "../../formulas/symbolic/formula-reader.js";
import type { NamedParts } from "../../formulas/symbolic/read-names.js";
import type { State } from "../../interfaces/index.js";

/** Parameters of a system by name: read and written as numbers. */
export type Parameters = Record<string, number>;

/** Creates an object of parameter values by name, which rejects other names and values that are not numbers. */
export function parametersOf(
  system: string,
  names: readonly string[],
  values: Float64Array,
): Parameters {
  const object = Object.create(null) as Parameters;
  for (const [i, name] of names.entries()) {
    Object.defineProperty(object, name, {
      enumerable: true,
      get: () => values[i],
      set: (value: unknown) => {
        values[i] = finite.read(value, locationOf(system, "DESCRIPTION", `parameters.${name}`));
      },
    });
  }
  Object.preventExtensions(object);
  const refuse = (name: PropertyKey): never => {
    const known = names.length === 0 ? ": it has no parameters" : hint(name, names);
    throw new NodriftError(
      "DESCRIPTION",
      `${system}: no parameter is named "${String(name)}"${known}`,
    );
  };
  return new Proxy(object, {
    set: (target, name, value) =>
      name in target ? Reflect.set(target, name, value) : refuse(name),
    get: (target, name) =>
      typeof name === "symbol" || name in target ? Reflect.get(target, name) : refuse(name),
  });
}

/** A copy of values with some of them changed. */
export function changedValues(
  system: string,
  names: readonly string[],
  values: Float64Array,
  given: ParameterValues,
): Float64Array {
  const changed = values.slice();
  const target = parametersOf(system, names, changed);
  const place = locationOf(system, "DESCRIPTION", "parameters");
  if (!isRecord(given)) throw wrongValueError(place, given, "names with their values: { g: 1.62 }");
  for (const [key, value] of Object.entries(plain(place, given) as ParameterValues)) {
    for (const [i, name] of expandedNames(key, system).entries()) {
      target[name] = (isList(value) ? value[i] : value) as number;
    }
  }
  return changed;
}

// Formulas evaluated at a state of a run: for tables, plots and events.

/** A function of a state. */
export type StateFormula = (state: State) => number;

/** Compiles a formula in the names of a system, with its current parameters at each call. */
export function stateFormula(
  { reader }: NamedParts,
  variables: number,
  parameters: Float64Array,
  given: FormulaInput,
  where = "formula",
  index?: readonly [string, number],
): StateFormula {
  const node: Node = reader.read(where, given, index);
  const program = new Program(partsOf(node), 1 + parameters.length + variables);
  const { slots } = program;
  return ({ time, q, v }) => {
    slots[0] = time;
    slots.set(parameters, 1);
    slots.set(q, 1 + parameters.length);
    slots.set(v, 1 + parameters.length + q.length);
    return program.run();
  };
}
