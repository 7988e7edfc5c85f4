// Rows that remain in tree coordinates: cut joints, couplings, drives, user rows. A
// row is a wrench on the bodies it touches. Carried inwards on their paths to the ground, children
// first,
//
//   y = L^-1 S^T f,   f <- X^T (f - IA S D^-1 S^T f),   D = S^T IA S = L L^T,
//
// it leaves y at each node, and S = J M^-1 J^T is the sum of y y^T over the nodes that two rows
// share. Paths continue to the ground: inboard of the body where both meet, forces of the two ends
// do not cancel, as each has lost a different part in the joints on its path.

import { padToTwo, SparseIncidence, SparsePair, SparseTable, Status } from "../layout";
import { LoopBlock, Rank } from "../layout-bodies";
import {
  AxisFactor, BallFactor, Node, NodeConstant, NodeEntry, NodeKind, RowBlock, TreeTable,
} from "../layout-tree";
import {
  at, clearSlots, get, getInteger, getPair, set, setInteger, setPair, splat,
} from "../math/slots";
import { factorLoops } from "../bodies/factor";
import { addProduct, incidenceAt } from "../sparse/assemble";
import { sparseFactorInPlace } from "../sparse/block-cholesky";
import { addSources, addWrenches, PAIR, setWrenches, startGamma } from "./row-sources";
import { along, cross, dot, ENTRY_BYTES, firstEntry, setSix, treeAddress } from "./vector";
import { whitenBall, whitenFree, widthOf } from "./whitened";

/**
 * Factors S of the rows at the Jacobian of bodies and the factor of the tree in memory. `rank`,
 * `mu`, `tolerance` and the result as in bodyFactor; pivots are relative to S_jj if all
 * bodies were free: rows that vanish at a pose of the tree are small relative to that, not relative
 * to themselves.
 */
export function treeRowFactor(tree: usize, rank: i32, mu: f64, tolerance: f64): i32 {
  return factorRows(tree, rank, mu, tolerance, 0);
}

/**
 * {@link treeRowFactor} and gamma of the coordinates (treeGamma of tree/row-solve.ts). Rates are up
 * to date.
 */
export function treeRowFactorGamma(
  tree: usize, rank: i32, mu: f64, tolerance: f64, gamma: usize,
): i32 {
  return factorRows(tree, rank, mu, tolerance, gamma);
}

// @ts-ignore: decorator
@inline
function factorRows(tree: usize, rank: i32, mu: f64, tolerance: f64, gamma: usize): i32 {
  const sparse = treeAddress(tree, TreeTable.SPARSE_TABLE);
  const factor = treeAddress(tree, TreeTable.SPARSE_FACTOR);
  const pivots = treeAddress(tree, TreeTable.SPARSE_PIVOTS);
  const blocks = getInteger(tree, TreeTable.BLOCK_COUNT);
  let block = tree + ((<usize>getInteger(tree, TreeTable.BLOCK_LIST)) << 2);
  for (let k = 0; k < blocks; k++) {
    const first = getInteger(block, RowBlock.FIRST_ROW);
    if (gamma != 0) carryWithGamma(tree, sparse, block, at(pivots, first), at(gamma, first));
    else carryInwards(tree, sparse, block, at(pivots, first));
    block += RowBlock.LENGTH << 2;
  }
  addProducts(tree, sparse, factor);
  setInteger(tree, TreeTable.EXACT, 0);
  if (rank != Rank.KNOWN) return sparseFactorInPlace(sparse, tolerance, factor, pivots);
  const loops = treeAddress(tree, TreeTable.LOOP_BLOCKS);
  const scratch = treeAddress(tree, TreeTable.LOOP_SCRATCH);
  const status = factorLoops(sparse, mu, tolerance, factor, pivots, loops, scratch);
  if (status == Status.OK) setInteger(tree, TreeTable.EXACT, isExact(tree) ? 1 : 0);
  return status;
}

/**
 * Whether a solve leaves only rounding, below CORRECTION_LIMIT of itself, as corrections of
 * row-solve.ts define it: nothing significant was added to S, and no pivot is so small relative
 * to S_jj that the rounding of S, 2^-53, exceeds this bound relative to it.
 */
