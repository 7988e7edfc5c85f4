import type { OdeJacobian, StageEquations } from "../../seam/index.js";
import type { Dynamics } from "./dynamics.js";

/**
 * df/dy of a system that solves stages by itself: all its positions are independent, in their order. `move` makes the
 * trial of the unknowns the trial state, and finds its accelerations.
 */
export function stageJacobian(
  stages: StageEquations,
  dynamics: Dynamics,
  move: (t: number) => void,
): OdeJacobian {
  return {
    source: "analytic",
    evaluate(t) {
      move(t);
      stages.evaluate(dynamics.accelerations);
    },
    shifted: (complex) => stages.shifted(complex),
  };
}
