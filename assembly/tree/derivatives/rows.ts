// Derivatives of rows (cut joints, couplings, drives, user rows) by the coordinates of a tree. On
// bodies, with u their velocities and u' their accelerations, a row has J, and derivatives r =
// d(phiDot)/dx, b = d(gamma - J u')/dx and y = dgamma/du by displacements and velocities of bodies
// (derivatives/rows.ts). By the motions of tree/derivatives/columns.ts and blocks.ts it changes by
//
//   d(phiDot)        = r . xi + J . (V^ + (xi_angular x u, 0))
//   d(gamma - J u')  = b . xi + y . (V^ + (xi_angular x u, 0))
//                      - J . (P_linear + 2 V^_angular x u + xi_angular x u', P_angular - w x
// V^_angular)
//
// at the centre of mass. A row is a force on its bodies: carried inwards, it meets the columns of
// all nodes on its path. u' is that of a frame that falls with gravity: xi x g does not belong to
// it, as g does not turn.
//
// Rows that depend only on relative poses do not change when all their bodies move alike:
// their paths end where they meet (END). The omitted sums would be zero up to rounding.

import { BodyFrame, BodyMass, BodyTable, BODY_VELOCITIES } from "../../layout-bodies";
import { NodeColumns, PathSource, TreeDerivatives } from "../../layout-stiff";
import { Node, NodeConstant, NodeEntry, TreeTable } from "../../layout-tree";
import { at, clearSlots, get, getAddress, getInteger, set } from "../../math/slots";
import { addressOf, frameOf } from "../../kinematics/table";
import { addLoad } from "../bodies";
import { widthOf } from "../whitened";
import { addSix, along, ENTRY_BYTES, firstEntry, setSix, treeAddress } from "../vector";
import { carryForce, dotSix } from "./spatial";

/** out = J of the tree, from that of bodies in memory. Poses and axes (treeAxes) are up to date. */
export function treeJacobian(derivatives: usize, out: usize): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const jacobian = addressOf(treeAddress(tree, TreeTable.BODY_TABLE), BodyTable.JACOBIAN);
  clearSlots(out, getInteger(derivatives, TreeDerivatives.JACOBIAN_SLOTS));
  const count = getInteger(derivatives, TreeDerivatives.SOURCE_COUNT);
  const force = getAddress(derivatives, TreeDerivatives.SCRATCH);
  for (let k = 0; k < count; k++) {
    const source = sourceAt(derivatives, k), rows = getInteger(source, PathSource.ROWS);
    const number = getInteger(source, PathSource.NODE);
    const constant = at(treeAddress(tree, TreeTable.CONSTANTS), NodeConstant.LENGTH * number);
    const node = at(treeAddress(tree, TreeTable.NODES), Node.LENGTH * number);
    const width = getInteger(source, PathSource.WIDTH);
    let row = at(jacobian, getInteger(source, PathSource.SLOT));
    for (let i = 0; i < rows; i++) {
      setSix(force, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
      addLoad(constant, row, node, 1.0, force);
      addAlongPath(derivatives, source, force, at(out, i * width));
      row = at(row, BODY_VELOCITIES);
    }
  }
}

// @ts-ignore: decorator
@inline
function sourceAt(derivatives: usize, index: i32): usize {
  const list = getInteger(derivatives, TreeDerivatives.SOURCE_LIST);
  return derivatives + ((<usize>(list + PathSource.LENGTH * index)) << 2);
}

/** out += force . S along the path inwards. */
function addAlongPath(derivatives: usize, source: usize, force: usize, out: usize): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const nodes = treeAddress(tree, TreeTable.NODES), entries = firstEntry(tree);
  const columns = getAddress(derivatives, TreeDerivatives.COLUMNS);
  const end = getInteger(source, PathSource.END);
  let places = derivatives + ((<usize>getInteger(source, PathSource.PLACES)) << 2);
  let node = getInteger(source, PathSource.NODE);
  while (node != end) {
    const entry = entries + ENTRY_BYTES * node;
    const width = widthOf(getInteger(entry, NodeEntry.KIND));
    let column = at(columns, NodeColumns.LENGTH * getInteger(entry, NodeEntry.VELOCITY));
    const to = at(out, getInteger(places, 0));
    for (let b = 0; b < width; b++) {
      set(to, b, get(to, b) + dotSix(column, force));
      column = at(column, NodeColumns.LENGTH);
    }
    carryForce(at(nodes, Node.LENGTH * node + Node.ARM), force);
    node = getInteger(entry, NodeEntry.PARENT);
    places += 4;
  }
}

/**
 * rate = d(phiDot)/dx, bias = d(gamma - J a)/dx, gyro = dgamma/dv of the tree, in the layout of
 * its Jacobian, from those of bodies. `a`: accelerations of the bodies. treeColumns has been
 * called.
 */
export function treeRowDerivatives(
  derivatives: usize, a: usize, bodyRate: usize, bodyBias: usize, bodyGyro: usize, rate: usize,
  bias: usize, gyro: usize,
): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const jacobian = addressOf(treeAddress(tree, TreeTable.BODY_TABLE), BodyTable.JACOBIAN);
  const slots = getInteger(derivatives, TreeDerivatives.JACOBIAN_SLOTS);
  clearSlots(rate, slots);
  clearSlots(bias, slots);
  clearSlots(gyro, slots);
  const count = getInteger(derivatives, TreeDerivatives.SOURCE_COUNT);
  for (let k = 0; k < count; k++) {
    const source = sourceAt(derivatives, k), rows = getInteger(source, PathSource.ROWS);
    const width = getInteger(source, PathSource.WIDTH);
    let slot = getInteger(source, PathSource.SLOT);
    for (let i = 0; i < rows; i++) {
      setRowForces(
        derivatives, source, a, at(jacobian, slot), at(bodyRate, slot), at(bodyBias, slot),
        at(bodyGyro, slot),
      );
      addRow(derivatives, source, at(rate, i * width), at(bias, i * width), at(gyro, i * width));
      slot += BODY_VELOCITIES;
    }
  }
}

