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
} from "../../../base/checking/index.js";
import { NodriftError, SimulationError } from "../../../base/errors.js";
import type { State } from "../../../interfaces/index.js";
import type { RowEvent, StopEvent } from "../../contact/contact.js";
import { messageOf } from "../mode-solver/failure.js";
import type { ModeSolver } from "../mode-solver/mode-solver.js";
import type { EventDirection, EventOptions, Source } from "../setup/options.js";

/** An event, checked. */
export interface CheckedEvent<T extends State> {
  readonly name: string;
  readonly index: number;
  readonly when: (state: T) => number;
  /** Value of `when`; throws if the result is not a number. */
  value(state: T): number;
  readonly direction: EventDirection;
  /** Occurrence at which the run ends. */
  readonly last: number;
  readonly action: EventOptions["action"];
  /** Whether it is active in a mode. */
  counts(mode: string): boolean;
  /** The stop of the mechanism, or the switching row, that it belongs to. */
  readonly own?: StopEvent | RowEvent;
  /** Side of its value at a state, regardless of the sign: 1 or -1. Absent if the sign decides. */
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
    read: (value, location) => checkedEvent<T>(value, location, modes),
  };
  return listOf(list, EVENTS).read(given, locationOf("solve", "STEP", "events"));
}

function checkedEvent<T extends State>(
  given: unknown,
  location: OptionLocation,
  known: readonly string[],
): CheckedEvent<T> {
  const index = Number(/\d+/.exec(location.path)?.[0]);
  const { name = `event ${index}` } = readRecord(location, given, "{ when: (state) => ... }");
  word.read(name, inside(location, "name"));
  const where = locationOf(`solve: event "${name}"`, "STEP");
  const read = readOptions(where, given, EVENT);
  const { when, direction = "both", terminal = false, action, modes } = read;
  const last = terminal === true ? 1 : terminal === false ? Number.POSITIVE_INFINITY : terminal;
  const missing = modes?.find((mode) => !known.includes(mode));
  if (missing !== undefined) {
    throw optionError(where, `there is no mode "${missing}"${hint(missing, known)}`);
  }
  const counts = (mode: string) => modes?.includes(mode) ?? true;
  const userFunction = when as (state: State) => number;
  const value = checkedValue(String(name), userFunction);
  return { name: String(name), index, when: userFunction, value, direction, last, action, counts };
}

/** Number of calls of an event function after which the state is checked for changes. */
const CHECKED_CALLS = 8;

function isChanged({ q, v }: State, copy: readonly number[]): boolean {
  return copy.some((one, i) => one !== (q[i] ?? v[i - q.length]));
}

/** Wraps a user function with errors that name the event. */
function checkedValue(name: string, when: (state: State) => unknown): (state: State) => number {
  let calls = 0;
  return (state) => {
    const { time } = state;
    // All event functions read the same arrays: changes by one would corrupt the state for the others.
    const copy = calls++ < CHECKED_CALLS ? [...state.q, ...state.v] : undefined;
    let value: unknown;
    try {
      value = when(state);
      if (copy !== undefined && isChanged(state, copy)) {
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
      `event "${name}": \`when\` returned ${String(value)} at t = ${time}; it must return a number that is zero ` +
        "at the event",
    );
  };
}

/** Insignificant errors of coordinates, relative and absolute: rounding, or left by constraints. */
export const DISTURBANCE = 1e-12;

/** Odd numbers whose multiples have uncorrelated bits, and so signs. */
export const MIXERS = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d] as const;

/** Noise of an event function due to rounding-level errors of the accepted state. */
export function noiseOf<T extends State>(
  event: CheckedEvent<T>,
  solver: ModeSolver<T>,
  t: number,
): number {
  const value = event.value(solver.viewer.atAccepted(t));
  let noise = 0;
  for (const mixer of MIXERS) {
    const state = solver.viewer.atAccepted(t);
    disturb(state.q, mixer);
    disturb(state.v, mixer + 2);
    noise = Math.max(noise, Math.abs(event.value(state) - value));
  }
  return noise;
}

/** Disturbs values by rounding-level errors. */
export function disturb(values: Float64Array, mixer: number): void {
  for (let i = 0; i < values.length; i++) {
    const sign = (Math.imul(2 * i + 1, mixer) >>> 20) & 1 ? 1 : -1;
    values[i] = values[i]! + sign * DISTURBANCE * (1 + Math.abs(values[i]!));
  }
}
