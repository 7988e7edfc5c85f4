// Solves with the factor of S, corrected by residuals:
//
//   x <- x + M^-1 J^T S~^-1 (right - J x),   1 + `corrections` times at most.
//
// The residual is formed from J, not from S, so that the factor S~ may comply in some directions,
// or be that of a state nearby: the iteration converges to J x = right all the same, in the rows
// that can be satisfied. Each correction multiplies the error by the relative difference of S~ and
// S. The iteration ends early if the last correction was rounding: away from singular poses the
// first solve is exact. `corrections` is never raised: at singular poses it is part of the filter
// (with 3, 4 or 8 some passages are lost).

import { Status } from "../layout";
import { BODY_VELOCITIES, BodyTable } from "../layout-bodies";
import { addressOf } from "../kinematics/table";
import { at, clearSlots, copySlots, get, getInteger, set } from "../math/slots";
import { failed } from "../math/status";
import { largestMagnitude } from "../math/vectors";
import { sparseSolve } from "../sparse/block-solve";
import { addBlocksTransposeTimes, addJacobianTimes } from "./jacobian";
import { addMassSolve, bodyMassSolve } from "./mass";

/**
 * out = a + minnorm(right - J a) with a = M^-1 forces; lambda receives the multipliers unless it is
 * 0. NON_FINITE names a row.
 */
export function bodyAccelerate(
  table: usize, corrections: i32, forces: usize, right: usize, out: usize, lambda: usize,
): i32 {
  bodyMassSolve(table, forces, out);
  return correct(table, corrections, right, out, lambda);
}

/** out = start + minnorm(right); a null `start` stands for zero. */
export function bodyMinnorm(
  table: usize, corrections: i32, right: usize, start: usize, out: usize,
): i32 {
  const velocities = BODY_VELOCITIES * getInteger(table, BodyTable.BODY_COUNT);
  const step = addressOf(table, BodyTable.VELOCITY_SCRATCH);
  clearSlots(step, velocities);
  const status = correct(table, corrections, right, step, 0);
  if (failed(status)) return status;
  if (start == 0) copySlots(step, out, velocities);
  else for (let i = 0; i < velocities; i++) set(out, i, get(start, i) + get(step, i));
  return Status.OK;
}

/** A correction of J^T lambda below this part of the first one is rounding. */
const CORRECTION_TOLERANCE: f64 = 1e-14;

/** x += minnorm(right - J x). */
function correct(table: usize, corrections: i32, right: usize, x: usize, lambda: usize): i32 {
  const rows = getInteger(table, BodyTable.ROW_COUNT);
  if (lambda != 0) clearSlots(lambda, rows);
  if (rows == 0) return Status.OK;
  const velocities = BODY_VELOCITIES * getInteger(table, BodyTable.BODY_COUNT);
  const sparse = addressOf(table, BodyTable.SPARSE_TABLE);
  const factor = addressOf(table, BodyTable.SPARSE_FACTOR);
  const scratch = addressOf(table, BodyTable.SPARSE_SCRATCH);
  const residual = addressOf(table, BodyTable.ROW_SCRATCH);
  const step = at(addressOf(table, BodyTable.VELOCITY_SCRATCH), velocities);
  let first = 0.0;
  for (let round = 0; round <= corrections; round++) {
    copySlots(right, residual, rows);
    addJacobianTimes(table, -1.0, x, residual);
    const status = sparseSolve(sparse, factor, residual, scratch, residual);
    if (failed(status)) return status;
    clearSlots(step, velocities);
    addBlocksTransposeTimes(table, addressOf(table, BodyTable.JACOBIAN), residual, step);
    addMassSolve(table, step, x);
    if (lambda != 0) {
      for (let i = 0; i < rows; i++) set(lambda, i, get(lambda, i) + get(residual, i));
    }
    const size = largestMagnitude(velocities, step);
    if (round == 0) first = size;
    else if (size <= CORRECTION_TOLERANCE * first) break;
  }
  return Status.OK;
}
