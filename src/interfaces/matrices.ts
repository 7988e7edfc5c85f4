// Matrices of systems, for methods that need more than operators.

import type { Address } from "../base/memory/arena.js";
import type { StiffMemory } from "../base/memory/stiff-memory.js";
import type { ShiftedSolver } from "./ode.js";

/**
 * The matrices of a system, for methods that do not work on operators. Each member is absent if the system has no such
 * form.
 */
export interface Matrices {
  /** Dense matrices. */
  readonly dense?: DenseEquations;
  /** Sparse matrices as entry lists; defined if sparsity saves work. Every call returns the same object. */
  sparse?(stiff: StiffMemory): SparseEquations;
  /** Reserves memory for the analytic derivatives and returns them, or returns the reason why it has none. */
  derivatives(stiff: StiffMemory): EquationDerivatives | string;
  /** Reason why stages of implicit methods are cheaper in other coordinates; empty if they are not. */
  readonly costly: string;
  /** Defined if user functions, or their finite differences, limit the accuracy. */
  readonly accuracy?: Accuracy;
  /** Returns a solver for the stages of implicit methods; undefined if it saves nothing over general methods. */
  stages(stiff: StiffMemory): StageEquations | undefined;
}

/** Solves with I - alpha df/dy for a system without constraint rows and with q' = v: y = (q, v). */
export interface StageEquations {
  /** Computes df/dy at the trial state, for the accelerations at that state. */
  evaluate(accelerations: Address): void;
  /** Creates a solver with its own factor. Reserves memory. */
  shifted(complex: boolean): ShiftedSolver;
}

/** The generic rank of all rows: the rank away from singular poses. */
export interface GeneralRank {
  readonly rank: number;
  /** Index of a row that depends on others, if the rank is less than the number of rows; else -1. */
  readonly repeated: number;
}

/** Dense matrices, for methods that need them. */
export interface DenseEquations {
  /** Returns the generic rank; undefined as long as it is unknown, before the constraints hold. */
  generalRank(): GeneralRank | undefined;
  /** M, n x n, column-major, whatever form the user chose. */
  mass(): Address;
  /** J, row-major: n values per constraint. */
  jacobian(): Address;
  /** Writes dM/dt v along the motion: n values. */
  massRateTimesVelocity(out: Address): void;
  /** Writes dJ/dt along the motion, row-major. */
  jacobianRate(out: Address): void;
}

/** One matrix entry: `scale` times the value at `address`. */
export interface MatrixEntry {
  /** Row in the matrix. */
  readonly row: number;
  /** Column in the matrix. */
  readonly column: number;
  /** Address of the value. */
  readonly address: Address;
  /** Factor of the value. */
  readonly scale: number;
}

/** Sparse matrices of a system as entry lists; structural zeros are omitted. */
export interface SparseEquations {
  /** M; constant if {@link updateMass} does nothing. */
  readonly mass: readonly MatrixEntry[];
  /** J: rows are constraints, columns are velocities. */
  readonly jacobian: readonly MatrixEntry[];
  /** T of q' = T(q) v: rows are positions, columns are velocities. Column by column, T^+ = T^T / scale^2. */
  readonly rates: readonly MatrixEntry[];
  /** Index of the first Euler parameter of each body in q. */
  readonly eulerParameterStarts: readonly number[];
  /** Weights of the positions for choosing independent ones at the trial state. */
  weights(t: number): readonly number[];
  /**
   * Typical size of each row of J at the trial state, weighted. A row is scaled by it, or by its largest value if that
   * is larger or the list is empty. It serves rows that may vanish at a pose, where only rounding errors would
   * remain.
   */
  rowSizes(): readonly number[];
  /** A displacement, in velocity coordinates, to a generic pose nearby, with which a pose is compared; 0 if the system has none. */
  readonly nearby: Address;
  /** Updates the values of M to the trial state. */
  updateMass(): void;
  /** Updates the values of J to the trial state. */
  updateJacobian(): void;
  /** out = dT/dt v at the trial state: q'' without accelerations. */
  rateBias(out: Address): void;
}

/**
 * Analytic derivatives of the equations at the trial state. Displacements x are in velocity coordinates: q changes by
 * T x.
 */
export interface EquationDerivatives {
  /**
   * Entries of d(phiDot)/dx for the constraint rows. The values of d(gamma - J a)/dx and dgamma/dv follow at the fixed
   * distances {@link biasOffset} and {@link gyroscopicOffset}.
   */
  readonly rows: readonly MatrixEntry[];
  /**
   * Entries of d(T v)/dx for the rates of positions. The values of d(-T' v - T a)/dx and d(-T' v)/dv follow at the
   * same distances.
   */
  readonly rates: readonly MatrixEntry[];
  /** Distance to d(gamma - J a)/dx, in bytes. */
  readonly biasOffset: number;
  /** Distance to dgamma/dv, in bytes. */
  readonly gyroscopicOffset: number;
  /** Entries of d(Q + J^T lambda - M a)/dx. The values of dQ/dv follow at the fixed distance {@link dampingOffset}. */
  readonly forces: readonly MatrixEntry[];
  /** Distance to dQ/dv, in bytes. */
  readonly dampingOffset: number;
  /** Number of 6 x 6 blocks that elimination couples: determines the memory of a sparse factor. */
  couplings(): number;
  /** out += d(Q + J^T lambda - M a)/dx X, for tables of rows (assembly/implicit/rows.ts). */
  addStiffness(stride: number, x: Address, out: Address): void;
  /** out += dQ/dv X, for the same tables. */
  addDamping(stride: number, x: Address, out: Address): void;
  /** Evaluates all derivatives for accelerations a and multipliers lambda. */
  evaluate(accelerations: Address, multipliers: Address): void;
}

/** Accuracy limits due to user functions, at the accepted state. */
export interface Accuracy {
  /**
   * Name of the user function with the largest error of finite differences, and the relative error of accelerations it
   * causes. Undefined if no finite differences are used.
   */
  worstDifference(t: number): { readonly name: string; readonly error: number } | undefined;
  /** Estimates the noise of the user functions. */
  estimateNoise(t: number): NoiseReport;
}

/** A lower limit of the error due to noise in user functions. */
export interface NoiseReport {
  /** Name of the user function with the largest noise; noise of its finite differences is included. */
  readonly noisiest: string;
  /** Noise of positions that satisfy the constraints, in units of the positions. */
  readonly positions: number;
  /** Noise of accelerations, relative to their magnitude. */
  readonly accelerations: number;
}