function isExact(tree: usize): bool {
  const rows = getInteger(tree, TreeTable.ROW_COUNT);
  const pivots = treeAddress(tree, TreeTable.SPARSE_PIVOTS);
  for (let i = 0; i < rows; i++) if (!(get(pivots, i) * CORRECTION_LIMIT > EPSILON)) return false;
  const blocks = getInteger(tree, TreeTable.BLOCK_COUNT);
  let loop = treeAddress(tree, TreeTable.LOOP_BLOCKS);
  for (let k = 0; k < blocks; k++) {
    const closes = get(loop, LoopBlock.DEPENDENT) >= 0.0;
    if (closes && !(get(loop, LoopBlock.ADDED) < EPSILON)) return false;
    loop = at(loop, LoopBlock.LENGTH);
  }
  return true;
}

const EPSILON: f64 = 0.5 * f64.EPSILON;
/** A correction of a solve below this fraction of the first one is rounding. */
export const CORRECTION_LIMIT: f64 = 1e-14;

/** Y of a block. */
function carryInwards(tree: usize, sparse: usize, block: usize, free: usize): void {
  carry(tree, sparse, block, free, 0);
}

/** {@link carryInwards} and gamma of its rows. */
function carryWithGamma(
  tree: usize, sparse: usize, block: usize, free: usize, gamma: usize,
): void {
  carry(tree, sparse, block, free, gamma);
}

// @ts-ignore: decorator
@inline
function carry(tree: usize, sparse: usize, block: usize, free: usize, gamma: usize): void {
  const rows = getInteger(block, RowBlock.ROWS);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const wrenches = treeAddress(tree, TreeTable.WRENCHES);
  const slots = getInteger(tree, TreeTable.WRENCH_SLOTS);
  const y = treeAddress(tree, TreeTable.Y);
  const incidences = sparse + ((<usize>getInteger(sparse, SparseTable.INCIDENCES)) << 2);
  const count = getInteger(block, RowBlock.INCIDENCE_COUNT);
  const first = incidenceAt(incidences, getInteger(block, RowBlock.FIRST_INCIDENCE));
  let incidence = first;
  for (let k = 0; k < count; k++) {
    clearPairs(at(wrenches, slots * getInteger(incidence, SparseIncidence.BODY)), rows);
    incidence += SparseIncidence.LENGTH << 2;
  }
  if (gamma != 0) startGamma(tree, block, gamma);
  addSources(tree, block, wrenches, slots, free, gamma);
  const entries = firstEntry(tree);
  incidence = first;
  for (let k = 0; k < count; k++) {
    const number = getInteger(incidence, SparseIncidence.BODY);
    const entry = entries + ENTRY_BYTES * number;
    const parent = getInteger(entry, NodeEntry.PARENT);
    const kind = getInteger(entry, NodeEntry.KIND);
    const from = at(wrenches, slots * number), node = at(nodes, Node.LENGTH * number);
    const own = at(y, getInteger(incidence, SparseIncidence.SLOT));
    const to = parent == 0 ? <usize>0 : at(wrenches, slots * parent);
    if (kind == NodeKind.HINGE) {
      carryAxis(1.0, 0.0, rows, node, from, own, to);
    } else if (kind <= NodeKind.SCREW) {
      const pitch = get(at(constants, NodeConstant.LENGTH * number), NodeConstant.PITCH);
      if (kind == NodeKind.SLIDE) carryAxis(0.0, 1.0, rows, node, from, own, to);
      else carryAxis(1.0, pitch, rows, node, from, own, to);
    } else {
      carryOther(kind, rows, node, from, own, to);
    }
    incidence += SparseIncidence.LENGTH << 2;
  }
}

/** Clears the wrenches of a node. By stores: memory.fill of so few slots costs a call. */
// @ts-ignore: decorator
@inline
function clearPairs(wrenches: usize, rows: i32): void {
  const zero = f64x2.splat(0.0);
  let to = wrenches;
  for (let i = 0; i < rows; i += 2) {
    setWrenches(to, zero, zero, zero, zero, zero, zero);
    to = at(to, PAIR);
  }
}

/**
 * y of the rows at a node with one axis, S = (angular z, linear z), and the contribution to the
 * wrenches of its parent.
 */
