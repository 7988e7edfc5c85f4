// Euler parameters e = (e0, e1, e2, e3), scalar first, body to world; Hamilton's product. Kernels
// work on `count` bodies one after the other: stride 4 for e, 3 for vectors. Outputs may be inputs
// of the same stride. Failures name the body; bodies before it are done, those after it are not.

import { Status } from "../layout";
import { isNumber } from "../math/finite";
import { at, get, set } from "../math/slots";
import { statusAt } from "../math/status";

/** |e|^2. */
// @ts-ignore: decorator
@inline
export function squareOf(e: usize): f64 {
  const e0 = get(e, 0), e1 = get(e, 1), e2 = get(e, 2), e3 = get(e, 3);
  return e0 * e0 + e1 * e1 + (e2 * e2 + e3 * e3);
}

/** Status of a body from |e|^2: SINGULAR if e is zero, NON_FINITE if it is not finite. */
// @ts-ignore: decorator
@inline
export function squareStatus(square: f64, body: i32): i32 {
  // Also the squares whose reciprocals overflow, of |e| < 1e-154: no unit vector drifts there.
  if (isNumber(2.0 / square) && square < Infinity) return Status.OK;
  return statusAt(isNumber(square) ? Status.SINGULAR : Status.NON_FINITE, body);
}

/** Writes four values; correct even if `out` overlaps the inputs. */
// @ts-ignore: decorator
@inline
export function setFour(out: usize, x0: f64, x1: f64, x2: f64, x3: f64): void {
  set(out, 0, x0);
  set(out, 1, x1);
  set(out, 2, x2);
  set(out, 3, x3);
}

/**
 * out = e / |e|. SINGULAR names a zero quaternion, NON_FINITE one with NaN or Infinity. Magnitudes
 * from 1e-300 to 1e300 are fine: those whose squares leave the range are scaled first.
 */
export function normalise(count: i32, e: usize, out: usize): i32 {
  if (count < 0) return statusAt(Status.BAD_SIZE, 0);
  for (let body = 0; body < count; body++) {
    const from = at(e, 4 * body);
    const square = squareOf(from);
    let scale = 1.0;
    // Outside, squares have lost digits to underflow or all to overflow; powers of two are exact.
    const isSafe = square > MIN_SAFE_SQUARE && square < MAX_SAFE_SQUARE;
    if (!isSafe) scale = square < 1.0 ? GROW : SHRINK;
    const e0 = scale * get(from, 0), e1 = scale * get(from, 1);
    const e2 = scale * get(from, 2), e3 = scale * get(from, 3);
    const length = Math.sqrt(e0 * e0 + e1 * e1 + (e2 * e2 + e3 * e3));
    if (!(length > 0.0 && length < Infinity)) {
      return statusAt(length == 0.0 ? Status.SINGULAR : Status.NON_FINITE, body);
    }
    setFour(at(out, 4 * body), e0 / length, e1 / length, e2 / length, e3 / length);
  }
  return Status.OK;
}

const MIN_SAFE_SQUARE: f64 = 1e-200;
const MAX_SAFE_SQUARE: f64 = 1e200;
/** 2^540 and its reciprocal. */
const GROW: f64 = 3.599131035634557e162;
const SHRINK: f64 = 2.778448436856347e-163;

/** out = a b: first b, then a, so that R(a b) = R(a) R(b). out may be a or b. */
export function quaternionProduct(count: i32, a: usize, b: usize, out: usize): i32 {
  if (count < 0) return statusAt(Status.BAD_SIZE, 0);
  for (let body = 0; body < count; body++) {
    const left = at(a, 4 * body), right = at(b, 4 * body);
    const a0 = get(left, 0), a1 = get(left, 1), a2 = get(left, 2), a3 = get(left, 3);
    const b0 = get(right, 0), b1 = get(right, 1), b2 = get(right, 2), b3 = get(right, 3);
    setFour(
      at(out, 4 * body),
      a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3,
      a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
      a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1,
      a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0,
    );
  }
  return Status.OK;
}

/**
 * w = 2 Gbar edot, the angular velocity in the body frame: twice the vector of conj(e) edot,
 * divided by |e|^2 so that it undoes angularVelocityToRates for e of any length.
 */
export function ratesToAngularVelocity(count: i32, e: usize, rates: usize, w: usize): i32 {
  if (count < 0) return statusAt(Status.BAD_SIZE, 0);
  for (let body = 0; body < count; body++) {
    const from = at(e, 4 * body), rate = at(rates, 4 * body), to = at(w, 3 * body);
    const square = squareOf(from);
    const status = squareStatus(square, body);
    if (status != Status.OK) return status;
    const e0 = get(from, 0), e1 = get(from, 1), e2 = get(from, 2), e3 = get(from, 3);
    const r0 = get(rate, 0), r1 = get(rate, 1), r2 = get(rate, 2), r3 = get(rate, 3);
    const scale = 2.0 / square;
    const w1 = scale * (e0 * r1 - e1 * r0 - (e2 * r3 - e3 * r2));
    const w2 = scale * (e0 * r2 - e2 * r0 - (e3 * r1 - e1 * r3));
    const w3 = scale * (e0 * r3 - e3 * r0 - (e1 * r2 - e2 * r1));
    if (!isNumber(w1 + w2 + w3)) return statusAt(Status.NON_FINITE, body);
    set(to, 0, w1);
    set(to, 1, w2);
    set(to, 2, w3);
  }
  return Status.OK;
}
