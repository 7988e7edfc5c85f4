import { Status } from "../../../assembly/layout.js";
import {
  SparseBest,
  SparseLine,
  SparseLu,
  sparseLuCapacity,
  sparsePoolCapacity,
} from "../../../assembly/layout-stiff.js";
import { NodriftError } from "../../base/errors.js";
import type { Address, Segment } from "../../base/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../base/memory/stiff-memory.js";
import type { Workspace } from "../../base/memory/workspace.js";
import { checkLimits } from "../../base/run-limits.js";
import type { PivotedPattern } from "../../base/sparse/irreducible.js";
import { failed, statusCode, statusIndex } from "../../base/wasm/status.js";

/** Pivots chosen between two checks of run limits (a few milliseconds). */
const PIVOTS_PER_CHECK = 500;

/**
 * A sparse matrix given by entries (row, column, scale times the value at an address) and its LU factor, whose
 * pivots are chosen once and kept while they are good.
 */
export class SparseMatrix {
  readonly size: number;
  readonly table: Address;
  readonly #name: string;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;
  readonly #most: number;
  readonly #capacity: number;
  #head = new Int32Array(SparseLu.LENGTH);
  #rows = new Int32Array(0);
  #columns = new Int32Array(0);
  #addresses = new Int32Array(0);
  #scales = new Float64Array(0);
  #rowOrder = new Int32Array(0);
  #columnOrder = new Int32Array(0);

  /** Reserves memory for the given maximum of entries, set by {@link add}, and of nonzeros in L and in U. */
  constructor(
    workspace: Workspace,
    name: string,
    size: number,
    most: number,
    capacity: number = sparseLuCapacity(size, most),
  ) {
    this.size = size;
    this.#most = most;
    this.#stiff = stiffMemory(workspace);
    this.#name = name;
    this.#workspace = workspace;
    this.#capacity = capacity;
    const pool = sparsePoolCapacity(most, capacity);
    const integers = (what: string, count: number) =>
      workspace.reserve(`${name}: ${what}`, Math.ceil(count / 2));
    const floats = (what: string, count: number) => workspace.reserve(`${name}: ${what}`, count);
    const table = integers("table", SparseLu.LENGTH);
    const parts: [SparseLu, Segment][] = [
      [SparseLu.ROWS, integers("rows", most)],
      [SparseLu.COLUMNS, integers("columns", most)],
      [SparseLu.ADDRESSES, integers("addresses", most)],
      [SparseLu.SCALES, floats("scales", most)],
      [SparseLu.ROW_ORDER, integers("order of rows", size)],
      [SparseLu.COLUMN_ORDER, integers("order of columns", size)],
      [SparseLu.ENTRY_START, integers("begin of entries", size + 1)],
      [SparseLu.ENTRY_LIST, integers("entries by rows", most)],
      [SparseLu.ENTRY_COLUMN, integers("columns of entries", most)],
      [SparseLu.L_START, integers("begin of L", size + 1)],
      [SparseLu.L_COLUMN, integers("columns of L", capacity)],
      [SparseLu.L_VALUE, floats("L", capacity)],
      [SparseLu.U_START, integers("begin of U", size + 1)],
      [SparseLu.U_COLUMN, integers("columns of U", capacity)],
      [SparseLu.U_VALUE, floats("U", capacity)],
      [SparseLu.DIAGONAL, floats("pivots", size)],
      [SparseLu.WORK, floats("work", size)],
      [SparseLu.MARKS, integers("marks", size + 1)],
      [SparseLu.ROW_POOL, integers("pool of rows", pool)],
      [SparseLu.COLUMN_POOL, integers("pool of columns", pool)],
      [SparseLu.POOL_VALUES, floats("values of the pool", pool)],
      [SparseLu.POOL_ORDER, integers("order of the pool", pool)],
      [SparseLu.ROW_LINES, integers("lines of rows", SparseLine.LENGTH * (size + 1))],
      [SparseLu.COLUMN_LINES, integers("lines of columns", SparseLine.LENGTH * (size + 1))],
      [SparseLu.ROW_LIST, integers("list of a row", size)],
      [SparseLu.COLUMN_LARGEST, floats("largest of columns", size)],
      [SparseLu.BEST, floats("best pivot", SparseBest.LENGTH)],
    ];
    this.table = table.address;
    workspace.whenSealed((arena) => {
      this.#head = arena.integers(table);
      this.#head.set([size, 0, capacity, 0]);
      this.#head[SparseLu.WIDTH] = size;
      this.#head[SparseLu.POOL_CAPACITY] = pool;
      for (const [field, segment] of parts) this.#head[field] = segment.address;
      const [rows, columns, addresses, scales] = parts.map(([, segment]) => segment);
      this.#rows = arena.integers(rows!);
      this.#columns = arena.integers(columns!);
      this.#addresses = arena.integers(addresses!);
      this.#scales = arena.floats(scales!);
      const order = (wanted: SparseLu) =>
        arena.integers(parts.find(([field]) => field === wanted)![1]);
      this.#rowOrder = order(SparseLu.ROW_ORDER);
      this.#columnOrder = order(SparseLu.COLUMN_ORDER);
    });
  }

