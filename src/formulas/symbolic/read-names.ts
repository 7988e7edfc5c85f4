// Reads the parts common to all systems given by formulas: names, parameters, quantities, tables and initial state.

import { finite, hint, inside, isList, locationOf, show } from "../../base/checking/index.js";
import type { Node } from "../expressions/graph.js";
import { FunctionLibrary } from "../expressions/library.js";
import type { FormulaNames } from "./description.js";
import { expandedNames, rangeOf } from "./expression.js";
import { FormulaReader, wrong } from "./formula-reader.js";
import { SymbolTable } from "./symbol-table.js";

/** Largest number of coordinates, unknowns or parameter values of a system. */
const MAX_NAMES = 2000;

/** Parameters, symbols and the reader of formulas. */
export interface NamedParts {
  readonly reader: FormulaReader;
  readonly symbols: SymbolTable;
  readonly parameterNames: readonly string[];
  readonly parameterValues: readonly number[];
}

/** Reads the names of coordinates or unknowns. */
export function variableNames(
  system: string,
  what: string,
  given: unknown,
  maximum: number = MAX_NAMES,
): string[] {
  if (!isList(given) || given.length === 0) {
    throw wrong(system, `${what} must be a list of names, not ${show(given)}`);
  }
  if (given.length > MAX_NAMES) throw wrong(system, `${what} has more than ${MAX_NAMES} names`);
  const names = Array.from(given as ArrayLike<unknown>).flatMap((name) =>
    expandedNames(name, system),
  );
  if (names.length > maximum) throw wrong(system, `${what} has more than ${maximum} names`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw wrong(system, `${what} has the name "${twice}" twice`);
  return names;
}

/** Reads parameters and tables; `define` adds coordinates or unknowns before the quantities are read. */
export function readNames(
  system: string,
  { parameters = {}, quantities = {}, tables = {} }: FormulaNames,
  define: (symbols: SymbolTable) => void,
): NamedParts {
  const symbols = new SymbolTable();
  const values: [string, number][] = [];
  for (const [key, given] of Object.entries(parameters)) {
    const names = expandedNames(key, system);
    if (isList(given) && given.length !== names.length) {
      throw wrong(
        system,
        `the parameter ${key} has ${given.length} values for ${names.length} names`,
      );
    }
    const place = inside(locationOf(system, "DESCRIPTION"), `parameters.${key}`);
    names.forEach((name, i) => {
      values.push([name, finite.read(isList(given) ? given[i] : given, place)]);
    });
  }
  if (values.length > MAX_NAMES)
    throw wrong(system, `parameters has more than ${MAX_NAMES} values`);
  for (const [name] of values) {
    requireNew(system, symbols, name);
    symbols.define("parameter", name, symbols.slot());
  }
  define(symbols);
  const functions = libraryOf(system, tables, symbols);
  const reader = new FormulaReader(system, symbols, functions);
  for (const { name, where, index, formula } of entriesOf(system, "quantities", quantities)) {
    requireNew(system, symbols, name);
    symbols.define("quantity", name, reader.read(where, formula, index));
  }
  return {
    reader,
    symbols,
    parameterNames: values.map(([name]) => name),
    parameterValues: values.map(([, value]) => value),
  };
}

/** Throws if a name is already in use. */
export function requireNew(system: string, symbols: SymbolTable, name: string): void {
  const base = name.replace(/\[.*/, "");
  const other = name === base ? [...symbols.names] : symbols.has(base) ? [base] : [];
  if (symbols.has(name) || other.includes(base)) {
    throw wrong(system, `the name "${name}" is used twice`);
  }
}

function libraryOf(
  system: string,
  tables: NonNullable<FormulaNames["tables"]>,
  symbols: SymbolTable,
): FunctionLibrary | undefined {
  const names = Object.keys(tables);
  if (names.length === 0) return undefined;
  const library = new FunctionLibrary();
  for (const name of names) {
    if (symbols.names.includes(name)) throw wrong(system, `the name "${name}" is used twice`);
    library.define(name, { table: tables[name]! });
  }
  return library;
}

/** A formula of a record, for one name. */
export interface NamedFormula {
  readonly name: string;
  /** Location in the description, for messages. */
  readonly where: string;
  readonly index: readonly [string, number] | undefined;
  readonly formula: unknown;
}

/** Yields the formulas of a record. Throws for names that `known` does not contain. */
export function* entriesOf(
  system: string,
  field: string,
  record: Readonly<Record<string, unknown>>,
  known?: readonly string[],
): Generator<NamedFormula> {
  const seen = new Set<string>();
  for (const [key, formula] of Object.entries(record)) {
    const { base, index, numbers } = rangeOf(key, system);
    for (const number of numbers ?? [undefined]) {
      const name = number === undefined ? base : `${base}[${number}]`;
      if (known && !known.includes(name)) {
        throw wrong(system, `${field} has "${name}"${hint(name, known)}`);
      }
      if (seen.has(name)) throw wrong(system, `${field} has "${name}" twice`);
      seen.add(name);
      const value =
        index !== undefined && number !== undefined ? ([index, number] as const) : undefined;
      yield { name, where: `${field}.${name}`, index: value, formula };
    }
  }
}

/** Yields the rows of constraints, whose names are arbitrary. A range in brackets defines a list of rows. */
export function* rowsOf(
  system: string,
  field: string,
  record: Readonly<Record<string, unknown>>,
): Generator<NamedFormula> {
  for (const [key, formula] of Object.entries(record)) {
    const match = /^(.*)\[(?:([A-Za-z_][A-Za-z0-9_]*)=)?(-?\d{1,6})\.\.(-?\d{1,6})\]$/.exec(key);
    if (!match) {
      if (key.trim() === "") throw wrong(system, `${field} has a row without a name`);
      yield { name: key, where: `${field}["${key}"]`, index: undefined, formula };
      continue;
    }
    const [, base, index, first, last] = match as unknown as [
      string,
      string,
      string | undefined,
      string,
      string,
    ];
    if (Number(last) - Number(first) >= MAX_NAMES)
      throw wrong(system, `${field} has too many rows in "${key}"`);
    for (let i = Number(first); i <= Number(last); i++) {
      const value = index === undefined ? undefined : ([index, i] as const);
      yield { name: `${base}[${i}]`, where: `${field}["${base}[${i}]"]`, index: value, formula };
    }
  }
}

/** Reads initial values by name: of coordinates, and of rates by names with a quote. */
export function startOf(
  system: string,
  start: FormulaNames["start"],
  names: readonly string[],
  hasRates: boolean,
): { q: number[]; v: number[] } | undefined {
  if (start === undefined) return undefined;
  const q = names.map(() => 0);
  const v = names.map(() => 0);
  const rates = names.map((name) => `${name}'`);
  const known = hasRates ? [...names, ...rates] : names;
  for (const [name, value] of Object.entries(start)) {
    const number = finite.read(value, inside(locationOf(system, "DESCRIPTION"), `start.${name}`));
    const i = names.indexOf(name);
    const j = hasRates ? rates.indexOf(name) : -1;
    if (i >= 0) q[i] = number;
    else if (j >= 0) v[j] = number;
    else throw wrong(system, `start has "${name}"${hint(name, known)}`);
  }
  return { q, v };
}

/** Throws if a formula depends on slots that it must not use. */
export function refuseSlots(
  system: string,
  where: string,
  symbols: SymbolTable,
  node: Node,
  slots: readonly Node[],
  names: readonly string[],
  advice: string,
): void {
  const [found] = symbols.dependsOn([node], slots);
  if (found === undefined) return;
  throw wrong(system, `${where} contains ${names[slots.indexOf(found)]}: ${advice}`);
}
