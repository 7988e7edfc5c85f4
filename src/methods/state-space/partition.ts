import { FullPivotLuHeader, fullPivotLuSlots } from "../../../assembly/layout.js";
import { SparseBest, SparseLine, SparseLu } from "../../../assembly/layout-stiff.js";
import { NodriftError, SimulationError } from "../../base/errors.js";
import type { Address, Arena, Segment } from "../../base/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../base/memory/stiff-memory.js";
import { checkLimits } from "../../base/run-limits.js";
import { failed } from "../../base/wasm/status.js";
import type { MatrixEntry, SparseEquations, System } from "../../interfaces/index.js";

/** Rows and columns of the Jacobian with respect to positions that have pivots. */
interface Pivots {
  readonly rank: number;
  /** Rows of constraints with and without pivots. */
  readonly chosen: number[];
  readonly left: readonly number[];
  /** Positions without pivots, which are independent. */
  readonly free: number[];
}

/** Chooses pivots of the constraints and of the lengths of Euler parameters among all positions, at the trial state. */
interface PivotChoice {
  choose(equations: SparseEquations, weights: readonly number[]): Pivots;
}

/** Returns the choice for systems without constraints and Euler parameters, whose positions are all independent. */
function noPivots(positions: number): PivotChoice {
  return {
    choose: () => ({
      rank: 0,
      chosen: [],
      left: [],
      free: Array.from({ length: positions }, (_, i) => i),
    }),
  };
}

/**
 * Chooses by complete pivoting of a dense matrix: the best choice, for small systems. Rows are scaled to their
 * largest entry, or by the row size of the system, columns by the weights; columns of pinned positions are zero.
 */
class DensePivots implements PivotChoice {
  readonly #system: System;
  readonly #stiff: StiffMemory;
  readonly #pinned: readonly number[];
  readonly #tolerance: number;
  readonly #matrix: Segment;
  readonly #factor: Segment;
  #view = new Float64Array(0);
  #order = new Float64Array(0);
  /** All memory. */
  #numbers = new Float64Array(0);

  constructor(system: System, pinned: readonly number[], tolerance: number) {
    const { workspace } = system;
    const { positions, velocities } = system.coordinates;
    const all = system.constraints.rows + positions - velocities;
    this.#system = system;
    this.#stiff = stiffMemory(workspace);
    this.#pinned = pinned;
    this.#tolerance = tolerance;
    this.#matrix = workspace.reserve("Jacobian by positions", all * positions);
    this.#factor = workspace.reserve("partition", fullPivotLuSlots(all, positions));
    workspace.whenSealed((arena) => {
      this.#view = arena.floats(this.#matrix);
      this.#order = arena.floats(this.#factor);
      this.#numbers = new Float64Array(arena.memory.buffer as ArrayBuffer);
    });
  }

  choose(equations: SparseEquations, weights: readonly number[]): Pivots {
    const system = this.#system;
    const { positions, velocities } = system.coordinates;
    const { rows } = system.constraints;
    const all = rows + positions - velocities;
    this.#write(equations, weights);
    const { address } = this.#matrix;
    const record = this.#factor.address;
    const { kernels } = this.#stiff;
    const status = kernels.fullPivotLuFactor(all, positions, address, all, this.#tolerance, record);
    if (failed(status)) throw system.errorFor(status, "");
    const order = this.#order;
    const rank = order[FullPivotLuHeader.RANK] as number;
    const first = FullPivotLuHeader.SLOTS;
    const ofConstraints = (from: number, to: number) =>
      [...order.subarray(first + from, first + to)].filter((row) => row < rows);
    return {
      rank,
      chosen: ofConstraints(0, rank),
      left: ofConstraints(rank, all),
      free: [...order.subarray(first + all + rank, first + all + positions)],
    };
  }

  /** Writes the column-major matrix: constraints, then lengths of Euler parameters. */
  #write(equations: SparseEquations, weights: readonly number[]): void {
    const { jacobian, rates, eulerParameterStarts } = equations;
    const { trial } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    const { rows } = this.#system.constraints;
    const all = rows + positions - velocities;
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
    const sizes = equations.rowSizes();
    for (let i = 0; i < all; i++) {
      let largest = sizes[i] ?? 0;
      for (let j = 0; j < positions; j++) {
        largest = Math.max(largest, Math.abs(matrix[i + j * all]!));
      }
      for (let j = 0; j < positions && largest > 0; j++) matrix[i + j * all]! /= largest;
    }
    for (const position of this.#pinned) matrix.fill(0, position * all, (position + 1) * all);
  }
}

/** Minimum ratio of a pivot to the largest entry in the row of its constraint. */
const PIVOT_THRESHOLD = 0.5;
/** Pivots chosen between two checks of run limits. */
const PIVOTS_PER_CHECK = 500;
/** Maximum number of positions moved by a velocity: the four Euler parameters, or one coordinate. */
const MAX_POSITIONS_PER_VELOCITY = 4;
/** Capacity for fill, per nonzero of the matrix. */
const FILL_PER_ENTRY = 4;

/** Term of a matrix entry: the product of two values and a factor. */
interface ProductTerm {
  readonly slot: number;
  readonly of: Address;
  readonly by: Address;
  readonly factor: number;
}

interface Layout {
  readonly terms: readonly ProductTerm[];
  /** Constraint row and position of each entry. */
  readonly rows: readonly number[];
  readonly positions: readonly number[];
}

/**
 * Chooses by Markowitz' count among pivots that are not much smaller than the largest in the row of their constraint,
 * for systems of any size. The leaves of a tree are eliminated first, without fill; complete pivoting would spread
 * independent positions over all rows. The matrix is transposed, because the kernel compares within columns.
 */
class SparsePivots implements PivotChoice {
  readonly #system: System;
  readonly #pinned: ReadonlySet<number>;
  readonly #tolerance: number;
  readonly #stiff: StiffMemory;
  readonly #table: Segment;
  readonly #values: Segment;
  readonly #one: Address;
  #parts: readonly (readonly [SparseLu, Segment])[] = [];
  #arena: Arena | undefined;
  #layout: Layout | undefined;
  #numbers = new Float64Array(0);

