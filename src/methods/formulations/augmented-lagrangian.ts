import { notNegative, number, optionsOf, type Shape, whole } from "../../base/checking/index.js";
import type { Address } from "../../base/memory/arena.js";
import { denseMemory } from "../../base/wasm/dense.js";
import type { Formulation, System } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { type AccelerationSolver, bindAcceleration } from "./acceleration-level.js";

/** Options of {@link penalty}. */
export interface PenaltyOptions {
  /**
   * Penalty on J a - right, relative to the largest diagonal element of (J M^-1 J^T)^-1: constraints are violated by
   * about its inverse. Default: 1e7.
   */
  readonly penalty?: number;
}

/** Options of {@link augmentedLagrangian}. */
export interface AugmentedLagrangianOptions extends PenaltyOptions {
  /** Maximum number of iterations. Default: 20. */
  readonly iterations?: number;
  /**
   * Residual of J a - right, relative to the largest acceleration of a row, at which iterations end. Default: 1e-15.
   */
  readonly tolerance?: number;
}

const PENALTY_SHAPE: Shape<PenaltyOptions> = {
  penalty: number("a number > 1, about 1e5 to 1e9", (value) => value > 1 && value < 1e15),
};

const SHAPE: Shape<AugmentedLagrangianOptions> = {
  ...PENALTY_SHAPE,
  iterations: whole(1),
  tolerance: notNegative,
};

/**
 * The penalty formulation of Bayo: constraints are stiff springs and dampers on their accelerations,
 *
 *   (M + J^T J / c) a = Q + J^T right / c
 *
 * with right = gamma, or with the terms of a stabilisation: {@link baumgarte} yields the printed form, with alpha =
 * xi omega and beta = omega. Constraints may be redundant or lose rank, since the matrix is positive definite for
 * every J. The error is a fraction c of the constraint forces; {@link augmentedLagrangian} removes it.
 *
 * @example
 * const stabilisation = baumgarte({ alpha: 10, beta: 10 });
 * simulate(pendulum, { method: { formulation: penalty({ penalty: 1e7 }), stabilisation, integrator: rk4() }, ...start });
 */
export function penalty(options: PenaltyOptions = {}, ...more: undefined[]): Formulation {
  const { penalty: factor = 1e7 } = optionsOf("penalty", "METHOD", options, PENALTY_SHAPE, more);
  return {
    ...PLAIN_FORMULATION,
    isApproximate: true,
    name: "penalty",
    reference: "Bayo, Garcia de Jalon and Serna, CMAME 71 (1988) 183-195",
    bind: (system, stabilisation) =>
      bindAcceleration(
        system,
        stabilisation,
        system.dynamics.solver("penalty", 1 / factor, denseMemory),
      ),
  };
}

/**
 * The augmented Lagrangian formulation of Bayo: a penalty, and multipliers that gradually replace it,
 *
 * (M + J^T J / c) a = M a + J^T right / c starting from a = M^-1 Q, with the last a on the right
 *
 * until J a = right. Each iteration leaves c / (c + s) of the residual in a direction with the eigenvalue s of J M^-1
 * J^T, so few are needed, and the result is exact. Constraints may be redundant or lose rank. With `projection({
 * solver: "penalty" })` it is the index-1 formulation with mass-orthogonal projections.
 *
 * @example
 * const stabilisation = projection({ solver: "penalty" });
 * simulate(pendulum, { method: { formulation: augmentedLagrangian(), stabilisation, integrator: rk4() }, ...start });
 */
export function augmentedLagrangian(
  options: AugmentedLagrangianOptions = {},
  ...more: undefined[]
): Formulation {
  const read = optionsOf("augmentedLagrangian", "METHOD", options, SHAPE, more);
  const { penalty: factor = 1e7, iterations = 20, tolerance = 1e-15 } = read;
  return {
    ...PLAIN_FORMULATION,
    name: "augmentedLagrangian",
    reference:
      "Bayo and Avello, Nonlinear Dynamics 5 (1994) 209-231; Bayo and Ledesma, Nonlinear Dynamics 9 (1996) 113-130",
    bind: (system, stabilisation) =>
      bindAcceleration(
        system,
        stabilisation,
        bindIteration(system, { compliance: 1 / factor, iterations, tolerance }),
      ),
  };
}

/** The iteration above by increments: a + x with x = M^-1 J^T (J M^-1 J^T + c I)^-1 (right - J a), repeated. */
function bindIteration(
  system: System,
  settings: {
    readonly compliance: number;
    readonly iterations: number;
    readonly tolerance: number;
  },
): AccelerationSolver {
  const { workspace, constraints } = system;
  const { velocities } = system.coordinates;
  const { rows } = constraints;
  const solver = system.dynamics.solver("penalty", settings.compliance, denseMemory);
  const residual = workspace.vector("residual of accelerations", rows);
  const correction = workspace.vector("correction of accelerations", velocities);

  /** Computes right - J a, and returns the largest entries of it and of J a. */
  function leftOver(right: Address, a: Address): readonly [left: number, size: number] {
    const { kernels } = workspace;
    constraints.jacobianTimes(a, residual);
    const size = kernels.largestMagnitude(rows, residual);
    kernels.axpy(rows, -1, residual, right, residual);
    return [kernels.largestMagnitude(rows, residual), size];
  }

  return {
    accelerate(right, out) {
      const { kernels } = workspace;
      solver.accelerate(right, out);
      let before = Number.POSITIVE_INFINITY;
      for (let i = 1; i < settings.iterations; i++) {
        const [left, size] = leftOver(right, out);
        // Inconsistent redundant rows leave a residual that no acceleration removes.
        if (!(left < before) || left <= settings.tolerance * size) return;
        before = left;
        solver.minnorm(1, residual, correction);
        kernels.axpy(velocities, 1, correction, out, out);
      }
    },
  };
}
