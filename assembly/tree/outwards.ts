// Outward pass from the ground to the leaves: poses and velocities of the nodes, forces for v'
// = 0, and the inertias of their own bodies in the axes of the world. With E_p x = alpha_p x x +
// w_p x (w_p x x):
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
// about the point of its node. I is rotated to the world first, where articulated inertias start
// from it. Rejected: a pass for each of these, which fetches the same records three times; and I w
// in the axes of the node, which rotates three vectors although the inertia is rotated anyway.

import { Status } from "../layout";
import { Node, NodeConstant, NodeEntry, NodeKind, TreePart, TreeTable } from "../layout-tree";
import { at, get, getBoth, getInteger, setBoth, setPair } from "../math/slots";
import { setThree } from "../kinematics/vector";
import { setPose, setTurns } from "./poses";
import { along, cross, dot, ENTRY_BYTES, firstEntry, setSix, treeAddress } from "./vector";

/**
 * TreeParts of all nodes at the trial state. Parts not requested are up to date if
 * requested ones need them. SINGULAR or NON_FINITE name a velocity.
 */
export function treeOutwards(tree: usize, parts: i32): i32 {
  if (parts == ALL) return allOutwards(tree);
  return outwards(tree, parts);
}

/** All parts except LEAN. */
export function allOutwards(tree: usize): i32 {
  return outwards(tree, ALL);
}

/**
 * The parts needed for accelerations only. A separate instance of the same code: engines spill
 * values that live across a branch to memory.
 */
export function leanOutwards(tree: usize): i32 {
  return outwards(tree, LEAN);
}

const ALL: i32 = TreePart.POSES | TreePart.RATES | TreePart.INERTIA;
const LEAN: i32 = ALL | TreePart.LEAN;

