// Dependent and independent directions that stay the same for a while: coordinates (Wehage and Haug
// 1982; Garcia de Jalon's extraction), or orthonormal directions D and E of an earlier null space
// (tangent coordinates: Mani, Haug and Atkinson 1985; Potra and Yen 1991). With x = D d + E e,
//
//   J D d = right - J E e,   basis = E - D (J D)^-1 J E,   e = E^T x.

import {
  identityPermutation, laneMaximum, scaleColumn, subtractFourColumns, subtractMultiple,
  swapColumns, swapSlots, swapStrided,
} from "../dense/columns";
import { luFactor, luSolve, luSolveMany } from "../dense/lu";
import { matrixProduct, matrixTransposeProduct } from "../dense/products";
import { matrixTransposeVector, matrixVector } from "../dense/vectors";
import {
  Status, STATUS_BITS, TangentHeader, tangentBlock, tangentColumns, tangentInner, tangentWeights,
} from "../layout";
import { isNumber, nonFiniteRow } from "../math/finite";
import { at, clearSlots, copySlots, get, getPair, set, setPair } from "../math/slots";
import { failed, statusAt, statusCode } from "../math/status";
import { dot } from "../math/vectors";
import { basisOf, columnOf, directionsOf, rankOf, rowOf, scratchOf } from "./tangent";

/**
 * Chooses rows and dependent coordinates by complete pivoting, and makes the basis. Coordinates
 * are weighted by the square root of their mass and rows by their length, so that units do not
 * matter.
 *
 * J is eliminated as stored, row-major, since rows are longer than columns, and U contains the
 * basis, -U11^-1 U12. Rejected: the column-major factorisation of full-pivot-lu.ts, for which J has
 * to be transposed, with a second LU for the basis: twice the time at 30 x 60.
 */
export function choosePartition(
  n: i32, m: i32, tolerance: f64, jacobian: usize, mass: usize, pinned: usize, record: usize,
): i32 {
  const u = at(record, tangentInner(n, m)), weights = at(record, tangentWeights(n, m));
  const inverse = scratchOf(n, m, record);
  const scales = scalesOf(n, m, record), most = at(scales, m);
  for (let j = 0; j < n; j++) {
    const weight = get(mass, j + j * n), root = weight > 0.0 ? Math.sqrt(weight) : 1.0;
    set(weights, j, root);
    set(inverse, j, 1.0 / root);
  }
  for (let i = 0; i < m; i++) {
    const from = at(jacobian, i * n), row = at(u, i * n);
    const largest = weigh(n, from, inverse, row), square = dot(n, row, row);
    if (!isNumber(square) && nonFiniteRow(n, 1, from, n) >= 0) {
      return statusAt(Status.NON_FINITE, n + i);
    }
    const scale = square > 0.0 ? 1.0 / Math.sqrt(square) : 0.0;
    scaleColumn(n, scale, row);
    set(scales, i, scale);
    set(most, i, pinned != 0 ? pin(n, pinned, row) : scale * largest);
  }
  const rank = eliminate(n, m, tolerance, u, most, record);
  set(record, TangentHeader.RANK, rank);
  set(record, TangentHeader.BLOCK, Block.CHOICE);
  substitute(n, rank, u);
  scatterSlopes(n, m, rank, u, record);
  return Status.OK;
}

/** Location of the factor used by {@link partitionParticular}. */
enum Block {
  /** The LU of the dependent block. */
  OWN = 0,
  /** The result of complete pivoting. */
  CHOICE = 1,
}

/** Scales of the rows of J in complete pivoting. */
function scalesOf(n: i32, m: i32, record: usize): usize {
  return at(record, tangentInner(n, m) + m * n);
}

/** y = w x, entry by entry; returns the largest magnitude. */
function weigh(n: i32, x: usize, w: usize, y: usize): f64 {
  let most = f64x2.splat(0.0), j = 0;
  for (; j + 2 <= n; j += 2) {
    const pair = f64x2.mul(getPair(x, j), getPair(w, j));
    setPair(y, j, pair);
    most = f64x2.pmax(most, f64x2.abs(pair));
  }
  if (j == n) return laneMaximum(most);
  set(y, j, get(x, j) * get(w, j));
  return max<f64>(laneMaximum(most), Math.abs(get(y, j)));
}

/** Excludes pinned coordinates from the pivots. Returns the largest magnitude of the others. */
function pin(n: i32, pinned: usize, row: usize): f64 {
  let largest = 0.0;
  for (let j = 0; j < n; j++) {
    if (get(pinned, j) != 0.0) set(row, j, 0.0);
    largest = max<f64>(largest, Math.abs(get(row, j)));
  }
  return largest;
}

