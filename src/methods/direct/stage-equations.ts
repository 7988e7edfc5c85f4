import { NodriftError } from "../../ground/errors.js";
import type { Address } from "../../ground/memory/arena.js";
import { arenaRecord } from "../../ground/memory/record.js";
import { stiffMemory } from "../../ground/memory/stiff-memory.js";
import { RANK_TOLERANCE } from "../../ground/rank-tolerance.js";
import type { BoundFormulation, Ode, OdeJacobian, System } from "../../seam/index.js";
import { DirectMatrix, type Level } from "./direct-matrix.js";
import { writeBalance, writeRest } from "./linearisation.js";
import { type StageUnknowns, stageSolver } from "./stage-solver.js";

/** An error this large is none: for unknowns that others determine. */
const ANYTHING = 1e300;

/**
 * Part of the tolerance that estimates of the index-3 form may use. Velocities along the constraints, whose errors stay and
 * move all later positions, are weighed by h together with those across the constraints, which the next step removes.
 * Rejected: estimates of the velocities along the constraints by themselves. Steps then follow them closely, are
 * rejected often, and the error across the constraints that a step leaves cancels only in steps of similar length:
 * the error of a slider-crank grew from 7e2 to 5e4 tolerances.
 */
const INDEX_3_PART = 0.05;

/**
 * The equations of motion with their constraints as they are, for implicit integrators:
 *
 *   q' = T (v + J^T mu),   v' = a + J^T eta,   0 = Q + J^T lambda - M a,   0 = Phi and or 0 = Phi' and or 0 = J a - gamma
 *
 * with mu where both Phi and Phi' are zero (Gear, Gupta and Leimkuhler 1985), and with eta where J a = gamma is as well
 * (Fuhrer and Leimkuhler 1991). `isOverdetermined`: all constraints without mu and eta, more equations than unknowns. Accelerations are unknowns of their own,
 * so that M may depend on q. Nonholonomic rows are Phi' = 0 in any case.
 *
 * a and lambda where a step begins follow from q and v, and are the same whatever came before: stages do not depend on
 * them but for first guesses.
 */
