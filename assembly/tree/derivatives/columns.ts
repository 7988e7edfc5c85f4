// Derivatives of the motion of a tree by its coordinates. A displacement x of the coordinates moves
// node i by xi_i = xi_p + S_i x_i; S is fixed in the node. Let a hat be the change of a vector as
// the node sees it, d(.) - xi x (.). With V and A the spatial velocity and acceleration of a node,
// p the parent,
//
//   V = V_p + S v,    A = A_p + S v' + V x S v,
//
// a displacement x, and changes y of v and z of v', change
//
//   V^ = V^_p + (V_p x S) x + S y
//   A^ + V x V^ = (the same of the parent) + (A_p x S + V_p x (V_p x S)) x + (V x S + V_p x S) y +
// S z.
//
// So everything is a sum along the path to the ground of the columns
//
//   S,    psi' = V_p x S,    S' + psi' = V x S + V_p x S,    psi'' = A_p x S + V_p x psi'
//
// (Singh, Russell and Wensing, IEEE Robot. Autom. Lett. 7 (2022) 1783-1789). A free node is three
// slides along the axes of the world, followed by a ball: its velocity is given in the world,
// not in the node.

import { NodeColumns, NodeDerivative, TreeDerivatives } from "../../layout-stiff";
import { Node, NodeConstant, NodeEntry, NodeKind, TreeTable } from "../../layout-tree";
import { at, get, getAddress, getInteger, set } from "../../math/slots";
import { widthOf } from "../whitened";
import { addSix, ENTRY_BYTES, firstEntry, setSix, treeAddress } from "../vector";
import { carryMotion, crossMotion } from "./spatial";

/** S of all velocities, at the poses in memory. */
export function treeAxes(derivatives: usize): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const columns = getAddress(derivatives, TreeDerivatives.COLUMNS);
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  let constant = at(treeAddress(tree, TreeTable.CONSTANTS), NodeConstant.LENGTH);
  let node = at(treeAddress(tree, TreeTable.NODES), Node.LENGTH);
  for (let i = 1; i < count; i++) {
    const kind = getInteger(entry, NodeEntry.KIND);
    let column = at(columns, NodeColumns.LENGTH * getInteger(entry, NodeEntry.VELOCITY));
    if (kind <= NodeKind.SCREW) {
      const turn = kind == NodeKind.SLIDE ? 0.0 : 1.0;
      const pitch = kind == NodeKind.SCREW ? get(constant, NodeConstant.PITCH) : 1.0 - turn;
      setAxis(turn, pitch, at(node, 6), column);
    }
    if (kind == NodeKind.FREE) {
      for (let k = 0; k < 3; k++) {
        setSix(column, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        set(column, 3 + k, 1.0);
        column = at(column, NodeColumns.LENGTH);
      }
    }
    if (kind == NodeKind.FREE || kind == NodeKind.BALL) {
      for (let k = 0; k < 3; k++) {
        setAxis(1.0, 0.0, at(node, 3 * k), column);
        column = at(column, NodeColumns.LENGTH);
      }
    }
    entry += ENTRY_BYTES;
    constant = at(constant, NodeConstant.LENGTH);
    node = at(node, Node.LENGTH);
  }
}

// @ts-ignore: decorator
@inline
function setAxis(turn: f64, slide: f64, axis: usize, out: usize): void {
  const z0 = get(axis, 0), z1 = get(axis, 1), z2 = get(axis, 2);
  setSix(out, turn * z0, turn * z1, turn * z2, slide * z0, slide * z1, slide * z2);
}

/**
 * All other columns, and ACCELERATION of the records. SOLUTION of the nodes holds the twists of
 * the accelerations v', as treeBodyVelocities leaves them; BIAS, velocities and axes are up to
 * date.
 */
