// Articulated inertias, inwards from the leaves (Featherstone 2008, chapter 7, with the point of each node and the
// axes of the world). IA = [[A, B], [B^T, C]] is the body's own, I, [h], m 1, plus what its children hand on. Of
// IA a joint with the axis S hands on
//
//   Ia = IA - U U^T / D,   U = IA S,   D = S^T IA S,   S = (z, pitch z) or (0, z);
//
// a ball C - B^T A^-1 B alone, a free node nothing, a fixed one everything. At the point of the parent, r
// inwards, with K = [r] C and H = B + K / 2:
//
//   A_p += A - H [r] - (H [r])^T,   B_p += B + K,   C_p += C.
//
// Rejected: composite inertias and L^T D L of the mass matrix; from 7 hinges on it is slower (34 times at 100) and
// loses digits.

import { Status } from "../layout";
import {
  AxisFactor, BallFactor, Node, NodeConstant, NodeEntry, NodeKind, TreeTable,
} from "../layout-tree";
import { at, clearSlots, get, getInteger, set } from "../math/slots";
import { statusAt } from "../math/status";
import { ENTRY_BYTES, firstEntry, treeAddress } from "./table";
import { along, setSix } from "./vector";

/** A pivot below this part of the inertia it comes from is lost in rounding. */
const SMALLEST: f64 = 1e-13;

/**
 * A, B, C and FACTOR of all nodes, from poses that are up to date. NOT_POSITIVE names the velocity of a joint
 * that moves no mass.
 */
export function treeFactor(tree: usize): i32 {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const entries = firstEntry(tree);
  for (let i = 1; i < count; i++) {
    const body = getInteger(entries + ENTRY_BYTES * i, NodeEntry.BODY);
    const node = at(nodes, Node.LENGTH * i);
    if (body >= 0) rigid(at(constants, NodeConstant.LENGTH * i), node);
    else clearSlots(at(node, Node.A), Node.FORCE - Node.A);
  }
  for (let i = count - 1; i > 0; i--) {
    const entry = entries + ENTRY_BYTES * i;
    const node = at(nodes, Node.LENGTH * i);
    const parent = getInteger(entry, NodeEntry.PARENT);
    const kind = getInteger(entry, NodeEntry.KIND);
    const constant = at(constants, NodeConstant.LENGTH * i);
    if (!factorNode(kind, get(constant, NodeConstant.PITCH), node)) {
      return statusAt(Status.NOT_POSITIVE, getInteger(entry, NodeEntry.VELOCITY));
    }
    if (parent > 0) handOn(kind, node, at(nodes, Node.LENGTH * parent));
  }
  return Status.OK;
}

