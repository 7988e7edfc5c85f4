import type { Address } from "../../ground/memory/arena.js";
import { stiffMemory } from "../../ground/memory/stiff-memory.js";
import { checkLimits } from "../../ground/run-limits.js";
import type { MatrixEntry, System } from "../../seam/index.js";
import { differenceStep } from "../newton/dense-jacobian.js";

/**
 * Derivatives at the trial state of what a direct method solves, g(q, v) = Q + J^T lambda - M a at fixed a and lambda,
 * Phi', q' = T v, and if constraints on accelerations are solved for gamma - J a. Displacements x are given like velocities: q changes by T x.
 */
export interface Linearisation {
  /** "analytic", or "by differences" with the reason; with what is left out, if anything. */
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
   * d(gamma - J a)/dx, by rows of constraints, and at a fixed distance behind these values dgamma/dv. Empty unless constraints
   * on accelerations are solved for.
   */
  readonly biases: readonly MatrixEntry[];
  /** Distance of dgamma/dv, in bytes. */
  readonly gyroscopicOffset: number;
  /** Blocks of some 6 x 6 numbers that elimination couples; undefined where matrices are full. */
  couplings(): number | undefined;
  /** Finds all of them at time t for accelerations and multipliers. */
  evaluate(t: number, accelerations: Address, multipliers: Address): void;
}

/** By formulas where the system has them, else by differences. Reserves memory. */
export function linearisationOf(system: System, hasAccelerations: boolean): Linearisation {
  const found = system.matrices.derivatives?.(stiffMemory(system.workspace));
  if (found === undefined || typeof found === "string") {
    return differenced(system, hasAccelerations, found ?? "equations are functions");
  }
  const { rows, holonomicRows } = system.constraints;
  return {
    // Primitives on velocities have no second derivatives: iterations converge without, a little slower.
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

/** One-sided differences: two evaluations for each velocity. */
function differenced(system: System, hasAccelerations: boolean, why: string): Linearisation {
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

  /** Divides what has changed since `at` by a length, and puts the state back. */
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
        // What was really added.
        const exact = numbers[j]! - value;
        system.at(t);
        values(accelerations, multipliers, column + 8 * n * height);
        finish(t, column + 8 * n * height, exact);
      }
    },
  };
}

/** out = Q + J^T lambda - M a at the trial state: what is missing in the equations of motion. */
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

/** out = sign (J a - gamma) at the trial state: what the constraints on accelerations leave. */
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
