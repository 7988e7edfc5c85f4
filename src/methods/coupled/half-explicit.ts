import { optionsOf, rule, type Shape } from "../../base/checking/index.js";
import type { BoundCoupledMethod, CoupledMethod, System } from "../../interfaces/index.js";
import { NO_HISTORY } from "../../interfaces/methods.js";
import { bindHalfExplicit } from "./half-explicit-stage.js";

/** Options of {@link halfExplicit}. */
export interface HalfExplicitOptions {
  /** Order of positions, velocities and multipliers: 3, 4 or 5. Default: 4. */
  readonly order?: 3 | 4 | 5;
}

const SHAPE: Shape<HalfExplicitOptions> = {
  order: rule("3, 4 or 5", (value) => value === 3 || value === 4 || value === 5),
};

/**
 * Rows of `a` define the stages, rows of `closed` the states that satisfy the constraints. The last weight of a row
 * of `closed` is nonzero. The last state is the end of the step.
 */
export interface HalfExplicitTableau {
  readonly a: readonly (readonly number[])[];
  readonly closed: readonly (readonly number[] | undefined)[];
  readonly reference: string;
}

/**
 * Returns a tableau whose constraints are satisfied at the stages: those of stage i + 1 determine the multipliers of
 * stage i.
 */
function atStages(rows: readonly (readonly number[])[], reference: string): HalfExplicitTableau {
  return { a: rows.slice(0, -1), closed: rows.slice(1), reference };
}

const S = Math.sqrt(6);
const BRASEY = "Brasey and Hairer, SIAM J. Numer. Anal. 30 (1993) 538-552";
const HAIRER = "Hairer and Wanner, Solving ODEs II, 2nd ed., Springer 1996, section VII.6";

/**
 * Orders 3 and 4 as in Brasey and Hairer, with 3 and 5 stages. Order 5 is the partitioned method of Murua on Dormand
 * and Prince's stages, with 6: its first multipliers are those of the accelerations, and the constraints are
 * satisfied at separate states. Rejected: Brasey's HEM5, with 8 stages. test/methods/half-explicit.test.ts checks all
 * three against the order conditions for index 2.
 */
export const halfExplicitTableaus: Readonly<Record<3 | 4 | 5, HalfExplicitTableau>> = {
  3: atStages([[], [1 / 3], [-1, 2], [0, 3 / 4, 1 / 4]], `${BRASEY}; ${HAIRER}`),
  4: atStages(
    [
      [],
      [3 / 10],
      [(1 + S) / 30, (11 - 4 * S) / 30],
      [(-79 - 31 * S) / 150, (-1 - 4 * S) / 30, (24 + 11 * S) / 25],
      [(14 + 5 * S) / 6, (-8 + 7 * S) / 6, (-9 - 7 * S) / 4, (9 - S) / 4],
      [0, 0, (16 - S) / 36, (16 + S) / 36, 1 / 9],
    ],
    `${BRASEY}; ${HAIRER}`,
  ),
  5: {
    a: [
      [],
      [1 / 5],
      [3 / 40, 9 / 40],
      [44 / 45, -56 / 15, 32 / 9],
      [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
      [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    ],
    closed: [
      undefined,
      [3 / 40, 9 / 40],
      [21 / 256, 45 / 256, 15 / 128],
      [19235 / 98784, -225 / 392, 6235 / 6174, 2755 / 32928],
      [-293 / 1152, 85 / 48, -2275 / 1908, 35 / 32, -2835 / 6784],
      [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ],
    reference: `Murua, Computing 59 (1997) 43-61; ${HAIRER}`,
  },
};

/**
 * Half-explicit Runge-Kutta methods for the index-2 form. Stages are explicit in q and v. The multipliers of each
 * stage are those that satisfy the constraints on velocities at the next,
 *
 *   Q_i = q + h sum_j a_ij V_j,   V_i = v + h sum_j a_ij A_j,   M(Q_j) A_j = Q(Q_j, V_j) + J(Q_j)^T lambda_j,   Phi'(Q_i, V_i) = 0
 *
 * so velocities satisfy all constraints to rounding after each step. Positions drift with the error of the method.
 * Multipliers at the end of a step follow from its state, and have its order. The method of order 5 has different
 * states for stages and constraints.
 *
 * @example
 * simulate(pendulum, { method: { coupled: halfExplicit({ order: 5 }) }, step: 1e-2, q: [1, 0] });
 */
export function halfExplicit(
  options: HalfExplicitOptions = {},
  ...more: undefined[]
): CoupledMethod {
  const { order = 4 } = optionsOf("halfExplicit", "METHOD", options, SHAPE, more);
  const tableau = halfExplicitTableaus[order];
  return {
    name: `halfExplicit(${order})`,
    reference: tableau.reference,
    order,
    stages: tableau.a.length,
    level: "velocity",
    // The first multipliers of order 5 are those of accelerations, which become large at singular poses.
    survivesSingularPoses: order < 5,
    survivesRedundantRows: true,
    needs: "operators",
    variableSteps: "projected",
    errorOrder: 0,
    bind: (system) => bindTableau(system, tableau),
  };
}

const sumOf = (row: readonly number[]) => row.reduce((sum, weight) => sum + weight, 0);

function bindTableau(system: System, { a, closed }: HalfExplicitTableau): BoundCoupledMethod {
  const { workspace, state, trial, constraints, coordinates } = system;
  const { positions, velocities } = coordinates;
  const size = positions + velocities;
  const solver = system.dynamics.solver("auto");
  const stage = bindHalfExplicit(system);
  const slopes = workspace.vector("half-explicit: slopes", size * a.length);
  const weights = (what: string, row: readonly number[] | undefined, i: number) => ({
    address: workspace.constants(`half-explicit: ${what} ${i}`, row ?? []),
    count: row?.length ?? 0,
    node: sumOf(row ?? []),
    last: row?.at(-1) ?? 0,
  });
  const stages = a.map((row, i) => weights("stage", row, i));
  const ends = closed.map((row, i) => weights("constraints", row, i));
  // The state that satisfies the constraints is the next stage.
  const isShared = a.map(
    (_, i) => closed[i] !== undefined && a[i + 1]?.join() === closed[i].join(),
  );

  function place(t: number, h: number, { address, count, node }: (typeof stages)[number]): void {
    workspace.kernels.combine(size, count, h, state.q, slopes, address, trial.q);
    system.at(t + node * h);
  }

  return {
    ...NO_HISTORY,
    attempt(t, h) {
      system.load(t);
      for (let i = 0; i < stages.length; i++) {
        const slope = slopes + 8 * size * i;
        const end = ends[i]!;
        if (i > 0 && !isShared[i - 1]) place(t, h, stages[i]!);
        coordinates.positionRate(trial.v, 0, trial.v, slope);
        stage.evaluate(slope + 8 * positions);
        if (end.count === 0) continue;
        place(t, h, end);
        stage.close(h * end.last, slope + 8 * positions);
      }
    },
    accept: () => system.store(),
    accelerations: (out) => solver.accelerate(constraints.gamma(), out),
  };
}
