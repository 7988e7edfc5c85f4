// Wrenches of rows on the bodies they touch, at the points of their nodes, two
// rows side by side. From there tree/rows.ts carries them inwards.

import { BODY_VELOCITIES, BodyFrame, BodyMass, BodyTable } from "../layout-bodies";
import { Node, NodeConstant, RowBlock, RowSource, TreeTable } from "../layout-tree";
import { addressOf } from "../kinematics/table";
import { at, get, getBoth, getInteger, getPair, set, setPair, splat } from "../math/slots";
import { centre } from "./bodies";
import { cross, dot, treeAddress } from "./vector";

/** Slots of the wrenches of two rows: the same component of both side by side. */
export const PAIR: i32 = 12;

// @ts-ignore: decorator
@inline
export function setWrenches(
  to: usize, n0: v128, n1: v128, n2: v128, f0: v128, f1: v128, f2: v128,
): void {
  setPair(to, 0, n0);
  setPair(to, 2, n1);
  setPair(to, 4, n2);
  setPair(to, 6, f0);
  setPair(to, 8, f1);
  setPair(to, 10, f2);
}

// @ts-ignore: decorator
@inline
export function addWrenches(
  to: usize, n0: v128, n1: v128, n2: v128, f0: v128, f1: v128, f2: v128,
): void {
  setWrenches(
    to,
    f64x2.add(getPair(to, 0), n0), f64x2.add(getPair(to, 2), n1), f64x2.add(getPair(to, 4), n2),
    f64x2.add(getPair(to, 6), f0), f64x2.add(getPair(to, 8), f1), f64x2.add(getPair(to, 10), f2),
  );
}

/**
 * The wrenches of a block on its bodies, at the points of their nodes, and in `free` S_jj of its
 * rows if these bodies were free. An odd row at the end is paired with itself.
 */
// @ts-ignore: decorator
@inline
export function addSources(
  tree: usize, block: usize, wrenches: usize, slots: i32, free: usize, gamma: usize,
): void {
  const rows = getInteger(block, RowBlock.ROWS);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const jacobian = addressOf(table, BodyTable.JACOBIAN);
  const frames = addressOf(table, BodyTable.FRAMES);
  const masses = addressOf(table, BodyTable.MASSES);
  const count = getInteger(block, RowBlock.SOURCE_COUNT);
  for (let i = 0; i < rows; i++) set(free, i, 0.0);
  let source = sourceAt(tree, getInteger(block, RowBlock.FIRST_SOURCE));
  for (let k = 0; k < count; k++) {
    const number = getInteger(source, RowSource.NODE), body = getInteger(source, RowSource.BODY);
    const node = at(nodes, Node.LENGTH * number);
    const constant = at(constants, NodeConstant.LENGTH * number);
    const frame = at(frames, BodyFrame.LENGTH * body), mass = at(masses, BodyMass.LENGTH * body);
    const x0 = centre(constant, node, 0), x1 = centre(constant, node, 1);
    const x2 = centre(constant, node, 2);
    const c0 = f64x2.splat(x0), c1 = f64x2.splat(x1), c2 = f64x2.splat(x2);
    const a0 = gamma != 0 ? centreBias(nodes, node, 0, x0, x1, x2) : 0.0;
    const a1 = gamma != 0 ? centreBias(nodes, node, 1, x0, x1, x2) : 0.0;
    const a2 = gamma != 0 ? centreBias(nodes, node, 2, x0, x1, x2) : 0.0;
    let row = at(jacobian, getInteger(source, RowSource.SLOT));
    let to = at(wrenches, slots * number);
    for (let i = 0; i < rows; i += 2) {
      const next = i + 1 < rows ? at(row, BODY_VELOCITIES) : row;
      // As addLoad of tree/bodies.ts, with the terms common to both rows.
      const f0 = getBoth(row, next, 0), f1 = getBoth(row, next, 1), f2 = getBoth(row, next, 2);
      const t0 = getBoth(row, next, 3), t1 = getBoth(row, next, 4), t2 = getBoth(row, next, 5);
      const n0 = f64x2.add(turned(frame, 0, t0, t1, t2), cross(c1, f2, c2, f1));
      const n1 = f64x2.add(turned(frame, 1, t0, t1, t2), cross(c2, f0, c0, f2));
      const n2 = f64x2.add(turned(frame, 2, t0, t1, t2), cross(c0, f1, c1, f0));
      addWrenches(to, n0, n1, n2, f0, f1, f2);
      if (gamma != 0) {
        subtractBias(rows - i, node, a0, a1, a2, n0, n1, n2, f0, f1, f2, at(gamma, i));
      }
      const turning = freeTurning(at(mass, BodyMass.INVERSE_INERTIA), t0, t1, t2);
      const moving = f64x2.mul(splat(mass, BodyMass.INVERSE_MASS), dot(f0, f0, f1, f1, f2, f2));
      addRows(rows - i, at(free, i), moving, turning);
      row = at(next, BODY_VELOCITIES);
      to = at(to, PAIR);
    }
    source += RowSource.LENGTH << 2;
  }
}

