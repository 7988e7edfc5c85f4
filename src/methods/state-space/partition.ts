import { FullPivotLuHeader, fullPivotLuSlots } from "../../../assembly/layout.js";
import { NodriftError, SimulationError } from "../../ground/errors.js";
import type { Address, Arena, Segment } from "../../ground/memory/arena.js";
import { failed } from "../../ground/wasm/status.js";
import type { SparseEquations, System } from "../../seam/index.js";
import type { MatrixEntries } from "./matrix-entries.js";

/** Names in a message. */
const SHOWN = 14;

export interface PartitionOptions {
  /** Names or indices of positions, as many as there are degrees of freedom. */
  readonly independent: readonly (string | number)[] | undefined;
  readonly tolerance: number;
}

/**
 * Which rows hold, and which positions determine the others: by complete pivoting of the Jacobian of the
 * constraints and of the lengths of Euler parameters by all positions. Rows are scaled to their largest number,
 * rotations by a length: unscaled, coordinates would be chosen that determine the others badly.
 */
export class Partition {
  readonly freedom: number;
  /** Rows that were chosen, and independent positions: lists of integers in the arena. */
  readonly rows: Segment;
  readonly independent: Segment;
  readonly chosenRows: number;
  readonly #system: System;
  readonly #entries: MatrixEntries;
  readonly #tolerance: number;
  readonly #pinned: readonly number[] | undefined;
  readonly #matrix: Segment;
  readonly #factor: Segment;
  readonly #units: number;
  #rowList = new Int32Array(0);
  #independentList = new Int32Array(0);
  #view = new Float64Array(0);
  #order = new Float64Array(0);
  /** All memory. */
  #numbers = new Float64Array(0);