// @ts-ignore: decorator
@inline
function carryAxis(
  angular: f64, linear: f64, rows: i32, node: usize, wrenches: usize, y: usize, parent: usize,
): void {
  const share = at(node, Node.FACTOR + AxisFactor.SHARE);
  const root = splat(node, Node.FACTOR + AxisFactor.ROOT);
  const z0 = splat(node, 6), z1 = splat(node, 7), z2 = splat(node, 8);
  let from = wrenches, to = parent;
  for (let i = 0; i < rows; i += 2) {
    const n0 = getPair(from, 0), n1 = getPair(from, 2), n2 = getPair(from, 4);
    const f0 = getPair(from, 6), f1 = getPair(from, 8), f2 = getPair(from, 10);
    let s = f64x2.splat(0.0);
    if (angular != 0.0) s = dot(z0, n0, z1, n1, z2, n2);
    if (linear != 0.0) {
      s = f64x2.add(s, f64x2.mul(f64x2.splat(linear), dot(z0, f0, z1, f1, z2, f2)));
    }
    const own = f64x2.mul(root, s);
    if (i + 1 < rows) setPair(y, i, own);
    else set(y, i, f64x2.extract_lane(own, 0));
    if (parent != 0) {
      const r0 = splat(node, Node.ARM), r1 = splat(node, Node.ARM + 1);
      const r2 = splat(node, Node.ARM + 2);
      addWrenches(
        to,
        less(f64x2.add(n0, cross(r1, f2, r2, f1)), s, share, 0),
        less(f64x2.add(n1, cross(r2, f0, r0, f2)), s, share, 1),
        less(f64x2.add(n2, cross(r0, f1, r1, f0)), s, share, 2),
        less(f0, s, share, 3), less(f1, s, share, 4), less(f2, s, share, 5),
      );
      to = at(to, PAIR);
    }
    from = at(from, PAIR);
  }
}

/** x - s times a component of SHARE. */
// @ts-ignore: decorator
@inline
function less(x: v128, s: v128, share: usize, slot: i32): v128 {
  return f64x2.sub(x, f64x2.mul(s, splat(share, slot)));
}

/** {@link carryAxis} at balls, free and fixed nodes, row by row. */
function carryOther(
  kind: i32, rows: i32, node: usize, wrenches: usize, y: usize, parent: usize,
): void {
  const factor = at(node, Node.FACTOR);
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  for (let i = 0; i < rows; i++) {
    const place = PAIR * (i >> 1) + (i & 1);
    const from = at(wrenches, place);
    let n0 = get(from, 0), n1 = get(from, 2), n2 = get(from, 4);
    let f0 = get(from, 6), f1 = get(from, 8), f2 = get(from, 10);
    if (kind == NodeKind.BALL) {
      const gain = at(factor, BallFactor.GAIN);
      whitenBall(factor, n0, n1, n2, at(y, 3 * i));
      f0 -= along(gain, 0, n0, n1, n2);
      f1 -= along(gain, 1, n0, n1, n2);
      f2 -= along(gain, 2, n0, n1, n2);
      n0 = 0.0;
      n1 = 0.0;
      n2 = 0.0;
    } else if (kind == NodeKind.FREE) {
      setSix(at(y, 6 * i), n0, n1, n2, f0, f1, f2);
      whitenFree(factor, at(y, 6 * i), at(y, 6 * i));
    }
    if (parent == 0) continue;
    const to = at(parent, place);
    set(to, 0, get(to, 0) + (n0 + (r1 * f2 - r2 * f1)));
    set(to, 2, get(to, 2) + (n1 + (r2 * f0 - r0 * f2)));
    set(to, 4, get(to, 4) + (n2 + (r0 * f1 - r1 * f0)));
    set(to, 6, get(to, 6) + f0);
    set(to, 8, get(to, 8) + f1);
    set(to, 10, get(to, 10) + f2);
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
  if (rows == 2) {
    const pair = getPair(a, 0);
    if (columns == 2) {
      setPair(block, 0, f64x2.add(getPair(block, 0), f64x2.mul(pair, splat(b, 0))));
      setPair(block, 2, f64x2.add(getPair(block, 2), f64x2.mul(pair, splat(b, 1))));
      return;
    }
    for (let j = 0; j < columns; j++) {
      setPair(block, 2 * j, f64x2.add(getPair(block, 2 * j), f64x2.mul(pair, splat(b, j))));
    }
    return;
  }
  const ld = padToTwo(rows);
  let column = block;
  for (let j = 0; j < columns; j++) {
    const value = get(b, j);
    for (let i = 0; i < rows; i++) set(column, i, get(column, i) + get(a, i) * value);
    column = at(column, ld);
  }
}
