// The inward pass of tree/lanes.ts, which factors, and the outward one that finds accelerations.

import { AxisFactor, LaneNode, LaneTable, Node } from "../layout-tree";
import { at, getAddress, getInteger } from "../math/slots";
import {
  addThree, firstNode, lane, less, more, setLane, setSix, setThree, sizeOf, sum, toSecond,
} from "./lane-vector";
import { cross, dot } from "./vector";

/** As in factor.ts. */
const SMALLEST: f64 = 1e-13;

/** factorHinge of all nodes, with the forces; false if a joint of a lane moves no mass. */
export function laneInwards(table: usize): bool {
  const count = getInteger(table, LaneTable.NODE_COUNT);
  const nodes = getAddress(table, LaneTable.NODES), entries = firstNode(table);
  const next = toSecond(table, Node.LENGTH);
  for (let i = count - 1; i > 0; i--) {
    const number = getInteger(entries + ((LaneNode.LENGTH * i) << 2), LaneNode.PARENT);
    const node = at(nodes, 2 * Node.LENGTH * i), parent = at(nodes, 2 * Node.LENGTH * number);
    let moves = 0;
    if (number == 0) moves = i32(factorRoot(node)) & i32(factorRoot(node + next));
    else if (isRoot(entries, number)) {
      moves = i32(factorOnRoot(node, parent)) & i32(factorOnRoot(node + next, parent + next));
    } else {
      moves = i32(factorOnNode(node, parent)) & i32(factorOnNode(node + next, parent + next));
    }
    if (!moves) return false;
  }
  return true;
}

// @ts-ignore: decorator
@inline
function isRoot(entries: usize, number: i32): bool {
  return getInteger(entries + ((LaneNode.LENGTH * number) << 2), LaneNode.PARENT) == 0;
}

function factorRoot(node: usize): bool {
  return factorHinge(ON_GROUND, node, 0);
}

function factorOnRoot(node: usize, parent: usize): bool {
  return factorHinge(ON_ROOT, node, parent);
}

function factorOnNode(node: usize, parent: usize): bool {
  return factorHinge(ON_NODE, node, parent);
}

/** What a node hangs on. */
const ON_GROUND: i32 = 0;
const ON_ROOT: i32 = 1;
const ON_NODE: i32 = 2;

// @ts-ignore: decorator
@inline
function factorHinge(place: i32, node: usize, parent: usize): bool {
  const z0 = lane(node, 6), z1 = lane(node, 7), z2 = lane(node, 8);
  const a0 = lane(node, Node.A), a1 = lane(node, Node.A + 1), a2 = lane(node, Node.A + 2);
  const a3 = lane(node, Node.A + 3), a4 = lane(node, Node.A + 4), a5 = lane(node, Node.A + 5);
  const u0 = dot(a0, z0, a1, z1, a2, z2), u1 = dot(a1, z0, a3, z1, a4, z2);
  const u2 = dot(a2, z0, a4, z1, a5, z2);
  const d = dot(z0, u0, z1, u1, z2, u2);
  const size = f64x2.mul(f64x2.splat(SMALLEST), sum(a0, a3, a5));
  if (!v128.all_true<i64>(f64x2.gt(d, size))) return false;
  const p = at(node, 2 * Node.FORCE);
  const p0 = lane(p, 0), p1 = lane(p, 1), p2 = lane(p, 2);
  const u = f64x2.neg(dot(z0, p0, z1, p1, z2, p2));
  const inverse = f64x2.div(f64x2.splat(1.0), d);
  setLane(node, Node.DRIVE, u);
  setLane(node, Node.FACTOR + AxisFactor.INVERSE, inverse);
  if (place == ON_GROUND) return true;
  const b = at(node, 2 * Node.B);
  const u3 = dot(lane(b, 0), z0, lane(b, 1), z1, lane(b, 2), z2);
  const u4 = dot(lane(b, 3), z0, lane(b, 4), z1, lane(b, 5), z2);
  const u5 = dot(lane(b, 6), z0, lane(b, 7), z1, lane(b, 8), z2);
  const r0 = lane(node, Node.ARM), r1 = lane(node, Node.ARM + 1), r2 = lane(node, Node.ARM + 2);
  const x0 = f64x2.add(u0, cross(r1, u5, r2, u4)), x1 = f64x2.add(u1, cross(r2, u3, r0, u5));
  const x2 = f64x2.add(u2, cross(r0, u4, r1, u3));
  const t0 = f64x2.mul(inverse, x0), t1 = f64x2.mul(inverse, x1), t2 = f64x2.mul(inverse, x2);
  const p3 = lane(p, 3), p4 = lane(p, 4), p5 = lane(p, 5);
  setThree(node, Node.FACTOR + AxisFactor.SHARE, t0, t1, t2);
  addThree(
    parent, Node.FORCE,
    sum(p0, cross(r1, p5, r2, p4), f64x2.mul(u, t0)),
    sum(p1, cross(r2, p3, r0, p5), f64x2.mul(u, t1)),
    sum(p2, cross(r0, p4, r1, p3), f64x2.mul(u, t2)),
  );
  if (place == ON_NODE) {
    const t3 = f64x2.mul(inverse, u3), t4 = f64x2.mul(inverse, u4), t5 = f64x2.mul(inverse, u5);
    setThree(node, Node.FACTOR + AxisFactor.SHARE + 3, t3, t4, t5);
    addThree(
      parent, Node.FORCE + 3, more(p3, u, t3), more(p4, u, t4), more(p5, u, t5),
    );
  }
  handOn(place, inverse, x0, x1, x2, u3, u4, u5, node, parent);
  return true;
}

