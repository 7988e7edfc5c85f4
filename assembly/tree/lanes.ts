// Steps of explicit Runge-Kutta methods for many instances of one tree of hinges without rows and
// force laws: two instances at a time, a lane each. Every lane computes what the kernels of one
// instance compute (outwards.ts, poses.ts, factor.ts, solve.ts), operation by operation, so its
// bits are the same. Records are those of layout-tree.ts with two numbers in each slot.
//
// Rejected: lanes for the nodes of one instance, as in outwards.ts: a node waits for its parent.
// Rejected: all kinds of joints. Chains of hinges are what is varied most, and branches between
// kinds take the values out of the registers.

import { combine } from "../dense/vectors";
import { LaneNode, LaneTable, Node, NodeConstant } from "../layout-tree";
import { AxisFactor } from "../layout-tree";
import { setSineCosine } from "../math/sine-cosine";
import { at, copySlots, get, getAddress, getInteger, getPair, pairOf, set } from "../math/slots";
import { setInteger, setPair } from "../math/slots";
import { combineFrom } from "./stages";
import { cross, dot } from "./vector";

/** As in factor.ts. */
const SMALLEST: f64 = 1e-13;

/** Instances that are computed together: two pairs, so that one pair does not wait for divisions. */
const TOGETHER: i32 = 4;

/**
 * Takes the steps of length h that instances want: of four instances as many as all of them want
 * that want any. A step that fails for one, or leaves a number beyond `largest`, ends those of the
 * four: TAKEN has the steps before it. In the lanes of those that rest, another is computed again.
 */
export function treeLanes(
  table: usize, stages: i32, h: f64, largest: f64, tableau: usize, slopes: usize,
): void {
  const count = getInteger(table, LaneTable.INSTANCES);
  const wanted = getAddress(table, LaneTable.WANTED), taken = getAddress(table, LaneTable.TAKEN);
  const slots = NodeConstant.LENGTH * getInteger(table, LaneTable.NODE_COUNT);
  for (let first = 0; first < count; first += TOGETHER) {
    const end = min(first + TOGETHER, count);
    let steps = 0, any = first;
    for (let i = first; i < end; i++) {
      const own = getInteger(wanted, i);
      setInteger(taken, i, 0);
      if (own <= 0) continue;
      steps = steps == 0 ? own : min(steps, own);
      any = i;
    }
    if (steps == 0) continue;
    for (let l = 0; l < TOGETHER; l++) {
      const i = first + l;
      pack(table, l, i < end && getInteger(wanted, i) > 0 ? i : any);
    }
    const constants = at(getAddress(table, LaneTable.CONSTANTS), slots * first);
    steps = stepsOf(table, constants, steps, stages, h, largest, tableau, slopes);
    for (let i = first; i < end; i++) {
      if (getInteger(wanted, i) <= 0) continue;
      unpack(table, i - first, i);
      setInteger(taken, i, steps);
    }
  }
}

/** Number of coordinates and velocities. */
// @ts-ignore: decorator
@inline
function sizeOf(table: usize): i32 {
  return 2 * (getInteger(table, LaneTable.NODE_COUNT) - 1);
}

/** The state of an instance in a lane of the first or the second pair. */
// @ts-ignore: decorator
@inline
function laneAt(table: usize, l: i32): usize {
  return at(getAddress(table, LaneTable.ACCEPTED), 2 * (l >> 1) * sizeOf(table) + (l & 1));
}

// @ts-ignore: decorator
@inline
function stateAt(table: usize, i: i32): usize {
  return at(getAddress(table, LaneTable.STATES), sizeOf(table) * i);
}

function pack(table: usize, l: i32, i: i32): void {
  const size = sizeOf(table), y = laneAt(table, l), state = stateAt(table, i);
  for (let k = 0; k < size; k++) set(y, 2 * k, get(state, k));
}

function unpack(table: usize, l: i32, i: i32): void {
  const size = sizeOf(table), y = laneAt(table, l), state = stateAt(table, i);
  for (let k = 0; k < size; k++) set(state, k, get(y, 2 * k));
}

function stepsOf(
  table: usize, constants: usize, steps: i32, stages: i32, h: f64, largest: f64,
  tableau: usize, slopes: usize,
): i32 {
  const size = sizeOf(table), n = TOGETHER * size;
  const y = getAddress(table, LaneTable.ACCEPTED), trial = getAddress(table, LaneTable.TRIAL);
  setGround(table, constants);
  for (let step = 0; step < steps; step++) {
    for (let stage = 0; stage < stages; stage++) {
      combineFrom(n, stage, h, y, slopes, at(tableau, stages * stage), trial);
      const out = at(slopes, n * stage);
      outwards(table, constants);
      if (!inwards(table)) return step;
      accelerate(table, out);
      rates(size, trial, out);
      rates(size, at(trial, 2 * size), at(out, 2 * size));
    }
    combine(n, stages, h, y, slopes, at(tableau, stages * stages), trial);
    if (!areBelow(n, trial, largest)) return step;
    copySlots(trial, y, n);
  }
  return steps;
}

