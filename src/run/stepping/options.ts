import {
  finite,
  isList,
  lengthOf,
  listOf,
  locationOf,
  needed,
  number,
  oneOf,
  optionError,
  type Rule,
  readValue,
  type Shape,
  show,
  text,
} from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { Method } from "../../interfaces/index.js";
import { type MethodOption, methodRule } from "../../methods/names/method-rule.js";

/** Options of {@link simulate}. */
export interface SimulationOptions {
  /** Default: udwadiaKalaba + projection + rk4. */
  readonly method?: MethodOption;
  /** Length of a step in seconds. */
  readonly step: number;
  /** Positions at the start. Default: those of the system, if it has a start. */
  readonly q?: ArrayLike<number>;
  /** Velocities at the start. Default: rest, or those of the system if q is not given either. */
  readonly v?: ArrayLike<number>;
  /** Time at the start. Default: 0. */
  readonly time?: number;
  /** "assemble" projects the start onto the constraints; "asGiven" uses it unchanged. Default: "assemble". */
  readonly start?: "assemble" | "asGiven";
  /**
   * Coordinates to keep exactly as given, in q and v, while the others are projected. Only for `equations`; for bodies
   * see `compile`.
   */
  readonly hold?: readonly string[];
}

/** Rule for the names of held coordinates. */
export const heldNames = listOf(text, "a list of names of coordinates");

/** Checked {@link SimulationOptions}. */
export interface CheckedOptions extends SimulationOptions {
  readonly method: Method;
  readonly q: ArrayLike<number>;
}

/** Options before the initial state and the method are chosen. */
type GivenOptions = Omit<SimulationOptions, "method"> & { readonly method?: Method };

/** A method for fixed steps. An integrator alone is not enough: drift control must be chosen. */
export const fixedStepMethod: Rule<Method> = {
  wants: methodRule.wants,
  read(value, place) {
    const choice = methodRule.read(value, place);
    if ("method" in choice) return choice.method;
    throw optionError(
      { ...place, code: "METHOD" },
      `is an integrator alone; give a whole method: parseMethod("udwadiaKalaba + projection + ${choice.integrator.name}")`,
    );
  },
};

export const stepLength = number("a positive number of seconds", (value) => value > 0);

/** Rule for the values of a state, which are copied. {@link checkState} names one that is not a number. */
export const stateNumbers: Rule<ArrayLike<number>> = {
  wants: "a list of numbers",
  read(value, place) {
    const length = lengthOf(place, value, "a list of numbers");
    return Array.from({ length }, (_, i) => readValue(place, value as object, i) as number);
  },
};

export const startKind = oneOf("assemble", "asGiven");

export const SIMULATION_SHAPE: Shape<GivenOptions> = {
  method: fixedStepMethod,
  step: needed(stepLength),
  q: stateNumbers,
  v: stateNumbers,
  time: finite,
  start: startKind,
  hold: heldNames,
};

/** Throws if positions or velocities have the wrong length or are not finite. */
export function checkState(what: string, given: unknown, names: readonly string[]): void {
  const count = isList(given) ? given.length : "no";
  if (count !== names.length) {
    throw new NodriftError(
      "STEP",
      `${what} has ${count} numbers; the system has ${names.length} coordinates`,
    );
  }
  for (const [i, name] of names.entries()) {
    const entry = readValue(locationOf(what, "STEP"), given as object, i);
    if (!Number.isFinite(entry)) {
      throw new NodriftError("STEP", `${what} of "${name}" is ${show(entry)}`);
    }
  }
}
