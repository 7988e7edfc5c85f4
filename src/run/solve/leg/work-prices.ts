import type { System } from "../../../seam/index.js";
import { shownCoordinates } from "../../public/state-view.js";

/**
 * What the parts of a method cost, in evaluations of the explicit one. Which method pays is decided by counts and
 * these prices, never by a clock: all machines take the same steps.
 */
export interface Prices {
  readonly evaluation: number;
  /** df/dy, besides evaluations that are counted. */
  readonly jacobian: number;
  readonly factorisation: number;
  /** About what a step costs that begins with df/dy and a factorisation. */
  readonly firstStep: number;
}

export const EXPLICIT: Prices = { evaluation: 1, jacobian: 0, factorisation: 0, firstStep: 12 };

/** Typical number of evaluations in a step of an implicit method. */
const EVALUATIONS = 8;

/** Of the sparse matrices of long chains, in explicit evaluations. */
const SPARSE = { jacobian: 25, real: 12, complex: 40 } as const;

/** What prices depend on besides the system. */
interface Kind {
  /** A complex matrix is factored besides the real one. */
  readonly isComplex: boolean;
  /** df/dy is computed by finite differences. */
  readonly isDifferenced: boolean;
}

/**
 * Prices of the implicit method for a system. Formulas were fitted to the times that each part takes by itself in
 * Node, on chains of 1 to 40 rods, closed loops, vehicles, systems given by functions and differential
 * equations of 2 to 160 unknowns; they are right within a factor of two, and often better.
 */
export function implicitPrices(system: System, kind: Kind): Prices {
  const { velocities } = system.coordinates;
  const { rigidBodies } = shownCoordinates(system);
  const { rows, holonomicRows, degreesOfFreedom } = system.constraints;
  if (system.ode || rows !== holonomicRows) return densePrices(system, kind);
  const n = 2 * Math.max(degreesOfFreedom ?? velocities - holonomicRows, 1);
  // Staged projection makes explicit evaluations dearer where loops close; user functions are called in each
  // iteration for the positions.
  const evaluation = system.loops ? 1.5 : rigidBodies ? 2.5 : 3.5;
  const jacobian = evaluation * (kind.isDifferenced ? 0.8 * n : 2 + 0.15 * n);
  const dense =
    (evaluation * (kind.isComplex ? 1.8e-4 : 3.6e-5) * n * n * n) / Math.max(velocities, 1);
  if (kind.isDifferenced || !rigidBodies) {
    return withFirst({ evaluation, jacobian, factorisation: dense }, 0);
  }
  // Beyond some size mechanisms are solved by sparse matrices, which take as long as some tens of evaluations.
  const factorisation = Math.min(dense, kind.isComplex ? SPARSE.complex : SPARSE.real);
  return withFirst({ evaluation, jacobian: Math.min(jacobian, SPARSE.jacobian), factorisation }, 0);
}

/** All unknowns in dense matrices; in microseconds, over those of an explicit evaluation. */
function densePrices(system: System, { isComplex, isDifferenced }: Kind): Prices {
  const { ode } = system;
  const { positions, velocities } = system.coordinates;
  const n = positions + velocities;
  const unit = ode ? 0.2 + 0.04 * n : 0.5 + 0.1 * n;
  const [square, cube] = isComplex ? [7e-4, 7e-4] : [2.5e-4, 1.5e-4];
  // Solves, and what iterations cost whatever the size.
  const besides = (0.5 + square * n * n) / unit;
  const factorisation = (0.3 + cube * n * n * n) / unit;
  // Differences are evaluations that are counted, but no solve comes with them. A Jacobian that is given costs about one.
  const jacobian = isDifferenced ? -n * besides : 1;
  const prices = { evaluation: 1 + besides, jacobian, factorisation };
  return withFirst(prices, isDifferenced ? n : 0);
}

function withFirst(prices: Omit<Prices, "firstStep">, differences: number): Prices {
  const { evaluation, jacobian, factorisation } = prices;
  const evaluations = (EVALUATIONS + differences) * evaluation;
  return { ...prices, firstStep: evaluations + jacobian + factorisation };
}
