import type { State } from "../contracts.js";
import { NodriftError } from "../errors.js";
import { EventLog, simultaneous } from "./event-log.js";
import type { Occurrence } from "./event-watch.js";
import { type Status, stormReason, underflowReason } from "./failure.js";
import type { Leg } from "./leg.js";
import { Legs } from "./legs.js";
import { Recorder } from "./recorder.js";
import { type Setup, START, startOf } from "./setup.js";
import { type Statistics, Tally } from "./statistics.js";
import { StepWatch } from "./step-watch.js";
import { Stepping, Underflow } from "./stepping.js";

/** The loop: takes steps, meets events, keeps states. It knows no formula. */
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
  readonly stiffness: StepWatch<T>;
  leg: Leg<T>;
  time: number;
  status: Status | undefined;
  reason = "";
  cause: unknown;
  lastStep = 0;

  constructor(setup: Setup<T>) {
    this.setup = setup;
    const { span, start } = setup;
    this.legs = new Legs(setup);
    this.leg = this.legs.of(START);
    const { system } = this.leg;
    const { coordinateNames, positionNames = coordinateNames } = system;
    const { q, v, own } = startOf(setup, { positions: positionNames, velocities: coordinateNames });
    this.method = this.legs.method;
    this.choice = this.legs.choice;
    if (!this.leg.motion.estimates && setup.step === undefined) {
      throw new NodriftError(
        "STEP",
        `solve: ${this.method} does not estimate its error: give a step, or an integrator that does, like dop853()`,
      );
    }
    this.time = span[0];
    this.stepping = new Stepping(setup, this.tally);
    this.log = new EventLog(setup);
    this.recorder = new Recorder(setup, system.positions + system.velocities);
    this.stiffness = new StepWatch(this.notes);
    this.leg.q.set(q);
    this.leg.v.set(v);
    // A mechanism brings its start assembled.
    this.leg.begin(this.time, own ? "asGiven" : start);
  }

  /** Before the first step: the state at the start is kept, and looked at. */
  open(): void {
    try {
      this.#open();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Takes a step, or comes to the next event. False when the run is over. */
  step(): boolean {
    if (this.status !== undefined) return false;
    try {
      this.#step();
    } catch (error) {
      this.#fail(error);
    }
    return this.status === undefined;
  }

  end(status: Status, reason: string, cause?: unknown): void {
    const { leg, recorder, time } = this;
    this.status = status;
    this.reason = reason;
    this.cause = cause;
    if (recorder.keepsEnd && recorder.lastTime !== time) recorder.keep(leg, leg.here(time));
  }

  /** Costs so far. */
  statistics(): Statistics {
    return this.tally.result(this.legs.costs());
  }

  #open(): void {
    const { leg, time, setup, recorder } = this;
    leg.measure(time, this.tally);
    if (typeof setup.output === "object") recorder.between(leg, time);
    else recorder.keep(leg, leg.here(time));
    if (time === setup.span[1]) {
      this.end("finished", `the span from ${time} to ${time} has no length`);
      return;
    }
    this.stepping.begin(leg, time);
    if (!this.log.isEmpty) this.log.watch.arm(leg, time, this.stepping.next);
  }

  #step(): void {
    const { leg, time, setup, recorder, stepping } = this;
    const stop = leg.motion.native ? undefined : recorder.nextTime();
    const end = stepping.take(leg, time, stop ?? setup.span[1]);
    leg.measure(end, this.tally);
    if (this.log.isEmpty) this.#stand(end);
    else {
      leg.interpolation.prepare(time, end - time);
      const found = this.log.watch.find(leg, time, end - time);
      if (found.length > 0) this.#come(end, [...found]);
      else {
        this.log.watch.commit();
        this.#stand(end);
      }
    }
    if (this.status === undefined && this.time === setup.span[1]) {
      this.end("finished", `reached t = ${this.time}`);
    }
  }

  /** Comes to events in the step that was taken: ends it at the first that has to be met, if any. */
  #come(end: number, found: readonly Occurrence<T>[]): void {
    const { leg, time, log } = this;
    const landing = log.landing(found);
    if (landing === undefined) {
      log.watch.commit();
      this.#stand(end, found);
      return;
    }
    const landed = log.land(leg, time, landing);
    if (landed !== time) leg.measure(landed, this.tally);
    const met = simultaneous(found, landing);
    this.#stand(landed, found.slice(0, found.indexOf(met[0]!)));
    this.#meet(met);
  }

  /** The step stands: states asked for are kept, and the next step begins where it ended. */
  #stand(end: number, passed?: readonly Occurrence<T>[]): void {
    const { leg, time, recorder } = this;
    const h = end - time;
    if (h === 0) return;
    if (recorder.dense || passed || recorder.wants(end)) {
      leg.interpolation.prepare(time, h);
      recorder.between(leg, end);
    }
    if (passed) this.#pass(passed);
    if (recorder.dense) recorder.keepPiece(leg);
    this.stiffness.look(leg, time, h);
    this.stepping.stands(leg, time, end);
    leg.motion.commit(time, h);
    this.tally.step(h);
    this.lastStep = h;
    this.time = end;
    if (recorder.everyStep) recorder.keep(leg, leg.here(end));
  }

  /** Notes events within the step that change nothing. */
  #pass(passed: readonly Occurrence<T>[]): void {
    const { leg, log } = this;
    for (const each of passed) {
      leg.show(each.time);
      log.pass(each, leg, leg.snapshot());
    }
  }

  /** Calls the actions of events at the present time and goes on from what they left. */
  #meet(met: readonly Occurrence<T>[]): void {
    const { leg, time, log, recorder } = this;
    leg.here(time);
    const before = leg.snapshot();
    const wishes = log.act(leg, time, met, before);
    const next = wishes.mode === undefined ? leg : this.legs.of(wishes.mode);
    const acted = met.some(({ event }) => event.action !== undefined);
    if (next !== leg) {
      next.q.set(leg.q);
      next.v.set(leg.v);
      next.impulses.clear();
      if (next.turns.length === leg.turns.length) next.system.turns?.write(leg.turns);
      this.leg = next;
    }
    if (acted) next.goOn(time);
    next.here(time);
    const after = acted ? next.snapshot() : before;
    const impulses = { ...(next === leg ? {} : leg.impulses.told()), ...next.impulses.told() };
    log.note(met, { time, before, after, impulses, mode: next.mode });
    if (acted) {
      this.tally.changed();
      if (recorder.everyStep) recorder.keep(next, next.here(time));
    }
    if (wishes.stop !== undefined) {
      this.end("event", wishes.stop);
    } else if (log.isStorm(time)) {
      const { events, part } = EventLog.storm;
      const [{ event }] = met as [Occurrence<T>];
      const [from, to] = this.setup.span;
      this.end(
        "eventStorm",
        stormReason(event.name, time, events, part * Math.abs(to - from) * events),
      );
    } else {
      if (next !== leg) this.stepping.begin(next, time);
      log.watch.arm(next, time, this.stepping.next, met, wishes.bounced);
    }
  }

  /** A failure ends the run; what was computed is kept. */
  #fail(error: unknown): void {
    if (!(error instanceof Underflow)) {
      this.end("failed", error instanceof Error ? error.message : String(error), error);
      return;
    }
    const reason = underflowReason(this.leg, this.time, error.h, error.cause);
    this.end("stepUnderflow", reason, error.cause);
  }
}
