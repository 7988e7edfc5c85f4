import type { Address } from "../../ground/memory/arena.js";
import type { System } from "../../seam/index.js";
import { type Correction, iterate, Size, sizesOf } from "../../seam/projection/iteration.js";
import { ROUNDING } from "../../seam/projection/nearest-step.js";

/** Correction of velocities that is left out. */
const TOLERANCE = 1e-14;

/** Corrections at most with one J, each of which leaves a part of order h, and how often J is found anew for rows nonlinear in velocities. */
const CORRECTIONS = 40;
const NEWTON = 10;

/** Parts of the first correction, and of the velocities, that the last one exceeds if corrections did not converge. */
const LEFT = { part: 0.1, ofVelocities: 1e-6 } as const;

/** An evaluation whose multipliers hold the velocities at another state: see {@link bindHalfExplicit}. */
export interface HalfExplicitStage {
  /** At the trial state: a = accelerations, with J a = gamma to begin with. */
  evaluate(a: Address): void;
  /**
   * The trial state has the velocity v + weight a. Changes a, by multipliers of the evaluation, and the velocity with it until the rows hold there.
   */
  close(weight: number, a: Address): void;
}

/**
 * Half-explicit methods need the multipliers at one state (i) that hold the constraints on velocities at another (e):
 *
 *   a = M_i^-1 (Q_i + J_i^T lambda),   Phi'_e(v + w a) = 0
 *
 * a changes along X = M_i^-1 J_i^T (J_i M_i^-1 J_i^T)^+, n x m, which is made where state i is factored anyway. At state e the iteration r <- Phi'_e,
 * a <- a - X r / w then needs no state but that one: J_e X = I + O(h), so each correction leaves a part of order h, and rows nonlinear in velocities are
 * taken as they are. Rejected: the saddle point matrix [M_i, J_i^T; J_e, 0] of the papers, which is not symmetric: no solver of a tree or of sparse bodies has it, and redundant rows make it
 * singular. Rejected too: going back to state i in each correction, which costs a factorisation each time.
 *
 * Near singular poses J_e X is far from I, and corrections do not converge: the multipliers are then those of the accelerations, and the velocities are moved to the
 * nearest that satisfy the rows. Rejected: refusing the step, which no shorter one passes.
 *
 * The memory of X grows with rows times coordinates: many bodies are better off in relative coordinates, whose rows are those of loops only.
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
   * The step that a residual asks for, X r; its size is what corrections are measured by. Redundant rows are not exactly so off the constraints, where stages are: no
   * motion removes what they then leave. Weighed by X alone, which belongs to another state, it would cost order: 4 in place of 5 on Bennett's linkage.
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
    sizes,
    measure() {
      workspace.kernels.copyVector(rows, constraints.phiDot(), residual);
      sizes[Size.ERROR] = findStep();
    },
    // As many as the rows ask for with J as it is: rows are linear as a rule, and are then evaluated once more only.
    correct() {
      const { kernels } = workspace;
      let size = sizes[Size.ERROR]!;
      kernels.copyVector(velocities, step, taken);
      for (let i = 0; i < CORRECTIONS && size > sizes[Size.ENOUGH]!; i++) {
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

  /** Multipliers of the accelerations, and what the velocities then are off, removed where they are. */
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
      sizes[Size.ENOUGH] = Math.max(TOLERANCE, ROUNDING * speed);
      correction.measure();
      const before = sizes[Size.ERROR]!;
      iterate(correction, NEWTON);
      const left = sizes[Size.ERROR]!;
      if (!(left <= LEFT.part * before || left <= LEFT.ofVelocities * Math.max(1, speed))) {
        closeNearby();
      }
    },
  };
}
