import { Turn } from "../../../assembly/layout-bodies.js";
import { number, optionsOf, type Shape } from "../../ground/checking/index.js";
import type { BoundCoupledMethod, CoupledMethod, System } from "../../seam/index.js";
import { bindMove } from "./embedding.js";

/** Options of {@link staggered}. */
export interface StaggeredOptions {
  /**
   * Compliance of the multipliers, relative to the largest diagonal element of J M^-1 J^T: what their law leaves of a
   * violation in a step. Default: 1e-10.
   */
  readonly compliance?: number;
}

const SHAPE: Shape<StaggeredOptions> = {
  compliance: number(
    "a number > 0 and < 1, about 1e-12 to 1e-6",
    (value) => value > 0 && value < 1,
  ),
};

/**
 * The staggered explicit-implicit procedure of Park and Chiou: coordinates by explicit central differences, multipliers by
 * implicit steps of a law that makes them answer to violations, epsilon lambda' = -(rate of the violation), staggered by half a
 * step. Its implicit step is a solve with epsilon I + J M^-1 J^T, which takes rows of any rank:
 *
 *   at t:        J a = gamma - 4 Phi' / h - 6 Phi / h^2,   v(t + h/2) = v + h a / 2
 *   at t + h/2:  J b = gamma - Phi'(t) / h,                v(t + h) = v + h b,   q(t + h) = q + h v + h^2 (a / 6 + b / 3)
 *
 * The positions follow from a and a' = 2 (b - a) / h. The weights are those with which, of an expansion at t, Phi + h Phi' +
 * h^2 (Phi''(t) / 6 + Phi''(t + h/2) / 3) and Phi' + h Phi''(t + h/2) are zero: violations are gone after a step, but for epsilon
 * and h^3. Two solves a step. Rejected: q(t + h) = q + h v(t + h/2), which needs the first solve only: three times the error in
 * space, and twenty times that of the constraints.
 *
 * Rejected: multipliers as unknowns of their own, as printed. Their law then keeps epsilon lambda + Phi where it was, up to an
 * error of the integration that adds up; here what they answer to is evaluated.
 *
 * @example
 * simulate(pendulum, { method: { coupled: staggered() }, step: 1e-3, q: [1, 0] });
 */
export function staggered(options: StaggeredOptions = {}, ...more: undefined[]): CoupledMethod {
  const { compliance = 1e-10 } = optionsOf("staggered", "METHOD", options, SHAPE, more);
  return {
    name: "staggered",
    reference:
      "Park and Chiou, J. Guid. Control Dyn. 11 (1988) 365-370; Park, Chiou and Downer, ibid. 13 (1990) 562-570; Laulusa and Bauchau 2008, 4.4",
    order: 2,
    stages: 2,
    level: "position",
    survivesSingularPoses: true,
    survivesRedundantRows: true,
    bind: (system) => bindStaggered(system, compliance),
  };
}

function bindStaggered(system: System, compliance: number): BoundCoupledMethod {
  const { workspace, state, trial, constraints } = system;
  const { velocities } = system.coordinates;
  const { rows } = constraints;
  const solver = system.matrices.dense
    ? system.dynamics.solver("penalty", compliance)
    : system.dynamics.solver("auto");
  const exact = system.dynamics.solver("auto");
  const move = bindMove(system);
  const right = workspace.vector("staggered: right side", rows);
  const phiDot = workspace.vector("staggered: velocity residuals at the start", rows);
  const a = workspace.vector("staggered: accelerations", velocities);
  const half = workspace.vector("staggered: velocity in the middle", velocities);
  const mean = workspace.vector("staggered: mean velocity", velocities);
  const [start, end] = [state.v, trial.v];

  return {
    attempt(t, h) {
      const { kernels } = workspace;
      system.load(t);
      kernels.copyVector(rows, constraints.phiDot(), phiDot);
      const [gamma, phi] = [constraints.gamma(), constraints.phi()];
      kernels.stabilisedRight(rows, 4 / h, 6 / (h * h), gamma, phiDot, phi, right);
      solver.accelerate(right, a);
      kernels.axpy(velocities, h / 2, a, start, half);
      kernels.axpy(velocities, h / 6, a, start, mean);
      // Positions in the middle by the mean velocity up to there.
      kernels.axpy(velocities, h / 4, a, start, end);
      move(h / 2, end, Turn.EXPONENTIAL);
      kernels.copyVector(velocities, half, end);
      system.at(t + h / 2);
      // The second weight is zero: what Phi is there does not matter.
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
