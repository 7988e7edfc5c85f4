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