/** Bytes from a number of the first pair to that of the second: of records, constants, states. */
// @ts-ignore: decorator
@inline
function toSecond(table: usize, slots: i32): usize {
  return <usize>(2 * slots * getInteger(table, LaneTable.NODE_COUNT)) << 3;
}

/** The ground accelerates with -g, which its constants hold here, as a ground has no others. */
function setGround(table: usize, constants: usize): void {
  const ground = getAddress(table, LaneTable.NODES);
  const other = ground + toSecond(table, Node.LENGTH);
  const others = constants + toSecond(table, NodeConstant.LENGTH);
  for (let i = 0; i < 3; i++) {
    setLane(ground, Node.BIAS + 3 + i, lane(constants, i));
    setLane(other, Node.BIAS + 3 + i, lane(others, i));
  }
}

/** Positions are angles, whose rates are velocities: treePositionRate. */
// @ts-ignore: decorator
@inline
function rates(size: i32, state: usize, out: usize): void {
  const zero = f64x2.splat(0.0), velocities = size >> 1;
  for (let k = 0; k < velocities; k++) {
    const rate = lane(state, velocities + k);
    setLane(out, k, f64x2.add(rate, f64x2.mul(zero, rate)));
  }
}

/** Comparisons with NaN are false. */
// @ts-ignore: decorator
@inline
function areBelow(n: i32, x: usize, largest: f64): bool {
  const most = f64x2.splat(largest);
  let below = f64x2.eq(most, most);
  for (let i = 0; i < n; i += 2) {
    below = v128.and(below, f64x2.lt(f64x2.abs(getPair(x, i)), most));
  }
  return v128.all_true<i64>(below);
}

/** Poses, rates, own inertias and forces: leanOutwards. */
function outwards(table: usize, constants: usize): void {
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
    setTurn(angle, node);
    setTurn(angle + nextState, node + next);
    if (parent == nodes) {
      startRoot(aligned, rate, constant, parent, node);
      startRoot(aligned, rate + nextState, constant + nextConstant, parent + next, node + next);
    } else {
      startNode(aligned, rate, constant, parent, node);
      startNode(aligned, rate + nextState, constant + nextConstant, parent + next, node + next);
    }
  }
}

function setTurn(angle: usize, node: usize): void {
  const turn = at(node, 2 * Node.TURN);
  setSineCosine(lane(angle, 0), turn, at(turn, 2));
}

// A root is a hinge on the ground, which has the axes of the world and does not rotate. Products
// with its zeros and ones are left out, as are numbers that only other parents need: the inertia of
// a root but A, and its force. The numbers that remain are the same but for the sign of zeros, and
// sums of slopes, which begin with zero, do not have it.

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

/** factorHinge of all nodes, with the forces; false if a joint of a lane moves no mass. */
function inwards(table: usize): bool {
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
function accelerate(table: usize, out: usize): void {
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

/** a + t x */
// @ts-ignore: decorator
@inline
function more(a: v128, t: v128, x: v128): v128 {
  return f64x2.add(a, f64x2.mul(t, x));
}

/** a - t x */
// @ts-ignore: decorator
@inline
function less(a: v128, t: v128, x: v128): v128 {
  return f64x2.sub(a, f64x2.mul(t, x));
}

// @ts-ignore: decorator
@inline
function sum(a: v128, b: v128, c: v128): v128 {
  return f64x2.add(f64x2.add(a, b), c);
}

/** The same slot of both lanes. */
// @ts-ignore: decorator
@inline
function lane(record: usize, slot: i32): v128 {
  return getPair(record, 2 * slot);
}

// @ts-ignore: decorator
@inline
function setLane(record: usize, slot: i32, pair: v128): void {
  setPair(record, 2 * slot, pair);
}

// @ts-ignore: decorator
@inline
function setThree(record: usize, slot: i32, x0: v128, x1: v128, x2: v128): void {
  setLane(record, slot, x0);
  setLane(record, slot + 1, x1);
  setLane(record, slot + 2, x2);
}

// @ts-ignore: decorator
@inline
function setSix(
  record: usize, slot: i32, x0: v128, x1: v128, x2: v128, x3: v128, x4: v128, x5: v128,
): void {
  setThree(record, slot, x0, x1, x2);
  setThree(record, slot + 3, x3, x4, x5);
}

// @ts-ignore: decorator
@inline
function addThree(record: usize, slot: i32, x0: v128, x1: v128, x2: v128): void {
  setThree(
    record, slot, f64x2.add(lane(record, slot), x0), f64x2.add(lane(record, slot + 1), x1),
    f64x2.add(lane(record, slot + 2), x2),
  );
}

/** The entry of the ground. */
// @ts-ignore: decorator
@inline
function firstNode(table: usize): usize {
  return table + (LaneTable.LENGTH << 2);
}
