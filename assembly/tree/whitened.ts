// Forces of a solve in the coordinates in which the factor of a tree is the identity: w = L^-1 u
// with u the DRIVE of a node and D = S^T IA S = L L^T. With Y of tree/rows.ts
//
//   J M^-1 b = Y w(b),   w(J^T lambda) = Y^T lambda,
//
// so corrections by residuals need neither the Jacobian nor the tree: the result is found by one
// pass outwards.

import { SparseIncidence, SparseTable } from "../layout";
import {
  AxisFactor, BallFactor, Node, NodeEntry, NodeKind, RowBlock, TreeTable,
} from "../layout-tree";
import { at, get, getInteger, getPair, set, setPair } from "../math/slots";
import { incidenceAt } from "../sparse/assemble";
import { place } from "./factor";
import { ENTRY_BYTES, firstEntry, treeAddress } from "./vector";

/** w = L^-1 DRIVE. */
export function whitenDrives(tree: usize, w: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  let node = at(treeAddress(tree, TreeTable.NODES), Node.LENGTH);
  for (let i = 1; i < count; i++) {
    const kind = getInteger(entry, NodeEntry.KIND);
    const to = at(w, getInteger(entry, NodeEntry.VELOCITY));
    const factor = at(node, Node.FACTOR), u = at(node, Node.DRIVE);
    if (kind <= NodeKind.SCREW) {
      set(to, 0, get(u, 0) * get(factor, AxisFactor.ROOT));
    } else if (kind == NodeKind.BALL) {
      whitenBall(factor, get(u, 0), get(u, 1), get(u, 2), to);
    } else if (kind == NodeKind.FREE) {
      whitenFree(factor, u, to);
    }
    entry += ENTRY_BYTES;
    node = at(node, Node.LENGTH);
  }
}

/** y = L^-1 n. */
// @ts-ignore: decorator
@inline
export function whitenBall(factor: usize, n0: f64, n1: f64, n2: f64, y: usize): void {
  const white = at(factor, BallFactor.WHITENING);
  set(y, 0, get(white, 0) * n0);
  set(y, 1, get(white, 1) * n0 + get(white, 2) * n1);
  set(y, 2, get(white, 3) * n0 + get(white, 4) * n1 + get(white, 5) * n2);
}

/** y = L^-1 f. */
export function whitenFree(l: usize, f: usize, y: usize): void {
  for (let i = 0; i < 6; i++) {
    let sum = get(f, i);
    for (let k = 0; k < i; k++) sum -= get(l, place(i, k)) * get(y, k);
    set(y, i, sum * get(l, place(i, i)));
  }
}

/** DRIVE = L w. */
export function setDrives(tree: usize, w: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  let node = at(treeAddress(tree, TreeTable.NODES), Node.LENGTH);
  for (let i = 1; i < count; i++) {
    const kind = getInteger(entry, NodeEntry.KIND);
    const from = at(w, getInteger(entry, NodeEntry.VELOCITY));
    const factor = at(node, Node.FACTOR), u = at(node, Node.DRIVE);
    if (kind <= NodeKind.SCREW) {
      set(u, 0, get(from, 0) / get(factor, AxisFactor.ROOT));
    } else if (kind == NodeKind.BALL) {
      const white = at(factor, BallFactor.WHITENING);
      const u0 = get(from, 0) / get(white, 0);
      const u1 = (get(from, 1) - get(white, 1) * u0) / get(white, 2);
      set(u, 0, u0);
      set(u, 1, u1);
      set(u, 2, (get(from, 2) - get(white, 3) * u0 - get(white, 4) * u1) / get(white, 5));
    } else if (kind == NodeKind.FREE) {
      for (let k = 0; k < 6; k++) {
        let sum = get(from, k) / get(factor, place(k, k));
        for (let j = 0; j < k; j++) sum += get(factor, place(k, j)) * get(from, j);
        set(u, k, sum);
      }
    }
    entry += ENTRY_BYTES;
    node = at(node, Node.LENGTH);
  }
}

