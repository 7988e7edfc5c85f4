// Uses of a complete-pivoting factor P A Q = L U: solutions and the null space.

import { FullPivotLuHeader, fullPivotLuStride, padToTwo, Status } from "../layout";
import { at, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import { clearColumn } from "./columns";
import { solutionStatus } from "./lu-solve";
import { Diagonal, solveLower, solveUpper } from "./triangles";

/**
 * x = A^-1 b, A n x n. SINGULAR names the first dependent row of a deficient matrix. b and x may be
 * the same memory, and on failure x is not written.
 */
export function fullPivotLuSolve(n: i32, factor: usize, b: usize, x: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const rank = <i32>get(factor, FullPivotLuHeader.RANK);
  const rows = at(factor, FullPivotLuHeader.SLOTS), columns = at(rows, n);
  if (rank < n) return statusAt(Status.SINGULAR, <i32>get(rows, rank));
  const ld = fullPivotLuStride(n);
  const lu = at(rows, padToTwo(2 * n)), y = at(lu, ld * n);
  for (let i = 0; i < n; i++) set(y, i, get(b, <i32>get(rows, i)));
  solveLower(n, lu, ld, Diagonal.UNIT, y);
  solveUpper(n, lu, ld, Diagonal.RECIPROCAL, y);
  const status = solutionStatus(n, b, y);
  if (status != Status.OK) return status;
  for (let i = 0; i < n; i++) set(x, <i32>get(columns, i), get(y, i));
  return Status.OK;
}

/**
 * Z, n x (n - rank), column-major, with A Z = 0: the identity on the independent coordinates and
 * -U11^-1 U12 on the dependent ones, rows in the original order of A's columns. So for velocities
 * on the constraint manifold, v = Z v_independent.
 */
export function fullPivotLuNullSpace(m: i32, n: i32, factor: usize, z: usize, ldz: i32): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (ldz < n) return statusAt(Status.BAD_SIZE, 4);
  const rank = <i32>get(factor, FullPivotLuHeader.RANK);
  const columns = at(factor, FullPivotLuHeader.SLOTS + m);
  const ld = fullPivotLuStride(m);
  const lu = at(factor, FullPivotLuHeader.SLOTS + padToTwo(m + n)), y = at(lu, ld * n);
  for (let j = rank; j < n; j++) {
    const to = at(z, (j - rank) * ldz);
    for (let i = 0; i < rank; i++) set(y, i, -get(lu, i + j * ld));
    solveUpper(rank, lu, ld, Diagonal.RECIPROCAL, y);
    clearColumn(n, to);
    for (let i = 0; i < rank; i++) set(to, <i32>get(columns, i), get(y, i));
    set(to, <i32>get(columns, j), 1.0);
  }
  return Status.OK;
}
