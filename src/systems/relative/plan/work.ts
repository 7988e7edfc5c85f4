// Cost of an evaluation of accelerations, in multiplications, for the choice of coordinates.

import { SparseColumn, SparseTable } from "../../../../assembly/layout.js";
import type { SparsePlan } from "../../../base/sparse/symbolic.js";
import type { Plan } from "../../bodies/plan/plan.js";
import type { RelativePlan } from "./relative-plan.js";

/** Cost of a node: kinematics, articulated inertia and solves. */
const COST_PER_NODE = 255;
/** Cost of a row at each node on its path to the ground. */
const COST_PER_PATH_NODE = 15;
/**
 * Cost of a body, and of the square of a joint's rows, in maximal coordinates. Measured, as the ratio of an evaluation
 * there to one along a tree: 3.1 for a chain of balls (3 rows), 6.9 for hinges (5 rows).
 */
const COST_PER_BODY = 100;
const COST_PER_SQUARED_ROWS = 66;

/** Cost in relative coordinates. */
export function relativeCost({ tree, rest, paths, sparse }: RelativePlan): number {
  const steps = rest.blocks.reduce((sum, { rows }, i) => sum + rows * paths[i]!.length, 0);
  return COST_PER_NODE * tree.nodes.length + COST_PER_PATH_NODE * steps + 3 * factorWork(sparse);
}

/** Cost in maximal coordinates. */
export function maximalCost({ model, blocks, sparse }: Plan): number {
  const squares = blocks.reduce((sum, { rows }) => sum + rows * rows, 0);
  const fill = Math.max(0, factorWork(sparse) - squares * 5);
  return COST_PER_BODY * model.bodies.length + COST_PER_SQUARED_ROWS * squares + fill;
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
