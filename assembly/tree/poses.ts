// Poses of the nodes, outwards from the ground:
//
//   R = R_p TURN Z(q),   p = p_p + r,   r = R_p OFFSET + z s
//
// with Z a turn about z by the angle of a hinge or screw, the turn of a ball's Euler parameters, or
// none; s is the displacement of a slide, pitch times the angle of a screw, or none.

import { Status } from "../layout";
import { Node, NodeConstant, NodeEntry, NodeKind, TreePart, TreeTable } from "../layout-tree";
import { setSineCosine } from "../math/sine-cosine";
import { at, get, getInteger, getPair, pairOf, set, setPair, splat } from "../math/slots";
import { setRotation } from "../rotation/matrix";
import { squareOf, squareStatus } from "../rotation/quaternion";
import { setThree } from "../kinematics/vector";
import { along, ENTRY_BYTES, firstEntry, treeAddress } from "./vector";

/** TURN of all nodes with an angle, two at a time. */
export function setTurns(tree: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const positions = treeAddress(tree, TreeTable.POSITIONS);
  let node = at(treeAddress(tree, TreeTable.NODES), Node.LENGTH);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  for (let i = 1; i < count; i += 2) {
    const next = i + 1 < count ? entry + ENTRY_BYTES : entry;
    const other = i + 1 < count ? at(node, Node.LENGTH) : node;
    if (hasAngle(entry) || hasAngle(next)) {
      setSineCosine(
        pairOf(angleOf(entry, positions), angleOf(next, positions)),
        at(node, Node.TURN), at(other, Node.TURN),
      );
    }
    node = at(node, 2 * Node.LENGTH);
    entry += 2 * ENTRY_BYTES;
  }
}

// @ts-ignore: decorator
@inline
function hasAngle(entry: usize): bool {
  const kind = getInteger(entry, NodeEntry.KIND);
  return kind == NodeKind.HINGE || kind == NodeKind.SCREW;
}

// @ts-ignore: decorator
@inline
function angleOf(entry: usize, positions: usize): f64 {
  return hasAngle(entry) ? get(positions, getInteger(entry, NodeEntry.POSITION)) : 0.0;
}

/** ROTATION, POINT and ARM of a node at its q and TURN. SINGULAR or NON_FINITE name a velocity. */
// @ts-ignore: decorator
@inline
export function setPose(
  parts: i32, kind: i32, entry: usize, q: usize, constant: usize, parent: usize, node: usize,
): i32 {
  if (kind == NodeKind.HINGE) {
    hingePose(parts, getInteger(entry, NodeEntry.ALIGNED), constant, parent, node);
    return Status.OK;
  }
  if (kind == NodeKind.BALL) return ballPose(parts, entry, q, constant, parent, node);
  return otherPose(kind, entry, q, constant, parent, node);
}

function otherPose(
  kind: i32, entry: usize, q: usize, constant: usize, parent: usize, node: usize,
): i32 {
  if (kind == NodeKind.FREE) return freePose(entry, q, node);
  jointAxes(getInteger(entry, NodeEntry.ALIGNED), parent, constant, node);
  if (kind == NodeKind.SCREW) turnAboutZ(node);
  place(kind, q, constant, parent, node);
  return Status.OK;
}

/** Pose of a hinge in registers: x and y of vectors as pairs. */
// @ts-ignore: decorator
@inline
function hingePose(parts: i32, aligned: i32, constant: usize, parent: usize, node: usize): void {
  const s = get(node, Node.TURN), c = get(node, Node.TURN + 1);
  let x = getPair(parent, 0), y = getPair(parent, 3), z = getPair(parent, 6);
  let x2 = get(parent, 2), y2 = get(parent, 5), z2 = get(parent, 8);
  setArm(parts, constant, x, y, z, x2, y2, z2, parent, node);
  if (!aligned) {
    const u = combined(constant, NodeConstant.TURN, x, y, z);
    const v = combined(constant, NodeConstant.TURN + 3, x, y, z);
    const w = combined(constant, NodeConstant.TURN + 6, x, y, z);
    const u2 = combinedLast(constant, NodeConstant.TURN, x2, y2, z2);
    const v2 = combinedLast(constant, NodeConstant.TURN + 3, x2, y2, z2);
    z2 = combinedLast(constant, NodeConstant.TURN + 6, x2, y2, z2);
    x = u;
    y = v;
    z = w;
    x2 = u2;
    y2 = v2;
  }
  const ss = f64x2.splat(s), cc = f64x2.splat(c);
  setPair(node, 0, f64x2.add(f64x2.mul(cc, x), f64x2.mul(ss, y)));
  set(node, 2, c * x2 + s * y2);
  setPair(node, 3, f64x2.sub(f64x2.mul(cc, y), f64x2.mul(ss, x)));
  set(node, 5, c * y2 - s * x2);
  setPair(node, 6, z);
  set(node, 8, z2);
}

