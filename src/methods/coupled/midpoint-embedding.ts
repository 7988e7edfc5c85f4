import { Turn } from "../../../assembly/layout-bodies.js";
import { number, optionsOf, type Shape } from "../../base/checking/index.js";
import { denseMemory } from "../../base/wasm/dense.js";
import type { BoundCoupledMethod, CoupledMethod, System } from "../../interfaces/index.js";
import { NO_HISTORY, PLAIN_COUPLED } from "../defaults.js";
import { bindMove } from "./embedding.js";

/** Options of {@link midpointEmbedding}. */
export interface MidpointEmbeddingOptions {
  /**
   * Compliance of the multipliers, relative to the largest diagonal element of J M^-1 J^T: the fraction of a
   * violation that remains after a step. Default: 1e-10.
   */
  readonly compliance?: number;
}

const SHAPE: Shape<MidpointEmbeddingOptions> = {
  compliance: number(
    "a number > 0 and < 1, about 1e-12 to 1e-6",
    (value) => value > 0 && value < 1,
  ),
};

/**
 * The explicit midpoint rule with the constraints embedded in both of its solves: the right-hand side of each brings
 * the constraints, expanded to the end of the step, to zero. The solves use c I + J M^-1 J^T with the compliance c,
 * which allows rows of any rank:
 *
 *   at t:        J a = gamma - 4 Phi' / h - 6 Phi / h^2,   v(t + h/2) = v + h a / 2
 *   at t + h/2:  J b = gamma - Phi'(t) / h,                v(t + h) = v + h b,   q(t + h) = q + h v + h^2 (a / 6 + b / 3)
 *
 * The positions follow from a and a' = 2 (b - a) / h. The weights are those with which, of an expansion at t, Phi + h Phi' +
 * h^2 (Phi''(t) / 6 + Phi''(t + h/2) / 3) and Phi' + h Phi''(t + h/2) are zero: violations vanish in a step, up to c
 * and h^3. Two solves per step. Rejected: q(t + h) = q + h v(t + h/2), which needs the first solve only, but has
 * three times the error in space and twenty times that of the constraints.
 *
 * This method is original to this package, modelled on {@link welch}, which needs a third solve if forces depend on
 * velocities.
 *
 * @example
 * simulate(pendulum, { method: { coupled: midpointEmbedding() }, step: 1e-3, q: [1, 0] });
 */
export function midpointEmbedding(
  options: MidpointEmbeddingOptions = {},
  ...more: undefined[]
): CoupledMethod {
  const { compliance = 1e-10 } = optionsOf("midpointEmbedding", "METHOD", options, SHAPE, more);
  return {
    ...PLAIN_COUPLED,
    name: "midpointEmbedding",
    reference:
      "this package, docs/theory/penalty.md; embedding as in Welch, Hong, Trapp and Choi, J. Guid. Control Dyn. (2007)",
    order: 2,
    stages: 2,
    bind: (system) => bindMidpoint(system, compliance),
  };
}

function bindMidpoint(system: System, compliance: number): BoundCoupledMethod {
  const { workspace, state, trial, constraints } = system;
  const { velocities } = system.coordinates;
  const { rows } = constraints;
  const solver = system.matrices.dense
    ? system.dynamics.solver("penalty", compliance, denseMemory)
    : system.dynamics.solver("auto");
  const exact = system.dynamics.solver("auto");
  const move = bindMove(system);
  const right = workspace.vector("midpoint embedding: right side", rows);
  const phiDot = workspace.vector("midpoint embedding: velocity residuals at the start", rows);
  const a = workspace.vector("midpoint embedding: accelerations", velocities);
  const half = workspace.vector("midpoint embedding: velocity in the middle", velocities);
  const mean = workspace.vector("midpoint embedding: mean velocity", velocities);
  const [start, end] = [state.v, trial.v];

  return {
    ...NO_HISTORY,
    attempt(t, h) {
      const { kernels } = workspace;
      system.load(t);
      kernels.copyVector(rows, constraints.phiDot(), phiDot);
      const [gamma, phi] = [constraints.gamma(), constraints.phi()];
      kernels.stabilisedRight(rows, 4 / h, 6 / (h * h), gamma, phiDot, phi, right);
      solver.accelerate(right, a);
      kernels.axpy(velocities, h / 2, a, start, half);
      kernels.axpy(velocities, h / 6, a, start, mean);
      // Positions at mid-step follow from the mean velocity of the first half.
      kernels.axpy(velocities, h / 4, a, start, end);
      move(h / 2, end, Turn.EXPONENTIAL);
      kernels.copyVector(velocities, half, end);
      system.at(t + h / 2);
      // The second weight is zero, so the value of Phi is irrelevant.
      kernels.stabilisedRight(rows, 1 / h, 0, constraints.gamma(), phiDot, phiDot, right);
      solver.accelerate(right, a);
      kernels.axpy(velocities, h, a, start, end);
      kernels.axpy(velocities, h / 3, a, mean, mean);
      move(h, mean, Turn.EXPONENTIAL);
    },
    accept: () => system.store(),
    accelerations: (out) => exact.accelerate(constraints.gamma(), out),
  };
}
