// Contribution of the bias of a tree to rows: gamma of the coordinates is that of bodies less J u'
// for v' = 0. The centre of mass c of a body then has, without gravity,
//
//   a + alpha x c + w x (w x c)
//
// with w, alpha and a of its node. A row is a force f on the centre of mass and a torque; with the
// torque n about the point of the node that is
//
//   f . (a + w x (w x c)) + n . alpha.
//
// Only bodies that have rows are visited. Rejected: torques in the axes of the body, as the
// Jacobian has them, which rotates alpha for each body; n is known when rows are carried inwards.

import { BODY_VELOCITIES, BodyFrame, BodyTable } from "../layout-bodies";
import { Node, NodeConstant, RowBlock, RowSource, TreeTable } from "../layout-tree";
import { addressOf } from "../kinematics/table";
import { at, get, getBoth, getInteger, set } from "../math/slots";
import { centre } from "./bodies";
import { centreBias, sourceAt, subtractBias, turned } from "./row-sources";
import { treeAddress } from "./table";
import { cross } from "./vector";

/** out = gamma of bodies - J bias. */
export function treeGamma(tree: usize, out: usize): void {
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const gamma = addressOf(table, BodyTable.GAMMA);
  const blocks = getInteger(tree, TreeTable.BLOCK_COUNT);
  let block = tree + ((<usize>getInteger(tree, TreeTable.BLOCK_LIST)) << 2);
  for (let k = 0; k < blocks; k++) {
    const first = getInteger(block, RowBlock.FIRST_ROW);
    const rows = getInteger(block, RowBlock.ROWS);
    const to = at(out, first), from = at(gamma, first);
    for (let i = 0; i < rows; i++) set(to, i, get(from, i));
    const count = getInteger(block, RowBlock.SOURCE_COUNT);
    let source = sourceAt(tree, getInteger(block, RowBlock.FIRST_SOURCE));
    for (let s = 0; s < count; s++) {
      subtractSource(tree, table, rows, source, to);
      source += RowSource.LENGTH << 2;
    }
    block += RowBlock.LENGTH << 2;
  }
}

/** Subtracts the contribution of one body. */
// @ts-ignore: decorator
@inline
function subtractSource(tree: usize, table: usize, rows: i32, source: usize, out: usize): void {
  const number = getInteger(source, RowSource.NODE), body = getInteger(source, RowSource.BODY);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const node = at(nodes, Node.LENGTH * number);
  const constant = at(treeAddress(tree, TreeTable.CONSTANTS), NodeConstant.LENGTH * number);
  const frame = at(addressOf(table, BodyTable.FRAMES), BodyFrame.LENGTH * body);
  const x0 = centre(constant, node, 0), x1 = centre(constant, node, 1);
  const x2 = centre(constant, node, 2);
  const c0 = f64x2.splat(x0), c1 = f64x2.splat(x1), c2 = f64x2.splat(x2);
  const a0 = centreBias(nodes, node, 0, x0, x1, x2), a1 = centreBias(nodes, node, 1, x0, x1, x2);
  const a2 = centreBias(nodes, node, 2, x0, x1, x2);
  let row = at(addressOf(table, BodyTable.JACOBIAN), getInteger(source, RowSource.SLOT));
  for (let i = 0; i < rows; i += 2) {
    const next = i + 1 < rows ? at(row, BODY_VELOCITIES) : row;
    const f0 = getBoth(row, next, 0), f1 = getBoth(row, next, 1), f2 = getBoth(row, next, 2);
    const t0 = getBoth(row, next, 3), t1 = getBoth(row, next, 4), t2 = getBoth(row, next, 5);
    subtractBias(
      rows - i, node, a0, a1, a2,
      f64x2.add(turned(frame, 0, t0, t1, t2), cross(c1, f2, c2, f1)),
      f64x2.add(turned(frame, 1, t0, t1, t2), cross(c2, f0, c0, f2)),
      f64x2.add(turned(frame, 2, t0, t1, t2), cross(c0, f1, c1, f0)),
      f0, f1, f2, at(out, i),
    );
    row = at(next, BODY_VELOCITIES);
  }
}
