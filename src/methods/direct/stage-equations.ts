import { NodriftError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { arenaRecord } from "../../base/memory/record.js";
import { stiffMemory } from "../../base/memory/stiff-memory.js";
import { RANK_TOLERANCE } from "../../base/rank-tolerance.js";
import type {
  BoundFormulation,
  Ode,
  OdeJacobian,
  ShiftedSolver,
  System,
} from "../../interfaces/index.js";
import { STATE_AS_UNKNOWNS } from "../defaults.js";
import { DirectMatrix, type Level, writeBalance, writeRest } from "./direct-matrix.js";

/** Offsets of the parts of y = (q, v, a, lambda, mu, eta). */
interface StageUnknowns {
  readonly dimension: number;
  readonly v: number;
  readonly a: number;
  readonly lambda: number;
  /** Offset of mu; the dimension if there is no mu. */
  readonly mu: number;
  /** Offset of eta; the dimension if there is no eta. */
  readonly eta: number;
  /**
   * Whether mu and eta are omitted. The equations may then be inconsistent, and their solution leaves a residual
   * along J^T.
   */
  readonly isOverdetermined: boolean;
}

/** Solves with D - alpha df/dy of the unknowns of a stage by a {@link DirectMatrix}. */
function stageSolver(
  { workspace, coordinates, constraints }: System,
  matrix: DirectMatrix,
  unknowns: StageUnknowns,
  complex: boolean,
): ShiftedSolver {
  const { positions, velocities: n } = coordinates;
  const { rows } = constraints;
  const { places, partition } = matrix;
  const { size } = places;
  const { chosenRows } = partition;
  const { dimension } = unknowns;
  const hasCorrections = unknowns.mu < dimension;
  const hasImpulses = unknowns.eta < dimension;
  const solver = matrix.solver(complex);
  const kind = complex ? "complex " : "";
  const parts = complex ? 2 : 1;
  const right = workspace.vector(`${kind}right side of direct`, parts * size);
  const some = workspace.vector(`${kind}rows of direct`, parts * Math.max(chosenRows, 1));
  const stored = workspace.reserve(`${kind}alpha of direct`, 2);
  const stiff = stiffMemory(workspace);
  let alpha = new Float64Array(2);
  workspace.whenSealed((arena) => {
    alpha = arena.floats(stored);
  });
  const behind = complex ? size : 0;
  const ofVector = complex ? dimension : 0;

  /** Writes part of the right-hand side: factor b. */
  function put(count: number, real: number, imaginary: number, from: number, to: number): void {
    stiff.kernels.multiple(count, real, imaginary, from, ofVector, right + 8 * to, behind);
  }

  /** Writes the negative chosen rows of b. */
  function putRows(from: number, to: number): void {
    const { kernels } = stiff;
    for (let k = 0; k < parts; k++) {
      kernels.gather(chosenRows, partition.rows.address, from + 8 * k * dimension, some);
      kernels.multiple(chosenRows, -1, 0, some, 0, right + 8 * (to + k * size), 0);
    }
  }

  /** Writes the negative chosen rows of b times alpha. */
  function putScaledRows(real: number, imaginary: number, from: number, to: number): void {
    const { kernels } = stiff;
    const between = complex ? chosenRows : 0;
    for (let k = 0; k < parts; k++) {
      const part = from + 8 * k * dimension;
      kernels.gather(chosenRows, partition.rows.address, part, some + 8 * k * chosenRows);
    }
    kernels.multiple(chosenRows, -real, -imaginary, some, between, right + 8 * to, behind);
  }

  /** Reads part of the solution: (real + i imaginary) times unknowns. */
  function take(count: number, real: number, imaginary: number, from: number, to: number): void {
    stiff.kernels.multiple(count, real, imaginary, right + 8 * from, behind, to, ofVector);
  }

  /** Reads the multipliers of all rows, zero for rows that were not chosen. */
  function takeRows(real: number, imaginary: number, from: number, to: number): void {
    const { kernels } = stiff;
    const between = complex ? chosenRows : 0;
    kernels.multiple(chosenRows, -real, -imaginary, right + 8 * from, behind, some, between);
    for (let k = 0; k < parts; k++) {
      const list = partition.rows.address;
      kernels.scatterNegative(
        rows,
        chosenRows,
        list,
        some + 8 * k * chosenRows,
        to + 8 * k * dimension,
      );
    }
  }

  return {
    factor(real, imaginary) {
      alpha[0] = real;
      alpha[1] = imaginary;
      const row = solver.factor(real, imaginary);
      if (row >= 0) throw matrix.singular(row);
      return true;
    },
    solve(b, x) {
      const { kernels } = stiff;
      const real = alpha[0]!;
      const imaginary = complex ? alpha[1]! : 0;
      kernels.clearRows(parts, size, right);
      put(positions, 1, 0, b, places.toPositions);
      put(n, real, imaginary, b + 8 * unknowns.v, places.toVelocities);
      put(n, real, imaginary, b + 8 * unknowns.a, places.motion);
      putRows(b + 8 * unknowns.lambda, places.constraints);
      if (hasCorrections) putRows(b + 8 * unknowns.mu, places.closure);
      if (hasImpulses) putScaledRows(real, imaginary, b + 8 * unknowns.eta, places.accelerations);
      for (let k = 0; k < parts; k++) {
        const part = right + 8 * k * size;
        workspace.kernels.multiplyEach(size, solver.scales, part, part);
      }
      solver.solve(right);
      // 1 / alpha and its square.
      const square = real * real + imaginary * imaginary;
      const r = real / square;
      const i = -imaginary / square;
      take(positions, 1, 0, places.q, x);
      take(n, r, i, places.w, x + 8 * unknowns.v);
      take(n, r * r - i * i, 2 * r * i, places.e, x + 8 * unknowns.a);
      takeRows(-(r * r - i * i), -2 * r * i, places.multipliers, x + 8 * unknowns.lambda);
      if (unknowns.isOverdetermined) {
        for (let k = 0; k < parts; k++) {
          kernels.clearRows(1, dimension - unknowns.mu, x + 8 * (unknowns.mu + k * dimension));
        }
        return;
      }
      if (hasCorrections) takeRows(r, i, places.corrections, x + 8 * unknowns.mu);
      if (hasImpulses) takeRows(r * r - i * i, 2 * r * i, places.impulses, x + 8 * unknowns.eta);
    },
  };
}

/** Error scale of unknowns that others determine, large enough to ignore their errors. */
const IGNORED_SCALE = 1e300;

/**
 * Fraction of the tolerance that estimates of the index-3 form may use. Velocities along the constraints, whose
 * errors persist and move all later positions, are weighted by h together with those across the constraints, which
 * the next step removes. Rejected: separate estimates of the velocities along the constraints. Steps then follow them
 * closely, are rejected often, and the error across the constraints that a step leaves cancels only in steps of
 * similar length: the error of a slider-crank grew from 7e2 to 5e4 tolerances.
 */
const INDEX_3_TOLERANCE_FRACTION = 0.05;

/**
 * The equations of motion with their original constraints, for implicit integrators:
 *
 *   q' = T (v + J^T mu),   v' = a + J^T eta,   0 = Q + J^T lambda - M a,   0 = Phi and or 0 = Phi' and or 0 = J a - gamma
 *
 * with mu if both Phi and Phi' are zero (Gear, Gupta and Leimkuhler 1985), and with eta if J a = gamma is imposed too
 * (Fuhrer and Leimkuhler 1991). `isOverdetermined`: all constraints without mu and eta, more equations than unknowns.
 * Accelerations are separate unknowns, so M may depend on q. Nonholonomic rows are Phi' = 0 in any case.
 *
 * a and lambda at the beginning of a step follow from q and v and do not depend on the history: stages use them only
 * as first guesses.
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
    new Array<number>(dimension - lambda + n).fill(IGNORED_SCALE),
  );
  const kept = arenaRecord(workspace, "direct equations", { chosen: 0, taken: 0, length: 0 });
  const stiff = stiffMemory(workspace);

  /** Sets the trial state to q and v of the unknowns. */
  function place(t: number, from: Address): void {
    workspace.kernels.copyVector(positions, from, trial.q);
    workspace.kernels.copyVector(n, from + 8 * positions, trial.v);
    system.at(t);
  }

  /** Sets the trial state to the trial unknowns; out = q'. */
  function writePositionRate(t: number, out: Address): void {
    place(t, yTrial);
    if (hasMu) constraints.jacobianTransposeTimes(yTrial + 8 * mu, scratch);
    coordinates.positionRate(trial.v, hasMu ? 1 : 0, hasMu ? scratch : trial.v, out);
  }

  /** out = residuals of the constraints at the trial state. */
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
     * Linearised at the predicted middle of the step: J rotates with the mechanism, and the matrix of the beginning
     * takes twice as many iterations.
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

  /**
   * In the index-3 form velocities are index-2 variables: their error may be h^-1 times as large (Hairer and Wanner,
   * Solving ODEs II, section VII.7, and the code RADAU5). a, lambda and mu follow from q and v and are ignored: a
   * weight of h^2 would compare forces with lengths. The mean is taken over the others.
   */
  function weigh(h: number, scale: Address): void {
    const { kernels } = workspace;
    const counted = Math.sqrt((positions + n) / dimension);
    const ofVelocities = level === "positions" ? counted / Math.min(1, Math.abs(h)) : counted;
    kernels.axpy(positions, counted - 1, scale, scale, scale);
    const velocities = scale + 8 * positions;
    kernels.axpy(n, ofVelocities - 1, velocities, velocities, velocities);
    kernels.copyVector(dimension - positions - n, anything, scale + 8 * unknowns.a);
  }

  const ode: Ode = {
    dimension,
    positions,
    y,
    trial: yTrial,
    tolerate() {},
    algebraic: {
      differential: positions + n,
      tolerancePart: level === "positions" ? INDEX_3_TOLERANCE_FRACTION : 1,
      weigh,
      eliminatedRate(t, out) {
        writePositionRate(t, out);
        solver.accelerate(constraints.gamma(), out + 8 * positions);
      },
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
    ...STATE_AS_UNKNOWNS,
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
      return false;
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
      coordinates.normalise(trial.q);
      system.at(t);
      workspace.kernels.copyVector(positions + n, trial.q, out);
    },
  };
}
