// LU with complete pivoting of a rectangular matrix, P A Q = L U: reveals the rank and chooses the
// best conditioned columns, which makes it the coordinate partitioning of constrained dynamics
// (Wehage & Haug 1982). Golub & Van Loan, Matrix Computations (4th ed.), section 3.4.8.
//
// The search for the next pivot rides on the rank-one update: each column keeps the largest
// magnitude it wrote, and only the winning column is searched for the row. Columns have at least
// one row of zeros past m, so that pairs may begin at any row.

import { FullPivotLuHeader, fullPivotLuStride, padToTwo, Status } from "../layout";
import { isNumber, nonFiniteRow } from "../math/finite";
import { at, get, getPair, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";
import {
  clearColumn, copyColumn, identityPermutation, laneMaximum, largestIndex, scaleColumn,
  swapColumns, swapSlots, swapStrided,
} from "./columns";
import { reciprocalCondition } from "./condition";
import { solutionStatus } from "./lu";
import { Diagonal, solveLower, solveUpper } from "./triangles";

/**
 * Factors the m x n matrix at `a`. Pivots count while they exceed `tolerance` times the largest;
 * <= 0 stands for eps max(m, n). DEFICIENT (rank below both m and n) names the first dependent row
 * in the order of pivoting.
 */
export function fullPivotLuFactor(
  m: i32, n: i32, a: usize, lda: i32, tolerance: f64, factor: usize,
): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (lda < m) return statusAt(Status.BAD_SIZE, 3);
  const rows = at(factor, FullPivotLuHeader.SLOTS), columns = at(rows, m);
  const ld = fullPivotLuStride(m);
  const lu = at(rows, padToTwo(m + n)), scratch = at(lu, ld * n);
  const sum = copyMatrix(m, n, a, lda, ld, lu);
  if (!isNumber(sum)) {
    const row = nonFiniteRow(m, n, a, lda);
    if (row >= 0) return statusAt(Status.NON_FINITE, row);
  }
  identityPermutation(m, rows);
  identityPermutation(n, columns);

  const full = min(m, n);
  const relative = tolerance > 0.0 ? tolerance : f64.EPSILON * <f64>max(m, n);
  let rank = 0, largest = 0.0;
  let next = full > 0 ? firstColumn(m, n, lu, ld) : 0;
  while (rank < full) {
    const offset = largestIndex(m - rank, at(lu, rank + next * ld));
    const pivot = get(lu, rank + offset + next * ld), reciprocal = 1.0 / pivot;
    if (!isNumber(pivot)) return statusAt(Status.NON_FINITE, <i32>get(rows, rank + offset));
    if (!(Math.abs(pivot) > relative * largest) || !isNumber(reciprocal)) break;
    largest = max<f64>(largest, Math.abs(pivot));
    exchange(m, n, rank, next, offset, rows, columns, lu, ld);
    next = eliminate(m, n, rank, reciprocal, lu, ld);
    rank++;
  }
  set(factor, FullPivotLuHeader.RANK, rank);
  const norm = blockNorm(rank, a, lda, rows, columns);
  set(
    factor, FullPivotLuHeader.RECIPROCAL_CONDITION,
    reciprocalCondition(rank, norm, lu, ld, scratch),
  );
  return rank < full ? statusAt(Status.DEFICIENT, <i32>get(rows, rank)) : (Status.OK as i32);
}

function copyMatrix(m: i32, n: i32, a: usize, lda: i32, ld: i32, lu: usize): f64 {
  let sum = 0.0;
  for (let j = 0; j < n; j++) {
    const to = at(lu, j * ld);
    sum += copyColumn(m, at(a, j * lda), to);
    clearColumn(ld - m, at(to, m));
  }
  return sum;
}

/** The column that holds the entry of largest magnitude. */
function firstColumn(m: i32, n: i32, lu: usize, ld: i32): i32 {
  let best = -1.0, winner = 0;
  for (let j = 0; j < n; j++) {
    const column = at(lu, j * ld);
    const value = Math.abs(get(column, largestIndex(m, column)));
    if (value > best) {
      best = value;
      winner = j;
    }
  }
  return winner;
}

/** Brings the pivot to the diagonal. */
function exchange(
  m: i32, n: i32, k: i32, column: i32, offset: i32, rows: usize, columns: usize, lu: usize, ld: i32,
): void {
  if (column > k) {
    swapColumns(m, at(lu, k * ld), at(lu, column * ld));
    swapSlots(at(columns, k), at(columns, column));
  }
  if (offset > 0) {
    swapStrided(n, at(lu, k), ld, at(lu, k + offset), ld);
    swapSlots(at(rows, k), at(rows, k + offset));
  }
}

/** Eliminates below the pivot at k and returns the column of the next pivot. */
function eliminate(m: i32, n: i32, k: i32, reciprocal: f64, lu: usize, ld: i32): i32 {
  const diagonal = at(lu, k + k * ld), below = at(diagonal, 1), count = m - k - 1;
  set(diagonal, 0, reciprocal);
  scaleColumn(count, reciprocal, below);
  let best = -1.0, winner = k + 1;
  let j = k + 1, row = at(diagonal, ld);
  for (; j + 2 <= n; j += 2) {
    const first = row, second = at(row, ld);
    const u0 = f64x2.splat(get(first, 0)), u1 = f64x2.splat(get(second, 0));
    let most0 = f64x2.splat(0.0), most1 = most0;
    for (let i = 0; i < count; i += 2) {
      const l = getPair(below, i);
      const pair0 = f64x2.sub(getPair(first, i + 1), f64x2.mul(l, u0));
      const pair1 = f64x2.sub(getPair(second, i + 1), f64x2.mul(l, u1));
      setPair(first, i + 1, pair0);
      setPair(second, i + 1, pair1);
      most0 = f64x2.pmax(most0, f64x2.abs(pair0));
      most1 = f64x2.pmax(most1, f64x2.abs(pair1));
    }
    const value0 = laneMaximum(most0), value1 = laneMaximum(most1);
    if (value0 > best) {
      best = value0;
      winner = j;
    }
    if (value1 > best) {
      best = value1;
      winner = j + 1;
    }
    row = at(second, ld);
  }
  if (j < n && lastColumn(count, below, row) > best) winner = j;
  return winner;
}

/** The update of a single column; returns the largest magnitude it wrote. */
function lastColumn(count: i32, below: usize, column: usize): f64 {
  const u = f64x2.splat(get(column, 0));
  let most = f64x2.splat(0.0);
  for (let i = 0; i < count; i += 2) {
    const pair = f64x2.sub(getPair(column, i + 1), f64x2.mul(getPair(below, i), u));
    setPair(column, i + 1, pair);
    most = f64x2.pmax(most, f64x2.abs(pair));
  }
  return laneMaximum(most);
}

/** |B|_1 of the block of chosen rows and columns, from the matrix itself. */
function blockNorm(rank: i32, a: usize, lda: i32, rows: usize, columns: usize): f64 {
  let norm = 0.0;
  for (let j = 0; j < rank; j++) {
    const column = at(a, <i32>get(columns, j) * lda);
    let sum = 0.0;
    for (let i = 0; i < rank; i++) sum += Math.abs(get(column, <i32>get(rows, i)));
    norm = max<f64>(norm, sum);
  }
  return norm;
}

// Uses of a complete-pivoting factor P A Q = L U: solutions and the null space.

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
