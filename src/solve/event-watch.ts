import type { State } from "../contracts.js";
import { NodriftError, SimulationError } from "../errors.js";
import type { Direction, EventOptions } from "./event-options.js";
import type { Leg } from "./leg.js";
import { findRoot } from "./root.js";
import type { Source } from "./source.js";

/** Points of a step at which events are looked at. */
const SAMPLES = 4;
/** Zeros are found to this, in units of time (or of the time itself, if that is large). */
export const TIME_TOLERANCE = 1e-12;
/** Part of a step over which the way a value goes is found. */
const NUDGE = 1e-3;
/** Halvings of a bracket in search of the side an event came from. */
const HALVINGS = 40;

const NONE: ReadonlySet<number> = new Set();

/** An event, checked. */
export interface Watched<T extends State> {
  readonly name: string;
  readonly index: number;
  readonly when: (state: T) => number;
  readonly direction: Direction;
  /** The run ends at its so-many-th time. */
  readonly last: number;
  readonly action: EventOptions["action"];
}

/** A zero that was found. */
export interface Occurrence<T extends State> {
  readonly event: Watched<T>;
  readonly time: number;
  readonly rising: boolean;
}

/** The sides on which the events of a run are, and where they change. */
export class EventWatch<T extends State> {
  readonly events: readonly Watched<T>[];
  /** -1, 0 or 1: 0 where the side is not known yet. */
  #sides: number[];
  #values: number[];
  #next: number[];
  readonly #found: Occurrence<T>[] = [];

  constructor(options: readonly EventOptions<Source>[] = []) {
    this.events = options.map((event, index) => checkedEvent<T>(event, index));
    this.#sides = this.events.map(() => 0);
    this.#values = this.events.map(() => 0);
    this.#next = this.events.map(() => 0);
  }

  get sides(): readonly number[] {
    return this.#sides;
  }

  restore(sides: readonly number[]): void {
    this.#sides = [...sides];
  }

  value({ when, name }: Watched<T>, state: T): number {
    const value = when(state);
    if (typeof value === "number" && !Number.isNaN(value)) return value;
    const { time } = state;
    throw new SimulationError(
      "EVALUATION",
      time,
      `event "${name}": \`when\` gave ${String(value)} at t = ${time}; it must be a number that is zero ` +
        "where the event is",
    );
  }

  /**
   * Takes the side of each event from the accepted state. Where the value is zero, or the event just
   * happened there, the side is the one it is going to; events that were made to turn round are on the side
   * they came from, even if they hardly leave it.
   */
  arm(
    leg: Leg<T>,
    t: number,
    h: number,
    met: readonly Occurrence<T>[] = [],
    bounced: ReadonlySet<number> = NONE,
  ): void {
    for (const event of this.events) {
      const { index } = event;
      const value = this.value(event, leg.here(t));
      const happened = met.find((each) => each.event === event);
      if (happened && bounced.has(index)) this.#sides[index] = happened.rising ? -1 : 1;
      else if (happened || value === 0) this.#sides[index] = this.#going(event, leg, t, h, value);
      else this.#sides[index] = Math.sign(value);
    }
  }

  /** Zeros in the step that has been taken, but not been committed, in the order they are met. */
  find(leg: Leg<T>, t: number, h: number): readonly Occurrence<T>[] {
    this.#found.length = 0;
    const behind = leg.behind(t, leg.motion.before);
    for (const event of this.events) {
      this.#next[event.index] = this.#sides[event.index] as number;
      this.#values[event.index] = this.value(event, behind);
    }
    for (let k = 1; k <= SAMPLES; k++) this.#sample(leg, t, h, k);
    return this.#found.length < 2 ? this.#found : inOrder(this.#found, Math.sign(h));
  }

  /** Looks at all events at one point of the step. */
  #sample(leg: Leg<T>, t: number, h: number, k: number): void {
    const b = k === SAMPLES ? t + h : t + (h * k) / SAMPLES;
    const state = this.#at(leg, b, k);
    for (const event of this.events) {
      const { index } = event;
      const value = this.value(event, state);
      const before = this.#values[index] as number;
      this.#values[index] = value;
      if (this.#next[index] === Math.sign(value)) continue;
      this.#change(event, leg, t + (h * (k - 1)) / SAMPLES, b, before, value);
      this.#at(leg, b, k);
    }
  }

  #at(leg: Leg<T>, time: number, k: number): T {
    return k === SAMPLES ? leg.here(time) : leg.glance(time);
  }

  /** The step stands as it was looked at. */
  commit(): void {
    for (let i = 0; i < this.#sides.length; i++) this.#sides[i] = this.#next[i] as number;
  }

  /** The value of an event is no longer on the side it was. */
  #change(
    event: Watched<T>,
    leg: Leg<T>,
    a: number,
    b: number,
    before: number,
    value: number,
  ): void {
    const { index, direction } = event;
    const side = this.#next[index] as number;
    // On the zero itself: where it goes from here is seen later.
    this.#next[index] = Math.sign(value);
    if (side === 0) return;
    const rising = side < 0;
    if (direction !== "both" && rising !== (direction === "rising")) return;
    const time = value === 0 ? b : this.#locate(event, leg, a, b, before, value, side);
    this.#found.push({ event, time, rising });
  }

  #locate(
    event: Watched<T>,
    leg: Leg<T>,
    from: number,
    to: number,
    valueFrom: number,
    valueTo: number,
    side: number,
  ): number {
    let [a, valueA] = [from, valueFrom];
    // Right after an event its value may still be a rounding error on the other side.
    for (let k = HALVINGS; k > 0 && Math.sign(valueA) !== side; k--) {
      a = from + (to - from) / 2 ** k;
      valueA = this.value(event, leg.glance(a));
    }
    if (Math.sign(valueA) !== side) return from;
    const tolerance = 0.1 * TIME_TOLERANCE * Math.max(1, Math.abs(to));
    const value = (t: number) => this.value(event, leg.glance(t));
    return findRoot(value, a, to, valueA, valueTo, tolerance);
  }

  /** The side a value goes to from the accepted state: that of its rate. */
  #going(event: Watched<T>, leg: Leg<T>, t: number, h: number, value: number): number {
    const ahead = this.value(event, leg.ahead(t, NUDGE * h));
    return Math.sign(ahead - value);
  }
}

/** Apart from where it is used: a function made there would be made in each step. */
function inOrder<T extends State>(found: Occurrence<T>[], sign: number): Occurrence<T>[] {
  return found.sort((one, other) => sign * (one.time - other.time));
}

function checkedEvent<T extends State>(given: EventOptions<Source>, index: number): Watched<T> {
  const { name = `event ${index}`, when, direction = "both", terminal = false, action } = given;
  const wrong = (what: string) => new NodriftError("STEP", `solve: event "${name}": ${what}`);
  if (typeof when !== "function") throw wrong("`when` must be a function of the state");
  if (action !== undefined && typeof action !== "function") {
    throw wrong("`action` must be a function");
  }
  if (!["rising", "falling", "both"].includes(direction)) {
    throw wrong(`direction is "${direction}"; give "rising", "falling" or "both"`);
  }
  const last = terminal === true ? 1 : terminal === false ? Number.POSITIVE_INFINITY : terminal;
  if (!(last >= 1))
    throw wrong(`terminal is ${terminal}; give true, false or how often it may happen`);
  return { name, index, when: when as (state: State) => number, direction, last, action };
}
