// What systems give to methods that work on matrices and not on operators.

import type { Address } from "../ground/memory/arena.js";
import type { StiffMemory } from "../ground/memory/stiff-memory.js";

/** The matrices of a system, for methods that do not work on operators. */
export interface Matrices {
  /** Dense matrices, where the system has them. */
  readonly dense?: DenseEquations;
  /** Entry by entry, where that saves work. */
  readonly sparse?: SparseEquations;
  /** Derivatives by formulas, with memory reserved for them; or the reason why there are none. */
  derivatives?(stiff: StiffMemory): EquationDerivatives | string;
}

/** Dense matrices, for methods that need them. */
export interface DenseEquations {
  /** M by columns, n x n, whatever way the user gave it. */
  mass(): Address;
  /** J by rows: n numbers for each constraint. */
  jacobian(): Address;
  /** dM/dt v along the motion, as n numbers. */
  massRateTimesVelocity(out: Address): void;
  /** dJ/dt along the motion, by rows. */
  jacobianRate(out: Address): void;
}

/** One matrix entry: `scale` times the value at `address`. */
export interface MatrixEntry {
  /** Row in the matrix. */
  readonly row: number;
  /** Column in the matrix. */
  readonly column: number;
  /** Where the value lies. */
  readonly address: Address;
  /** Factor of the value. */
  readonly scale: number;
}

/** Sparse matrices of a system as entry lists; structural zeros are omitted. */
export interface SparseEquations {
  /** M; constant where it says so. */
  readonly mass: readonly MatrixEntry[];
  /** J, by rows and velocities. */
  readonly jacobian: readonly MatrixEntry[];
  /** T of q' = T(q) v, by positions and velocities; each scale^2 times the columns of T is one. */
  readonly rates: readonly MatrixEntry[];
  /** Index of the first Euler parameter of each body in q. */
  readonly eulerParameterStarts: readonly number[];
  /** Weights of the positions for choosing independent ones at the trial state. */
  weights(t: number): readonly number[];
  /** Brings the values of M and J to the trial state. */
  update(): void;
  /** out = dT/dt v at the trial state: q'' without accelerations. */
  rateBias(out: Address): void;
}

/** A block of 6 x 6 of a matrix of all velocities. */
export interface DerivativeBlock {
  /** Its first row and column. */
  readonly row: number;
  readonly column: number;
  /** Rows and columns of the block before this one are always zero: 3 where only turns matter. */
  readonly from: 0 | 3;
}

/**
 * Derivatives of the equations at the trial state, by formulas. Displacements x are given like velocities: q
 * changes by T x.
 */
export interface EquationDerivatives {
  /**
   * Of the rows of constraints: d(phiDot)/dx, and at fixed distances behind these values d(gamma - J a)/dx and
   * dgamma/dv.
   */
  readonly rows: readonly MatrixEntry[];
  /** Of the rows of positions likewise: d(T v)/dx, d(-T' v - T a)/dx, d(-T' v)/dv. */
  readonly rates: readonly MatrixEntry[];
  /** Distance of d(gamma - J a)/dx, in bytes. */
  readonly biasOffset: number;
  /** Distance of dgamma/dv, in bytes. */
  readonly gyroscopicOffset: number;
  /** d(Q + J^T lambda - M a)/dx: blocks of 6 x 6 by columns, one after the other. */
  readonly stiffness: Address;
  /** dQ/dv likewise. */
  readonly damping: Address;
  /** The pattern of these blocks for kernels (`BlockPattern`). */
  readonly pattern: Address;
  /** The same blocks in order. */
  readonly blocks: readonly DerivativeBlock[];
  /** Finds all of them for accelerations a and multipliers lambda. */
  evaluate(accelerations: Address, multipliers: Address): void;
}
