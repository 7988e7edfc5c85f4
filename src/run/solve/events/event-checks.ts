import {
  callback,
  hint,
  inside,
  listOf,
  locationOf,
  needed,
  type OptionLocation,
  oneOf,
  optionError,
  type Rule,
  readOptions,
  readRecord,
  rule,
  type Shape,
  text,
  word,
} from "../../../ground/checking/index.js";
import { NodriftError, SimulationError } from "../../../ground/errors.js";
import type { State } from "../../../seam/index.js";
import type { RowEvent, StopEvent } from "../../held/limits.js";
import { messageOf } from "../leg/failure.js";
import type { EventDirection, EventOptions } from "../setup/event-options.js";
import type { Source } from "../setup/source.js";

/** An event, checked. */
export interface CheckedEvent<T extends State> {
  readonly name: string;
  readonly index: number;
  readonly when: (state: T) => number;
  /** The same; throws if the result is not a number. */
  value(state: T): number;
  readonly direction: EventDirection;
  /** The run ends at this occurrence. */
  readonly last: number;
  readonly action: EventOptions["action"];
  /** Whether it is searched for in a mode. */
  counts(mode: string): boolean;
  /** It belongs to a stop of the mechanism, or to a row that switches. */
  readonly own?: StopEvent | RowEvent;
  /** The side its value is on at a state, whatever the sign says: 1 or -1. Absent if the sign decides. */
  side?(state: T): number;
}

const times: Rule<boolean | number> = rule(
  "true, false or how often it may happen",
  (value) => typeof value === "boolean" || (Number.isSafeInteger(value) && (value as number) >= 1),
);

const EVENT: Shape<EventOptions<Source>> = {
  name: word,
  when: needed(callback("a function of the state")),
  direction: oneOf("rising", "falling", "both"),
  terminal: times,
  modes: listOf(text, "a list of names"),
  action: callback(),
};

const EVENTS = "a list: events: [{ when: ... }]";

export function checkedEvents<T extends State>(
  given: readonly EventOptions<Source>[],
  modes: readonly string[],
): readonly CheckedEvent<T>[] {
  const list: Rule<CheckedEvent<T>> = {
    wants: "{ when: (state) => ... }",
    read: (value, place) => checkedEvent<T>(value, place, modes),
  };
  return listOf(list, EVENTS).read(given, locationOf("solve", "STEP", "events"));
}

function checkedEvent<T extends State>(
  given: unknown,
  place: OptionLocation,
  known: readonly string[],
): CheckedEvent<T> {
  const index = Number(/\d+/.exec(place.path)?.[0]);
  const { name = `event ${index}` } = readRecord(place, given, "{ when: (state) => ... }");
  word.read(name, inside(place, "name"));
  const where = locationOf(`solve: event "${name}"`, "STEP");
  const read = readOptions(where, given, EVENT);
  const { when, direction = "both", terminal = false, action, modes } = read;
  const last = terminal === true ? 1 : terminal === false ? Number.POSITIVE_INFINITY : terminal;
  const missing = modes?.find((mode) => !known.includes(mode));
  if (missing !== undefined) {
    throw optionError(where, `there is no mode "${missing}"${hint(missing, known)}`);
  }
  const counts = (mode: string) => modes?.includes(mode) ?? true;
  const watched = when as (state: State) => number;
  const value = checkedValue(String(name), watched);
  return { name: String(name), index, when: watched, value, direction, last, action, counts };
}

/** Calls of an event function after which it is compared whether they changed the state. */
const WATCHED = 8;

function isChanged({ q, v }: State, kept: readonly number[]): boolean {
  return kept.some((one, i) => one !== (q[i] ?? v[i - q.length]));
}

/** A user function, with errors that say which one. */
function checkedValue(name: string, when: (state: State) => unknown): (state: State) => number {
  let calls = 0;
  return (state) => {
    const { time } = state;
    // All event functions see the same numbers: what one overwrites the others would take for the state.
    const kept = calls++ < WATCHED ? [...state.q, ...state.v] : undefined;
    let value: unknown;
    try {
      value = when(state);
      if (kept !== undefined && isChanged(state, kept)) {
        throw new NodriftError(
          "EVALUATION",
          "it changed q or v of the state, which it must only read",
        );
      }
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
