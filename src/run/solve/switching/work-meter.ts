import type { State } from "../../../seam/index.js";
import type { Leg } from "../leg/leg.js";
import type { Motion } from "../motion/motion.js";

/**
 * Work of a leg from some point on, in evaluations of the explicit method. By differences of counts, which are exact:
 * those of sums of prices depend in their last bit on what was counted before, which a restored run does not know.
 */
export class WorkMeter<T extends State> {
  #evaluations = 0;
  #jacobians = 0;
  #factorisations = 0;

  start({ motion }: Leg<T>): void {
    this.#evaluations = evaluationsOf(motion);
    this.#jacobians = motion.costs?.jacobians ?? 0;
    this.#factorisations = motion.costs?.factorisations ?? 0;
  }

  read({ motion, prices }: Leg<T>): number {
    const { costs } = motion;
    return (
      (evaluationsOf(motion) - this.#evaluations) * prices.evaluation +
      ((costs?.jacobians ?? 0) - this.#jacobians) * prices.jacobian +
      ((costs?.factorisations ?? 0) - this.#factorisations) * prices.factorisation
    );
  }
}

/** Without checks of steps: what they find out says nothing about the method, and a choice should not depend on them. */
function evaluationsOf({ evaluations, costs }: Motion): number {
  return evaluations - (costs?.checks ?? 0);
}
