import type { Joint } from "../../../describe/model/handles.js";
import { lengthOf, locationOf } from "../../../ground/checking/index.js";
import { type Limit, type RunLimits, withLimits } from "../../../ground/run-limits.js";
import type { State } from "../../../seam/index.js";
import { idleNote } from "../../stepping/coordinate-choice.js";
import type { Occurrence } from "../events/event-location.js";
import { EventLog, type LocatedEvents } from "../events/event-log.js";
import {
  beforeStart,
  CallbackError,
  CUBICS,
  escapeReason,
  isSingularPoseError,
  messageOf,
  noEstimate,
  type RunStatus,
  stiffNote,
  stormReason,
  stuckReason,
  underflowReason,
} from "../leg/failure.js";
import type { Leg } from "../leg/leg.js";
import { Legs } from "../leg/legs.js";
import { type Statistics, Tally } from "../leg/statistics.js";
import { Recorder } from "../output/recorder.js";
import { type Setup, START, startOf } from "../setup/setup.js";
import { noteDrift } from "../step/difference-note.js";
import { EscapeCheck } from "../step/escape-check.js";
import { Stepping, StepUnderflow } from "../step/stepping.js";
import { Contacts } from "../stops/contacts.js";
import { RowSwitches, rowEvents, rowsAtStart } from "../stops/row-switches.js";
import { stopEvents } from "../stops/stop-events.js";
import { MethodSwitch, type SwitchTarget } from "../switching/method-switch.js";
import { StiffnessMonitor } from "../switching/stiffness-monitor.js";
import { handleEvents, heldBy } from "./handle-events.js";
import { startRun } from "./start-run.js";

const NONE: readonly never[] = [];
/** Steps between two looks at the limits of the run. */
const SPRINT = 100;