/**
 * Forces of a row, in the scratch of the table: the factors of xi in phiDot and in gamma, of V^ in
 * gamma, of V^ and -P.
 */
enum RowForce {
  RATE = 0,
  BIAS = 6,
  GYRO = 12,
  JACOBIAN = 18,
  END = 24,
}

function setRowForces(
  derivatives: usize, source: usize, a: usize, jacobian: usize, rate: usize, bias: usize,
  gyro: usize,
): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const forces = getAddress(derivatives, TreeDerivatives.SCRATCH);
  const number = getInteger(source, PathSource.NODE), body = getInteger(source, PathSource.BODY);
  const constant = at(treeAddress(tree, TreeTable.CONSTANTS), NodeConstant.LENGTH * number);
  const node = at(treeAddress(tree, TreeTable.NODES), Node.LENGTH * number);
  const frame = frameOf(table, body);
  const mass = at(addressOf(table, BodyTable.MASSES), BodyMass.LENGTH * body);
  clearSlots(forces, RowForce.END);
  addLoad(constant, rate, node, 1.0, at(forces, RowForce.RATE));
  addLoad(constant, bias, node, 1.0, at(forces, RowForce.BIAS));
  addLoad(constant, gyro, node, 1.0, at(forces, RowForce.GYRO));
  addLoad(constant, jacobian, node, 1.0, at(forces, RowForce.JACOBIAN));
  const u = at(frame, BodyFrame.VELOCITY), w = at(frame, BodyFrame.OMEGA);
  const u0 = get(u, 0), u1 = get(u, 1), u2 = get(u, 2);
  // J . (xi x u) = xi . (u x J).
  addTorque(1.0, u0, u1, u2, jacobian, at(forces, RowForce.RATE));
  addTorque(1.0, u0, u1, u2, gyro, at(forces, RowForce.BIAS));
  addTorque(-2.0, u0, u1, u2, jacobian, at(forces, RowForce.GYRO));
  const g = at(mass, BodyMass.GRAVITY), acceleration = at(a, BODY_VELOCITIES * body);
  addTorque(
    -1.0, get(acceleration, 0) - get(g, 0), get(acceleration, 1) - get(g, 1),
    get(acceleration, 2) - get(g, 2), jacobian, at(forces, RowForce.BIAS),
  );
  // J_angular . (w x V^) = V^ . (J_angular x w), in the world.
  const t0 = get(jacobian, 3), t1 = get(jacobian, 4), t2 = get(jacobian, 5);
  const n0 = along(frame, 0, t0, t1, t2), n1 = along(frame, 1, t0, t1, t2);
  const n2 = along(frame, 2, t0, t1, t2);
  const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  addSix(
    at(forces, RowForce.GYRO),
    n1 * w2 - n2 * w1, n2 * w0 - n0 * w2, n0 * w1 - n1 * w0, 0.0, 0.0, 0.0,
  );
}

/** Torque += scale x times the linear part of a row. */
// @ts-ignore: decorator
@inline
function addTorque(scale: f64, x0: f64, x1: f64, x2: f64, row: usize, out: usize): void {
  const f0 = scale * get(row, 0), f1 = scale * get(row, 1), f2 = scale * get(row, 2);
  addSix(out, x1 * f2 - x2 * f1, x2 * f0 - x0 * f2, x0 * f1 - x1 * f0, 0.0, 0.0, 0.0);
}

function addRow(derivatives: usize, source: usize, rate: usize, bias: usize, gyro: usize): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const nodes = treeAddress(tree, TreeTable.NODES), entries = firstEntry(tree);
  const columns = getAddress(derivatives, TreeDerivatives.COLUMNS);
  const forces = getAddress(derivatives, TreeDerivatives.SCRATCH);
  const jacobian = at(forces, RowForce.JACOBIAN), turning = at(forces, RowForce.GYRO);
  const end = getInteger(source, PathSource.END);
  let places = derivatives + ((<usize>getInteger(source, PathSource.PLACES)) << 2);
  let node = getInteger(source, PathSource.NODE);
  while (node != end) {
    const entry = entries + ENTRY_BYTES * node;
    const width = widthOf(getInteger(entry, NodeEntry.KIND));
    let column = at(columns, NodeColumns.LENGTH * getInteger(entry, NodeEntry.VELOCITY));
    let to = getInteger(places, 0);
    for (let b = 0; b < width; b++) {
      const psi = at(column, NodeColumns.RATE);
      set(rate, to, get(rate, to) + dotSix(forces, column) + dotSix(jacobian, psi));
      set(
        bias, to,
        get(bias, to) + dotSix(at(forces, RowForce.BIAS), column) + dotSix(turning, psi)
          - dotSix(jacobian, at(column, NodeColumns.SECOND)),
      );
      set(
        gyro, to,
        get(gyro, to) + dotSix(turning, column) - dotSix(jacobian, at(column, NodeColumns.TWICE)),
      );
      to++;
      column = at(column, NodeColumns.LENGTH);
    }
    const arm = at(nodes, Node.LENGTH * node + Node.ARM);
    for (let f: i32 = 0; f < RowForce.END; f += 6) carryForce(arm, at(forces, f));
    node = getInteger(entry, NodeEntry.PARENT);
    places += 4;
  }
}