/** R_p TURN R(e), with R(e) as in rotation/matrix.ts. */
// @ts-ignore: decorator
@inline
function ballPose(
  parts: i32, entry: usize, e: usize, constant: usize, parent: usize, node: usize,
): i32 {
  const square = squareOf(e);
  const status = squareStatus(square, getInteger(entry, NodeEntry.VELOCITY));
  if (status != Status.OK) return status;
  let x = getPair(parent, 0), y = getPair(parent, 3), z = getPair(parent, 6);
  let x2 = get(parent, 2), y2 = get(parent, 5), z2 = get(parent, 8);
  setArm(parts, constant, x, y, z, x2, y2, z2, parent, node);
  if (!getInteger(entry, NodeEntry.ALIGNED)) {
    const u = combined(constant, NodeConstant.TURN, x, y, z);
    const v = combined(constant, NodeConstant.TURN + 3, x, y, z);
    const w = combined(constant, NodeConstant.TURN + 6, x, y, z);
    const u2 = combinedLast(constant, NodeConstant.TURN, x2, y2, z2);
    const v2 = combinedLast(constant, NodeConstant.TURN + 3, x2, y2, z2);
    z2 = combinedLast(constant, NodeConstant.TURN + 6, x2, y2, z2);
    x = u;
    y = v;
    z = w;
    x2 = u2;
    y2 = v2;
  }
  const scale = 2.0 / square;
  const e1 = get(e, 1), e2 = get(e, 2), e3 = get(e, 3);
  const s0 = scale * get(e, 0), s1 = scale * e1, s2 = scale * e2, s3 = scale * e3;
  setColumn(
    node, x, y, z, x2, y2, z2, 1.0 - (s2 * e2 + s3 * e3), s1 * e2 + s0 * e3, s1 * e3 - s0 * e2,
  );
  setColumn(
    at(node, 3), x, y, z, x2, y2, z2,
    s1 * e2 - s0 * e3, 1.0 - (s1 * e1 + s3 * e3), s2 * e3 + s0 * e1,
  );
  setColumn(
    at(node, 6), x, y, z, x2, y2, z2,
    s1 * e3 + s0 * e2, s2 * e3 - s0 * e1, 1.0 - (s1 * e1 + s2 * e2),
  );
  return Status.OK;
}

/** ARM and POINT of a node that does not slide, by the axes of its parent. */
// @ts-ignore: decorator
@inline
function setArm(
  parts: i32, constant: usize, x: v128, y: v128, z: v128, x2: f64, y2: f64, z2: f64,
  parent: usize, node: usize,
): void {
  const arm = combined(constant, NodeConstant.OFFSET, x, y, z);
  const arm2 = combinedLast(constant, NodeConstant.OFFSET, x2, y2, z2);
  setPair(node, Node.ARM, arm);
  set(node, Node.ARM + 2, arm2);
  if (parts & TreePart.LEAN) return;
  setPair(node, Node.POINT, f64x2.add(getPair(parent, Node.POINT), arm));
  set(node, Node.POINT + 2, get(parent, Node.POINT + 2) + arm2);
}

