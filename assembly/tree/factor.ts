// Articulated inertias, inwards from the leaves (Featherstone 2008, chapter 7, with the point of
// each node and the axes of the world). IA = [[A, B], [B^T, C]] is the body's own, I, [h], m 1,
// plus the contributions of its children. With K = [r] C and H = B + K / 2 it is, at the point of
// the parent, r inwards, X^T IA X:
//
//   A - H [r] - (H [r])^T,   B + K,   C.
//
// Of this, a joint with the axis S transmits
//
//   X^T IA X - U' U'^T / D,   U = IA S,   D = S^T IA S,   U' = X^T U,   S = (z, pitch z) or (0, z);
//
// a ball X^T of C - B^T A^-1 B alone, a free node nothing, a fixed one everything. U' / D is also
// used by solves. Rejected: subtracting U U^T / D before the shift, which then waits for the
// division: the speed of a chain is the latency from each node to the next one inboard. Rejected:
// composite inertias and L^T D L of the mass matrix; from 7 hinges on it is slower (34 times at
// 100) and loses digits.

import { Status } from "../layout";
import {
  AxisFactor, BallFactor, Node, NodeConstant, NodeEntry, NodeKind, TreeTable,
} from "../layout-tree";
import { at, get, getInteger, set } from "../math/slots";
import { statusAt } from "../math/status";
import { setThree } from "../kinematics/vector";
import { passOther } from "./pass";
import { addSix, along, ENTRY_BYTES, firstEntry, setSix, treeAddress } from "./vector";

/** A pivot below this fraction of its inertia is lost in rounding. */
const SMALLEST: f64 = 1e-13;

/**
 * FACTOR of all nodes, and A, B, C, which hold those of single bodies before the call
 * (TreePart.INERTIA). NOT_POSITIVE names the velocity of a joint that moves no mass.
 */
export function treeFactor(tree: usize): i32 {
  return factorNodes(tree, false);
}

/**
 * {@link treeFactor} and DRIVE of all nodes, as treeDrives of tree/solve.ts without loads. FORCE
 * was written with the inertias.
 */
export function treeFactorDrives(tree: usize): i32 {
  return factorNodes(tree, true);
}

// @ts-ignore: decorator
@inline
function factorNodes(tree: usize, passes: bool): i32 {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const entries = firstEntry(tree);
  const whitens = getInteger(tree, TreeTable.ROW_COUNT) > 0;
  for (let i = count - 1; i > 0; i--) {
    const entry = entries + ENTRY_BYTES * i;
    const node = at(nodes, Node.LENGTH * i);
    const constant = at(constants, NodeConstant.LENGTH * i);
    if (!factorNode(passes, entry, constant, whitens, node, nodes)) {
      return statusAt(Status.NOT_POSITIVE, getInteger(entry, NodeEntry.VELOCITY));
    }
  }
  return Status.OK;
}

/**
 * FACTOR of a node, and its inertia on the parent; if `passes`, its DRIVE and the force on the
 * parent as well (tree/solve.ts). Only rows need WHITENING and ROOT. Returns false if the joint
 * moves no mass.
 */
// @ts-ignore: decorator
@inline
export function factorNode(
  passes: bool, entry: usize, constant: usize, whitens: bool, node: usize, nodes: usize,
): bool {
  const kind = getInteger(entry, NodeEntry.KIND);
  const number = getInteger(entry, NodeEntry.PARENT);
  const parent = number == 0 ? <usize>0 : at(nodes, Node.LENGTH * number);
  if (kind == NodeKind.HINGE) {
    if (!factorHinge(passes, node, parent)) return false;
    if (whitens) setRoot(node);
    return true;
  }
  if (kind == NodeKind.BALL) {
    if (whitens) whiten(node);
    return factorBall(passes, node, parent);
  }
  const pitch = get(constant, NodeConstant.PITCH);
  if (!factorOther(kind, pitch, node, parent)) return false;
  if (whitens && kind <= NodeKind.SCREW) setRoot(node);
  if (passes) passOther(kind, pitch, 0, node, parent);
  return true;
}

// @ts-ignore: decorator
@inline
function setRoot(node: usize): void {
  const factor = at(node, Node.FACTOR);
  set(factor, AxisFactor.ROOT, Math.sqrt(get(factor, AxisFactor.INVERSE)));
}