// @ts-ignore: decorator
@inline
function outwards(tree: usize, parts: i32): i32 {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const positions = treeAddress(tree, TreeTable.POSITIONS);
  const velocities = treeAddress(tree, TreeTable.VELOCITIES);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  let constant = at(constants, NodeConstant.LENGTH);
  let node = at(nodes, Node.LENGTH);
  if (parts & TreePart.POSES) setTurns(tree);
  for (let i = 1; i < count; i++) {
    const kind = getInteger(entry, NodeEntry.KIND);
    const parent = at(nodes, Node.LENGTH * getInteger(entry, NodeEntry.PARENT));
    if (parts & TreePart.POSES) {
      const q = at(positions, getInteger(entry, NodeEntry.POSITION));
      const status = setPose(parts, kind, entry, q, constant, parent, node);
      if (status != Status.OK) return status;
    }
    if (parts & TreePart.RATES) {
      const v = at(velocities, getInteger(entry, NodeEntry.VELOCITY));
      if (kind == NodeKind.HINGE) moveHinge(parts, get(v, 0), parent, node);
      else if (kind == NodeKind.BALL) moveBall(parts, v, parent, node);
      else moveOther(kind, get(constant, NodeConstant.PITCH), v, parent, node);
    }
    // Two nodes at a time; the last one with the ground, whose constants are zero, if their count
    // is odd.
    if (parts != TreePart.POSES) {
      if (!(i & 1)) {
        setOwn(
          parts, constant - (NodeConstant.LENGTH << 3), constant, node - (Node.LENGTH << 3), node,
        );
      } else if (i == count - 1) {
        setOwn(parts, constant, constants, node, nodes);
      }
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
function moveHinge(parts: i32, rate: f64, parent: usize, node: usize): void {
  turnOn(parts, rate * get(node, 6), rate * get(node, 7), rate * get(node, 8), parent, node);
}

// @ts-ignore: decorator
@inline
function moveBall(parts: i32, v: usize, parent: usize, node: usize): void {
  const x0 = get(v, 0), x1 = get(v, 1), x2 = get(v, 2);
  turnOn(
    parts, along(node, 0, x0, x1, x2), along(node, 1, x0, x1, x2), along(node, 2, x0, x1, x2),
    parent, node,
  );
}

/** Motion of a node whose joint turns by j. */
// @ts-ignore: decorator
@inline
function turnOn(parts: i32, j0: f64, j1: f64, j2: f64, parent: usize, node: usize): void {
  const w = at(parent, Node.OMEGA), bias = at(parent, Node.BIAS);
  const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const a0 = get(bias, 0), a1 = get(bias, 1), a2 = get(bias, 2);
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  const u0 = w1 * r2 - w2 * r1, u1 = w2 * r0 - w0 * r2, u2 = w0 * r1 - w1 * r0;
  setThree(at(node, Node.OMEGA), w0 + j0, w1 + j1, w2 + j2);
  if (!(parts & TreePart.LEAN)) {
    const velocity = at(parent, Node.VELOCITY);
    setThree(
      at(node, Node.VELOCITY),
      get(velocity, 0) + u0, get(velocity, 1) + u1, get(velocity, 2) + u2,
    );
  }
  setSix(
    at(node, Node.BIAS),
    a0 + (w1 * j2 - w2 * j1),
    a1 + (w2 * j0 - w0 * j2),
    a2 + (w0 * j1 - w1 * j0),
    get(bias, 3) + ((a1 * r2 - a2 * r1) + (w1 * u2 - w2 * u1)),
    get(bias, 4) + ((a2 * r0 - a0 * r2) + (w2 * u0 - w0 * u2)),
    get(bias, 5) + ((a0 * r1 - a1 * r0) + (w0 * u1 - w1 * u0)),
  );
}

function moveOther(kind: i32, pitch: f64, v: usize, parent: usize, node: usize): void {
  if (kind == NodeKind.FREE) {
    moveFree(v, parent, node);
    return;
  }
  const rate = kind == NodeKind.FIXED ? 0.0 : get(v, 0);
  const turn = kind == NodeKind.SCREW ? rate : 0.0;
  const s = kind == NodeKind.SCREW ? pitch * rate : rate;
  const z0 = get(node, 6), z1 = get(node, 7), z2 = get(node, 8);
  moveJoint(turn * z0, turn * z1, turn * z2, s * z0, s * z1, s * z2, parent, node);
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

// @ts-ignore: decorator
@inline
function setOwn(parts: i32, constantA: usize, constantB: usize, nodeA: usize, nodeB: usize): void {
  if (parts == LEAN) leanInertias(constantA, constantB, nodeA, nodeB);
  else if (parts == ALL) allInertias(constantA, constantB, nodeA, nodeB);
  else someInertias(parts, constantA, constantB, nodeA, nodeB);
}

function leanInertias(constantA: usize, constantB: usize, nodeA: usize, nodeB: usize): void {
  ownInertias(LEAN, constantA, constantB, nodeA, nodeB);
}

function allInertias(constantA: usize, constantB: usize, nodeA: usize, nodeB: usize): void {
  ownInertias(ALL, constantA, constantB, nodeA, nodeB);
}

function someInertias(
  parts: i32, constantA: usize, constantB: usize, nodeA: usize, nodeB: usize,
): void {
  ownInertias(parts, constantA, constantB, nodeA, nodeB);
}

/**
 * The inertias of the own bodies of two nodes, R I R^T, [h], m, and the forces that accelerate
 * them. Nodes are independent here, so each has a lane. Nodes without a body have zeros
 * as constants.
 */
// @ts-ignore: decorator
@inline
function ownInertias(
  parts: i32, constantA: usize, constantB: usize, nodeA: usize, nodeB: usize,
): void {
  const xx = getBoth(constantA, constantB, NodeConstant.INERTIA);
  const xy = getBoth(constantA, constantB, NodeConstant.INERTIA + 1);
  const xz = getBoth(constantA, constantB, NodeConstant.INERTIA + 2);
  const yy = getBoth(constantA, constantB, NodeConstant.INERTIA + 3);
  const yz = getBoth(constantA, constantB, NodeConstant.INERTIA + 4);
  const zz = getBoth(constantA, constantB, NodeConstant.INERTIA + 5);
  const r0 = getBoth(nodeA, nodeB, 0), r1 = getBoth(nodeA, nodeB, 1);
  const r2 = getBoth(nodeA, nodeB, 2), r3 = getBoth(nodeA, nodeB, 3);
  const r4 = getBoth(nodeA, nodeB, 4), r5 = getBoth(nodeA, nodeB, 5);
  const r6 = getBoth(nodeA, nodeB, 6), r7 = getBoth(nodeA, nodeB, 7);
  const r8 = getBoth(nodeA, nodeB, 8);
  // Rows of R I, then of R I R^T.
  let a = dot(r0, xx, r3, xy, r6, xz), b = dot(r0, xy, r3, yy, r6, yz);
  let c = dot(r0, xz, r3, yz, r6, zz);
  const i0 = dot(a, r0, b, r3, c, r6), i1 = dot(a, r1, b, r4, c, r7);
  const i2 = dot(a, r2, b, r5, c, r8);
  a = dot(r1, xx, r4, xy, r7, xz);
  b = dot(r1, xy, r4, yy, r7, yz);
  c = dot(r1, xz, r4, yz, r7, zz);
  const i3 = dot(a, r1, b, r4, c, r7), i4 = dot(a, r2, b, r5, c, r8);
  a = dot(r2, xx, r5, xy, r8, xz);
  b = dot(r2, xy, r5, yy, r8, yz);
  c = dot(r2, xz, r5, yz, r8, zz);
  const i5 = dot(a, r2, b, r5, c, r8);
  const m0 = getBoth(constantA, constantB, NodeConstant.MOMENT);
  const m1 = getBoth(constantA, constantB, NodeConstant.MOMENT + 1);
  const m2 = getBoth(constantA, constantB, NodeConstant.MOMENT + 2);
  const h0 = dot(r0, m0, r3, m1, r6, m2), h1 = dot(r1, m0, r4, m1, r7, m2);
  const h2 = dot(r2, m0, r5, m1, r8, m2);
  const m = getBoth(constantA, constantB, NodeConstant.MASS);
  if (parts & TreePart.INERTIA) {
    setInertias(nodeA, nodeB, i0, i1, i2, i3, i4, i5, h0, h1, h2, m);
  }
  if (parts & TreePart.RATES) {
    const w0 = getBoth(nodeA, nodeB, Node.OMEGA), w1 = getBoth(nodeA, nodeB, Node.OMEGA + 1);
    const w2 = getBoth(nodeA, nodeB, Node.OMEGA + 2);
    const e0 = getBoth(nodeA, nodeB, Node.BIAS), e1 = getBoth(nodeA, nodeB, Node.BIAS + 1);
    const e2 = getBoth(nodeA, nodeB, Node.BIAS + 2);
    const f0 = getBoth(nodeA, nodeB, Node.BIAS + 3), f1 = getBoth(nodeA, nodeB, Node.BIAS + 4);
    const f2 = getBoth(nodeA, nodeB, Node.BIAS + 5);
    const k0 = dot(i0, w0, i1, w1, i2, w2), k1 = dot(i1, w0, i3, w1, i4, w2);
    const k2 = dot(i2, w0, i4, w1, i5, w2);
    const x0 = cross(w1, h2, w2, h1), x1 = cross(w2, h0, w0, h2), x2 = cross(w0, h1, w1, h0);
    const n0 = sum(dot(i0, e0, i1, e1, i2, e2), cross(w1, k2, w2, k1), cross(h1, f2, h2, f1));
    const n1 = sum(dot(i1, e0, i3, e1, i4, e2), cross(w2, k0, w0, k2), cross(h2, f0, h0, f2));
    const n2 = sum(dot(i2, e0, i4, e1, i5, e2), cross(w0, k1, w1, k0), cross(h0, f1, h1, f0));
    const p0 = sum(f64x2.mul(m, f0), cross(e1, h2, e2, h1), cross(w1, x2, w2, x1));
    const p1 = sum(f64x2.mul(m, f1), cross(e2, h0, e0, h2), cross(w2, x0, w0, x2));
    const p2 = sum(f64x2.mul(m, f2), cross(e0, h1, e1, h0), cross(w0, x1, w1, x0));
    if (!(parts & TreePart.LEAN)) {
      setForces(nodeA, nodeB, Node.INERTIA_FORCE, n0, n1, n2, p0, p1, p2);
    }
    // Only if a solve follows.
    if (parts & TreePart.INERTIA) setForces(nodeA, nodeB, Node.FORCE, n0, n1, n2, p0, p1, p2);
  }
}

// @ts-ignore: decorator
@inline
function setForces(
  nodeA: usize, nodeB: usize, slot: i32,
  n0: v128, n1: v128, n2: v128, f0: v128, f1: v128, f2: v128,
): void {
  setBoth(nodeA, nodeB, slot, n0);
  setBoth(nodeA, nodeB, slot + 1, n1);
  setBoth(nodeA, nodeB, slot + 2, n2);
  setBoth(nodeA, nodeB, slot + 3, f0);
  setBoth(nodeA, nodeB, slot + 4, f1);
  setBoth(nodeA, nodeB, slot + 5, f2);
}

/** A, B = [h] and C = m 1. */
// @ts-ignore: decorator
@inline
function setInertias(
  nodeA: usize, nodeB: usize, i0: v128, i1: v128, i2: v128, i3: v128, i4: v128, i5: v128,
  h0: v128, h1: v128, h2: v128, m: v128,
): void {
  setBoth(nodeA, nodeB, Node.A, i0);
  setBoth(nodeA, nodeB, Node.A + 1, i1);
  setBoth(nodeA, nodeB, Node.A + 2, i2);
  setBoth(nodeA, nodeB, Node.A + 3, i3);
  setBoth(nodeA, nodeB, Node.A + 4, i4);
  setBoth(nodeA, nodeB, Node.A + 5, i5);
  const zero = f64x2.splat(0.0);
  setBoth(nodeA, nodeB, Node.B, zero);
  setBoth(nodeA, nodeB, Node.B + 1, h2);
  setBoth(nodeA, nodeB, Node.B + 2, f64x2.neg(h1));
  setBoth(nodeA, nodeB, Node.B + 3, f64x2.neg(h2));
  setBoth(nodeA, nodeB, Node.B + 4, zero);
  setBoth(nodeA, nodeB, Node.B + 5, h0);
  setBoth(nodeA, nodeB, Node.B + 6, h1);
  setBoth(nodeA, nodeB, Node.B + 7, f64x2.neg(h0));
  setBoth(nodeA, nodeB, Node.B + 8, zero);
  setBoth(nodeA, nodeB, Node.C, m);
  setPair(nodeA, Node.C + 1, zero);
  setPair(nodeB, Node.C + 1, zero);
  setBoth(nodeA, nodeB, Node.C + 3, m);
  setBoth(nodeA, nodeB, Node.C + 4, zero);
  setBoth(nodeA, nodeB, Node.C + 5, m);
}

// @ts-ignore: decorator
@inline
function sum(a: v128, b: v128, c: v128): v128 {
  return f64x2.add(f64x2.add(a, b), c);
}
