// Diagonally implicit methods tested against the conditions of order 4 and their claimed stability.

import type { SdirkTableau } from "../../../src/solve.js";

/** Magnitudes of z = h lambda at which a stability function is taken, from 1e-6 to 1e6. */
const MAGNITUDES = Array.from({ length: 241 }, (_, k) => 10 ** ((k - 120) / 20));
/** Stands for infinity: its reciprocal is below rounding, and its square is finite. */
const LARGE_MAGNITUDE = 1e30;

/** A, row-major: its row i maps h f to z_i, A = gamma (I - alpha)^-1. */
function matrixOf({ alpha, gamma }: SdirkTableau): number[][] {
  const rows: number[][] = [];
  for (const [i, weights] of alpha.entries()) {
    const row = alpha.map((_, j) => (j === i ? gamma : 0));
    for (const [k, weight] of weights.entries()) {
      for (let j = 0; j <= k; j++) row[j] = at(row, j) + weight * at(rows[k] as number[], j);
    }
    rows.push(row);
  }
  return rows;
}

/** An element as a number, since the compiler does not know that it exists. */
function at(numbers: readonly number[], index: number): number {
  return numbers[index] as number;
}

/**
 * Largest residual of the eight conditions of order 4 (Hairer, Nørsett and Wanner, Solving ODEs I,
 * table II.2.1), with the last row of A as the weights.
 */
export function orderResidual(tableau: SdirkTableau): number {
  const a = matrixOf(tableau);
  const b = a[a.length - 1] as number[];
  const { c } = tableau;
  const times = (x: readonly number[]) => a.map((row) => inner(row, x));
  const by = (x: readonly number[], y: readonly number[]) => x.map((value, i) => value * at(y, i));
  const square = by(c, c);
  const conditions: readonly (readonly [readonly number[], number])[] = [
    [c.map(() => 1), 1],
    [c, 1 / 2],
    [square, 1 / 3],
    [times(c), 1 / 6],
    [by(square, c), 1 / 4],
    [by(c, times(c)), 1 / 8],
    [times(square), 1 / 12],
    [times(times(c)), 1 / 24],
  ];
  return Math.max(...conditions.map(([x, value]) => Math.abs(inner(b, x) - value)));
}

/** Times of the stages in a step: the sums of the rows of A. */
export function stageTimes(tableau: SdirkTableau): readonly number[] {
  return matrixOf(tableau).map((row) => row.reduce((sum, value) => sum + value, 0));
}

function inner(x: readonly number[], y: readonly number[]): number {
  return x.reduce((sum, value, i) => sum + value * at(y, i), 0);
}

type Complex = readonly [real: number, imaginary: number];

/**
 * |R(z)|, z = x + i y, by the stages of y' = lambda y: (1 - gamma z) z_i = sum alpha_ij z_j + gamma
 * z.
 */
function stability({ alpha, gamma }: SdirkTableau, x: number, y: number): number {
  const stages: Complex[] = [];
  const [p, q] = [1 - gamma * x, -gamma * y];
  const size = p * p + q * q;
  for (const row of alpha) {
    let [u, v] = [gamma * x, gamma * y];
    for (const [j, weight] of row.entries()) {
      const [real, imaginary] = stages[j] as Complex;
      u += weight * real;
      v += weight * imaginary;
    }
    stages.push([(u * p + v * q) / size, (v * p - u * q) / size]);
  }
  const [u, v] = stages[stages.length - 1] as Complex;
  return Math.hypot(1 + u, v);
}

/** |R| far out on the negative real axis. */
export function stabilityAtInfinity(tableau: SdirkTableau): number {
  return stability(tableau, -LARGE_MAGNITUDE, 0);
}

/** Largest |R| on the imaginary axis. */
export function stabilityOnAxis(tableau: SdirkTableau): number {
  return Math.max(...MAGNITUDES.map((y) => stability(tableau, 0, y)));
}
