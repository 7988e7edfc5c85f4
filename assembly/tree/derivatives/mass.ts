// The mass matrix of a tree by composite rigid bodies (Featherstone 2008, section 6.2): with I^C
// the inertia of a node and all nodes outboard of it,
//
//   M_ij = S_i . I^C_i S_j    for j on the path from i to the ground,
//
// and zero for nodes on different branches. M is stored node by node, row-major: the block of the
// node with itself, then those with the nodes on its path to the ground; no index is needed to walk
// along.

import { NodeColumns, NodeDerivative, TreeDerivatives } from "../../layout-stiff";
import { Node, NodeConstant, NodeEntry, TreeTable } from "../../layout-tree";
import { at, clearSlots, get, getAddress, getInteger, set } from "../../math/slots";
import { setThree } from "../../kinematics/vector";
import { widthOf } from "../whitened";
import { addSix, along, ENTRY_BYTES, firstEntry, setSix, symmetric, treeAddress } from "../vector";
import { carryForce, dotSix } from "./spatial";

/** Computes M at the poses in memory, and inertias of the records. Call after treeAxes. */
export function treeMass(derivatives: usize, mass: usize): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const columns = getAddress(derivatives, TreeDerivatives.COLUMNS);
  const records = getAddress(derivatives, TreeDerivatives.RECORDS);
  const scratch = getAddress(derivatives, TreeDerivatives.SCRATCH);
  const entries = firstEntry(tree);
  composeInertias(tree, records);
  let to = mass;
  for (let i = 1; i < count; i++) {
    const entry = entries + ENTRY_BYTES * i;
    const width = widthOf(getInteger(entry, NodeEntry.KIND));
    const own = at(columns, NodeColumns.LENGTH * getInteger(entry, NodeEntry.VELOCITY));
    for (let a = 0; a < width; a++) {
      inertiaTimes(
        at(records, NodeDerivative.LENGTH * i), at(own, NodeColumns.LENGTH * a), at(scratch, 6 * a),
      );
    }
    let ancestor = i;
    while (ancestor > 0) {
      const other = entries + ENTRY_BYTES * ancestor;
      const size = widthOf(getInteger(other, NodeEntry.KIND));
      const first = at(columns, NodeColumns.LENGTH * getInteger(other, NodeEntry.VELOCITY));
      const arm = at(nodes, Node.LENGTH * ancestor + Node.ARM);
      for (let a = 0; a < width; a++) {
        const force = at(scratch, 6 * a);
        for (let b = 0; b < size; b++) set(to, b, dotSix(at(first, NodeColumns.LENGTH * b), force));
        to = at(to, size);
        carryForce(arm, force);
      }
      ancestor = getInteger(other, NodeEntry.PARENT);
    }
  }
}

/** Inertias of all nodes, each alone. */
export function setInertias(tree: usize, records: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const entries = firstEntry(tree);
  for (let i = 1; i < count; i++) {
    const record = at(records, NodeDerivative.LENGTH * i);
    if (getInteger(entries + ENTRY_BYTES * i, NodeEntry.BODY) < 0) {
      clearSlots(record, NodeDerivative.ACCELERATION);
      continue;
    }
    const constant = at(constants, NodeConstant.LENGTH * i), node = at(nodes, Node.LENGTH * i);
    const m0 = get(constant, NodeConstant.MOMENT), m1 = get(constant, NodeConstant.MOMENT + 1);
    const m2 = get(constant, NodeConstant.MOMENT + 2);
    set(record, NodeDerivative.MASS, get(constant, NodeConstant.MASS));
    setThree(
      at(record, NodeDerivative.MOMENT),
      along(node, 0, m0, m1, m2), along(node, 1, m0, m1, m2), along(node, 2, m0, m1, m2),
    );
    turnInertia(constant, node, at(record, NodeDerivative.INERTIA));
  }
}

/** I^C of all nodes. */
function composeInertias(tree: usize, records: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES), entries = firstEntry(tree);
  setInertias(tree, records);
  for (let i = count - 1; i > 0; i--) {
    const parent = getInteger(entries + ENTRY_BYTES * i, NodeEntry.PARENT);
    if (parent == 0) continue;
    addInertia(
      at(records, NodeDerivative.LENGTH * i), at(nodes, Node.LENGTH * i + Node.ARM),
      at(records, NodeDerivative.LENGTH * parent),
    );
  }
}

/**
 * Adds an inertia to that of the parent, whose point is at the arm -r: m, h + m r, and Steiner's
 * theorem twice.
 */