/** Copies gamma of the bodies, from which that of the coordinates starts. */
// @ts-ignore: decorator
@inline
export function startGamma(tree: usize, block: usize, gamma: usize): void {
  const from = at(
    addressOf(treeAddress(tree, TreeTable.BODY_TABLE), BodyTable.GAMMA),
    getInteger(block, RowBlock.FIRST_ROW),
  );
  const rows = getInteger(block, RowBlock.ROWS);
  for (let i = 0; i < rows; i++) set(gamma, i, get(from, i));
}

/** w . I^-1 w of two rows. */
// @ts-ignore: decorator
@inline
function freeTurning(inertia: usize, w0: v128, w1: v128, w2: v128): v128 {
  const x0 = turned(inertia, 0, w0, w1, w2), x1 = turned(inertia, 1, w0, w1, w2);
  return dot(w0, x0, w1, x1, w2, turned(inertia, 2, w0, w1, w2));
}

/** out += x + y, for two rows or a single last one. */
// @ts-ignore: decorator
@inline
function addRows(rows: i32, out: usize, x: v128, y: v128): void {
  if (rows > 1) {
    setPair(out, 0, f64x2.add(f64x2.add(getPair(out, 0), x), y));
  } else {
    set(out, 0, get(out, 0) + f64x2.extract_lane(x, 0) + f64x2.extract_lane(y, 0));
  }
}

/** Component i of R x, with R column-major. */
// @ts-ignore: decorator
@inline
export function turned(r: usize, i: i32, x0: v128, x1: v128, x2: v128): v128 {
  return dot(splat(r, i), x0, splat(r, 3 + i), x1, splat(r, 6 + i), x2);
}

// @ts-ignore: decorator
@inline
export function sourceAt(tree: usize, index: i32): usize {
  const list = getInteger(tree, TreeTable.SOURCE_LIST);
  return tree + ((<usize>(list + RowSource.LENGTH * index)) << 2);
}

/** Component i of a + w x (w x c) of a node, without gravity: see tree/row-solve.ts. */
// @ts-ignore: decorator
@inline
export function centreBias(
  nodes: usize, node: usize, i: i32, c0: f64, c1: f64, c2: f64,
): f64 {
  const w = at(node, Node.OMEGA), w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const u0 = w1 * c2 - w2 * c1, u1 = w2 * c0 - w0 * c2, u2 = w0 * c1 - w1 * c0;
  const a = get(node, Node.BIAS + 3 + i) - get(nodes, Node.BIAS + 3 + i);
  if (i == 0) return a + (w1 * u2 - w2 * u1);
  return i == 1 ? a + (w2 * u0 - w0 * u2) : a + (w0 * u1 - w1 * u0);
}

/**
 * Subtracts the bias of one body from two rows, or a single last one: torques n, forces f at its
 * centre of mass, which accelerates by a.
 */
// @ts-ignore: decorator
@inline
export function subtractBias(
  rows: i32, node: usize, a0: f64, a1: f64, a2: f64,
  n0: v128, n1: v128, n2: v128, f0: v128, f1: v128, f2: v128, out: usize,
): void {
  const bias = at(node, Node.BIAS);
  const given = f64x2.add(
    dot(f0, f64x2.splat(a0), f1, f64x2.splat(a1), f2, f64x2.splat(a2)),
    dot(n0, splat(bias, 0), n1, splat(bias, 1), n2, splat(bias, 2)),
  );
  if (rows > 1) setPair(out, 0, f64x2.sub(getPair(out, 0), given));
  else set(out, 0, get(out, 0) - f64x2.extract_lane(given, 0));
}