/** A column of a product: x t0 + y t1 + z t2. */
// @ts-ignore: decorator
@inline
function setColumn(
  out: usize, x: v128, y: v128, z: v128, x2: f64, y2: f64, z2: f64, t0: f64, t1: f64, t2: f64,
): void {
  const first = f64x2.mul(x, f64x2.splat(t0)), second = f64x2.mul(y, f64x2.splat(t1));
  setPair(out, 0, f64x2.add(f64x2.add(first, second), f64x2.mul(z, f64x2.splat(t2))));
  set(out, 2, x2 * t0 + y2 * t1 + z2 * t2);
}

/** x t0 + y t1 + z t2 with the vector t in the constants. */
// @ts-ignore: decorator
@inline
function combined(constant: usize, slot: i32, x: v128, y: v128, z: v128): v128 {
  const first = f64x2.mul(x, splat(constant, slot));
  const second = f64x2.mul(y, splat(constant, slot + 1));
  return f64x2.add(f64x2.add(first, second), f64x2.mul(z, splat(constant, slot + 2)));
}

// @ts-ignore: decorator
@inline
function combinedLast(constant: usize, slot: i32, x: f64, y: f64, z: f64): f64 {
  return x * get(constant, slot) + y * get(constant, slot + 1) + z * get(constant, slot + 2);
}

/** Axes and point of a free node, from its own coordinates. */
function freePose(entry: usize, q: usize, node: usize): i32 {
  const e = at(q, 3);
  const square = squareOf(e);
  const status = squareStatus(square, getInteger(entry, NodeEntry.VELOCITY));
  if (status != Status.OK) return status;
  setRotation(e, square, node);
  for (let i = 0; i < 3; i++) {
    set(node, Node.POINT + i, get(q, i));
    set(node, Node.ARM + i, get(q, i));
  }
  return Status.OK;
}

/** ROTATION = R_p TURN. */
// @ts-ignore: decorator
@inline
function jointAxes(aligned: i32, parent: usize, constant: usize, node: usize): void {
  if (aligned) {
    for (let i = 0; i < 9; i++) set(node, Node.ROTATION + i, get(parent, Node.ROTATION + i));
    return;
  }
  const r0 = get(parent, 0), r1 = get(parent, 1), r2 = get(parent, 2);
  const r3 = get(parent, 3), r4 = get(parent, 4), r5 = get(parent, 5);
  const r6 = get(parent, 6), r7 = get(parent, 7), r8 = get(parent, 8);
  for (let j = 0; j < 9; j += 3) {
    const x0 = get(constant, NodeConstant.TURN + j);
    const x1 = get(constant, NodeConstant.TURN + j + 1);
    const x2 = get(constant, NodeConstant.TURN + j + 2);
    setThree(
      at(node, Node.ROTATION + j),
      r0 * x0 + r3 * x1 + r6 * x2, r1 * x0 + r4 * x1 + r7 * x2, r2 * x0 + r5 * x1 + r8 * x2,
    );
  }
}

/** Rotates x and y about z. */
// @ts-ignore: decorator
@inline
function turnAboutZ(node: usize): void {
  const s = get(node, Node.TURN), c = get(node, Node.TURN + 1);
  const x0 = get(node, 0), x1 = get(node, 1), x2 = get(node, 2);
  const y0 = get(node, 3), y1 = get(node, 4), y2 = get(node, 5);
  setThree(node, c * x0 + s * y0, c * x1 + s * y1, c * x2 + s * y2);
  setThree(at(node, 3), c * y0 - s * x0, c * y1 - s * x1, c * y2 - s * x2);
}

/** ARM and POINT. */
// @ts-ignore: decorator
@inline
function place(kind: i32, q: usize, constant: usize, parent: usize, node: usize): void {
  const o0 = get(constant, NodeConstant.OFFSET);
  const o1 = get(constant, NodeConstant.OFFSET + 1);
  const o2 = get(constant, NodeConstant.OFFSET + 2);
  let s = 0.0;
  if (kind == NodeKind.SLIDE) s = get(q, 0);
  else if (kind == NodeKind.SCREW) s = get(constant, NodeConstant.PITCH) * get(q, 0);
  for (let i = 0; i < 3; i++) {
    const arm = along(parent, i, o0, o1, o2) + s * get(node, 6 + i);
    set(node, Node.ARM + i, arm);
    set(node, Node.POINT + i, get(parent, Node.POINT + i) + arm);
  }
}
