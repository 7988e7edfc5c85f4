// The equations of a stage along a tree of hinges, slides and screws without rows, in a time that
// is linear in the number of nodes. Pi = M - alpha dR/dv - alpha^2 dR/dx (implicit/pi.ts,
// entries.ts) is full for a chain: a thousand hinges would take a thousand million multiplications.
// But Pi x = right means that S . f^ = 0 at every joint, with f^ determined by the motions along
// the tree; so it is eliminated joint by joint from the leaves, as articulated bodies are.
//
// Let z = (xi, V^, P) of a node (columns.ts), 18 components. With x2 the unknown of a joint and b1,
// b2 the right-hand side of I - alpha df/dy, so that xi etc. add up alpha^2 x2 + alpha b1 and so
// on,
//
//   z = X z_p + G x2 + g,    G = (alpha^2 S, alpha S + alpha^2 psi', S + alpha (S' + psi') +
// alpha^2 psi''),
//                            g = (alpha b1 S, alpha b1 psi', alpha b1 psi'' - b2 S),
//
// X carries from the point of the parent. If the node and all outboard of it respond by f^ = F z +
// c z_p + phi, with c a spring between the node and its parent, S . f^ = 0 yields
//
//   x2 = -(t + L z_p) / D,   D = S . F G,   L = S . (F X + c),   t = S . (F g + phi),
//
// and the parent gets, with the force k z of that spring on it and the joint's force f, which
// turns with it,
//
//   F_p   += H - h L / D,     H = X^T (F X + c) + k X,   h = X^T (F G + alpha^2 S x* f) + k G,
//   phi_p += X^T (F g + phi + alpha b1 S x* f) + k g - h t / D.
//
// alpha is complex for Radau's methods: F, G, L, h, D are pairs of a real and an imaginary part.
// Real methods use the same kernels; a second copy of them would save some tens of microseconds in
// a step of a thousand nodes.

import { reciprocal, sizeOf, times } from "../../implicit/complex-lu";
import { Status } from "../../layout";
import {
  ForceBlock, NodeColumns, NodeDerivative, StageNode, TreeDerivatives, TreeLink,
} from "../../layout-stiff";
import { Node, NodeEntry, TreeTable } from "../../layout-tree";
import {
  at, clearSlots, copySlots, get, getAddress, getInteger, getPair, pairOf, set, setPair,
} from "../../math/slots";
import { statusAt } from "../../math/status";
import { ENTRY_BYTES, firstEntry, setSix, treeAddress } from "../vector";
import { widthOf } from "../whitened";
import { carryBlock, startNodes, takeBlock } from "./blocks";
import { treeAxes, treeColumns } from "./columns";
import { inertiaTimes, setInertias } from "./mass";
import { addCrossForce, addNumbers, carryColumns, carryForce } from "./spatial";

/** Columns of F: three motions of six. */
const COLUMNS: i32 = 18;

/**
 * Eliminates for alpha, into a StageNode for each node. `links`: a TreeLink for each. SINGULAR
 * names a velocity. Node data are copied, so that solves do not depend on later motion of the
 * tree.
 */
export function treeStageFactor(
  derivatives: usize, links: usize, real: f64, imaginary: f64, stages: usize,
): i32 {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const records = getAddress(derivatives, TreeDerivatives.RECORDS);
  const scratch = getAddress(derivatives, TreeDerivatives.SCRATCH);
  const columns = getAddress(derivatives, TreeDerivatives.COLUMNS);
  const count = getInteger(tree, TreeTable.NODE_COUNT), entries = firstEntry(tree);
  for (let i = 1; i < count; i++) {
    startNode(at(records, NodeDerivative.LENGTH * i), at(stages, StageNode.LENGTH * i), scratch);
  }
  const alpha = pairOf(real, imaginary);
  for (let i = count - 1; i > 0; i--) {
    const entry = entries + ENTRY_BYTES * i, parent = getInteger(entry, NodeEntry.PARENT);
    const record = at(records, NodeDerivative.LENGTH * i), link = at(links, TreeLink.LENGTH * i);
    const stage = at(stages, StageNode.LENGTH * i);
    const velocity = getInteger(entry, NodeEntry.VELOCITY);
    const column = at(columns, NodeColumns.LENGTH * velocity);
    const moves = widthOf(getInteger(entry, NodeEntry.KIND)) == 1;
    if (moves && !pivot(record, link, column, alpha, stage)) {
      return statusAt(Status.SINGULAR, velocity);
    }
    if (parent == 0) continue;
    handOn(moves, link, column, stage, at(stages, StageNode.LENGTH * parent), scratch);
  }
  return Status.OK;
}

