import type { Address } from "../../ground/memory/arena.js";
import type {
  BoundFormulation,
  BoundStabilisation,
  ConstraintSolver,
  System,
} from "../../seam/index.js";

/** Finds accelerations with J a = right at the trial state. */
export interface AccelerationSolver {
  accelerate(right: Address, out: Address): void;
  readonly stages?: ConstraintSolver["stages"];
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
  const { workspace } = system;
  const { positions, velocities } = system.coordinates;
  const { rows } = system.constraints;
  const right = workspace.vector("right side", rows);
  const velocityRight = workspace.vector("velocity right side", rows);
  const corrected = workspace.vector("corrected velocity", velocities);
  const v = system.trial.v;
  const rates = ratesOf(system, solver);

  function rate(t: number, out: Address): void {
    if (stabilisation.stage) stabilisation.stage(t);
    else system.at(t);
    const accelerations = out + 8 * positions;
    const gamma = system.constraints.gamma();
    if (stabilisation.rightHandSides) {
      stabilisation.rightHandSides(gamma, right, velocityRight);
      if (system.coordinates.ratesAreVelocities) {
        rates(right, velocityRight, v, accelerations, out);
      } else {
        rates(right, velocityRight, v, accelerations, corrected);
        system.coordinates.positionRate(corrected, 0, corrected, out);
      }
    } else {
      stabilisation.rightHandSide?.(gamma, right);
      solver.accelerate(stabilisation.rightHandSide ? right : gamma, accelerations);
      system.coordinates.positionRate(v, 0, v, out);
    }
    stabilisation.rates?.(t, out);
  }

  const { stages } = solver;
  const { stage, rightHandSide, rightHandSides, rates: adds, integratesWork } = stabilisation;
  const onlyKernels = !(stage || rightHandSide || rightHandSides || adds || integratesWork);

  return {
    ode: {
      dimension: positions + velocities + (stabilisation.integratesWork ? 1 : 0),
      positions,
      y: system.state.q,
      trial: system.trial.q,
      rate,
      ...(stages && onlyKernels && { stages }),
    },
    accelerations: (out) => solver.accelerate(system.constraints.gamma(), out),
  };
}

/** Accelerations and corrected velocity: in one where the solver can, else one after the other. */
function ratesOf(system: System, solver: AccelerationSolver): ConstraintSolver["rates"] {
  if ("rates" in solver) {
    const own = solver as ConstraintSolver;
    return (right, r, v, out, corrected) => own.rates(right, r, v, out, corrected);
  }
  const corrector = system.dynamics.solver("auto");
  return (right, r, v, out, corrected) => {
    solver.accelerate(right, out);
    corrector.minnorm(1, r, corrected);
    system.workspace.kernels.axpy(system.coordinates.velocities, 1, corrected, v, corrected);
  };
}
