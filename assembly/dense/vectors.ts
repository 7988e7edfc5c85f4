// Products with vectors, sums of vectors and the norm that controls a step. NaN and Infinity
// propagate. Sums run over two pairs of lanes: four partial sums in a fixed order.

import { Status } from "../layout";
import { at, get, getPair, laneSum, set, setPair, splat } from "../math/slots";
import { statusAt } from "../math/status";
import { dot } from "../math/vectors";
import { addFourDots, subtractFourColumns, subtractMultiple } from "./columns";

/** y = A x, A m x n. y shares no memory with A and x. */
export function matrixVector(m: i32, n: i32, a: usize, lda: i32, x: usize, y: usize): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (lda < m) return statusAt(Status.BAD_SIZE, 3);
  for (let i = 0; i < m; i++) set(y, i, 0.0);
  let j = 0;
  // Subtracting the product with -x is exact, and is the code the triangles use.
  for (; j + 4 <= n; j += 4) {
    const s = at(x, j);
    subtractFourColumns(
      m, at(a, j * lda), lda, -get(s, 0), -get(s, 1), -get(s, 2), -get(s, 3), y,
    );
  }
  for (; j < n; j++) subtractMultiple(m, -get(x, j), at(a, j * lda), y);
  return Status.OK;
}

/** y = A^T x, A m x n. y shares no memory with A and x. */
export function matrixTransposeVector(
  m: i32, n: i32, a: usize, lda: i32, x: usize, y: usize,
): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (lda < m) return statusAt(Status.BAD_SIZE, 3);
  let j = 0;
  for (; j + 4 <= n; j += 4) {
    const s = at(y, j);
    setPair(s, 0, f64x2.splat(0.0));
    setPair(s, 2, f64x2.splat(0.0));
    addFourDots(m, at(a, j * lda), lda, x, 1.0, s);
  }
  for (; j < n; j++) set(y, j, dot(m, at(a, j * lda), x));
  return Status.OK;
}

/** out = y + alpha x. out may be x or y. */
export function axpy(n: i32, alpha: f64, x: usize, y: usize, out: usize): i32 {
  if (n < 0) return statusAt(Status.BAD_SIZE, 0);
  const factor = f64x2.splat(alpha);
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    setPair(out, i, f64x2.add(getPair(y, i), f64x2.mul(getPair(x, i), factor)));
  }
  if (i < n) set(out, i, get(y, i) + alpha * get(x, i));
  return Status.OK;
}

/**
 * out = y + h sum_k weights_k slopes_k: a stage of a Runge-Kutta method. `slopes` are `count` rows
 * of n slots, one after the other. out may be y or one of the slopes.
 */
export function combine(
  n: i32, count: i32, h: f64, y: usize, slopes: usize, weights: usize, out: usize,
): i32 {
  if (n < 0 || count < 0) return statusAt(Status.BAD_SIZE, n < 0 ? 0 : 1);
  const step = (<usize>n) << 3, factor = f64x2.splat(h);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    let first = f64x2.splat(0.0), second = first;
    let slope = at(slopes, i);
    for (let k = 0; k < count; k++) {
      const weight = splat(weights, k);
      first = f64x2.add(first, f64x2.mul(getPair(slope, 0), weight));
      second = f64x2.add(second, f64x2.mul(getPair(slope, 2), weight));
      slope += step;
    }
    setPair(out, i, f64x2.add(getPair(y, i), f64x2.mul(first, factor)));
    setPair(out, i + 2, f64x2.add(getPair(y, i + 2), f64x2.mul(second, factor)));
  }
  for (; i < n; i++) {
    let sum = 0.0;
    for (let k = 0; k < count; k++) sum += get(slopes, i + k * n) * get(weights, k);
    set(out, i, get(y, i) + sum * h);
  }
  return Status.OK;
}

/**
 * sqrt(1/n sum (e_i / (absolute + relative max(|y0_i|, |y1_i|)))^2): a step with error e from y0 to
 * y1 is accepted when this is at most 1 (Hairer, Norsett & Wanner, Solving ODEs I, section II.4).
 * NaN when anything is NaN, so test for acceptance, not for refusal. 0 when n <= 0.
 */
export function errorNorm(
  n: i32, absolute: f64, relative: f64, e: usize, y0: usize, y1: usize,
): f64 {
  if (n <= 0) return 0.0;
  const floor = f64x2.splat(absolute), factor = f64x2.splat(relative);
  let sum = f64x2.splat(0.0);
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    const size = f64x2.max(f64x2.abs(getPair(y0, i)), f64x2.abs(getPair(y1, i)));
    const ratio = f64x2.div(getPair(e, i), f64x2.add(floor, f64x2.mul(factor, size)));
    sum = f64x2.add(sum, f64x2.mul(ratio, ratio));
  }
  let total = laneSum(sum);
  if (i < n) {
    const size = max<f64>(Math.abs(get(y0, i)), Math.abs(get(y1, i)));
    const ratio = get(e, i) / (absolute + relative * size);
    total += ratio * ratio;
  }
  return Math.sqrt(total / n);
}

/**
 * The largest |e_i| / (absolute + relative max(|y0_i|, |y1_i|)): as {@link errorNorm}, but one
 * coordinate that is wrong is not excused by many that are right. NaN when anything is NaN.
 */
export function errorMaximum(
  n: i32, absolute: f64, relative: f64, e: usize, y0: usize, y1: usize,
): f64 {
  let largest = 0.0;
  for (let i = 0; i < n; i++) {
    const size = max<f64>(Math.abs(get(y0, i)), Math.abs(get(y1, i)));
    largest = max<f64>(largest, Math.abs(get(e, i)) / (absolute + relative * size));
  }
  return largest;
}
