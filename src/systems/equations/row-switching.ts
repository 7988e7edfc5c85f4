// Rows that act only while a condition holds. A set of acting rows is a system of its own, created when a run first
// needs it; the run changes from one to the other when conditions change their signs
// (docs/decisions/0023-switched-rows.md).

import {
  callback,
  hint,
  isRecord,
  needed,
  options,
  type Rule,
  type Shape,
  wrongValueError,
} from "../../base/checking/index.js";
import { NodriftError, SimulationError } from "../../base/errors.js";
import type { State, SystemSource } from "../../interfaces/index.js";
import type {
  EquationsDescription,
  FunctionResult,
  InputArray,
  NonIdealConstraints,
  OfPosition,
  OfState,
  RowCondition,
  RowConditions,
} from "./description.js";
import type { Equations, RowSwitching, SwitchedRow } from "./equations-types.js";
import { wrong } from "./name-checks.js";
import { type EquationState, expandRows, type RowSelection } from "./state.js";
import { copied, takeReturned, UNWRITTEN } from "./user-functions.js";

/** A condition at a state, not yet validated. */
export type StateCondition = (state: EquationState) => unknown;

/** Conditions that begin and end a row: without an end it acts while `begin` is positive. */
export interface StateConditions {
  readonly begin: StateCondition;
  readonly end?: StateCondition;
}

const CONDITIONS: Shape<RowConditions> = { begin: needed(callback()), end: needed(callback()) };

const WANTED = "a function (q, v, t) => number, positive while the row acts, or { begin, end }";
const conditions = options(CONDITIONS, WANTED);

/** Rule for conditions given by functions. */
export const rowCondition: Rule<RowCondition | RowConditions> = {
  wants: WANTED,
  read(value, place) {
    if (typeof value === "function") return callback<RowCondition>().read(value, place);
    if (!isRecord(value)) throw wrongValueError(place, value, WANTED);
    return conditions.read(value, place);
  },
};

const NONE = new Float64Array(0);

/** Converts conditions given by functions to functions of states. */
export function functionConditions(
  given: RowCondition | RowConditions,
  coordinates: number,
): StateConditions {
  if (typeof given === "function") return { begin: stateCondition(given, coordinates) };
  const { begin, end } = given;
  return { begin: stateCondition(begin, coordinates), end: stateCondition(end, coordinates) };
}

/**
 * Wraps a condition. It receives copies, so that it cannot change the state, and multipliers only if it declares that
 * parameter.
 */
export function stateCondition(given: RowCondition, coordinates: number): StateCondition {
  const [q, v] = [new Float64Array(coordinates), new Float64Array(coordinates)];
  const readsMultipliers = given.length > 3;
  return (state) => {
    const multipliers = (readsMultipliers ? state.multipliers() : NONE) as InputArray;
    return given(copied(state.q, q), copied(state.v, v), state.time, multipliers);
  };
}

/** Creates the switching rows; `make` creates a system in which only some rows act. */
export function rowSwitchingOf(
  system: string,
  rowNames: readonly string[],
  given: ReadonlyMap<string, StateConditions>,
  make: (selection: RowSelection) => Equations | SystemSource,
): RowSwitching {
  for (const name of given.keys()) {
    if (!rowNames.includes(name)) throw wrong(system, `when has "${name}"${hint(name, rowNames)}`);
  }
  const rows = rowNames.flatMap((name) => {
    const own = given.get(name);
    return own ? [switchedRow(system, name, own)] : [];
  });
  const made = new Map<string, Equations | SystemSource>();
  return Object.freeze<RowSwitching>({
    rowNames,
    rows,
    with(acting) {
      const kept = rowNames.filter((name) => acting.has(name) || !given.has(name));
      const key = JSON.stringify(kept);
      const source = made.get(key) ?? make({ rowNames, acting: new Set(kept) });
      made.set(key, source);
      return source;
    },
  });
}

function switchedRow(system: string, name: string, { begin, end }: StateConditions): SwitchedRow {
  return {
    name,
    isOneSided: end !== undefined,
    height(given: State) {
      const state = given as EquationState;
      if (end !== undefined && state.acts(name))
        return -conditionValue(system, name, ".end", end, state);
      return conditionValue(system, name, end ? ".begin" : "", begin, state);
    },
  };
}

/** Returns the value of a condition; throws an error that names the row if it has none. */
function conditionValue(
  system: string,
  row: string,
  part: string,
  condition: StateCondition,
  state: EquationState,
): number {
  const { time } = state;
  const where = `${system}: when["${row}"]${part}`;
  let value: unknown;
  try {
    value = condition(state);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new NodriftError("EVALUATION", `${where} failed at t = ${time}: ${message}`, { cause });
  }
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new SimulationError(
    "EVALUATION",
    time,
    `${where} gave ${String(value)} at t = ${time}; it must be a finite number whose sign says whether the row acts`,
  );
}