export function bindStageEquations(
  system: System,
  level: Level,
  isOverdetermined = false,
): BoundFormulation {
  const { workspace, state, trial, coordinates, constraints, dynamics } = system;
  const { positions, velocities: n } = coordinates;
  const { rows, holonomicRows } = constraints;
  const isAll = level === "all";
  const isBoth = level === "both" || isAll;
  const hasMu = isBoth && !isOverdetermined;
  const hasEta = isAll && !isOverdetermined;
  const lambda = positions + 2 * n;
  const mu = lambda + rows;
  const eta = isBoth ? mu + rows : mu;
  const dimension = isAll ? eta + rows : eta;
  const parts = { dimension, v: positions, a: positions + n, lambda, mu, eta };
  const unknowns: StageUnknowns = { ...parts, isOverdetermined };
  const matrix = new DirectMatrix(system, { level, isStage: true, damping: 1 }, RANK_TOLERANCE);
  const solver = dynamics.solver("auto");
  const y = workspace.vector("direct unknowns", dimension);
  const yTrial = workspace.vector("trial of direct unknowns", dimension);
  const scratch = workspace.vector("direct products", n);
  const anything = workspace.constants(
    "errors that do not count",
    new Array<number>(dimension - lambda + n).fill(ANYTHING),
  );
  const kept = arenaRecord(workspace, "direct equations", { chosen: 0, taken: 0, length: 0 });
  const stiff = stiffMemory(workspace);

  /** q and v of unknowns become the trial state. */
  function place(t: number, from: Address): void {
    workspace.kernels.copyVector(positions, from, trial.q);
    workspace.kernels.copyVector(n, from + 8 * positions, trial.v);
    system.at(t);
  }

  /** The trial unknowns become the trial state; out = q'. */
  function writePositionRate(t: number, out: Address): void {
    place(t, yTrial);
    if (hasMu) constraints.jacobianTransposeTimes(yTrial + 8 * mu, scratch);
    coordinates.positionRate(trial.v, hasMu ? 1 : 0, hasMu ? scratch : trial.v, out);
  }

  /** out = what the constraints leave at the trial state. */
  function writeRows(out: Address): void {
    const { kernels } = workspace;
    if (level === "positions") {
      kernels.copyVector(holonomicRows, constraints.phi(), out);
      const offset = 8 * holonomicRows;
      kernels.copyVector(rows - holonomicRows, constraints.phiDot() + offset, out + offset);
      return;
    }
    kernels.copyVector(rows, constraints.phiDot(), out);
    if (isBoth) kernels.copyVector(rows, constraints.phi(), out + 8 * rows);
    if (isAll) writeRest(system, yTrial + 8 * unknowns.a, 1, out + 16 * rows);
  }

  const jacobian: OdeJacobian = {
    source: matrix.linearisation.source,
    /**
     * In the middle of the step, as far as it is known: J turns with the mechanism, and iterations with the matrix of the
     * beginning take twice as many.
     */
    evaluate(t) {
      const { kernels } = workspace;
      const half = kept.length / 2;
      const a = yTrial + 8 * unknowns.a;
      place(t, yTrial);
      kernels.axpy(n, half - 1, trial.v, trial.v, scratch);
      coordinates.displace(trial.q, scratch);
      kernels.axpy(n, half, a, trial.v, trial.v);
      system.at(t + half);
      matrix.evaluate(t + half, a, yTrial + 8 * lambda);
    },
    shifted: (complex) => stageSolver(system, matrix, unknowns, complex),
  };

  const ode: Ode = {
    dimension,
    positions,
    differential: positions + n,
    ...(level === "positions" && { tolerancePart: INDEX_3_PART }),
    y,
    trial: yTrial,
    /**
     * In the index-3 form velocities are index-2 variables: their error may be h^-1 times as large (Hairer and Wanner,
     * Solving ODEs II, section VII.7, and the code RADAU5). a, lambda and mu follow from q and v, and do not count: a
     * weight of h^2 would compare forces with lengths. The mean is taken over the others.
     */
    weigh(h, scale) {
      const { kernels } = workspace;
      const counted = Math.sqrt((positions + n) / dimension);
      const ofVelocities = level === "positions" ? counted / Math.min(1, Math.abs(h)) : counted;
      kernels.axpy(positions, counted - 1, scale, scale, scale);
      const velocities = scale + 8 * positions;
      kernels.axpy(n, ofVelocities - 1, velocities, velocities, velocities);
      kernels.copyVector(dimension - positions - n, anything, scale + 8 * unknowns.a);
    },
    eliminatedRate(t, out) {
      writePositionRate(t, out);
      solver.accelerate(constraints.gamma(), out + 8 * positions);
    },
    rate(t, out) {
      const { kernels } = workspace;
      writePositionRate(t, out);
      const a = yTrial + 8 * unknowns.a;
      const velocityRate = out + 8 * positions;
      if (hasEta) {
        constraints.jacobianTransposeTimes(yTrial + 8 * eta, scratch);
        kernels.axpy(n, 1, scratch, a, velocityRate);
      } else kernels.copyVector(n, a, velocityRate);
      writeBalance(system, a, yTrial + 8 * lambda, scratch, out + 8 * unknowns.a);
      writeRows(out + 8 * lambda);
    },
    jacobian: () => jacobian,
  };

  return {
    ode,
    beginStep(t, h) {
      const { kernels } = workspace;
      system.load(t);
      kept.length = h;
      if (kept.chosen !== 1) {
        matrix.choose(t);
        kept.chosen = 1;
      }
      kernels.copyVector(positions + n, state.q, y);
      const gamma = constraints.gamma();
      solver.accelerate(gamma, y + 8 * unknowns.a);
      solver.multipliers(gamma, y + 8 * lambda);
      stiff.kernels.clearRows(1, dimension - mu, y + 8 * mu);
      return undefined;
    },
    endStep(t) {
      place(t, y);
      system.store();
      kept.taken = 1;
    },
    accelerations(out) {
      solver.accelerate(constraints.gamma(), out);
    },
    multipliers(out) {
      if (kept.taken !== 1)
        throw new NodriftError("STEP", "no step multipliers yet: take a step first");
      workspace.kernels.copyVector(rows, y + 8 * lambda, out);
    },
    expandState(t, from, out) {
      place(t, from);
      coordinates.normalise?.(trial.q);
      system.at(t);
      workspace.kernels.copyVector(positions + n, trial.q, out);
    },
  };
}
