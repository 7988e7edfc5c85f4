// Rows that remain when a tree has its coordinates: cut joints, couplings, drives, the user's. A
// row is a wrench on the bodies it touches. Carried inwards on their paths to the ground, children
// first,
//
//   y = L^-1 S^T f,   f <- X^T (f - IA S D^-1 S^T f),   D = S^T IA S = L L^T,
//
// it leaves y at each node, and S = J M^-1 J^T is the sum of y y^T over the nodes that two rows
// share. Paths go on to the ground: beyond the body where both meet, forces of the two ends do not
// cancel, as each has left another part of itself in the joints on its way.

import { padToTwo, SparseIncidence, SparsePair, SparseTable } from "../layout";
import { BODY_VELOCITIES, BodyFrame, BodyMass, BodyTable, Rank } from "../layout-bodies";
import {
  AxisFactor, BallFactor, Node, NodeConstant, NodeEntry, NodeKind, RowBlock, RowSource, TreeTable,
} from "../layout-tree";
import { at, clearSlots, get, getInteger, set } from "../math/slots";
import { addressOf } from "../kinematics/table";
import { factorLoops } from "../bodies/factor";
import { addProduct, incidenceAt } from "../sparse/assemble";
import { sparseFactorInPlace } from "../sparse/block-cholesky";
import { ENTRY_BYTES, firstEntry, treeAddress } from "./table";
import { addSix, along } from "./vector";
import { whitenBall, whitenFree, widthOf } from "./whitened";

/**
 * Factors S of the rows at the Jacobian of bodies and the factor of the tree in memory. `rank`,
 * `mu`, `tolerance` and the result as of bodyFactor; pivots are parts of what S_jj would be if all
 * bodies were free: rows that vanish at a pose of the tree are small against that and not against
 * themselves.
 */
export function treeRowFactor(tree: usize, rank: i32, mu: f64, tolerance: f64): i32 {
  const sparse = treeAddress(tree, TreeTable.SPARSE_TABLE);
  const factor = treeAddress(tree, TreeTable.SPARSE_FACTOR);
  const pivots = treeAddress(tree, TreeTable.SPARSE_PIVOTS);
  const blocks = getInteger(tree, TreeTable.BLOCK_COUNT);
  let block = tree + ((<usize>getInteger(tree, TreeTable.BLOCK_LIST)) << 2);
  for (let k = 0; k < blocks; k++) {
    carryInwards(tree, sparse, block);
    freeDiagonal(tree, block, at(pivots, getInteger(block, RowBlock.FIRST_ROW)));
    block += RowBlock.LENGTH << 2;
  }
  addProducts(tree, sparse, factor);
  if (rank != Rank.KNOWN) return sparseFactorInPlace(sparse, tolerance, factor, pivots);
  const loops = treeAddress(tree, TreeTable.LOOP_BLOCKS);
  const scratch = treeAddress(tree, TreeTable.LOOP_SCRATCH);
  return factorLoops(sparse, mu, tolerance, factor, pivots, loops, scratch);
}

/** Y of a block. */
function carryInwards(tree: usize, sparse: usize, block: usize): void {
  const rows = getInteger(block, RowBlock.ROWS);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const wrenches = treeAddress(tree, TreeTable.WRENCHES);
  const slots = getInteger(tree, TreeTable.WRENCH_SLOTS);
  const y = treeAddress(tree, TreeTable.Y);
  const incidences = sparse + ((<usize>getInteger(sparse, SparseTable.INCIDENCES)) << 2);
  const count = getInteger(block, RowBlock.INCIDENCE_COUNT);
  const first = incidenceAt(incidences, getInteger(block, RowBlock.FIRST_INCIDENCE));
  let incidence = first;
  for (let k = 0; k < count; k++) {
    clearSlots(at(wrenches, slots * getInteger(incidence, SparseIncidence.BODY)), 6 * rows);
    incidence += SparseIncidence.LENGTH << 2;
  }
  addSources(tree, block, wrenches, slots);
  const entries = firstEntry(tree);
  incidence = first;
  for (let k = 0; k < count; k++) {
    const number = getInteger(incidence, SparseIncidence.BODY);
    const entry = entries + ENTRY_BYTES * number;
    const parent = getInteger(entry, NodeEntry.PARENT);
    const to = parent == 0 ? <usize>0 : at(wrenches, slots * parent);
    carry(
      tree, number, getInteger(entry, NodeEntry.KIND), rows, at(nodes, Node.LENGTH * number),
      at(wrenches, slots * number), at(y, getInteger(incidence, SparseIncidence.SLOT)), to,
    );
    incidence += SparseIncidence.LENGTH << 2;
  }
}

