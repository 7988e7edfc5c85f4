// How the nodes move, and what accelerates them when v' = 0. With E_p x = alpha_p x x + w_p x (w_p x x), outwards:
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
// about the point of its node. I w and I alpha are formed in the axes of the node, where I is constant.

import { Node, NodeConstant, NodeEntry, NodeKind, TreeTable } from "../layout-tree";
import { at, get, getInteger } from "../math/slots";
import { setThree } from "../kinematics/vector";
import { ENTRY_BYTES, firstEntry, treeAddress } from "./table";
import { along, back, setSix, symmetric } from "./vector";

/** OMEGA, VELOCITY, BIAS and INERTIA_FORCE of all nodes at the trial v; poses are up to date. */
export function treeBias(tree: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const velocities = treeAddress(tree, TreeTable.VELOCITIES);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  let constant = at(treeAddress(tree, TreeTable.CONSTANTS), NodeConstant.LENGTH);
  let node = at(nodes, Node.LENGTH);
  for (let i = 1; i < count; i++) {
    const v = at(velocities, getInteger(entry, NodeEntry.VELOCITY));
    const parent = at(nodes, Node.LENGTH * getInteger(entry, NodeEntry.PARENT));
    const kind = getInteger(entry, NodeEntry.KIND);
    if (kind == NodeKind.FREE) moveFree(v, parent, node);
    else move(kind, get(constant, NodeConstant.PITCH), v, parent, node);
    if (getInteger(entry, NodeEntry.BODY) >= 0) inertiaForce(constant, node);
    else setSix(at(node, Node.INERTIA_FORCE), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    entry += ENTRY_BYTES;
    constant = at(constant, NodeConstant.LENGTH);
    node = at(node, Node.LENGTH);
  }
}

// @ts-ignore: decorator
@inline
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
function move(kind: i32, pitch: f64, v: usize, parent: usize, node: usize): void {
  const w = at(parent, Node.OMEGA), bias = at(parent, Node.BIAS);
  const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const a0 = get(bias, 0), a1 = get(bias, 1), a2 = get(bias, 2);
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  const u0 = w1 * r2 - w2 * r1, u1 = w2 * r0 - w0 * r2, u2 = w0 * r1 - w1 * r0;
  // Angular velocity in the joint, and velocity along it.
  let j0 = 0.0, j1 = 0.0, j2 = 0.0, s = 0.0;
  if (kind == NodeKind.HINGE || kind == NodeKind.SCREW) {
    const rate = get(v, 0);
    j0 = rate * get(node, 6);
    j1 = rate * get(node, 7);
    j2 = rate * get(node, 8);
    if (kind == NodeKind.SCREW) s = pitch * rate;
  } else if (kind == NodeKind.SLIDE) {
    s = get(v, 0);
  } else if (kind == NodeKind.BALL) {
    const x0 = get(v, 0), x1 = get(v, 1), x2 = get(v, 2);
    j0 = along(node, 0, x0, x1, x2);
    j1 = along(node, 1, x0, x1, x2);
    j2 = along(node, 2, x0, x1, x2);
  }
  const s0 = s * get(node, 6), s1 = s * get(node, 7), s2 = s * get(node, 8);
  setThree(at(node, Node.OMEGA), w0 + j0, w1 + j1, w2 + j2);
  const velocity = at(parent, Node.VELOCITY);
  setThree(
    at(node, Node.VELOCITY),
    get(velocity, 0) + u0 + s0, get(velocity, 1) + u1 + s1, get(velocity, 2) + u2 + s2,
  );
  // E_p r + 2 w_p x z s' = alpha_p x r + w_p x (w_p x r + 2 z s').
  const t0 = u0 + 2.0 * s0, t1 = u1 + 2.0 * s1, t2 = u2 + 2.0 * s2;
  setSix(
    at(node, Node.BIAS),
    a0 + (w1 * j2 - w2 * j1),
    a1 + (w2 * j0 - w0 * j2),
    a2 + (w0 * j1 - w1 * j0),
    get(bias, 3) + (a1 * r2 - a2 * r1) + (w1 * t2 - w2 * t1),
    get(bias, 4) + (a2 * r0 - a0 * r2) + (w2 * t0 - w0 * t2),
    get(bias, 5) + (a0 * r1 - a1 * r0) + (w0 * t1 - w1 * t0),
  );
}

// @ts-ignore: decorator
@inline
function inertiaForce(constant: usize, node: usize): void {
  const m = get(constant, NodeConstant.MASS), inertia = at(constant, NodeConstant.INERTIA);
  const w = at(node, Node.OMEGA), bias = at(node, Node.BIAS);
  const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const a0 = get(bias, 0), a1 = get(bias, 1), a2 = get(bias, 2);
  const b0 = get(bias, 3), b1 = get(bias, 4), b2 = get(bias, 5);
  // In the axes of the node.
  const p0 = back(node, 0, w0, w1, w2), p1 = back(node, 1, w0, w1, w2);
  const p2 = back(node, 2, w0, w1, w2);
  const d0 = back(node, 0, a0, a1, a2), d1 = back(node, 1, a0, a1, a2);
  const d2 = back(node, 2, a0, a1, a2);
  const k0 = symmetric(inertia, 0, p0, p1, p2), k1 = symmetric(inertia, 1, p0, p1, p2);
  const k2 = symmetric(inertia, 2, p0, p1, p2);
  const n0 = symmetric(inertia, 0, d0, d1, d2) + (p1 * k2 - p2 * k1);
  const n1 = symmetric(inertia, 1, d0, d1, d2) + (p2 * k0 - p0 * k2);
  const n2 = symmetric(inertia, 2, d0, d1, d2) + (p0 * k1 - p1 * k0);
  const c0 = get(constant, NodeConstant.MOMENT), c1 = get(constant, NodeConstant.MOMENT + 1);
  const c2 = get(constant, NodeConstant.MOMENT + 2);
  const h0 = along(node, 0, c0, c1, c2), h1 = along(node, 1, c0, c1, c2);
  const h2 = along(node, 2, c0, c1, c2);
  const x0 = w1 * h2 - w2 * h1, x1 = w2 * h0 - w0 * h2, x2 = w0 * h1 - w1 * h0;
  setSix(
    at(node, Node.INERTIA_FORCE),
    along(node, 0, n0, n1, n2) + (h1 * b2 - h2 * b1),
    along(node, 1, n0, n1, n2) + (h2 * b0 - h0 * b2),
    along(node, 2, n0, n1, n2) + (h0 * b1 - h1 * b0),
    m * b0 + (a1 * h2 - a2 * h1) + (w1 * x2 - w2 * x1),
    m * b1 + (a2 * h0 - a0 * h2) + (w2 * x0 - w0 * x2),
    m * b2 + (a0 * h1 - a1 * h0) + (w0 * x1 - w1 * x0),
  );
}