/**
 * P A Q = L U, A row-major: reciprocals of the pivots, U above and L times the pivots below them.
 * Writes P and Q to the record and returns the rank. `most`: the largest magnitude in each row.
 */
function eliminate(
  n: i32, m: i32, tolerance: f64, u: usize, most: usize, record: usize,
): i32 {
  const rows = at(record, TangentHeader.SLOTS), columns = at(record, tangentColumns(m));
  const scales = scalesOf(n, m, record);
  identityPermutation(m, rows);
  identityPermutation(n, columns);
  const full = min(m, n), relative = tolerance > 0.0 ? tolerance : f64.EPSILON * <f64>max(m, n);
  let largest = 0.0, k = 0;
  for (; k < full; k++) {
    let row = k;
    for (let i = k + 1; i < m; i++) if (get(most, i) > get(most, row)) row = i;
    const size = get(most, row);
    if (!(size > relative * largest)) break;
    largest = max<f64>(largest, size);
    if (row > k) {
      swapColumns(n, at(u, k * n), at(u, row * n));
      swapSlots(at(rows, k), at(rows, row));
      swapSlots(at(scales, k), at(scales, row));
      set(most, row, get(most, k));
    }
    const chosen = at(u, k * n);
    let column = k;
    while (column < n - 1 && Math.abs(get(chosen, column)) != size) column++;
    if (column > k) {
      swapStrided(m, at(u, k), n, at(u, column), n);
      swapSlots(at(columns, k), at(columns, column));
    }
    const pivot = at(u, k + k * n), reciprocal = 1.0 / get(pivot, 0);
    if (!isNumber(reciprocal)) break;
    set(pivot, 0, reciprocal);
    let below = at(pivot, n), i = k + 1;
    for (; i + 4 <= m; i += 4) {
      eliminateFour(n - k - 1, reciprocal, pivot, below, n, at(most, i));
      below = at(below, 4 * n);
    }
    for (; i < m; i++) {
      set(most, i, eliminateOne(n - k - 1, get(below, 0) * reciprocal, at(pivot, 1), at(below, 1)));
      below = at(below, n);
    }
  }
  return k;
}

/** Subtracts multiples of the pivot's row from four rows; records the largest magnitude in each. */
function eliminateFour(
  length: i32, reciprocal: f64, pivot: usize, row: usize, n: i32, most: usize,
): void {
  const x = at(pivot, 1), y0 = at(row, 1), y1 = at(y0, n), y2 = at(y1, n), y3 = at(y2, n);
  const r0 = get(row, 0) * reciprocal, r1 = get(row, n) * reciprocal;
  const r2 = get(row, 2 * n) * reciprocal, r3 = get(row, 3 * n) * reciprocal;
  const s0 = f64x2.splat(r0), s1 = f64x2.splat(r1), s2 = f64x2.splat(r2), s3 = f64x2.splat(r3);
  let m0 = f64x2.splat(0.0), m1 = m0, m2 = m0, m3 = m0, j = 0;
  for (; j + 2 <= length; j += 2) {
    const pair = getPair(x, j);
    const a = f64x2.sub(getPair(y0, j), f64x2.mul(s0, pair));
    const b = f64x2.sub(getPair(y1, j), f64x2.mul(s1, pair));
    const c = f64x2.sub(getPair(y2, j), f64x2.mul(s2, pair));
    const d = f64x2.sub(getPair(y3, j), f64x2.mul(s3, pair));
    setPair(y0, j, a);
    setPair(y1, j, b);
    setPair(y2, j, c);
    setPair(y3, j, d);
    m0 = f64x2.pmax(m0, f64x2.abs(a));
    m1 = f64x2.pmax(m1, f64x2.abs(b));
    m2 = f64x2.pmax(m2, f64x2.abs(c));
    m3 = f64x2.pmax(m3, f64x2.abs(d));
  }
  const value = j < length ? get(x, j) : 0.0;
  set(most, 0, lastOf(j < length, laneMaximum(m0), r0 * value, at(y0, j)));
  set(most, 1, lastOf(j < length, laneMaximum(m1), r1 * value, at(y1, j)));
  set(most, 2, lastOf(j < length, laneMaximum(m2), r2 * value, at(y2, j)));
  set(most, 3, lastOf(j < length, laneMaximum(m3), r3 * value, at(y3, j)));
}

