// What the bias of a tree gives to rows: gamma of the coordinates is that of bodies less this, J u'
// for v' = 0. The centre of mass c of a body then has, without gravity,
//
//   a + alpha x c + w x (w x c)
//
// with w, alpha and a of its node. Only bodies that have rows are visited.

import { BODY_VELOCITIES, BodyFrame, BodyTable } from "../layout-bodies";
import { Node, NodeConstant, RowBlock, RowSource, TreeTable } from "../layout-tree";
import { addressOf } from "../kinematics/table";
import { at, get, getInteger, set } from "../math/slots";
import { centre } from "./bodies";
import { sourceAt } from "./rows";
import { treeAddress } from "./table";
import { back } from "./vector";

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
      subtractBias(tree, table, rows, source, to);
      source += RowSource.LENGTH << 2;
    }
    block += RowBlock.LENGTH << 2;
  }
}

/** The part of one body. */
// @ts-ignore: decorator
@inline
function subtractBias(tree: usize, table: usize, rows: i32, source: usize, out: usize): void {
  const number = getInteger(source, RowSource.NODE), body = getInteger(source, RowSource.BODY);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const node = at(nodes, Node.LENGTH * number), ground = at(nodes, Node.BIAS + 3);
  const constant = at(treeAddress(tree, TreeTable.CONSTANTS), NodeConstant.LENGTH * number);
  const frame = at(addressOf(table, BodyTable.FRAMES), BodyFrame.LENGTH * body);
  const c0 = centre(constant, node, 0), c1 = centre(constant, node, 1);
  const c2 = centre(constant, node, 2);
  const w = at(node, Node.OMEGA), bias = at(node, Node.BIAS);
  const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const e0 = get(bias, 0), e1 = get(bias, 1), e2 = get(bias, 2);
  const u0 = w1 * c2 - w2 * c1, u1 = w2 * c0 - w0 * c2, u2 = w0 * c1 - w1 * c0;
  const a0 = get(bias, 3) - get(ground, 0) + ((e1 * c2 - e2 * c1) + (w1 * u2 - w2 * u1));
  const a1 = get(bias, 4) - get(ground, 1) + ((e2 * c0 - e0 * c2) + (w2 * u0 - w0 * u2));
  const a2 = get(bias, 5) - get(ground, 2) + ((e0 * c1 - e1 * c0) + (w0 * u1 - w1 * u0));
  const b0 = back(frame, 0, e0, e1, e2), b1 = back(frame, 1, e0, e1, e2);
  const b2 = back(frame, 2, e0, e1, e2);
  let row = at(addressOf(table, BodyTable.JACOBIAN), getInteger(source, RowSource.SLOT));
  for (let i = 0; i < rows; i++) {
    const moving = get(row, 0) * a0 + get(row, 1) * a1 + get(row, 2) * a2;
    const turning = get(row, 3) * b0 + get(row, 4) * b1 + get(row, 5) * b2;
    set(out, i, get(out, i) - (moving + turning));
    row = at(row, BODY_VELOCITIES);
  }
}
