// Laws as formula text with the functions they call, to be read when the model is known. They look like handles, so
// options that hold one are copied and written like options that hold a body.

import type { FunctionLookup } from "../../formulas/expressions/scope.js";
import { isHandle } from "../handles.js";

/** A formula with its own functions. Created by `elasticLaw` and `loadLaw` of nodrift/files. */
export interface FormulaSource {
  /** Distinguishes it from other options. */
  readonly kind: "formula";
  /** Text of the formula. */
  readonly name: string;
  /** Functions that it can call. */
  readonly functions: FunctionLookup | undefined;
}

/** Formula text, or formula text with functions. */
export type FormulaText = string | FormulaSource;

export function formulaSource(text: string, functions: FunctionLookup | undefined): FormulaSource {
  return Object.freeze({ kind: "formula", name: text, functions });
}

type FormulaSources = FormulaSource | readonly (number | FormulaSource)[];

/**
 * Key under which functions made from formulas store their source: recipes use the formula, which has derivatives.
 * The symbol is registered, as the bundle of nodrift/files has its own copy of this file.
 */
const SOURCE = Symbol.for("nodrift.formula");

/** Records the source of a function. */
export function noteSource<Made extends object>(made: Made, source: FormulaSources): Made {
  return Object.defineProperty(made, SOURCE, { value: source });
}

function notedFor(given: unknown): FormulaSources | undefined {
  if (typeof given !== "function") return undefined;
  return (given as { readonly [SOURCE]?: FormulaSources })[SOURCE];
}

function isSource(given: unknown): given is FormulaSource {
  return isHandle(given) && (given as { kind: string }).kind === "formula";
}

/** Returns the formula of an option, if it is one. */
export function sourceOf(given: unknown): FormulaSource | undefined {
  if (typeof given === "string") return formulaSource(given, undefined);
  if (isSource(given)) return given;
  const noted = notedFor(given);
  return isSource(noted) ? noted : undefined;
}

/**
 * Returns the formulas and numbers of an option that is a list of them, or a function made from such a list; else
 * undefined.
 */
export function sourcesOf(given: unknown): readonly (unknown | FormulaSource)[] | undefined {
  const list: unknown = notedFor(given) ?? given;
  if (!Array.isArray(list)) return undefined;
  const found = list.map((one) => sourceOf(one) ?? one);
  return found.some(isSource) ? found : undefined;
}
