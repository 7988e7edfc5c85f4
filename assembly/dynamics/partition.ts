// Dependent and independent directions that stay the same for a while: coordinates (Wehage and Haug
// 1982; Garcia de Jalon's extraction), or orthonormal directions D and E of an earlier null space
// (tangent coordinates: Mani, Haug and Atkinson 1985; Potra and Yen 1991). With x = D d + E e,
//
//   J D d = right - J E e,   basis = E - D (J D)^-1 J E,   e = E^T x.

import { fullPivotLuFactor } from "../dense/full-pivot-lu";
import { luFactor } from "../dense/lu";
import { luSolve, luSolveMany } from "../dense/lu-solve";
import { matrixProduct, matrixTransposeProduct } from "../dense/products";
import { matrixTransposeVector, matrixVector } from "../dense/vectors";
import {
  FullPivotLuHeader, padToTwo, Status, STATUS_BITS, TangentHeader, tangentBlock, tangentColumns,
  tangentInner, tangentWeights,
} from "../layout";
import { at, clearSlots, copySlots, get, set } from "../math/slots";
import { failed, statusAt, statusCode } from "../math/status";
import { basisOf, columnOf, directionsOf, rankOf, rowOf, scratchOf } from "./tangent";

/**
 * Chooses rows and dependent coordinates by complete pivoting. Coordinates are weighed by the
 * square root of their mass and rows by their length, so that units do not matter.
 */
export function choosePartition(
  n: i32, m: i32, tolerance: f64, jacobian: usize, mass: usize, pinned: usize, record: usize,
): i32 {
  const matrix = at(record, tangentInner(n, m)), inner = at(matrix, padToTwo(m * n));
  const weights = at(record, tangentWeights(n, m));
  for (let j = 0; j < n; j++) {
    const weight = get(mass, j + j * n);
    set(weights, j, weight > 0.0 ? Math.sqrt(weight) : 1.0);
  }
  for (let i = 0; i < m; i++) {
    let square = 0.0;
    for (let j = 0; j < n; j++) {
      const fixed = pinned != 0 && get(pinned, j) != 0.0;
      const value = get(jacobian, j + i * n) / get(weights, j);
      square += value * value;
      set(matrix, i + j * m, fixed ? 0.0 : value);
    }
    const scale = square > 0.0 ? 1.0 / Math.sqrt(square) : 0.0;
    for (let j = 0; j < n; j++) set(matrix, i + j * m, get(matrix, i + j * m) * scale);
  }
  const status = fullPivotLuFactor(m, n, matrix, m, tolerance, inner);
  if (failed(status)) return statusAt(statusCode(status), n + (status >> STATUS_BITS));
  set(record, TangentHeader.RANK, get(inner, FullPivotLuHeader.RANK));
  copySlots(at(inner, FullPivotLuHeader.SLOTS), at(record, TangentHeader.SLOTS), m + n);
  return Status.OK;
}

/**
 * Factors the dependent block and makes the basis; `rotated` is not zero where directions are meant
 * and not coordinates. Notes the largest slope. SINGULAR names n + row.
 */
export function partitionFactor(
  n: i32, m: i32, rotated: i32, jacobian: usize, record: usize,
): i32 {
  const rank = rankOf(record), count = n - rank;
  const block = scratchOf(n, m, record), others = at(block, rank * rank);
  const factor = at(record, tangentBlock(n, m));
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

/** The basis from -slopes, rank x (n - rank): the identity on independent coordinates. */
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

/** The rows chosen with columns in the order of the partition: rank x n. */
function gather(n: i32, m: i32, jacobian: usize, record: usize, block: usize): void {
  const rank = rankOf(record);
  for (let j = 0; j < n; j++) {
    const from = at(jacobian, columnOf(m, record, j)), to = at(block, j * rank);
    for (let i = 0; i < rank; i++) set(to, i, get(from, rowOf(record, i) * n));
  }
}

/** The rows chosen times the directions: rank x n. */
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
  const status = luSolve(rank, at(record, tangentBlock(n, m)), y, y);
  if (failed(status)) return statusAt(statusCode(status), n + rowOf(record, status >> STATUS_BITS));
  if (rotated) return matrixVector(n, rank, directionsOf(n, m, record), n, y, x);
  clearSlots(x, n);
  for (let i = 0; i < rank; i++) set(x, columnOf(m, record, i), get(y, i));
  return Status.OK;
}

/** e = E^T x, and zeros up to n numbers. */
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
