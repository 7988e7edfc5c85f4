// The stiff double pendulum of Negrut et al., section 5.1: 2 s by SDIRK 4/15.

import { eigenvalues } from "../../../src/analysis/index.js";
import type { CompiledModel } from "../../../src/bodies.js";
import { rk4, type State, simulate, udwadiaKalaba } from "../../../src/index.js";
import { radau5, type Solution, type SolveOptions, sdirk4, solve } from "../../../src/solve.js";
import {
  type Mechanism,
  stiffPendulumCartesian,
  stiffPendulumMinimal,
  stiffPendulumReference,
} from "../../mechanisms/index.js";
import { inStateSpace } from "./methods.js";
import { type TrajectoryError, trajectoryError } from "./stiff-runs.js";

const [END] = stiffPendulumReference[stiffPendulumReference.length - 1] as readonly [number];
/** First step of all runs, which affects the number of steps. */
const FIRST_STEP = 1e-6;
/** Step of finite differences, in radians and radians per second. */
const STEP = 1e-4;

/** Independent Euler parameters of rotations about z: the rods are bodies in space, as in the paper. */
const EULER = ["rod 1 e3", "rod 2 e3"];

const free = inStateSpace(sdirk4());
const pinned = inStateSpace(sdirk4(), ["theta1", "theta2"]);
const byPivots = inStateSpace(sdirk4(), ["theta1", "x2"]);

/** Runs 2 s; a run that does not finish is an error. */
function run(mechanism: Mechanism, options: Partial<SolveOptions>): Solution<State> {
  const { equations, q, v } = mechanism;
  const solution = solve(equations, {
    span: [0, END],
    q,
    v,
    firstStep: FIRST_STEP,
    output: "ends",
    method: free,
    ...options,
  });
  if (solution.status === "finished") return solution;
  throw new Error(`${mechanism.name}: ${solution.reason}`, { cause: solution.cause });
}

/**
 * Table III of Negrut et al.: accepted steps at a tolerance, in the two angles, and on constraints with both angles independent or
 * with independent coordinates chosen; and the largest constraint error.
 */
export function stiffPendulumSteps(tolerance: number) {
  const angles = run(stiffPendulumMinimal(), { tolerance }).statistics.steps;
  const cartesian = stiffPendulumCartesian();
  const partitioned = run(cartesian, { tolerance, method: pinned }).statistics;
  const chosen = run(cartesian, { tolerance }).statistics;
  const residual = Math.max(partitioned.maximumDrift.position, chosen.maximumDrift.position);
  return { angles, partitioned: partitioned.steps, chosen: chosen.steps, residual };
}

/** Accepted steps if the rods are bodies in space, with Euler parameters: e3 of both is independent. */
export function stiffPendulumStepsOfBodies(bodies: CompiledModel, tolerance: number): number {
  const { status, statistics } = solve(bodies, {
    span: [0, END],
    firstStep: FIRST_STEP,
    output: "ends",
    tolerance,
    method: inStateSpace(sdirk4(), EULER),
  });
  return status === "finished" ? statistics.steps : Number.NaN;
}

/** theta1 and its rate after 2 s at a tolerance of 1e-8. */
export function stiffPendulumEnd(): { readonly angle: number; readonly rate: number } {
  const { q, v } = run(stiffPendulumMinimal(), { tolerance: 1e-8 }).end;
  return { angle: q[0] as number, rate: v[0] as number };
}

/** Initial state of the stiff pendulum. */
export interface StiffPendulumStart {
  /** Start at rest, as Table II implies, instead of with the velocities in the paper. Default: false. */
  readonly isAtRest?: boolean;
}

/** The reference motion: Radau IIA at 1e-12, in the two angles. */
export function exactStiffPendulum({ isAtRest = false }: StiffPendulumStart = {}): Solution<State> {
  const [mechanism, method] = [stiffPendulumMinimal(), inStateSpace(radau5())];
  const options = { tolerance: 1e-12, method, output: "steps" } as const;
  return run(mechanism, isAtRest ? { ...options, v: [0, 0] } : options);
}