/** out = R I R^T of the node's own body, about its point: xx, xy, xz, yy, yz, zz. */
// @ts-ignore: decorator
@inline
export function turnInertia(constant: usize, node: usize, out: usize): void {
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

/** The inertia of the node's own body: R I R^T, [h], m. */
// @ts-ignore: decorator
@inline
function rigid(constant: usize, node: usize): void {
  turnInertia(constant, node, at(node, Node.A));
  const m0 = get(constant, NodeConstant.MOMENT), m1 = get(constant, NodeConstant.MOMENT + 1);
  const m2 = get(constant, NodeConstant.MOMENT + 2);
  const h0 = along(node, 0, m0, m1, m2), h1 = along(node, 1, m0, m1, m2);
  const h2 = along(node, 2, m0, m1, m2);
  const b = at(node, Node.B);
  setSix(b, 0.0, h2, -h1, -h2, 0.0, h0);
  set(b, 6, h1);
  set(b, 7, -h0);
  set(b, 8, 0.0);
  const m = get(constant, NodeConstant.MASS);
  setSix(at(node, Node.C), m, 0.0, 0.0, m, 0.0, m);
}

/** FACTOR; A, B, C become what the joint hands on. False if the joint moves no mass. */
// @ts-ignore: decorator
@inline
function factorNode(kind: i32, pitch: f64, node: usize): bool {
  if (kind == NodeKind.HINGE) return factorHinge(node);
  if (kind == NodeKind.SLIDE) return factorAxis(0.0, 1.0, node);
  if (kind == NodeKind.SCREW) return factorAxis(1.0, pitch, node);
  if (kind == NodeKind.BALL) return factorBall(node);
  if (kind == NodeKind.FREE) return factorFree(node);
  return true;
}

// @ts-ignore: decorator
@inline
function factorHinge(node: usize): bool {
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
  takeOut(d, u0, u1, u2, u3, u4, u5, node);
  return true;
}

/** S = (angular z, linear z). */
function factorAxis(angular: f64, linear: f64, node: usize): bool {
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
  takeOut(d, u0, u1, u2, u3, u4, u5, node);
  return true;
}

/** IA -= U U^T / D, and the factor. */
// @ts-ignore: decorator
@inline
function takeOut(
  d: f64, u0: f64, u1: f64, u2: f64, u3: f64, u4: f64, u5: f64, node: usize,
): void {
  const factor = at(node, Node.FACTOR);
  const inverse = 1.0 / d;
  setSix(factor, u0, u1, u2, u3, u4, u5);
  set(factor, AxisFactor.INVERSE, inverse);
  const a = at(node, Node.A), b = at(node, Node.B), c = at(node, Node.C);
  const t0 = inverse * u0, t1 = inverse * u1, t2 = inverse * u2;
  const t3 = inverse * u3, t4 = inverse * u4, t5 = inverse * u5;
  setSix(
    a,
    get(a, 0) - t0 * u0, get(a, 1) - t0 * u1, get(a, 2) - t0 * u2,
    get(a, 3) - t1 * u1, get(a, 4) - t1 * u2, get(a, 5) - t2 * u2,
  );
  setSix(
    b,
    get(b, 0) - t3 * u0, get(b, 1) - t3 * u1, get(b, 2) - t3 * u2,
    get(b, 3) - t4 * u0, get(b, 4) - t4 * u1, get(b, 5) - t4 * u2,
  );
  set(b, 6, get(b, 6) - t5 * u0);
  set(b, 7, get(b, 7) - t5 * u1);
  set(b, 8, get(b, 8) - t5 * u2);
  setSix(
    c,
    get(c, 0) - t3 * u3, get(c, 1) - t3 * u4, get(c, 2) - t3 * u5,
    get(c, 3) - t4 * u4, get(c, 4) - t4 * u5, get(c, 5) - t5 * u5,
  );
}

/** A^-1, G = B^T A^-1; C <- C - G B. */
function factorBall(node: usize): bool {
  const a = at(node, Node.A), b = at(node, Node.B), c = at(node, Node.C);
  const xx = get(a, 0), xy = get(a, 1), xz = get(a, 2);
  const yy = get(a, 3), yz = get(a, 4), zz = get(a, 5);
  const m0 = yy * zz - yz * yz, m1 = xz * yz - xy * zz, m2 = xy * yz - xz * yy;
  const determinant = xx * m0 + xy * m1 + xz * m2;
  const size = xx + yy + zz;
  // The least moment is at least determinant / size^2.
  if (!(determinant > SMALLEST * size * size * size && xx > 0.0 && m0 > 0.0)) return false;
  const s = 1.0 / determinant;
  const i0 = s * m0, i1 = s * m1, i2 = s * m2;
  const i3 = s * (xx * zz - xz * xz), i4 = s * (xy * xz - xx * yz), i5 = s * (xx * yy - xy * xy);
  const inverse = at(node, Node.FACTOR + BallFactor.INVERSE);
  setSix(inverse, i0, i1, i2, i3, i4, i5);
  whiten(xx, xy, xz, yy, yz, zz, at(node, Node.FACTOR + BallFactor.WHITENING));
  // Row k of G is (column k of B)^T A^-1; G is stored by columns.
  const gain = at(node, Node.FACTOR + BallFactor.GAIN);
  for (let k = 0; k < 3; k++) {
    const x0 = get(b, 3 * k), x1 = get(b, 3 * k + 1), x2 = get(b, 3 * k + 2);
    set(gain, k, x0 * i0 + x1 * i1 + x2 * i2);
    set(gain, 3 + k, x0 * i1 + x1 * i3 + x2 * i4);
    set(gain, 6 + k, x0 * i2 + x1 * i4 + x2 * i5);
  }
  let slot = 0;
  for (let k = 0; k < 3; k++) {
    const g0 = get(gain, k), g1 = get(gain, 3 + k), g2 = get(gain, 6 + k);
    for (let j = k; j < 3; j++) {
      const product = g0 * get(b, 3 * j) + g1 * get(b, 3 * j + 1) + g2 * get(b, 3 * j + 2);
      set(c, slot, get(c, slot) - product);
      slot++;
    }
  }
  return true;
}

/** out = L^-1 of a symmetric matrix L L^T. */
// @ts-ignore: decorator
@inline
function whiten(xx: f64, xy: f64, xz: f64, yy: f64, yz: f64, zz: f64, out: usize): void {
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

/** Adds what a joint hands on to the parent. */
// @ts-ignore: decorator
@inline
function handOn(kind: i32, node: usize, parent: usize): void {
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  const c = at(node, Node.C);
  const c0 = get(c, 0), c1 = get(c, 1), c2 = get(c, 2), c3 = get(c, 3), c4 = get(c, 4);
  const c5 = get(c, 5);
  // K = [r] C by columns: r x column.
  const k0 = r1 * c2 - r2 * c1, k1 = r2 * c0 - r0 * c2, k2 = r0 * c1 - r1 * c0;
  const k3 = r1 * c4 - r2 * c3, k4 = r2 * c1 - r0 * c4, k5 = r0 * c3 - r1 * c1;
  const k6 = r1 * c5 - r2 * c4, k7 = r2 * c2 - r0 * c5, k8 = r0 * c4 - r1 * c2;
  const toA = at(parent, Node.A), toB = at(parent, Node.B), toC = at(parent, Node.C);
  if (kind == NodeKind.BALL) {
    addA(toA, r0, r1, r2, 0.5 * k0, 0.5 * k1, 0.5 * k2, 0.5 * k3, 0.5 * k4, 0.5 * k5,
      0.5 * k6, 0.5 * k7, 0.5 * k8);
    addNine(toB, k0, k1, k2, k3, k4, k5, k6, k7, k8);
  } else {
    const a = at(node, Node.A), b = at(node, Node.B);
    const b0 = get(b, 0), b1 = get(b, 1), b2 = get(b, 2), b3 = get(b, 3), b4 = get(b, 4);
    const b5 = get(b, 5), b6 = get(b, 6), b7 = get(b, 7), b8 = get(b, 8);
    for (let i = 0; i < 6; i++) set(toA, i, get(toA, i) + get(a, i));
    addA(toA, r0, r1, r2, b0 + 0.5 * k0, b1 + 0.5 * k1, b2 + 0.5 * k2, b3 + 0.5 * k3,
      b4 + 0.5 * k4, b5 + 0.5 * k5, b6 + 0.5 * k6, b7 + 0.5 * k7, b8 + 0.5 * k8);
    addNine(toB, b0 + k0, b1 + k1, b2 + k2, b3 + k3, b4 + k4, b5 + k5, b6 + k6, b7 + k7, b8 + k8);
  }
  set(toC, 0, get(toC, 0) + c0);
  set(toC, 1, get(toC, 1) + c1);
  set(toC, 2, get(toC, 2) + c2);
  set(toC, 3, get(toC, 3) + c3);
  set(toC, 4, get(toC, 4) + c4);
  set(toC, 5, get(toC, 5) + c5);
}

/**
 * A -= H [r] + (H [r])^T, H by columns. Columns of H [r]: h1 r2 - h2 r1, h2 r0 - h0 r2, h0 r1 - h1 r0 with the
 * columns h of H.
 */
// @ts-ignore: decorator
@inline
function addA(
  a: usize, r0: f64, r1: f64, r2: f64, h0: f64, h1: f64, h2: f64, h3: f64, h4: f64, h5: f64,
  h6: f64, h7: f64, h8: f64,
): void {
  const x0 = h3 * r2 - h6 * r1, x1 = h4 * r2 - h7 * r1, x2 = h5 * r2 - h8 * r1;
  const y0 = h6 * r0 - h0 * r2, y1 = h7 * r0 - h1 * r2, y2 = h8 * r0 - h2 * r2;
  const z0 = h0 * r1 - h3 * r0, z1 = h1 * r1 - h4 * r0, z2 = h2 * r1 - h5 * r0;
  set(a, 0, get(a, 0) - 2.0 * x0);
  set(a, 1, get(a, 1) - (x1 + y0));
  set(a, 2, get(a, 2) - (x2 + z0));
  set(a, 3, get(a, 3) - 2.0 * y1);
  set(a, 4, get(a, 4) - (y2 + z1));
  set(a, 5, get(a, 5) - 2.0 * z2);
}

// @ts-ignore: decorator
@inline
function addNine(
  b: usize, x0: f64, x1: f64, x2: f64, x3: f64, x4: f64, x5: f64, x6: f64, x7: f64, x8: f64,
): void {
  set(b, 0, get(b, 0) + x0);
  set(b, 1, get(b, 1) + x1);
  set(b, 2, get(b, 2) + x2);
  set(b, 3, get(b, 3) + x3);
  set(b, 4, get(b, 4) + x4);
  set(b, 5, get(b, 5) + x5);
  set(b, 6, get(b, 6) + x6);
  set(b, 7, get(b, 7) + x7);
  set(b, 8, get(b, 8) + x8);
}
