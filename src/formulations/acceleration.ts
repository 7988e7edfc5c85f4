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
  const { velocityRight: writeVelocityRight } = stabilisation;
  const rates = ratesOf(system, solver);

  function rightSide(): Address {
    const gamma = system.gamma();
    if (!stabilisation.right) return gamma;
    stabilisation.right(gamma, right);
    return right;
  }

  function rate(t: number, out: Address): void {
    system.at(t);
    const accelerations = out + 8 * positions;
    if (writeVelocityRight) {
      const side = rightSide();
      writeVelocityRight(velocityRight);
      rates(side, velocityRight, accelerations, displacement);
      system.positionRate(v, 1, displacement, out);
    } else {
      solver.accelerate(rightSide(), accelerations);
      system.positionRate(v, 0, v, out);
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

/** Accelerations and velocity correction: in one where the solver can, else one after the other. */
function ratesOf(system: System, solver: AccelerationSolver): ConstraintSolver["rates"] {
  if ("rates" in solver) {
    const own = solver as ConstraintSolver;
    return (right, r, out, correction) => own.rates(right, r, out, correction);
  }
  const corrector = system.solver("cod");
  return (right, r, out, correction) => {
    solver.accelerate(right, out);
    corrector.minnorm(1, r, correction);
  };
}