/** handOn of factor.ts. */
// @ts-ignore: decorator
@inline
function handOn(
  place: i32, inverse: v128, x0: v128, x1: v128, x2: v128, x3: v128, x4: v128, x5: v128,
  node: usize, parent: usize,
): void {
  const r0 = lane(node, Node.ARM), r1 = lane(node, Node.ARM + 1), r2 = lane(node, Node.ARM + 2);
  const a = at(node, 2 * Node.A), b = at(node, 2 * Node.B), c = at(node, 2 * Node.C);
  const half = f64x2.splat(0.5), two = f64x2.splat(2.0);
  const c0 = lane(c, 0), c1 = lane(c, 1), c2 = lane(c, 2), c3 = lane(c, 3), c4 = lane(c, 4);
  const c5 = lane(c, 5);
  const k0 = cross(r1, c2, r2, c1), k1 = cross(r2, c0, r0, c2), k2 = cross(r0, c1, r1, c0);
  const k3 = cross(r1, c4, r2, c3), k4 = cross(r2, c1, r0, c4), k5 = cross(r0, c3, r1, c1);
  const k6 = cross(r1, c5, r2, c4), k7 = cross(r2, c2, r0, c5), k8 = cross(r0, c4, r1, c2);
  if (place == ON_NODE) {
    const t3 = f64x2.mul(inverse, x3), t4 = f64x2.mul(inverse, x4), t5 = f64x2.mul(inverse, x5);
    addColumn(b, k0, k1, k2, t3, x0, x1, x2, at(parent, 2 * Node.B));
    addColumn(at(b, 6), k3, k4, k5, t4, x0, x1, x2, at(parent, 2 * (Node.B + 3)));
    addColumn(at(b, 12), k6, k7, k8, t5, x0, x1, x2, at(parent, 2 * (Node.B + 6)));
    addThree(parent, Node.C, less(c0, t3, x3), less(c1, t3, x4), less(c2, t3, x5));
    addThree(parent, Node.C + 3, less(c3, t4, x4), less(c4, t4, x5), less(c5, t5, x5));
  }
  const h0 = more(lane(b, 0), half, k0), h1 = more(lane(b, 1), half, k1);
  const h2 = more(lane(b, 2), half, k2), h3 = more(lane(b, 3), half, k3);
  const h4 = more(lane(b, 4), half, k4), h5 = more(lane(b, 5), half, k5);
  const h6 = more(lane(b, 6), half, k6), h7 = more(lane(b, 7), half, k7);
  const h8 = more(lane(b, 8), half, k8);
  const g0 = f64x2.mul(two, cross(h3, r2, h6, r1));
  const g1 = f64x2.add(cross(h4, r2, h7, r1), cross(h6, r0, h0, r2));
  const g2 = f64x2.add(cross(h5, r2, h8, r1), cross(h0, r1, h3, r0));
  const g3 = f64x2.mul(two, cross(h7, r0, h1, r2));
  const g4 = f64x2.add(cross(h8, r0, h2, r2), cross(h1, r1, h4, r0));
  const g5 = f64x2.mul(two, cross(h2, r1, h5, r0));
  const t0 = f64x2.mul(inverse, x0), t1 = f64x2.mul(inverse, x1), t2 = f64x2.mul(inverse, x2);
  addThree(
    parent, Node.A, less(f64x2.sub(lane(a, 0), g0), t0, x0),
    less(f64x2.sub(lane(a, 1), g1), t0, x1), less(f64x2.sub(lane(a, 2), g2), t0, x2),
  );
  addThree(
    parent, Node.A + 3, less(f64x2.sub(lane(a, 3), g3), t1, x1),
    less(f64x2.sub(lane(a, 4), g4), t1, x2), less(f64x2.sub(lane(a, 5), g5), t2, x2),
  );
}