  constructor(
    system: System,
    entries: MatrixEntries,
    pinned: readonly number[],
    tolerance: number,
  ) {
    const { workspace } = system;
    const { positions, velocities } = system.coordinates;
    const width = system.constraints.rows + positions - velocities;
    this.#system = system;
    this.#pinned = new Set(pinned);
    this.#tolerance = tolerance;
    this.#stiff = stiffMemory(workspace);
    const most = MAX_POSITIONS_PER_VELOCITY * (entries.counts.jacobian + positions - velocities);
    const pool = FILL_PER_ENTRY * most;
    const integers = (what: string, count: number) =>
      workspace.reserve(`partition: ${what}`, Math.ceil(count / 2));
    const floats = (what: string, count: number) => workspace.reserve(`partition: ${what}`, count);
    const longer = Math.max(positions, width) + 1;
    this.#one = workspace.constants("one", [1]);
    this.#table = integers("table", SparseLu.LENGTH);
    this.#values = floats("values", most);
    this.#parts = [
      [SparseLu.ROWS, integers("rows", most)],
      [SparseLu.COLUMNS, integers("columns", most)],
      [SparseLu.ADDRESSES, integers("addresses", most)],
      [SparseLu.SCALES, floats("scales", most)],
      [SparseLu.ROW_ORDER, integers("order of rows", positions)],
      [SparseLu.COLUMN_ORDER, integers("order of columns", width)],
      [SparseLu.L_START, integers("begin of L", 1)],
      [SparseLu.U_START, integers("begin of U", 1)],
      [SparseLu.WORK, floats("work", longer)],
      [SparseLu.MARKS, integers("marks", longer)],
      [SparseLu.ROW_POOL, integers("pool of rows", pool)],
      [SparseLu.COLUMN_POOL, integers("pool of columns", pool)],
      [SparseLu.POOL_VALUES, floats("values of the pool", pool)],
      [SparseLu.POOL_ORDER, integers("order of the pool", pool)],
      [SparseLu.ROW_LINES, integers("lines of rows", SparseLine.LENGTH * longer)],
      [SparseLu.COLUMN_LINES, integers("lines of columns", SparseLine.LENGTH * longer)],
      [SparseLu.ROW_LIST, integers("list of a row", width)],
      [SparseLu.COLUMN_LARGEST, floats("largest of columns", width)],
      [SparseLu.BEST, floats("best pivot", SparseBest.LENGTH)],
    ];
    workspace.whenSealed((arena) => {
      this.#arena = arena;
      this.#numbers = new Float64Array(arena.memory.buffer as ArrayBuffer);
      const head = arena.integers(this.#table);
      head[SparseLu.SIZE] = positions;
      head[SparseLu.WIDTH] = width;
      head[SparseLu.POOL_CAPACITY] = pool;
      for (const [field, { address }] of this.#parts) head[field] = address;
    });
  }

  choose(equations: SparseEquations, weights: readonly number[]): Pivots {
    const { rows } = this.#system.constraints;
    const { positions, velocities } = this.#system.coordinates;
    const width = rows + positions - velocities;
    this.#layout ??= this.#lay(equations);
    this.#place(this.#layout);
    this.#write(this.#layout, weights, width, equations.rowSizes());
    const rank = this.#rank(width);
    const without = (field: SparseLu, count: number) =>
      [...this.#integers(field).subarray(0, count)].flatMap((pivot, i) => (pivot < 0 ? i : []));
    const left = without(SparseLu.COLUMN_ORDER, rows);
    const isLeft = new Set(left);
    return {
      rank,
      chosen: Array.from({ length: rows }, (_, row) => row).filter((row) => !isLeft.has(row)),
      left,
      free: without(SparseLu.ROW_ORDER, positions),
    };
  }

  #rank(width: number): number {
    let rank = 0;
    for (let to = 0; rank === to && to < width; ) {
      checkLimits();
      to = Math.min(width, to + PIVOTS_PER_CHECK);
      const { kernels } = this.#stiff;
      rank = kernels.sparseRank(this.#table.address, rank, to, PIVOT_THRESHOLD, this.#tolerance);
      if (rank < 0) {
        throw new NodriftError(
          "METHOD",
          "the choice of independent positions overflowed its memory: the constraints are too densely coupled; use " +
            "udwadiaKalaba()",
        );
      }
    }
    return rank;
  }

  /** Returns the layout of the matrix and the terms of its entries, which never change. */
  #lay({ jacobian, rates, eulerParameterStarts }: SparseEquations): Layout {
    const { positions: count } = this.#system.coordinates;
    const { rows: constraints } = this.#system.constraints;
    const [terms, rows, positions]: [ProductTerm[], number[], number[]] = [[], [], []];
    const slots = new Map<number, number>();
    const slotOf = (row: number, position: number) => {
      const key = row * count + position;
      const known = slots.get(key);
      if (known !== undefined) return known;
      slots.set(key, rows.length);
      positions.push(position);
      return rows.push(row) - 1;
    };
    // A velocity is a sum of rates of positions, by T^+ = T^T / scale^2.
    const ofVelocity = new Map<number, { position: number; by: Address; scale: number }[]>();
    for (const { row, column, address, scale } of rates) {
      const list = ofVelocity.get(column) ?? [];
      list.push({ position: row, by: address, scale });
      ofVelocity.set(column, list);
    }
    for (const { row, column, address: of, scale } of jacobian) {
      for (const { position, by, scale: turning } of ofVelocity.get(column) ?? []) {
        terms.push({ slot: slotOf(row, position), of, by, factor: scale / turning });
      }
    }
    const { q } = this.#system.trial;
    for (const [k, first] of eulerParameterStarts.entries()) {
      for (let i = first; i < first + 4; i++) {
        const slot = slotOf(constraints + k, i);
        terms.push({ slot, of: q + 8 * i, by: this.#one, factor: 1 });
      }
    }
    return { terms, rows, positions };
  }

  /** Writes the positions of the entries, each time, because the memory may be that of another run. */
  #place({ rows, positions }: Layout): void {
    this.#integers(SparseLu.ROWS).set(positions);
    this.#integers(SparseLu.COLUMNS).set(rows);
    this.#integers(SparseLu.ADDRESSES).set(rows.map((_, slot) => this.#values.address + 8 * slot));
    this.#integers(SparseLu.SIZE)[SparseLu.ENTRY_COUNT] = rows.length;
  }

  /**
   * Writes the values, with each constraint scaled to its largest entry or by its size, and zeros for pinned
   * positions.
   */
  #write(
    { terms, rows, positions }: Layout,
    weights: readonly number[],
    width: number,
    sizes: readonly number[],
  ): void {
    const numbers = this.#numbers;
    const first = this.#values.address / 8;
    const scales = numbers.subarray(this.#address(SparseLu.SCALES) / 8);
    numbers.fill(0, first, first + rows.length);
    for (const { slot, of, by, factor } of terms) {
      numbers[first + slot]! += factor * numbers[of / 8]! * numbers[by / 8]!;
    }
    const largest = new Float64Array(width);
    largest.set(sizes);
    for (let slot = 0; slot < rows.length; slot++) {
      const value = Math.abs(numbers[first + slot]! * weights[positions[slot]!]!);
      if (!(value <= largest[rows[slot]!]!)) largest[rows[slot]!] = value;
    }
    for (let slot = 0; slot < rows.length; slot++) {
      const position = positions[slot]!;
      const size = largest[rows[slot]!]!;
      const isUsed = size > 0 && !this.#pinned.has(position);
      scales[slot] = isUsed ? weights[position]! / size : 0;
    }
  }

  #address(field: SparseLu): Address {
    return this.#parts.find(([part]) => part === field)?.[1].address ?? this.#table.address;
  }

  #integers(field: SparseLu): Int32Array {
    const segment = this.#parts.find(([part]) => part === field)?.[1] ?? this.#table;
    return (this.#arena as Arena).integers(segment);
  }
}

/** Maximum number of positions for complete pivoting, whose cost is cubic. */
const MAX_DENSE_POSITIONS = 210;
/** Maximum number of names in a message. */
const MAX_SHOWN_NAMES = 14;

interface PartitionOptions {
  /** Names or indices of positions, as many as there are degrees of freedom. */
  readonly independent: readonly (string | number)[] | undefined;
  readonly tolerance: number;
}

/**
 * Chooses independent rows, and positions that determine the others, by pivots of the Jacobian of the constraints and
 * of the lengths of Euler parameters with respect to all positions. Rows are scaled to their largest entry, rotations
 * by a length. Without scaling, the chosen coordinates would determine the others badly.
 */
export class Partition {
  readonly freedom: number;
  /** Chosen rows and independent positions, as integer lists in the arena. */
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
    else if (positions <= MAX_DENSE_POSITIONS)
      this.#choice = new DensePivots(system, pinned, tolerance);
    else this.#choice = new SparsePivots(system, entries, pinned, tolerance);
    this.rows = workspace.reserve("rows that hold", Math.ceil(this.chosenRows / 2));
    this.independent = workspace.reserve("independent", Math.ceil(this.freedom / 2));
    workspace.whenSealed((arena) => this.#attach(arena));
  }

