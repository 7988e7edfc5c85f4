import { SparseIncidence, SparsePair, SparseTable } from "../../../assembly/layout.js";
import { argument, listOf, refuseMore, whole } from "../checking/index.js";
import { type ConstraintGraph, checkedGraph, coupledConstraints } from "./graph.js";
import { eliminateWithFollowers } from "./ordering.js";
import { layOut } from "./storage.js";
import {
  blockTable,
  columnTable,
  joinTable,
  listIncidences,
  pairTable,
  updateTable,
} from "./tables.js";

/**
 * The plan of a block sparse factorisation of S = J M^-1 J^T: created once for a model, followed by the kernels in
 * every step.
 */
export interface SparsePlan {
  /** The table the kernels follow: write it into a segment of `Math.ceil(table.length / 2)` slots. */
  readonly table: Int32Array;
  /** Rows of S. */
  readonly rows: number;
  /** Slots of the Jacobian blocks, and of M^-1 J^T: contiguous blocks, each row-major. */
  readonly jacobianSlots: number;
  /** Slots of the inverse mass blocks. */
  readonly massSlots: number;
  /** Slots of the blocks of S, and of L. */
  readonly blockSlots: number;
  /** Slots of the scratch of a solve. */
  readonly scratchSlots: number;
  /** First slot of the Jacobian block of each body of each constraint, in the order given. */
  readonly jacobianSlotOf: readonly (readonly number[])[];
  /** Constraints in the order of elimination. */
  readonly order: readonly number[];
  /** Blocks of L that are not blocks of S. */
  readonly fill: number;
}

/**
 * Orders the constraints and lays out the factor. `after` names, for each constraint, others that are to
 * be eliminated before it; `follows`, for a constraint whose rows are combinations of those of others, these
 * others (see {@link eliminateWithFollowers}).
 *
 * @example
 * // two pendulum links, each joint holds a point: 3 rows
 * const plan = planSparse({
 *   bodyCount: 2,
 *   bodySize: 6,
 *   constraints: [{ rows: 3, bodies: [0] }, { rows: 3, bodies: [0, 1] }],
 * });
 */
export function planSparse(
  given: ConstraintGraph,
  after?: readonly (readonly number[])[],
  follows?: readonly (readonly number[])[],
  ...more: undefined[]
): SparsePlan {
  refuseMore("planSparse", "MEMORY", more, "it takes a graph, an order and who follows");
  const graph = checkedGraph(given);
  const lists = listOf(listOf(whole(0, graph.constraints.length)), "a list for each constraint");
  if (after !== undefined) argument("planSparse", "MEMORY", "after", after, lists);
  if (follows !== undefined) argument("planSparse", "MEMORY", "follows", follows, lists);
  const { constraints, bodySize, bodyCount } = graph;
  const neighbours = coupledConstraints(graph);
  const elimination = eliminateWithFollowers(
    neighbours,
    constraints.map(({ rows }) => rows),
    after,
    follows,
  );
  const storage = layOut(graph, elimination);
  const incidences = listIncidences(graph);
  const parts = [
    columnTable(graph, elimination, storage),
    blockTable(graph, elimination, storage),
    updateTable(elimination, storage),
    incidences.table,
    pairTable(graph, storage, incidences),
  ] as const;
  return {
    table: joinTable(parts, [
      [SparseTable.COLUMN_COUNT, constraints.length],
      [SparseTable.INCIDENCE_COUNT, parts[3].length / SparseIncidence.LENGTH],
      [SparseTable.PAIR_COUNT, parts[4].length / SparsePair.LENGTH],
      [SparseTable.BODY_SIZE, bodySize],
      [SparseTable.BLOCK_SLOTS, storage.blockSlots],
    ]),
    rows: storage.rows,
    jacobianSlots: incidences.slots,
    massSlots: bodyCount * bodySize * bodySize,
    blockSlots: storage.blockSlots,
    scratchSlots: storage.vectorSlots,
    jacobianSlotOf: incidences.slotOf,
    order: elimination.order,
    fill: fillOf(neighbours, elimination.below),
  };
}

function fillOf(
  neighbours: readonly ReadonlySet<number>[],
  below: readonly (readonly number[])[],
): number {
  return below.reduce(
    (sum, column, vertex) => sum + column.filter((row) => !neighbours[vertex]!.has(row)).length,
    0,
  );
}
