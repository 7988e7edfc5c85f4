// Accelerations from forces, by the factor in memory. Inwards, with p the force a joint must pass
// on if it does not accelerate,
//
//   u = tau - S^T p,   to the parent X^T (p + U u / D),
//
// and outwards, with Z the acceleration without the bias,
//
//   q'' = (u - U^T X Z_p) / D,   Z = X Z_p + S q'',
//
// with X^T U / D the SHARE of the factor.
//
// There is no separate bias term Ia c as in most textbooks: the bias is in p, by the accelerations
// of tree/outwards.ts. A ball transmits tau as torque and p_f + B^T A^-1 u as force; its Z is A^-1
// (u - B Z_f).

import { Status } from "../layout";
import { BODY_VELOCITIES } from "../layout-bodies";
import {
  AxisFactor, BallFactor, Node, NodeConstant, NodeEntry, NodeKind, TreeTable,
} from "../layout-tree";
import { isNumber } from "../math/finite";
import { at, get, getInteger, set } from "../math/slots";
import { statusAt } from "../math/status";
import { addLoad } from "./bodies";
import { factorNode, place } from "./factor";
import { passForce } from "./pass";
import { back, ENTRY_BYTES, firstEntry, setSix, symmetric, treeAddress } from "./vector";

/**
 * out = M^-1 (tau + T^T loads), less the bias T^T M b - T^T m g if `bias` is 1, which yields the
 * accelerations. `loads` are forces on bodies as in layout-bodies.ts, `tau` is a force for each
 * velocity; either may be 0. NON_FINITE names a velocity.
 */
export function treeSolve(tree: usize, bias: i32, loads: usize, tau: usize, out: usize): i32 {
  startForces(tree, bias, loads);
  inwards(tree, tau);
  return outwards(tree, out);
}

/** DRIVE of all nodes for the accelerations: the first half of a solve. */
export function treeDrives(tree: usize, loads: usize): void {
  startForces(tree, 1, loads);
  inwards(tree, 0);
}

/** The second half of a solve: outwards from DRIVE. */
export function treeFromDrives(tree: usize, out: usize): i32 {
  return outwards(tree, out);
}

/**
 * {@link treeSolve} with the bias, together with the factor, in one pass inwards: TreePart.INERTIA
 * begins it, and `started` is 1 if that was together with RATES and there are no loads.
 * NOT_POSITIVE names the velocity of a joint that moves no mass.
 */
export function treeAccelerations(tree: usize, started: i32, loads: usize, out: usize): i32 {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const entries = firstEntry(tree);
  if (!started) startForces(tree, 1, loads);
  const whitens = getInteger(tree, TreeTable.ROW_COUNT) > 0;
  for (let i = count - 1; i > 0; i--) {
    const entry = entries + ENTRY_BYTES * i, node = at(nodes, Node.LENGTH * i);
    const constant = at(constants, NodeConstant.LENGTH * i);
    if (!factorNode(true, entry, constant, whitens, node, nodes)) {
      return statusAt(Status.NOT_POSITIVE, getInteger(entry, NodeEntry.VELOCITY));
    }
  }
  return outwards(tree, out);
}