/** A column of B + K less that of x x^T / D. */
// @ts-ignore: decorator
@inline
function addColumn(
  b: usize, k0: v128, k1: v128, k2: v128, t: v128, x0: v128, x1: v128, x2: v128, to: usize,
): void {
  addThree(
    to, 0, less(f64x2.add(lane(b, 0), k0), t, x0), less(f64x2.add(lane(b, 1), k1), t, x1),
    less(f64x2.add(lane(b, 2), k2), t, x2),
  );
}

/** accelerateHinge of all nodes. */
export function laneAccelerate(table: usize, out: usize): void {
  const count = getInteger(table, LaneTable.NODE_COUNT);
  const nodes = getAddress(table, LaneTable.NODES), size = sizeOf(table);
  const next = toSecond(table, Node.LENGTH), nextState = <usize>(2 * size) << 3;
  let entry = firstNode(table), node = nodes;
  for (let i = 1; i < count; i++) {
    entry += LaneNode.LENGTH << 2;
    node = at(node, 2 * Node.LENGTH);
    const number = getInteger(entry, LaneNode.PARENT);
    const to = at(out, size + 2 * getInteger(entry, LaneNode.COORDINATE));
    if (number == 0) {
      accelerateRoot(node, to);
      accelerateRoot(node + next, to + nextState);
    } else {
      const parent = at(nodes, 2 * (Node.LENGTH * number + Node.SOLUTION));
      accelerateNode(node, parent, to);
      accelerateNode(node + next, parent + next, to + nextState);
    }
  }
}

/** The point of a root does not accelerate: the zeros of its SOLUTION stay. */
// @ts-ignore: decorator
@inline
function accelerateRoot(node: usize, to: usize): void {
  const inverse = lane(node, Node.FACTOR + AxisFactor.INVERSE);
  const second = f64x2.mul(lane(node, Node.DRIVE), inverse);
  setLane(to, 0, second);
  setThree(
    node, Node.SOLUTION, f64x2.mul(second, lane(node, 6)), f64x2.mul(second, lane(node, 7)),
    f64x2.mul(second, lane(node, 8)),
  );
}

// @ts-ignore: decorator
@inline
function accelerateNode(node: usize, parent: usize, to: usize): void {
  const x0 = lane(parent, 0), x1 = lane(parent, 1), x2 = lane(parent, 2);
  const x3 = lane(parent, 3), x4 = lane(parent, 4), x5 = lane(parent, 5);
  const t = at(node, 2 * (Node.FACTOR + AxisFactor.SHARE));
  // Of nodes on a root, the last three numbers of SHARE are zero, as x3, x4 and x5 are.
  const known = sum(
    f64x2.add(f64x2.mul(lane(t, 0), x0), f64x2.mul(lane(t, 1), x1)),
    f64x2.add(f64x2.mul(lane(t, 2), x2), f64x2.mul(lane(t, 3), x3)),
    f64x2.add(f64x2.mul(lane(t, 4), x4), f64x2.mul(lane(t, 5), x5)),
  );
  const inverse = lane(node, Node.FACTOR + AxisFactor.INVERSE);
  const second = f64x2.sub(f64x2.mul(lane(node, Node.DRIVE), inverse), known);
  setLane(to, 0, second);
  const r0 = lane(node, Node.ARM), r1 = lane(node, Node.ARM + 1), r2 = lane(node, Node.ARM + 2);
  setSix(
    node, Node.SOLUTION, more(x0, second, lane(node, 6)), more(x1, second, lane(node, 7)),
    more(x2, second, lane(node, 8)), f64x2.add(x3, cross(x1, r2, x2, r1)),
    f64x2.add(x4, cross(x2, r0, x0, r2)), f64x2.add(x5, cross(x0, r1, x1, r0)),
  );
}