/** The wrenches of a block on its bodies, at the points of their nodes. */
// @ts-ignore: decorator
@inline
function addSources(tree: usize, block: usize, wrenches: usize, slots: i32): void {
  const rows = getInteger(block, RowBlock.ROWS);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const jacobian = addressOf(table, BodyTable.JACOBIAN);
  const frames = addressOf(table, BodyTable.FRAMES);
  const count = getInteger(block, RowBlock.SOURCE_COUNT);
  let source = sourceAt(tree, getInteger(block, RowBlock.FIRST_SOURCE));
  for (let k = 0; k < count; k++) {
    const number = getInteger(source, RowSource.NODE);
    const node = at(nodes, Node.LENGTH * number);
    const constant = at(constants, NodeConstant.LENGTH * number);
    const frame = at(frames, BodyFrame.LENGTH * getInteger(source, RowSource.BODY));
    const x0 = get(constant, NodeConstant.CENTRE), x1 = get(constant, NodeConstant.CENTRE + 1);
    const x2 = get(constant, NodeConstant.CENTRE + 2);
    const c0 = along(node, 0, x0, x1, x2), c1 = along(node, 1, x0, x1, x2);
    const c2 = along(node, 2, x0, x1, x2);
    let row = at(jacobian, getInteger(source, RowSource.SLOT));
    let to = at(wrenches, slots * number);
    for (let i = 0; i < rows; i++) {
      // As addLoad of tree/bodies.ts, with what rows have in common.
      const f0 = get(row, 0), f1 = get(row, 1), f2 = get(row, 2);
      const t0 = get(row, 3), t1 = get(row, 4), t2 = get(row, 5);
      addSix(
        to,
        along(frame, 0, t0, t1, t2) + (c1 * f2 - c2 * f1),
        along(frame, 1, t0, t1, t2) + (c2 * f0 - c0 * f2),
        along(frame, 2, t0, t1, t2) + (c0 * f1 - c1 * f0),
        f0, f1, f2,
      );
      row = at(row, BODY_VELOCITIES);
      to = at(to, 6);
    }
    source += RowSource.LENGTH << 2;
  }
}

// @ts-ignore: decorator
@inline
function sourceAt(tree: usize, index: i32): usize {
  const list = getInteger(tree, TreeTable.SOURCE_LIST);
  return tree + ((<usize>(list + RowSource.LENGTH * index)) << 2);
}

/** y of the rows at one node, and what goes on to the parent's wrenches. */
function carry(
  tree: usize, number: i32, kind: i32, rows: i32, node: usize, wrenches: usize, y: usize,
  parent: usize,
): void {
  const factor = at(node, Node.FACTOR);
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  const z0 = get(node, 6), z1 = get(node, 7), z2 = get(node, 8);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const pitch = get(at(constants, NodeConstant.LENGTH * number), NodeConstant.PITCH);
  const share = at(factor, AxisFactor.SHARE);
  const root = kind <= NodeKind.SCREW ? Math.sqrt(get(factor, AxisFactor.INVERSE)) : 0.0;
  let wrench = wrenches;
  for (let i = 0; i < rows; i++) {
    let n0 = get(wrench, 0), n1 = get(wrench, 1), n2 = get(wrench, 2);
    let f0 = get(wrench, 3), f1 = get(wrench, 4), f2 = get(wrench, 5);
    if (kind <= NodeKind.SCREW) {
      let s = 0.0;
      if (kind != NodeKind.SLIDE) s += z0 * n0 + z1 * n1 + z2 * n2;
      if (kind != NodeKind.HINGE) {
        s += (kind == NodeKind.SLIDE ? 1.0 : pitch) * (z0 * f0 + z1 * f1 + z2 * f2);
      }
      set(y, i, root * s);
      if (parent != 0) {
        addSix(
          at(parent, 6 * i),
          n0 + (r1 * f2 - r2 * f1) - s * get(share, 0),
          n1 + (r2 * f0 - r0 * f2) - s * get(share, 1),
          n2 + (r0 * f1 - r1 * f0) - s * get(share, 2),
          f0 - s * get(share, 3), f1 - s * get(share, 4), f2 - s * get(share, 5),
        );
      }
    } else if (kind == NodeKind.BALL) {
      const gain = at(factor, BallFactor.GAIN);
      whitenBall(factor, n0, n1, n2, at(y, 3 * i));
      f0 -= along(gain, 0, n0, n1, n2);
      f1 -= along(gain, 1, n0, n1, n2);
      f2 -= along(gain, 2, n0, n1, n2);
      n0 = 0.0;
      n1 = 0.0;
      n2 = 0.0;
    } else if (kind == NodeKind.FREE) {
      whitenFree(factor, wrench, at(y, 6 * i));
    }
    if (kind > NodeKind.SCREW && parent != 0) {
      addSix(
        at(parent, 6 * i),
        n0 + (r1 * f2 - r2 * f1), n1 + (r2 * f0 - r0 * f2), n2 + (r0 * f1 - r1 * f0), f0, f1, f2,
      );
    }
    wrench = at(wrench, 6);
  }
}

