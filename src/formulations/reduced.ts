import type { BoundFormulation, System } from "../contracts.js";
import { NodriftError } from "../errors.js";
import type { Address } from "../memory/arena.js";
import type { AccelerationSolver } from "./acceleration.js";

/**
 * Velocities that satisfy the constraints, by fewer numbers: v = basis e + particular. All functions
 * work at the trial state last announced, of which v need not be known before {@link velocity}.
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
  rate(right: Address, e: Address, out: Address): void;
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
  const { workspace, positions, velocities, rows, holonomicRows, state, trial } = system;
  const y = workspace.vector("unknowns", positions + velocities);
  const yTrial = workspace.vector("trial unknowns", positions + velocities);
  const zero = workspace.vector("zero velocity", velocities);
  const offset = 8 * positions;
  const v = trial + offset;

  /** Announces the state that belongs to some unknowns. */
  function place(t: number, unknowns: Address): void {
    const { kernels } = workspace;
    kernels.copyVector(positions, unknowns, trial);
    kernels.copyVector(velocities, zero, v);
    system.at(t);
    space.correct?.(t);
    space.factor();
    space.velocity(unknowns + offset, system.phiDot(), v);
    system.at(t);
  }

  return {
    ode: {
      dimension: positions + velocities,
      y,
      trial: yTrial,
      rate(t, out) {
        place(t, yTrial);
        system.positionRate(v, 0, v, out);
        space.rate(system.gamma(), yTrial + offset, out + offset);
      },
    },
    begin(t) {
      workspace.kernels.copyVector(positions + velocities, state, trial);
      system.at(t);
      space.choose();
      workspace.kernels.copyVector(positions, state, y);
      space.take(state + offset, y + offset);
      if (rows > holonomicRows) {
        place(t, y);
        checkLinear(system);
      }
    },
    end(t) {
      place(t, y);
      workspace.kernels.copyVector(positions + velocities, trial, state);
    },
    accelerations: (out) => solver.accelerate(system.gamma(), out),
  };
}

/** Velocity residual, relative to the speed, that rounding does not explain. */
const NONLINEAR = 1e-6;

/** Refuses constraints that velocities solved for linearly do not satisfy. */
export function checkLinear(system: System): void {
  const { workspace, positions, velocities, rows, trial } = system;
  const residual = workspace.kernels.largestMagnitude(rows, system.phiDot());
  const speed = workspace.kernels.largestMagnitude(velocities, trial + 8 * positions);
  if (residual <= NONLINEAR * (1 + speed)) return;
  throw new NodriftError(
    "METHOD",
    "the nonholonomic constraints are not linear in the velocities, which a formulation on the level " +
      "of velocities needs: use one on the level of accelerations, like udwadiaKalaba()",
  );
}
