import { argument, show, text } from "../../../base/checking/index.js";
import { NodriftError, StepFailure } from "../../../base/errors.js";
import type { State } from "../../../interfaces/index.js";
import type { Joint } from "../../../model/handles.js";
import { messageOf } from "../mode-solver/failure.js";
import type { ModeSolver } from "../mode-solver/mode-solver.js";
import type { EventContext, EventRecord, UnknownsOf } from "../setup/options.js";
import type { Setup } from "../setup/setup.js";
import type { TrialStepper } from "../trial/trial-stepper.js";
import type { CheckedEvent } from "./event-checks.js";
import { EventLocator, LOCATION_FRACTION, type Occurrence } from "./event-location.js";

/** Requests made by actions. */
export interface ActionRequests {
  mode: string | undefined;
  stop: string | undefined;
  /** Indices of the events whose rate an action reversed. */
  readonly bounced: Set<number>;
}

/** Data shared by all actions at one time. */
export interface EventInstant<T extends State> {
  readonly time: number;
  readonly before: T;
  readonly events: readonly string[];
  /** 1, or -1 if the run integrates backwards. */
  readonly direction: number;
  /** Names of the modes that can be switched to. */
  readonly modes: readonly string[];
  /** Returns the name of a mode with changed values. */
  changed(variant: string, where: string, given: readonly unknown[]): string;
  /** Returns the name of a mode in which a joint is locked or unlocked. */
  held(variant: string, where: "lock" | "unlock", joint: string | Joint): string;
  /** Returns the name of another mode with the values of this one. */
  switched(variant: string, mode: string): string;
}

/** Creates the context of one action, which reads and changes the accepted state of a mode solver. */
export function eventContext<T extends State>(
  solver: ModeSolver<T>,
  { event, rising }: Occurrence<T>,
  instant: EventInstant<T>,
  requests: ActionRequests,
): EventContext<T> {
  const { q, v, system } = solver;
  const { time, before, events, direction, modes } = instant;
  return Object.freeze<EventContext<T>>({
    events,
    time,
    before,
    q,
    v,
    y: (system.ode && q) as UnknownsOf<T>,
    bounce(restitution = 1) {
      if (system.ode) {
        throw new NodriftError(
          "STEP",
          `bounce() needs velocities; ${system.name} is an ODE: change y instead`,
        );
      }
      if (
        !(
          typeof restitution === "number" &&
          restitution >= 0 &&
          restitution < Number.POSITIVE_INFINITY
        )
      ) {
        throw new NodriftError(
          "STEP",
          `restitution is ${show(restitution)}; give a number from 0 (no bounce) to 1 (elastic)`,
        );
      }
      requests.bounced.add(event.index);
      const value = (t: number) => event.value(solver.viewer.atShown(t));
      return solver.bounce(time, restitution, (rising ? 1 : -1) * direction, value);
    },
    switchTo(mode) {
      if (!modes.includes(mode)) {
        const names = modes.join('", "');
        throw new NodriftError("STEP", `there is no mode ${show(mode)}; there are: "${names}"`);
      }
      requests.mode = instant.switched(requests.mode ?? solver.variant, mode);
    },
    set: (...given: readonly unknown[]) => {
      requests.mode = instant.changed(requests.mode ?? solver.variant, "set", given);
    },
    lock: (joint) => {
      requests.mode = instant.held(requests.mode ?? solver.variant, "lock", joint);
    },
    unlock: (joint) => {
      requests.mode = instant.held(requests.mode ?? solver.variant, "unlock", joint);
    },
    stop(reason = `stopped by event "${event.name}"`) {
      requests.stop = argument("stop", "STEP", "the reason", reason, text);
    },
  });
}

/** Maximum attempts to end a step exactly on an event. */
const MAX_LANDINGS = 4;
/**
 * Factor by which the distance of zeros that count as one grows with each landing beyond these, so that the search
 * ends.
 */
const WIDENING_FACTOR = 4;
/** This many consecutive events, each closer to the last than this fraction of the span, count as Zeno behaviour. */
const ZENO_LIMITS = { events: 20, part: 1e-9 } as const;