function factorOther(kind: i32, pitch: f64, node: usize, parent: usize): bool {
  if (kind == NodeKind.SLIDE) return factorAxis(0.0, 1.0, node, parent);
  if (kind == NodeKind.SCREW) return factorAxis(1.0, pitch, node, parent);
  if (kind == NodeKind.FREE) return factorFree(node);
  if (parent != 0) handOn(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, node, parent);
  return true;
}

// @ts-ignore: decorator
@inline
function factorHinge(passes: bool, node: usize, parent: usize): bool {
  const a = at(node, Node.A), b = at(node, Node.B);
  const z0 = get(node, 6), z1 = get(node, 7), z2 = get(node, 8);
  const u0 = get(a, 0) * z0 + get(a, 1) * z1 + get(a, 2) * z2;
  const u1 = get(a, 1) * z0 + get(a, 3) * z1 + get(a, 4) * z2;
  const u2 = get(a, 2) * z0 + get(a, 4) * z1 + get(a, 5) * z2;
  const u3 = get(b, 0) * z0 + get(b, 1) * z1 + get(b, 2) * z2;
  const u4 = get(b, 3) * z0 + get(b, 4) * z1 + get(b, 5) * z2;
  const u5 = get(b, 6) * z0 + get(b, 7) * z1 + get(b, 8) * z2;
  const d = z0 * u0 + z1 * u1 + z2 * u2;
  if (!(d > SMALLEST * (get(a, 0) + get(a, 3) + get(a, 5)))) return false;
  if (passes) {
    const p = at(node, Node.FORCE);
    const u = -(z0 * get(p, 0) + z1 * get(p, 1) + z2 * get(p, 2));
    set(node, Node.DRIVE, u);
  }
  share(passes, d, u0, u1, u2, u3, u4, u5, node, parent);
  return true;
}

/** S = (angular z, linear z). */
function factorAxis(angular: f64, linear: f64, node: usize, parent: usize): bool {
  const a = at(node, Node.A), b = at(node, Node.B), c = at(node, Node.C);
  const z0 = get(node, 6), z1 = get(node, 7), z2 = get(node, 8);
  const x0 = angular * z0, x1 = angular * z1, x2 = angular * z2;
  const y0 = linear * z0, y1 = linear * z1, y2 = linear * z2;
  const u0 = get(a, 0) * x0 + get(a, 1) * x1 + get(a, 2) * x2 + along(b, 0, y0, y1, y2);
  const u1 = get(a, 1) * x0 + get(a, 3) * x1 + get(a, 4) * x2 + along(b, 1, y0, y1, y2);
  const u2 = get(a, 2) * x0 + get(a, 4) * x1 + get(a, 5) * x2 + along(b, 2, y0, y1, y2);
  const u3 = get(b, 0) * x0 + get(b, 1) * x1 + get(b, 2) * x2
    + get(c, 0) * y0 + get(c, 1) * y1 + get(c, 2) * y2;
  const u4 = get(b, 3) * x0 + get(b, 4) * x1 + get(b, 5) * x2
    + get(c, 1) * y0 + get(c, 3) * y1 + get(c, 4) * y2;
  const u5 = get(b, 6) * x0 + get(b, 7) * x1 + get(b, 8) * x2
    + get(c, 2) * y0 + get(c, 4) * y1 + get(c, 5) * y2;
  const d = x0 * u0 + x1 * u1 + x2 * u2 + y0 * u3 + y1 * u4 + y2 * u5;
  const size = angular * angular * (get(a, 0) + get(a, 3) + get(a, 5))
    + linear * linear * (get(c, 0) + get(c, 3) + get(c, 5));
  if (!(d > SMALLEST * size)) return false;
  share(false, d, u0, u1, u2, u3, u4, u5, node, parent);
  return true;
}

