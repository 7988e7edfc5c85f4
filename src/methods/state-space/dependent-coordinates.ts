import { SimulationError } from "../../ground/errors.js";
import type { Address } from "../../ground/memory/arena.js";
import { arenaRecord } from "../../ground/memory/record.js";
import { type StiffMemory, stiffMemory } from "../../ground/memory/stiff-memory.js";
import type { System } from "../../seam/index.js";
import { DeterminantSigns } from "../newton/determinant-signs.js";
import { SparseMatrix } from "../newton/sparse-lu.js";
import type { MatrixEntries } from "./matrix-entries.js";
import type { Partition } from "./partition.js";

/** Iterations on positions: the error that ends them, and the largest one accepted. */
const NEWTON = { most: 25, enough: 2e-15, accepted: 1e-10 } as const;
/**
 * Part of the tolerance that positions of a stage may be off: iterations of stages leave 0.03 of it. Of the 1e-10 that
 * this is at 1e-3 springs of 1e8 N/m feel 0.01 N, which the matrix of the stage turns back into 1e-10.
 */
const PART = 1e-7;
/** Refactor if an iteration leaves more than this part of the error. */
const POOR = 0.1;

/**
 * Full coordinates from independent ones. With the chosen rows of the constraints and E, which takes the
 * independent ones out of all positions, and q' = T v,
 *
 *       [ J  ]           positions:   A dx = (-phi, wanted - E q),  q displaced by dx, again and again
 *   A = [    ]           velocities:  A v  = (-dphi/dt, wanted)
 *       [ E T]           accelerations: A a = (gamma, wanted - E T' v)
 *
 * The factor of A is that of the last state that was placed: states come near each other, and iterations with
 * it converge fast; where they do not it is made again on the way.
 */
export class DependentCoordinates {
  readonly matrix: SparseMatrix;
  /** q and v that were placed last. */
  readonly near: Address;
  readonly #system: System;
  readonly #entries: MatrixEntries;
  readonly #partition: Partition;
  readonly #stiff: StiffMemory;
  readonly #signs: DeterminantSigns;
  /** Right-hand sides and solutions. */
  readonly #right: Address;
  readonly #solution: Address;
  readonly #rates: Address;
  readonly #zero: Address;
  /** Positions at which A was factored last, and whether it was. */
  readonly #factored: Address;
  readonly #kept: { isThere: number; knowsRows: number };
  /** Values of the rows at {@link near}: iterations begin there. */
  readonly #values: Address;
  #allowed: number = NEWTON.enough;

