// From the ground to the leaves: where the nodes are, how they move, what accelerates them when v' = 0, and the
// inertias of their own bodies in the axes of the world. With E_p x = alpha_p x x + w_p x (w_p x x):
//
//   hinge   w = w_p + z q',    alpha = alpha_p + w_p x z q',    a = a_p + E_p r
//   slide   w = w_p,           alpha = alpha_p,                 a = a_p + E_p r + 2 w_p x z q'
//   screw   both, with the pitch times q' along z
//   ball    w = w_p + R v,     alpha = alpha_p + w_p x R v,     a = a_p + E_p r
//   free    w = R v_angular,   alpha = 0,                       a = a of the ground
//
// The ground has a = -g, so that gravity needs no force. A body needs
//
//   n = I alpha + w x I w + h x a,   f = m a + E h,   h = m c
//
// about the point of its node. I is turned to the world first: articulated inertias begin with it there. Rejected: a
// pass for each of these, which fetches the same records three times; and I w in the axes of the node, which turns
// three vectors where the inertia is turned anyway.

import { Status } from "../layout";
import { Node, NodeConstant, NodeEntry, NodeKind, TreePart, TreeTable } from "../layout-tree";
import { at, clearSlots, get, getInteger, set } from "../math/slots";
import { setThree } from "../kinematics/vector";
import { setPose } from "./poses";
import { ENTRY_BYTES, firstEntry, treeAddress } from "./table";
import { along, setSix } from "./vector";

/**
 * TreeParts of all nodes at the trial state. Those that are not asked for are up to date, where others need them.
 * SINGULAR or NON_FINITE name a velocity.
 */
export function treeOutwards(tree: usize, parts: i32): i32 {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const positions = treeAddress(tree, TreeTable.POSITIONS);
  const velocities = treeAddress(tree, TreeTable.VELOCITIES);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  let constant = at(treeAddress(tree, TreeTable.CONSTANTS), NodeConstant.LENGTH);
  let node = at(nodes, Node.LENGTH);
  for (let i = 1; i < count; i++) {
    const kind = getInteger(entry, NodeEntry.KIND);
    const parent = at(nodes, Node.LENGTH * getInteger(entry, NodeEntry.PARENT));
    if (parts & TreePart.POSES) {
      const q = at(positions, getInteger(entry, NodeEntry.POSITION));
      const status = setPose(kind, entry, q, constant, parent, node);
      if (status != Status.OK) return status;
    }
    if (parts & TreePart.RATES) {
      const v = at(velocities, getInteger(entry, NodeEntry.VELOCITY));
      if (kind == NodeKind.HINGE) moveHinge(get(v, 0), parent, node);
      else if (kind == NodeKind.FREE) moveFree(v, parent, node);
      else move(kind, get(constant, NodeConstant.PITCH), v, parent, node);
    }
    if (parts & (TreePart.RATES | TreePart.INERTIA)) {
      if (getInteger(entry, NodeEntry.BODY) >= 0) ownInertia(parts, constant, node);
      else noInertia(parts, node);
    }
    entry += ENTRY_BYTES;
    constant = at(constant, NodeConstant.LENGTH);
    node = at(node, Node.LENGTH);
  }
  return Status.OK;
}

function moveFree(v: usize, parent: usize, node: usize): void {
  const w0 = get(v, 3), w1 = get(v, 4), w2 = get(v, 5);
  setThree(
    at(node, Node.OMEGA),
    along(node, 0, w0, w1, w2), along(node, 1, w0, w1, w2), along(node, 2, w0, w1, w2),
  );
  setThree(at(node, Node.VELOCITY), get(v, 0), get(v, 1), get(v, 2));
  const g = at(parent, Node.BIAS + 3);
  setSix(at(node, Node.BIAS), 0.0, 0.0, 0.0, get(g, 0), get(g, 1), get(g, 2));
}

// @ts-ignore: decorator
@inline
function moveHinge(rate: f64, parent: usize, node: usize): void {
  moveJoint(
    rate * get(node, 6), rate * get(node, 7), rate * get(node, 8), 0.0, 0.0, 0.0, parent, node,
  );
}

function move(kind: i32, pitch: f64, v: usize, parent: usize, node: usize): void {
  let j0 = 0.0, j1 = 0.0, j2 = 0.0, s = 0.0;
  if (kind == NodeKind.SCREW) {
    const rate = get(v, 0);
    j0 = rate * get(node, 6);
    j1 = rate * get(node, 7);
    j2 = rate * get(node, 8);
    s = pitch * rate;
  } else if (kind == NodeKind.SLIDE) {
    s = get(v, 0);
  } else if (kind == NodeKind.BALL) {
    const x0 = get(v, 0), x1 = get(v, 1), x2 = get(v, 2);
    j0 = along(node, 0, x0, x1, x2);
    j1 = along(node, 1, x0, x1, x2);
    j2 = along(node, 2, x0, x1, x2);
  }
  moveJoint(j0, j1, j2, s * get(node, 6), s * get(node, 7), s * get(node, 8), parent, node);
}