  constructor(
    system: System,
    entries: MatrixEntries,
    { independent, tolerance }: PartitionOptions,
  ) {
    const { workspace } = system;
    const { positions, velocities } = system.coordinates;
    const { rows } = system.constraints;
    this.#system = system;
    this.#entries = entries;
    this.#tolerance = tolerance;
    this.#units = positions - velocities;
    this.freedom = system.constraints.degreesOfFreedom ?? velocities - rows;
    this.chosenRows = velocities - this.freedom;
    this.#pinned = independent && this.#indices(independent);
    const all = rows + this.#units;
    this.#matrix = workspace.reserve("Jacobian by positions", all * positions);
    this.#factor = workspace.reserve("partition", fullPivotLuSlots(all, positions));
    this.rows = workspace.reserve("rows that hold", Math.ceil(this.chosenRows / 2));
    this.independent = workspace.reserve("independent", Math.ceil(this.freedom / 2));
    workspace.whenSealed((arena) => this.#attach(arena));
  }

  /** Chooses at the trial state. True where that changed something. */
  choose(t: number): boolean {
    const system = this.#system;
    const { workspace } = system;
    const { positions } = system.coordinates;
    const { rows } = system.constraints;
    const all = rows + this.#units;
    const sparse = this.#entries.at();
    const weights = sparse.weights(t);
    sparse.update();
    this.#write(sparse, weights);
    const { kernels } = workspace;
    const { address } = this.#matrix;
    const record = this.#factor.address;
    const status = kernels.fullPivotLuFactor(all, positions, address, all, this.#tolerance, record);
    if (failed(status)) throw system.errorFor(status, "");
    const rank = this.#order[FullPivotLuHeader.RANK] as number;
    if (rank !== positions - this.freedom) throw this.#wrongRank(t, rank);
    return this.#take(rank);
  }

  /** Number of the row of the constraints, or of the position, of a row of [J; E T]. */
  rowName(row: number): string {
    if (row < this.chosenRows) return `"${this.#system.constraints.rowNames[this.#rowList[row]!]}"`;
    return `"${this.names()[row - this.chosenRows]}"`;
  }

  rowAt(index: number): number {
    return this.#rowList[index]!;
  }

  /** Where each chosen row is among them, counted from `first`. */
  placesOfRows(first: number): ReadonlyMap<number, number> {
    const list = this.#rowList.subarray(0, this.chosenRows);
    return new Map(Array.from(list, (row, place) => [row, first + place]));
  }

  /** The same for the independent positions. */
  placesOfPositions(first: number): ReadonlyMap<number, number> {
    const list = this.#independentList.subarray(0, this.freedom);
    return new Map(Array.from(list, (position, place) => [position, first + place]));
  }

  /** Names of the independent positions. */
  names(): string[] {
    const { positionNames, velocityNames: coordinateNames } = this.#system.coordinates;
    const names = positionNames ?? coordinateNames;
    return [...this.#independentList.subarray(0, this.freedom)].map((index) => names[index] ?? "?");
  }

  #attach(arena: Arena): void {
    this.#rowList = arena.integers(this.rows);
    this.#independentList = arena.integers(this.independent);
    this.#view = arena.floats(this.#matrix);
    this.#order = arena.floats(this.#factor);
    this.#numbers = new Float64Array(arena.memory.buffer as ArrayBuffer);
  }

  /** The matrix by columns: constraints, then lengths of Euler parameters. */
  #write(
    { jacobian, rates, eulerParameterStarts }: SparseEquations,
    weights: readonly number[],
  ): void {
    const { trial } = this.#system;
    const { positions } = this.#system.coordinates;
    const { rows } = this.#system.constraints;
    const all = rows + this.#units;
    const valueAt = (address: Address) => this.#numbers[address / 8]!;
    const matrix = this.#view.fill(0);
    // A velocity is a sum of rates of positions, by T^+ = T^T / scale^2.
    const ofVelocity = new Map<number, { position: number; factor: number }[]>();
    for (const { row, column, address, scale } of rates) {
      const factor = valueAt(address) / scale;
      const list = ofVelocity.get(column) ?? [];
      list.push({ position: row, factor });
      ofVelocity.set(column, list);
    }
    for (const { row, column, address, scale } of jacobian) {
      const value = scale * valueAt(address);
      for (const { position, factor } of ofVelocity.get(column) ?? []) {
        matrix[row + position * all]! += value * factor * weights[position]!;
      }
    }
    eulerParameterStarts.forEach((first, k) => {
      for (let i = first; i < first + 4; i++) {
        matrix[rows + k + i * all] = valueAt(trial.q + 8 * i) * weights[i]!;
      }
    });
    for (let i = 0; i < all; i++) {
      let largest = 0;
      for (let j = 0; j < positions; j++) {
        largest = Math.max(largest, Math.abs(matrix[i + j * all]!));
      }
      for (let j = 0; j < positions && largest > 0; j++) matrix[i + j * all]! /= largest;
    }
    for (const position of this.#pinned ?? []) matrix.fill(0, position * all, (position + 1) * all);
  }

  /** Takes the rows and columns of the pivots, in their own order. */
  #take(rank: number): boolean {
    const { positions } = this.#system.coordinates;
    const { rows } = this.#system.constraints;
    const all = rows + this.#units;
    const first = FullPivotLuHeader.SLOTS;
    const order = this.#order;
    const chosen = [...order.subarray(first, first + rank)].filter((row) => row < rows);
    const free = [...order.subarray(first + all + rank, first + all + positions)];
    const update = (list: Int32Array, values: number[]) =>
      values
        .sort((a, b) => a - b)
        .reduce((changed, value, i) => {
          const other = list[i] !== value;
          list[i] = value;
          return changed || other;
        }, false);
    const rowsChanged = update(this.#rowList, chosen);
    return update(this.#independentList, free) || rowsChanged;
  }

  #indices(independent: readonly (string | number)[]): number[] {
    const { positionNames, velocityNames: coordinateNames } = this.#system.coordinates;
    const names = positionNames ?? coordinateNames;
    const indices = independent.map((given) => {
      const index = typeof given === "number" ? given : names.indexOf(given);
      if (Number.isInteger(index) && index >= 0 && index < names.length) return index;
      throw new NodriftError(
        "METHOD",
        `independent: there is no position ${typeof given === "number" ? given : `"${given}"`}; the system ` +
          `has ${listed(names)}`,
      );
    });
    if (new Set(indices).size !== indices.length) {
      throw new NodriftError("METHOD", `independent names a position twice: ${independent.join()}`);
    }
    if (indices.length !== this.freedom) {
      throw new NodriftError(
        "METHOD",
        `independent names ${indices.length} positions, but the system has ${this.freedom} degrees of freedom`,
      );
    }
    return indices;
  }

  /** Constraints depend on each other here, or pinned positions do not determine the others. */
  #wrongRank(t: number, rank: number): SimulationError {
    const { positions } = this.#system.coordinates;
    const { rows, rowNames } = this.#system.constraints;
    const first = FullPivotLuHeader.SLOTS;
    const left = [...this.#order.subarray(first + rank, first + rows + this.#units)]
      .filter((row) => row < rows)
      .map((row) => `"${rowNames[row]}"`)
      .slice(0, 4)
      .join(", ");
    const found = positions - rank;
    const what = this.#pinned
      ? `the independent positions that were given do not determine the others at t = ${t}: constraints ` +
        `like ${left} are left without one. Give others, or leave the choice to the method`
      : `the constraints are dependent at t = ${t} (redundant there: ${left}), so there are ${found} degrees of ` +
        `freedom, not ${this.freedom}. The pose is singular, or constraints repeat each other: use ` +
        "udwadiaKalaba(), which handles both, or remove the redundant ones";
    return new SimulationError("SINGULAR", t, what);
  }
}

/** Some names, and how many more there are. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return shown.join(", ") + (rest > 0 ? ` and ${rest} more like these` : "");
}
