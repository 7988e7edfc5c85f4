import { padToTwo } from "../../../assembly/layout.js";
import type { ConstraintGraph } from "./graph.js";
import type { Elimination } from "./ordering.js";

/** Memory layout of a factor. */
export interface Storage {
  readonly rows: number;
  readonly firstRow: readonly number[];
  /** Slot in a padded right-hand side, by constraint. */
  readonly vector: readonly number[];
  readonly vectorSlots: number;
  readonly blockSlots: number;
  /** Slot of the block of two constraints, whose rows belong to the later one; -1 if there is no block. */
  slot(later: number, earlier: number): number;
  isLater(one: number, other: number): boolean;
}

/**
 * Stores columns in the order of elimination, diagonal block first, so that the factorisation runs through memory in
 * order.
 */
export function layOut({ constraints }: ConstraintGraph, { order, below }: Elimination): Storage {
  const firstRow: number[] = [];
  let rows = 0;
  for (const constraint of constraints) {
    firstRow.push(rows);
    rows += constraint.rows;
  }
  const rowsOf = (index: number) => constraints[index]?.rows ?? 0;
  const vector = new Array<number>(constraints.length);
  const position = new Array<number>(constraints.length);
  const slots = constraints.map(() => new Map<number, number>());
  let vectorSlots = 0;
  let blockSlots = 0;
  order.forEach((column, place) => {
    position[column] = place;
    vector[column] = vectorSlots;
    vectorSlots += padToTwo(rowsOf(column));
    for (const row of [column, ...(below[column] ?? [])]) {
      slots[column]?.set(row, blockSlots);
      blockSlots += padToTwo(rowsOf(row)) * rowsOf(column);
    }
  });
  return {
    rows,
    firstRow,
    vector,
    vectorSlots,
    blockSlots,
    slot: (later, earlier) => slots[earlier]?.get(later) ?? -1,
    isLater: (one, other) => (position[one] as number) > (position[other] as number),
  };
}