/** Returns the description with only some of its rows. Functions that write all rows are called unchanged. */
export function withRows(
  { name, description, coordinateNames, holonomicNames, nonholonomicNames }: Equations,
  { rowNames, acting }: RowSelection,
): EquationsDescription {
  const { holonomic, nonholonomic, nonIdeal, ...rest } = description;
  const n = coordinateNames.length;
  const first = new RowPicker(name, "holonomic", holonomicNames, acting);
  const second = new RowPicker(name, "nonholonomic", nonholonomicNames, acting);
  return {
    ...rest,
    ...(holonomic &&
      first.names.length > 0 && {
        holonomic: present({
          rows: first.names,
          value: first.ofPosition("value", holonomic.value, 1),
          jacobian: first.ofPosition("jacobian", holonomic.jacobian, n),
          timeDerivative: first.ofPosition("timeDerivative", holonomic.timeDerivative, 1),
          gamma: first.ofState("gamma", holonomic.gamma, 1),
        }),
      }),
    ...(nonholonomic &&
      second.names.length > 0 && {
        nonholonomic: present({
          rows: second.names,
          value: second.ofState("value", nonholonomic.value, 1),
          jacobian: second.ofState("jacobian", nonholonomic.jacobian, n),
          gamma: second.ofState("gamma", nonholonomic.gamma, 1),
        }),
      }),
    ...(nonIdeal && acting.size > 0 && { nonIdeal: ofAllRows(nonIdeal, rowNames, acting) }),
  };
}

/** Removes undefined members, since absent options must stay absent. */
function present<T extends object>(given: T): { [K in keyof T]-?: Exclude<T[K], undefined> } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]-?: Exclude<T[K], undefined> };
}

/** Converts functions of all rows of a group to functions of the acting rows. */
class RowPicker {
  readonly names: readonly string[];
  readonly #system: string;
  readonly #group: string;
  readonly #count: number;
  readonly #kept: readonly number[];

  constructor(system: string, group: string, all: readonly string[], acting: ReadonlySet<string>) {
    this.#system = system;
    this.#group = group;
    this.#count = all.length;
    this.#kept = [...all.keys()].filter((row) => acting.has(all[row]!));
    this.names = this.#kept.map((row) => all[row]!);
  }

  ofPosition<F extends OfPosition | undefined>(part: string, all: F, width: number): F {
    if (all === undefined) return all;
    const full = new Float64Array(this.#count * width);
    const some: OfPosition = (q, out, t) => {
      full.fill(out[0]!);
      this.#take(part, all(q, full, t), full, out, t);
    };
    return likeLong(all, some) as F;
  }

  ofState<F extends OfState | undefined>(part: string, all: F, width: number): F {
    if (all === undefined) return all;
    const full = new Float64Array(this.#count * width);
    const some: OfState = (q, v, out, t) => {
      full.fill(out[0]!);
      this.#take(part, all(q, v, full, t), full, out, t);
    };
    return likeLong(all, some) as F;
  }

  /** `out` keeps its fill values if the function wrote nothing at all, which is reported. Entries left out are zero. */
  #take(
    part: string,
    result: FunctionResult,
    full: Float64Array,
    out: Float64Array,
    t: number,
  ): void {
    if (result !== undefined) {
      takeReturned(this.#system, `${this.#group}.${part}`, result, full, t);
    } else if (full.every((value) => value === UNWRITTEN)) return;
    const kept = this.#kept;
    const width = out.length / kept.length;
    for (let i = 0; i < kept.length; i++) {
      for (let k = 0; k < width; k++) {
        const value = full[kept[i]! * width + k]!;
        out[i * width + k] = value === UNWRITTEN ? 0 : value;
      }
    }
  }
}

/** Preserves the number of declared parameters, which shows whether a function depends on time. */
function likeLong<F extends OfPosition | OfState>(all: F, some: F): F {
  return Object.defineProperty(some, "length", { value: all.length });
}

/** The law of the description receives the multipliers of all rows: zero for rows that do not act. */
function ofAllRows(
  given: NonIdealConstraints,
  rowNames: readonly string[],
  acting: ReadonlySet<string>,
): NonIdealConstraints {
  const all = new Float64Array(rowNames.length);
  return {
    ...given,
    force: (q, v, some, out, t) =>
      given.force(q, v, expandRows(rowNames, acting, some, all) as InputArray, out, t),
  };
}
