// The saddle point system of Lagrange's equations of index 1 (Laulusa and Bauchau 2008, eq. 12),
// by LDL^T:
//
//   [M  J^T] [   a   ]   [  Q  ]
//   [J   0 ] [-lambda] = [right]

import { ldltFactor, ldltSolve } from "../dense/ldlt";
import { MassKind, solverInner, solverMatrix, solverRight, Status } from "../layout";
import { at, clearSlots, copySlots, get, set } from "../math/slots";
import { failed } from "../math/status";

/** Forms the lower triangle and factors it. A singular matrix is attributed to the constraints. */
export function factorSaddle(
  n: i32, m: i32, kind: i32, mass: usize, jacobian: usize, record: usize,
): i32 {
  const size = n + m;
  const k = at(record, solverMatrix(n));
  clearSlots(k, size * size);
  for (let j = 0; j < n; j++) {
    const column = at(k, j * size);
    if (kind == MassKind.FULL) copySlots(at(mass, j * n + j), at(column, j), n - j);
    else set(column, j, get(mass, j));
    for (let i = 0; i < m; i++) set(column, n + i, get(jacobian, i * n + j));
  }
  return ldltFactor(size, k, size, at(record, solverInner(n, m)));
}

/** Solves for accelerations and, if an address is given, multipliers. Null forces are zero. */
export function solveSaddle(
  n: i32, m: i32, record: usize, forces: usize, right: usize, out: usize, lambda: usize,
): i32 {
  const b = at(record, solverRight(n, m));
  if (forces != 0) copySlots(forces, b, n);
  else clearSlots(b, n);
  copySlots(right, at(b, n), m);
  const status = ldltSolve(n + m, at(record, solverInner(n, m)), b, b);
  if (failed(status)) return status;
  copySlots(b, out, n);
  if (lambda != 0) for (let i = 0; i < m; i++) set(lambda, i, -get(b, n + i));
  return Status.OK;
}
