import { Turn } from "../../../assembly/layout-bodies.js";
import { number, optionsOf, type Shape } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import { arenaRecord } from "../../base/memory/record.js";
import { denseMemory } from "../../base/wasm/dense.js";
import type { BoundCoupledMethod, CoupledMethod, System } from "../../interfaces/index.js";
import { PLAIN_COUPLED } from "../defaults.js";
import { bindMove } from "./embedding.js";

/** Options of {@link staggered}. */
export interface StaggeredOptions {
  /**
   * Penalty parameter epsilon of the multipliers, relative to (h/2)^2 times the largest diagonal element of J M^-1
   * J^T. Default: 1e-10.
   */
  readonly compliance?: number;
}

const SHAPE: Shape<StaggeredOptions> = {
  compliance: number(
    "a number > 0 and < 1, about 1e-12 to 1e-2",
    (value) => value > 0 && value < 1,
  ),
};

/**
 * The staggered stabilisation of Park and Chiou. A penalty, lambda = -Phi / epsilon, is differentiated, epsilon lambda' = -Phi',
 * which makes multipliers unknowns of a first-order equation. They are integrated by the implicit midpoint rule, with
 * the mid-step velocity eliminated by the equation of motion. Coordinates are integrated by explicit central
 * differences, with positions and velocities staggered by half a step. With d = h/2 and J, M, Q at q(t + d) = q + d
 * v:
 *
 *   (epsilon I + d^2 J M^-1 J^T) lambda(t + d) = epsilon lambda(t) - d (J v + dPhi/dt + d J M^-1 Q)
 *   v(t + h) = v + h M^-1 (Q + J^T lambda(t + d)),   q(t + h) = q(t + d) + d v(t + h),   lambda(t + h) = 2 lambda(t + d) - lambda(t)
 *
 * Rows on velocities, Pi = 0, have the penalty on Pi: (epsilon I + d J M^-1 J^T) lambda(t + d) = epsilon lambda(t) +
 * d (gamma - J M^-1 Q). One solve per step, for rows of any rank. Velocity-dependent forces are evaluated at v + d a
 * with the accelerations a of the previous step, which keeps second order without a solve. Rejected: a of lambda(t),
 * which is less accurate than that of lambda(t + d).
 *
 * The mean velocity of a step satisfies the constraints, so epsilon lambda + Phi is constant up to an accumulating
 * error of the integration: Phi' is bounded by O(h^2), and Phi drifts as O(h^2) t. The error of Phi' changes sign in
 * every step, and with it an error O(h) of lambda(t + d); the mean of two steps is of second order.
 * {@link midpointEmbedding} removes violations.
 *
 * @example
 * simulate(pendulum, { method: { coupled: staggered() }, step: 1e-3, q: [1, 0] });
 */
export function staggered(options: StaggeredOptions = {}, ...more: undefined[]): CoupledMethod {
  const { compliance = 1e-10 } = optionsOf("staggered", "METHOD", options, SHAPE, more);
  return {
    ...PLAIN_COUPLED,
    name: "staggered",
    reference:
      "Park and Chiou, J. Guid. Control Dyn. 11 (1988) 365-370; Park, Chiou and Downer, ibid. 13 (1990) 562-570",
    order: 2,
    stages: 1,
    level: "velocity",
    bind: (system) => bindStaggered(system, compliance),
  };
}

function bindStaggered(system: System, compliance: number): BoundCoupledMethod {
  const { workspace, state, trial, constraints } = system;
  const { velocities: n } = system.coordinates;
  const { rows, holonomicRows } = constraints;
  const exact = system.dynamics.solver("auto");
  const solver = system.dynamics.solver("penalty", compliance, denseMemory);
  const move = bindMove(system);
  const memory = arenaRecord(workspace, "staggered: memory", { known: 0, taken: 0 });
  const lambda = workspace.vector("staggered: multipliers", rows);
  const a = workspace.vector("staggered: accelerations of the last step", n);
  const middle = workspace.vector("staggered: multipliers in the middle", rows);
  const next = workspace.vector("staggered: accelerations", n);
  const reaction = workspace.vector("staggered: forces", n);
  const product = workspace.vector("staggered: J times accelerations", rows);
  const right = workspace.vector("staggered: right side", rows);
  const mean = workspace.vector("staggered: mean velocity", n);
  const [start, end] = [state.v, trial.v];

  /** Computes accelerations and multipliers at an initial state. */
  function know(): void {
    exact.accelerate(constraints.gamma(), a);
    exact.multipliers(constraints.gamma(), lambda);
    memory.known = 1;
  }

  /**
   * Writes the right-hand side for the change of lambda, s - J M^-1 J^T lambda. Rows on positions have s = -(J v +
   * dPhi/dt) / d = J a - Phi'(v + d a) / d, the others gamma.
   */
  function writeRight(d: number): void {
    const { kernels } = workspace;
    const [phiDot, gamma] = [constraints.phiDot(), constraints.gamma()];
    constraints.jacobianTimes(a, product);
    kernels.axpy(holonomicRows, -1 / d, phiDot, product, right);
    const offset = 8 * holonomicRows;
    kernels.copyVector(rows - holonomicRows, gamma + offset, right + offset);
    constraints.jacobianTransposeTimes(lambda, reaction);
    solver.massSolve(reaction, next);
    constraints.jacobianTimes(next, product);
    kernels.axpy(rows, -1, product, right, right);
  }

  return {
    attempt(t, h) {
      const { kernels } = workspace;
      const d = h / 2;
      system.load(t);
      if (memory.known !== 1) know();
      move(d, start, Turn.EXPONENTIAL);
      kernels.axpy(n, d, a, start, end);
      system.at(t + d);
      writeRight(d);
      solver.multipliers(right, middle);
      kernels.axpy(rows, 1, lambda, middle, middle);
      constraints.jacobianTransposeTimes(middle, reaction);
      kernels.axpy(n, 1, system.dynamics.forces(), reaction, reaction);
      solver.massSolve(reaction, next);
      kernels.axpy(n, d, next, start, mean);
      kernels.axpy(n, h, next, start, end);
      move(h, mean, Turn.EXPONENTIAL);
    },
    accept: () => system.store(),
    commit() {
      const { kernels } = workspace;
      kernels.axpy(rows, -2, middle, lambda, lambda);
      kernels.axpy(rows, -2, lambda, lambda, lambda);
      kernels.copyVector(n, next, a);
      memory.taken = 1;
    },
    reset() {
      memory.known = 0;
    },
    accelerations: (out) => exact.accelerate(constraints.gamma(), out),
    multipliers(out) {
      if (memory.taken !== 1)
        throw new NodriftError("STEP", "no step multipliers yet: take a step first");
      workspace.kernels.copyVector(rows, middle, out);
    },
  };
}
