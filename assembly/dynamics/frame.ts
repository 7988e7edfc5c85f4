// A basis of the null space that is a smooth function of the state, and its derivative. With
// directions E that do not change during a step (Liang and Lance 1987),
//
//   P = [J^T, E] = V R      Gram-Schmidt, R with a positive diagonal; V = [V_D, V_I], J V_I = 0
//   V' = V Omega            Omega skew, its strict lower part that of X = V^T P' R^-1
//
// since V^T P' R^-1 = Omega + R' R^-1 and the last term is upper triangular. P' = [J'^T, 0].

import { Status, TangentHeader } from "../layout";
import { scaleColumn } from "../dense/columns";
import { isNumber } from "../math/finite";
import { at, clearSlots, copySlots, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import { dot, subtractMultiple } from "../math/vectors";
import {
  basisOf, directionsOf, frameOf, rankOf, rowOf, scratchOf, takeOff, triangleOf,
} from "./tangent";

/** A remainder of a column below this, relative to its length, is rounding. */
const NOTHING: f64 = 1e-14;

/**
 * Factors P = V R for the rows and directions chosen and makes V_I the basis. A row that depends on
 * others at this state is dropped: its column of V is zero. NO_CONVERGENCE names a direction that
 * has turned into the span of the rows; NON_FINITE names n + row.
 */
export function frameFactor(n: i32, m: i32, jacobian: usize, record: usize): i32 {
  const frame = frameOf(n, m, record), triangle = triangleOf(n, m, record);
  const directions = directionsOf(n, m, record), rank = rankOf(record);
  clearSlots(triangle, n * n);
  let least = 1.0;
  for (let j = 0; j < n; j++) {
    const x = at(frame, j * n), r = at(triangle, j * n);
    copySlots(j < rank ? at(jacobian, rowOf(record, j) * n) : at(directions, j * n), x, n);
    const length = Math.sqrt(dot(n, x, x));
    if (!isNumber(length)) return statusAt(Status.NON_FINITE, j < rank ? n + rowOf(record, j) : 0);
    takeOff(n, j, frame, x, r);
    const left = Math.sqrt(dot(n, x, x));
    if (left > NOTHING * length) {
      set(r, j, left);
      scaleColumn(n, 1.0 / left, x);
    } else {
      if (j >= rank) return statusAt(Status.NO_CONVERGENCE, j - rank);
      clearSlots(x, n);
    }
    if (j >= rank) least = Math.min(least, left);
  }
  set(record, TangentHeader.PIVOT, least);
  copySlots(at(frame, rank * n), basisOf(n, m, record), n * (n - rank));
  return Status.OK;
}

/**
 * x = scale V_D R_DD^-T right: the minimum-norm x with J x = scale right. `right` has all m rows.
 */
export function frameParticular(
  n: i32, m: i32, record: usize, scale: f64, right: usize, x: usize,
): void {
  const frame = frameOf(n, m, record), triangle = triangleOf(n, m, record);
  const y = scratchOf(n, m, record), rank = rankOf(record);
  clearSlots(x, n);
  for (let j = 0; j < rank; j++) {
    const r = at(triangle, j * n), pivot = get(r, j);
    const value = scale * get(right, rowOf(record, j)) - dot(j, r, y);
    set(y, j, pivot > 0.0 ? value / pivot : 0.0);
    subtractMultiple(n, -get(y, j), at(frame, j * n), x);
  }
}

/** out = V_I'^T x, padded with zeros to length n; J' is row-major. */
export function frameRate(
  n: i32, m: i32, jacobianRate: usize, record: usize, x: usize, out: usize,
): void {
  const rank = rankOf(record), count = n - rank;
  const frame = frameOf(n, m, record), coefficients = scratchOf(n, m, record);
  clearSlots(out, n);
  for (let j = 0; j < n; j++) turningColumn(n, m, j, jacobianRate, record, at(coefficients, j * n));
  for (let j = 0; j < rank; j++) {
    // V_I' contains -V_D X_ID^T.
    subtractMultiple(count, dot(n, at(frame, j * n), x), at(coefficients, j * n), out);
  }
  for (let j = 0; j < count; j++) {
    const along = dot(n, at(frame, (rank + j) * n), x);
    const column = at(coefficients, (rank + j) * n);
    for (let i = j + 1; i < count; i++) {
      const turning = get(column, i);
      set(out, i, get(out, i) - turning * along);
      set(out, j, get(out, j) + turning * dot(n, at(frame, (rank + i) * n), x));
    }
  }
}

/** Column j of the last rows of X: V_I^T P' R^-1, from the columns before it. */
function turningColumn(
  n: i32, m: i32, j: i32, jacobianRate: usize, record: usize, column: usize,
): void {
  const rank = rankOf(record), count = n - rank;
  const basis = at(frameOf(n, m, record), rank * n);
  const r = at(triangleOf(n, m, record), j * n);
  const pivot = get(r, j);
  clearSlots(column, count);
  if (!(pivot > 0.0)) return;
  if (j < rank) {
    const row = at(jacobianRate, rowOf(record, j) * n);
    for (let i = 0; i < count; i++) set(column, i, dot(n, at(basis, i * n), row));
  }
  for (let i = 0; i < j; i++) {
    subtractMultiple(count, get(r, i), at(column, (i - j) * n), column);
  }
  scaleColumn(count, 1.0 / pivot, column);
}