/** Writes the factor and the inertia on the parent; with the force of DRIVE if `passes`. */
// @ts-ignore: decorator
@inline
function share(
  passes: bool, d: f64, u0: f64, u1: f64, u2: f64, u3: f64, u4: f64, u5: f64,
  node: usize, parent: usize,
): void {
  const factor = at(node, Node.FACTOR);
  const inverse = 1.0 / d;
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  const x0 = u0 + (r1 * u5 - r2 * u4), x1 = u1 + (r2 * u3 - r0 * u5);
  const x2 = u2 + (r0 * u4 - r1 * u3);
  const t0 = inverse * x0, t1 = inverse * x1, t2 = inverse * x2;
  const t3 = inverse * u3, t4 = inverse * u4, t5 = inverse * u5;
  set(factor, AxisFactor.INVERSE, inverse);
  setSix(at(factor, AxisFactor.SHARE), t0, t1, t2, t3, t4, t5);
  if (parent == 0) return;
  if (passes) {
    const p = at(node, Node.FORCE), u = get(node, Node.DRIVE);
    const p3 = get(p, 3), p4 = get(p, 4), p5 = get(p, 5);
    addSix(
      at(parent, Node.FORCE),
      get(p, 0) + (r1 * p5 - r2 * p4) + u * t0,
      get(p, 1) + (r2 * p3 - r0 * p5) + u * t1,
      get(p, 2) + (r0 * p4 - r1 * p3) + u * t2,
      p3 + u * t3, p4 + u * t4, p5 + u * t5,
    );
  }
  handOn(inverse, x0, x1, x2, u3, u4, u5, node, parent);
}

/** A^-1, G = B^T A^-1; C <- C - G B. */
// @ts-ignore: decorator
@inline
function factorBall(passes: bool, node: usize, parent: usize): bool {
  const a = at(node, Node.A), b = at(node, Node.B), c = at(node, Node.C);
  const xx = get(a, 0), xy = get(a, 1), xz = get(a, 2);
  const yy = get(a, 3), yz = get(a, 4), zz = get(a, 5);
  const m0 = yy * zz - yz * yz, m1 = xz * yz - xy * zz, m2 = xy * yz - xz * yy;
  const determinant = xx * m0 + xy * m1 + xz * m2;
  const size = xx + yy + zz;
  // The least moment is at least determinant / size^2.
  const moves = i32(determinant > SMALLEST * size * size * size) & i32(xx > 0.0) & i32(m0 > 0.0);
  const s = 1.0 / determinant;
  const i0 = s * m0, i1 = s * m1, i2 = s * m2;
  const i3 = s * (xx * zz - xz * xz), i4 = s * (xy * xz - xx * yz), i5 = s * (xx * yy - xy * xy);
  setSix(at(node, Node.FACTOR + BallFactor.INVERSE), i0, i1, i2, i3, i4, i5);
  // Row k of G is (column k of B)^T A^-1; G is column-major.
  const gain = at(node, Node.FACTOR + BallFactor.GAIN);
  const b0 = get(b, 0), b1 = get(b, 1), b2 = get(b, 2);
  const g00 = b0 * i0 + b1 * i1 + b2 * i2;
  const g01 = b0 * i1 + b1 * i3 + b2 * i4;
  const g02 = b0 * i2 + b1 * i4 + b2 * i5;
  const b3 = get(b, 3), b4 = get(b, 4), b5 = get(b, 5);
  const g10 = b3 * i0 + b4 * i1 + b5 * i2;
  const g11 = b3 * i1 + b4 * i3 + b5 * i4;
  const g12 = b3 * i2 + b4 * i4 + b5 * i5;
  const b6 = get(b, 6), b7 = get(b, 7), b8 = get(b, 8);
  const g20 = b6 * i0 + b7 * i1 + b8 * i2;
  const g21 = b6 * i1 + b7 * i3 + b8 * i4;
  const g22 = b6 * i2 + b7 * i4 + b8 * i5;
  setThree(gain, g00, g10, g20);
  setThree(at(gain, 3), g01, g11, g21);
  setThree(at(gain, 6), g02, g12, g22);
  if (passes) {
    // u = -p, and the parent gets p_f + G u, without a torque.
    const p = at(node, Node.FORCE), drive = at(node, Node.DRIVE);
    const p0 = get(p, 0), p1 = get(p, 1), p2 = get(p, 2);
    setThree(drive, -p0, -p1, -p2);
    // The ground gets nothing.
    if (parent == 0) return moves != 0;
    const f0 = get(p, 3) - (g00 * p0 + g01 * p1 + g02 * p2);
    const f1 = get(p, 4) - (g10 * p0 + g11 * p1 + g12 * p2);
    const f2 = get(p, 5) - (g20 * p0 + g21 * p1 + g22 * p2);
    const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
    addSix(
      at(parent, Node.FORCE),
      r1 * f2 - r2 * f1, r2 * f0 - r0 * f2, r0 * f1 - r1 * f0, f0, f1, f2,
    );
  } else if (parent == 0) {
    return moves != 0;
  }
  handOnBall(
    get(c, 0) - (g00 * b0 + g01 * b1 + g02 * b2),
    get(c, 1) - (g00 * b3 + g01 * b4 + g02 * b5),
    get(c, 2) - (g00 * b6 + g01 * b7 + g02 * b8),
    get(c, 3) - (g10 * b3 + g11 * b4 + g12 * b5),
    get(c, 4) - (g10 * b6 + g11 * b7 + g12 * b8),
    get(c, 5) - (g20 * b6 + g21 * b7 + g22 * b8),
    node, parent,
  );
  return moves != 0;
}

