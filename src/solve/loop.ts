import type { State } from "../contracts.js";
import { NodriftError } from "../errors.js";
import { EventLog, simultaneous } from "./event-log.js";
import type { Occurrence } from "./event-watch.js";
import { isOver, type Status, stormReason, underflowReason } from "./failure.js";
import type { Leg } from "./leg.js";
import { Legs } from "./legs.js";
import { Recorder } from "./recorder.js";
import { type Setup, START, startOf } from "./setup.js";
import type { RunSnapshot } from "./snapshot.js";
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
  readonly #stiffness: StepWatch<T>;
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
    this.#stiffness = new StepWatch(this.notes);
    this.leg.q.set(q);
    this.leg.v.set(v);
    // A mechanism brings its start assembled.
    this.leg.begin(this.time, own ? "asGiven" : start);
  }

  /** Before the first step: the state at the start is kept, and looked at. */
  open(): void {
    const { leg, time, setup, recorder } = this;
    this.#guard(() => {
      leg.measure(time, this.tally);
      if (typeof setup.output === "object") recorder.between(leg, time);
      else recorder.keep(leg, leg.here(time));
      if (time === setup.span[1]) {
        this.end("finished", `the span from ${time} to ${time} has no length`);
        return;
      }
      this.stepping.begin(leg, time);
      if (!this.log.isEmpty) this.log.watch.arm(leg, time, this.stepping.next);
    });
  }

  /** Takes a step, or comes to the next event. False when the run is over. */
  step(): boolean {
    if (this.status === undefined) this.#guard(() => this.#step());
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

  /** All but the memory of what a run must know to go on. */
  save(): Pick<RunSnapshot, "mode" | "numbers" | "notes" | "ended"> {
    const { leg, time, stepping, lastStep, tally, log, legs, status, reason } = this;
    return {
      mode: leg.mode,
      numbers: {
        time,
        next: stepping.next,
        last: lastStep,
        controller: stepping.controller.save(),
        tally: tally.save(legs.costs()),
        watch: this.#stiffness.save(),
        events: log.save(),
      },
      notes: [...this.notes],
      ...(status && { ended: { status, reason } }),
    };
  }

  /** Goes on from a snapshot, whose memory is in place. States and events are kept from there on. */
  resume({ mode, numbers, notes, ended }: RunSnapshot): void {
    const { time } = numbers;
    this.leg = this.legs.of(mode);
    this.time = time;
    this.lastStep = numbers.last;
    this.stepping.next = numbers.next;
    this.stepping.controller.restore(numbers.controller);
    this.tally.restore(numbers.tally, this.legs.costs());
    this.#stiffness.restore(numbers.watch);
    this.notes.splice(0, this.notes.length, ...notes);
    this.log.restore(numbers.events);
    for (const [, leg] of this.legs.entries()) leg.resume(time);
    this.recorder = this.recorder.from(this.leg, this.leg.here(time));
    const stays = ended !== undefined && isOver(ended.status, time === this.setup.span[1]);
    this.status = stays ? ended.status : undefined;
    this.reason = stays ? ended.reason : "";
    this.cause = undefined;
  }

  #step(): void {
    const { leg, time, setup, recorder, stepping } = this;
    const stop = leg.motion.native ? undefined : recorder.nextTime();
    let end = stepping.take(leg, time, stop ?? setup.span[1]);
    leg.measure(end, this.tally);
    let met: readonly Occurrence<T>[] = [];
    let passed: readonly Occurrence<T>[] = [];
    if (!this.log.isEmpty) {
      leg.interpolation.prepare(time, end - time);
      passed = [...this.log.watch.find(leg, time, end - time)];
      const landing = this.log.landing(passed);
      if (landing) {
        end = this.log.land(leg, time, landing);
        if (end !== time) leg.measure(end, this.tally);
        met = simultaneous(passed, landing);
        passed = passed.slice(0, passed.indexOf(met[0]!));
      } else this.log.watch.commit();
    }
    this.#stand(end, passed);
    if (met.length > 0) this.#meet(met);
    if (this.status === undefined && this.time === setup.span[1]) {
      this.end("finished", `reached t = ${this.time}`);
    }
  }

  /** The step stands: states asked for are kept, and the next step begins where it ended. */
  #stand(end: number, passed: readonly Occurrence<T>[]): void {
    const { leg, time, recorder } = this;
    const h = end - time;
    if (h !== 0) {
      if (recorder.dense || passed.length > 0 || recorder.wants(end)) {
        leg.interpolation.prepare(time, h);
        recorder.between(leg, end);
      }
      for (const each of passed) {
        leg.show(each.time);
        this.log.pass(each, leg, leg.snapshot());
      }
      if (recorder.dense) recorder.keepPiece(leg);
      this.#stiffness.look(leg, time, h);
      this.stepping.stands(leg, time, end);
      leg.motion.commit(time, h);
      this.tally.step(h);
      this.lastStep = h;
      this.time = end;
      if (recorder.everyStep) recorder.keep(leg, leg.here(end));
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
    if (acted) next.goOn(time, this.stepping.next);
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

  /** Failures end the run; what was computed is kept. */
  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (error instanceof Underflow) {
        this.end(
          "stepUnderflow",
          underflowReason(this.leg, this.time, error.h, error.cause),
          error.cause,
        );
      } else {
        this.end("failed", error instanceof Error ? error.message : String(error), error);
      }
    }
  }
}