  /** Chooses at the trial state. Returns whether the partition has changed. */
  choose(t: number): boolean {
    const { positions } = this.#system.coordinates;
    const sparse = this.#entries.at();
    const weights = sparse.weights(t);
    sparse.updateJacobian();
    const pivots = this.#choice.choose(sparse, weights);
    if (pivots.rank !== positions - this.freedom) throw this.#wrongRank(t, pivots);
    return this.#take(pivots);
  }

  /** Returns the name of the constraint row, or of the position, of a row of [J; E T]. */
  rowName(row: number): string {
    if (row < this.chosenRows) return `"${this.#system.constraints.rowNames[this.#rowList[row]!]}"`;
    return `"${this.names()[row - this.chosenRows]}"`;
  }

  rowAt(index: number): number {
    return this.#rowList[index]!;
  }

  /** Returns the index of each chosen row among them, counted from `first`. */
  placesOfRows(first: number): ReadonlyMap<number, number> {
    const list = this.#rowList.subarray(0, this.chosenRows);
    return new Map(Array.from(list, (row, place) => [row, first + place]));
  }

  /** Returns the index of each independent position among them, counted from `first`. */
  placesOfPositions(first: number): ReadonlyMap<number, number> {
    const list = this.#independentList.subarray(0, this.freedom);
    return new Map(Array.from(list, (position, place) => [position, first + place]));
  }

