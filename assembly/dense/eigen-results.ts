// Results of an eigendecomposition: values, vectors, null space and inertia.
//
// Eigenvalues at or below tolerance * the largest, in absolute value, count as zero; a
// tolerance <= 0 means eps * n.

import {
  EigenHeader, eigenValuesSlot, eigenVectorsSlot, Inertia, padToTwo, Status,
} from "../layout";
import { at, copySlots, get, set } from "../math/slots";
import { statusAt } from "../math/status";

/** Copies the eigenvalues, ascending. */
export function eigenValues(n: i32, factor: usize, values: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const from = at(factor, eigenValuesSlot()), scale = 1.0 / get(factor, EigenHeader.SCALE);
  for (let i = 0; i < n; i++) set(values, i, get(from, i) * scale);
  return Status.OK;
}

/** Copies the n x n eigenvectors, in the order of the values. */
export function eigenVectors(n: i32, factor: usize, vectors: usize, ldv: i32): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (ldv < n) return statusAt(Status.BAD_SIZE, 3);
  const from = at(factor, eigenVectorsSlot(n)), ld = padToTwo(n);
  for (let j = 0; j < n; j++) copySlots(at(from, j * ld), at(vectors, j * ldv), n);
  return Status.OK;
}

/** Magnitude below which an eigenvalue counts as zero. */
function zeroLimit(n: i32, factor: usize, tolerance: f64): f64 {
  if (n == 0) return 0.0;
  const values = at(factor, eigenValuesSlot());
  const largest = Math.max(Math.abs(get(values, 0)), Math.abs(get(values, n - 1)));
  return largest * (tolerance > 0.0 ? tolerance : f64.EPSILON * <f64>n);
}

/**
 * The eigenvectors whose values count as zero: an orthonormal n x (n - rank) basis of the null
 * space. DEFICIENT with the rank when it is below n.
 */
export function eigenNullSpace(n: i32, factor: usize, tolerance: f64, z: usize, ldz: i32): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  if (ldz < n) return statusAt(Status.BAD_SIZE, 4);
  const values = at(factor, eigenValuesSlot()), limit = zeroLimit(n, factor, tolerance);
  const vectors = at(factor, eigenVectorsSlot(n)), ld = padToTwo(n);
  let count = 0;
  for (let j = 0; j < n; j++) {
    if (Math.abs(get(values, j)) > limit) continue;
    copySlots(at(vectors, j * ld), at(z, count * ldz), n);
    count++;
  }
  return count > 0 ? statusAt(Status.DEFICIENT, n - count) : (Status.OK as i32);
}

/** Counts negative, zero and positive eigenvalues: three slots, see Inertia. */
export function eigenInertia(n: i32, factor: usize, tolerance: f64, counts: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const values = at(factor, eigenValuesSlot()), limit = zeroLimit(n, factor, tolerance);
  let negative = 0, positive = 0;
  for (let j = 0; j < n; j++) {
    const value = get(values, j);
    if (value < -limit) negative++;
    else if (value > limit) positive++;
  }
  set(counts, Inertia.NEGATIVE, negative);
  set(counts, Inertia.ZERO, n - negative - positive);
  set(counts, Inertia.POSITIVE, positive);
  return Status.OK;
}
