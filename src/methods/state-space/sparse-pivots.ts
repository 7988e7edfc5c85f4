import { SparseBest, SparseLine, SparseLu } from "../../../assembly/layout-stiff.js";
import { NodriftError } from "../../ground/errors.js";
import type { Address, Arena, Segment } from "../../ground/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../ground/memory/stiff-memory.js";
import { checkLimits } from "../../ground/run-limits.js";
import type { SparseEquations, System } from "../../seam/index.js";
import type { MatrixEntries } from "./matrix-entries.js";
import type { PivotChoice, Pivots } from "./pivot-choice.js";

/** A pivot is at least this part of the largest number in the row of its constraint. */
const THRESHOLD = 0.5;
/** Pivots chosen between two checks of run limits. */
const SOME = 500;
/** Positions that a velocity moves: the four Euler parameters, or one coordinate. */
const MOVED = 4;
/** What fills, in numbers for each that is there. */
const FILL = 4;

/** What a number of the matrix is made of: the product of two values and a factor. */
interface Term {
  readonly slot: number;
  readonly of: Address;
  readonly by: Address;
  readonly factor: number;
}

interface Layout {
  readonly terms: readonly Term[];
  /** Of each number: the row of the constraints, and the position. */
  readonly rows: readonly number[];
  readonly positions: readonly number[];
}

/**
 * By Markowitz' count among pivots that are not much smaller than the largest in the row of their constraint: for
 * systems of any size. The leaves of a tree are eliminated first, and nothing is filled; complete pivoting would
 * spread independent positions over all rows. The matrix is transposed for that: the kernel compares in columns.
 */
export class SparsePivots implements PivotChoice {
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
    const most = MOVED * (entries.counts.jacobian + positions - velocities);
    const pool = FILL * most;
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
    this.#write(this.#layout, weights, width, equations.rowSizes?.() ?? []);
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
      to = Math.min(width, to + SOME);
      const { kernels } = this.#stiff;
      rank = kernels.sparseRank(this.#table.address, rank, to, THRESHOLD, this.#tolerance);
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

  /** Where numbers of the matrix are, and what they are made of: always the same. */
  #lay({ jacobian, rates, eulerParameterStarts }: SparseEquations): Layout {
    const { positions: count } = this.#system.coordinates;
    const { rows: constraints } = this.#system.constraints;
    const [terms, rows, positions]: [Term[], number[], number[]] = [[], [], []];
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

  /** Writes the places of the entries, each time: memory may be that of another run. */
  #place({ rows, positions }: Layout): void {
    this.#integers(SparseLu.ROWS).set(positions);
    this.#integers(SparseLu.COLUMNS).set(rows);
    this.#integers(SparseLu.ADDRESSES).set(rows.map((_, slot) => this.#values.address + 8 * slot));
    this.#integers(SparseLu.SIZE)[SparseLu.ENTRY_COUNT] = rows.length;
  }

  /** The numbers, with each constraint scaled to its largest or by its size, and zeros for pinned positions. */
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