/** Events located in a step. */
export interface LocatedEvents<T extends State> {
  /** Time at which the step ends now. */
  readonly end: number;
  /** Zeros within the step that need no action. */
  readonly passed: readonly Occurrence<T>[];
  /** Events at its end that require an action, in the order of the options. */
  readonly met: readonly Occurrence<T>[];
  /** Whether they have already occurred at this time. */
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
  /** Time by which the last landing missed its zero. */
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
   * Finds the zeros in a step taken but not yet committed. The step is repeated to end at the first one that requires
   * an action; zeros before its end are then searched for on the repeated step. Returns undefined if there are no
   * zeros.
   */
  search(solver: ModeSolver<T>, t: number, to: number): LocatedEvents<T> | undefined {
    let passed = this.#find(solver, t, to);
    if (passed.length === 0) {
      this.locator.commit();
      return undefined;
    }
    let end = to;
    let met: readonly Occurrence<T>[] = [];
    let landings = 0;
    let widening = 1;
    for (let landing = this.#landing(passed); landing; landing = this.#landing(passed)) {
      let near = 10 * this.locator.timeTolerance(landing.time);
      met = passed.filter(({ time }) => Math.abs(time - landing!.time) <= near);
      const landed = this.#land(solver, t, landing);
      if (landed === undefined) met = [];
      end = landed ?? this.#stepShorter(solver, t, landing.time - t);
      // Zeros too close to separate by ending steps on them count as the ones that were landed on.
      if (++landings > MAX_LANDINGS) widening *= WIDENING_FACTOR;
      near = widening * Math.max(near, 2 * this.#missed);
      const again = end === t ? [] : this.#find(solver, t, end);
      passed = again.filter(({ time }) => Math.abs(time - end) > near);
      met = [...met, ...again.filter((one) => !passed.includes(one) && !has(met, one))];
    }
    const stuck = end === t && this.locator.isStuck(met);
    if (met.length === 0) this.locator.commit();
    else this.locator.storeReached(solver, t, end, met);
    met = [...met].sort((a, b) => a.event.index - b.event.index);
    return { end, passed, met, stuck };
  }

  #find(solver: ModeSolver<T>, t: number, end: number): readonly Occurrence<T>[] {
    solver.viewer.interpolation.prepare(t, end - t);
    const found = this.locator.find(solver, t, end - t);
    this.#noteIncomplete(t);
    return found.length === 0 ? found : [...found];
  }

  /**
   * Notes events that change faster than steps can be sampled, or that are zero up to rounding, once for each event.
   */
  #noteIncomplete(t: number): void {
    const { events, scans } = this.locator;
    for (let i = 0; i < events.length; i++) {
      const { isIncomplete, isRounding, largest } = scans[i]!;
      if (!isIncomplete && !isRounding) continue;
      const [finding, advice] = isRounding
        ? [`is zero up to rounding (${largest.toExponential(0)})`, "its events are meaningless"]
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

  /** Returns the first zero with an action, or that ends the run. */
  #landing(found: readonly Occurrence<T>[]): Occurrence<T> | undefined {
    const counts = [...this.counts];
    return found.find(({ event }) => {
      const count = (counts[event.index] as number) + 1;
      counts[event.index] = count;
      return event.action !== undefined || count >= event.last;
    });
  }

