// Laws as texts that wait for a model: with the functions they call. A handle to the rest of the code, so that options which
// hold one are copied and written like those which hold a body.

import type { FunctionLookup } from "../expressions/scope.js";
import { isHandle } from "../model/handles.js";

/** A formula with functions of its own. Made by `elasticLaw` and `loadLaw` of nodrift/files. */
export interface FormulaSource {
  /** Tells it from other options. */
  readonly kind: "formula";
  /** The text. */
  readonly name: string;
  /** Functions it can call. */
  readonly functions: FunctionLookup | undefined;
}

/** A text, or one with functions. */
export type FormulaText = string | FormulaSource;

export function formulaSource(text: string, functions: FunctionLookup | undefined): FormulaSource {
  return Object.freeze({ kind: "formula", name: text, functions });
}

type Noted = FormulaSource | readonly (number | FormulaSource)[];

/**
 * Where functions of programs keep what they were made from: recipes take the formula, which has derivatives. Registered,
 * as the bundle of nodrift/files has this file too.
 */
const SOURCE = Symbol.for("nodrift.formula");

/** Notes what a function was made from. */
export function noteSource<Made extends object>(made: Made, source: Noted): Made {
  return Object.defineProperty(made, SOURCE, { value: source });
}

function notedFor(given: unknown): Noted | undefined {
  if (typeof given !== "function") return undefined;
  return (given as { readonly [SOURCE]?: Noted })[SOURCE];
}

function isSource(given: unknown): given is FormulaSource {
  return isHandle(given) && (given as { kind: string }).kind === "formula";
}

/** The formula of an option, if it is one. */
export function sourceOf(given: unknown): FormulaSource | undefined {
  if (typeof given === "string") return formulaSource(given, undefined);
  if (isSource(given)) return given;
  const noted = notedFor(given);
  return isSource(noted) ? noted : undefined;
}

/** Formulas and numbers of an option that is a list of some, or a function made from such; else undefined. */
export function sourcesOf(given: unknown): readonly (unknown | FormulaSource)[] | undefined {
  const list: unknown = notedFor(given) ?? given;
  if (!Array.isArray(list)) return undefined;
  const found = list.map((one) => sourceOf(one) ?? one);
  return found.some(isSource) ? found : undefined;
}