  /** Number of entries. */
  get count(): number {
    return this.#head[SparseLu.ENTRY_COUNT] as number;
  }

  /** Whether pivots have been chosen. */
  get isChosen(): boolean {
    return this.#head[SparseLu.CHOSEN] === 1;
  }

  /**
   * Creates a complex matrix of the same entries and pivots, with its own scales and factor. `take` returns its table
   * with the present entries and pivots of this matrix. Reserves memory.
   */
  complexTwin(): { take(): Address } {
    const { size } = this;
    const name = this.#name;
    const segment = this.#workspace.reserve(
      `${name}: complex table`,
      Math.ceil(SparseLu.LENGTH / 2),
    );
    const pairs = (what: string, count: number) =>
      this.#workspace.vector(`${name}: complex ${what}`, 2 * count);
    const own: [SparseLu, Address][] = [
      [SparseLu.SCALES, pairs("scales", this.#most)],
      [SparseLu.L_VALUE, pairs("L", this.#capacity)],
      [SparseLu.U_VALUE, pairs("U", this.#capacity)],
      [SparseLu.DIAGONAL, pairs("pivots", size)],
      [SparseLu.WORK, pairs("work", size)],
    ];
    let table = new Int32Array(0);
    this.#workspace.whenSealed((arena) => {
      table = arena.integers(segment);
    });
    return {
      take: () => {
        table.set(this.#head);
        for (let k = 0; k < own.length; k++) table[own[k]![0]] = own[k]![1];
        return segment.address;
      },
    };
  }

  /** Returns the entries and the chosen pivots. */
  pattern(): PivotedPattern {
    const { size, count } = this;
    return {
      size,
      rows: this.#rows.slice(0, count),
      columns: this.#columns.slice(0, count),
      pivotRows: this.#rowOrder.slice(0, size),
      pivotColumns: this.#columnOrder.slice(0, size),
    };
  }

  /** Removes entries and pivots. */
  clear(): void {
    this.#head[SparseLu.ENTRY_COUNT] = 0;
    this.#head[SparseLu.CHOSEN] = 0;
  }

  add(row: number, column: number, address: Address, scale: number): void {
    const index = this.count;
    if (index >= this.#most)
      throw new NodriftError("MEMORY", "internal error: more matrix entries than reserved");
    this.#rows[index] = row;
    this.#columns[index] = column;
    this.#addresses[index] = address;
    this.#scales[index] = scale;
    this.#head[SparseLu.ENTRY_COUNT] = index + 1;
  }

  /**
   * Factors the matrix at the present values. Returns -1, or the row at which it is singular (or has a value that is
   * not finite).
   */
  factor(): number {
    const { kernels } = this.#stiff;
    const kept = this.#head[SparseLu.CHOSEN] === 1;
    if (kept) {
      const status = kernels.sparseLuFactor(this.table);
      if (statusCode(status) === Status.OK) return -1;
    }
    const chosen = this.#choose();
    if (statusCode(chosen) === Status.BAD_SIZE) {
      throw new NodriftError(
        "METHOD",
        "the sparse factor overflowed its memory: the constraints are too densely coupled; use udwadiaKalaba()",
      );
    }
    if (statusCode(chosen) !== Status.OK) return statusIndex(chosen);
    const status = kernels.sparseLuFactor(this.table);
    const code = statusCode(status);
    return code === Status.OK || code === Status.DEFICIENT ? -1 : statusIndex(status);
  }

  /** Chooses pivots in batches, as all pivots of a large matrix take a large fraction of a second. */
  #choose(): number {
    const { size, table } = this;
    let status: number = Status.OK;
    for (
      let from = 0;
      from === 0 || (from < size && statusCode(status) === Status.OK);
      from += PIVOTS_PER_CHECK
    ) {
      checkLimits();
      status = this.#stiff.kernels.sparseLuChoose(
        table,
        from,
        Math.min(size, from + PIVOTS_PER_CHECK),
      );
    }
    return status;
  }

  /** x = A^-1 b. */
  solve(b: Address, x: Address): void {
    this.#stiff.kernels.sparseLuSolve(this.table, b, x);
  }
}

/** Solves with a {@link PowerMatrix} for one alpha. */
export interface PowerSolver {
  /** Scales by which rows of right-hand sides must be multiplied before {@link solve}. */
  readonly scales: Address;
  /** Factors for alpha = real + i imaginary. Returns -1, or the row at which it is singular. */
  factor(real: number, imaginary: number): number;
  /** x = A^-1 x. Complex vectors consist of all real parts, then all imaginary ones. */
  solve(x: Address): void;
}

/**
 * A sparse matrix whose entries are factor alpha^power value. Real and complex solvers use the same pivots: those of
 * the real matrix. Rows are scaled to their largest entry.
 */
export class PowerMatrix {
  readonly #matrix: SparseMatrix;
  readonly #name: string;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;
  readonly #powers: Address;
  readonly #factors: Address;
  #powerList = new Int32Array(0);
  #factorList = new Float64Array(0);

  /** `most` limits the entries, and `capacity` the nonzeros of L and of U. */
  constructor(workspace: Workspace, name: string, size: number, most: number, capacity?: number) {
    this.#workspace = workspace;
    this.#name = name;
    this.#stiff = stiffMemory(workspace);
    this.#matrix = new SparseMatrix(workspace, name, size, most, capacity);
    const powers = workspace.reserve(`powers of alpha in ${name}`, Math.ceil(most / 2));
    const factors = workspace.reserve(`factors in ${name}`, most);
    this.#powers = powers.address;
    this.#factors = factors.address;
    workspace.whenSealed((arena) => {
      this.#powerList = arena.integers(powers);
      this.#factorList = arena.floats(factors);
    });
  }

  clear(): void {
    this.#matrix.clear();
  }

  add(row: number, column: number, address: Address, factor: number, power: 0 | 1 | 2): void {
    const index = this.#matrix.count;
    this.#matrix.add(row, column, address, factor);
    this.#powerList[index] = power;
    this.#factorList[index] = factor;
  }

  /** Returns a solver with its own factor. Reserves memory. */
  solver(complex: boolean): PowerSolver {
    return complex ? this.#complex() : this.#real();
  }

  #real(): PowerSolver {
    const scales = this.#scales("");
    const matrix = this.#matrix;
    return {
      scales,
      factor: (real) => this.#factorReal(real, scales),
      solve: (x) => matrix.solve(x, x),
    };
  }

  #complex(): PowerSolver {
    const scales = this.#scales("complex ");
    const matrix = this.#matrix;
    const twin = matrix.complexTwin();
    const stiff = this.#stiff;
    return {
      scales,
      factor: (real, imaginary) => {
        const { kernels } = stiff;
        if (!matrix.isChosen) {
          const row = this.#factorReal(Math.sqrt(real * real + imaginary * imaginary), scales);
          if (row >= 0) return row;
        }
        const table = twin.take();
        kernels.complexSparseShift(table, real, imaginary, this.#powers, this.#factors, scales);
        const status = kernels.complexSparseLuFactor(table);
        return failed(status) ? statusIndex(status) : -1;
      },
      solve: (x) => stiff.kernels.complexSparseLuSolve(twin.take(), x, x),
    };
  }

  #factorReal(alpha: number, scales: Address): number {
    const { kernels } = this.#stiff;
    kernels.sparseShift(this.#matrix.table, alpha, this.#powers, this.#factors, scales);
    return this.#matrix.factor();
  }

  #scales(kind: string): Address {
    return this.#workspace.vector(`scales of rows of ${kind}${this.#name}`, this.#matrix.size);
  }
}
