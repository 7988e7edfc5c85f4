// A basis of the null space by Gram-Schmidt alone: the rows of J are orthonormalised and completed
// by directions E that are kept from step to step (Liang and Lance, J. Mech. Trans. Autom. 109,
// 1987; Agrawal and Saigal 1989).

import { Status, TangentHeader } from "../layout";
import { isNumber } from "../math/finite";
import { at, clearSlots, copySlots, get, getPair, laneSum, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";
import { dot } from "../math/vectors";
import {
  largestIndex, scaleColumn, subtractFourColumns, subtractMultiple, subtractTwoMultiples,
} from "../dense/columns";
import { basisOf, directionsOf, frameOf, rankOf, scratchOf } from "./tangent";

/** A direction with a smaller remainder than this is replaced. */
const GOOD: f64 = 0.5;

/** Rows with a smaller remainder, relative to their length, depend on the rows before. */
const DROP: f64 = 1e-11;

/** Orthonormalises [J^T, E] with a drop test on the rows, choosing E again if necessary. */
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

/**
 * If less than this fraction of a vector's square is left, a second pass removes what
 * rounding has reintroduced: errors of one pass are eps times what was lost (Parlett, The Symmetric
 * Eigenvalue Problem, 6.9).
 */
const TWICE: f64 = 0.1;

/** The independent rows of J as the first columns of the frame. */
function orthonormalRows(n: i32, m: i32, tolerance: f64, jacobian: usize, record: usize): i32 {
  const frame = frameOf(n, m, record);
  let rank = 0;
  for (let i = 0; i < m && rank < n; i++) {
    const x = at(frame, rank * n);
    copySlots(at(jacobian, i * n), x, n);
    const square = dot(n, x, x);
    if (!isNumber(Math.sqrt(square))) return statusAt(Status.NON_FINITE, n + i);
    const left = Math.sqrt(reduce(n, rank, frame, x, square));
    if (!(left > tolerance * Math.sqrt(square))) continue;
    scaleColumn(n, 1.0 / left, x);
    set(record, TangentHeader.SLOTS + rank, i);
    rank++;
  }
  set(record, TangentHeader.RANK, rank);
  return Status.OK;
}

/** Completes the frame with the stored directions. Returns false if one has turned too far. */
function keepsDirections(n: i32, m: i32, rank: i32, record: usize): bool {
  const frame = frameOf(n, m, record), directions = directionsOf(n, m, record);
  for (let j = rank; j < n; j++) {
    const x = at(frame, j * n);
    copySlots(at(directions, j * n), x, n);
    const left = Math.sqrt(reduce(n, j, frame, x, 1.0));
    if (!(left >= GOOD)) return false;
    scaleColumn(n, 1.0 / left, x);
  }
  return true;
}

/**
 * Completes the frame by unit vectors, each time the one with the largest remainder: at least
 * sqrt((n - j) / n). Their products with the columns are entries of these, and what is left of one,
 * P e, has the square e P P e = e P e.
 */
function unitDirections(n: i32, m: i32, rank: i32, record: usize): void {
  const frame = frameOf(n, m, record), rest = scratchOf(n, m, record);
  for (let i = 0; i < n; i++) set(rest, i, 1.0);
  for (let j = 0; j < rank; j++) subtractSquares(n, at(frame, j * n), rest);
  for (let j = rank; j < n; j++) {
    const best = largestIndex(n, rest), x = at(frame, j * n);
    clearSlots(x, n);
    set(x, best, 1.0);
    subtractEntries(n, j, frame, best, x);
    let left = get(x, best);
    if (!(left > TWICE)) left = reduce(n, j, frame, x, 0.0);
    scaleColumn(n, 1.0 / Math.sqrt(left), x);
    subtractSquares(n, x, rest);
  }
}

/** y = y - x^2, entry by entry. */
function subtractSquares(n: i32, x: usize, y: usize): void {
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    const pair = getPair(x, i);
    setPair(y, i, f64x2.sub(getPair(y, i), f64x2.mul(pair, pair)));
  }
  if (i < n) set(y, i, get(y, i) - get(x, i) * get(x, i));
}

/** x = x - V (row of V): the projection of a unit vector. */
function subtractEntries(n: i32, count: i32, v: usize, row: i32, x: usize): void {
  const step = n * 4;
  let j = 0, column = v;
  for (; j + 4 <= count; j += 4) {
    const entry = at(column, row);
    subtractFourColumns(
      n, column, n, get(entry, 0), get(entry, n), get(entry, 2 * n), get(entry, 3 * n), x,
    );
    column = at(column, step);
  }
  for (; j < count; j++) {
    subtractMultiple(n, get(column, row), column, x);
    column = at(column, n);
  }
}

/** Takes the directions of the first columns of V off x, twice if much is lost. Returns |x|^2. */
function reduce(n: i32, count: i32, v: usize, x: usize, square: f64): f64 {
  takeOffOnce(n, count, v, x);
  const left = dot(n, x, x);
  if (left > TWICE * square && square > 0.0) return left;
  takeOffOnce(n, count, v, x);
  return dot(n, x, x);
}

/** Modified Gram-Schmidt, four columns at a time, so that their products are independent. */
function takeOffOnce(n: i32, count: i32, v: usize, x: usize): void {
  let j = 0, column = v;
  for (; j + 4 <= count; j += 4) {
    takeOffFour(n, column, x);
    column = at(column, 4 * n);
  }
  if (j + 2 <= count) {
    takeOffTwo(n, column, x);
    column = at(column, 2 * n);
    j += 2;
  }
  if (j < count) subtractMultiple(n, dot(n, column, x), column, x);
}

function takeOffTwo(n: i32, v: usize, x: usize): void {
  const w = at(v, n);
  let d = f64x2.splat(0.0), e = d;
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    const pair = getPair(x, i);
    d = f64x2.add(d, f64x2.mul(pair, getPair(v, i)));
    e = f64x2.add(e, f64x2.mul(pair, getPair(w, i)));
  }
  let s = laneSum(d), t = laneSum(e);
  if (i < n) {
    s += get(x, i) * get(v, i);
    t += get(x, i) * get(w, i);
  }
  subtractTwoMultiples(n, s, v, t, w, x);
}

function takeOffFour(n: i32, v: usize, x: usize): void {
  const v1 = at(v, n), v2 = at(v1, n), v3 = at(v2, n);
  let d0 = f64x2.splat(0.0), d1 = d0, d2 = d0, d3 = d0;
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    const pair = getPair(x, i);
    d0 = f64x2.add(d0, f64x2.mul(pair, getPair(v, i)));
    d1 = f64x2.add(d1, f64x2.mul(pair, getPair(v1, i)));
    d2 = f64x2.add(d2, f64x2.mul(pair, getPair(v2, i)));
    d3 = f64x2.add(d3, f64x2.mul(pair, getPair(v3, i)));
  }
  let s0 = laneSum(d0), s1 = laneSum(d1), s2 = laneSum(d2), s3 = laneSum(d3);
  if (i < n) {
    const value = get(x, i);
    s0 += value * get(v, i);
    s1 += value * get(v1, i);
    s2 += value * get(v2, i);
    s3 += value * get(v3, i);
  }
  subtractFourColumns(n, v, n, s0, s1, s2, s3, x);
}
