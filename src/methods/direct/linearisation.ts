import type { Address } from "../../base/memory/arena.js";
import { stiffMemory } from "../../base/memory/stiff-memory.js";
import { checkLimits } from "../../base/run-limits.js";
import type { MatrixEntry, System } from "../../interfaces/index.js";
import { differenceStep } from "../newton/dense-jacobian.js";

/**
 * Derivatives at the trial state of the equations of a direct method: g(q, v) = Q + J^T lambda - M a at fixed a and
 * lambda, Phi', q' = T v, and gamma - J a if constraints on accelerations are solved for. Displacements x have the
 * form of velocities: q changes by T x.
 */
export interface DirectLinearisation {
  /** "analytic" with any omissions, or "by differences" with the reason. */
  readonly source: string;
  /** K = dg/dx. */
  readonly stiffness: readonly MatrixEntry[];
  /** C = dg/dv. */
  readonly damping: readonly MatrixEntry[];
  /** P = d(Phi')/dx, by rows of constraints. */
  readonly rows: readonly MatrixEntry[];
  /** d(T v)/dx, by positions. */
  readonly rates: readonly MatrixEntry[];
  /**
   * d(gamma - J a)/dx, by rows of constraints, followed at a fixed offset by dgamma/dv. Empty unless constraints on
   * accelerations are solved for.
   */
  readonly biases: readonly MatrixEntry[];
  /** Offset of dgamma/dv in bytes. */
  readonly gyroscopicOffset: number;
  /** Returns the number of 6 x 6 blocks that elimination couples; undefined if matrices are full. */
  couplings(): number | undefined;
  /** Computes all derivatives at time t for given accelerations and multipliers. */
  evaluate(t: number, accelerations: Address, multipliers: Address): void;
}

/** Returns the analytic linearisation if the system has one, otherwise finite differences. Reserves memory. */
export function linearisationOf(system: System, hasAccelerations: boolean): DirectLinearisation {
  const found = system.matrices.derivatives(stiffMemory(system.workspace));
  if (typeof found === "string") {
    return differenced(system, hasAccelerations, found);
  }
  const { rows, holonomicRows } = system.constraints;
  return {
    // Primitives on velocities have no second derivatives; iterations converge slightly slower without them.
    source:
      rows > holonomicRows ? "analytic, but for the turning of rows on velocities" : "analytic",
    stiffness: found.forces,
    damping: found.forces.map((entry) => ({
      ...entry,
      address: entry.address + found.dampingOffset,
    })),
    rows: found.rows,
    rates: found.rates,
    biases: hasAccelerations
      ? found.rows.map((entry) => ({ ...entry, address: entry.address + found.biasOffset }))
      : [],
    gyroscopicOffset: found.gyroscopicOffset - found.biasOffset,
    couplings: () => found.couplings(),
    evaluate: (_t, accelerations, multipliers) => found.evaluate(accelerations, multipliers),
  };
}

/** One-sided finite differences: two evaluations for each velocity. */
function differenced(system: System, hasAccelerations: boolean, why: string): DirectLinearisation {
  const { workspace, coordinates, constraints, trial } = system;
  const { positions, velocities: n, ratesAreVelocities } = coordinates;
  const { rows } = constraints;
  const turning = ratesAreVelocities ? 0 : positions;
  const biased = hasAccelerations ? rows : 0;
  const height = n + rows + turning + biased;
  const table = workspace.vector("derivatives by differences", 2 * n * height);
  const at = workspace.vector("values that are differenced", height);
  const state = workspace.vector("state that is differenced", positions + n);
  const step = workspace.reserve("displacement of differences", n);
  const scratch = workspace.vector("products of differences", n);
  let numbers = new Float64Array(0);
  let places = new Float64Array(0);
  let displacement = new Float64Array(0);
  workspace.whenSealed((arena) => {
    numbers = arena.floats({ name: "v", address: trial.v, slots: n });
    places = arena.floats({ name: "q", address: trial.q, slots: positions });
    displacement = arena.floats(step);
  });

  /** out = g, Phi', T v and gamma - J a at the trial state. */
  function values(accelerations: Address, multipliers: Address, out: Address): void {
    writeBalance(system, accelerations, multipliers, scratch, out);
    workspace.kernels.copyVector(rows, constraints.phiDot(), out + 8 * n);
    if (turning > 0) coordinates.positionRate(trial.v, 0, trial.v, out + 8 * (n + rows));
    if (biased > 0) writeRest(system, accelerations, -1, out + 8 * (n + rows + turning));
  }

  /** Divides the changes since `at` by a length, and restores the state. */
  function finish(t: number, column: Address, length: number): void {
    const { kernels } = workspace;
    kernels.axpy(height, -1, at, column, column);
    kernels.axpy(height, 1 / length - 1, column, column, column);
    kernels.copyVector(positions + n, state, trial.q);
    system.at(t);
  }

  const entries = (first: number, count: number, shift: number): MatrixEntry[] =>
    Array.from({ length: n * count }, (_, k) => {
      const [column, row] = [Math.floor(k / count), k % count];
      return {
        row,
        column,
        address: table + 8 * ((shift + column) * height + first + row),
        scale: 1,
      };
    });
  return {
    source: `by differences: ${why}`,
    stiffness: entries(0, n, 0),
    damping: entries(0, n, n),
    rows: entries(n, rows, 0),
    rates: entries(n + rows, turning, 0),
    biases: entries(n + rows + turning, biased, 0),
    gyroscopicOffset: 8 * n * height,
    couplings: () => undefined,
    evaluate(t, accelerations, multipliers) {
      const { kernels } = workspace;
      values(accelerations, multipliers, at);
      kernels.copyVector(positions + n, trial.q, state);
      for (let j = 0; j < n; j++) {
        checkLimits();
        const length = differenceStep(ratesAreVelocities ? places[j]! : 1);
        const column = table + 8 * j * height;
        displacement[j] = length;
        coordinates.displace(trial.q, step.address);
        displacement[j] = 0;
        system.at(t);
        values(accelerations, multipliers, column);
        finish(t, column, length);
        const value = numbers[j]!;
        numbers[j] = value + differenceStep(value);
        // The increment after rounding.
        const exact = numbers[j]! - value;
        system.at(t);
        values(accelerations, multipliers, column + 8 * n * height);
        finish(t, column + 8 * n * height, exact);
      }
    },
  };
}

/** out = Q + J^T lambda - M a at the trial state, the residual of the equations of motion. */
export function writeBalance(
  { workspace, dynamics, constraints, coordinates: { velocities: n } }: System,
  accelerations: Address,
  multipliers: Address,
  scratch: Address,
  out: Address,
): void {
  const { kernels } = workspace;
  constraints.jacobianTransposeTimes(multipliers, scratch);
  kernels.axpy(n, 1, scratch, dynamics.forces(), out);
  dynamics.massTimes(accelerations, scratch);
  kernels.axpy(n, -1, scratch, out, out);
}

/** out = sign (J a - gamma) at the trial state, the residual of the constraints on accelerations. */
export function writeRest(
  { workspace, constraints }: System,
  accelerations: Address,
  sign: 1 | -1,
  out: Address,
): void {
  const { kernels } = workspace;
  constraints.jacobianTimes(accelerations, out);
  kernels.axpy(constraints.rows, -1, constraints.gamma(), out, out);
  if (sign < 0) kernels.axpy(constraints.rows, -2, out, out, out);
}
