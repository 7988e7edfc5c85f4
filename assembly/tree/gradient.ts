// Derivatives of energies by the coordinates. If joint i turns by a small theta, everything
// outboard of it turns with it: velocities V_k of these bodies change by S x (V_k - V_p), with V_p
// that of the parent, and their inertias turn, so that of kinetic energy there remains, with the
// momentum (n, f) of all bodies outboard of the joint about its point,
//
//   dT/dtheta = (n, f) . (V_p x S) = s . (n x w_p + f x v_p),   S = (s, 0);
//   dT/dx     = s . (f x w_p),                                   S = (0, s),
//
// v_p being the velocity of the joint's point with the parent. The velocity of a free node is given
// in the world and does not turn with it, as if it were v_p.

import {
  Node, NodeConstant, NodeEntry, NodeKind, TreeTable,
} from "../layout-tree";
import { setRates } from "../bodies/motion";
import { at, get, getInteger, set } from "../math/slots";
import { squareOf } from "../rotation/quaternion";
import {
  addSix, along, back, ENTRY_BYTES, firstEntry, setSix, symmetric, treeAddress,
} from "./vector";

/**
 * out = dT/dx for displacements x in velocity coordinates; poses and velocities of nodes are up to
 * date.
 */
export function treeKineticForces(tree: usize, out: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const entries = firstEntry(tree);
  for (let i = 1; i < count; i++) {
    ownMomentum(at(constants, NodeConstant.LENGTH * i), at(nodes, Node.LENGTH * i));
  }
  for (let i = count - 1; i > 0; i--) {
    const entry = entries + ENTRY_BYTES * i;
    const node = at(nodes, Node.LENGTH * i), p = at(node, Node.SOLUTION);
    const number = getInteger(entry, NodeEntry.PARENT);
    const parent = at(nodes, Node.LENGTH * number);
    const n0 = get(p, 0), n1 = get(p, 1), n2 = get(p, 2);
    const f0 = get(p, 3), f1 = get(p, 4), f2 = get(p, 5);
    const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
    const pitch = get(at(constants, NodeConstant.LENGTH * i), NodeConstant.PITCH);
    project(
      getInteger(entry, NodeEntry.KIND), pitch, node, parent,
      at(out, getInteger(entry, NodeEntry.VELOCITY)),
    );
    if (number == 0) continue;
    addSix(
      at(parent, Node.SOLUTION),
      n0 + (r1 * f2 - r2 * f1), n1 + (r2 * f0 - r0 * f2), n2 + (r0 * f1 - r1 * f0), f0, f1, f2,
    );
  }
}

/** SOLUTION = momentum of the node's body about its point: n = I w + h x v, f = m v + w x h. */
// @ts-ignore: decorator
@inline
function ownMomentum(constant: usize, node: usize): void {
  const m = get(constant, NodeConstant.MASS), inertia = at(constant, NodeConstant.INERTIA);
  const w0 = get(node, Node.OMEGA), w1 = get(node, Node.OMEGA + 1), w2 = get(node, Node.OMEGA + 2);
  const v0 = get(node, Node.VELOCITY), v1 = get(node, Node.VELOCITY + 1);
  const v2 = get(node, Node.VELOCITY + 2);
  const p0 = back(node, 0, w0, w1, w2), p1 = back(node, 1, w0, w1, w2);
  const p2 = back(node, 2, w0, w1, w2);
  const k0 = symmetric(inertia, 0, p0, p1, p2), k1 = symmetric(inertia, 1, p0, p1, p2);
  const k2 = symmetric(inertia, 2, p0, p1, p2);
  const c0 = get(constant, NodeConstant.MOMENT), c1 = get(constant, NodeConstant.MOMENT + 1);
  const c2 = get(constant, NodeConstant.MOMENT + 2);
  const h0 = along(node, 0, c0, c1, c2), h1 = along(node, 1, c0, c1, c2);
  const h2 = along(node, 2, c0, c1, c2);
  setSix(
    at(node, Node.SOLUTION),
    along(node, 0, k0, k1, k2) + (h1 * v2 - h2 * v1),
    along(node, 1, k0, k1, k2) + (h2 * v0 - h0 * v2),
    along(node, 2, k0, k1, k2) + (h0 * v1 - h1 * v0),
    m * v0 + (w1 * h2 - w2 * h1), m * v1 + (w2 * h0 - w0 * h2), m * v2 + (w0 * h1 - w1 * h0),
  );
}

