// Derivatives of forces on bodies, as forces on nodes. Body k feels (F, T), F in the world and T
// in the axes of the body. With K and D its derivatives by the displacement and the velocity of
// body l (derivatives/forces.ts), u the velocity of a centre of mass, and xi, V^ the motions of
// tree/derivatives/columns.ts at the centre of mass, where du = (V^_linear + xi_angular x u,
// V^_angular), forces change in the body frame by
//
//   d(F, T) - (xi_angular x F, 0) = K xi + D (V^ + (xi_angular x u, 0)) - (xi_angular x F, 0).
//
// Inertia takes m u' and I w' in the axes of the body. From A = (w', u' - w x u) and P = A^ + V x
// V^,
//
//   d(u') - xi_angular x u' = P_linear + 2 V^_angular x u,    d(w') = P_angular - w x V^_angular,
//
// so that to K belongs -F x for F without gravity and inertia, which turn with the body and cancel
// in Q - M a, and to D the terms m 2 u x and I w x. P meets the inertia of the node: entries.ts.
// The gyroscopic torque is a force of bodies.

import { BodyFrame, BodyMass, BodyTable, BODY_VELOCITIES } from "../../layout-bodies";
import { ForceBlock, NodeColumns, NodeDerivative, TreeDerivatives } from "../../layout-stiff";
import { Node, NodeConstant, NodeEntry, TreeTable } from "../../layout-tree";
import { at, clearSlots, get, getAddress, getInteger, set } from "../../math/slots";
import { addressOf, frameOf } from "../../kinematics/table";
import { addLoad, centre } from "../bodies";
import { widthOf } from "../whitened";
import { along, back, ENTRY_BYTES, firstEntry, setSix, treeAddress } from "../vector";
import {
  addArm, addCarried, addNumbers, addTimesSix, carryColumns, carryForce, carryMotion, carryRows,
  dotSix, timesSix,
} from "./spatial";

/**
 * STIFFNESS, DAMPING and WRENCH of each node alone, and those entries of `stiffness` and
 * `damping` that couple nodes not on one path. `loads` are all forces on bodies, those of rows
 * included; `rest` is these less inertia times acceleration. `bodyStiffness` and `bodyDamping`:
 * matrices of bodies, whose columns are `distance` apart.
 */
export function takeBlocks(
  derivatives: usize, loads: usize, rest: usize, bodyStiffness: usize, bodyDamping: usize,
  distance: i32, stiffness: usize, damping: usize,
): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const scratch = getAddress(derivatives, TreeDerivatives.SCRATCH);
  const records = getAddress(derivatives, TreeDerivatives.RECORDS);
  startNodes(tree, rest, records);
  const count = getInteger(derivatives, TreeDerivatives.BLOCK_COUNT);
  let block = derivatives + ((<usize>getInteger(derivatives, TreeDerivatives.BLOCK_LIST)) << 2);
  const k = scratch, d = at(scratch, 36);
  for (let b = 0; b < count; b++) {
    const slot = getInteger(block, ForceBlock.SLOT);
    const row = getInteger(block, ForceBlock.ROW_BODY);
    const column = getInteger(block, ForceBlock.COLUMN_BODY);
    takeBlock(tree, row, column, distance, at(bodyStiffness, slot), k);
    takeBlock(tree, row, column, distance, at(bodyDamping, slot), d);
    carryBlock(tree, block, loads, k, d);
    const rowNode = getInteger(block, ForceBlock.ROW_NODE);
    const meeting = getInteger(block, ForceBlock.MEETING);
    const record = at(records, NodeDerivative.LENGTH * meeting);
    if (rowNode == getInteger(block, ForceBlock.COLUMN_NODE)) {
      addNumbers(36, k, at(record, NodeDerivative.STIFFNESS));
      addNumbers(36, d, at(record, NodeDerivative.DAMPING));
    } else {
      addAcross(derivatives, block, stiffness, damping);
      if (meeting > 0) {
        addAtMeeting(tree, block, k, at(scratch, 72), at(record, NodeDerivative.STIFFNESS));
        addAtMeeting(tree, block, d, at(scratch, 72), at(record, NodeDerivative.DAMPING));
      }
    }
    block += ForceBlock.LENGTH << 2;
  }
}

/** Sets WRENCH from the bodies, and clears the other fields. */
export function startNodes(tree: usize, rest: usize, records: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const entries = firstEntry(tree);
  for (let i = 1; i < count; i++) {
    const record = at(records, NodeDerivative.LENGTH * i);
    clearSlots(at(record, NodeDerivative.WRENCH), NodeDerivative.LENGTH - NodeDerivative.WRENCH);
    const body = getInteger(entries + ENTRY_BYTES * i, NodeEntry.BODY);
    if (body < 0) continue;
    addLoad(
      at(constants, NodeConstant.LENGTH * i), at(rest, BODY_VELOCITIES * body),
      at(nodes, Node.LENGTH * i), 1.0, at(record, NodeDerivative.WRENCH),
    );
  }
}

