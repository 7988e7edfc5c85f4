import { optionsOf, rule, type Shape } from "../../base/checking/index.js";
import type { Address } from "../../base/memory/arena.js";
import type { BoundCoupledMethod, CoupledMethod, System } from "../../interfaces/index.js";
import {
  type Correction,
  iterate,
  plainCorrection,
  RESIDUAL_TOLERANCE,
  Size,
  sizesOf,
} from "../../interfaces/projection/projector.js";
import { NO_HISTORY, PLAIN_COUPLED } from "../defaults.js";

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
    ...PLAIN_COUPLED,
    name: `halfExplicit(${order})`,
    reference: tableau.reference,
    order,
    stages: tableau.a.length,
    level: "velocity",
    // The first multipliers of order 5 are those of accelerations, which become large at singular poses.
    survivesSingularPoses: order < 5,
    needs: "operators",
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

/** Correction of velocities that is treated as zero. */
const TOLERANCE = 1e-14;

/**
 * Maximum number of corrections with one J, each of which leaves a fraction of order h, and of evaluations of J for
 * rows nonlinear in velocities.
 */
const MAX_CORRECTIONS = 40;
const MAX_JACOBIANS = 10;

/**
 * Fractions of the first correction and of the velocities. Corrections did not converge if the last one exceeds both.
 */
const LEFT = { part: 0.1, ofVelocities: 1e-6 } as const;

/** An evaluation whose multipliers satisfy the velocity constraints at another state: see {@link bindHalfExplicit}. */
interface HalfExplicitStage {
  /** Evaluates the trial state: a = accelerations, initially with J a = gamma. */
  evaluate(a: Address): void;
  /**
   * Corrects a by multipliers of the evaluation, and with it the velocity v + weight a of the trial state, until the
   * rows are satisfied there.
   */
  close(weight: number, a: Address): void;
}

/**
 * Half-explicit methods need the multipliers at one state (i) that satisfy the constraints on velocities at another
 * (e):
 *
 *   a = M_i^-1 (Q_i + J_i^T lambda),   Phi'_e(v + w a) = 0
 *
 * a changes along X = M_i^-1 J_i^T (J_i M_i^-1 J_i^T)^+, n x m, which is computed when state i is factored anyway.
 * The iteration r <- Phi'_e, a <- a - X r / w then needs state e only. J_e X = I + O(h), so each correction leaves a
 * fraction of order h, also for rows nonlinear in velocities. Rejected: the saddle point matrix [M_i, J_i^T; J_e, 0]
 * of the papers. It is not symmetric, no solver of trees or sparse bodies has it, and redundant rows make it
 * singular. Rejected too: returning to state i in each correction, which costs a factorisation each time.
 *
 * Near singular poses J_e X is far from I, and corrections do not converge. The multipliers are then those of the
 * accelerations, and the velocities are moved to the nearest that satisfy the rows. Rejected: rejecting the step,
 * since shorter steps fail too.
 *
 * The memory of X grows with rows times coordinates. Use relative coordinates for many bodies, where only loops have
 * rows.
 */
export function bindHalfExplicit(system: System): HalfExplicitStage {
  const { workspace, trial, constraints, coordinates } = system;
  const { velocities } = coordinates;
  const { rows } = constraints;
  const solver = system.dynamics.solver("auto");
  const units = Array.from({ length: rows * rows }, (_, k) => (k % (rows + 1) === 0 ? 1 : 0));
  const identity = workspace.constants("half-explicit: unit rows", units);
  const columns = workspace.vector("half-explicit: directions", rows * velocities);
  const step = workspace.vector("half-explicit: correction", velocities);
  const taken = workspace.vector("half-explicit: correction taken", velocities);
  const begun = workspace.vector("half-explicit: before corrections", 2 * velocities);
  const residual = workspace.vector("half-explicit: residual", rows);
  const product = workspace.vector("half-explicit: rows times a correction", rows);
  const v = trial.v;
  const sizes = sizesOf();
  let accelerations: Address = 0;
  let inverse = 0;

  function move(scale: number): void {
    const { kernels } = workspace;
    kernels.axpy(velocities, scale, taken, v, v);
    kernels.axpy(velocities, scale * inverse, taken, accelerations, accelerations);
    system.atVelocity();
  }

  function areRedundant(): boolean {
    const free = constraints.degreesOfFreedom;
    if (free !== undefined) return rows > velocities - free;
    const known = system.matrices.dense?.generalRank();
    return known !== undefined && known.rank < rows;
  }

  /**
   * Computes the step X r for a residual; its size is the measure of corrections. At stages, off the constraints,
   * redundant rows are not exactly redundant, and no motion removes their residual. Weighed by X alone, which belongs
   * to another state, that residual would reduce the order: 4 instead of 5 on Bennett's linkage.
   */
  function findStep(): number {
    const { kernels } = workspace;
    let right = residual;
    if (areRedundant()) {
      solver.minnorm(1, residual, step, true);
      constraints.jacobianTimes(step, product);
      right = product;
    }
    kernels.matrixVector(velocities, rows, columns, velocities, right, step);
    return kernels.largestMagnitude(velocities, step);
  }

  const correction: Correction = {
    ...plainCorrection(sizes),
    measure() {
      workspace.kernels.copyVector(rows, constraints.phiDot(), residual);
      sizes[Size.ERROR] = findStep();
    },
    // As many corrections as the rows need with an unchanged J. Rows are usually linear, and then evaluated only once
    // more.
    correct() {
      const { kernels } = workspace;
      let size = sizes[Size.ERROR]!;
      kernels.copyVector(velocities, step, taken);
      for (let i = 0; i < MAX_CORRECTIONS && size > sizes[Size.ENOUGH]!; i++) {
        constraints.jacobianTimes(step, product);
        kernels.axpy(rows, -1, product, residual, residual);
        const next = findStep();
        if (!(next <= 0.5 * size)) break;
        size = next;
        kernels.axpy(velocities, 1, step, taken, taken);
      }
      move(-1);
    },
    undo: () => move(1),
  };

  /** Uses the multipliers of the accelerations, and projects the resulting velocities at their own state. */
  function closeNearby(): void {
    const { kernels } = workspace;
    kernels.copyVector(velocities, begun, v);
    kernels.copyVector(velocities, begun + 8 * velocities, accelerations);
    system.atVelocity();
    solver.minnorm(1, constraints.phiDot(), taken, true);
    move(-1);
  }

  return {
    evaluate(a) {
      solver.accelerate(constraints.gamma(), a);
      if (rows > 0) solver.minnorm(rows, identity, columns, true);
    },
    close(weight, a) {
      const { kernels } = workspace;
      if (rows === 0) return;
      accelerations = a;
      inverse = 1 / weight;
      kernels.copyVector(velocities, v, begun);
      kernels.copyVector(velocities, a, begun + 8 * velocities);
      const speed = kernels.largestMagnitude(velocities, v);
      sizes[Size.ENOUGH] = Math.max(TOLERANCE, RESIDUAL_TOLERANCE * speed);
      correction.measure();
      const before = sizes[Size.ERROR]!;
      iterate(correction, MAX_JACOBIANS);
      const left = sizes[Size.ERROR]!;
      if (!(left <= LEFT.part * before || left <= LEFT.ofVelocities * Math.max(1, speed))) {
        closeNearby();
      }
    },
  };
}
