// What the kernels of mechanisms do, in plain JavaScript: the same tables, the same memory, the same
// general algorithm. Knows rows of COINCIDE, DOT1 and DOT2, angles of hinges, gravity.

import { type Kernels, Want } from "nodrift/kernels";
import { angles, continueAngles } from "./angles.js";
import { factorInPlace } from "./cholesky.js";
import { addJacobianTimes, addJacobianTransposeTimes } from "./jacobian.js";
import { kinematics } from "./kinematics.js";
import { forces, massSolve, massTimes, potential } from "./mass.js";
import { angularRate, displace, normalise, positionRate, speedRange } from "./motion.js";
import { formProducts, regularise } from "./products.js";
import { rows } from "./rows.js";
import { accelerate, minnorm } from "./solve.js";
import { BodyTables } from "./tables.js";
import { axpy, clear, combine, copy, dot, largestMagnitude, stabilisedRight } from "./vectors.js";

const RATES: number = Want.RATES;

/** The kernels of mechanisms for one memory; addresses are in bytes, as those kernels take them. */
export function bodyKernelsOf(buffer: ArrayBuffer, table: number) {
  const tables = new BodyTables(buffer, table);
  const x = tables.floats;
  return {
    bodyEvaluate(_: number, want: number): number {
      const status = kinematics(tables, want & RATES);
      if (status !== 0) return status;
      if (tables.angleList.length > 0) angles(tables, want);
      rows(tables, want);
      return 0;
    },
    bodyKinematics: (_: number, rates: number): number => kinematics(tables, rates),
    bodyContinue: (_: number): void => continueAngles(tables),
    bodyForces: (_: number, parts: number): void => forces(tables, parts),
    bodyPotential: (_: number): number => potential(tables),
    bodyFactor(_: number, mu: number, tolerance: number): number {
      formProducts(tables);
      regularise(tables, mu);
      return factorInPlace(tables, tolerance);
    },
    bodyAccelerate: (
      _: number,
      corrections: number,
      loads: number,
      right: number,
      out: number,
      lambda: number,
    ): number => accelerate(tables, corrections, loads >> 3, right >> 3, out >> 3, lambda >> 3),
    bodyMinnorm: (
      _: number,
      corrections: number,
      right: number,
      start: number,
      out: number,
    ): number => minnorm(tables, corrections, right >> 3, start >> 3, out >> 3),
    bodyMassTimes: (_: number, y: number, out: number): void => massTimes(tables, y >> 3, out >> 3),
    bodyMassSolve: (_: number, b: number, y: number): void => massSolve(tables, b >> 3, y >> 3),
    bodyJacobianTimes(_: number, y: number, out: number): void {
      clear(x, out >> 3, (out >> 3) + tables.rows);
      addJacobianTimes(tables, 1, y >> 3, out >> 3);
    },
    bodyJacobianTransposeTimes(_: number, lambda: number, out: number): void {
      clear(x, out >> 3, (out >> 3) + 6 * tables.bodies);
      addJacobianTransposeTimes(tables, lambda >> 3, out >> 3);
    },
    bodyDisplace: (
      _: number,
      q: number,
      scale: number,
      displacement: number,
      turn: number,
    ): number => displace(tables, q >> 3, scale, displacement >> 3, turn),
    bodyPositionRate: (
      _: number,
      v: number,
      scale: number,
      correction: number,
      out: number,
    ): void => positionRate(tables, v >> 3, scale, correction >> 3, out >> 3),
    bodyNormalise: (_: number, q: number): number => normalise(tables, q >> 3),
    bodyAngularRate: (_: number, v: number): number => angularRate(tables, v >> 3),
    bodySpeedRange: (_: number, v: number): number => speedRange(tables, v >> 3),
  };
}

/** The core kernels that methods call on mechanisms. */
export function coreKernelsOf(buffer: ArrayBuffer) {
  const x = new Float64Array(buffer);
  return {
    copyVector: (n, from, to) => copy(x, n, from >> 3, to >> 3),
    axpy(n, alpha, y, z, out) {
      axpy(x, n, alpha, y >> 3, z >> 3, out >> 3);
      return 0;
    },
    combine(n, count, h, y, slopes, weights, out) {
      combine(x, n, count, h, y >> 3, slopes >> 3, weights >> 3, out >> 3);
      return 0;
    },
    stabilisedRight: (m, onVelocity, onPosition, gamma, phiDot, phi, out) =>
      stabilisedRight(x, m, onVelocity, onPosition, gamma >> 3, phiDot >> 3, phi >> 3, out >> 3),
    largestMagnitude: (n, y) => largestMagnitude(x, n, y >> 3),
    dot: (n, y, z) => dot(x, n, y >> 3, z >> 3),
  } satisfies Partial<Kernels>;
}
