import type { Address } from "../../base/memory/arena.js";
import type { BoundFormulation, CoordinatePartition, System } from "../../interfaces/index.js";
import { STATE_AS_UNKNOWNS } from "../../interfaces/methods.js";
import type { AccelerationSolver } from "./acceleration-level.js";
import { bindLoad } from "./linear-in-velocity.js";

/**
 * Reduced representation of velocities that satisfy the constraints: v = basis e + particular. All functions refer to
 * the state of the last `at`, whose v need not be known before {@link velocity}.
 */
export interface TangentSpace {
  /** Chooses the meaning of e; called at the beginning of a step. */
  choose(): void;
  /** Moves the trial positions onto the constraints. Only present if positions are kept on them. */
  correct?(t: number): void;
  /** Factors at the trial positions. */
  factor(): void;
  /** Computes v from e; `bias` holds the residuals at zero velocity. */
  velocity(e: Address, bias: Address, v: Address): void;
  /** Computes e from v. */
  take(v: Address, e: Address): void;
  /** Computes e' for J a = right. */
  rate(right: Address, out: Address): void;
  /** Returns the coordinates that e consists of, if it consists of coordinates: see BoundFormulation. */
  partition?(): CoordinatePartition | undefined;
}

/**
 * Common part of formulations with unknowns (q, e) and kinematic characteristics e: n values, of which those beyond
 * the degrees of freedom stay zero. Between steps the accepted state is (q, v), so the meaning of e may change from
 * step to step.
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

  /** Sets the trial state that belongs to the unknowns. */
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
      tolerate() {},
    },
    ...STATE_AS_UNKNOWNS,
    beginStep(t) {
      load(t);
      space.choose();
      workspace.kernels.copyVector(positions, state.q, y);
      space.take(state.v, y + offset);
      return false;
    },
    endStep(t) {
      place(t, y);
      system.store();
    },
    accelerations: (out) => solver.accelerate(system.constraints.gamma(), out),
    ...(space.partition && { partition: space.partition }),
  };
}
