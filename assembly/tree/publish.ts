// The coordinates of bodies (layout-bodies.ts) from those of a tree, anywhere in memory: the trial
// state and its evaluation are not touched. Euler parameters are multiplied along the tree: half
// angles have no jumps, so neither have the parameters of bodies that turn many times.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../layout-bodies";
import { Node, NodeConstant, NodeEntry, NodeKind, TreeTable } from "../layout-tree";
import { at, get, getInteger, set } from "../math/slots";
import { quaternionProduct, setFour, squareOf } from "../rotation/quaternion";
import { setRotation } from "../rotation/matrix";
import { setThree } from "../kinematics/vector";
import { along, back, ENTRY_BYTES, firstEntry, treeAddress } from "./vector";

/** Slots in PUBLISHED. */
const POINT: i32 = 4;
const OMEGA: i32 = 7;
const VELOCITY: i32 = 10;

/** Public q and v of all bodies for q and v at the addresses given. `axes`: scratch of 9 slots. */
export function treePublish(
  tree: usize, q: usize, v: usize, axes: usize, bodyQ: usize, bodyV: usize,
): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  let constant = at(treeAddress(tree, TreeTable.CONSTANTS), NodeConstant.LENGTH);
  let node = at(nodes, Node.LENGTH + Node.PUBLISHED);
  for (let i = 1; i < count; i++) {
    const parent = at(nodes, Node.LENGTH * getInteger(entry, NodeEntry.PARENT) + Node.PUBLISHED);
    const kind = getInteger(entry, NodeEntry.KIND);
    const own = at(q, getInteger(entry, NodeEntry.POSITION));
    const rate = at(v, getInteger(entry, NodeEntry.VELOCITY));
    if (kind == NodeKind.FREE) publishFree(own, rate, axes, node);
    else publishJoint(kind, constant, own, rate, axes, parent, node);
    const body = getInteger(entry, NodeEntry.BODY);
    if (body >= 0) {
      publishBody(
        constant, axes, node, at(bodyQ, BODY_POSITIONS * body), at(bodyV, BODY_VELOCITIES * body),
      );
    }
    entry += ENTRY_BYTES;
    constant = at(constant, NodeConstant.LENGTH);
    node = at(node, Node.LENGTH);
  }
}

/** `axes` become those of the node. */
// @ts-ignore: decorator
@inline
function publishFree(q: usize, v: usize, axes: usize, node: usize): void {
  for (let i = 0; i < 4; i++) set(node, i, get(q, 3 + i));
  setRotation(node, squareOf(node), axes);
  const w0 = get(v, 3), w1 = get(v, 4), w2 = get(v, 5);
  for (let i = 0; i < 3; i++) {
    set(node, POINT + i, get(q, i));
    set(node, OMEGA + i, along(axes, i, w0, w1, w2));
    set(node, VELOCITY + i, get(v, i));
  }
}

// @ts-ignore: decorator
@inline
function publishJoint(
  kind: i32, constant: usize, q: usize, v: usize, axes: usize, parent: usize, node: usize,
): void {
  const o0 = get(constant, NodeConstant.OFFSET), o1 = get(constant, NodeConstant.OFFSET + 1);
  const o2 = get(constant, NodeConstant.OFFSET + 2);
  setRotation(parent, squareOf(parent), axes);
  let r0 = along(axes, 0, o0, o1, o2), r1 = along(axes, 1, o0, o1, o2);
  let r2 = along(axes, 2, o0, o1, o2);
  quaternionProduct(1, parent, at(constant, NodeConstant.TURN_PARAMETERS), node);
  if (kind == NodeKind.BALL) {
    quaternionProduct(1, node, q, node);
  } else if (kind == NodeKind.HINGE || kind == NodeKind.SCREW) {
    NativeMath.sincos(0.5 * get(q, 0));
    const c = NativeMath.sincos_cos, s = NativeMath.sincos_sin;
    const e0 = get(node, 0), e1 = get(node, 1), e2 = get(node, 2), e3 = get(node, 3);
    setFour(node, e0 * c - e3 * s, e1 * c + e2 * s, e2 * c - e1 * s, e0 * s + e3 * c);
  }
  setRotation(node, squareOf(node), axes);
  const z0 = get(axes, 6), z1 = get(axes, 7), z2 = get(axes, 8);
  let turn = 0.0, slide = 0.0, advance = 0.0;
  if (kind == NodeKind.HINGE || kind == NodeKind.SCREW) turn = get(v, 0);
  if (kind == NodeKind.SLIDE || kind == NodeKind.SCREW) {
    const pitch = kind == NodeKind.SLIDE ? 1.0 : get(constant, NodeConstant.PITCH);
    advance = pitch * get(q, 0);
    slide = pitch * get(v, 0);
  }
  r0 += advance * z0;
  r1 += advance * z1;
  r2 += advance * z2;
  const w0 = get(parent, OMEGA), w1 = get(parent, OMEGA + 1), w2 = get(parent, OMEGA + 2);
  let j0 = turn * z0, j1 = turn * z1, j2 = turn * z2;
  if (kind == NodeKind.BALL) {
    const x0 = get(v, 0), x1 = get(v, 1), x2 = get(v, 2);
    j0 = along(axes, 0, x0, x1, x2);
    j1 = along(axes, 1, x0, x1, x2);
    j2 = along(axes, 2, x0, x1, x2);
  }
  const p = at(parent, POINT), u = at(parent, VELOCITY);
  setThree(at(node, POINT), get(p, 0) + r0, get(p, 1) + r1, get(p, 2) + r2);
  setThree(at(node, OMEGA), w0 + j0, w1 + j1, w2 + j2);
  setThree(
    at(node, VELOCITY),
    get(u, 0) + (w1 * r2 - w2 * r1) + slide * z0,
    get(u, 1) + (w2 * r0 - w0 * r2) + slide * z1,
    get(u, 2) + (w0 * r1 - w1 * r0) + slide * z2,
  );
}

// @ts-ignore: decorator
@inline
function publishBody(constant: usize, axes: usize, node: usize, q: usize, v: usize): void {
  const x0 = get(constant, NodeConstant.CENTRE), x1 = get(constant, NodeConstant.CENTRE + 1);
  const x2 = get(constant, NodeConstant.CENTRE + 2);
  const c0 = along(axes, 0, x0, x1, x2), c1 = along(axes, 1, x0, x1, x2);
  const c2 = along(axes, 2, x0, x1, x2);
  const p = at(node, POINT), u = at(node, VELOCITY);
  const w0 = get(node, OMEGA), w1 = get(node, OMEGA + 1), w2 = get(node, OMEGA + 2);
  setThree(q, get(p, 0) + c0, get(p, 1) + c1, get(p, 2) + c2);
  quaternionProduct(1, node, at(constant, NodeConstant.BODY_PARAMETERS), at(q, 3));
  setThree(
    v,
    get(u, 0) + (w1 * c2 - w2 * c1), get(u, 1) + (w2 * c0 - w0 * c2),
    get(u, 2) + (w0 * c1 - w1 * c0),
  );
  const s0 = back(axes, 0, w0, w1, w2), s1 = back(axes, 1, w0, w1, w2);
  const s2 = back(axes, 2, w0, w1, w2);
  const turned = at(constant, NodeConstant.BODY_AXES);
  for (let i = 0; i < 3; i++) set(v, 3 + i, back(turned, i, s0, s1, s2));
}
