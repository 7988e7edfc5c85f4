import type { Address } from "../../base/memory/arena.js";
import type { System } from "../../interfaces/index.js";
import {
  type Correction,
  iterate,
  plainCorrection,
  RESIDUAL_TOLERANCE,
  Size,
  sizesOf,
} from "../../interfaces/projection/iteration.js";

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
export interface HalfExplicitStage {
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
