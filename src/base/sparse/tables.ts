import {
  SparseBlock,
  SparseColumn,
  SparseIncidence,
  SparsePair,
  SparseTable,
} from "../../../assembly/layout.js";
import { checkLimits } from "../run-limits.js";
import type { ConstraintGraph } from "./graph.js";
import type { Elimination } from "./ordering.js";
import type { Storage } from "./storage.js";

/** One record of each column of the factor. */
export function columnTable(
  { constraints }: ConstraintGraph,
  { order, below }: Elimination,
  storage: Storage,
): number[] {
  const table: number[] = [];
  let blocks = 0;
  let updates = 0;
  for (const column of order) {
    const count = below[column]?.length ?? 0;
    table.push(
      ...record(SparseColumn.LENGTH, [
        [SparseColumn.ROWS, constraints[column]?.rows],
        [SparseColumn.FIRST_ROW, storage.firstRow[column]],
        [SparseColumn.VECTOR, storage.vector[column]],
        [SparseColumn.DIAGONAL, storage.slot(column, column)],
        [SparseColumn.FIRST_BLOCK, blocks],
        [SparseColumn.BLOCK_COUNT, count],
        [SparseColumn.FIRST_UPDATE, updates],
      ]),
    );
    blocks += count;
    updates += (count * (count + 1)) / 2;
  }
  return table;
}

/** One record of each block below the diagonal. */
export function blockTable(
  { constraints }: ConstraintGraph,
  { order, below }: Elimination,
  storage: Storage,
): number[] {
  return order.flatMap((column) =>
    (below[column] ?? []).flatMap((row) =>
      record(SparseBlock.LENGTH, [
        [SparseBlock.SLOT, storage.slot(row, column)],
        [SparseBlock.ROWS, constraints[row]?.rows],
        [SparseBlock.VECTOR, storage.vector[row]],
      ]),
    ),
  );
}

/** For each two blocks of a column, the block from which their product is subtracted; -1 if not needed. */
export function updateTable({ order, below }: Elimination, storage: Storage): number[] {
  const slots: number[] = [];
  // Filled by push: the count grows with the cube of the coupled rows.
  for (const column of order) {
    checkLimits();
    const rows = below[column] ?? [];
    rows.forEach((row, index) => {
      for (let k = 0; k <= index; k++) slots.push(storage.slot(row, rows[k]!));
    });
  }
  return slots;
}

/** Every body of every constraint. */
export interface Incidences {
  readonly table: readonly number[];
  readonly slots: number;
  readonly slotOf: readonly (readonly number[])[];
  /** Indices of the incidences on each body, with their constraints. */
  readonly onBody: readonly (readonly { incidence: number; constraint: number }[])[];
}

export function listIncidences({
  bodyCount,
  bodySize,
  bodySizes,
  constraints,
}: ConstraintGraph): Incidences {
  const table: number[] = [];
  const onBody = Array.from(
    { length: bodyCount },
    () => [] as { incidence: number; constraint: number }[],
  );
  let slots = 0;
  let firstRow = 0;
  const slotOf = constraints.map(({ rows, bodies }, constraint) => {
    const first = firstRow;
    firstRow += rows;
    return bodies.map((body) => {
      const slot = slots;
      onBody[body]?.push({ incidence: table.length / SparseIncidence.LENGTH, constraint });
      table.push(
        ...record(SparseIncidence.LENGTH, [
          [SparseIncidence.BODY, body],
          [SparseIncidence.ROWS, rows],
          [SparseIncidence.SLOT, slot],
          [SparseIncidence.FIRST_ROW, first],
        ]),
      );
      slots += rows * (bodySizes?.[body] ?? bodySize);
      return slot;
    });
  });
  return { table, slots, slotOf, onBody };
}

/**
 * All pairs of constraints on a body, the later one first: the terms of S. Pairs with the same earlier constraint are
 * adjacent.
 */
export function pairTable(
  { bodyCount }: ConstraintGraph,
  storage: Storage,
  { onBody }: Incidences,
): number[] {
  const table: number[] = [];
  for (let body = 0; body < bodyCount; body++) {
    for (const column of onBody[body] ?? []) {
      for (const row of onBody[body] ?? []) {
        if (storage.isLater(column.constraint, row.constraint)) continue;
        const slot = storage.slot(row.constraint, column.constraint);
        if (slot < 0) continue;
        table.push(
          ...record(SparsePair.LENGTH, [
            [SparsePair.LEFT, row.incidence],
            [SparsePair.RIGHT, column.incidence],
            [SparsePair.SLOT, slot],
          ]),
        );
      }
    }
  }
  return table;
}

/** A record of a table, by its fields. */
export function record(
  length: number,
  fields: readonly (readonly [number, number | undefined])[],
): number[] {
  const values = new Array<number>(length).fill(0);
  for (const [field, value] of fields) values[field] = value as number;
  return values;
}

/** Joins head and parts in one array; the head holds the offsets of the parts. */
export function joinTable(
  parts: readonly (readonly number[])[],
  head: readonly (readonly [number, number])[],
): Int32Array {
  const values = record(SparseTable.LENGTH, head);
  let offset = values.length;
  parts.forEach((part, index) => {
    values[SparseTable.COLUMNS + index] = offset;
    offset += part.length;
  });
  const table = new Int32Array(offset);
  table.set(values);
  parts.forEach((part, index) => {
    table.set(part, values[SparseTable.COLUMNS + index]);
  });
  return table;
}
