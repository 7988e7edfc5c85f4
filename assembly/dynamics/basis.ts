// The null space of the constraint matrix J, m x n and row-major, in five ways (Kurdila,
// Papastavridis and Kamat 1990; Laulusa and Bauchau 2008, sections 4.1 and 4.2), together with
// a maximal set of independent rows.

import { codFactor, codNullSpace } from "../dense/cod";
import { eigenFactor, eigenNullSpace } from "../dense/eigen";
import { factorMatrix } from "../dense/pivoted-qr";
import { matrixProductTranspose } from "../dense/products";
import { svdFactor, svdNullSpace, svdRank } from "../dense/svd";
import {
  BasisKind, eigenSlots, padToTwo, QrHeader, QrPivot, qrPivots, Status, STATUS_BITS, TangentHeader,
  tangentInner,
} from "../layout";
import { nonFiniteRow } from "../math/finite";
import { at, copySlots, get, set } from "../math/slots";
import { failed, statusAt, statusCode } from "../math/status";
import { completeFrame } from "./completion";
import { choosePartition } from "./partition";
import { basisOf, directionsOf } from "./tangent";

/** Eigenvalues of J^T J below this times n, relative to the largest, count as zero. */
const SQUARED: f64 = 1e-14;

/**
 * Finds the rank, the rows and a basis of the null space; the independent directions become that
 * basis. The record has tangentSlots(n, m). LU weights coordinates by the diagonal of the mass
 * matrix and never makes those dependent whose slot of `pinned`, if given, is not zero. With
 * `keep`, GRAM_SCHMIDT keeps directions of an earlier choice while they remain good. The tolerance
 * for the rank is relative; <= 0 stands for eps max(m, n). Indices of a failure are n + row.
 */
export function tangentChoose(
  n: i32, m: i32, kind: i32, keep: i32, tolerance: f64, jacobian: usize, mass: usize,
  pinned: usize, record: usize,
): i32 {
  if (n < 0 || m < 0) return statusAt(Status.BAD_SIZE, n < 0 ? 0 : 1);
  let status = 0;
  switch (kind) {
    case BasisKind.LU:
      status = choosePartition(n, m, tolerance, jacobian, mass, pinned, record);
      set(record, TangentHeader.REFERENCE, get(record, TangentHeader.SLOPE));
      break;
    case BasisKind.GRAM_SCHMIDT:
      status = completeFrame(n, m, keep, tolerance, jacobian, record);
      break;
    default:
      status = byDecomposition(n, m, kind, tolerance, jacobian, record);
  }
  if (failed(status)) return status;
  set(record, TangentHeader.CHOSEN, 1.0);
  return Status.OK;
}

/** Null space by an orthogonal decomposition; rows by pivoted QR of J^T. */
function byDecomposition(
  n: i32, m: i32, kind: i32, tolerance: f64, jacobian: usize, record: usize,
): i32 {
  const rank = decompose(n, m, kind, tolerance, jacobian, record);
  if (rank < 0) return statusAt(Status.NON_FINITE, n + max(0, nonFiniteConstraint(n, m, jacobian)));
  const inner = at(record, tangentInner(n, m) + padToTwo(m * n));
  // As many pivots as the rank found: hence a tolerance that stops only at zeros.
  if (kind != BasisKind.QR && factorMatrix(n, m, jacobian, n, 1e-150, inner) < rank) {
    return statusAt(Status.SINGULAR, n);
  }
  const pivots = at(inner, qrPivots(n, m));
  for (let j = 0; j < rank; j++) {
    const pivot = get(pivots, j * QrPivot.LENGTH + QrPivot.COLUMN);
    set(record, TangentHeader.SLOTS + j, pivot);
  }
  set(record, TangentHeader.RANK, rank);
  const independent = at(directionsOf(n, m, record), rank * n);
  copySlots(basisOf(n, m, record), independent, n * (n - rank));
  return Status.OK;
}

/** First row of J with an entry that is not finite, or -1. */
function nonFiniteConstraint(n: i32, m: i32, jacobian: usize): i32 {
  for (let i = 0; i < m; i++) {
    if (nonFiniteRow(n, 1, at(jacobian, i * n), n) >= 0) return i;
  }
  return -1;
}

/** Writes a basis of the null space and returns the rank, or -1: not finite. */
function decompose(
  n: i32, m: i32, kind: i32, tolerance: f64, jacobian: usize, record: usize,
): i32 {
  const matrix = at(record, tangentInner(n, m)), inner = at(matrix, padToTwo(m * n));
  const basis = basisOf(n, m, record);
  switch (kind) {
    case BasisKind.SVD: {
      for (let i = 0; i < m; i++) {
        for (let j = 0; j < n; j++) set(matrix, i + j * m, get(jacobian, j + i * n));
      }
      if (failed(svdFactor(m, n, matrix, m, inner))) return -1;
      svdNullSpace(m, n, inner, tolerance, basis, n);
      return svdRank(m, n, inner, tolerance);
    }
    case BasisKind.EIGEN: {
      const square = at(inner, eigenSlots(n));
      matrixProductTranspose(n, m, n, jacobian, n, jacobian, n, square, n);
      if (failed(eigenFactor(n, square, n, inner))) return -1;
      // Squares of singular values: rounding reaches further up than in J itself.
      const relative = tolerance > 0.0 ? tolerance : SQUARED * <f64>n;
      const status = eigenNullSpace(n, inner, relative, basis, n);
      return statusCode(status) == Status.DEFICIENT ? status >> STATUS_BITS : n;
    }
    default: {
      if (failed(codFactor(m, n, jacobian, n, tolerance, inner))) return -1;
      codNullSpace(m, n, inner, basis, n);
      return <i32>get(inner, QrHeader.RANK);
    }
  }
}
