import { Stopped } from "../../../base/run-limits.js";
import type { State } from "../../../interfaces/index.js";
import { methodName } from "../../stepping/compatibility.js";
import { messageOf } from "../mode-solver/failure.js";
import type { ModeSolver } from "../mode-solver/mode-solver.js";
import type { ModeSolvers } from "../mode-solver/mode-solvers.js";
import { Tally } from "../mode-solver/statistics.js";
import type { Setup } from "../setup/setup.js";
import { Stepping } from "../step/stepping.js";
import type { TrialStepper } from "../trial/trial-stepper.js";

/**
 * Work of a mode solver from some point on, in evaluations of the explicit method. It is found from differences of
 * counts, which are exact: sums of costs depend in their last bit on what was counted before, which a restored run
 * does not know.
 */
export class WorkMeter<T extends State> {
  #evaluations = 0;
  #jacobians = 0;
  #factorisations = 0;

  start({ trial }: ModeSolver<T>): void {
    this.#evaluations = evaluationsOf(trial);
    this.#jacobians = trial.costs?.jacobians ?? 0;
    this.#factorisations = trial.costs?.factorisations ?? 0;
  }

  read({ trial, unitCosts }: ModeSolver<T>): number {
    const { costs } = trial;
    return (
      (evaluationsOf(trial) - this.#evaluations) * unitCosts.evaluation +
      ((costs?.jacobians ?? 0) - this.#jacobians) * unitCosts.jacobian +
      ((costs?.factorisations ?? 0) - this.#factorisations) * unitCosts.factorisation
    );
  }
}

/**
 * Evaluations without those of step checks: they are no property of the method, and a choice should not depend on
 * them.
 */
function evaluationsOf({ evaluations, costs }: TrialStepper): number {
  return evaluations - (costs?.checks ?? 0);
}

/**
 * Steps between two checks, and consecutive positive checks that mark a system as stiff if the user chose the method.
 */
const CHECK_INTERVAL_STEPS = 10;
const CONSECUTIVE_CHECKS = 8;
/**
 * Fraction of the stability limit from which a step counts as limited by stability. If stability is visible, steps
 * are kept below the full limit.
 */
const STABILITY_LIMITED_FRACTION = 0.8;

/**
 * Fraction of the stability limit from which a step is suspicious, and how many more suspicious steps than others
 * suffice. Closed loops need more of both: near singular poses the projection of stages looks like a fast component,
 * and the implicit method does not pass there. Fewer suffice in the first steps of a method, as stiff motion is stiff
 * from the beginning, and steps at singular poses are not the first.
 */
const TREE_THRESHOLDS = { suspicious: 0.5, enough: 3 } as const;
const LOOP_THRESHOLDS = { suspicious: 0.8, enough: 20 } as const;
const FIRST_STEPS = { enough: 6, most: 12 } as const;
/** Work with the implicit method before the explicit one is tried again, in evaluations. */
const EVALUATIONS_BEFORE_RETRY = 1000;
/** A failed trial is repeated after this many times its work, then after twice that, up to a limit. */
const RETRY_BACKOFF = 10;
const MAX_RETRY_BACKOFF = 80;
/** Consecutive trials that the explicit method has to win. */
const WINS_TO_SWITCH_BACK = 2;
/** Weight of earlier steps in the pace. */
const PACE_SMOOTHING = 0.8;

/** Advice after a step: nothing, note that the motion is stiff, or try the other method. */
export type Advice = "nothing" | "note" | "try";

/** Monitors the progress of the run per unit of work, and what limits its steps. */
export class StiffnessMonitor<T extends State> {
  /** Steps of the present method. */
  #steps = 0;
  #inRow = 0;
  #suspicions = 0;
  /** Smoothed time and work of the last steps. */
  #advanced = 0;
  #spent = 0;
  /** Work since the last trial, and the work required before the next. */
  #since = 0;
  #wait = 0;
  #times = RETRY_BACKOFF;
  /** Consecutive trials that the other method won. */
  #wins = 0;
  /** Work since the last check. */
  readonly #meter = new WorkMeter<T>();

  /** Time covered per unit of work. */
  get pace(): number {
    return this.#advanced / this.#spent;
  }

  /** Resets the monitor. Call when a method starts, or continues from a changed state. */
  begin(solver: ModeSolver<T>): void {
    this.#steps = 0;
    this.#suspicions = 0;
    this.#advanced = 0;
    this.#spent = 0;
    this.#since = 0;
    this.#wins = 0;
    this.#times = RETRY_BACKOFF;
    this.#wait = solver.isImplicit ? EVALUATIONS_BEFORE_RETRY : solver.alternativeCost;
    this.#meter.start(solver);
  }

  /**
   * Records that the other method was tried and is better. Returns whether that suffices: the explicit one has to win
   * several times, or it would be used at every jump between two long stiff stretches.
   */
  won(solver: ModeSolver<T>): boolean {
    this.#since = 0;
    this.#wins++;
    return !solver.isImplicit || this.#wins >= WINS_TO_SWITCH_BACK;
  }

  /** Records that the other method was tried for some work and is no better. */
  lost(solver: ModeSolver<T>, work: number): void {
    this.#since = 0;
    this.#wins = 0;
    this.#suspicions = 0;
    this.#wait = Math.max(this.#wait, this.#times * work);
    // Stiffness is detected directly, so failed trials may become rare; its end is not.
    if (!solver.isImplicit) this.#times = Math.min(2 * this.#times, MAX_RETRY_BACKOFF);
  }

  /** Checks a step that used a fraction of the stability limit of its method. */
  check(solver: ModeSolver<T>, h: number, stability: number, mayChange: boolean): Advice {
    this.#steps++;
    const work = this.#meter.read(solver);
    this.#meter.start(solver);
    this.#since += work;
    this.#advanced = PACE_SMOOTHING * this.#advanced + Math.abs(h);
    this.#spent = PACE_SMOOTHING * this.#spent + work;
    if (!mayChange) return this.#showsStiffness(stability) ? "note" : "nothing";
    const { suspicious, enough } = solver.system.loops ? LOOP_THRESHOLDS : TREE_THRESHOLDS;
    this.#suspicions = Math.max(this.#suspicions + (stability > suspicious ? 1 : -1), 0);
    const least = this.#steps <= FIRST_STEPS.most ? Math.min(enough, FIRST_STEPS.enough) : enough;
    const isDue = solver.isImplicit || this.#suspicions >= least;
    return isDue && this.#since >= this.#wait ? "try" : "nothing";
  }

  save(): readonly number[] {
    return [
      this.#steps,
      this.#inRow,
      this.#suspicions,
      this.#advanced,
      this.#spent,
      this.#since,
      this.#wait,
      this.#times,
      this.#wins,
    ];
  }

  /** Continues from saved values, with a mode solver whose counts may differ. */
  restore(saved: readonly number[], solver: ModeSolver<T>): void {
    const at = (index: number) => saved[index] ?? 0;
    this.#steps = at(0);
    this.#inRow = at(1);
    this.#suspicions = at(2);
    this.#advanced = at(3);
    this.#spent = at(4);
    this.#since = at(5);
    this.#wait = at(6);
    this.#times = at(7);
    this.#wins = at(8);
    this.#meter.start(solver);
  }

  /** Returns true once, at the step that shows stiffness. */
  #showsStiffness(stability: number): boolean {
    if (this.#inRow >= CONSECUTIVE_CHECKS || (this.#steps - 1) % CHECK_INTERVAL_STEPS !== 0)
      return false;
    this.#inRow = stability > STABILITY_LIMITED_FRACTION ? this.#inRow + 1 : 0;
    return this.#inRow === CONSECUTIVE_CHECKS;
  }
}

/** Maximum attempts in a trial. */
const MAX_TRIAL_ATTEMPTS = 8;
/**
 * Steps that must be accepted: several of the explicit method, so that instability has time to grow; one if the gain
 * is large.
 */
const REQUIRED_STEPS = { explicit: 4, implicit: 3, much: 1 } as const;
const LARGE_GAIN = 3;
/** The first step of an implicit method is this many times longer than required, which is easy for stiff motion. */
const IMPLICIT_FIRST_STEP_FACTOR = 4;
/** Explicit steps that use more than this fraction of their stability limit are no lasting gain. */
const MAX_STABILITY_FRACTION = 0.9;

/** The result of a trial. */
interface MethodTrial {
  readonly pays: boolean;
  /** Work of the trial. */
  readonly work: number;
  /** Length of the first step to continue with. */
  readonly length: number;
}

/**
 * Takes trial steps of a method from a state, discarded afterwards, to test whether the method covers more time per
 * unit of work than `needed`. The first step has the size that would suffice, so that a negative answer takes only an
 * attempt or two. Rejected: to predict the steps of the other method from eigenvalues; an estimate of those is not
 * what limits steps if the motion itself is fast, or its functions are not smooth. `needed` is the pace to reach, in
 * time per unit of work.
 */
function tryMethod<T extends State>(
  solver: ModeSolver<T>,
  stepping: Stepping<T>,
  setup: Setup<T>,
  t: number,
  needed: number,
): MethodTrial {
  const { isImplicit, trial, unitCosts } = solver;
  const { span, direction } = setup;
  const meter = new WorkMeter<T>();
  meter.start(solver);
  let [time, steps, length] = [t, 0, 0];
  const verdict = (pays: boolean): MethodTrial => ({ pays, work: meter.read(solver), length });
  stepping.begin(
    solver,
    t,
    (isImplicit ? IMPLICIT_FIRST_STEP_FACTOR : 1) * needed * unitCosts.firstStep,
  );
  for (let k = 0; k < MAX_TRIAL_ATTEMPTS; k++) {
    const end = stepping.attempt(solver, time, span[1]);
    if (end !== undefined) {
      const h = end - time;
      if (!isImplicit && stepping.stability > MAX_STABILITY_FRACTION) {
        trial.undo();
        return verdict(false);
      }
      stepping.acceptStep(solver, time, end);
      trial.commit(time, h);
      time = end;
      steps++;
      if (steps === 1) length = Math.abs(h);
    }
    const [gained, spent] = [direction * (time - t), needed * meter.read(solver)];
    const enough = !isImplicit
      ? REQUIRED_STEPS.explicit
      : gained > LARGE_GAIN * spent
        ? REQUIRED_STEPS.much
        : REQUIRED_STEPS.implicit;
    if (gained >= spent && (steps >= enough || time === span[1])) return verdict(true);
    if (time === span[1] || gained + 2 * Math.abs(stepping.next) < spent) return verdict(false);
  }
  return verdict(false);
}

/** Number of changes noted separately, and start of the note on all further ones. */
const MAX_SWITCH_NOTES = 4;
const SWITCH_COUNT_NOTE = "the method changed ";

/**
 * Required gain of the other method. It grows with each change, up to a limit: if both are about as good, or
 * alternate in every period of the motion, changes would cost more than they save.
 */
const MIN_SWITCH_GAIN = 1.5;
const SWITCH_GAIN_GROWTH = 1.25;
const MAX_SWITCH_GAIN = 4;

/** The mode solver that continues, and its first step size. */
export interface SwitchTarget<T extends State> {
  readonly solver: ModeSolver<T>;
  readonly length?: number;
}

/**
 * Changes the method during a run if the user chose none: to the implicit one while the motion is stiff, and back
 * afterwards. Trials decide which of them continues: the one that covers more time for its work. If the implicit one
 * cannot continue, the explicit one, which passes through singular poses, continues to the end.
 */
export class MethodSwitch<T extends State> {
  /** How often the method changed. */
  changes = 0;
  readonly #solvers: ModeSolvers<T>;
  readonly #setup: Setup<T>;
  readonly #notes: string[];
  /** Step control of the trials. */
  readonly #stepping: Stepping<T>;
  /** The implicit method failed, and is not tried again. */
  #hasGivenUp = false;

  constructor(solvers: ModeSolvers<T>, setup: Setup<T>, notes: string[]) {
    this.#solvers = solvers;
    this.#setup = setup;
    this.#notes = notes;
    this.#stepping = new Stepping(setup, new Tally(), []);
  }

  get mayChange(): boolean {
    return this.#solvers.mayChange && !this.#hasGivenUp;
  }

  save(): readonly number[] {
    return [this.#hasGivenUp ? 1 : 0, this.changes];
  }

  restore([isOver = 0, changes = 0]: readonly number[]): void {
    this.#hasGivenUp = isOver === 1;
    this.changes = changes;
  }

  /** Tries the other method from the accepted state; returns the mode solver that continues. */
  consider(solver: ModeSolver<T>, t: number, monitor: StiffnessMonitor<T>): SwitchTarget<T> {
    const solvers = this.#solvers;
    // Near a singular pose, noise shortens the steps, and an implicit method would leave on another branch: do not
    // switch to it. Switching back is fine: the implicit method does not use the factor tested here.
    if (!solver.isImplicit && solver.system.loops?.nearSingular?.()) return { solver };
    const next = this.#other(solver);
    if (next === undefined) return { solver };
    const error = solver.system.constraints.rows > 0 ? solver.positionError(t) : 0;
    const { pays, work, length } = this.#try(solver, next, t, error, monitor.pace);
    if (!pays) monitor.lost(solver, work);
    if (!(pays && monitor.won(solver))) {
      solvers.isStiff = !solvers.isStiff;
      return { solver };
    }
    this.#transferState(solver, next, t, error);
    this.#noteSwitch(solver, next, t);
    return { solver: next, length };
  }

  /** Returns the explicit solver that continues after the implicit method failed, if possible. */
  fallBackToExplicit(solver: ModeSolver<T>, t: number, cause: unknown): ModeSolver<T> | undefined {
    const solvers = this.#solvers;
    if (!solvers.mayChange || !solvers.isStiff) return undefined;
    this.#giveUp(
      `at t = ${t} ${nameOf(solver)} failed; continued with an explicit method: ${messageOf(cause)}`,
    );
    const next = solvers.of(solver.variant);
    this.#transferState(solver, next, t, solver.positionError(t));
    return next;
  }

  get #requiredGain(): number {
    let gain = MIN_SWITCH_GAIN;
    for (let k = 0; k < this.changes && gain < MAX_SWITCH_GAIN; k++) gain *= SWITCH_GAIN_GROWTH;
    return Math.min(gain, MAX_SWITCH_GAIN);
  }

  /** Switches to the other kind of method and returns its mode solver; undefined if there is none. */
  #other(solver: ModeSolver<T>): ModeSolver<T> | undefined {
    const solvers = this.#solvers;
    solvers.isStiff = !solvers.isStiff;
    try {
      return solvers.of(solver.variant);
    } catch (cause) {
      this.#unlessStopped(cause);
      this.#giveUp(`the implicit method cannot be used: ${messageOf(cause)}`);
      return undefined;
    }
  }

  #try(
    solver: ModeSolver<T>,
    next: ModeSolver<T>,
    t: number,
    error: number,
    pace: number,
  ): MethodTrial {
    const meter = new WorkMeter<T>();
    meter.start(next);
    try {
      this.#transferState(solver, next, t, error);
      return tryMethod(next, this.#stepping, this.#setup, t, this.#requiredGain * pace);
    } catch (cause) {
      this.#unlessStopped(cause);
      // User functions may not be defined at states of a trial, and poses may be singular: the run itself reports its
      // own failures.
      next.trial.rollBack();
      return { pays: false, work: meter.read(next) + next.unitCosts.firstStep, length: 0 };
    }
  }

  /** Restores the method in use and rethrows if a limit was reached. */
  #unlessStopped(cause: unknown): void {
    if (!(cause instanceof Stopped)) return;
    this.#solvers.isStiff = !this.#solvers.isStiff;
    throw cause;
  }

