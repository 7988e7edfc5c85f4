// The outward pass of tree/lanes.ts: poses, rates, inertias and forces of the nodes.

import { LaneNode, LaneTable, Node, NodeConstant } from "../layout-tree";
import { MAX_REDUCED_ANGLE, setSineCosine } from "../math/sine-cosine";
import { at, getAddress, getInteger, getPair } from "../math/slots";
import { firstNode, lane, setLane, setSix, setThree, sizeOf, sum, toSecond } from "./lane-vector";
import { cross, dot } from "./vector";

/**
 * Poses, rates, own inertias and forces: leanOutwards. False if an angle is very large: single
 * instances reduce it together with that of another node, not of another instance.
 */
export function laneOutwards(table: usize, constants: usize): bool {
  const count = getInteger(table, LaneTable.NODE_COUNT), size = sizeOf(table);
  const nodes = getAddress(table, LaneTable.NODES), q = getAddress(table, LaneTable.TRIAL);
  const next = toSecond(table, Node.LENGTH), nextConstant = toSecond(table, NodeConstant.LENGTH);
  const nextState = <usize>(2 * size) << 3;
  let entry = firstNode(table), node = nodes, constant = constants;
  for (let i = 1; i < count; i++) {
    entry += LaneNode.LENGTH << 2;
    node = at(node, 2 * Node.LENGTH);
    constant = at(constant, 2 * NodeConstant.LENGTH);
    const angle = at(q, 2 * getInteger(entry, LaneNode.COORDINATE)), rate = at(angle, size);
    const parent = at(nodes, 2 * Node.LENGTH * getInteger(entry, LaneNode.PARENT));
    const aligned = getInteger(entry, LaneNode.ALIGNED);
    if (!setTurn(angle, node) || !setTurn(angle + nextState, node + next)) return false;
    if (parent == nodes) {
      startRoot(aligned, rate, constant, parent, node);
      startRoot(aligned, rate + nextState, constant + nextConstant, parent + next, node + next);
    } else {
      startNode(aligned, rate, constant, parent, node);
      startNode(aligned, rate + nextState, constant + nextConstant, parent + next, node + next);
    }
  }
  return true;
}

function setTurn(angle: usize, node: usize): bool {
  const turn = at(node, 2 * Node.TURN), angles = lane(angle, 0);
  const most = f64x2.splat(MAX_REDUCED_ANGLE);
  if (!v128.all_true<i64>(f64x2.lt(f64x2.abs(angles), most))) return false;
  setSineCosine(angles, turn, at(turn, 2));
  return true;
}

// A root is a hinge on the ground, which has the axes of the world and does not rotate. Products
// with its zeros and ones are left out, as are the parts of its inertia and force that only an
// inboard node would read. All other values are equal up to the sign of zeros, which sums of slopes
// lose, as they begin with zero.

function startRoot(aligned: i32, v: usize, constant: usize, parent: usize, node: usize): void {
  pose(true, aligned, constant, parent, node);
  const rate = lane(v, 0), zero = f64x2.splat(0.0);
  setThree(
    node, Node.OMEGA, f64x2.mul(rate, lane(node, 6)), f64x2.mul(rate, lane(node, 7)),
    f64x2.mul(rate, lane(node, 8)),
  );
  setThree(node, Node.BIAS, zero, zero, zero);
  setThree(
    node, Node.BIAS + 3, lane(parent, Node.BIAS + 3), lane(parent, Node.BIAS + 4),
    lane(parent, Node.BIAS + 5),
  );
  ownInertia(true, constant, node);
}

function startNode(aligned: i32, v: usize, constant: usize, parent: usize, node: usize): void {
  pose(false, aligned, constant, parent, node);
  move(lane(v, 0), parent, node);
  ownInertia(false, constant, node);
}