/** Motion of a node whose joint turns by j and slides by s. */
// @ts-ignore: decorator
@inline
function moveJoint(
  j0: f64, j1: f64, j2: f64, s0: f64, s1: f64, s2: f64, parent: usize, node: usize,
): void {
  const w = at(parent, Node.OMEGA), bias = at(parent, Node.BIAS);
  const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const a0 = get(bias, 0), a1 = get(bias, 1), a2 = get(bias, 2);
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  const u0 = w1 * r2 - w2 * r1, u1 = w2 * r0 - w0 * r2, u2 = w0 * r1 - w1 * r0;
  setThree(at(node, Node.OMEGA), w0 + j0, w1 + j1, w2 + j2);
  const velocity = at(parent, Node.VELOCITY);
  setThree(
    at(node, Node.VELOCITY),
    get(velocity, 0) + (u0 + s0), get(velocity, 1) + (u1 + s1), get(velocity, 2) + (u2 + s2),
  );
  // E_p r + 2 w_p x z s' = alpha_p x r + w_p x (w_p x r + 2 z s').
  const t0 = u0 + 2.0 * s0, t1 = u1 + 2.0 * s1, t2 = u2 + 2.0 * s2;
  setSix(
    at(node, Node.BIAS),
    a0 + (w1 * j2 - w2 * j1),
    a1 + (w2 * j0 - w0 * j2),
    a2 + (w0 * j1 - w1 * j0),
    get(bias, 3) + ((a1 * r2 - a2 * r1) + (w1 * t2 - w2 * t1)),
    get(bias, 4) + ((a2 * r0 - a0 * r2) + (w2 * t0 - w0 * t2)),
    get(bias, 5) + ((a0 * r1 - a1 * r0) + (w0 * t1 - w1 * t0)),
  );
}

/** The inertia of the node's own body, R I R^T, [h], m, and the force that accelerates it. */
// @ts-ignore: decorator
@inline
function ownInertia(parts: i32, constant: usize, node: usize): void {
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
  const i0 = a0 * r0 + b0 * r3 + c0 * r6, i1 = a0 * r1 + b0 * r4 + c0 * r7;
  const i2 = a0 * r2 + b0 * r5 + c0 * r8, i3 = a1 * r1 + b1 * r4 + c1 * r7;
  const i4 = a1 * r2 + b1 * r5 + c1 * r8, i5 = a2 * r2 + b2 * r5 + c2 * r8;
  const m0 = get(constant, NodeConstant.MOMENT), m1 = get(constant, NodeConstant.MOMENT + 1);
  const m2 = get(constant, NodeConstant.MOMENT + 2);
  const h0 = r0 * m0 + r3 * m1 + r6 * m2, h1 = r1 * m0 + r4 * m1 + r7 * m2;
  const h2 = r2 * m0 + r5 * m1 + r8 * m2;
  const m = get(constant, NodeConstant.MASS);
  if (parts & TreePart.INERTIA) {
    setSix(at(node, Node.A), i0, i1, i2, i3, i4, i5);
    const b = at(node, Node.B);
    setSix(b, 0.0, h2, -h1, -h2, 0.0, h0);
    setThree(at(b, 6), h1, -h0, 0.0);
    setSix(at(node, Node.C), m, 0.0, 0.0, m, 0.0, m);
  }
  if (parts & TreePart.RATES) {
    const w = at(node, Node.OMEGA), bias = at(node, Node.BIAS);
    const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
    const e0 = get(bias, 0), e1 = get(bias, 1), e2 = get(bias, 2);
    const f0 = get(bias, 3), f1 = get(bias, 4), f2 = get(bias, 5);
    const k0 = i0 * w0 + i1 * w1 + i2 * w2, k1 = i1 * w0 + i3 * w1 + i4 * w2;
    const k2 = i2 * w0 + i4 * w1 + i5 * w2;
    const x0 = w1 * h2 - w2 * h1, x1 = w2 * h0 - w0 * h2, x2 = w0 * h1 - w1 * h0;
    setSix(
      at(node, Node.INERTIA_FORCE),
      i0 * e0 + i1 * e1 + i2 * e2 + (w1 * k2 - w2 * k1) + (h1 * f2 - h2 * f1),
      i1 * e0 + i3 * e1 + i4 * e2 + (w2 * k0 - w0 * k2) + (h2 * f0 - h0 * f2),
      i2 * e0 + i4 * e1 + i5 * e2 + (w0 * k1 - w1 * k0) + (h0 * f1 - h1 * f0),
      m * f0 + (e1 * h2 - e2 * h1) + (w1 * x2 - w2 * x1),
      m * f1 + (e2 * h0 - e0 * h2) + (w2 * x0 - w0 * x2),
      m * f2 + (e0 * h1 - e1 * h0) + (w0 * x1 - w1 * x0),
    );
  }
}

function noInertia(parts: i32, node: usize): void {
  if (parts & TreePart.INERTIA) clearSlots(at(node, Node.A), Node.FORCE - Node.A);
  if (parts & TreePart.RATES) clearSlots(at(node, Node.INERTIA_FORCE), 6);
}