/** The last entry of a row of odd length: y = y - multiple. Returns the largest magnitude. */
// @ts-ignore: decorator
@inline
function lastOf(isOdd: bool, largest: f64, multiple: f64, y: usize): f64 {
  if (!isOdd) return largest;
  set(y, 0, get(y, 0) - multiple);
  return max<f64>(largest, Math.abs(get(y, 0)));
}

/** y = y - s x; returns the largest magnitude. */
function eliminateOne(length: i32, s: f64, x: usize, y: usize): f64 {
  const factor = f64x2.splat(s);
  let most = f64x2.splat(0.0), j = 0;
  for (; j + 2 <= length; j += 2) {
    const pair = f64x2.sub(getPair(y, j), f64x2.mul(factor, getPair(x, j)));
    setPair(y, j, pair);
    most = f64x2.pmax(most, f64x2.abs(pair));
  }
  return lastOf(j < length, laneMaximum(most), j < length ? s * get(x, j) : 0.0, at(y, j));
}

/** U12 = U11^-1 U12. */
function substitute(n: i32, rank: i32, u: usize): void {
  const count = n - rank;
  for (let i = rank - 1; i >= 0; i--) {
    const row = at(u, i * n), right = at(row, rank);
    let j = i + 1;
    for (; j + 4 <= rank; j += 4) {
      subtractFourColumns(
        count, at(u, rank + j * n), n, get(row, j), get(row, j + 1), get(row, j + 2),
        get(row, j + 3), right,
      );
    }
    for (; j < rank; j++) subtractMultiple(count, get(row, j), at(u, rank + j * n), right);
    scaleColumn(count, get(row, i), right);
  }
}

/**
 * Builds the basis from the slopes U12 of weighted coordinates: the identity on independent ones.
 */
function scatterSlopes(n: i32, m: i32, rank: i32, u: usize, record: usize): void {
  const basis = basisOf(n, m, record), weights = at(record, tangentWeights(n, m));
  const count = n - rank, own = scratchOf(n, m, record);
  let steepest = 0.0, most = f64x2.splat(0.0);
  clearSlots(basis, n * count);
  for (let j = 0; j < count; j++) {
    const independent = columnOf(m, record, rank + j);
    set(basis, independent + j * n, 1.0);
    set(own, j, get(weights, independent));
  }
  for (let i = 0; i < rank; i++) {
    const dependent = columnOf(m, record, i), slopes = at(u, rank + i * n);
    const weight = -1.0 / get(weights, dependent), both = f64x2.splat(weight);
    let to = at(basis, dependent), j = 0;
    for (; j + 2 <= count; j += 2) {
      const pair = getPair(slopes, j);
      const values = f64x2.mul(f64x2.mul(pair, getPair(own, j)), both);
      most = f64x2.pmax(most, f64x2.abs(pair));
      set(to, 0, f64x2.extract_lane(values, 0));
      set(to, n, f64x2.extract_lane(values, 1));
      to = at(to, 2 * n);
    }
    if (j == count) continue;
    steepest = max<f64>(steepest, Math.abs(get(slopes, j)));
    set(to, 0, get(slopes, j) * get(own, j) * weight);
  }
  set(record, TangentHeader.SLOPE, max<f64>(steepest, laneMaximum(most)));
}

/** y = A_DD^-1 y in the order of the pivots, A_DD = (scales)^-1 L U (weights). */
function solveChoice(n: i32, m: i32, record: usize, y: usize): void {
  const u = at(record, tangentInner(n, m)), weights = at(record, tangentWeights(n, m));
  const scales = scalesOf(n, m, record), rank = rankOf(record);
  for (let i = 0; i < rank; i++) {
    const row = at(u, i * n);
    let sum = get(y, i) * get(scales, i);
    // y holds the solution times the reciprocal of the pivot: L is stored times the pivots.
    for (let j = 0; j < i; j++) sum -= get(row, j) * get(y, j);
    set(y, i, sum * get(row, i));
  }
  for (let i = rank - 1; i >= 0; i--) {
    const row = at(u, i * n);
    let sum = 0.0;
    for (let j = i + 1; j < rank; j++) sum += get(row, j) * get(y, j);
    set(y, i, get(y, i) - sum * get(row, i));
  }
  for (let i = 0; i < rank; i++) set(y, i, get(y, i) / get(weights, columnOf(m, record, i)));
}

/**
 * Factors the dependent block and builds the basis; `rotated` is nonzero for directions instead of
 * coordinates. Records the largest slope. SINGULAR names n + row.
 */