/** hingePose. */
// @ts-ignore: decorator
@inline
function pose(isRoot: bool, aligned: i32, constant: usize, parent: usize, node: usize): void {
  const r0 = lane(parent, 0), r1 = lane(parent, 1), r2 = lane(parent, 2);
  const r3 = lane(parent, 3), r4 = lane(parent, 4), r5 = lane(parent, 5);
  const r6 = lane(parent, 6), r7 = lane(parent, 7), r8 = lane(parent, 8);
  const o0 = lane(constant, NodeConstant.OFFSET), o1 = lane(constant, NodeConstant.OFFSET + 1);
  const o2 = lane(constant, NodeConstant.OFFSET + 2);
  if (!isRoot) {
    setThree(
      node, Node.ARM, dot(r0, o0, r3, o1, r6, o2), dot(r1, o0, r4, o1, r7, o2),
      dot(r2, o0, r5, o1, r8, o2),
    );
  }
  // setSineCosine has written the turn of each lane as a pair.
  const first = getPair(node, 2 * Node.TURN), second = getPair(node, 2 * Node.TURN + 2);
  const s = i64x2.shuffle(first, second, 0, 2), c = i64x2.shuffle(first, second, 1, 3);
  let x0 = r0, x1 = r1, x2 = r2, y0 = r3, y1 = r4, y2 = r5, z0 = r6, z1 = r7, z2 = r8;
  if (isRoot) {
    x0 = lane(constant, NodeConstant.TURN);
    x1 = lane(constant, NodeConstant.TURN + 1);
    x2 = lane(constant, NodeConstant.TURN + 2);
    y0 = lane(constant, NodeConstant.TURN + 3);
    y1 = lane(constant, NodeConstant.TURN + 4);
    y2 = lane(constant, NodeConstant.TURN + 5);
    z0 = lane(constant, NodeConstant.TURN + 6);
    z1 = lane(constant, NodeConstant.TURN + 7);
    z2 = lane(constant, NodeConstant.TURN + 8);
  } else if (!aligned) {
    let t0 = lane(constant, NodeConstant.TURN), t1 = lane(constant, NodeConstant.TURN + 1);
    let t2 = lane(constant, NodeConstant.TURN + 2);
    x0 = dot(r0, t0, r3, t1, r6, t2);
    x1 = dot(r1, t0, r4, t1, r7, t2);
    x2 = dot(r2, t0, r5, t1, r8, t2);
    t0 = lane(constant, NodeConstant.TURN + 3);
    t1 = lane(constant, NodeConstant.TURN + 4);
    t2 = lane(constant, NodeConstant.TURN + 5);
    y0 = dot(r0, t0, r3, t1, r6, t2);
    y1 = dot(r1, t0, r4, t1, r7, t2);
    y2 = dot(r2, t0, r5, t1, r8, t2);
    t0 = lane(constant, NodeConstant.TURN + 6);
    t1 = lane(constant, NodeConstant.TURN + 7);
    t2 = lane(constant, NodeConstant.TURN + 8);
    z0 = dot(r0, t0, r3, t1, r6, t2);
    z1 = dot(r1, t0, r4, t1, r7, t2);
    z2 = dot(r2, t0, r5, t1, r8, t2);
  }
  setLane(node, 0, f64x2.add(f64x2.mul(c, x0), f64x2.mul(s, y0)));
  setLane(node, 1, f64x2.add(f64x2.mul(c, x1), f64x2.mul(s, y1)));
  setLane(node, 2, f64x2.add(f64x2.mul(c, x2), f64x2.mul(s, y2)));
  setLane(node, 3, f64x2.sub(f64x2.mul(c, y0), f64x2.mul(s, x0)));
  setLane(node, 4, f64x2.sub(f64x2.mul(c, y1), f64x2.mul(s, x1)));
  setLane(node, 5, f64x2.sub(f64x2.mul(c, y2), f64x2.mul(s, x2)));
  setLane(node, 6, z0);
  setLane(node, 7, z1);
  setLane(node, 8, z2);
}

/** moveHinge. */
// @ts-ignore: decorator
@inline
function move(rate: v128, parent: usize, node: usize): void {
  const j0 = f64x2.mul(rate, lane(node, 6)), j1 = f64x2.mul(rate, lane(node, 7));
  const j2 = f64x2.mul(rate, lane(node, 8));
  const w0 = lane(parent, Node.OMEGA), w1 = lane(parent, Node.OMEGA + 1);
  const w2 = lane(parent, Node.OMEGA + 2);
  const a0 = lane(parent, Node.BIAS), a1 = lane(parent, Node.BIAS + 1);
  const a2 = lane(parent, Node.BIAS + 2);
  const r0 = lane(node, Node.ARM), r1 = lane(node, Node.ARM + 1), r2 = lane(node, Node.ARM + 2);
  const u0 = cross(w1, r2, w2, r1), u1 = cross(w2, r0, w0, r2), u2 = cross(w0, r1, w1, r0);
  setLane(node, Node.OMEGA, f64x2.add(w0, j0));
  setLane(node, Node.OMEGA + 1, f64x2.add(w1, j1));
  setLane(node, Node.OMEGA + 2, f64x2.add(w2, j2));
  setLane(node, Node.BIAS, f64x2.add(a0, cross(w1, j2, w2, j1)));
  setLane(node, Node.BIAS + 1, f64x2.add(a1, cross(w2, j0, w0, j2)));
  setLane(node, Node.BIAS + 2, f64x2.add(a2, cross(w0, j1, w1, j0)));
  const e0 = f64x2.add(cross(a1, r2, a2, r1), cross(w1, u2, w2, u1));
  const e1 = f64x2.add(cross(a2, r0, a0, r2), cross(w2, u0, w0, u2));
  const e2 = f64x2.add(cross(a0, r1, a1, r0), cross(w0, u1, w1, u0));
  setLane(node, Node.BIAS + 3, f64x2.add(lane(parent, Node.BIAS + 3), e0));
  setLane(node, Node.BIAS + 4, f64x2.add(lane(parent, Node.BIAS + 4), e1));
  setLane(node, Node.BIAS + 5, f64x2.add(lane(parent, Node.BIAS + 5), e2));
}

