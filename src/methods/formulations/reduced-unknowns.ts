import type { Address } from "../../ground/memory/arena.js";
import type { BoundFormulation, CoordinatePartition, System } from "../../seam/index.js";
import type { AccelerationSolver } from "./acceleration-level.js";
import { bindLoad } from "./linear-in-velocity.js";

/**
 * Velocities that satisfy the constraints, by fewer numbers: v = basis e + particular. All functions work at the state
 * of the last `at`, of which v need not be known before {@link velocity}.
 */
export interface TangentSpace {
  /** At the beginning of a step: chooses what e shall be. */
  choose(): void;
  /** Moves the trial positions onto the constraints. Only where positions are kept. */
  correct?(t: number): void;
  /** Factors at the trial positions. */
  factor(): void;
  /** v from e, where `bias` are the residuals at zero velocity. */
  velocity(e: Address, bias: Address, v: Address): void;
  /** e from v. */
  take(v: Address, e: Address): void;
  /** e' for J a = right. */
  rate(right: Address, out: Address): void;
  /** Coordinates that e are, where they are some: see BoundFormulation. */
  partition?(): CoordinatePartition | undefined;
}

/**
 * The frame of formulations with unknowns (q, e), where e are kinematic characteristics: n numbers, of
 * which those beyond the degrees of freedom stay zero. The accepted state is (q, v) between steps, so
 * that e may mean something else in each.
 */
export function bindReduced(
  system: System,
  space: TangentSpace,
  solver: AccelerationSolver,
): BoundFormulation {
  const { workspace, state, trial } = system;
  const { positions, velocities } = system.coordinates;
  const load = bindLoad(system);
  const y = workspace.vector("unknowns", positions + velocities);
  const yTrial = workspace.vector("trial unknowns", positions + velocities);
  const zero = workspace.vector("zero velocity", velocities);
  const offset = 8 * positions;
  const v = trial.v;

  /** Announces the state that belongs to some unknowns. */
  function place(t: number, unknowns: Address): void {
    const { kernels } = workspace;
    kernels.copyVector(positions, unknowns, trial.q);
    kernels.copyVector(velocities, zero, v);
    system.at(t);
    space.correct?.(t);
    space.factor();
    space.velocity(unknowns + offset, system.constraints.phiDot(), v);
    system.at(t);
  }

  return {
    ode: {
      dimension: positions + velocities,
      positions,
      y,
      trial: yTrial,
      rate(t, out) {
        place(t, yTrial);
        system.coordinates.positionRate(v, 0, v, out);
        space.rate(system.constraints.gamma(), out + offset);
      },
    },
    beginStep(t) {
      load(t);
      space.choose();
      workspace.kernels.copyVector(positions, state.q, y);
      space.take(state.v, y + offset);
    },
    endStep(t) {
      place(t, y);
      system.store();
    },
    accelerations: (out) => solver.accelerate(system.constraints.gamma(), out),
    ...(space.partition && { partition: space.partition }),
  };
}
