// What systems give to methods that work on matrices and not on operators.

import type { Address } from "../ground/memory/arena.js";
import type { StiffMemory } from "../ground/memory/stiff-memory.js";
import type { Accuracy } from "./accuracy.js";
import type { ShiftedSolver } from "./ode.js";

/** The matrices of a system, for methods that do not work on operators. */
export interface Matrices {
  /** Dense matrices, where the system has them. */
  readonly dense?: DenseEquations;
  /** Entry by entry, where that saves work. Always the same object. */
  sparse?(stiff: StiffMemory): SparseEquations;
  /** Derivatives by formulas, with memory reserved for them; or the reason why there are none. */
  derivatives?(stiff: StiffMemory): EquationDerivatives | string;
  /** Why stages of implicit methods cost less in other coordinates; undefined where they do not. */
  readonly costly?: string | undefined;
  /** Present where functions of the user, and differences of them, limit the accuracy. */
  readonly accuracy?: Accuracy;
  /** Present where the system solves stages of implicit methods by itself; undefined where that is no gain. */
  stages?(stiff: StiffMemory): StageEquations | undefined;
}

/** Solves with I - alpha df/dy of a system without rows, whose q' is v: y = (q, v). */
export interface StageEquations {
  /** Takes df/dy at the trial state, which has these accelerations. */
  evaluate(accelerations: Address): void;
  /** A solver with its own factor. Reserves memory. */
  shifted(complex: boolean): ShiftedSolver;
}

/** The rank of all rows in general: away from singular poses. */
export interface GeneralRank {
  readonly rank: number;
  /** A row that repeats others, where the rank is less than the number of rows; else -1. */
  readonly repeated: number;
}

/** Dense matrices, for methods that need them. */
export interface DenseEquations {
  /** Undefined while nothing is known: before the constraints hold. */
  generalRank(): GeneralRank | undefined;
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
  /**
   * The size of each row of J at the trial state, weighted: rows are scaled by it, or by their largest number where that is
   * larger or no sizes are given. For rows that may vanish at a pose, of which only rounding would be left.
   */
  rowSizes?(): readonly number[];
  /** A displacement, like velocities, to a pose nearby that has nothing special: what a pose is compared with. */
  readonly nearby?: Address;
  /** Brings the values of M to the trial state. */
  updateMass(): void;
  /** Brings the values of J to the trial state. */
  updateJacobian(): void;
  /** out = dT/dt v at the trial state: q'' without accelerations. */
  rateBias(out: Address): void;
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
  /** d(Q + J^T lambda - M a)/dx, and at a fixed distance behind these values dQ/dv. */
  readonly forces: readonly MatrixEntry[];
  /** Distance of dQ/dv, in bytes. */
  readonly dampingOffset: number;
  /** Blocks of some 6 x 6 numbers that elimination couples: what a sparse factor needs memory for. */
  couplings(): number;
  /** out += d(Q + J^T lambda - M a)/dx X, for tables of rows (assembly/implicit/rows.ts). */
  addStiffness(stride: number, x: Address, out: Address): void;
  /** out += dQ/dv X likewise. */
  addDamping(stride: number, x: Address, out: Address): void;
  /** Finds all of them for accelerations a and multipliers lambda. */
  evaluate(accelerations: Address, multipliers: Address): void;
}
