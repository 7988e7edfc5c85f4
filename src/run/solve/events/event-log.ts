import { NodriftError, StepFailure } from "../../../ground/errors.js";
import type { State } from "../../../seam/index.js";
import { messageOf } from "../leg/failure.js";
import type { Leg } from "../leg/leg.js";
import type { Motion } from "../motion/motion.js";
import type { EventRecord } from "../setup/event-options.js";
import type { Setup } from "../setup/setup.js";
import type { CheckedEvent } from "./event-checks.js";
import { type ActionRequests, type EventInstant, eventContext } from "./event-context.js";
import { EventLocator, LOCATED, type Occurrence } from "./event-location.js";

/** Attempts to end a step right on an event. */
const LANDINGS = 4;
/** Factor by which zeros may be farther apart and count as one, for each landing beyond these: the search must end. */
const WIDER = 4;
/** This many events in a row, each closer to the last than this part of the span, are a storm. */
const STORM = { events: 20, part: 1e-9 } as const;

/** What a step has met. */
export interface LocatedEvents<T extends State> {
  /** Where it ends now. */
  readonly end: number;
  /** Zeros on the way that need no action. */
  readonly passed: readonly Occurrence<T>[];
  /** Those at its end that require an action, in the order of the options. */
  readonly met: readonly Occurrence<T>[];
  /** They have just happened at this very time. */
  readonly stuck: boolean;
}

/** Locates, handles and records the events of a run. */
export class EventLog<T extends State> {
  readonly locator: EventLocator<T>;
  readonly records: EventRecord<T>[] = [];
  counts: number[];
  readonly #span: number;
  #lastTime = Number.NaN;
  #inRow = 0;
  /** By how much of time the last landing missed its zero. */
  #missed = 0;
  readonly #notes: string[];

  constructor(setup: Setup<T>, own: readonly CheckedEvent<T>[], notes: string[]) {
    const { span } = setup;
    this.#notes = notes;
    this.locator = new EventLocator<T>(setup, own);
    this.counts = this.locator.events.map(() => 0);
    this.#span = Math.abs(span[1] - span[0]);
  }

  get isEmpty(): boolean {
    return this.locator.events.length === 0;
  }

  /**
   * Finds the zeros in a step that has been taken, but not been committed. The step is repeated to end at the first one
   * that requires an action; zeros before its end are then searched for on the repeated step. Undefined if there are
   * none.
   */
  search(leg: Leg<T>, t: number, to: number): LocatedEvents<T> | undefined {
    let passed = this.#find(leg, t, to);
    if (passed.length === 0) {
      this.locator.commit();
      return undefined;
    }
    let end = to;
    let met: readonly Occurrence<T>[] = [];
    let landings = 0;
    let wider = 1;
    for (let landing = this.#landing(passed); landing; landing = this.#landing(passed)) {
      let near = 10 * this.locator.near(landing.time);
      met = passed.filter(({ time }) => Math.abs(time - landing!.time) <= near);
      const landed = this.#land(leg, t, landing);
      if (landed === undefined) met = [];
      end = landed ?? this.#stepShorter(leg, t, landing.time - t);
      // Zeros that are no nearer than steps can be ended on them are the ones that were landed on.
      if (++landings > LANDINGS) wider *= WIDER;
      near = wider * Math.max(near, 2 * this.#missed);
      const again = end === t ? [] : this.#find(leg, t, end);
      passed = again.filter(({ time }) => Math.abs(time - end) > near);
      met = [...met, ...again.filter((one) => !passed.includes(one) && !has(met, one))];
    }
    const stuck = end === t && this.locator.isStuck(met);
    if (met.length === 0) this.locator.commit();
    else this.locator.reach(leg, t, end, met);
    met = [...met].sort((a, b) => a.event.index - b.event.index);
    return { end, passed, met, stuck };
  }

  #find(leg: Leg<T>, t: number, end: number): readonly Occurrence<T>[] {
    leg.look.interpolation.prepare(t, end - t);
    const found = this.locator.find(leg, t, end - t);
    this.#noteIncomplete(t);
    return found.length === 0 ? found : [...found];
  }

