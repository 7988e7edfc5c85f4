// Eigenvalues of a steady motion, those of its symmetries apart.
//
// States that symmetries Y make of a steady one are steady too: another place, another heading, another angle of
// a wheel. Their directions G at the state are kept by A = D(f - X), as A Y = [X, Y], which is a symmetry:
//
//   A (G, Q) = (G, Q) (S, *; 0, B)    with Q orthogonal to G.
//
// Eigenvalues of B are those of the motion. Those of S are known: [X, .] of turns and translations has the
// eigenvalues 0 and +- i times rates of turns of X. Most are zeros in pairs, as a heading that is off moves a bicycle
// ever further away. Found with all others, rounding of 1e-12 would split such a pair to 1e-6, and leave it open
// whether something grows.

import { type Eigenvalue, eigenvalues } from "../../../ground/algebra/eigenvalues.js";
import { combination, complement, dot, orthonormal } from "../../../ground/algebra/gram-schmidt.js";

/** Directions, over their sizes and squared, that depend on others. */
const DEPENDENT = 1e-12;

/** Eigenvalues of a matrix of which some directions span a part of their own. */
export interface SplitEigenvalues {
  /** Of the motion. */
  readonly motion: readonly Eigenvalue[];
  /** Of the symmetries. */
  readonly symmetry: readonly Eigenvalue[];
}

/** Eigenvalues of A by its columns; rates are those of the turns of X. */
export function splitEigenvalues(
  columns: readonly Float64Array[],
  directions: readonly Float64Array[],
  rates: readonly number[],
): SplitEigenvalues {
  const size = columns.length;
  const orbit = orthonormal(directions, [], { tolerance: DEPENDENT });
  const across = complement(orbit, size);
  const known = [0, ...rates.map(Math.abs)];
  return {
    motion: within(columns, across),
    symmetry: within(columns, orbit).map(({ imaginary }) => ({
      real: 0,
      imaginary: Math.sign(imaginary) * nearest(Math.abs(imaginary), known),
    })),
  };
}

/** Eigenvalues of Q^T A Q. */
function within(columns: readonly Float64Array[], basis: readonly Float64Array[]): Eigenvalue[] {
  const images = basis.map((x) => combination(columns, x, columns.length));
  return eigenvalues(
    basis.length,
    images.flatMap((image) => basis.map((x) => dot(x, image))),
  );
}

function nearest(value: number, known: readonly number[]): number {
  return known.reduce((best, each) =>
    Math.abs(each - value) < Math.abs(best - value) ? each : best,
  );
}