/** WHITENING of a ball: L^-1 of A = L L^T. */
function whiten(node: usize): void {
  const a = at(node, Node.A), out = at(node, Node.FACTOR + BallFactor.WHITENING);
  const xx = get(a, 0), xy = get(a, 1), xz = get(a, 2);
  const yy = get(a, 3), yz = get(a, 4), zz = get(a, 5);
  const d0 = 1.0 / Math.sqrt(xx), l1 = xy * d0, l2 = xz * d0;
  const d1 = 1.0 / Math.sqrt(yy - l1 * l1), l3 = (yz - l1 * l2) * d1;
  const d2 = 1.0 / Math.sqrt(zz - l2 * l2 - l3 * l3);
  const m1 = -l1 * d0 * d1;
  setSix(out, d0, m1, d1, -(l2 * d0 + l3 * m1) * d2, -l3 * d1 * d2, d2);
}

/** L of the whole inertia. */
function factorFree(node: usize): bool {
  const l = at(node, Node.FACTOR);
  for (let j = 0, slot = 0; j < 6; j++) {
    const pivotSlot = slot;
    for (let i = j; i < 6; i++, slot++) {
      let sum = inertiaEntry(node, i, j);
      for (let k = 0; k < j; k++) sum -= get(l, place(i, k)) * get(l, place(j, k));
      if (i == j) {
        if (!(sum > SMALLEST * inertiaEntry(node, j, j))) return false;
        set(l, slot, 1.0 / Math.sqrt(sum));
      } else {
        set(l, slot, sum * get(l, pivotSlot));
      }
    }
  }
  return true;
}

/** Slot of L_ij, i >= j. */
// @ts-ignore: decorator
@inline
export function place(i: i32, j: i32): i32 {
  return ((j * (11 - j)) >> 1) + i;
}

/** Entry of [[A, B], [B^T, C]], i >= j. */
function inertiaEntry(node: usize, i: i32, j: i32): f64 {
  if (i < 3) return get(node, Node.A + ((j * (5 - j)) >> 1) + i);
  if (j < 3) return get(node, Node.B + 3 * (i - 3) + j);
  return get(node, Node.C + (((j - 3) * (8 - j)) >> 1) + i - 3);
}

