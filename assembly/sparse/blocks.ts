// Arithmetic on small blocks, column-major with rows padded to an even number. The padding
// rows hold zeros and stay zero through all of these.

import { padToTwo } from "../layout";
import {
  at, firstLanes, get, getPair, laneSum, secondLanes, set, setPair, splat,
} from "../math/slots";

/** Target (rows x columns) -= A B^T, with A rows x depth and B columns x depth. */
export function subtractProduct(
  rows: i32, columns: i32, depth: i32, a: usize, b: usize, target: usize,
): void {
  if (rows == 3 && columns == 3 && depth == 3) return subtractThree(a, b, target);
  if (rows == 2 && columns == 2 && depth == 2) return subtractTwo(a, b, target);
  const lda = padToTwo(rows), ldb = padToTwo(columns);
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < lda; i += 2) {
      let sum = getPair(target, i + j * lda);
      let left = at(a, i), right = at(b, j);
      for (let k = 0; k < depth; k++) {
        sum = f64x2.sub(sum, f64x2.mul(getPair(left, 0), splat(right, 0)));
        left = at(left, lda);
        right = at(right, ldb);
      }
      setPair(target, i + j * lda, sum);
    }
  }
}

/** {@link subtractProduct} for 3 x 3 blocks (coincident points), unrolled: A stays in registers. */
function subtractThree(a: usize, b: usize, target: usize): void {
  const u0 = getPair(a, 0), w0 = getPair(a, 2);
  const u1 = getPair(a, 4), w1 = getPair(a, 6);
  const u2 = getPair(a, 8), w2 = getPair(a, 10);
  for (let j = 0; j < 3; j++) {
    const s0 = splat(b, j), s1 = splat(b, j + 4), s2 = splat(b, j + 8);
    let upper = f64x2.sub(getPair(target, 4 * j), f64x2.mul(u0, s0));
    let lower = f64x2.sub(getPair(target, 4 * j + 2), f64x2.mul(w0, s0));
    upper = f64x2.sub(upper, f64x2.mul(u1, s1));
    lower = f64x2.sub(lower, f64x2.mul(w1, s1));
    setPair(target, 4 * j, f64x2.sub(upper, f64x2.mul(u2, s2)));
    setPair(target, 4 * j + 2, f64x2.sub(lower, f64x2.mul(w2, s2)));
  }
}

/** {@link subtractProduct} for 2 x 2 blocks (coincident points in a plane). */
// @ts-ignore: decorator
@inline
function subtractTwo(a: usize, b: usize, target: usize): void {
  const a0 = getPair(a, 0), a1 = getPair(a, 2);
  const first = f64x2.sub(getPair(target, 0), f64x2.mul(a0, splat(b, 0)));
  const second = f64x2.sub(getPair(target, 2), f64x2.mul(a0, splat(b, 1)));
  setPair(target, 0, f64x2.sub(first, f64x2.mul(a1, splat(b, 2))));
  setPair(target, 2, f64x2.sub(second, f64x2.mul(a1, splat(b, 3))));
}

/**
 * Block (rows x size) = block L^-T, where `diagonal` holds L with the reciprocals of its diagonal:
 * X(:, j) = (A(:, j) - sum_{k < j} X(:, k) L(j, k)) / L(j, j).
 */
export function solveBlock(rows: i32, size: i32, diagonal: usize, block: usize): void {
  if (rows == 3 && size == 3) return solveThree(diagonal, block);
  if (rows == 2 && size == 2) return solveTwo(diagonal, block);
  const ld = padToTwo(rows), ldd = padToTwo(size);
  for (let j = 0; j < size; j++) {
    const reciprocal = splat(diagonal, j + j * ldd);
    for (let i = 0; i < ld; i += 2) {
      let sum = getPair(block, i + j * ld);
      for (let k = 0; k < j; k++) {
        sum = f64x2.sub(sum, f64x2.mul(getPair(block, i + k * ld), splat(diagonal, j + k * ldd)));
      }
      setPair(block, i + j * ld, f64x2.mul(sum, reciprocal));
    }
  }
}

// @ts-ignore: decorator
@inline
function solveTwo(diagonal: usize, block: usize): void {
  const x0 = f64x2.mul(getPair(block, 0), splat(diagonal, 0));
  const rest = f64x2.sub(getPair(block, 2), f64x2.mul(x0, splat(diagonal, 1)));
  setPair(block, 0, x0);
  setPair(block, 2, f64x2.mul(rest, splat(diagonal, 3)));
}

function solveThree(diagonal: usize, block: usize): void {
  const r0 = splat(diagonal, 0), r1 = splat(diagonal, 5), r2 = splat(diagonal, 10);
  const l10 = splat(diagonal, 1), l20 = splat(diagonal, 2), l21 = splat(diagonal, 6);
  for (let i = 0; i < 4; i += 2) {
    const x0 = f64x2.mul(getPair(block, i), r0);
    const x1 = f64x2.mul(f64x2.sub(getPair(block, i + 4), f64x2.mul(x0, l10)), r1);
    const rest = f64x2.sub(getPair(block, i + 8), f64x2.mul(x0, l20));
    setPair(block, i, x0);
    setPair(block, i + 4, x1);
    setPair(block, i + 8, f64x2.mul(f64x2.sub(rest, f64x2.mul(x1, l21)), r2));
  }
}

/** y (rows) -= block (rows x size) x. */
export function subtractBlockTimes(rows: i32, size: i32, block: usize, x: usize, y: usize): void {
  if (rows == 2 && size == 2) {
    const first = f64x2.sub(getPair(y, 0), f64x2.mul(getPair(block, 0), splat(x, 0)));
    setPair(y, 0, f64x2.sub(first, f64x2.mul(getPair(block, 2), splat(x, 1))));
    return;
  }
  const ld = padToTwo(rows);
  for (let i = 0; i < ld; i += 2) {
    let sum = getPair(y, i);
    for (let k = 0; k < size; k++) {
      sum = f64x2.sub(sum, f64x2.mul(getPair(block, i + k * ld), splat(x, k)));
    }
    setPair(y, i, sum);
  }
}

/** y (size) -= block^T x, with block rows x size. The padding of x must be finite. */
export function subtractTransposeTimes(
  rows: i32, size: i32, block: usize, x: usize, y: usize,
): void {
  if (rows == 2 && size == 2) {
    const values = getPair(x, 0);
    const first = f64x2.mul(getPair(block, 0), values);
    const second = f64x2.mul(getPair(block, 2), values);
    const sums = f64x2.add(firstLanes(first, second), secondLanes(first, second));
    setPair(y, 0, f64x2.sub(getPair(y, 0), sums));
    return;
  }
  const ld = padToTwo(rows);
  let column = block;
  for (let k = 0; k < size; k++) {
    let sum = f64x2.mul(getPair(column, 0), getPair(x, 0));
    for (let i = 2; i < ld; i += 2) {
      sum = f64x2.add(sum, f64x2.mul(getPair(column, i), getPair(x, i)));
    }
    set(y, k, get(y, k) - laneSum(sum));
    column = at(column, ld);
  }
}