/** F of a node alone: (K, D, -I). */
function startNode(record: usize, stage: usize, scratch: usize): void {
  const f = at(stage, StageNode.ANSWER), inertia = at(scratch, 0), unit = at(scratch, 6);
  clearSlots(f, 12 * COLUMNS);
  for (let k = 0; k < 36; k++) {
    set(f, 2 * k, get(record, NodeDerivative.STIFFNESS + k));
    set(f, 72 + 2 * k, get(record, NodeDerivative.DAMPING + k));
  }
  for (let j = 0; j < 6; j++) {
    setSix(unit, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    set(unit, j, 1.0);
    inertiaTimes(record, unit, inertia);
    for (let i = 0; i < 6; i++) set(f, 144 + 12 * j + 2 * i, -get(inertia, i));
  }
}

/** Computes G, F G, 1 / D and h; returns false if D is zero or NaN. */
function pivot(record: usize, link: usize, column: usize, alpha: v128, stage: usize): bool {
  const square = times(alpha, alpha), g = at(stage, StageNode.COLUMN);
  for (let k = 0; k < 6; k++) {
    const s = f64x2.splat(get(column, k));
    const rate = f64x2.splat(get(column, NodeColumns.RATE + k));
    const twice = f64x2.splat(get(column, NodeColumns.TWICE + k));
    const second = f64x2.splat(get(column, NodeColumns.SECOND + k));
    setPair(g, 2 * k, f64x2.mul(square, s));
    setPair(g, 12 + 2 * k, f64x2.add(f64x2.mul(alpha, s), f64x2.mul(square, rate)));
    const first = f64x2.add(pairOf(get(column, k), 0.0), f64x2.mul(alpha, twice));
    setPair(g, 24 + 2 * k, f64x2.add(first, f64x2.mul(square, second)));
  }
  const h = at(stage, StageNode.HANDED);
  clearSlots(h, 12);
  addTimes(COLUMNS, at(stage, StageNode.ANSWER), g, h);
  const d = forceAlong(column, h), size = sizeOf(d);
  if (!(size < Infinity) || !(1.0 / size < Infinity)) return false;
  setPair(stage, StageNode.INVERSE, reciprocal(d));
  // S x* f, also used by solves.
  const turned = at(stage, StageNode.TURNED);
  clearSlots(turned, 6);
  addCrossForce(column, at(record, NodeDerivative.WRENCH), turned);
  for (let k = 0; k < 6; k++) {
    const more = f64x2.mul(square, f64x2.splat(get(turned, k)));
    setPair(h, 2 * k, f64x2.add(getPair(h, 2 * k), more));
  }
  carryPairs(at(link, TreeLink.ARM), h);
  addLink(at(link, TreeLink.ON_PARENT), g, h);
  return true;
}

/** force += K xi + D V^ for the two matrices of a link. */
function addLink(link: usize, motion: usize, force: usize): void {
  for (let j = 0; j < 12; j++) {
    const factor = getPair(motion, 2 * j), column = at(link, 6 * j);
    for (let i = 0; i < 6; i++) {
      const sum = f64x2.add(getPair(force, 2 * i), f64x2.mul(factor, f64x2.splat(get(column, i))));
      setPair(force, 2 * i, sum);
    }
  }
}

/** F_p += H - h L / D; L is kept. */
function handOn(
  moves: bool, link: usize, column: usize, stage: usize, parent: usize, scratch: usize,
): void {
  const h = at(scratch, 0), f = at(parent, StageNode.ANSWER), arm = at(link, TreeLink.ARM);
  copySlots(at(stage, StageNode.ANSWER), h, 12 * COLUMNS);
  for (let part = 0; part < 3; part++) addColumns(arm, at(h, 72 * part));
  const own = at(link, TreeLink.ON_NODE);
  for (let k = 0; k < 72; k++) set(h, 2 * k, get(h, 2 * k) + get(own, k));
  const l = at(stage, StageNode.ROW);
  if (moves) {
    for (let j = 0; j < COLUMNS; j++) setPair(l, 2 * j, forceAlong(column, at(h, 12 * j)));
  }
  const across = at(link, TreeLink.ON_PARENT_CARRIED);
  const inverse = getPair(stage, StageNode.INVERSE), handed = at(stage, StageNode.HANDED);
  for (let j = 0; j < COLUMNS; j++) {
    const to = at(f, 12 * j), from = at(h, 12 * j);
    carryPairs(arm, from);
    for (let i = 0; i < 12; i += 2) setPair(to, i, f64x2.add(getPair(to, i), getPair(from, i)));
    if (j < 12) {
      for (let i = 0; i < 6; i++) set(to, 2 * i, get(to, 2 * i) + get(across, 6 * j + i));
    }
    if (!moves) continue;
    const share = times(getPair(l, 2 * j), inverse);
    for (let i = 0; i < 12; i += 2) {
      setPair(to, i, f64x2.sub(getPair(to, i), times(getPair(handed, i), share)));
    }
  }
}

/**
 * x = (I - alpha df/dy)^-1 b by the elimination in memory; b = (b1, b2), all real parts, then all
 * imaginary ones if `isComplex`. x may be b.
 */
export function treeStageSolve(
  derivatives: usize, links: usize, real: f64, imaginary: f64, isComplex: i32, stages: usize,
  b: usize, x: usize,
): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const columns = getAddress(derivatives, TreeDerivatives.COLUMNS);
  const n = getInteger(tree, TreeTable.VELOCITY_COUNT);
  const count = getInteger(tree, TreeTable.NODE_COUNT), entries = firstEntry(tree);
  const alpha = pairOf(real, imaginary), far = isComplex ? 2 * n : 0;
  for (let i = 0; i < count; i++) {
    clearSlots(at(stages, StageNode.LENGTH * i + StageNode.FORCE), 12);
  }
  for (let i = count - 1; i > 0; i--) {
    const entry = entries + ENTRY_BYTES * i, parent = getInteger(entry, NodeEntry.PARENT);
    const stage = at(stages, StageNode.LENGTH * i), link = at(links, TreeLink.LENGTH * i);
    const to = parent == 0 ? 0 : at(stages, StageNode.LENGTH * parent + StageNode.FORCE);
    const velocity = getInteger(entry, NodeEntry.VELOCITY);
    if (widthOf(getInteger(entry, NodeEntry.KIND)) == 1) {
      const b1 = pairOf(get(b, velocity), isComplex ? get(b, far + velocity) : 0.0);
      const b2 = pairOf(get(b, n + velocity), isComplex ? get(b, far + n + velocity) : 0.0);
      const column = at(columns, NodeColumns.LENGTH * velocity);
      inwards(column, link, times(alpha, b1), b2, stage);
    } else {
      carryPairs(at(link, TreeLink.ARM), at(stage, StageNode.FORCE));
    }
    if (to != 0) passOn(stage, to);
  }
  clearSlots(at(stages, StageNode.MOTION), 2 * COLUMNS);
  for (let i = 1; i < count; i++) {
    const entry = entries + ENTRY_BYTES * i;
    const stage = at(stages, StageNode.LENGTH * i), link = at(links, TreeLink.LENGTH * i);
    const parent = at(stages, StageNode.LENGTH * getInteger(entry, NodeEntry.PARENT));
    const z = at(stage, StageNode.MOTION), from = at(parent, StageNode.MOTION);
    const moves = widthOf(getInteger(entry, NodeEntry.KIND)) == 1;
    const velocity = getInteger(entry, NodeEntry.VELOCITY);
    let x2 = f64x2.splat(0.0);
    if (moves) {
      let sum = getPair(stage, StageNode.RESIDUAL);
      if (getInteger(entry, NodeEntry.PARENT) != 0) {
        sum = f64x2.add(sum, dotPairs(COLUMNS, at(stage, StageNode.ROW), from));
      }
      x2 = f64x2.neg(times(sum, getPair(stage, StageNode.INVERSE)));
      take(n, velocity, far, isComplex, alpha, x2, b, x);
    }
    for (let part = 0; part < 3; part++) {
      carryMotion(at(link, TreeLink.ARM), at(from, 12 * part), at(z, 12 * part));
    }
    if (!moves) continue;
    const g = at(stage, StageNode.COLUMN), given = at(stage, StageNode.GIVEN);
    for (let k = 0; k < 2 * COLUMNS; k += 2) {
      const own = f64x2.add(times(getPair(g, k), x2), getPair(given, k));
      setPair(z, k, f64x2.add(getPair(z, k), own));
    }
  }
}

