import type { State } from "../contracts.js";
import { NodriftError, SimulationError } from "../errors.js";
import { checkedEvents, type Watched } from "./event-checks.js";
import type { EventOptions } from "./event-options.js";
import { messageOf } from "./failure.js";
import type { Leg } from "./leg.js";
import type { Source } from "./options.js";
import { findRoot } from "./root.js";

/** Points of a step at which events are looked at. */
const SAMPLES = 4;
/** Zeros are found to this, in units of time, or of the time itself if that is large, or of a shorter span. */
const TIME_TOLERANCE = 1e-12;
/** Part of a step over which the way a value goes is found. */
const NUDGE = 1e-3;
/** Halvings of a bracket in search of the side an event came from. */
const HALVINGS = 40;

const NONE: ReadonlySet<number> = new Set();

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

  readonly #unit: number;

  constructor(options: readonly EventOptions<Source>[], span: readonly [number, number]) {
    this.events = checkedEvents<T>(options);
    this.#unit = Math.min(1, Math.abs(span[1] - span[0]));
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

  /** How well times of zeros are known. */
  near(time: number): number {
    return TIME_TOLERANCE * Math.max(this.#unit, Math.abs(time));
  }

  value({ when, name }: Watched<T>, state: T): number {
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
    for (const event of this.events) {
      this.#next[event.index] = this.#sides[event.index] as number;
      this.#values[event.index] = this.value(event, leg.behind(t, leg.motion.before));
    }
    for (let k = 1; k <= SAMPLES; k++) {
      const [a, b] = [t + (h * (k - 1)) / SAMPLES, k === SAMPLES ? t + h : t + (h * k) / SAMPLES];
      for (const event of this.events) this.#look(event, leg, a, b, t + h);
    }
    const sign = Math.sign(h);
    return this.#found.sort((one, other) => sign * (one.time - other.time));
  }

  /** The step stands as it was looked at. */
  commit(): void {
    for (let i = 0; i < this.#sides.length; i++) this.#sides[i] = this.#next[i] as number;
  }

  #look(event: Watched<T>, leg: Leg<T>, a: number, b: number, end: number): void {
    const { index, direction } = event;
    const value = this.value(event, b === end ? leg.here(b) : leg.glance(b));
    const before = this.#values[index] as number;
    this.#values[index] = value;
    const side = this.#next[index] as number;
    if (side === Math.sign(value)) return;
    if (value === 0 && side !== 0 && this.#touches(event, leg, b, (b - a) * NUDGE, side)) return;
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
    const value = (t: number) => this.value(event, leg.glance(t));
    return findRoot(value, a, to, valueA, valueTo, 0.1 * this.near(to));
  }

  /** A value that is zero at a time is on the same side again right after it: no sign changes. */
  #touches({ when }: Watched<T>, leg: Leg<T>, t: number, nudge: number, side: number): boolean {
    // The function need not be defined beyond its zero.
    try {
      return Math.sign(when(leg.glance(t + nudge))) === side;
    } catch {
      return false;
    }
  }

  /** The side a value goes to from the accepted state: that of its rate. */
  #going(event: Watched<T>, leg: Leg<T>, t: number, h: number, value: number): number {
    const ahead = this.value(event, leg.ahead(t, NUDGE * h));
    return Math.sign(ahead - value);
  }
}