/** A block of bodies in the axes of the world, angular parts first. */
export function takeBlock(
  tree: usize, row: i32, column: i32, distance: i32, from: usize, out: usize,
): void {
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const r = frameOf(table, row), s = frameOf(table, column);
  for (let j = 0; j < 6; j++) {
    const x = at(from, j * distance), to = at(out, 6 * (j < 3 ? j + 3 : j - 3));
    const t0 = get(x, 3), t1 = get(x, 4), t2 = get(x, 5);
    setSix(
      to,
      along(r, 0, t0, t1, t2), along(r, 1, t0, t1, t2), along(r, 2, t0, t1, t2),
      get(x, 0), get(x, 1), get(x, 2),
    );
  }
  for (let i = 0; i < 6; i++) {
    const x0 = get(out, i), x1 = get(out, 6 + i), x2 = get(out, 12 + i);
    for (let a = 0; a < 3; a++) set(out, 6 * a + i, along(s, a, x0, x1, x2));
  }
}

/** K and D of a block at the points of its nodes, with the terms of rotation and inertia. */
export function carryBlock(tree: usize, block: usize, loads: usize, k: usize, d: usize): void {
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const rowNode = getInteger(block, ForceBlock.ROW_NODE);
  const columnNode = getInteger(block, ForceBlock.COLUMN_NODE);
  const body = getInteger(block, ForceBlock.ROW_BODY);
  const u = at(frameOf(table, getInteger(block, ForceBlock.COLUMN_BODY)), BodyFrame.VELOCITY);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constant = at(constants, NodeConstant.LENGTH * columnNode);
  const node = at(nodes, Node.LENGTH * columnNode);
  const c0 = centre(constant, node, 0), c1 = centre(constant, node, 1);
  const c2 = centre(constant, node, 2);
  carryColumns(k, c0, c1, c2);
  carryColumns(d, c0, c1, c2);
  addArm(k, at(d, 18), get(u, 0), get(u, 1), get(u, 2));
  if (rowNode == columnNode) addInertial(table, body, at(loads, BODY_VELOCITIES * body), k, d);
  const arm = at(d, 36);
  const other = at(constants, NodeConstant.LENGTH * rowNode);
  const rowFrame = at(nodes, Node.LENGTH * rowNode);
  for (let i = 0; i < 3; i++) set(arm, i, centre(other, rowFrame, i));
  carryRows(k, arm);
  carryRows(d, arm);
}

/** -F x in K; -2 m u x and I w x in D. */
function addInertial(table: usize, body: i32, load: usize, k: usize, d: usize): void {
  const mass = at(addressOf(table, BodyTable.MASSES), BodyMass.LENGTH * body);
  const frame = frameOf(table, body), m = get(mass, BodyMass.MASS);
  const u = at(frame, BodyFrame.VELOCITY), w = at(frame, BodyFrame.OMEGA);
  const g = at(mass, BodyMass.GRAVITY), inertia = at(mass, BodyMass.INERTIA);
  for (let a = 0; a < 3; a++) {
    const b = (a + 1) % 3, c = (a + 2) % 3;
    const column = at(k, 6 * a), rate = at(d, 6 * a);
    // e_a x f has -f_c at b, and f_b at c.
    const fb = get(load, b) - m * get(g, b), fc = get(load, c) - m * get(g, c);
    set(column, 3 + b, get(column, 3 + b) + fc);
    set(column, 3 + c, get(column, 3 + c) - fb);
    set(rate, 3 + b, get(rate, 3 + b) + 2.0 * m * get(u, c));
    set(rate, 3 + c, get(rate, 3 + c) - 2.0 * m * get(u, b));
    // w x e_a has w_c at b, and -w_b at c; in the axes of the body.
    const wb = get(w, c), wc = -get(w, b);
    const x0 = get(frame, b) * wb + get(frame, c) * wc;
    const x1 = get(frame, 3 + b) * wb + get(frame, 3 + c) * wc;
    const x2 = get(frame, 6 + b) * wb + get(frame, 6 + c) * wc;
    const y0 = back(inertia, 0, x0, x1, x2), y1 = back(inertia, 1, x0, x1, x2);
    const y2 = back(inertia, 2, x0, x1, x2);
    for (let i = 0; i < 3; i++) set(rate, i, get(rate, i) + along(frame, i, y0, y1, y2));
  }
}

/**
 * Adds a block at the node where both paths meet: all nodes from there inwards move both bodies
 * alike.
 */
