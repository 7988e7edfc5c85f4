// Rates of Euler parameters with the angular velocity w in the body frame, e' = G(w) e of
// rotation/update.ts. With p = (e0, e1), q = (e2, e3), each a pair, and J p = (-e1, e0):
//
//   2 (e0', e1') = w1 J p + (w3 J q - w2 q),   2 (e2', e3') = w2 p + (w3 J p - w1 J q).
//
// Each body has its own pairs: that takes two shuffles per body, while two bodies with a lane
// each take eleven for both (1.3 times as fast as JavaScript, this is 1.8). Whether all is finite
// is tested once, on the sum of all values; the body that is not finite is then searched in the
// output.

import { Status } from "../layout";
import { isNumber } from "../math/finite";
import { at, get, getPair, laneSum, pairOf, setPair, splat } from "../math/slots";
import { statusAt } from "../math/status";

/**
 * rates = G(w) e. rates may be e. NON_FINITE names the first body whose w or e is not finite, or
 * overflows; the results of bodies after it are undefined.
 */
export function angularVelocityToRates(count: i32, w: usize, e: usize, rates: usize): i32 {
  if (count < 0) return statusAt(Status.BAD_SIZE, 0);
  const half = f64x2.splat(0.5), turn = pairOf(-0.5, 0.5);
  let from = w, old = e, to = rates;
  let sum = f64x2.splat(0.0);
  const end = at(rates, 4 * count), last = at(rates, 4 * (count & ~3));
  while (to < last) {
    const first = setRate(half, turn, from, old, to);
    const second = setRate(half, turn, at(from, 3), at(old, 4), at(to, 4));
    const third = setRate(half, turn, at(from, 6), at(old, 8), at(to, 8));
    const fourth = setRate(half, turn, at(from, 9), at(old, 12), at(to, 12));
    sum = f64x2.add(sum, f64x2.add(f64x2.add(first, second), f64x2.add(third, fourth)));
    from = at(from, 12);
    old = at(old, 16);
    to = at(to, 16);
  }
  while (to < end) {
    sum = f64x2.add(sum, setRate(half, turn, from, old, to));
    from = at(from, 3);
    old = at(old, 4);
    to = at(to, 4);
  }
  return isNumber(laneSum(sum)) ? <i32>Status.OK : firstBad(count, rates);
}

/** The rates of one body; returns a value that is finite if they are. `turn` is (-1/2, 1/2). */
// @ts-ignore: decorator
@inline
function setRate(half: v128, turn: v128, w: usize, e: usize, out: usize): v128 {
  const p = getPair(e, 0), q = getPair(e, 2);
  const jp = f64x2.mul(v128.shuffle<f64>(p, p, 1, 0), turn);
  const jq = f64x2.mul(v128.shuffle<f64>(q, q, 1, 0), turn);
  const w1 = splat(w, 0), w2 = f64x2.mul(half, splat(w, 1)), w3 = splat(w, 2);
  const first = f64x2.add(f64x2.mul(w1, jp), f64x2.sub(f64x2.mul(w3, jq), f64x2.mul(w2, q)));
  const second = f64x2.add(f64x2.mul(w2, p), f64x2.sub(f64x2.mul(w3, jp), f64x2.mul(w1, jq)));
  setPair(out, 0, first);
  setPair(out, 2, second);
  return f64x2.add(first, second);
}

/** NON_FINITE with the first body that is not finite; OK if only a sum was too large. */
function firstBad(count: i32, rates: usize): i32 {
  let rate = rates;
  for (let body = 0; body < count; body++) {
    if (!isNumber(get(rate, 0) + get(rate, 1) + get(rate, 2) + get(rate, 3))) {
      return statusAt(Status.NON_FINITE, body);
    }
    rate = at(rate, 4);
  }
  return Status.OK;
}