/** x1 = b1 + alpha x2, x2 */
// @ts-ignore: decorator
@inline
function take(
  n: i32, velocity: i32, far: i32, isComplex: i32, alpha: v128, x2: v128, b: usize, x: usize,
): void {
  const b1 = pairOf(get(b, velocity), isComplex ? get(b, far + velocity) : 0.0);
  const x1 = f64x2.add(b1, times(alpha, x2));
  set(x, velocity, f64x2.extract_lane(x1, 0));
  set(x, n + velocity, f64x2.extract_lane(x2, 0));
  if (!isComplex) return;
  set(x, far + velocity, f64x2.extract_lane(x1, 1));
  set(x, far + n + velocity, f64x2.extract_lane(x2, 1));
}

/**
 * g and t of a joint; FORCE becomes the force on the parent, except the spring between them.
 * b1: alpha b1.
 */
function inwards(column: usize, link: usize, b1: v128, b2: v128, stage: usize): void {
  const g = at(stage, StageNode.GIVEN), force = at(stage, StageNode.FORCE);
  for (let k = 0; k < 6; k++) {
    const s = f64x2.splat(get(column, k));
    setPair(g, 2 * k, f64x2.mul(b1, s));
    setPair(g, 12 + 2 * k, f64x2.mul(b1, f64x2.splat(get(column, NodeColumns.RATE + k))));
    const second = f64x2.mul(b1, f64x2.splat(get(column, NodeColumns.SECOND + k)));
    setPair(g, 24 + 2 * k, f64x2.sub(second, f64x2.mul(b2, s)));
  }
  addTimes(COLUMNS, at(stage, StageNode.ANSWER), g, force);
  const t = forceAlong(column, force);
  setPair(stage, StageNode.RESIDUAL, t);
  const turned = at(stage, StageNode.TURNED);
  for (let k = 0; k < 6; k++) {
    const more = f64x2.mul(b1, f64x2.splat(get(turned, k)));
    setPair(force, 2 * k, f64x2.add(getPair(force, 2 * k), more));
  }
  carryPairs(at(link, TreeLink.ARM), force);
  addLink(at(link, TreeLink.ON_PARENT), g, force);
  const share = times(t, getPair(stage, StageNode.INVERSE)), handed = at(stage, StageNode.HANDED);
  for (let k = 0; k < 12; k += 2) {
    setPair(force, k, f64x2.sub(getPair(force, k), times(getPair(handed, k), share)));
  }
}