  /**
   * Repeats the step so that it ends on an event, and returns the time. The zero was found on a polynomial; what
   * counts is the value at the actual end of the step, so the end is moved until that is zero. Returns undefined if
   * the method rejects that step. The end of an implicit step is no smooth function of its length: iterations leave a
   * fraction of the tolerance, which jumps with the iteration count. `#missed` is the resulting error of the time.
   */
  #land(solver: ModeSolver<T>, t: number, { event, time }: Occurrence<T>): number | undefined {
    const { trial } = solver;
    let end = time;
    const nudge = 1e-4 * (time - t);
    const value = (at: number) => event.value(solver.viewer.atInterpolated(at));
    const reached = value(time);
    const rate = nudge === 0 ? 0 : (reached - value(time - nudge)) / nudge;
    const near = LOCATION_FRACTION * this.locator.timeTolerance(time);
    // A discontinuous event function has no zero to iterate to.
    const jumps = Math.abs(reached) > this.locator.timeTolerance(time) * Math.abs(rate);
    let last = Number.POSITIVE_INFINITY;
    this.#missed = 0;
    for (let i = 0; i < MAX_LANDINGS; i++) {
      trial.undo();
      if (end === t) return t;
      if (!isAttempted(trial, t, end - t)) return undefined;
      const off = -event.value(solver.viewer.atAccepted(end)) / rate;
      this.#missed = jumps || !Number.isFinite(off) ? 0 : Math.abs(off);
      if (jumps || !(Math.abs(off) > near) || !(Math.abs(off) < last)) break;
      if (i === MAX_LANDINGS - 1 || (end + off - t) * (end - t) <= 0) break;
      last = Math.abs(off);
      end += off;
    }
    return end;
  }

  /** Takes a shorter step that the method does not reject, and returns its end: the event comes later. */
  #stepShorter({ trial }: ModeSolver<T>, t: number, h: number): number {
    for (let part = h / 2; ; part /= 2) {
      trial.undo();
      if (t + part === t || isAttempted(trial, t, part)) return t + part;
    }
  }

  /** Records an event without an action. */
  pass({ event, rising }: Occurrence<T>, solver: ModeSolver<T>, state: T): void {
    const index = event.index;
    this.counts[index] = (this.counts[index] as number) + 1;
    const direction = rising ? "rising" : "falling";
    const { name } = event;
    const { time } = state;
    const { mode } = solver;
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

  /** Calls the actions of events at the accepted state, in the order of the options. */
  act(
    solver: ModeSolver<T>,
    met: readonly Occurrence<T>[],
    present: EventInstant<T>,
  ): ActionRequests {
    const { time } = present;
    const requests: ActionRequests = { mode: undefined, stop: undefined, bounced: new Set() };
    solver.impulses.clear();
    for (const each of met) {
      const { action, index, name } = each.event;
      this.counts[index] = (this.counts[index] as number) + 1;
      if (!action) continue;
      try {
        const result: unknown = action(eventContext(solver, each, present, requests));
        checkDone(result);
        checkFinite(solver);
      } catch (cause) {
        throw new NodriftError(
          cause instanceof NodriftError ? cause.code : "EVALUATION",
          `event "${name}": its action failed at t = ${time}: ${messageOf(cause)}`,
          { cause },
        );
      }
    }
    this.locator.recordActions(solver, time, met);
    const ending = met.find(({ event }) => (this.counts[event.index] as number) >= event.last);
    if (ending) requests.stop ??= `event "${ending.event.name}" at t = ${time}`;
    return requests;
  }

  /** Records events with the states before and after. */
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

  /** Whether events follow each other ever more closely. */
  isAccumulating(time: number): boolean {
    const close = Math.abs(time - this.#lastTime) <= ZENO_LIMITS.part * this.#span;
    this.#inRow = close ? this.#inRow + 1 : 0;
    this.#lastTime = time;
    return this.#inRow >= ZENO_LIMITS.events;
  }

  static readonly zenoLimits = ZENO_LIMITS;

  save(): readonly (readonly number[])[] {
    return [this.locator.save(), [...this.counts], [this.#lastTime, this.#inRow]];
  }

  /** Continues from saved data; events are recorded from there on. */
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

/** Throws if an action left values that are not finite. */
function checkFinite<T extends State>({ q, v, system, view }: ModeSolver<T>): void {
  const { velocityNames, positionNames = velocityNames } = view.coordinates;
  const check = (what: string, values: Float64Array, names: readonly string[]) => {
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad < 0) return;
    throw new NodriftError("STEP", `${what}[${bad}] (${names[bad]}) was set to ${values[bad]}`);
  };
  check(system.ode ? "y" : "q", q, positionNames);
  check("v", v, velocityNames);
}

/** Attempts a step; returns false if the method rejects it. */
function isAttempted(trial: TrialStepper, t: number, h: number): boolean {
  try {
    trial.attempt(t, h);
    return true;
  } catch (cause) {
    if (cause instanceof StepFailure) return false;
    throw cause;
  }
}
