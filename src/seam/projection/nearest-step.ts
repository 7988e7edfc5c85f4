import type { Address } from "../../ground/memory/arena.js";
import type { ConstraintSolver, System } from "../index.js";

/** Constraint errors below this many ulps of the coordinates are rounding. */
export const ROUNDING = 2 * Number.EPSILON;

/** The smallest step, in the metric of the mass matrix, that removes a residual to first order: minnorm(-residual). */
export class NearestStep {
  /** Where {@link find} leaves the step. */
  readonly address: Address;
  /** The residual, negated. */
  readonly right: Address;
  readonly #zero: Address;
  readonly #system: System;
  readonly #solver: ConstraintSolver;

  /** Reserves memory: before the system's is sealed. */
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
