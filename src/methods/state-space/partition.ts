import { NodriftError, SimulationError } from "../../ground/errors.js";
import type { Arena, Segment } from "../../ground/memory/arena.js";
import type { System } from "../../seam/index.js";
import type { MatrixEntries } from "./matrix-entries.js";
import { DensePivots, noPivots, type PivotChoice, type Pivots } from "./pivot-choice.js";
import { SparsePivots } from "./sparse-pivots.js";

/** Up to this many positions independent ones are chosen by complete pivoting, whose cost is the cube of it. */
const DENSE = 210;
/** Names in a message. */
const SHOWN = 14;

export interface PartitionOptions {
  /** Names or indices of positions, as many as there are degrees of freedom. */
  readonly independent: readonly (string | number)[] | undefined;
  readonly tolerance: number;
}

/**
 * Which rows hold, and which positions determine the others: by pivots of the Jacobian of the
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
  readonly #isPinned: boolean;
  readonly #choice: PivotChoice;
  #rowList = new Int32Array(0);
  #independentList = new Int32Array(0);

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
    this.freedom = system.constraints.degreesOfFreedom ?? velocities - rows;
    this.chosenRows = velocities - this.freedom;
    this.#isPinned = independent !== undefined;
    const pinned = independent ? this.#indices(independent) : [];
    if (rows === 0 && positions === velocities) this.#choice = noPivots(positions);
    else if (positions <= DENSE) this.#choice = new DensePivots(system, pinned, tolerance);
    else this.#choice = new SparsePivots(system, entries, pinned, tolerance);
    this.rows = workspace.reserve("rows that hold", Math.ceil(this.chosenRows / 2));
    this.independent = workspace.reserve("independent", Math.ceil(this.freedom / 2));
    workspace.whenSealed((arena) => this.#attach(arena));
  }

  /** Chooses at the trial state. True where that changed something. */
  choose(t: number): boolean {
    const { positions } = this.#system.coordinates;
    const sparse = this.#entries.at();
    const weights = sparse.weights(t);
    sparse.updateJacobian();
    const pivots = this.#choice.choose(sparse, weights);
    if (pivots.rank !== positions - this.freedom) throw this.#wrongRank(t, pivots);
    return this.#take(pivots);
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
  }

  /** Takes the rows and columns of the pivots, in their own order. */
  #take({ chosen, free }: Pivots): boolean {
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
  #wrongRank(t: number, { rank, left: without }: Pivots): SimulationError {
    const { positions } = this.#system.coordinates;
    const { rowNames } = this.#system.constraints;
    const left = without
      .map((row) => `"${rowNames[row]}"`)
      .slice(0, 4)
      .join(", ");
    const found = positions - rank;
    const what = this.#isPinned
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
