// Accelerations and corrections of a tree with rows, by the factors of tree and rows, corrected by
// residuals as explained in bodies/factor.ts:
//
//   x <- x + M^-1 J^T S~^-1 (right - J x),   J = J_bodies T.
//
// If the factor of the rows is that of this pose, all of this is done on w (tree/whitened.ts).
// A factor kept from a nearby pose has another J and another M: then residuals and corrections
// go through the bodies.

import { addBlocksTransposeTimes, addJacobianTimes } from "../bodies/jacobian";
import { addressOf } from "../kinematics/table";
import { Status } from "../layout";
import { BODY_VELOCITIES, BodyFrame, BodyTable } from "../layout-bodies";
import { Node, NodeConstant, RowBlock, RowSource, TreeTable } from "../layout-tree";
import { at, clearSlots, copySlots, get, getBoth, getInteger, set } from "../math/slots";
import { failed } from "../math/status";
import { largestMagnitude } from "../math/vectors";
import { sparseSolve } from "../sparse/block-cholesky";
import { centre, treeBodyVelocities } from "./bodies";
import { centreBias, sourceAt, subtractBias, turned } from "./row-sources";
import { CORRECTION_LIMIT } from "./rows";
import { treeDrives, treeFromDrives, treeSolve } from "./solve";
import { cross, treeAddress } from "./vector";
import { addRowForces, setDrives, subtractRows, whitenDrives } from "./whitened";

/**
 * out = a + minnorm(right - J a) with a the accelerations without rows; lambda, if not 0, receives
 * the multipliers. `fresh` is 1 if the factor of the rows is that of this pose.
 */
export function treeAccelerate(
  tree: usize, fresh: i32, corrections: i32, loads: usize, right: usize, out: usize, lambda: usize,
): i32 {
  if (fresh) {
    treeDrives(tree, loads);
    return treeAccelerateDriven(tree, corrections, right, out, lambda);
  }
  const status = treeSolve(tree, 1, loads, 0, out);
  if (failed(status)) return status;
  return correct(tree, corrections, right, out, lambda);
}

/** {@link treeAccelerate} if the factor is that of this pose and DRIVE is known. */
export function treeAccelerateDriven(
  tree: usize, corrections: i32, right: usize, out: usize, lambda: usize,
): i32 {
  const w = treeAddress(tree, TreeTable.VELOCITY_SCRATCH);
  whitenDrives(tree, w);
  return correctWhitened(tree, corrections, right, w, out, lambda);
}

/** out = start + minnorm(right); a null `start` stands for zero. */
export function treeMinnorm(
  tree: usize, fresh: i32, corrections: i32, right: usize, start: usize, out: usize, step: usize,
): i32 {
  const velocities = getInteger(tree, TreeTable.VELOCITY_COUNT);
  let status: i32 = Status.OK;
  if (fresh) {
    const w = treeAddress(tree, TreeTable.VELOCITY_SCRATCH);
    clearSlots(w, velocities);
    status = correctWhitened(tree, corrections, right, w, step, 0);
  } else {
    clearSlots(step, velocities);
    status = correct(tree, corrections, right, step, 0);
  }
  if (failed(status)) return status;
  if (start == 0) copySlots(step, out, velocities);
  else for (let i = 0; i < velocities; i++) set(out, i, get(start, i) + get(step, i));
  return Status.OK;
}

/** out = M^-1 of the forces w, after w += w(minnorm(right - J M^-1 of them)). */
export function correctWhitened(
  tree: usize, corrections: i32, right: usize, w: usize, out: usize, lambda: usize,
): i32 {
  const rows = getInteger(tree, TreeTable.ROW_COUNT);
  const sparse = treeAddress(tree, TreeTable.SPARSE_TABLE);
  const factor = treeAddress(tree, TreeTable.SPARSE_FACTOR);
  const scratch = treeAddress(tree, TreeTable.SPARSE_SCRATCH);
  const residual = treeAddress(tree, TreeTable.ROW_SCRATCH);
  const rounds = getInteger(tree, TreeTable.EXACT) ? 0 : corrections;
  if (lambda != 0) clearSlots(lambda, rows);
  let first = 0.0;
  for (let round = 0; round <= rounds; round++) {
    copySlots(right, residual, rows);
    subtractRows(tree, w, residual);
    const status = sparseSolve(sparse, factor, residual, scratch, residual);
    if (failed(status)) return status;
    addRowForces(tree, residual, w);
    if (lambda != 0) {
      for (let i = 0; i < rows; i++) set(lambda, i, get(lambda, i) + get(residual, i));
    }
    if (rounds == 0) break;
    // Multipliers of redundant rows need not shrink with the forces, but none exceeds them.
    const size = largestMagnitude(rows, residual);
    if (round == 0) first = size;
    else if (size <= CORRECTION_LIMIT * first) break;
  }
  setDrives(tree, w);
  return treeFromDrives(tree, out);
}

