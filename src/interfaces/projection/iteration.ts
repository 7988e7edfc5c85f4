import type { Address } from "../../base/memory/arena.js";
import type { ConstraintSolver, System } from "../index.js";

/** Indices of the measurements of an iteration. */
export enum Size {
  /** The error at the trial state; after the iteration, the remaining error. */
  ERROR,
  /** The error before the last correction. */
  BEFORE,
  /** The error treated as zero. */
  ENOUGH,
}

/**
 * A correction that may be repeated. It is created once and used in every step, so iterating allocates nothing. Sizes
 * therefore lie in memory, and the time is that of the trial state: JavaScript engines allocate for a number that one
 * function returns to another.
 */
export interface Correction {
  /** Measurements, indexed by {@link Size}. */
  readonly sizes: Float64Array;
  /** Writes the error at the trial state to {@link sizes}. */
  measure(): void;
  /** Factor treated as halving: 1/4 if {@link measure} writes a square. */
  readonly half: number;
  /** Returns whether the error is small enough. */
  isSmall(): boolean;
  /** Moves the trial state and calls `at`. */
  correct(): void;
  /** Keeps the correction, since the error has shrunk. */
  keep(): void;
  /** Undoes the correction, since the error has not shrunk. */
  undo(): void;
  /**
   * Called if the error shrinks but no longer halves. Returns true if a new factorisation makes another correction
   * worthwhile.
   */
  refresh(): boolean;
}

/** Parts of a correction without memory of its own: its size decides whether it is small enough. */
export function plainCorrection(sizes: Float64Array) {
  return {
    sizes,
    half: 0.5,
    isSmall: () => sizes[Size.ERROR]! <= sizes[Size.ENOUGH]!,
    keep() {},
    undo() {},
    refresh: () => false,
  };
}

/** Creates the measurements of a correction. */
export function sizesOf(enough = 0): Float64Array {
  return Float64Array.of(0, 0, enough);
}

/**
 * Corrects until the error is small enough or no longer halves; a correction that increases it is rejected. Halving
 * separates convergence from rounding: Newton's iteration converges much faster until rounding limits it. With
 * `mayGrowFirst` the first correction may double the error, since it may add more to some rows than it removes from
 * others. NaN is passed to the correction, whose solver names its source.
 */
export function iterate(correction: Correction, corrections: number, mayGrowFirst = false): void {
  const { half, sizes } = correction;
  correction.measure();
  for (let i = 0; i < corrections && !correction.isSmall(); i++) {
    const before = sizes[Size.ERROR]!;
    sizes[Size.BEFORE] = before;
    correction.correct();
    correction.measure();
    const isLenient = mayGrowFirst && i === 0;
    if (!(sizes[Size.ERROR]! < (isLenient ? 2 : 1) * before)) {
      sizes[Size.ERROR] = before;
      correction.undo();
      return;
    }
    correction.keep();
    const halved = sizes[Size.ERROR]! <= half * before || isLenient;
    if (!halved && !correction.refresh()) return;
  }
}

/** Constraint errors below this multiple of the coordinates, two ulps, are rounding errors. */
export const RESIDUAL_TOLERANCE = 2 * Number.EPSILON;

/** The smallest step, in the metric of the mass matrix, that removes a residual to first order: minnorm(-residual). */
export class NearestStep {
  /** Address of the step that {@link find} computes. */
  readonly address: Address;
  /** Address of the negated residual. */
  readonly right: Address;
  readonly #zero: Address;
  readonly #system: System;
  readonly #solver: ConstraintSolver;

  /** Reserves memory. Call before the system is sealed. */
  constructor(system: System, name: string, solver = system.dynamics.solver("auto")) {
    const { workspace, constraints, coordinates } = system;
    this.#system = system;
    this.#solver = solver;
    this.right = workspace.vector(`negated residual: ${name}`, constraints.rows);
    this.address = workspace.vector(`step: ${name}`, coordinates.velocities);
    this.#zero = workspace.vector(`zero rows: ${name}`, constraints.rows);
  }

  /** Negates a residual into {@link right}. */
  negate(residual: Address): void {
    const { workspace, constraints } = this.#system;
    const zero = this.#zero;
    workspace.kernels.stabilisedRight(constraints.rows, 1, 0, zero, residual, zero, this.right);
  }

  find(residual: Address, refined?: boolean): void {
    this.negate(residual);
    this.#solver.minnorm(1, this.right, this.address, refined);
  }
}
