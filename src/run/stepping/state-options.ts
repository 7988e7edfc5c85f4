import { finite, isList, optionsOf, rule, type Shape } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { System, Turns } from "../../seam/index.js";
import { shownCoordinates } from "../public/state-view.js";
import { checkState, startKind } from "./options.js";

/** Options of setState. */
export interface StateOptions {
  /** "assemble" projects the state onto the constraints; "asGiven" uses it unchanged. Default: "assemble". */
  readonly start?: "assemble" | "asGiven";
  /** Time of the state. Default: the present time. */
  readonly time?: number;
  /**
   * Unwrapped joint angles: `turns` of another state, or radians by joint name. Default: the value nearest to the
   * present angle.
   */
  readonly turns?: ArrayLike<number> | Readonly<Record<string, number>>;
}

const SHAPE: Shape<StateOptions> = {
  start: startKind,
  time: finite,
  turns: rule<NonNullable<StateOptions["turns"]>>(
    "those of a state, or angles by joints",
    (value) => typeof value === "object" && value !== null,
  ),
};

/** Options with all defaults; `turns` are numbers to be written, where some are given. */
export function checkedState(
  system: System,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  now: number,
  given: StateOptions | StateOptions["start"] = {},
): { start: "assemble" | "asGiven"; time: number; turns: Float64Array | undefined } {
  const { velocityNames, positionNames = velocityNames } = shownCoordinates(system);
  checkState("q", q, positionNames);
  checkState("v", v, velocityNames);
  const object = typeof given === "object" && given !== null ? given : { start: given };
  const options = optionsOf("setState", "STEP", object, SHAPE);
  const { start = "assemble", time = now } = options;
  return { start, time, turns: checkedTurns(options.turns, system.continuation.turns) };
}

/** Options of `setState` that no later change reaches. */
export function plainOptions(options: StateOptions | StateOptions["start"]): StateOptions {
  const given = typeof options === "object" ? options : options ? { start: options } : {};
  const { turns } = given;
  return { ...given, ...(isList(turns) && { turns: Array.from(turns as ArrayLike<number>) }) };
}

/** What belongs to the accepted state besides q and v: a copy. */
export function turnsNow(turns: Turns | undefined): Float64Array {
  const values = new Float64Array(turns?.count ?? 0);
  turns?.read(values);
  return values;
}

function checkedTurns(
  given: StateOptions["turns"],
  turns: Turns | undefined,
): Float64Array | undefined {
  if (given === undefined) return undefined;
  const names = turns?.names ?? [];
  const values = isNumbers(given) ? listed(given, names) : named(given, turnsNow(turns), names);
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return values;
  throw new NodriftError("STEP", `turns of "${names[bad]}" is ${values[bad]}`);
}

function isNumbers(given: NonNullable<StateOptions["turns"]>): given is ArrayLike<number> {
  return isList(given);
}

function listed(given: ArrayLike<number>, names: readonly string[]): Float64Array {
  if (given.length === names.length) return Float64Array.from(given);
  const what = names.length > 0 ? `: ${names.join(", ")}` : "";
  throw new NodriftError(
    "STEP",
    `turns has ${given.length} numbers; the system has ${names.length}${what}`,
  );
}

function named(
  given: Readonly<Record<string, number>>,
  values: Float64Array,
  names: readonly string[],
): Float64Array {
  if (typeof given !== "object" || given === null) {
    throw new NodriftError("STEP", `turns is ${given}; give those of a state, or angles by joints`);
  }
  for (const [name, value] of Object.entries(given)) {
    const index = names.indexOf(name);
    if (index < 0) {
      const there = names.length > 0 ? `; there are: ${names.join(", ")}` : ": the system has none";
      throw new NodriftError("STEP", `turns: no joint with an angle is named "${name}"${there}`);
    }
    values[index] = value;
  }
  return values;
}