/** An error as table II of Negrut et al. prints it. */
export type PrintedError = Omit<TrajectoryError, "rootOverSteps">;

/**
 * Table II of Negrut et al.: errors of theta1 and of its rate by tolerance, as printed (time of the largest, the largest, relative
 * in per cent, mean); and the time of the largest, and their mean, as recomputed.
 */
const TABLE_2 = {
  angle: [
    [1e-2, 0.413557, 3.28e-2, 0.887, 1.147e-3, 0.394268, 1.1823e-3],
    [1e-3, 0.425395, 3.787e-3, 0.103, 1.111e-4, 1.242766, 5.0515e-5],
    [1e-4, 0.351082, 7.546e-4, 0.02, 1.966e-5, 0.438141, 1.5608e-5],
    [1e-5, 1.084304, 1.706e-4, 0.004, 4.211e-6, 1.481255, 4.5058e-7],
  ],
  rate: [
    [1e-2, 0.578444, 2.29e-1, 3.841, 8.375e-3, 0.023753, 9.9092e-3],
    [1e-3, 0.291094, 3.131e-2, 0.428, 9.066e-4, 0.520253, 3.7874e-4],
    [1e-4, 0.55101, 6.407e-3, 0.119, 1.531e-4, 0.625538, 1.1621e-4],
    [1e-5, 0.136235, 1.485e-3, 0.017, 3.502e-5, 0.686642, 4.111e-6],
  ],
} as const;

/** Table II of Negrut et al., an entry for each of its rows. */
export const stiffPendulumTable2 = (["angle", "rate"] as const).flatMap((of) =>
  TABLE_2[of].map(([tolerance, time, largest, percent, mean, ...own]) => {
    const printed: PrintedError = { time, largest, percent, mean };
    return { tolerance, of, printed, reference: { time: own[0], mean: own[1] } };
  }),
);

/**
 * Table II of Negrut et al.: errors of theta1 and its rate at all steps of a run at a tolerance.
 *
 * From rest the run is on constraints, with theta1 and x2 as independent coordinates. The paper does not say which
 * ones it had; those that its choice by pivots can find are tried in the table.
 */
export function stiffPendulumErrors(
  tolerance: number,
  exact: Solution<State>,
  { isAtRest = false }: StiffPendulumStart = {},
) {
  const output = "steps" as const;
  const solution = isAtRest
    ? run(stiffPendulumCartesian(), { tolerance, output, method: byPivots, v: Array(6).fill(0) })
    : run(stiffPendulumMinimal(), { tolerance, output });
  /** theta1 is the first of two angles, and the third coordinate of the first rod. */
  const theta1 = (values: ArrayLike<number>) => values[values.length === 2 ? 0 : 2] as number;
  return {
    angle: trajectoryError(solution, exact, ({ q }) => theta1(q)),
    rate: trajectoryError(solution, exact, ({ v }) => theta1(v)),
  };
}

/**
 * The dominant eigenvalue of the motion linearised at the start, by finite differences of the
 * accelerations; all others are far smaller.
 */
export function stiffPendulumEigenvalue(): number {
  const { equations, q, v } = stiffPendulumMinimal();
  const method = { formulation: udwadiaKalaba(), integrator: rk4() };
  const rate = (y: readonly number[]) => {
    const start = { q: y.slice(0, 2), v: y.slice(2), step: STEP, method };
    return [...start.v, ...simulate(equations, start).accelerations()];
  };
  const state = [...q, ...v];
  const columns = state.map((_, j) => {
    const moved = (h: number) => rate(state.map((value, i) => (i === j ? value + h : value)));
    const [ahead, behind] = [moved(STEP), moved(-STEP)];
    return ahead.map((value, i) => (value - (behind[i] as number)) / (2 * STEP));
  });
  return Math.min(...eigenvalues(state.length, columns.flat()).map(({ real }) => real));
}
