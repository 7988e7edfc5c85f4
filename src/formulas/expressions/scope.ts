// Names that a formula can use, and messages for other names.

import { descriptionError, hint, show } from "../../base/checking/values.js";
import { builtIns, constants, keywords } from "./built-in-functions.js";
import type { Graph, Node } from "./graph.js";
import { NAME } from "./scanner.js";
import type { Table } from "./table.js";

/**
 * A function given by an expression, as the parts of its graph whose slots are its arguments, or by a table.
 */
export type LibraryFunction =
  | { readonly variables: readonly string[]; readonly parts: readonly Node[] }
  | { readonly table: Table };

/** Lookup of named functions. */
export interface FunctionLookup {
  readonly names: readonly string[];
  find(name: string): LibraryFunction | undefined;
}

/** Lookup of the additional names in equations: coordinates, parameters, quantities, and lists of them. */
export interface SymbolLookup {
  /** Common graph of all equations of a system. */
  readonly graph: Graph;
  /** Largest number of nodes of the graph. */
  readonly most: number;
  readonly names: readonly string[];
  /**
   * Returns the node of a name, optionally with an index in brackets, or of its rate; or the reason why it does not exist.
   */
  find(name: string, index: number | undefined, rates: number): Node | string;
  /** Counts a word that is read, since sums and ranges read a text repeatedly. True if the limit is exceeded. */
  isExhausted(): boolean;
}

export interface Scope {
  readonly variables: readonly string[];
  readonly quantities: readonly string[];
  readonly functions: FunctionLookup | undefined;
  readonly symbols?: SymbolLookup;
}

/** Throws unless names can be used in formulas. */
export function checkNames(kind: string, names: readonly string[]): void {
  for (const [i, name] of names.entries()) {
    checkName(kind, name);
    if (names.indexOf(name) < i) throw descriptionError("formula", `duplicate ${kind} "${name}"`);
  }
}

export function checkName(kind: string, name: unknown): void {
  if (typeof name !== "string" || !NAME.test(name)) {
    const rule = "must be letters, digits and _, at most 64, and not start with a digit";
    throw descriptionError("formula", `the name of a ${kind} ${rule}, but is ${show(name)}`);
  }
  if (builtIns.has(name) || constants.has(name) || keywords.includes(name)) {
    throw descriptionError(
      "formula",
      `"${name}" is reserved in formulas and cannot name a ${kind}`,
    );
  }
}

/** Why a name without arguments is invalid. */
export function bareProblem(name: string, { variables, quantities, functions }: Scope): string {
  const builtIn = builtIns.get(name);
  if (builtIn) return `${name} is a function: write ${builtIn.usage}`;
  if (functions?.find(name)) return `${name} is a function: write ${name}(...)`;
  if (quantities.includes(name)) {
    return `${name} is a quantity: write ${name}('...') with the name of its subject, or ${name}()`;
  }
  return `unknown name "${name}"${hint(name, [...variables, ...constants.keys()])}`;
}

/** Why a called name is invalid. */
export function callProblem(name: string, scope: Scope, isQuoted: boolean): string {
  const { variables, quantities, functions } = scope;
  if (variables.includes(name) || constants.has(name)) {
    const kind = constants.has(name) ? "constant" : "variable";
    return `${name} is a ${kind} and cannot be called: for a product write ${name} * (...)`;
  }
  if (isQuoted && quantities.length === 0) {
    const known = [...variables, ...constants.keys()].join(", ");
    return `quantities like ${name}('...') cannot be read in this formula: it can use ${known}`;
  }
  const near = hint(name, [...builtIns.keys(), ...quantities, ...(functions?.names ?? [])]);
  const few = isQuoted ? quantities : [...builtIns.keys()];
  return `there is no function ${name}${near.endsWith("?") ? near : hint(name, few)}`;
}

/** Why the number of arguments is invalid; undefined if it is valid. */
export function countProblem(
  name: string,
  count: number,
  least: number,
  most: number,
  usage: string,
): string | undefined {
  if (count >= least && count <= most) return undefined;
  const wanted = most > least ? `${least} or more arguments` : plural(least, "argument");
  return `${name} takes ${wanted}, not ${count}: write ${usage}`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