function addAtMeeting(
  tree: usize, block: usize, matrix: usize, arm: usize, out: usize,
): void {
  const meeting = getInteger(block, ForceBlock.MEETING);
  setArm(tree, meeting, getInteger(block, ForceBlock.COLUMN_NODE), arm);
  carryColumns(matrix, get(arm, 0), get(arm, 1), get(arm, 2));
  setArm(tree, meeting, getInteger(block, ForceBlock.ROW_NODE), arm);
  carryRows(matrix, arm);
  addNumbers(36, matrix, out);
}

/** The arm from the point of one node to that of another. */
// @ts-ignore: decorator
@inline
function setArm(tree: usize, from: i32, to: i32, arm: usize): void {
  const nodes = treeAddress(tree, TreeTable.NODES);
  const first = at(nodes, Node.LENGTH * from + Node.POINT);
  const last = at(nodes, Node.LENGTH * to + Node.POINT);
  for (let i = 0; i < 3; i++) set(arm, i, get(last, i) - get(first, i));
}

/**
 * S_i . (K S_j + D psi'_j) and S_i . D S_j for a node i towards the body that feels the force and
 * a node j towards the other one, unless both lie inwards of where the paths meet. PLACES: for each
 * j, children first, one for each such i.
 */
function addAcross(derivatives: usize, block: usize, stiffness: usize, damping: usize): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const nodes = treeAddress(tree, TreeTable.NODES), entries = firstEntry(tree);
  const columns = getAddress(derivatives, TreeDerivatives.COLUMNS);
  const k = getAddress(derivatives, TreeDerivatives.SCRATCH), d = at(k, 36);
  const axis = at(k, 72), rate = at(k, 78), pull = at(k, 84), drag = at(k, 90), arm = at(k, 96);
  const meeting = getInteger(block, ForceBlock.MEETING);
  const first = getInteger(block, ForceBlock.ROW_NODE);
  const last = getInteger(block, ForceBlock.COLUMN_NODE);
  let places = derivatives + ((<usize>getInteger(block, ForceBlock.PLACES)) << 2);
  let end = 0;
  for (let j = last; j > 0; j = parentOf(entries, j)) {
    if (j == meeting) end = meeting;
    const entry = entries + ENTRY_BYTES * j;
    const width = widthOf(getInteger(entry, NodeEntry.KIND));
    let column = at(columns, NodeColumns.LENGTH * getInteger(entry, NodeEntry.VELOCITY));
    setArm(tree, j, last, arm);
    let next = places;
    for (let i = first; i != end; i = parentOf(entries, i)) next += 4;
    for (let b = 0; b < width; b++) {
      carryMotion(arm, column, axis);
      carryMotion(arm, at(column, NodeColumns.RATE), rate);
      timesSix(k, axis, pull);
      addTimesSix(d, rate, pull);
      timesSix(d, axis, drag);
      let place = places;
      for (let i = first; i != end; i = parentOf(entries, i)) {
        const other = entries + ENTRY_BYTES * i;
        const height = widthOf(getInteger(other, NodeEntry.KIND));
        let row = at(columns, NodeColumns.LENGTH * getInteger(other, NodeEntry.VELOCITY));
        let slot = getInteger(place, 0) + b;
        for (let a = 0; a < height; a++) {
          set(stiffness, slot, get(stiffness, slot) + dotSix(row, pull));
          set(damping, slot, get(damping, slot) + dotSix(row, drag));
          slot += width;
          row = at(row, NodeColumns.LENGTH);
        }
        const inwards = at(nodes, Node.LENGTH * i + Node.ARM);
        carryForce(inwards, pull);
        carryForce(inwards, drag);
        place += 4;
      }
      column = at(column, NodeColumns.LENGTH);
    }
    places = next;
  }
}

// @ts-ignore: decorator
@inline
function parentOf(entries: usize, node: i32): i32 {
  return getInteger(entries + ENTRY_BYTES * node, NodeEntry.PARENT);
}

/** Adds the forces of a node and those outboard of it to its parent. `copy`: 36 slots. */
export function handInwards(record: usize, arm: usize, copy: usize, parent: usize): void {
  for (let i = 0; i < 36; i++) set(copy, i, get(record, NodeDerivative.STIFFNESS + i));
  addCarried(copy, arm, at(parent, NodeDerivative.STIFFNESS));
  for (let i = 0; i < 36; i++) set(copy, i, get(record, NodeDerivative.DAMPING + i));
  addCarried(copy, arm, at(parent, NodeDerivative.DAMPING));
  for (let i = 0; i < 6; i++) set(copy, i, get(record, NodeDerivative.WRENCH + i));
  carryForce(arm, copy);
  addNumbers(6, copy, at(parent, NodeDerivative.WRENCH));
}
