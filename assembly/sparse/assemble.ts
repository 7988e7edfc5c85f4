// S = J M^-1 J^T, block by block. Constraints c and d couple when they share a body b:
//
//   S(c, d) = sum_b J(c, b) M(b)^-1 J(d, b)^T
//
// First W = M^-1 J^T for each constraint and body, then one small product for each pair. Only the
// blocks of the lower triangle (in elimination order) are formed.

import { padToTwo, SparseIncidence, SparsePair, SparseTable, Status } from "../layout";
import {
  at, clearSlots, firstLanes, get, getInteger, getPair, laneSum, secondLanes, set, setPair, splat,
} from "../math/slots";

/**
 * Forms S from the Jacobian blocks and the inverse mass blocks (symmetric, BODY_SIZE squared slots
 * for each body). `w` receives M^-1 J^T in the layout of `jacobian`.
 */
export function sparseAssemble(
  table: usize, jacobian: usize, inverseMass: usize, w: usize, s: usize,
): i32 {
  const size = getInteger(table, SparseTable.BODY_SIZE);
  const incidences = table + ((<usize>getInteger(table, SparseTable.INCIDENCES)) << 2);
  formWeighted(table, incidences, size, jacobian, inverseMass, w);

  clearSlots(s, getInteger(table, SparseTable.BLOCK_SLOTS));
  let pair = table + ((<usize>getInteger(table, SparseTable.PAIRS)) << 2);
  const count = getInteger(table, SparseTable.PAIR_COUNT);
  for (let k = 0; k < count; k++) {
    const left = incidenceAt(incidences, getInteger(pair, SparsePair.LEFT));
    const right = incidenceAt(incidences, getInteger(pair, SparsePair.RIGHT));
    addProduct(
      size,
      getInteger(left, SparseIncidence.ROWS),
      getInteger(right, SparseIncidence.ROWS),
      at(jacobian, getInteger(left, SparseIncidence.SLOT)),
      at(w, getInteger(right, SparseIncidence.SLOT)),
      at(s, getInteger(pair, SparsePair.SLOT)),
    );
    pair += SparsePair.LENGTH << 2;
  }
  return Status.OK;
}

// @ts-ignore: decorator
@inline
export function incidenceAt(incidences: usize, index: i32): usize {
  return incidences + ((<usize>(index * SparseIncidence.LENGTH)) << 2);
}

/** W = M^-1 J^T for each constraint and body: row i of W is M^-1 times row i of J. */
function formWeighted(
  table: usize, incidences: usize, size: i32, jacobian: usize, inverseMass: usize, w: usize,
): void {
  const count = getInteger(table, SparseTable.INCIDENCE_COUNT);
  for (let k = 0; k < count; k++) {
    const incidence = incidenceAt(incidences, k);
    const slot = getInteger(incidence, SparseIncidence.SLOT);
    const mass = at(inverseMass, getInteger(incidence, SparseIncidence.BODY) * size * size);
    const rows = getInteger(incidence, SparseIncidence.ROWS);
    for (let row = 0; row < rows; row++) {
      const from = at(jacobian, slot + row * size), to = at(w, slot + row * size);
      if (size == 6) massTimesSix(mass, from, to);
      else for (let i = 0; i < size; i++) set(to, i, dot(size, at(mass, i * size), from));
    }
  }
}

/** M^-1 x for a rigid body, as a sum of columns: three pairs of sums stay in registers. */
// @ts-ignore: decorator
@inline
function massTimesSix(mass: usize, x: usize, out: usize): void {
  let first = f64x2.splat(0.0), second = first, third = first;
  let column = mass;
  for (let k = 0; k < 6; k++) {
    const value = splat(x, k);
    first = f64x2.add(first, f64x2.mul(getPair(column, 0), value));
    second = f64x2.add(second, f64x2.mul(getPair(column, 2), value));
    third = f64x2.add(third, f64x2.mul(getPair(column, 4), value));
    column = at(column, 6);
  }
  setPair(out, 0, first);
  setPair(out, 2, second);
  setPair(out, 4, third);
}

/** Block += A B^T, with A and B row-major, `size` slots per row. */
export function addProduct(
  size: i32, rows: i32, columns: i32, a: usize, b: usize, block: usize,
): void {
  if (size == 6 && rows == 3) return addThreeRows(columns, a, b, block);
  const ld = padToTwo(rows);
  for (let j = 0; j < columns; j++) {
    const right = at(b, j * size);
    const column = at(block, j * ld);
    if (size == 6) {
      addSix(rows, a, right, column);
    } else {
      for (let i = 0; i < rows; i++) {
        set(column, i, get(column, i) + dot(size, at(a, i * size), right));
      }
    }
  }
}

/** {@link addProduct} for three rows of six (a point constraint), which stay in registers. */
function addThreeRows(columns: i32, a: usize, b: usize, block: usize): void {
  const a0 = getPair(a, 0), a1 = getPair(a, 2), a2 = getPair(a, 4);
  const b0 = getPair(a, 6), b1 = getPair(a, 8), b2 = getPair(a, 10);
  const c0 = getPair(a, 12), c1 = getPair(a, 14), c2 = getPair(a, 16);
  let right = b, column = block;
  for (let j = 0; j < columns; j++) {
    const x0 = getPair(right, 0), x1 = getPair(right, 2), x2 = getPair(right, 4);
    const first = sumOfThree(a0, a1, a2, x0, x1, x2);
    const second = sumOfThree(b0, b1, b2, x0, x1, x2);
    const third = sumOfThree(c0, c1, c2, x0, x1, x2);
    const both = f64x2.add(firstLanes(first, second), secondLanes(first, second));
    setPair(column, 0, f64x2.add(getPair(column, 0), both));
    set(column, 2, get(column, 2) + laneSum(third));
    right = at(right, 6);
    column = at(column, 4);
  }
}

/** x0 y0 + x1 y1 + x2 y2, lane by lane. */
// @ts-ignore: decorator
@inline
function sumOfThree(x0: v128, x1: v128, x2: v128, y0: v128, y1: v128, y2: v128): v128 {
  const sum = f64x2.add(f64x2.mul(x0, y0), f64x2.mul(x1, y1));
  return f64x2.add(sum, f64x2.mul(x2, y2));
}

/** Column += A x for rows of six: the row x stays in registers. */
// @ts-ignore: decorator
@inline
function addSix(rows: i32, a: usize, x: usize, column: usize): void {
  const x0 = getPair(x, 0), x1 = getPair(x, 2), x2 = getPair(x, 4);
  let row = a;
  for (let i = 0; i < rows; i++) {
    let sum = f64x2.mul(getPair(row, 0), x0);
    sum = f64x2.add(sum, f64x2.mul(getPair(row, 2), x1));
    sum = f64x2.add(sum, f64x2.mul(getPair(row, 4), x2));
    set(column, i, get(column, i) + laneSum(sum));
    row = at(row, 6);
  }
}

/** Dot product with two partial sums, so that additions are independent. */
function dot(n: i32, x: usize, y: usize): f64 {
  let even = 0.0, odd = 0.0;
  let i = 0;
  for (; i + 1 < n; i += 2) {
    even += get(x, i) * get(y, i);
    odd += get(x, i + 1) * get(y, i + 1);
  }
  if (i < n) even += get(x, i) * get(y, i);
  return even + odd;
}
