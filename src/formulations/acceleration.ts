import type {
  BoundFormulation,
  BoundStabilisation,
  ConstraintSolver,
  System,
} from "../contracts.js";
import type { Address } from "../memory/arena.js";

/** Finds accelerations with J a = right at the trial state. */
export interface AccelerationSolver {
  accelerate(right: Address, out: Address): void;
}

/**
 * The frame of all formulations that integrate q and v and enforce the constraints on the accelerations:
 *
 *   q' = v + minnorm(r),   v' = a with J a = gamma + (terms of the stabilisation)
 *
 * They differ in how a is found.
 */
export function bindAcceleration(
  system: System,
  stabilisation: BoundStabilisation,
  solver: AccelerationSolver,
): BoundFormulation {
  const { workspace, positions, velocities, rows } = system;
  const right = workspace.vector("right side", rows);
  const velocityRight = workspace.vector("velocity right side", rows);
  const displacement = workspace.vector("velocity correction", velocities);
  const v = system.trial + 8 * positions;
  const corrector = stabilisation.velocityRight ? correctorOf(system, solver) : undefined;

  function rightSide(): Address {
    const gamma = system.gamma();
    if (!stabilisation.right) return gamma;
    workspace.kernels.copyVector(rows, gamma, right);
    stabilisation.right(right);
    return right;
  }

  function rate(t: number, out: Address): void {
    system.at(t);
    solver.accelerate(rightSide(), out + 8 * positions);
    if (stabilisation.velocityRight && corrector) {
      stabilisation.velocityRight(velocityRight);
      corrector.minnorm(1, velocityRight, displacement);
      workspace.kernels.axpy(velocities, 1, v, displacement, displacement);
      system.positionRate(displacement, out);
    } else {
      system.positionRate(v, out);
    }
    stabilisation.rates?.(t, out);
  }

  return {
    ode: {
      dimension: positions + velocities + (stabilisation.countsWork ? 1 : 0),
      y: system.state,
      trial: system.trial,
      rate,
    },
    accelerations: (out) => solver.accelerate(system.gamma(), out),
  };
}

/** The formulation's own solver, where it can project: it is factored already. */
function correctorOf(
  system: System,
  solver: AccelerationSolver,
): Pick<ConstraintSolver, "minnorm"> {
  return "minnorm" in solver ? (solver as ConstraintSolver) : system.solver("cod");
}