/** ownInertias. */
// @ts-ignore: decorator
@inline
function ownInertia(isRoot: bool, constant: usize, node: usize): void {
  const xx = lane(constant, NodeConstant.INERTIA), xy = lane(constant, NodeConstant.INERTIA + 1);
  const xz = lane(constant, NodeConstant.INERTIA + 2);
  const yy = lane(constant, NodeConstant.INERTIA + 3);
  const yz = lane(constant, NodeConstant.INERTIA + 4);
  const zz = lane(constant, NodeConstant.INERTIA + 5);
  const r0 = lane(node, 0), r1 = lane(node, 1), r2 = lane(node, 2), r3 = lane(node, 3);
  const r4 = lane(node, 4), r5 = lane(node, 5), r6 = lane(node, 6), r7 = lane(node, 7);
  const r8 = lane(node, 8);
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
  const m0 = lane(constant, NodeConstant.MOMENT), m1 = lane(constant, NodeConstant.MOMENT + 1);
  const m2 = lane(constant, NodeConstant.MOMENT + 2);
  const h0 = dot(r0, m0, r3, m1, r6, m2), h1 = dot(r1, m0, r4, m1, r7, m2);
  const h2 = dot(r2, m0, r5, m1, r8, m2);
  const m = lane(constant, NodeConstant.MASS), zero = f64x2.splat(0.0);
  setSix(node, Node.A, i0, i1, i2, i3, i4, i5);
  if (!isRoot) {
    setThree(node, Node.B, zero, h2, f64x2.neg(h1));
    setThree(node, Node.B + 3, f64x2.neg(h2), zero, h0);
    setThree(node, Node.B + 6, h1, f64x2.neg(h0), zero);
    setSix(node, Node.C, m, zero, zero, m, zero, m);
  }
  const w0 = lane(node, Node.OMEGA), w1 = lane(node, Node.OMEGA + 1);
  const w2 = lane(node, Node.OMEGA + 2);
  const e0 = lane(node, Node.BIAS), e1 = lane(node, Node.BIAS + 1), e2 = lane(node, Node.BIAS + 2);
  const f0 = lane(node, Node.BIAS + 3), f1 = lane(node, Node.BIAS + 4);
  const f2 = lane(node, Node.BIAS + 5);
  const k0 = dot(i0, w0, i1, w1, i2, w2), k1 = dot(i1, w0, i3, w1, i4, w2);
  const k2 = dot(i2, w0, i4, w1, i5, w2);
  if (isRoot) {
    setThree(
      node, Node.FORCE,
      f64x2.add(cross(w1, k2, w2, k1), cross(h1, f2, h2, f1)),
      f64x2.add(cross(w2, k0, w0, k2), cross(h2, f0, h0, f2)),
      f64x2.add(cross(w0, k1, w1, k0), cross(h0, f1, h1, f0)),
    );
    return;
  }
  const x0 = cross(w1, h2, w2, h1), x1 = cross(w2, h0, w0, h2), x2 = cross(w0, h1, w1, h0);
  setSix(
    node, Node.FORCE,
    sum(dot(i0, e0, i1, e1, i2, e2), cross(w1, k2, w2, k1), cross(h1, f2, h2, f1)),
    sum(dot(i1, e0, i3, e1, i4, e2), cross(w2, k0, w0, k2), cross(h2, f0, h0, f2)),
    sum(dot(i2, e0, i4, e1, i5, e2), cross(w0, k1, w1, k0), cross(h0, f1, h1, f0)),
    sum(f64x2.mul(m, f0), cross(e1, h2, e2, h1), cross(w1, x2, w2, x1)),
    sum(f64x2.mul(m, f1), cross(e2, h0, e0, h2), cross(w2, x0, w0, x2)),
    sum(f64x2.mul(m, f2), cross(e0, h1, e1, h0), cross(w0, x1, w1, x0)),
  );
}