// @ts-ignore: decorator
@inline
function addInertia(record: usize, r: usize, parent: usize): void {
  const m = get(record, NodeDerivative.MASS);
  const r0 = get(r, 0), r1 = get(r, 1), r2 = get(r, 2);
  const h0 = get(record, NodeDerivative.MOMENT), h1 = get(record, NodeDerivative.MOMENT + 1);
  const h2 = get(record, NodeDerivative.MOMENT + 2);
  set(parent, NodeDerivative.MASS, get(parent, NodeDerivative.MASS) + m);
  const moment = at(parent, NodeDerivative.MOMENT);
  setThree(
    moment,
    get(moment, 0) + h0 + m * r0, get(moment, 1) + h1 + m * r1, get(moment, 2) + h2 + m * r2,
  );
  // r (2 h + m r), symmetric parts: with k = h + m r / 2 it is r k^T + k r^T.
  const k0 = h0 + 0.5 * m * r0, k1 = h1 + 0.5 * m * r1, k2 = h2 + 0.5 * m * r2;
  const xx = 2.0 * r0 * k0, yy = 2.0 * r1 * k1, zz = 2.0 * r2 * k2;
  const own = at(record, NodeDerivative.INERTIA);
  addSix(
    at(parent, NodeDerivative.INERTIA),
    get(own, 0) + (yy + zz), get(own, 1) - (r0 * k1 + k0 * r1), get(own, 2) - (r0 * k2 + k0 * r2),
    get(own, 3) + (xx + zz), get(own, 4) - (r1 * k2 + k1 * r2), get(own, 5) + (xx + yy),
  );
}

/** out = I^C x: n = I s + h x t, f = m t - h x s. */
// @ts-ignore: decorator
@inline
export function inertiaTimes(record: usize, x: usize, out: usize): void {
  const inertia = at(record, NodeDerivative.INERTIA), m = get(record, NodeDerivative.MASS);
  const h0 = get(record, NodeDerivative.MOMENT), h1 = get(record, NodeDerivative.MOMENT + 1);
  const h2 = get(record, NodeDerivative.MOMENT + 2);
  const s0 = get(x, 0), s1 = get(x, 1), s2 = get(x, 2);
  const t0 = get(x, 3), t1 = get(x, 4), t2 = get(x, 5);
  setSix(
    out,
    symmetric(inertia, 0, s0, s1, s2) + (h1 * t2 - h2 * t1),
    symmetric(inertia, 1, s0, s1, s2) + (h2 * t0 - h0 * t2),
    symmetric(inertia, 2, s0, s1, s2) + (h0 * t1 - h1 * t0),
    m * t0 - (h1 * s2 - h2 * s1), m * t1 - (h2 * s0 - h0 * s2), m * t2 - (h0 * s1 - h1 * s0),
  );
}

/** out = R I R^T of the node's own body, about its point: xx, xy, xz, yy, yz, zz. */
// @ts-ignore: decorator
@inline
function turnInertia(constant: usize, node: usize, out: usize): void {
  const inertia = at(constant, NodeConstant.INERTIA);
  const xx = get(inertia, 0), xy = get(inertia, 1), xz = get(inertia, 2);
  const yy = get(inertia, 3), yz = get(inertia, 4), zz = get(inertia, 5);
  const r0 = get(node, 0), r1 = get(node, 1), r2 = get(node, 2);
  const r3 = get(node, 3), r4 = get(node, 4), r5 = get(node, 5);
  const r6 = get(node, 6), r7 = get(node, 7), r8 = get(node, 8);
  // Rows of R I.
  const a0 = r0 * xx + r3 * xy + r6 * xz, b0 = r0 * xy + r3 * yy + r6 * yz;
  const c0 = r0 * xz + r3 * yz + r6 * zz;
  const a1 = r1 * xx + r4 * xy + r7 * xz, b1 = r1 * xy + r4 * yy + r7 * yz;
  const c1 = r1 * xz + r4 * yz + r7 * zz;
  const a2 = r2 * xx + r5 * xy + r8 * xz, b2 = r2 * xy + r5 * yy + r8 * yz;
  const c2 = r2 * xz + r5 * yz + r8 * zz;
  setSix(
    out,
    a0 * r0 + b0 * r3 + c0 * r6, a0 * r1 + b0 * r4 + c0 * r7, a0 * r2 + b0 * r5 + c0 * r8,
    a1 * r1 + b1 * r4 + c1 * r7, a1 * r2 + b1 * r5 + c1 * r8, a2 * r2 + b2 * r5 + c2 * r8,
  );
}
