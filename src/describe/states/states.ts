// Unknowns besides the motion of a mechanism, as the user describes them.

import { NodriftError } from "../../ground/errors.js";
import { FormulaError } from "../expressions/error.js";
import { measuredFormula } from "../measured/measured-formula.js";
import type { MeasuredFormula } from "../model/formula-data.js";
import type { States } from "../model/handles.js";
import type { StateRates } from "../model/model-data.js";
import {
  callable,
  checkKeys,
  descriptionError,
  isList,
  label,
  numbers,
  show,
} from "../model/option-checks.js";
import type { QuantityReader } from "../model/quantity-reader.js";
import type { Store } from "../model/store.js";
import { type Known, type ReadingFormula, readingFormula } from "./reading-formula.js";

/** Options of `states`. */
export interface StatesOptions {
  /** For messages, readings and files. Default: "states" with a number. */
  readonly name?: string | undefined;
  /** Names of the unknowns. */
  readonly names: readonly string[];
  /** Their values at the start; zeros if not given. */
  readonly start?: readonly number[] | Float64Array | undefined;
  /**
   * Their rates, as a list of numbers; or they are written to `out`, which makes no garbage. `y` are the unknowns, `read`
   * reads the mechanism and other states. Called at states between steps too, and more than once: it must depend on nothing else.
   * Or a formula for each, of t, the names of these unknowns, parameters of the model and what is read: `["k*(0.3 - angle('hinge'))"]`.
   * Formulas have exact derivatives for implicit methods where what they read is described before them, and is no output or motor.
   */
  readonly rates: RatesFunction | readonly string[];
}

/** y' for t, y and what is measured. */
export type RatesFunction = (
  t: number,
  y: Float64Array,
  read: QuantityReader,
  out: Float64Array,
  // biome-ignore lint/suspicious/noConfusingVoidType: what a function that only writes returns is void
) => void | ArrayLike<number>;

/** Adds states. NaN is told with the name of the state and the time. */
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
 * The same rates for derivatives; undefined where one reads what does not follow from the motion and from states (outputs of
 * controllers, torques of motors), or what the model does not have yet: implicit methods then find them by differences.
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
  const known: Known = store;
  try {
    return texts.map((text) =>
      measuredFormula(text, { locals, lists: store, parameters, functions: known.functions }),
    );
  } catch (error) {
    if (error instanceof FormulaError) return undefined;
    throw error;
  }
}

/** A list of different names. */
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

/** Rates by formulas. */
function ratesOf(
  where: string,
  names: readonly string[],
  texts: readonly unknown[],
  known: Known,
): RatesFunction {
  const formulas = formulasOf(where, "rates", names, texts, ["t", ...names], known);
  const values = new Float64Array(1 + names.length);
  return (t, y, read, out) => {
    values[0] = t;
    values.set(y, 1);
    for (let i = 0; i < formulas.length; i++) out[i] = formulas[i]!(values, read);
  };
}

/** A formula for each name. */
export function formulasOf(
  where: string,
  option: string,
  names: readonly string[],
  texts: readonly unknown[],
  variables: readonly string[],
  known: Known,
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
    // What is not written must not pass for the rate of the evaluation before.
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
        // Null and texts would pass for numbers.
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