export function partitionFactor(
  n: i32, m: i32, rotated: i32, jacobian: usize, record: usize,
): i32 {
  const rank = rankOf(record), count = n - rank;
  const block = scratchOf(n, m, record), others = at(block, rank * rank);
  const factor = at(record, tangentBlock(n, m));
  set(record, TangentHeader.BLOCK, Block.OWN);
  if (rotated) rotate(n, m, jacobian, record, block);
  else gather(n, m, jacobian, record, block);
  const status = luFactor(rank, block, rank, factor);
  if (failed(status)) {
    return statusAt(statusCode(status), n + rowOf(record, status >> STATUS_BITS));
  }
  const solved = luSolveMany(rank, count, factor, others, rank, others, rank);
  if (failed(solved)) return statusAt(statusCode(solved), n + rowOf(record, solved >> STATUS_BITS));
  const basis = basisOf(n, m, record);
  if (rotated) {
    const directions = directionsOf(n, m, record);
    matrixProduct(n, rank, count, directions, n, others, rank, basis, n);
    const independent = at(directions, rank * n);
    for (let i = 0; i < n * count; i++) set(basis, i, get(independent, i) - get(basis, i));
    return Status.OK;
  }
  scatter(n, m, others, record, basis);
  return Status.OK;
}

/** Builds the basis from -slopes, rank x (n - rank): the identity on independent coordinates. */
function scatter(n: i32, m: i32, slopes: usize, record: usize, basis: usize): void {
  const rank = rankOf(record), count = n - rank;
  const weights = at(record, tangentWeights(n, m));
  let steepest = 0.0;
  clearSlots(basis, n * count);
  for (let j = 0; j < count; j++) {
    const to = at(basis, j * n), independent = columnOf(m, record, rank + j);
    set(to, independent, 1.0);
    for (let i = 0; i < rank; i++) {
      const dependent = columnOf(m, record, i), slope = get(slopes, i + j * rank);
      set(to, dependent, -slope);
      const weighed = slope * get(weights, dependent) / get(weights, independent);
      steepest = Math.max(steepest, Math.abs(weighed));
    }
  }
  set(record, TangentHeader.SLOPE, steepest);
}

/** Copies the chosen rows with columns in the order of the partition: rank x n. */
function gather(n: i32, m: i32, jacobian: usize, record: usize, block: usize): void {
  const rank = rankOf(record);
  for (let j = 0; j < n; j++) {
    const from = at(jacobian, columnOf(m, record, j)), to = at(block, j * rank);
    for (let i = 0; i < rank; i++) set(to, i, get(from, rowOf(record, i) * n));
  }
}

/** Multiplies the chosen rows by the directions: rank x n. */
function rotate(n: i32, m: i32, jacobian: usize, record: usize, block: usize): void {
  const rank = rankOf(record), rows = at(block, n * n);
  for (let i = 0; i < rank; i++) {
    copySlots(at(jacobian, rowOf(record, i) * n), at(rows, i * n), n);
  }
  matrixTransposeProduct(rank, n, n, rows, n, directionsOf(n, m, record), n, block, rank);
}

/** x = scale D (J D)^-1 right: no part of it lies in independent directions. */
export function partitionParticular(
  n: i32, m: i32, rotated: i32, record: usize, scale: f64, right: usize, x: usize,
): i32 {
  const rank = rankOf(record), y = scratchOf(n, m, record);
  for (let i = 0; i < rank; i++) set(y, i, scale * get(right, rowOf(record, i)));
  if (get(record, TangentHeader.BLOCK) == Block.CHOICE) {
    solveChoice(n, m, record, y);
    const bad = nonFiniteRow(rank, 1, y, rank);
    if (bad >= 0) return statusAt(Status.NON_FINITE, n + rowOf(record, bad));
  } else {
    const status = luSolve(rank, at(record, tangentBlock(n, m)), y, y);
    if (failed(status)) {
      return statusAt(statusCode(status), n + rowOf(record, status >> STATUS_BITS));
    }
  }
  if (rotated) return matrixVector(n, rank, directionsOf(n, m, record), n, y, x);
  clearSlots(x, n);
  for (let i = 0; i < rank; i++) set(x, columnOf(m, record, i), get(y, i));
  return Status.OK;
}

/** e = E^T x, padded with zeros to length n. */
export function partitionTake(
  n: i32, m: i32, rotated: i32, record: usize, x: usize, e: usize,
): void {
  const rank = rankOf(record), count = n - rank;
  if (rotated) {
    matrixTransposeVector(n, count, at(directionsOf(n, m, record), rank * n), n, x, e);
  } else {
    const columns = at(record, tangentColumns(m) + rank);
    for (let j = 0; j < count; j++) set(e, j, get(x, <i32>get(columns, j)));
  }
  for (let j = count; j < n; j++) set(e, j, 0.0);
}