/** Adds X^T IA X - inverse x x^T to the parent's inertia. */
// @ts-ignore: decorator
@inline
function handOn(
  inverse: f64, x0: f64, x1: f64, x2: f64, x3: f64, x4: f64, x5: f64, node: usize, parent: usize,
): void {
  const t0 = inverse * x0, t1 = inverse * x1, t2 = inverse * x2;
  const t3 = inverse * x3, t4 = inverse * x4, t5 = inverse * x5;
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  const a = at(node, Node.A), b = at(node, Node.B), c = at(node, Node.C);
  const toA = at(parent, Node.A), toB = at(parent, Node.B), toC = at(parent, Node.C);
  const c0 = get(c, 0), c1 = get(c, 1), c2 = get(c, 2), c3 = get(c, 3), c4 = get(c, 4);
  const c5 = get(c, 5);
  // Columns of K = [r] C, of B + K and H, one at a time; then the parts of H [r] it is in.
  const k0 = r1 * c2 - r2 * c1, k1 = r2 * c0 - r0 * c2, k2 = r0 * c1 - r1 * c0;
  const b0 = get(b, 0), b1 = get(b, 1), b2 = get(b, 2);
  const h0 = b0 + 0.5 * k0, h1 = b1 + 0.5 * k1, h2 = b2 + 0.5 * k2;
  set(toB, 0, get(toB, 0) + (b0 + k0 - t3 * x0));
  set(toB, 1, get(toB, 1) + (b1 + k1 - t3 * x1));
  set(toB, 2, get(toB, 2) + (b2 + k2 - t3 * x2));
  const k3 = r1 * c4 - r2 * c3, k4 = r2 * c1 - r0 * c4, k5 = r0 * c3 - r1 * c1;
  const b3 = get(b, 3), b4 = get(b, 4), b5 = get(b, 5);
  const h3 = b3 + 0.5 * k3, h4 = b4 + 0.5 * k4, h5 = b5 + 0.5 * k5;
  set(toB, 3, get(toB, 3) + (b3 + k3 - t4 * x0));
  set(toB, 4, get(toB, 4) + (b4 + k4 - t4 * x1));
  set(toB, 5, get(toB, 5) + (b5 + k5 - t4 * x2));
  const k6 = r1 * c5 - r2 * c4, k7 = r2 * c2 - r0 * c5, k8 = r0 * c4 - r1 * c2;
  const b6 = get(b, 6), b7 = get(b, 7), b8 = get(b, 8);
  const h6 = b6 + 0.5 * k6, h7 = b7 + 0.5 * k7, h8 = b8 + 0.5 * k8;
  set(toB, 6, get(toB, 6) + (b6 + k6 - t5 * x0));
  set(toB, 7, get(toB, 7) + (b7 + k7 - t5 * x1));
  set(toB, 8, get(toB, 8) + (b8 + k8 - t5 * x2));
  // Columns of H [r]: h1 r2 - h2 r1, h2 r0 - h0 r2, h0 r1 - h1 r0 with the columns h of H.
  set(toA, 0, get(toA, 0) + (get(a, 0) - 2.0 * (h3 * r2 - h6 * r1) - t0 * x0));
  set(toA, 1, get(toA, 1) + (get(a, 1) - (h4 * r2 - h7 * r1 + (h6 * r0 - h0 * r2)) - t0 * x1));
  set(toA, 2, get(toA, 2) + (get(a, 2) - (h5 * r2 - h8 * r1 + (h0 * r1 - h3 * r0)) - t0 * x2));
  set(toA, 3, get(toA, 3) + (get(a, 3) - 2.0 * (h7 * r0 - h1 * r2) - t1 * x1));
  set(toA, 4, get(toA, 4) + (get(a, 4) - (h8 * r0 - h2 * r2 + (h1 * r1 - h4 * r0)) - t1 * x2));
  set(toA, 5, get(toA, 5) + (get(a, 5) - 2.0 * (h2 * r1 - h5 * r0) - t2 * x2));
  set(toC, 0, get(toC, 0) + (c0 - t3 * x3));
  set(toC, 1, get(toC, 1) + (c1 - t3 * x4));
  set(toC, 2, get(toC, 2) + (c2 - t3 * x5));
  set(toC, 3, get(toC, 3) + (c3 - t4 * x4));
  set(toC, 4, get(toC, 4) + (c4 - t4 * x5));
  set(toC, 5, get(toC, 5) + (c5 - t5 * x5));
}

/** {@link handOn} for C alone: A -= (K [r] + (K [r])^T) / 2, B += K. */
// @ts-ignore: decorator
@inline
function handOnBall(
  c0: f64, c1: f64, c2: f64, c3: f64, c4: f64, c5: f64, node: usize, parent: usize,
): void {
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  const toA = at(parent, Node.A), toB = at(parent, Node.B), toC = at(parent, Node.C);
  const k0 = r1 * c2 - r2 * c1, k1 = r2 * c0 - r0 * c2, k2 = r0 * c1 - r1 * c0;
  const k3 = r1 * c4 - r2 * c3, k4 = r2 * c1 - r0 * c4, k5 = r0 * c3 - r1 * c1;
  const k6 = r1 * c5 - r2 * c4, k7 = r2 * c2 - r0 * c5, k8 = r0 * c4 - r1 * c2;
  // K [r] is symmetric.
  addSix(
    toA,
    k6 * r1 - k3 * r2, k7 * r1 - k4 * r2, k8 * r1 - k5 * r2,
    k1 * r2 - k7 * r0, k2 * r2 - k8 * r0, k5 * r0 - k2 * r1,
  );
  addSix(toB, k0, k1, k2, k3, k4, k5);
  set(toB, 6, get(toB, 6) + k6);
  set(toB, 7, get(toB, 7) + k7);
  set(toB, 8, get(toB, 8) + k8);
  addSix(toC, c0, c1, c2, c3, c4, c5);
}