export function treeColumns(derivatives: usize): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const columns = getAddress(derivatives, TreeDerivatives.COLUMNS);
  const records = getAddress(derivatives, TreeDerivatives.RECORDS);
  const scratch = getAddress(derivatives, TreeDerivatives.SCRATCH);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  for (let i = 0; i < count; i++) {
    spatialAcceleration(
      at(nodes, Node.LENGTH * i),
      at(records, NodeDerivative.LENGTH * i + NodeDerivative.ACCELERATION),
    );
  }
  const entries = firstEntry(tree);
  for (let i = 1; i < count; i++) {
    const entry = entries + ENTRY_BYTES * i;
    const kind = getInteger(entry, NodeEntry.KIND), parent = getInteger(entry, NodeEntry.PARENT);
    const node = at(nodes, Node.LENGTH * i);
    let column = at(columns, NodeColumns.LENGTH * getInteger(entry, NodeEntry.VELOCITY));
    const velocity = scratch, acceleration = at(scratch, 6), rest = at(scratch, 12);
    if (kind == NodeKind.FREE) {
      for (let k = 0; k < 3; k++) {
        for (let c: i32 = NodeColumns.RATE; c < NodeColumns.LENGTH; c++) set(column, c, 0.0);
        column = at(column, NodeColumns.LENGTH);
      }
      slidesOf(node, velocity, acceleration);
    } else {
      const own = at(records, NodeDerivative.LENGTH * parent + NodeDerivative.ACCELERATION);
      carryMotion(at(node, Node.ARM), at(nodes, Node.LENGTH * parent + Node.OMEGA), velocity);
      carryMotion(at(node, Node.ARM), own, acceleration);
    }
    const width = kind == NodeKind.FREE ? 3 : widthOf(kind);
    for (let k = 0; k < width; k++) {
      const rate = at(column, NodeColumns.RATE), twice = at(column, NodeColumns.TWICE);
      const second = at(column, NodeColumns.SECOND);
      crossMotion(velocity, column, rate);
      crossMotion(at(node, Node.OMEGA), column, twice);
      crossMotion(velocity, rate, rest);
      crossMotion(acceleration, column, second);
      for (let c = 0; c < 6; c++) {
        set(twice, c, get(twice, c) + get(rate, c));
        set(second, c, get(second, c) + get(rest, c));
      }
      column = at(column, NodeColumns.LENGTH);
    }
  }
}

/**
 * Motion of the three slides of a free node: its point's velocity and acceleration, without
 * rotation.
 */
// @ts-ignore: decorator
@inline
function slidesOf(node: usize, velocity: usize, acceleration: usize): void {
  const v = at(node, Node.VELOCITY), bias = at(node, Node.BIAS), z = at(node, Node.SOLUTION);
  setSix(velocity, 0.0, 0.0, 0.0, get(v, 0), get(v, 1), get(v, 2));
  setSix(
    acceleration,
    0.0, 0.0, 0.0,
    get(bias, 3) + get(z, 3), get(bias, 4) + get(z, 4), get(bias, 5) + get(z, 5),
  );
}

/** Acceleration of the point less w x v, which transforms from point to point like a velocity. */
// @ts-ignore: decorator
@inline
function spatialAcceleration(node: usize, out: usize): void {
  const bias = at(node, Node.BIAS), z = at(node, Node.SOLUTION);
  const w0 = get(node, Node.OMEGA), w1 = get(node, Node.OMEGA + 1), w2 = get(node, Node.OMEGA + 2);
  const v0 = get(node, Node.VELOCITY), v1 = get(node, Node.VELOCITY + 1);
  const v2 = get(node, Node.VELOCITY + 2);
  setSix(out, get(bias, 0), get(bias, 1), get(bias, 2), get(bias, 3), get(bias, 4), get(bias, 5));
  addSix(
    out,
    get(z, 0), get(z, 1), get(z, 2),
    get(z, 3) - (w1 * v2 - w2 * v1), get(z, 4) - (w2 * v0 - w0 * v2),
    get(z, 5) - (w0 * v1 - w1 * v0),
  );
}