/** Adds the force of a node to that of its parent. */
// @ts-ignore: decorator
@inline
function passOn(stage: usize, to: usize): void {
  const force = at(stage, StageNode.FORCE);
  for (let k = 0; k < 12; k += 2) setPair(to, k, f64x2.add(getPair(to, k), getPair(force, k)));
}

// Input of the elimination of a stage (stage.ts): each node alone, and forces between
// a node and its parent.

/**
 * Axes, columns and inertias of the nodes, each alone; SOLUTION of the nodes as treeColumns
 * requires.
 */
export function treeStageColumns(derivatives: usize): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  treeAxes(derivatives);
  setInertias(tree, getAddress(derivatives, TreeDerivatives.RECORDS));
  treeColumns(derivatives);
}

/**
 * STIFFNESS and DAMPING of each node alone, WRENCH including all nodes outboard of it, and the
 * links with the parents. Arguments as in treeDerivatives; blocks are those of a body with itself
 * or with the body of the parent node.
 */
export function treeStageLinks(
  derivatives: usize, loads: usize, rest: usize, bodyStiffness: usize, bodyDamping: usize,
  distance: i32, links: usize,
): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const scratch = getAddress(derivatives, TreeDerivatives.SCRATCH);
  const records = getAddress(derivatives, TreeDerivatives.RECORDS);
  startNodes(tree, rest, records);
  startLinks(tree, links);
  const count = getInteger(derivatives, TreeDerivatives.BLOCK_COUNT);
  let block = derivatives + ((<usize>getInteger(derivatives, TreeDerivatives.BLOCK_LIST)) << 2);
  const k = scratch, d = at(scratch, 36);
  for (let b = 0; b < count; b++) {
    const slot = getInteger(block, ForceBlock.SLOT);
    const row = getInteger(block, ForceBlock.ROW_BODY);
    const column = getInteger(block, ForceBlock.COLUMN_BODY);
    takeBlock(tree, row, column, distance, at(bodyStiffness, slot), k);
    takeBlock(tree, row, column, distance, at(bodyDamping, slot), d);
    carryBlock(tree, block, loads, k, d);
    addBlock(block, records, links, k, d);
    block += ForceBlock.LENGTH << 2;
  }
  handWrenches(tree, records);
}

