// User-defined unknowns in addition to the motion of a mechanism.

import {
  callable,
  checkKeys,
  descriptionError,
  isList,
  label,
  numbers,
  show,
} from "../../base/checking/values.js";
import { NodriftError } from "../../base/errors.js";
import { FormulaError } from "../../formulas/expressions/error.js";
import type { MeasuredFormula } from "../formula-data.js";
import type { States } from "../handles.js";
import { measuredFormula } from "../measured/measured-formula.js";
import type { StateRates } from "../model-data.js";
import type { QuantityReader } from "../quantity-reader.js";
import type { Store } from "../store.js";
import { type FormulaScope, type ReadingFormula, readingFormula } from "./reading-formula.js";

/** Options of `states`. */
export interface StatesOptions {
  /** Name in messages, readings and files. Default: "states" and a running number. */
  readonly name?: string | undefined;
  /** Names of the unknowns. */
  readonly names: readonly string[];
  /** Initial values. Default: zeros. */
  readonly start?: readonly number[] | Float64Array | undefined;
  /**
   * A function that returns the rates as a list, or writes them to `out`, which allocates nothing. `y` holds the
   * unknowns; `read` reads the mechanism and other states. It is also called between steps, and more than once, so it
   * must not depend on anything else. Alternatively, a formula for each rate, of t, the names of these unknowns,
   * parameters and quantities of the model: `["k*(0.3 - angle('hinge'))"]`. Formulas have exact derivatives for
   * implicit methods if the parts they read are described before them and are not controllers or motors.
   */
  readonly rates: RatesFunction | readonly string[];
}

/** Returns or writes y' for t, y and a reader of the mechanism. */
export type RatesFunction = (
  t: number,
  y: Float64Array,
  read: QuantityReader,
  out: Float64Array,
  // biome-ignore lint/suspicious/noConfusingVoidType: what a function that only writes returns is void
) => void | ArrayLike<number>;

/** Adds states. NaN is reported with the name of the state and the time. */
export function addStates(store: Store, options: StatesOptions): States {
  const name = store.nameFor("states", "states", options.name);
  const where = label("states", name);
  checkKeys(where, options, ["names", "rates"], ["name", "start"]);
  const names = checkedNames(where, "names", options.names);
  const start = Object.freeze(
    options.start === undefined
      ? names.map(() => 0)
      : [...numbers(where, "start", options.start, names.length)],
  );
  const rates = Array.isArray(options.rates)
    ? ratesOf(where, names, options.rates, store)
    : callable<RatesFunction>(
        where,
        "rates",
        options.rates,
        "a function of t, y and a reader, or formulas",
      );
  return store.addStates({
    name,
    names,
    start,
    rates: checkedRates(where, names, rates),
    formulas: Array.isArray(options.rates)
      ? measuredRates(store, name, names, options.rates)
      : undefined,
  });
}

/**
 * Returns the rates as formulas with derivatives. Undefined if one reads a quantity that does not follow from the
 * motion and from states (outputs of controllers, torques of motors), or a part that is not described yet. Implicit
 * methods then use finite differences.
 */
function measuredRates(
  store: Store,
  set: string,
  names: readonly string[],
  texts: readonly string[],
): readonly MeasuredFormula[] | undefined {
  const own = names.map((name) => [name, { kind: "state", set, own: name }] as const);
  const locals = { t: { kind: "time" } as const, ...Object.fromEntries(own) };
  const { parameters } = store;
  const known: FormulaScope = store;
  try {
    return texts.map((text) =>
      measuredFormula(text, { locals, lists: store, parameters, functions: known.functions }),
    );
  } catch (error) {
    if (error instanceof FormulaError) return undefined;
    throw error;
  }
}

/** Returns a list of different names; throws for anything else. */
export function checkedNames(where: string, option: string, given: unknown): readonly string[] {
  const isNames =
    isList(given) &&
    given.length > 0 &&
    Array.from(given).every((each) => typeof each === "string" && each.trim() !== "");
  if (!isNames)
    throw descriptionError(where, `${option} must be a list of texts, not ${show(given)}`);
  const names = Array.from(given as unknown as readonly string[]);
  const twice = names.find((each, i) => names.indexOf(each) !== i);
  if (twice !== undefined) throw descriptionError(where, `${option} has "${twice}" twice`);
  return Object.freeze(names);
}

/** Returns the rate function of formulas. */
function ratesOf(
  where: string,
  names: readonly string[],
  texts: readonly unknown[],
  known: FormulaScope,
): RatesFunction {
  const formulas = formulasOf(where, "rates", names, texts, ["t", ...names], known);
  const values = new Float64Array(1 + names.length);
  return (t, y, read, out) => {
    values[0] = t;
    values.set(y, 1);
    for (let i = 0; i < formulas.length; i++) out[i] = formulas[i]!(values, read);
  };
}

/** Returns a formula for each name. */
export function formulasOf(
  where: string,
  option: string,
  names: readonly string[],
  texts: readonly unknown[],
  variables: readonly string[],
  known: FormulaScope,
): readonly ReadingFormula[] {
  if (texts.length !== names.length || texts.some((text) => typeof text !== "string")) {
    throw descriptionError(
      where,
      `${option} must be ${names.length} formulas, one for each of ${names.join(", ")}`,
    );
  }
  return texts.map((text, i) => {
    try {
      return readingFormula(text as string, variables, known);
    } catch (error) {
      throw descriptionError(where, `${option}[${i}]: ${(error as Error).message}`);
    }
  });
}

function checkedRates(where: string, names: readonly string[], rates: RatesFunction): StateRates {
  return (t, y, read, out) => {
    // Entries that are not written must not keep the rates of the previous evaluation.
    out.fill(Number.NaN);
    const returned: unknown = rates(t, y, read, out);
    if (returned !== undefined && returned !== out) {
      if (!isList(returned) || returned.length !== names.length) {
        throw new NodriftError(
          "EVALUATION",
          `${where}: rates gave ${show(returned)} at t = ${t}: give ${names.length} numbers`,
        );
      }
      for (let i = 0; i < names.length; i++) {
        // Null and text would be converted to numbers.
        out[i] = typeof returned[i] === "number" ? (returned[i] as number) : Number.NaN;
      }
    }
    for (let i = 0; i < names.length; i++) {
      if (Number.isFinite(out[i])) continue;
      throw new NodriftError(
        "EVALUATION",
        `${where}: rates gave ${show(out[i])} for "${names[i]}" at t = ${t}`,
      );
    }
  };
}
