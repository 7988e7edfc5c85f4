import type { State } from "../contracts.js";
import { NodriftError } from "../errors.js";
import type { EventRecord } from "./event-options.js";
import { EventWatch, type Occurrence, TIME_TOLERANCE } from "./event-watch.js";
import { happeningOf, type Wishes } from "./happening.js";
import type { Leg } from "./leg.js";
import type { Setup } from "./setup.js";

/** Attempts to end a step right on an event. */
const LANDINGS = 4;
/** So many events in a row, each closer to the last than this part of the span, are a storm. */
const STORM = { events: 20, part: 1e-9 } as const;

/** The events of a run: found, met, told. */
export class EventLog<T extends State> {
  readonly watch: EventWatch<T>;
  readonly records: EventRecord<T>[] = [];
  counts: number[];
  readonly #span: number;
  #lastTime = Number.NaN;
  #inRow = 0;

  constructor({ events, span }: Setup<T>) {
    this.watch = new EventWatch<T>(events);
    this.counts = this.watch.events.map(() => 0);
    this.#span = Math.abs(span[1] - span[0]);
  }

  get isEmpty(): boolean {
    return this.watch.events.length === 0;
  }

  /** The first of some zeros at which the run has to stop and act. */
  landing(found: readonly Occurrence<T>[]): Occurrence<T> | undefined {
    const counts = [...this.counts];
    return found.find(({ event }) => {
      const count = (counts[event.index] as number) + 1;
      counts[event.index] = count;
      return event.action !== undefined || count >= event.last;
    });
  }

  /**
   * Takes the step again so that it ends on an event, and gives the time. The zero was found on a polynomial;
   * what counts is the value where the step really ends, so the end is moved until that is zero.
   */
  land(leg: Leg<T>, t: number, { event, time }: Occurrence<T>): number {
    const { motion } = leg;
    let end = time;
    const nudge = 1e-4 * (time - t);
    const value = (at: number) => this.watch.value(event, leg.glance(at));
    const rate = nudge === 0 ? 0 : (value(time) - value(time - nudge)) / nudge;
    const near = 0.1 * TIME_TOLERANCE * Math.max(1, Math.abs(time));
    let last = Number.POSITIVE_INFINITY;
    for (let i = 0; i < LANDINGS; i++) {
      motion.undo();
      if (end === t) return t;
      motion.attempt(t, end - t);
      const off = -this.watch.value(event, leg.here(end)) / rate;
      if (!(Math.abs(off) > near) || !(Math.abs(off) < last)) break;
      if (i === LANDINGS - 1 || (end + off - t) * (end - t) <= 0) break;
      last = Math.abs(off);
      end += off;
    }
    return end;
  }

  /** Notes an event that changes nothing. */
  pass({ event, rising }: Occurrence<T>, leg: Leg<T>, state: T): void {
    const index = event.index;
    this.counts[index] = (this.counts[index] as number) + 1;
    const direction = rising ? "rising" : "falling";
    const { name } = event;
    const { time } = state;
    const { mode } = leg;
    this.records.push({
      name,
      index,
      time,
      direction,
      before: state,
      after: state,
      impulses: {},
      mode,
    });
  }

  /** Calls the actions of events at the accepted state, in the order they were given. */
  act(leg: Leg<T>, time: number, met: readonly Occurrence<T>[], before: T): Wishes {
    const events = met.map(({ event }) => event.name);
    const wishes: Wishes = { mode: undefined, stop: undefined, bounced: new Set() };
    leg.impulses.clear();
    for (const each of met) {
      const { action, index } = each.event;
      this.counts[index] = (this.counts[index] as number) + 1;
      action?.(happeningOf(leg, this.watch, each, { time, before, events }, wishes));
    }
    const bad = [...leg.q, ...leg.v].findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) {
      throw new NodriftError(
        "STEP",
        `the action of event "${events.join('", "')}" left a state that is not finite`,
      );
    }
    const ending = met.find(({ event }) => (this.counts[event.index] as number) >= event.last);
    if (ending) wishes.stop ??= `event "${ending.event.name}" at t = ${time}`;
    return wishes;
  }

  /** Notes events with both sides. */
  note(
    met: readonly Occurrence<T>[],
    sides: Pick<EventRecord<T>, "time" | "before" | "after" | "impulses" | "mode">,
  ): void {
    for (const { event, rising } of met) {
      const direction = rising ? "rising" : "falling";
      this.records.push({ name: event.name, index: event.index, direction, ...sides });
    }
  }

  /** True when events follow each other ever more closely. */
  isStorm(time: number): boolean {
    const close = Math.abs(time - this.#lastTime) <= STORM.part * this.#span;
    this.#inRow = close ? this.#inRow + 1 : 0;
    this.#lastTime = time;
    return this.#inRow >= STORM.events;
  }

  static readonly storm = STORM;

  save(): readonly (readonly number[])[] {
    return [[...this.watch.sides], [...this.counts], [this.#lastTime, this.#inRow]];
  }

  /** Goes on from what was saved; events are told from there on. */
  restore([
    sides = [],
    counts = [],
    [lastTime = Number.NaN, inRow = 0] = [],
  ]: readonly (readonly number[])[]): void {
    this.records.length = 0;
    this.watch.restore(sides);
    this.counts = [...counts];
    this.#lastTime = lastTime;
    this.#inRow = inRow;
  }
}

/** Zeros that are at the same time as one, as far as can be told. */
export function simultaneous<T extends State>(
  found: readonly Occurrence<T>[],
  one: Occurrence<T>,
): readonly Occurrence<T>[] {
  const near = 10 * TIME_TOLERANCE * Math.max(1, Math.abs(one.time));
  return found.filter(({ time }) => Math.abs(time - one.time) <= near);
}