  constructor(system: System, entries: MatrixEntries, partition: Partition) {
    const { workspace } = system;
    const { velocities, positions } = system.coordinates;
    this.#system = system;
    this.#entries = entries;
    this.#partition = partition;
    this.#stiff = stiffMemory(workspace);
    const { jacobian, rates } = entries.counts;
    this.matrix = new SparseMatrix(workspace, "positions", velocities, jacobian + rates);
    this.#signs = new DeterminantSigns(workspace, "positions", this.matrix);
    this.near = workspace.vector("state placed last", positions + velocities);
    this.#right = workspace.vector("right side of positions", velocities);
    this.#solution = workspace.vector("displacement of positions", velocities);
    this.#rates = workspace.vector("rates of positions", positions);
    this.#zero = workspace.vector("velocities of rows", partition.chosenRows);
    this.#factored = workspace.vector("positions of the factor", positions);
    this.#kept = arenaRecord(workspace, "factor of positions", {
      isThere: 0,
      knowsRows: 0,
    });
    this.#values = workspace.vector("rows of the state placed last", system.constraints.rows);
  }

  /** Of a run: see Ode. */
  tolerate(smallest: number): void {
    this.#allowed = Math.min(Math.max(PART * smallest, NEWTON.enough), NEWTON.accepted);
  }

  /** The partition is another one: A is made of other rows. */
  rebuild(): void {
    const { jacobian, rates } = this.#entries.at();
    this.matrix.clear();
    this.#signs.forget();
    this.#kept.isThere = 0;
    for (const [list, places] of [
      [jacobian, this.#partition.placesOfRows(0)],
      [rates, this.#partition.placesOfPositions(this.#partition.chosenRows)],
    ] as const) {
      for (const { row, column, address, scale } of list) {
        const place = places.get(row);
        if (place !== undefined) this.matrix.add(place, column, address, scale);
      }
    }
  }

  /**
   * Factors A at the trial state. The end of a step is the beginning of the next: where rows are
   * those of positions alone, nothing is factored twice.
   */
  factor(t: number): void {
    const { coordinates, constraints, dynamics, trial, workspace } = this.#system;
    const kept = this.#kept;
    const isThere =
      kept.isThere === 1 &&
      constraints.areTimeless === true &&
      this.#stiff.kernels.sameNumbers(coordinates.positions, trial.q, this.#factored) === 1;
    if (isThere) return;
    kept.isThere = 0;
    this.#entries.at().updateJacobian();
    dynamics.factorisations++;
    const row = this.matrix.factor();
    if (row >= 0) throw this.#singular(t, row);
    workspace.kernels.copyVector(coordinates.positions, trial.q, this.#factored);
    kept.isThere = 1;
  }

  condition(): number {
    const { kernels } = this.#stiff;
    return kernels.sparseLuCondition(this.matrix.table, this.#right, this.#solution);
  }

  /** The condition of A at a pose nearby, with the same partition; infinite if the system does not know of one. */
  conditionNearby(t: number): number {
    const system = this.#system;
    const { nearby } = this.#entries.at();
    if (nearby === undefined) return Number.POSITIVE_INFINITY;
    this.makeCurrent();
    system.coordinates.displace(system.trial.q, nearby);
    system.at(t);
    this.#entries.at().updateJacobian();
    const condition = this.matrix.factor() < 0 ? this.condition() : Number.POSITIVE_INFINITY;
    const { positions } = system.coordinates;
    system.workspace.kernels.copyVector(positions, this.near, system.trial.q);
    system.at(t);
    return condition;
  }

  /**
   * Notes on which sides of singular poses the factored state is. True where that has changed: there the independent
   * positions ceased to determine the others.
   */
  noteSides(): boolean {
    return this.#signs.note();
  }

  /** The error for a state where A is singular, or nearly, or a step in which it was. */
  nearSingular(t: number): SimulationError {
    const row = this.#stiff.kernels.sparseLuWeakest(this.matrix.table);
    return this.#singular(t, row);
  }

  /**
   * Makes the state with these independent positions and velocities the trial state, and calls `at`. That of a stage
   * is as good as the tolerance asks for, others are exact.
   */
  complete(t: number, wanted: Address, isStage = false): void {
    const system = this.#system;
    const { trial } = system;
    const { positions, velocities } = system.coordinates;
    const { kernels } = system.workspace;
    kernels.copyVector(positions + velocities, this.near, trial.q);
    system.at(t);
    this.#placePositions(t, wanted, isStage ? this.#allowed : NEWTON.enough);
    this.factor(t);
    this.#placeVelocities(wanted + 8 * this.#partition.freedom, isStage);
    kernels.copyVector(positions + velocities, trial.q, this.near);
    this.#kept.knowsRows = system.constraints.areTimeless ? 1 : 0;
  }

  /** The trial state is the one that was placed last. */
  isCurrent(): boolean {
    const { trial } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    return this.#stiff.kernels.sameNumbers(positions + velocities, trial.q, this.near) === 1;
  }

  /** The trial state is where the next ones will be. */
  makeCurrent(): void {
    const system = this.#system;
    const { kernels } = system.workspace;
    this.#kept.knowsRows = 0;
    kernels.copyVector(
      system.coordinates.positions + system.coordinates.velocities,
      system.trial.q,
      this.near,
    );
  }

  /** y = independent positions and velocities of the trial state. */
  take(y: Address): void {
    const system = this.#system;
    const { freedom, independent } = this.#partition;
    const v = system.trial.v;
    const { kernels } = this.#stiff;
    kernels.gather(freedom, independent.address, system.trial.q, y);
    system.coordinates.positionRate(v, 0, v, this.#rates);
    kernels.gather(freedom, independent.address, this.#rates, y + 8 * freedom);
  }

  #placePositions(t: number, wanted: Address, enough: number): void {
    const system = this.#system;
    const { trial, constraints, workspace } = system;
    const kept = this.#kept;
    let before = Number.POSITIVE_INFINITY;
    let own = false;
    for (let iteration = 0; iteration < NEWTON.most; iteration++) {
      // The first pose is the last one of before, whose rows are at hand: one pass through the mechanism less.
      if (kept.knowsRows === 0) {
        workspace.kernels.copyVector(constraints.rows, constraints.phi(), this.#values);
      }
      kept.knowsRows = 0;
      const error = this.#defect(this.#values, wanted, trial.q);
      if (error <= enough) return;
      // Rounding: it was better before, or is as good.
      if (!(error < before) && before <= NEWTON.accepted) return;
      if (!(error < before) && own) break;
      if (iteration > 0 && (own ? error > POOR * before : isSlow(error, before))) {
        this.factor(t);
        own = true;
      }
      before = error;
      this.matrix.solve(this.#right, this.#solution);
      system.coordinates.displace(trial.q, this.#solution);
      system.at(t);
    }
    if (before <= NEWTON.accepted) return;
    throw this.#unplaced(t, before);
  }

  /**
   * Finds the velocities of the trial state, from whatever they are. A is that of its positions. Those of a stage are
   * solved for at once; where a state is accepted they are corrected, which leaves the rounding of a small number only
   * (rows that were not chosen were off by 2e-11 of Bennett's linkage otherwise).
   */
  #placeVelocities(wanted: Address, isStage: boolean): void {
    const system = this.#system;
    const { kernels } = system.workspace;
    const v = system.trial.v;
    if (isStage && system.constraints.areTimeless) {
      const { chosenRows, freedom } = this.#partition;
      kernels.copyVector(chosenRows, this.#zero, this.#right);
      kernels.copyVector(freedom, wanted, this.#right + 8 * chosenRows);
      this.matrix.solve(this.#right, v);
    } else {
      system.coordinates.positionRate(v, 0, v, this.#rates);
      this.#defect(system.constraints.phiDot(), wanted, this.#rates);
      this.matrix.solve(this.#right, this.#solution);
      kernels.axpy(system.coordinates.velocities, 1, this.#solution, v, v);
    }
    if (system.atVelocity) system.atVelocity();
    else system.at(system.time);
  }

  #defect(values: Address, wanted: Address, present: Address): number {
    const { chosenRows, freedom, rows, independent } = this.#partition;
    return this.#stiff.kernels.stateDefect(
      chosenRows,
      rows.address,
      values,
      freedom,
      independent.address,
      wanted,
      present,
      this.#right,
    );
  }

  #unplaced(t: number, residual: number): SimulationError {
    return new SimulationError(
      "SINGULAR",
      t,
      `Newton's iteration for the dependent positions did not converge at t = ${t} ` +
        `(independent: ${this.#partition.names().join(", ")}; residual ${residual.toExponential(2)}). ` +
        "The independent ones determine the others badly there, the pose is singular, or the step is too long: try a shorter " +
        "step, other positions, or udwadiaKalaba()",
    );
  }

  #singular(t: number, row: number): SimulationError {
    return new SimulationError(
      "SINGULAR",
      t,
      `the independent positions (${this.#partition.names().join(", ")}) do not determine the others near t = ${t}: ` +
        `${this.#partition.rowName(row)} is left over. The pose is singular, or the step is too long: try a shorter ` +
        "step, other positions, or udwadiaKalaba(), which goes through singular poses",
    );
  }
}

/** At the rate of the last iteration it would take more than two others. */
function isSlow(error: number, before: number): boolean {
  if (!(error < before)) return true;
  const rate = error / before;
  return error * rate * rate > NEWTON.enough;
}
