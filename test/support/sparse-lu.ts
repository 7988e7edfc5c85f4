// A sparse matrix laid out by hand for the kernels.

import {
  SparseBest,
  SparseLine,
  SparseLu,
  sparseLuCapacity,
  sparsePoolCapacity,
} from "../../assembly/layout-stiff.js";
import { stiffModule } from "./stiff-module.js";

export interface Entry {
  readonly row: number;
  readonly column: number;
  readonly value: number;
  readonly scale?: number;
}

export type Sparse = ReturnType<typeof sparse>;

export function sparse(
  size: number,
  entries: readonly Entry[],
  capacity = sparseLuCapacity(size, entries.length),
  pool = sparsePoolCapacity(entries.length, sparseLuCapacity(size, entries.length)),
  width = size,
) {
  const { kernels, take, takeIntegers } = stiffModule();
  const count = entries.length;
  const integers = (length: number) => takeIntegers(new Int32Array(length));
  const floats = (length: number) => take(new Float64Array(length));
  const values = take(entries.map(({ value }) => value));
  const views = {
    [SparseLu.ROWS]: takeIntegers(entries.map(({ row }) => row)),
    [SparseLu.COLUMNS]: takeIntegers(entries.map(({ column }) => column)),
    [SparseLu.ADDRESSES]: takeIntegers(entries.map((_, e) => values.byteOffset + 8 * e)),
    [SparseLu.SCALES]: take(entries.map(({ scale = 1 }) => scale)),
    [SparseLu.ROW_ORDER]: integers(size),
    [SparseLu.COLUMN_ORDER]: integers(Math.max(size, width)),
    [SparseLu.ENTRY_START]: integers(size + 1),
    [SparseLu.ENTRY_LIST]: integers(count),
    [SparseLu.ENTRY_COLUMN]: integers(count),
    [SparseLu.L_START]: integers(size + 1),
    [SparseLu.L_COLUMN]: integers(capacity),
    [SparseLu.L_VALUE]: floats(capacity),
    [SparseLu.U_START]: integers(size + 1),
    [SparseLu.U_COLUMN]: integers(capacity),
    [SparseLu.U_VALUE]: floats(capacity),
    [SparseLu.DIAGONAL]: floats(size),
    [SparseLu.WORK]: floats(size),
    [SparseLu.MARKS]: integers(size + 1),
    [SparseLu.ROW_POOL]: integers(pool),
    [SparseLu.COLUMN_POOL]: integers(pool),
    [SparseLu.POOL_VALUES]: floats(pool),
    [SparseLu.POOL_ORDER]: integers(pool),
    [SparseLu.ROW_LINES]: integers(SparseLine.LENGTH * (size + 1)),
    [SparseLu.COLUMN_LINES]: integers(SparseLine.LENGTH * (size + 1)),
    [SparseLu.ROW_LIST]: integers(Math.max(size, width)),
    [SparseLu.COLUMN_LARGEST]: floats(Math.max(size, width)),
    [SparseLu.BEST]: floats(SparseBest.LENGTH),
  };
  const head = integers(SparseLu.LENGTH);
  head.set([size, count, capacity, 0]);
  head[SparseLu.WIDTH] = width;
  head[SparseLu.POOL_CAPACITY] = pool;
  for (const [field, view] of Object.entries(views)) head[Number(field)] = view.byteOffset;
  const table = head.byteOffset;
  return {
    kernels,
    take,
    table,
    /** Values of the entries, which may be changed. */
    values,
    choose: () => kernels.sparseLuChoose(table, 0, size),
    /** Chooses pivots in parts of `some`. */
    chooseBy(some: number) {
      let status = 0;
      for (let from = 0; from < size && status === 0; from += some) {
        status = kernels.sparseLuChoose(table, from, Math.min(size, from + some));
      }
      return status;
    },
    /** Number of pivots, chosen in parts of `some`, and the rows and columns without one. */
    rank(threshold: number, tolerance: number, some = width) {
      let count = 0;
      for (let to = some; ; to += some) {
        const found = kernels.sparseRank(table, count, Math.min(to, width), threshold, tolerance);
        const isLast = found < Math.min(to, width) || found === width;
        count = found;
        if (isLast) break;
      }
      const without = (order: Int32Array, length: number) =>
        [...order.subarray(0, length)].flatMap((pivot, i) => (pivot < 0 ? i : []));
      return {
        count,
        rows: without(views[SparseLu.ROW_ORDER], size),
        columns: without(views[SparseLu.COLUMN_ORDER], width),
      };
    },
    factor: () => kernels.sparseLuFactor(table),
    condition: () =>
      kernels.sparseLuCondition(table, floats(size).byteOffset, floats(size).byteOffset),
    chosen: () => head[SparseLu.CHOSEN],
    order: () => [...views[SparseLu.ROW_ORDER], ...views[SparseLu.COLUMN_ORDER]],
    /** Number of entries of L and U, without their diagonals. */
    filled: () => [views[SparseLu.L_START][size], views[SparseLu.U_START][size]],
    /** A complex matrix of the same entries and pivots: its table, and its scales as pairs. */
    complexTwin() {
      const own = {
        [SparseLu.SCALES]: floats(2 * count),
        [SparseLu.L_VALUE]: floats(2 * capacity),
        [SparseLu.U_VALUE]: floats(2 * capacity),
        [SparseLu.DIAGONAL]: floats(2 * size),
        [SparseLu.WORK]: floats(2 * size),
      };
      const twin = takeIntegers(head);
      for (const [field, view] of Object.entries(own)) twin[Number(field)] = view.byteOffset;
      return { table: twin.byteOffset, scales: own[SparseLu.SCALES] };
    },
    scales: views[SparseLu.SCALES],
    takeIntegers,
    /** The matrix at the present values, dense and column-major. */
    dense() {
      const a = new Float64Array(size * size);
      for (const [e, { row, column, scale = 1 }] of entries.entries()) {
        a[row + size * column] += scale * values[e];
      }
      return a;
    },
  };
}