/** out -= Y w. */
export function subtractRows(tree: usize, w: usize, out: usize): void {
  const sparse = treeAddress(tree, TreeTable.SPARSE_TABLE), y = treeAddress(tree, TreeTable.Y);
  const incidences = sparse + ((<usize>getInteger(sparse, SparseTable.INCIDENCES)) << 2);
  const entries = firstEntry(tree);
  const blocks = getInteger(tree, TreeTable.BLOCK_COUNT);
  let block = tree + ((<usize>getInteger(tree, TreeTable.BLOCK_LIST)) << 2);
  for (let b = 0; b < blocks; b++) {
    const rows = getInteger(block, RowBlock.ROWS);
    const to = at(out, getInteger(block, RowBlock.FIRST_ROW));
    const count = getInteger(block, RowBlock.INCIDENCE_COUNT);
    let incidence = incidenceAt(incidences, getInteger(block, RowBlock.FIRST_INCIDENCE));
    for (let k = 0; k < count; k++) {
      const entry = entries + ENTRY_BYTES * getInteger(incidence, SparseIncidence.BODY);
      const x = at(w, getInteger(entry, NodeEntry.VELOCITY));
      const width = widthOf(getInteger(entry, NodeEntry.KIND));
      let row = at(y, getInteger(incidence, SparseIncidence.SLOT));
      if (width == 1) {
        const value = get(x, 0);
        if (rows == 2) {
          const pair = f64x2.mul(getPair(row, 0), f64x2.splat(value));
          setPair(to, 0, f64x2.sub(getPair(to, 0), pair));
        } else {
          for (let i = 0; i < rows; i++) set(to, i, get(to, i) - get(row, i) * value);
        }
        incidence += SparseIncidence.LENGTH << 2;
        continue;
      }
      for (let i = 0; i < rows; i++) {
        let sum = 0.0;
        for (let c = 0; c < width; c++) sum += get(row, c) * get(x, c);
        set(to, i, get(to, i) - sum);
        row = at(row, width);
      }
      incidence += SparseIncidence.LENGTH << 2;
    }
    block += RowBlock.LENGTH << 2;
  }
}

/** w += Y^T lambda. */
export function addRowForces(tree: usize, lambda: usize, w: usize): void {
  const sparse = treeAddress(tree, TreeTable.SPARSE_TABLE), y = treeAddress(tree, TreeTable.Y);
  const incidences = sparse + ((<usize>getInteger(sparse, SparseTable.INCIDENCES)) << 2);
  const entries = firstEntry(tree);
  const blocks = getInteger(tree, TreeTable.BLOCK_COUNT);
  let block = tree + ((<usize>getInteger(tree, TreeTable.BLOCK_LIST)) << 2);
  for (let b = 0; b < blocks; b++) {
    const rows = getInteger(block, RowBlock.ROWS);
    const from = at(lambda, getInteger(block, RowBlock.FIRST_ROW));
    const count = getInteger(block, RowBlock.INCIDENCE_COUNT);
    let incidence = incidenceAt(incidences, getInteger(block, RowBlock.FIRST_INCIDENCE));
    for (let k = 0; k < count; k++) {
      const entry = entries + ENTRY_BYTES * getInteger(incidence, SparseIncidence.BODY);
      const x = at(w, getInteger(entry, NodeEntry.VELOCITY));
      const width = widthOf(getInteger(entry, NodeEntry.KIND));
      let row = at(y, getInteger(incidence, SparseIncidence.SLOT));
      if (width == 1) {
        let sum = get(x, 0) + get(row, 0) * get(from, 0);
        if (rows == 2) sum += get(row, 1) * get(from, 1);
        else for (let i = 1; i < rows; i++) sum += get(row, i) * get(from, i);
        set(x, 0, sum);
        incidence += SparseIncidence.LENGTH << 2;
        continue;
      }
      for (let i = 0; i < rows; i++) {
        const value = get(from, i);
        for (let c = 0; c < width; c++) set(x, c, get(x, c) + get(row, c) * value);
        row = at(row, width);
      }
      incidence += SparseIncidence.LENGTH << 2;
    }
    block += RowBlock.LENGTH << 2;
  }
}

/** Number of velocities of a node. */
// @ts-ignore: decorator
@inline
export function widthOf(kind: i32): i32 {
  if (kind <= NodeKind.SCREW) return 1;
  if (kind == NodeKind.BALL) return 3;
  return kind == NodeKind.FREE ? 6 : 0;
}
