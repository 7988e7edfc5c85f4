import type { Address } from "../../base/memory/arena.js";
import type { ConstraintSolver, System } from "../index.js";

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