/** The run loop: steps, events, output. Contains no formulas. */
export class Loop<T extends State> {
  readonly setup: Setup<T>;
  readonly tally = new Tally();
  readonly stepping: Stepping<T>;
  readonly log: EventLog<T>;
  recorder: Recorder<T>;
  readonly notes: string[] = [];
  readonly legs: Legs<T>;
  readonly method: string;
  /** Why that method. */
  readonly choice: string;
  readonly stiffness: StiffnessMonitor<T>;
  readonly methodSwitch: MethodSwitch<T>;
  readonly contacts: Contacts<T>;
  readonly rows: RowSwitches<T>;
  leg: Leg<T>;
  time: number;
  status: RunStatus | undefined;
  reason = "";
  cause: unknown;
  lastStep = 0;
  readonly #watch: RunLimits;
  readonly #escape: EscapeCheck;
  readonly #sprint = {
    time: 0,
    next: 0,
    target: 0,
    before: 0,
    maximumStep: 0,
    longestSince: 0,
    shortest: 0,
    longest: 0,
    last: 0,
  };

  constructor(setup: Setup<T>, watch: RunLimits) {
    this.setup = setup;
    this.#watch = watch;
    const { span } = setup;
    this.#escape = new EscapeCheck(span[1]);
    const acting = rowsAtStart(setup);
    this.legs = new Legs(setup, acting);
    this.leg = this.legs.first;
    const { system } = this.leg;
    const given = startOf(setup, system);
    this.method = this.legs.method;
    this.choice = this.legs.choice;
    if (!this.leg.motion.estimates && setup.step === undefined) throw noEstimate(this.method);
    this.time = span[0];
    this.stepping = new Stepping(setup, this.tally, this.notes);
    const asked = lengthOf(
      locationOf("solve", "STEP", "events"),
      setup.events,
      "a list: events: [{ when: ... }]",
    );
    const stops = stopEvents<T>(setup.sources[START], asked);
    const switches = rowEvents<T>(setup.sources, asked + stops.length);
    this.log = new EventLog(setup, [...stops, ...switches], this.notes);
    this.contacts = new Contacts(this.legs, setup);
    this.rows = new RowSwitches(this.legs, setup, switches);
    this.recorder = new Recorder(setup, this.leg.view.size);
    this.stiffness = new StiffnessMonitor();
    this.methodSwitch = new MethodSwitch(this.legs, setup, this.notes);
    const controlled = setup.step === undefined;
    if (setup.dense && controlled && !this.leg.motion.stateInterpolant) this.notes.push(CUBICS);
    const idle = idleNote(this.leg.choice.method, this.leg.system);
    if (idle !== undefined) this.notes.push(idle);
    const noted = this.notes.length;
    const { leg, result: limit } = this.rows.start(this.time, acting, (first) => {
      this.notes.length = noted;
      return startRun(first, this.time, given, setup, this.notes);
    });
    this.leg = leg;
    if (limit) this.end(limit, watch.sentence(limit, beforeStart(this.time)), watch.cause, false);
  }

  /** Before the first step: records the state at the start and arms the events. */
  open(): void {
    const { leg, time, setup, recorder } = this;
    this.guard(() => {
      if (this.status !== undefined) return;
      leg.measure(time, this.tally);
      if (typeof setup.output === "object") recorder.recordInterpolated(leg, time);
      else recorder.keep(leg, leg.look.atAccepted(time));
      if (time === setup.span[1]) {
        this.end("finished", `the span from ${time} to ${time} has no length`);
        return;
      }
      this.#touch();
      this.#begin(this.leg);
      if (!this.log.isEmpty) this.log.locator.arm(this.leg, time, this.stepping.next);
    });
  }

  /** What is at a rigid stop bounces, or rests there: at a start, and where numbers of stops have changed. */
  #touch(): void {
    const { leg, time, contacts } = this;
    const reached = contacts.reached(leg, time);
    if (reached.length === 0 && contacts.resting(leg).length === 0) return;
    const { leg: next } = contacts.meet(leg, time, reached);
    next.continueFrom(time, 2 * leg.positionError(time));
    this.leg = next;
  }

  /** Locks a joint, or frees it, and gives the impulses of that by the names of rows. */
  hold(where: "lock" | "unlock", joint: string | Joint): Record<string, number> {
    const { leg, time, legs } = this;
    leg.view.refresh();
    return this.#change(legs.held(leg.variant, heldBy(leg, time, where, joint)));
  }

  /** Takes a step, or comes to the next event. False when the run is over. */
  step(): boolean {
    if (this.status !== undefined) return false;
    // Not by the guard below, which would allocate a closure in each step.
    try {
      this.#step();
    } catch (error) {
      this.#fail(error);
    }
    return this.status === undefined;
  }

  /** Takes steps of which nobody sees more than where they led, up to `most`: what is left needs {@link step}. */
  sprint(most: number): void {
    const { leg, recorder, setup, stepping, time, tally } = this;
    const isSeen = recorder.dense || recorder.everyStep || !this.log.isEmpty;
    if (isSeen || this.methodSwitch.mayChange || !stepping.canSprint(leg)) return;
    const count = Math.min(most, SPRINT, this.#escape.next - tally.steps - 1);
    if (count <= 0) return;
    const [, target] = setup.span;
    const sprint = this.#sprint;
    sprint.time = time;
    sprint.target = target;
    sprint.before = recorder.nextTime() ?? target;
    sprint.maximumStep = setup.maximumStep;
    const steps = stepping.sprint(leg, sprint, count);
    if (steps === 0) return;
    tally.steady(steps, sprint.shortest, sprint.longest);
    this.time = sprint.time;
    this.lastStep = sprint.last;
  }

  end(status: RunStatus, reason: string, cause?: unknown, hasState = true): void {
    const { leg, recorder, time } = this;
    this.status = status;
    this.reason = reason;
    this.cause = cause;
    if (status === "finished") noteDrift(this.statistics(), this.notes);
    if (!hasState || !recorder.keepsEnd(time)) return;
    this.guard(() => recorder.keep(leg, leg.look.atAccepted(time)));
  }

  /** A limit has been reached. */
  stop(limit: Limit): void {
    this.end(limit, this.#watch.sentence(limit, ` at t = ${this.time}`), this.#watch.cause);
  }

  /** Costs so far. */
  statistics(): Statistics {
    const { choice, system } = this.leg;
    const { rows } = system.constraints;
    return this.tally.result(this.legs.costs(), { coordinates: choice.coordinates?.kind, rows });
  }

  #step(): void {
    const { leg, time, setup, recorder, stepping } = this;
    const { continuation } = leg.system;
    if (continuation.arrive?.(time) === true) this.#goOnOtherwise(leg);
    const stop = leg.motion.stateInterpolant ? undefined : recorder.nextTime();
    const due = Math.min(stop ?? setup.span[1], continuation.nextBreak?.(time) ?? setup.span[1]);
    const end = stepping.take(leg, time, setup.direction > 0 ? due : (stop ?? setup.span[1]));
    const found = this.log.isEmpty ? undefined : this.log.search(leg, time, end);
    if (found) this.#comeTo(found);
    else {
      // Interpolation has moved the trial state since `at` was called at the end.
      leg.measure(end, this.tally, this.log.isEmpty && leg.motion.stateInterpolant !== undefined);
      this.#stand(end, NONE);
    }
    if (this.status === undefined && this.time === setup.span[1]) {
      this.end("finished", `reached t = ${this.time}`);
    }
    if (this.status === undefined && setup.step === undefined) this.#watchEscape();
  }

  /** A run whose steps shrink without end would take forever. */
  #watchEscape(): void {
    const limit = this.#escape.limit(this.tally.steps, this.time);
    if (limit === undefined) return;
    this.end("stepUnderflow", escapeReason(this.leg, this.time, limit, this.tally.steps));
  }

  /** The step ends at its events, which are handled. */
  #comeTo({ end, passed, met, stuck }: LocatedEvents<T>): void {
    const { leg, time } = this;
    if (end !== time) leg.measure(end, this.tally, false);
    this.#stand(end, passed);
    if (stuck && met.some(({ event }) => !event.own)) {
      this.end("eventStorm", stuckReason(met[0]!.event.name, time));
    } else if (met.length > 0) this.#meet(met, stuck);
  }

  /** The step is accepted: requested states are recorded, and the next step begins where it ended. */
  #stand(end: number, passed: readonly Occurrence<T>[]): void {
    const { leg, time, recorder } = this;
    const h = end - time;
    if (h !== 0) {
      if (recorder.dense || passed.length > 0 || recorder.wantsBefore(end)) {
        leg.look.interpolation.prepare(time, h);
      }
      const advice = this.stiffness.look(
        leg,
        h,
        this.stepping.stability,
        this.methodSwitch.mayChange,
      );
      this.stepping.acceptStep(leg, time, end);
      leg.motion.commit(time, h);
      this.tally.step(h);
      this.lastStep = h;
      this.time = end;
      // User functions may throw from here on; the step is accepted regardless.
      if (recorder.dense) recorder.keepPiece(leg);
      recorder.recordInterpolated(leg, end);
      for (const each of passed) {
        leg.look.atProjected(each.time);
        this.log.pass(each, leg, leg.look.snapshot());
      }
      if (recorder.everyStep) recorder.keep(leg, leg.look.atAccepted(end));
      if (advice === "note") this.notes.push(stiffNote(leg, end));
      if (advice === "try" && end !== this.setup.span[1]) {
        this.#goOnWith(this.methodSwitch.consider(leg, end, this.stiffness));
      }
    }
  }

  /** Slopes have changed at the present state: methods begin anew, with steps of the length they had. */
  #goOnOtherwise(leg: Leg<T>): void {
    leg.motion.forgetSlopes(this.time);
    this.stepping.controller.reset();
  }

  /** Whether the implicit method failed and the explicit one continues: not for errors in user functions. */
  #isHandedBack(error: unknown): boolean {
    if (!(error instanceof StepUnderflow || isSingularPoseError(error))) return false;
    const cause = error instanceof StepUnderflow ? (error.cause ?? error) : error;
    try {
      const next = this.methodSwitch.fallBackToExplicit(this.leg, this.time, cause);
      if (next) this.#goOnWith({ leg: next });
      return next !== undefined;
    } catch {
      // The fallback failed too: report the first failure, unless a limit was reached.
      if (this.#watch.told) this.stop(this.#watch.told);
      return this.status !== undefined;
    }
  }

  /** Another leg continues from the accepted state. */
  #goOnWith({ leg: next, length }: SwitchTarget<T>): void {
    if (next === this.leg) return;
    this.leg = next;
    this.#begin(next, length);
    if (!this.log.isEmpty) this.log.locator.arm(next, this.time, this.stepping.next);
  }

  #begin(leg: Leg<T>, length?: number): void {
    this.stepping.begin(leg, this.time, length);
    this.stiffness.begin(leg);
  }

  /** Calls the actions of events at the present time and continues from the resulting state. */
  #meet(met: readonly Occurrence<T>[], isStuck: boolean): void {
    const { time, log, recorder, setup, legs, leg } = this;
    // Actions must not be interrupted by limits.
    const {
      changed,
      wishes,
      leg: next,
    } = withLimits(undefined, () =>
      handleEvents(leg, { time, ...setup, isStuck }, met, log, legs, this),
    );
    this.leg = next;
    if (changed) {
      this.tally.changed();
      if (recorder.everyStep) recorder.keep(next, next.look.atAccepted(time));
    }
    if (wishes.stop !== undefined) this.end("event", wishes.stop);
    else if (log.isStorm(time)) {
      this.end("eventStorm", stormReason(met[0]!.event, time, setup.span, EventLog.storm));
    } else {
      if (next !== leg) this.#begin(next);
      log.locator.arm(next, time, this.stepping.next, met, wishes.bounced);
    }
  }

  /** Goes on with other numbers of the mechanism, from the present state. Nothing changes where they are refused. */
  set(given: readonly unknown[]): void {
    this.#change(this.legs.changed(this.leg.variant, "set", given));
  }

  #change(name: string): Record<string, number> {
    const { leg, time } = this;
    const next = this.legs.of(name);
    const error = leg.positionError(time);
    leg.view.refresh();
    next.takeStateOf(leg, time);
    next.continueFrom(time, 2 * error);
    const impulses = next.impulses.byRow();
    this.tally.changed();
    this.leg = next;
    this.#touch();
    const last = this.leg;
    this.leg = leg;
    this.#goOnWith({ leg: last });
    return impulses;
  }

  /** Runs an action whose failure ends the run. */
  guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Failures end the run; what was computed is kept. */
  #fail(error: unknown): void {
    this.leg.motion.rollBack();
    // A limit error, possibly wrapped.
    if (this.#watch.told) this.stop(this.#watch.told);
    else if (error instanceof CallbackError) this.end("failed", error.message, error.cause);
    else if (this.#isHandedBack(error)) return;
    else if (error instanceof StepUnderflow) {
      const reason = underflowReason(this.leg, this.time, error.h, error.cause);
      this.end("stepUnderflow", reason, error.cause);
    } else this.end("failed", messageOf(error), error);
  }
}