  /** Notes events that change faster than steps can be sampled, or that are rounding of zero, each once. */
  #noteIncomplete(t: number): void {
    const { events, scans } = this.locator;
    for (let i = 0; i < events.length; i++) {
      const { isIncomplete, isRounding, largest } = scans[i]!;
      if (!isIncomplete && !isRounding) continue;
      const [finding, advice] = isRounding
        ? [`is zero but for rounding (${largest.toExponential(0)})`, "its events mean nothing"]
        : [
            "changes too fast to find every zero",
            "events may be missing. Give a smaller maximumStep, or a function that is smooth",
          ];
      const beginning = `event "${events[i]!.name}": \`when\` ${finding.slice(0, 12)}`;
      if (this.#notes.some((note) => note.startsWith(beginning))) continue;
      this.#notes.push(
        `event "${events[i]!.name}": \`when\` ${finding}, first in the step from t = ${t}: ${advice}`,
      );
    }
  }

  /** The first zero with an action or that is terminal. */
  #landing(found: readonly Occurrence<T>[]): Occurrence<T> | undefined {
    const counts = [...this.counts];
    return found.find(({ event }) => {
      const count = (counts[event.index] as number) + 1;
      counts[event.index] = count;
      return event.action !== undefined || count >= event.last;
    });
  }

  /**
   * Takes the step again so that it ends on an event, and gives the time. The zero was found on a polynomial;
   * what counts is the value where the step really ends, so the end is moved until that is zero. Undefined
   * where the method refuses that step. The end of an implicit step is no smooth function of its length: iterations
   * leave a part of the tolerance, and another one where they are one more. By that time `#missed` tells.
   */
  #land(leg: Leg<T>, t: number, { event, time }: Occurrence<T>): number | undefined {
    const { motion } = leg;
    let end = time;
    const nudge = 1e-4 * (time - t);
    const value = (at: number) => event.value(leg.look.atInterpolated(at));
    const reached = value(time);
    const rate = nudge === 0 ? 0 : (reached - value(time - nudge)) / nudge;
    const near = LOCATED * this.locator.near(time);
    // A discontinuous event function has no zero to iterate to.
    const jumps = Math.abs(reached) > this.locator.near(time) * Math.abs(rate);
    let last = Number.POSITIVE_INFINITY;
    this.#missed = 0;
    for (let i = 0; i < LANDINGS; i++) {
      motion.undo();
      if (end === t) return t;
      if (!tried(motion, t, end - t)) return undefined;
      const off = -event.value(leg.look.atAccepted(end)) / rate;
      this.#missed = jumps || !Number.isFinite(off) ? 0 : Math.abs(off);
      if (jumps || !(Math.abs(off) > near) || !(Math.abs(off) < last)) break;
      if (i === LANDINGS - 1 || (end + off - t) * (end - t) <= 0) break;
      last = Math.abs(off);
      end += off;
    }
    return end;
  }

  /** Takes a shorter step, which the method does not refuse, and gives its end: the event comes later. */
  #stepShorter({ motion }: Leg<T>, t: number, h: number): number {
    for (let part = h / 2; ; part /= 2) {
      motion.undo();
      if (t + part === t || tried(motion, t, part)) return t + part;
    }
  }

  /** Records an event without an action. */
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
  act(leg: Leg<T>, met: readonly Occurrence<T>[], present: EventInstant<T>): ActionRequests {
    const { time } = present;
    const wishes: ActionRequests = { mode: undefined, stop: undefined, bounced: new Set() };
    leg.impulses.clear();
    for (const each of met) {
      const { action, index, name } = each.event;
      this.counts[index] = (this.counts[index] as number) + 1;
      if (!action) continue;
      try {
        const result: unknown = action(eventContext(leg, each, present, wishes));
        checkDone(result);
        checkFinite(leg);
      } catch (cause) {
        throw new NodriftError(
          cause instanceof NodriftError ? cause.code : "EVALUATION",
          `event "${name}": its action failed at t = ${time}: ${messageOf(cause)}`,
          { cause },
        );
      }
    }
    this.locator.acted(leg, time, met);
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
      if (event.own?.kind === "touch") continue;
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
    return [this.locator.save(), [...this.counts], [this.#lastTime, this.#inRow]];
  }

  /** Continues from saved data; events are reported from there on. */
  restore([
    sides = [],
    counts = [],
    [lastTime = Number.NaN, inRow = 0] = [],
  ]: readonly (readonly number[])[]): void {
    this.records.length = 0;
    this.locator.restore(sides);
    this.counts = [...counts];
    this.#lastTime = lastTime;
    this.#inRow = inRow;
  }
}

function has<T extends State>(list: readonly Occurrence<T>[], one: Occurrence<T>): boolean {
  return list.some(({ event }) => event === one.event);
}

/** Throws if an action is asynchronous: the run does not wait for it. */
function checkDone(result: unknown): void {
  if (typeof (result as PromiseLike<unknown> | undefined)?.then !== "function") return;
  throw new NodriftError("STEP", "the action must be synchronous, but returned a promise");
}

/** Refuses what an action left if it cannot be a state. */
function checkFinite<T extends State>({ q, v, system, view }: Leg<T>): void {
  const { velocityNames, positionNames = velocityNames } = view.coordinates;
  const check = (what: string, values: Float64Array, names: readonly string[]) => {
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad < 0) return;
    throw new NodriftError("STEP", `${what}[${bad}] (${names[bad]}) was set to ${values[bad]}`);
  };
  check(system.ode ? "y" : "q", q, positionNames);
  check("v", v, velocityNames);
}

/** Takes a step, unless the method refuses it. */
function tried(motion: Motion, t: number, h: number): boolean {
  try {
    motion.attempt(t, h);
    return true;
  } catch (cause) {
    if (cause instanceof StepFailure) return false;
    throw cause;
  }
}