/** x += minnorm(right - J x). */
function correct(tree: usize, corrections: i32, right: usize, x: usize, lambda: usize): i32 {
  const rows = getInteger(tree, TreeTable.ROW_COUNT);
  if (lambda != 0) clearSlots(lambda, rows);
  if (rows == 0) return Status.OK;
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const velocities = getInteger(tree, TreeTable.VELOCITY_COUNT);
  const sparse = treeAddress(tree, TreeTable.SPARSE_TABLE);
  const factor = treeAddress(tree, TreeTable.SPARSE_FACTOR);
  const scratch = treeAddress(tree, TreeTable.SPARSE_SCRATCH);
  const residual = treeAddress(tree, TreeTable.ROW_SCRATCH);
  const bodies = treeAddress(tree, TreeTable.BODY_SCRATCH);
  const step = treeAddress(tree, TreeTable.VELOCITY_SCRATCH);
  const slots = BODY_VELOCITIES * getInteger(table, BodyTable.BODY_COUNT);
  let first = 0.0;
  for (let round = 0; round <= corrections; round++) {
    copySlots(right, residual, rows);
    treeBodyVelocities(tree, x, bodies);
    addJacobianTimes(table, -1.0, bodies, residual);
    let status = sparseSolve(sparse, factor, residual, scratch, residual);
    if (failed(status)) return status;
    clearSlots(bodies, slots);
    addBlocksTransposeTimes(table, addressOf(table, BodyTable.JACOBIAN), residual, bodies);
    status = treeSolve(tree, 0, bodies, 0, step);
    if (failed(status)) return status;
    for (let i = 0; i < velocities; i++) set(x, i, get(x, i) + get(step, i));
    if (lambda != 0) {
      for (let i = 0; i < rows; i++) set(lambda, i, get(lambda, i) + get(residual, i));
    }
    const size = largestMagnitude(velocities, step);
    if (round == 0) first = size;
    else if (size <= CORRECTION_LIMIT * first) break;
  }
  return Status.OK;
}

// Contribution of the bias of a tree to rows: gamma of the coordinates is that of bodies less J u'
// for v' = 0. The centre of mass c of a body then has, without gravity,
//
//   a + alpha x c + w x (w x c)
//
// with w, alpha and a of its node. A row is a force f on the centre of mass and a torque; with the
// torque n about the point of the node that is
//
//   f . (a + w x (w x c)) + n . alpha.
//
// Only bodies that have rows are visited. Rejected: torques in the axes of the body, as the
// Jacobian has them, which rotates alpha for each body; n is known when rows are carried inwards.

/** out = gamma of bodies - J bias. */
export function treeGamma(tree: usize, out: usize): void {
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const gamma = addressOf(table, BodyTable.GAMMA);
  const blocks = getInteger(tree, TreeTable.BLOCK_COUNT);
  let block = tree + ((<usize>getInteger(tree, TreeTable.BLOCK_LIST)) << 2);
  for (let k = 0; k < blocks; k++) {
    const first = getInteger(block, RowBlock.FIRST_ROW);
    const rows = getInteger(block, RowBlock.ROWS);
    const to = at(out, first), from = at(gamma, first);
    for (let i = 0; i < rows; i++) set(to, i, get(from, i));
    const count = getInteger(block, RowBlock.SOURCE_COUNT);
    let source = sourceAt(tree, getInteger(block, RowBlock.FIRST_SOURCE));
    for (let s = 0; s < count; s++) {
      subtractSource(tree, table, rows, source, to);
      source += RowSource.LENGTH << 2;
    }
    block += RowBlock.LENGTH << 2;
  }
}

/** Subtracts the contribution of one body. */
// @ts-ignore: decorator
@inline
function subtractSource(tree: usize, table: usize, rows: i32, source: usize, out: usize): void {
  const number = getInteger(source, RowSource.NODE), body = getInteger(source, RowSource.BODY);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const node = at(nodes, Node.LENGTH * number);
  const constant = at(treeAddress(tree, TreeTable.CONSTANTS), NodeConstant.LENGTH * number);
  const frame = at(addressOf(table, BodyTable.FRAMES), BodyFrame.LENGTH * body);
  const x0 = centre(constant, node, 0), x1 = centre(constant, node, 1);
  const x2 = centre(constant, node, 2);
  const c0 = f64x2.splat(x0), c1 = f64x2.splat(x1), c2 = f64x2.splat(x2);
  const a0 = centreBias(nodes, node, 0, x0, x1, x2), a1 = centreBias(nodes, node, 1, x0, x1, x2);
  const a2 = centreBias(nodes, node, 2, x0, x1, x2);
  let row = at(addressOf(table, BodyTable.JACOBIAN), getInteger(source, RowSource.SLOT));
  for (let i = 0; i < rows; i += 2) {
    const next = i + 1 < rows ? at(row, BODY_VELOCITIES) : row;
    const f0 = getBoth(row, next, 0), f1 = getBoth(row, next, 1), f2 = getBoth(row, next, 2);
    const t0 = getBoth(row, next, 3), t1 = getBoth(row, next, 4), t2 = getBoth(row, next, 5);
    subtractBias(
      rows - i, node, a0, a1, a2,
      f64x2.add(turned(frame, 0, t0, t1, t2), cross(c1, f2, c2, f1)),
      f64x2.add(turned(frame, 1, t0, t1, t2), cross(c2, f0, c0, f2)),
      f64x2.add(turned(frame, 2, t0, t1, t2), cross(c0, f1, c1, f0)),
      f0, f1, f2, at(out, i),
    );
    row = at(next, BODY_VELOCITIES);
  }
}
