import type { State } from "../contracts.js";
import { NodriftError, SimulationError } from "../errors.js";
import { wrong } from "./checks.js";
import type { Direction, EventOptions } from "./event-options.js";
import { messageOf } from "./failure.js";
import type { Source } from "./sources.js";

/** An event, checked. */
export interface Watched<T extends State> {
  readonly name: string;
  readonly index: number;
  readonly when: (state: T) => number;
  /** The same; refuses what is no number. */
  value(state: T): number;
  readonly direction: Direction;
  /** The run ends at its so-many-th time. */
  readonly last: number;
  readonly action: EventOptions["action"];
  /** It is looked for in a mode. */
  counts(mode: string): boolean;
}

const KNOWN: readonly (keyof EventOptions)[] = [
  "name",
  "when",
  "direction",
  "terminal",
  "modes",
  "action",
];

export function checkedEvents<T extends State>(
  given: readonly EventOptions<Source>[],
  modes: readonly string[],
): readonly Watched<T>[] {
  if (!Array.isArray(given)) throw wrong("events must be a list: events: [{ when: ... }]");
  return given.map((event, index) => checkedEvent<T>(event, index, modes));
}

function checkedEvent<T extends State>(
  given: EventOptions<Source>,
  index: number,
  known: readonly string[],
): Watched<T> {
  if (typeof given !== "object" || given === null) {
    throw wrong(`events[${index}] is ${String(given)}; give { when: (state) => ... }`);
  }
  const {
    name = `event ${index}`,
    when,
    direction = "both",
    terminal = false,
    action,
    modes,
  } = given;
  const refusal = (what: string) => wrong(`event "${name}": ${what}`);
  const unknown = Object.keys(given).find((key) => !(KNOWN as readonly string[]).includes(key));
  if (unknown !== undefined) {
    throw refusal(`there is no option "${unknown}"; there are: ${KNOWN.join(", ")}`);
  }
  if (typeof when !== "function") throw refusal("`when` must be a function of the state");
  if (action !== undefined && typeof action !== "function") {
    throw refusal("`action` must be a function");
  }
  if (!["rising", "falling", "both"].includes(direction)) {
    throw refusal(`direction is "${direction}"; give "rising", "falling" or "both"`);
  }
  const last = terminal === true ? 1 : terminal === false ? Number.POSITIVE_INFINITY : terminal;
  if (!(last === Number.POSITIVE_INFINITY || (Number.isInteger(last) && last >= 1))) {
    throw refusal(`terminal is ${String(terminal)}; give true, false or how often it may happen`);
  }
  if (modes !== undefined && !Array.isArray(modes)) throw refusal("modes must be a list of names");
  const missing = modes?.find((mode) => !known.includes(mode));
  if (missing !== undefined) {
    throw refusal(`there is no mode "${missing}"; there are: "${known.join('", "')}"`);
  }
  const counts = (mode: string) => modes?.includes(mode) ?? true;
  const watched = when as (state: State) => number;
  const value = checkedValue(name, watched);
  return { name, index, when: watched, value, direction, last, action, counts };
}

/** A function of the user, with errors that say which one. */
function checkedValue(name: string, when: (state: State) => unknown): (state: State) => number {
  return (state) => {
    const { time } = state;
    let value: unknown;
    try {
      value = when(state);
    } catch (cause) {
      throw new NodriftError(
        "EVALUATION",
        `event "${name}": \`when\` failed at t = ${time}: ${messageOf(cause)}`,
        { cause },
      );
    }
    if (typeof value === "number" && !Number.isNaN(value)) return value;
    throw new SimulationError(
      "EVALUATION",
      time,
      `event "${name}": \`when\` gave ${String(value)} at t = ${time}; it must be a number that is zero ` +
        "where the event is",
    );
  };
}
