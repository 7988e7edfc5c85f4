// Solves with a triangle in the caller's memory, for several right-hand sides.

import { Status } from "../layout";
import { isNumber, nonFiniteRow } from "../math/finite";
import { at, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import {
  Diagonal, solveLower, solveLowerTransposed, solveUpper, solveUpperTransposed,
} from "./triangles";

/**
 * X = T^-1 B, or T^-T B when `transposed` is not 0. T is n x n, its upper triangle is read when
 * `upper` is not 0, otherwise the lower one; the diagonal is not read when `unit` is not 0. X may
 * be B. SINGULAR names the row of a zero on the diagonal; NON_FINITE a row of T or an element of X.
 */
export function triangularSolve(
  n: i32, count: i32, t: usize, ldt: i32, upper: i32, transposed: i32, unit: i32,
  b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  if (n < 0 || count < 0) return statusAt(Status.BAD_SIZE, n < 0 ? 0 : 1);
  if (ldt < n) return statusAt(Status.BAD_SIZE, 3);
  if (ldb < n || ldx < n) return statusAt(Status.BAD_SIZE, ldb < n ? 8 : 10);
  for (let k = 0; unit == 0 && k < n; k++) {
    const pivot = get(t, k + k * ldt);
    if (pivot == 0.0) return statusAt(Status.SINGULAR, k);
    // An infinite pivot would make a finite zero of its unknown.
    if (!isNumber(pivot)) return statusAt(Status.NON_FINITE, k);
  }
  const kind = unit != 0 ? Diagonal.UNIT : Diagonal.DIVIDE;
  for (let column = 0; column < count; column++) {
    const from = at(b, column * ldb), to = at(x, column * ldx);
    for (let i = 0; i < n; i++) set(to, i, get(from, i));
    if (upper != 0) {
      if (transposed != 0) solveUpperTransposed(n, t, ldt, kind, to);
      else solveUpper(n, t, ldt, kind, to);
    } else {
      if (transposed != 0) solveLowerTransposed(n, t, ldt, kind, to);
      else solveLower(n, t, ldt, kind, to);
    }
    const bad = nonFiniteRow(n, 1, to, n);
    if (bad >= 0) return statusAt(Status.NON_FINITE, culprit(n, t, ldt, upper != 0, bad));
  }
  return Status.OK;
}

/** The first row of the triangle with a non-finite entry; without one, the element of X. */
function culprit(n: i32, t: usize, ldt: i32, upper: bool, element: i32): i32 {
  for (let i = 0; i < n; i++) {
    const first = upper ? i + 1 : 0, end = upper ? n : i;
    for (let j = first; j < end; j++) if (!isNumber(get(t, i + j * ldt))) return i;
  }
  return element;
}
