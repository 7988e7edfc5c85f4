import {
  firstOrder,
  type PlainOde,
  type SdirkTableau,
  sdirk4,
  sdirk415Tableau,
  solve,
} from "../../../src/solve.js";
import {
  type OdeReference,
  robertson,
  robertsonReference,
  vanDerPol,
  vanDerPolReference,
} from "../../mechanisms/index.js";
import { checked, decimal, distance, most, relative, reproduced } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

/** Rounding of a few sums and products of values of about 1. */
const COEFFICIENT_TOLERANCE = 8 * Number.EPSILON;
const STAGE_TIMES = [4 / 15, 23 / 30, 17 / 30, 707 / 1931, 1] as const;

export const negrutMethod = reproduction({
  name: "negrut-method",
  paper: "Negrut, Haug and German 2003",
  title: "Section 4: the method, SDIRK 4/15, its coefficients and its steps on known equations",
  notes: [
    "The paper gives gamma = 4/15 and refers to other sources for the rest. Times of stages, which are known as " +
      "fractions, are the sums of the rows of A.",
    "Eq. (48): the method is stiffly accurate, w1 = w0 + z5.",
    "Steps on Van der Pol's (epsilon = 1e-6) and Robertson's equations are compared with those " +
      "of an independent implementation; absolute tolerances are the relative ones, for " +
      "Robertson's 1e-4 times these.",
  ],
  *measure() {
    const tableau = sdirk415Tableau;
    const gamma = { quantity: "gamma", printed: 4 / 15, value: tableau.gamma };
    yield reproduced(gamma, distance(COEFFICIENT_TOLERANCE));
    const sums = stageTimes(tableau);
    for (const [i, reference] of STAGE_TIMES.entries()) {
      const value = sums[i] as number;
      yield checked({ quantity: `c${i + 1}`, reference, value }, distance(COEFFICIENT_TOLERANCE));
    }
    const residual = orderResidual(tableau);
    const quantity = "residual of the conditions of order 4";
    yield checked({ quantity, value: residual }, most(COEFFICIENT_TOLERANCE));
    yield checked(
      { quantity: "|R(infinity)|", reference: 0, value: stabilityAtInfinity(tableau) },
      distance(COEFFICIENT_TOLERANCE),
    );
    const excess = stabilityOnAxis(tableau) - 1;
    yield checked(
      { quantity: "|R(iy)| - 1, y = 1e-6 to 1e6", value: excess },
      most(COEFFICIENT_TOLERANCE),
    );
    yield* steps();
  },
});

function* steps(): Generator<Entry> {
  for (const { source, reference, absolute } of stiffOdes()) {
    for (const { tolerance, steps: known } of reference.sdirkSteps) {
      const tolerances = { relative: tolerance, absolute: absolute * tolerance };
      const value = sdirkSteps(source, reference.time, tolerances);
      const quantity = `accepted steps at ${decimal(tolerance)}, ${source.name}`;
      yield checked({ quantity, reference: known, value }, relative(0.05));
    }
  }
}

// Stiff differential equations with published results of Hairer and Wanner's SDIRK4.

/** First step of all runs, which affects the number of steps. */
const FIRST_STEP = 1e-6;

/** A stiff differential equation, with counts of steps to compare with. */
interface StiffOde {
  /** The equation. */
  readonly source: PlainOde;
  /** Its reference solution. */
  readonly reference: OdeReference;
  /** Ratio of the absolute tolerance to the relative one. */
  readonly absolute: number;
}

/**
 * Van der Pol's oscillator and Robertson's reaction. The second unknown of the latter is of the
 * order of 1e-5, and is controlled only by absolute tolerances below that: with this one the counts
 * to compare with are met to the step.
 */
function stiffOdes(): readonly StiffOde[] {
  return [
    { source: vanDerPol(), reference: vanDerPolReference, absolute: 1 },
    { source: robertson(), reference: robertsonReference, absolute: 1e-4 },
  ];
}

/** Accepted steps of SDIRK 4/15; NaN if it fails. */
function sdirkSteps(
  source: PlainOde,
  time: number,
  tolerance: { readonly relative: number; readonly absolute: number },
): number {
  const { statistics, status } = solve(source, {
    span: [0, time],
    tolerance,
    firstStep: FIRST_STEP,
    output: "ends",
    method: { formulation: firstOrder(), integrator: sdirk4() },
  });
  return status === "finished" ? statistics.steps : Number.NaN;
}

// Diagonally implicit methods tested against the conditions of order 4 and their claimed stability.

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
function orderResidual(tableau: SdirkTableau): number {
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
function stageTimes(tableau: SdirkTableau): readonly number[] {
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
function stabilityAtInfinity(tableau: SdirkTableau): number {
  return stability(tableau, -LARGE_MAGNITUDE, 0);
}

/** Largest |R| on the imaginary axis. */
function stabilityOnAxis(tableau: SdirkTableau): number {
  return Math.max(...MAGNITUDES.map((y) => stability(tableau, 0, y)));
}
