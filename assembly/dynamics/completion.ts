// A basis of the null space by Gram-Schmidt alone: the rows of J are orthonormalised and completed
// by directions E that are kept from step to step (Liang and Lance, J. Mech. Trans. Autom. 109,
// 1987; Agrawal and Saigal 1989).

import { Status, TangentHeader } from "../layout";
import { isNumber } from "../math/finite";
import { at, clearSlots, copySlots, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import { dot } from "../math/vectors";
import { scaleColumn } from "../dense/columns";
import { basisOf, directionsOf, frameOf, rankOf, scratchOf, takeOff } from "./tangent";

/** A direction of which less than this is left is replaced. */
const GOOD: f64 = 0.5;

/** Rows of which less than this is left, relative to their length, depend on those before. */
const DROP: f64 = 1e-11;

/** Orthonormalises [J^T, E] with a drop test on the rows, choosing E again where need be. */
export function completeFrame(
  n: i32, m: i32, keep: i32, tolerance: f64, jacobian: usize, record: usize,
): i32 {
  const frame = frameOf(n, m, record), before = rankOf(record);
  const status = orthonormalRows(n, m, tolerance > 0.0 ? tolerance : DROP, jacobian, record);
  if (status != Status.OK) return status;
  const rank = rankOf(record);
  const known = keep != 0 && get(record, TangentHeader.CHOSEN) == 1.0 && before == rank;
  if (!known || !keepsDirections(n, m, rank, record)) {
    unitDirections(n, m, rank, record);
    copySlots(frame, directionsOf(n, m, record), n * n);
  }
  copySlots(at(frame, rank * n), basisOf(n, m, record), n * (n - rank));
  return Status.OK;
}

/** The independent rows of J as the first columns of the frame. */
function orthonormalRows(n: i32, m: i32, tolerance: f64, jacobian: usize, record: usize): i32 {
  const frame = frameOf(n, m, record), coefficients = scratchOf(n, m, record);
  let rank = 0;
  for (let i = 0; i < m && rank < n; i++) {
    const x = at(frame, rank * n);
    copySlots(at(jacobian, i * n), x, n);
    const length = Math.sqrt(dot(n, x, x));
    if (!isNumber(length)) return statusAt(Status.NON_FINITE, n + i);
    takeOff(n, rank, frame, x, coefficients);
    const left = Math.sqrt(dot(n, x, x));
    if (!(left > tolerance * length)) continue;
    scaleColumn(n, 1.0 / left, x);
    set(record, TangentHeader.SLOTS + rank, i);
    rank++;
  }
  set(record, TangentHeader.RANK, rank);
  return Status.OK;
}

/** Completes the frame by the directions there are. False when one has turned too far. */
function keepsDirections(n: i32, m: i32, rank: i32, record: usize): bool {
  const frame = frameOf(n, m, record), coefficients = scratchOf(n, m, record);
  const directions = directionsOf(n, m, record);
  for (let j = rank; j < n; j++) {
    const x = at(frame, j * n);
    copySlots(at(directions, j * n), x, n);
    takeOff(n, j, frame, x, coefficients);
    const left = Math.sqrt(dot(n, x, x));
    if (!(left >= GOOD)) return false;
    scaleColumn(n, 1.0 / left, x);
  }
  return true;
}

/**
 * Completes the frame by unit vectors, each time the one of which most is left: at least
 * sqrt((n - j) / n).
 */
function unitDirections(n: i32, m: i32, rank: i32, record: usize): void {
  const frame = frameOf(n, m, record), coefficients = scratchOf(n, m, record);
  for (let j = rank; j < n; j++) {
    let best = 0, least = Infinity;
    for (let i = 0; i < n; i++) {
      let square = 0.0;
      for (let c = 0; c < j; c++) square += get(frame, i + c * n) * get(frame, i + c * n);
      if (square < least) {
        least = square;
        best = i;
      }
    }
    const x = at(frame, j * n);
    clearSlots(x, n);
    set(x, best, 1.0);
    takeOff(n, j, frame, x, coefficients);
    scaleColumn(n, 1.0 / Math.sqrt(dot(n, x, x)), x);
  }
}