/** FORCE of each node alone. */
function startForces(tree: usize, bias: i32, loads: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  let node = at(treeAddress(tree, TreeTable.NODES), Node.LENGTH);
  for (let i = 1; i < count; i++) {
    const force = at(node, Node.FORCE);
    if (bias) {
      const p = at(node, Node.INERTIA_FORCE);
      setSix(force, get(p, 0), get(p, 1), get(p, 2), get(p, 3), get(p, 4), get(p, 5));
    } else {
      setSix(force, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    }
    const body = getInteger(entry, NodeEntry.BODY);
    if (loads != 0 && body >= 0) {
      const load = at(loads, BODY_VELOCITIES * body);
      addLoad(at(constants, NodeConstant.LENGTH * i), load, node, -1.0, force);
    }
    entry += ENTRY_BYTES;
    node = at(node, Node.LENGTH);
  }
}

/** DRIVE of all nodes, and FORCE including that of their children. */
function inwards(tree: usize, tau: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const entries = firstEntry(tree);
  for (let i = count - 1; i > 0; i--) {
    passForce(
      entries + ENTRY_BYTES * i, at(constants, NodeConstant.LENGTH * i), tau,
      at(nodes, Node.LENGTH * i), nodes,
    );
  }
}

/** SOLUTION of all nodes, and out. */
function outwards(tree: usize, out: usize): i32 {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  let node = at(nodes, Node.LENGTH);
  for (let i = 1; i < count; i++) {
    const parent = at(nodes, Node.LENGTH * getInteger(entry, NodeEntry.PARENT) + Node.SOLUTION);
    const kind = getInteger(entry, NodeEntry.KIND);
    const to = at(out, getInteger(entry, NodeEntry.VELOCITY));
    let finite = true;
    if (kind == NodeKind.HINGE) finite = accelerateHinge(node, parent, to);
    else if (kind == NodeKind.BALL) finite = accelerateBall(node, parent, to);
    else finite = accelerateOther(kind, at(constants, NodeConstant.LENGTH * i), node, parent, to);
    if (!finite) return statusAt(Status.NON_FINITE, getInteger(entry, NodeEntry.VELOCITY));
    entry += ENTRY_BYTES;
    node = at(node, Node.LENGTH);
  }
  return Status.OK;
}

/** q'' of a joint with an axis whose parent accelerates by x. */
// @ts-ignore: decorator
@inline
function secondOf(
  node: usize, x0: f64, x1: f64, x2: f64, x3: f64, x4: f64, x5: f64,
): f64 {
  const t = at(node, Node.FACTOR + AxisFactor.SHARE);
  const known = (get(t, 0) * x0 + get(t, 1) * x1) + (get(t, 2) * x2 + get(t, 3) * x3)
    + (get(t, 4) * x4 + get(t, 5) * x5);
  return get(node, Node.DRIVE) * get(node, Node.FACTOR + AxisFactor.INVERSE) - known;
}

// @ts-ignore: decorator
@inline
function accelerateHinge(node: usize, parent: usize, to: usize): bool {
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  const x0 = get(parent, 0), x1 = get(parent, 1), x2 = get(parent, 2);
  const x3 = get(parent, 3), x4 = get(parent, 4), x5 = get(parent, 5);
  const second = secondOf(node, x0, x1, x2, x3, x4, x5);
  set(to, 0, second);
  setSix(
    at(node, Node.SOLUTION),
    x0 + second * get(node, 6), x1 + second * get(node, 7), x2 + second * get(node, 8),
    x3 + (x1 * r2 - x2 * r1), x4 + (x2 * r0 - x0 * r2), x5 + (x0 * r1 - x1 * r0),
  );
  return isNumber(second);
}

/** A^-1 u - G^T x: the torque balance of a ball, whose parent accelerates by x. */
// @ts-ignore: decorator
@inline
function accelerateBall(node: usize, parent: usize, to: usize): bool {
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  const x0 = get(parent, 0), x1 = get(parent, 1), x2 = get(parent, 2);
  const x3 = get(parent, 3) + (x1 * r2 - x2 * r1), x4 = get(parent, 4) + (x2 * r0 - x0 * r2);
  const x5 = get(parent, 5) + (x0 * r1 - x1 * r0);
  const inverse = at(node, Node.FACTOR + BallFactor.INVERSE);
  const gain = at(node, Node.FACTOR + BallFactor.GAIN), drive = at(node, Node.DRIVE);
  const u0 = get(drive, 0), u1 = get(drive, 1), u2 = get(drive, 2);
  const y0 = symmetric(inverse, 0, u0, u1, u2) - back(gain, 0, x3, x4, x5);
  const y1 = symmetric(inverse, 1, u0, u1, u2) - back(gain, 1, x3, x4, x5);
  const y2 = symmetric(inverse, 2, u0, u1, u2) - back(gain, 2, x3, x4, x5);
  const d0 = y0 - x0, d1 = y1 - x1, d2 = y2 - x2;
  set(to, 0, back(node, 0, d0, d1, d2));
  set(to, 1, back(node, 1, d0, d1, d2));
  set(to, 2, back(node, 2, d0, d1, d2));
  setSix(at(node, Node.SOLUTION), y0, y1, y2, x3, x4, x5);
  return isNumber(d0 + d1 + d2);
}

function accelerateOther(
  kind: i32, constant: usize, node: usize, parent: usize, to: usize,
): bool {
  const factor = at(node, Node.FACTOR), drive = at(node, Node.DRIVE);
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  let x0 = get(parent, 0), x1 = get(parent, 1), x2 = get(parent, 2);
  let x3 = get(parent, 3), x4 = get(parent, 4), x5 = get(parent, 5);
  const second = kind <= NodeKind.SCREW ? secondOf(node, x0, x1, x2, x3, x4, x5) : 0.0;
  x3 += x1 * r2 - x2 * r1;
  x4 += x2 * r0 - x0 * r2;
  x5 += x0 * r1 - x1 * r0;
  let finite = true;
  if (kind <= NodeKind.SCREW) {
    finite = isNumber(second);
    set(to, 0, second);
    const z0 = second * get(node, 6), z1 = second * get(node, 7), z2 = second * get(node, 8);
    if (kind != NodeKind.SLIDE) {
      x0 += z0;
      x1 += z1;
      x2 += z2;
    }
    const pitch = kind == NodeKind.SLIDE ? 1.0 : get(constant, NodeConstant.PITCH);
    x3 += pitch * z0;
    x4 += pitch * z1;
    x5 += pitch * z2;
  } else if (kind == NodeKind.FREE) {
    solveFree(factor, drive);
    x0 = get(drive, 0);
    x1 = get(drive, 1);
    x2 = get(drive, 2);
    x3 = get(drive, 3);
    x4 = get(drive, 4);
    x5 = get(drive, 5);
    finite = isNumber(x0 + x1 + x2 + (x3 + x4 + x5));
    set(to, 0, x3);
    set(to, 1, x4);
    set(to, 2, x5);
    set(to, 3, back(node, 0, x0, x1, x2));
    set(to, 4, back(node, 1, x0, x1, x2));
    set(to, 5, back(node, 2, x0, x1, x2));
  }
  setSix(at(node, Node.SOLUTION), x0, x1, x2, x3, x4, x5);
  return finite;
}

/** x <- (L L^T)^-1 x. */
function solveFree(l: usize, x: usize): void {
  for (let j = 0; j < 6; j++) {
    const value = get(x, j) * get(l, place(j, j));
    set(x, j, value);
    for (let i = j + 1; i < 6; i++) set(x, i, get(x, i) - get(l, place(i, j)) * value);
  }
  for (let j = 5; j >= 0; j--) {
    let sum = get(x, j);
    for (let i = j + 1; i < 6; i++) sum -= get(l, place(i, j)) * get(x, i);
    set(x, j, sum * get(l, place(j, j)));
  }
}