// @ts-ignore: decorator
@inline
function project(kind: i32, pitch: f64, node: usize, parent: usize, out: usize): void {
  if (kind == NodeKind.FIXED) return;
  const p = at(node, Node.SOLUTION);
  const n0 = get(p, 0), n1 = get(p, 1), n2 = get(p, 2);
  const f0 = get(p, 3), f1 = get(p, 4), f2 = get(p, 5);
  if (kind == NodeKind.FREE) {
    const u0 = get(node, Node.VELOCITY), u1 = get(node, Node.VELOCITY + 1);
    const u2 = get(node, Node.VELOCITY + 2);
    const t0 = f1 * u2 - f2 * u1, t1 = f2 * u0 - f0 * u2, t2 = f0 * u1 - f1 * u0;
    setSix(
      out,
      0.0, 0.0, 0.0,
      back(node, 0, t0, t1, t2), back(node, 1, t0, t1, t2), back(node, 2, t0, t1, t2),
    );
    return;
  }
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  const w = at(parent, Node.OMEGA), u = at(parent, Node.VELOCITY);
  const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const v0 = get(u, 0) + (w1 * r2 - w2 * r1), v1 = get(u, 1) + (w2 * r0 - w0 * r2);
  const v2 = get(u, 2) + (w0 * r1 - w1 * r0);
  const t0 = n1 * w2 - n2 * w1 + (f1 * v2 - f2 * v1);
  const t1 = n2 * w0 - n0 * w2 + (f2 * v0 - f0 * v2);
  const t2 = n0 * w1 - n1 * w0 + (f0 * v1 - f1 * v0);
  if (kind == NodeKind.BALL) {
    for (let i = 0; i < 3; i++) set(out, i, back(node, i, t0, t1, t2));
    return;
  }
  const turn = back(node, 2, t0, t1, t2);
  const slide = back(node, 2, f1 * w2 - f2 * w1, f2 * w0 - f0 * w2, f0 * w1 - f1 * w0);
  if (kind == NodeKind.HINGE) set(out, 0, turn);
  else set(out, 0, kind == NodeKind.SLIDE ? slide : turn + pitch * slide);
}

/**
 * out = derivative by the trial positions of a function with the derivative `forces` for
 * displacements in velocity coordinates. On Euler parameters it is 4 G(torque) e / |e|^2, so that
 * its product with e' = G(w) e is torque . w.
 */
export function treeGradient(tree: usize, forces: usize, out: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const positions = treeAddress(tree, TreeTable.POSITIONS);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  for (let i = 1; i < count; i++) {
    const kind = getInteger(entry, NodeEntry.KIND);
    let force = at(forces, getInteger(entry, NodeEntry.VELOCITY));
    const position = getInteger(entry, NodeEntry.POSITION);
    let to = at(out, position), e = at(positions, position);
    if (kind <= NodeKind.SCREW) set(to, 0, get(force, 0));
    if (kind == NodeKind.FREE) {
      for (let k = 0; k < 3; k++) set(to, k, get(force, k));
      force = at(force, 3);
      to = at(to, 3);
      e = at(e, 3);
    }
    if (kind == NodeKind.FREE || kind == NodeKind.BALL) {
      const scale = 2.0 / squareOf(e);
      setRates(e, scale * get(force, 0), scale * get(force, 1), scale * get(force, 2), to);
    }
    entry += ENTRY_BYTES;
  }
}