/** Sets the arms, and clears the other fields. */
function startLinks(tree: usize, links: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  clearSlots(links, TreeLink.LENGTH * count);
  for (let i = 1; i < count; i++) {
    const arm = at(nodes, Node.LENGTH * i + Node.ARM);
    copySlots(arm, at(links, TreeLink.LENGTH * i + TreeLink.ARM), 3);
  }
}

function addBlock(block: usize, records: usize, links: usize, k: usize, d: usize): void {
  const row = getInteger(block, ForceBlock.ROW_NODE);
  const column = getInteger(block, ForceBlock.COLUMN_NODE);
  if (row == column) {
    const record = at(records, NodeDerivative.LENGTH * row);
    addNumbers(36, k, at(record, NodeDerivative.STIFFNESS));
    addNumbers(36, d, at(record, NodeDerivative.DAMPING));
    return;
  }
  const link = at(links, TreeLink.LENGTH * (row > column ? row : column));
  if (row > column) {
    addNumbers(36, k, at(link, TreeLink.ON_NODE));
    addNumbers(36, d, at(link, TreeLink.ON_NODE + 36));
    return;
  }
  addNumbers(36, k, at(link, TreeLink.ON_PARENT));
  addNumbers(36, d, at(link, TreeLink.ON_PARENT + 36));
  const arm = at(link, TreeLink.ARM);
  carryColumns(k, get(arm, 0), get(arm, 1), get(arm, 2));
  carryColumns(d, get(arm, 0), get(arm, 1), get(arm, 2));
  addNumbers(36, k, at(link, TreeLink.ON_PARENT_CARRIED));
  addNumbers(36, d, at(link, TreeLink.ON_PARENT_CARRIED + 36));
}

/** WRENCH of each node with all nodes outboard of it. */
function handWrenches(tree: usize, records: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT), entries = firstEntry(tree);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const handed = records;
  for (let i = count - 1; i > 0; i--) {
    const parent = getInteger(entries + ENTRY_BYTES * i, NodeEntry.PARENT);
    if (parent == 0) continue;
    // The record of the ground is unused.
    copySlots(at(records, NodeDerivative.LENGTH * i + NodeDerivative.WRENCH), handed, 6);
    carryForce(at(nodes, Node.LENGTH * i + Node.ARM), handed);
    addNumbers(6, handed, at(records, NodeDerivative.LENGTH * parent + NodeDerivative.WRENCH));
  }
}

// Spatial vectors and matrices of complex numbers, as pairs of slots (implicit/complex-lu.ts): six
// pairs per vector, matrices column-major. Arms and axes are real.