/** S_jj of a block's rows if its bodies were free. */
function freeDiagonal(tree: usize, block: usize, out: usize): void {
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const jacobian = addressOf(table, BodyTable.JACOBIAN);
  const masses = addressOf(table, BodyTable.MASSES);
  const rows = getInteger(block, RowBlock.ROWS), count = getInteger(block, RowBlock.SOURCE_COUNT);
  clearSlots(out, rows);
  let source = sourceAt(tree, getInteger(block, RowBlock.FIRST_SOURCE));
  for (let k = 0; k < count; k++) {
    const mass = at(masses, BodyMass.LENGTH * getInteger(source, RowSource.BODY));
    const inertia = at(mass, BodyMass.INVERSE_INERTIA), m = get(mass, BodyMass.INVERSE_MASS);
    let row = at(jacobian, getInteger(source, RowSource.SLOT));
    for (let i = 0; i < rows; i++) {
      const x0 = get(row, 0), x1 = get(row, 1), x2 = get(row, 2);
      const w0 = get(row, 3), w1 = get(row, 4), w2 = get(row, 5);
      const turning = w0 * along(inertia, 0, w0, w1, w2) + w1 * along(inertia, 1, w0, w1, w2)
        + w2 * along(inertia, 2, w0, w1, w2);
      set(out, i, get(out, i) + m * (x0 * x0 + x1 * x1 + x2 * x2) + turning);
      row = at(row, BODY_VELOCITIES);
    }
    source += RowSource.LENGTH << 2;
  }
}

/** S, pair by pair of blocks at a node. */
function addProducts(tree: usize, sparse: usize, s: usize): void {
  const y = treeAddress(tree, TreeTable.Y);
  const entries = firstEntry(tree);
  const incidences = sparse + ((<usize>getInteger(sparse, SparseTable.INCIDENCES)) << 2);
  clearSlots(s, getInteger(sparse, SparseTable.BLOCK_SLOTS));
  const count = getInteger(sparse, SparseTable.PAIR_COUNT);
  let pair = sparse + ((<usize>getInteger(sparse, SparseTable.PAIRS)) << 2);
  for (let k = 0; k < count; k++) {
    const left = incidenceAt(incidences, getInteger(pair, SparsePair.LEFT));
    const right = incidenceAt(incidences, getInteger(pair, SparsePair.RIGHT));
    const kind = getInteger(
      entries + ENTRY_BYTES * getInteger(right, SparseIncidence.BODY), NodeEntry.KIND,
    );
    const rows = getInteger(left, SparseIncidence.ROWS);
    const columns = getInteger(right, SparseIncidence.ROWS);
    const a = at(y, getInteger(left, SparseIncidence.SLOT));
    const b = at(y, getInteger(right, SparseIncidence.SLOT));
    const to = at(s, getInteger(pair, SparsePair.SLOT));
    if (kind <= NodeKind.SCREW) addOuter(rows, columns, a, b, to);
    else addProduct(widthOf(kind), rows, columns, a, b, to);
    pair += SparsePair.LENGTH << 2;
  }
}

/** Block += a b^T. */
// @ts-ignore: decorator
@inline
function addOuter(rows: i32, columns: i32, a: usize, b: usize, block: usize): void {
  const ld = padToTwo(rows);
  let column = block;
  for (let j = 0; j < columns; j++) {
    const value = get(b, j);
    for (let i = 0; i < rows; i++) set(column, i, get(column, i) + get(a, i) * value);
    column = at(column, ld);
  }
}
