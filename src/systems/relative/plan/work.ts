// What an evaluation of accelerations costs, in multiplications: to choose coordinates by.

import { SparseColumn, SparseTable } from "../../../../assembly/layout.js";
import type { SparsePlan } from "../../../ground/sparse/symbolic.js";
import type { Plan } from "../../bodies/plan/plan.js";
import type { RelativePlan } from "./relative-plan.js";

/** Of a node: kinematics, articulated inertia and solves. */
const PER_NODE = 255;
/** Of a row at each node on its way to the ground. */
const PER_STEP = 15;
/**
 * Of a body and of the square of a joint's rows in maximal coordinates. Measured, as an evaluation there over one along
 * a tree: 3.1 for a chain of balls (3 rows), 6.9 for hinges (5 rows).
 */
const PER_BODY = 100;
const PER_SQUARE = 66;

/** Work in relative coordinates. */
export function relativeWork({ tree, rest, paths, sparse }: RelativePlan): number {
  const steps = rest.blocks.reduce((sum, { rows }, i) => sum + rows * paths[i]!.length, 0);
  return PER_NODE * tree.nodes.length + PER_STEP * steps + 3 * factorWork(sparse);
}

/** Work in maximal coordinates. */
export function maximalWork({ model, blocks, sparse }: Plan): number {
  const squares = blocks.reduce((sum, { rows }) => sum + rows * rows, 0);
  const fill = Math.max(0, factorWork(sparse) - squares * 5);
  return PER_BODY * model.bodies.length + PER_SQUARE * squares + fill;
}

/** Multiplications of the block sparse factorisation: r c (c / 3 + below) for each column of c rows. */
function factorWork({ table }: SparsePlan): number {
  const count = table[SparseTable.COLUMN_COUNT]!;
  const first = table[SparseTable.COLUMNS]!;
  let work = 0;
  for (let k = 0; k < count; k++) {
    const at = first + SparseColumn.LENGTH * k;
    const rows = table[at + SparseColumn.ROWS]!;
    const below = rows * table[at + SparseColumn.BLOCK_COUNT]!;
    work += rows * ((rows * rows) / 6 + (rows * below) / 2 + (below * below) / 2);
  }
  return work;
}
