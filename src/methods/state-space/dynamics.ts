import { SimulationError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../base/memory/stiff-memory.js";
import type { ConstraintSolver, FusedSolver, System } from "../../interfaces/index.js";
import { SparseMatrix } from "../newton/sparse-lu.js";
import type { MatrixEntries, Partition } from "./partition.js";

/**
 * Accelerations and multipliers of the chosen rows at the trial state, sparse:
 *
 *   [ M  J^T ] [   a    ]   [   Q   ]
 *   [ J   0  ] [ -lambda] = [ gamma ]
 *
 * A mechanism without rows has a cheaper solver, linear in the bodies.
 */
export class StateSpaceDynamics {
  readonly #system: System;
  readonly #entries: MatrixEntries;
  readonly #partition: Partition;
  readonly #stiff: StiffMemory;
  readonly #matrix: SparseMatrix | undefined;
  readonly #solver: ConstraintSolver | undefined;
  readonly #vector: Address;
  readonly #rates: Address;
  readonly #bias: Address;

  constructor(system: System, entries: MatrixEntries, partition: Partition) {
    const { workspace } = system;
    const { velocities, positions } = system.coordinates;
    const size = velocities + partition.chosenRows;
    const isUnconstrained = system.constraints.rows === 0 && system.matrices.sparse !== undefined;
    this.#system = system;
    this.#entries = entries;
    this.#partition = partition;
    this.#stiff = stiffMemory(workspace);
    if (isUnconstrained) {
      this.#solver = system.dynamics.solver("auto");
    } else {
      const { mass, jacobian } = entries.counts;
      this.#matrix = new SparseMatrix(workspace, "motion", size, mass + 2 * jacobian);
    }
    this.#vector = workspace.vector("accelerations and multipliers", size);
    this.#rates = workspace.vector("second rates of positions", positions);
    this.#bias = workspace.vector("bias of positions", positions);
  }

  /** Slopes in one call, if the solver has them, for systems without rows. */
  slope(): FusedSolver | undefined {
    return (this.#solver ?? this.#system.dynamics.solver("auto")).fused;
  }

  /** Last computed accelerations. */
  get accelerations(): Address {
    return this.#vector;
  }

  /** out = last computed multipliers of all rows, zero for rows that were not chosen. */
  multipliers(out: Address): void {
    const { velocities } = this.#system.coordinates;
    const { rows } = this.#system.constraints;
    const { chosenRows, rows: list } = this.#partition;
    const from = this.#vector + 8 * velocities;
    this.#stiff.kernels.scatterNegative(rows, chosenRows, list.address, from, out);
  }

  /** Rebuilds the matrix after a change of the partition. */
  rebuild(): void {
    const matrix = this.#matrix;
    if (!matrix) return;
    const { mass, jacobian } = this.#entries.at();
    const places = this.#partition.placesOfRows(this.#system.coordinates.velocities);
    matrix.clear();
    for (const { row, column, address, scale } of mass) {
      matrix.add(row, column, address, scale);
    }
    for (const { row, column, address, scale } of jacobian) {
      const place = places.get(row);
      if (place === undefined) continue;
      matrix.add(place, column, address, scale);
      matrix.add(column, place, address, scale);
    }
  }

  /** Solves for accelerations and multipliers at the trial state. */
  solve(t: number): void {
    this.#solve(t, true);
  }

  /** Solves again with the same factor if only the time, and so only forces, have changed since {@link solve}. */
  solveAgain(t: number): void {
    this.#solve(t, false);
  }

  #solve(t: number, isNew: boolean): void {
    const system = this.#system;
    const { velocities } = system.coordinates;
    const { chosenRows, rows } = this.#partition;
    const gamma = system.constraints.gamma();
    if (!this.#matrix) {
      // Along a tree accelerations and inertias take one pass, unless inertias are asked for first.
      if (!system.coordinates.ratesAreVelocities) this.#solver?.factor();
      this.#solver?.accelerate(gamma, this.#vector);
      return;
    }
    const forces = system.dynamics.forces();
    system.workspace.kernels.copyVector(velocities, forces, this.#vector);
    this.#stiff.kernels.gather(chosenRows, rows.address, gamma, this.#vector + 8 * velocities);
    if (isNew) this.#factor(t, this.#matrix);
    this.#matrix.solve(this.#vector, this.#vector);
  }

  #factor(t: number, matrix: SparseMatrix): void {
    this.#entries.at().updateMass();
    this.#entries.at().updateJacobian();
    this.#system.dynamics.factorisations++;
    const row = matrix.factor();
    if (row >= 0) throw this.#singular(t, row);
  }

  /** out = second derivatives of the independent positions, after {@link solve}. */
  independent(out: Address): void {
    const system = this.#system;
    const { freedom, independent } = this.#partition;
    system.coordinates.positionRate(this.#vector, 0, this.#vector, this.#rates);
    this.#entries.at().rateBias(this.#bias);
    const { kernels } = this.#stiff;
    kernels.gatherSum(freedom, independent.address, this.#rates, this.#bias, out);
  }

  #singular(t: number, row: number): Error {
    const { velocities, velocityNames: coordinateNames } = this.#system.coordinates;
    const { rowNames } = this.#system.constraints;
    const name =
      row < velocities ? coordinateNames[row] : rowNames[this.#partition.rowAt(row - velocities)];
    return new SimulationError(
      "SINGULAR",
      t,
      `the equations of motion are singular at t = ${t}: "${name}" has no mass, is redundant, or is not ` +
        "finite. Give every coordinate a mass, or use udwadiaKalaba() where constraints lose rank",
    );
  }
}