  #transferState(solver: ModeSolver<T>, next: ModeSolver<T>, t: number, error: number): void {
    solver.view.refresh();
    next.takeStateOf(solver, t);
    next.continueFrom(t, 2 * error);
  }

  #noteSwitch(solver: ModeSolver<T>, next: ModeSolver<T>, t: number): void {
    const notes = this.#notes;
    this.changes++;
    if (this.changes > MAX_SWITCH_NOTES) {
      // Other notes may have been added in between.
      const known = notes.findIndex((note) => note.startsWith(SWITCH_COUNT_NOTE));
      const more = `${this.changes - MAX_SWITCH_NOTES} more times, last at t = ${t} to ${nameOf(next)}`;
      notes.splice(known < 0 ? notes.length : known, 1, SWITCH_COUNT_NOTE + more);
    } else if (next.isImplicit) {
      notes.push(
        `the motion is stiff: stability, not accuracy, limited the steps of ${nameOf(solver)}. From t = ${t} on ` +
          `it is solved by ${nameOf(next)}`,
      );
    } else {
      notes.push(`no longer stiff: from t = ${t} solved by ${nameOf(next)} again`);
    }
  }

  #giveUp(why: string): void {
    this.#solvers.isStiff = false;
    this.#hasGivenUp = true;
    this.#notes.push(why);
  }
}

function nameOf<T extends State>({ choice }: ModeSolver<T>): string {
  return methodName(choice.method);
}