  /** Returns the names of the independent positions. */
  names(): string[] {
    const { positionNames: names } = this.#system.coordinates;
    return [...this.#independentList.subarray(0, this.freedom)].map((index) => names[index] ?? "?");
  }

  #attach(arena: Arena): void {
    this.#rowList = arena.integers(this.rows);
    this.#independentList = arena.integers(this.independent);
  }

  /** Stores the rows and columns of the pivots in ascending order; returns whether they have changed. */
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
    const { positionNames: names } = this.#system.coordinates;
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

  /** Returns the error for dependent constraints, or for pinned positions that do not determine the others. */
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

/** Lists some names, and the count of the others. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_SHOWN_NAMES).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return shown.join(", ") + (rest > 0 ? ` and ${rest} more like these` : "");
}

/** Displacement of positions for detecting which enter the constraints linearly. */
const PROBE_DISPLACEMENT = 2 ** -12;
/** Changes of the Jacobian below this count as rounding. */
const JACOBIAN_TOLERANCE = 1e-9;

/** Maximum counts of entries, and the entries themselves once memory is allocated. */
export interface MatrixEntries {
  readonly counts: { readonly mass: number; readonly jacobian: number; readonly rates: number };
  /** Returns the entries, always as the same object. Call after the system's `at`. */
  at(): SparseEquations;
}

/** Returns the entries of a system's matrices: those the system provides, or all entries of its dense matrices. */
export function entriesOf(system: System): MatrixEntries {
  const { velocities: n } = system.coordinates;
  const { rows } = system.constraints;
  const sparse = system.matrices.sparse?.(stiffMemory(system.workspace));
  if (sparse) {
    const counts = {
      // Evaluated lazily, as M may be large.
      get mass() {
        return sparse.mass.length;
      },
      jacobian: sparse.jacobian.length,
      rates: sparse.rates.length,
    };
    return { counts, at: () => sparse };
  }
  const { workspace } = system;
  const one = workspace.constants("one", [1]);
  const zero = workspace.vector("no bias", n);
  const kept = workspace.vector("positions kept", system.coordinates.positions);
  const moved = workspace.constants(
    "displacement",
    Array.from({ length: n }, (_, i) => PROBE_DISPLACEMENT * (1 + i / n)),
  );
  let made: SparseEquations | undefined;
  let read: (address: Address, slots: number) => Float64Array = () => new Float64Array(0);
  workspace.whenSealed((arena) => {
    read = (address, slots) => arena.floats({ name: "matrix", address, slots }).slice();
  });
  return {
    counts: { mass: n * n, jacobian: n * rows, rates: n },
    at() {
      made ??= fromDense(system, { one, zero, kept, moved, read });
      return made;
    },
  };
}

interface Scratch {
  readonly one: Address;
  readonly zero: Address;
  readonly kept: Address;
  readonly moved: Address;
  /** Returns a copy of values. */
  read(address: Address, slots: number): Float64Array;
}

function fromDense(system: System, scratch: Scratch): SparseEquations {
  const { workspace } = system;
  const { velocities: n } = system.coordinates;
  const { rows } = system.constraints;
  const { dense } = system.matrices;
  if (!dense || !system.coordinates.ratesAreVelocities) {
    throw new NodriftError("METHOD", `${system.name} gives neither sparse nor dense matrices`);
  }
  const entry = (row: number, column: number, address: Address): MatrixEntry => ({
    row,
    column,
    address,
    scale: 1,
  });
  const square = (count: number, make: (i: number, j: number) => MatrixEntry) =>
    Array.from({ length: count * n }, (_, k) => make(Math.floor(k / n), k % n));
  const mass = dense.mass();
  const jacobian = dense.jacobian();
  return {
    mass: square(n, (i, j) => entry(i, j, mass + 8 * (i + j * n))),
    jacobian: square(rows, (i, j) => entry(i, j, jacobian + 8 * (j + i * n))),
    rates: Array.from({ length: n }, (_, i) => entry(i, i, scratch.one)),
    eulerParameterStarts: [],
    weights: (t) => weightsOf(system, t, scratch),
    rowSizes: () => [],
    nearby: 0,
    updateMass: () => {
      dense.mass();
    },
    updateJacobian: () => {
      dense.jacobian();
    },
    rateBias: (out) => workspace.kernels.copyVector(n, scratch.zero, out),
  };
}

/**
 * Returns the weights of positions as dependent coordinates. Coordinates that enter the constraints linearly follow
 * from the others by one solve and are always determined, so they are the best dependent ones. The others, mostly
 * angles, are weighted as lengths, reduced by twice the longest arm among them. The two kinds are distinguished by
 * their columns of J at two states.
 */
function weightsOf(system: System, t: number, { kept, moved, read }: Scratch): number[] {
  const { workspace, trial } = system;
  const { positions, velocities: n } = system.coordinates;
  const { rows } = system.constraints;
  const { kernels } = workspace;
  const jacobianNow = () => read(system.matrices.dense?.jacobian() ?? 0, n * rows);
  const before = jacobianNow();
  kernels.copyVector(positions, trial.q, kept);
  system.coordinates.displace(trial.q, moved);
  system.at(t);
  const after = jacobianNow();
  kernels.copyVector(positions, kept, trial.q);
  system.at(t);
  const largest = (column: number, of: (k: number) => number) =>
    Array.from({ length: rows }, (_, i) => Math.abs(of(column + i * n))).reduce(
      (most, value) => Math.max(most, value),
      0,
    );
  const sizes = Array.from({ length: n }, (_, j) => largest(j, (k) => before[k]!));
  const turns = sizes.map(
    (size, j) => largest(j, (k) => after[k]! - before[k]!) > JACOBIAN_TOLERANCE * Math.max(size, 1),
  );
  const arm = sizes.reduce((most, size, j) => (turns[j] ? Math.max(most, size) : most), 0);
  return turns.map((turning) => (turning && arm > 0 ? 1 / (2 * arm) : 1));
}
