import type { State } from "../../../interfaces/index.js";
import type { ModeSolver } from "../mode-solver/mode-solver.js";
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
 * and the implicit method does not pass there.
 */
const TREE_THRESHOLDS = { suspicious: 0.5, enough: 3 } as const;
const LOOP_THRESHOLDS = { suspicious: 0.8, enough: 20 } as const;
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
    const isDue = solver.isImplicit || this.#suspicions >= enough;
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
