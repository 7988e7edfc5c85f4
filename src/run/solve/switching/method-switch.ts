import { Stopped } from "../../../ground/run-limits.js";
import type { State } from "../../../seam/index.js";
import { methodName } from "../../stepping/compatibility.js";
import { messageOf } from "../leg/failure.js";
import type { Leg } from "../leg/leg.js";
import type { Legs } from "../leg/legs.js";
import { Tally } from "../leg/statistics.js";
import type { Setup } from "../setup/setup.js";
import { Stepping } from "../step/stepping.js";
import { type MethodTrial, tryMethod } from "./method-trial.js";
import type { StiffnessMonitor } from "./stiffness-monitor.js";
import { WorkMeter } from "./work-meter.js";

/** Number of changes reported one by one, and how the note on all others begins. */
const TOLD = 4;
const MORE_CHANGES = "the method changed ";

/**
 * The other method has to be better by this factor, which grows with each change, up to a limit: if both are about as
 * good, or alternate in every period of the motion, changes would cost more than they save.
 */
const MARGIN = 1.5;
const MORE = 1.25;
const MOST = 4;

/** The leg that continues and its first step size. */
export interface SwitchTarget<T extends State> {
  readonly leg: Leg<T>;
  readonly length?: number;
}

/**
 * Changes of the method during a run, if the user chose none: the implicit one takes over where the motion is stiff,
 * and hands it back where it is not. Which of them continues is found by trying: the one that gets further for
 * its work. If the implicit one cannot continue, the explicit one, which passes through singular poses, takes over for
 * the rest.
 */
export class MethodSwitch<T extends State> {
  /** How often the method changed. */
  changes = 0;
  readonly #legs: Legs<T>;
  readonly #setup: Setup<T>;
  readonly #notes: string[];
  /** For trials. */
  readonly #stepping: Stepping<T>;
  /** It has been tried, and given up. */
  #isOver = false;

  constructor(legs: Legs<T>, setup: Setup<T>, notes: string[]) {
    this.#legs = legs;
    this.#setup = setup;
    this.#notes = notes;
    this.#stepping = new Stepping(setup, new Tally(), []);
  }

  get mayChange(): boolean {
    return this.#legs.mayChange && !this.#isOver;
  }

  save(): readonly number[] {
    return [this.#isOver ? 1 : 0, this.changes];
  }

  restore([isOver = 0, changes = 0]: readonly number[]): void {
    this.#isOver = isOver === 1;
    this.changes = changes;
  }

  /** Tries the other method from the accepted state of a leg: returns the leg that continues. */
  consider(leg: Leg<T>, t: number, watch: StiffnessMonitor<T>): SwitchTarget<T> {
    const legs = this.#legs;
    // What shortens steps there is noise, and implicit methods do not go through singular poses: they change branches.
    // The implicit one may hand back there, as it does not use the factor that reveals singular poses.
    if (!leg.isImplicit && leg.system.loops?.nearSingular?.()) return { leg };
    const next = this.#other(leg);
    if (next === undefined) return { leg };
    const error = leg.system.constraints.rows > 0 ? leg.positionError(t) : 0;
    const { pays, work, length } = this.#try(leg, next, t, error, watch.pace);
    if (!pays) watch.lost(leg, work);
    if (!(pays && watch.won(leg))) {
      legs.isStiff = !legs.isStiff;
      return { leg };
    }
    this.#hand(leg, next, t, error);
    this.#tell(leg, next, t);
    return { leg: next, length };
  }

  /** The implicit method failed: the explicit leg that continues, if possible. */
  fallBackToExplicit(leg: Leg<T>, t: number, cause: unknown): Leg<T> | undefined {
    const legs = this.#legs;
    if (!legs.mayChange || !legs.isStiff) return undefined;
    this.#giveUp(
      `at t = ${t} ${nameOf(leg)} failed; continued with an explicit method: ${messageOf(cause)}`,
    );
    const next = legs.of(leg.variant);
    this.#hand(leg, next, t, leg.positionError(t));
    return next;
  }

  get #margin(): number {
    let margin = MARGIN;
    for (let k = 0; k < this.changes && margin < MOST; k++) margin *= MORE;
    return Math.min(margin, MOST);
  }

  /** The leg with the other kind of method, which is then in use; undefined if there is none. */
  #other(leg: Leg<T>): Leg<T> | undefined {
    const legs = this.#legs;
    legs.isStiff = !legs.isStiff;
    try {
      return legs.of(leg.variant);
    } catch (cause) {
      this.#unlessStopped(cause);
      this.#giveUp(`the implicit method cannot be used: ${messageOf(cause)}`);
      return undefined;
    }
  }

  #try(leg: Leg<T>, next: Leg<T>, t: number, error: number, pace: number): MethodTrial {
    const meter = new WorkMeter<T>();
    meter.start(next);
    try {
      this.#hand(leg, next, t, error);
      return tryMethod(next, this.#stepping, this.#setup, t, this.#margin * pace);
    } catch (cause) {
      this.#unlessStopped(cause);
      // Functions may not be defined where a trial leads, poses may be singular: the run itself reports what it
      // encounters.
      next.motion.rollBack();
      return { pays: false, work: meter.read(next) + next.prices.firstStep, length: 0 };
    }
  }

  /** A limit ends the run with the method in use. */
  #unlessStopped(cause: unknown): void {
    if (!(cause instanceof Stopped)) return;
    this.#legs.isStiff = !this.#legs.isStiff;
    throw cause;
  }

  #hand(leg: Leg<T>, next: Leg<T>, t: number, error: number): void {
    leg.view.refresh();
    next.takeStateOf(leg, t);
    next.continueFrom(t, 2 * error);
  }

  #tell(leg: Leg<T>, next: Leg<T>, t: number): void {
    const notes = this.#notes;
    this.changes++;
    if (this.changes > TOLD) {
      // Others write notes in between.
      const known = notes.findIndex((note) => note.startsWith(MORE_CHANGES));
      const more = `${this.changes - TOLD} more times, last at t = ${t} to ${nameOf(next)}`;
      notes.splice(known < 0 ? notes.length : known, 1, MORE_CHANGES + more);
    } else if (next.isImplicit) {
      notes.push(
        `the motion is stiff: stability, not accuracy, limited the steps of ${nameOf(leg)}. From t = ${t} on ` +
          `it is solved by ${nameOf(next)}`,
      );
    } else {
      notes.push(`no longer stiff: from t = ${t} solved by ${nameOf(next)} again`);
    }
  }

  #giveUp(why: string): void {
    this.#legs.isStiff = false;
    this.#isOver = true;
    this.#notes.push(why);
  }
}

function nameOf<T extends State>({ choice }: Leg<T>): string {
  return methodName(choice.method);
}