/** out += A x for a matrix of `count` columns. */
function addTimes(count: i32, matrix: usize, x: usize, out: usize): void {
  let o0 = getPair(out, 0), o1 = getPair(out, 2), o2 = getPair(out, 4);
  let o3 = getPair(out, 6), o4 = getPair(out, 8), o5 = getPair(out, 10);
  for (let j = 0; j < count; j++) {
    const factor = getPair(x, 2 * j), column = at(matrix, 12 * j);
    o0 = f64x2.add(o0, times(factor, getPair(column, 0)));
    o1 = f64x2.add(o1, times(factor, getPair(column, 2)));
    o2 = f64x2.add(o2, times(factor, getPair(column, 4)));
    o3 = f64x2.add(o3, times(factor, getPair(column, 6)));
    o4 = f64x2.add(o4, times(factor, getPair(column, 8)));
    o5 = f64x2.add(o5, times(factor, getPair(column, 10)));
  }
  setPair(out, 0, o0);
  setPair(out, 2, o1);
  setPair(out, 4, o2);
  setPair(out, 6, o3);
  setPair(out, 8, o4);
  setPair(out, 10, o5);
}

/** S . f for a real S and a complex f. */
// @ts-ignore: decorator
@inline
function forceAlong(axis: usize, force: usize): v128 {
  let sum = f64x2.splat(0.0);
  for (let k = 0; k < 6; k++) {
    sum = f64x2.add(sum, f64x2.mul(f64x2.splat(get(axis, k)), getPair(force, 2 * k)));
  }
  return sum;
}

/** x . y, without conjugation. */
// @ts-ignore: decorator
@inline
function dotPairs(count: i32, x: usize, y: usize): v128 {
  let sum = f64x2.splat(0.0);
  for (let k = 0; k < 2 * count; k += 2) sum = f64x2.add(sum, times(getPair(x, k), getPair(y, k)));
  return sum;
}

/** Component i of r x y for a real r. */
// @ts-ignore: decorator
@inline
function crossed(r: usize, i: i32, y: usize): v128 {
  const j = (i + 1) % 3, k = (i + 2) % 3;
  return f64x2.sub(
    f64x2.mul(f64x2.splat(get(r, j)), getPair(y, 2 * k)),
    f64x2.mul(f64x2.splat(get(r, k)), getPair(y, 2 * j)),
  );
}

/** Carries a force inwards from a point at the arm r. */
function carryPairs(r: usize, force: usize): void {
  for (let i = 0; i < 3; i++) {
    setPair(force, 2 * i, f64x2.add(getPair(force, 2 * i), crossed(r, i, at(force, 6))));
  }
}

/** Carries a motion of the parent to a point at the arm r: v + w x r. */
function carryMotion(r: usize, from: usize, to: usize): void {
  for (let i = 0; i < 3; i++) {
    setPair(to, 2 * i, getPair(from, 2 * i));
    setPair(to, 6 + 2 * i, f64x2.sub(getPair(from, 6 + 2 * i), crossed(r, i, from)));
  }
}

/**
 * Columns of six motions at a point at the arm r, for motions of the parent: see carryColumns of
 * spatial.ts.
 */
function addColumns(r: usize, matrix: usize): void {
  const r0 = f64x2.splat(get(r, 0)), r1 = f64x2.splat(get(r, 1)), r2 = f64x2.splat(get(r, 2));
  for (let i = 0; i < 12; i += 2) {
    const x = getPair(matrix, 36 + i), y = getPair(matrix, 48 + i), z = getPair(matrix, 60 + i);
    addPair(matrix, i, f64x2.sub(f64x2.mul(z, r1), f64x2.mul(y, r2)));
    addPair(matrix, 12 + i, f64x2.sub(f64x2.mul(x, r2), f64x2.mul(z, r0)));
    addPair(matrix, 24 + i, f64x2.sub(f64x2.mul(y, r0), f64x2.mul(x, r1)));
  }
}

// @ts-ignore: decorator
@inline
function addPair(to: usize, slot: i32, value: v128): void {
  setPair(to, slot, f64x2.add(getPair(to, slot), value));
}
