import { NodriftError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import type { BoundFormulation, CoordinatePartition, System } from "../../interfaces/index.js";
import { STATE_AS_UNKNOWNS } from "../../interfaces/methods.js";
import type { AccelerationSolver } from "./acceleration-level.js";

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

/** Relative change of a row's derivatives above which the row is nonlinear, beyond finite differences and rounding. */
const NONLINEARITY_TOLERANCE = 1e-6;

/**
 * Announces the accepted state at the beginning of a step. Formulations on the level of velocities solve
 * J v + b = 0 for v, so nonholonomic constraints must be linear. Rejects those whose J = dPi/dv depends on v, by
 *
 *   |J(v + d) u - J(v) u| > 1e-6 max(|J(v + d) u|, |J(v) u|, |J(v) d|)   in some row
 *
 * with d of the size of v, and u, neither along v nor along each other: they are not both tangent to a row. Rejected:
 * Pi(v) - J v - Pi(0), which is zero for all satisfied constraints that are homogeneous of any degree, like vx^2 +
 * vy^2 - vz^2.
 */
export function bindLoad(system: System): (t: number) => void {
  const { workspace, trial } = system;
  const { velocities } = system.coordinates;
  const { rows, holonomicRows } = system.constraints;
  const count = rows - holonomicRows;
  const here = workspace.reserve("constraints times a direction", rows);
  const there = workspace.reserve("constraints times it elsewhere", rows);
  const other = workspace.reserve("constraints times another direction", rows);
  const shift = workspace.constants("shift of velocities", spreadNumbers(velocities, 1));
  const direction = workspace.constants("direction of velocities", spreadNumbers(velocities, 2));
  const v = trial.v;
  let products: readonly Float64Array[] = [];
  workspace.whenSealed((arena) => {
    products = [here, there, other].map((segment) => arena.floats(segment));
  });

  function announce(t: number): void {
    system.load(t);
  }

  return (t) => {
    announce(t);
    if (count === 0) return;
    const { kernels } = workspace;
    const speed = Math.max(kernels.largestMagnitude(velocities, v), 1);
    system.constraints.jacobianTimes(direction, here.address);
    system.constraints.jacobianTimes(shift, other.address);
    kernels.axpy(velocities, speed, shift, v, v);
    system.at(t);
    system.constraints.jacobianTimes(direction, there.address);
    announce(t);
    for (let row = holonomicRows; row < rows; row++) {
      const [a, b, c] = [products[0]![row]!, products[1]![row]!, products[2]![row]!];
      const size = Math.max(Math.abs(a), Math.abs(b), Math.abs(c));
      // NaN passes, as the following solve reports its source.
      if (Math.abs(b - a) > NONLINEARITY_TOLERANCE * size) throw refusal(system, row);
    }
  };
}

/** Returns quasi-random values between 1/2 and 3/2, from fractional parts of multiples of the golden ratio. */
function spreadNumbers(count: number, first: number): number[] {
  const ratio = (Math.sqrt(5) - 1) / 2;
  return Array.from({ length: count }, (_, k) => 0.5 + (((2 * k + first) * ratio) % 1));
}

function refusal({ constraints }: System, row: number): NodriftError {
  return new NodriftError(
    "METHOD",
    `the nonholonomic constraint "${constraints.rowNames[row]}" is nonlinear in the velocities. Formulations on the level ` +
      "of velocities or positions solve J v + b = 0 for v, so they need linear ones: use one on the level of accelerations, " +
      "such as udwadiaKalaba()",
  );
}
