// The kernels of mechanisms in plain JavaScript: the same tables, memory and general algorithm.
// Supports rows COINCIDE, DOT1 and DOT2, angles of hinges, and gravity.

import { type Kernels, Rank, Want } from "nodrift/kernels";
import { anglesIn } from "./angles.js";
import { blocksIn } from "./blocks.js";
import { choleskyIn } from "./cholesky.js";
import { fresh } from "./fresh.js";
import { jacobianIn } from "./jacobian.js";
import { kinematicsIn } from "./kinematics.js";
import { loopsIn } from "./loop-block.js";
import { massIn } from "./mass.js";
import { motionIn } from "./motion.js";
import { productsIn } from "./products.js";
import { rowsIn } from "./rows.js";
import { solveIn } from "./solve.js";
import { BodyTables } from "./tables.js";
import { vectorsIn } from "./vectors.js";

const RATES: number = Want.RATES;

/**
 * The kernels of mechanisms, and the core kernels that methods call on them, for one memory.
 * Addresses are in bytes, as in the kernels.
 */
export function kernelsIn(buffer: ArrayBuffer, table: number) {
  const tables = new BodyTables(buffer, table);
  const vectors = fresh(vectorsIn)(tables.floats);
  return { core: coreKernels(vectors), bodies: bodyKernels(tables, vectors) };
}

type Vectors = ReturnType<typeof vectorsIn>;

function bodyKernels(tables: BodyTables, vectors: Vectors) {
  const { kinematics } = fresh(kinematicsIn)(tables);
  const rowFunctions = fresh(rowsIn)(tables);
  const { rows } = rowFunctions;
  const { angles, continueAngles } = fresh(anglesIn)(tables, rowFunctions);
  const mass = fresh(massIn)(tables);
  const { massTimes, massSolve, forces, potential } = mass;
  const jacobian = fresh(jacobianIn)(tables);
  const { addJacobianTimes, addJacobianTransposeTimes } = jacobian;
  const { formProducts, keepDiagonal } = fresh(productsIn)(tables, vectors);
  const blocks = fresh(blocksIn)(tables.floats);
  const { factorInPlace } = fresh(choleskyIn)(tables, blocks, fresh(loopsIn)(tables));
  const { accelerate, minnorm } = fresh(solveIn)(tables, {
    ...blocks,
    ...jacobian,
    ...mass,
    ...vectors,
  });
  const { positionRate, displace, normalise, angularRate, speedRange } = fresh(motionIn)(tables);
  const { clear } = vectors;
  const rowCount = tables.rows;
  const velocities = 6 * tables.bodies;
  return {
    bodyEvaluate(_: number, want: number): number {
      const status = kinematics(want & RATES);
      if (status !== 0) return status;
      rows(want);
      return 0;
    },
    bodyKinematics: (_: number, want: number): number => kinematics(want & RATES),
    // None of the supported rows uses an angle: angles are computed on demand.
    bodySensors: (_: number, want: number): void => angles(want),
    bodyContinue: (_: number): void => continueAngles(),
    bodyForces: (_: number, parts: number): void => forces(parts),
    bodyPotential: (_: number): number => potential(),
    bodyFactor(_: number, rank: number, mu: number, tolerance: number): number {
      formProducts();
      keepDiagonal(rank === Rank.UNKNOWN ? mu : 0);
      return factorInPlace(tolerance, rank === Rank.KNOWN ? mu : undefined);
    },
    bodyAccelerate: (
      _: number,
      corrections: number,
      loads: number,
      right: number,
      out: number,
      lambda: number,
    ): number => accelerate(corrections, loads >> 3, right >> 3, out >> 3, lambda >> 3),
    bodyMinnorm: (
      _: number,
      corrections: number,
      right: number,
      start: number,
      out: number,
    ): number => minnorm(corrections, right >> 3, start >> 3, out >> 3),
    bodyMassTimes: (_: number, y: number, out: number): void => massTimes(y >> 3, out >> 3),
    bodyMassSolve: (_: number, b: number, y: number): void => massSolve(b >> 3, y >> 3),
    bodyJacobianTimes(_: number, y: number, out: number): void {
      clear(out >> 3, (out >> 3) + rowCount);
      addJacobianTimes(1, y >> 3, out >> 3);
    },
    bodyJacobianTransposeTimes(_: number, lambda: number, out: number): void {
      clear(out >> 3, (out >> 3) + velocities);
      addJacobianTransposeTimes(lambda >> 3, out >> 3);
    },
    bodyDisplace: (
      _: number,
      q: number,
      scale: number,
      displacement: number,
      turn: number,
    ): number => displace(q >> 3, scale, displacement >> 3, turn),
    bodyPositionRate: (
      _: number,
      v: number,
      scale: number,
      correction: number,
      out: number,
    ): void => positionRate(v >> 3, scale, correction >> 3, out >> 3),
    bodyNormalise: (_: number, q: number): number => normalise(q >> 3),
    bodyAngularRate: (_: number, v: number): number => angularRate(v >> 3),
    bodySpeedRange: (_: number, v: number): number => speedRange(v >> 3),
  };
}

/** The core kernels that methods call on mechanisms. */
function coreKernels(vectors: Vectors) {
  const { copy, axpy, combine, stabilisedRight, largestMagnitude, dot } = vectors;
  return {
    copyVector: (n, from, to) => copy(n, from >> 3, to >> 3),
    axpy(n, alpha, y, z, out) {
      axpy(n, alpha, y >> 3, z >> 3, out >> 3);
      return 0;
    },
    combine(n, count, h, y, slopes, weights, out) {
      combine(n, count, h, y >> 3, slopes >> 3, weights >> 3, out >> 3);
      return 0;
    },
    stabilisedRight: (m, onVelocity, onPosition, gamma, phiDot, phi, out) =>
      stabilisedRight(m, onVelocity, onPosition, gamma >> 3, phiDot >> 3, phi >> 3, out >> 3),
    largestMagnitude: (n, y) => largestMagnitude(n, y >> 3),
    dot: (n, y, z) => dot(n, y >> 3, z >> 3),
  } satisfies Partial<Kernels>;
}
