// Updates of Euler parameters of two bodies together, one in each lane: the operations of update.ts
// in the same order, so the same bits. Pairs within one body would need fewer shuffles, but other
// sums.

import { firstLanes, getPair, secondLanes, setPair } from "../math/slots";

export enum Update {
  IMPLICIT = 0,
  CAYLEY = 1,
  EXPONENTIAL = 2,
}

/** Below this square of an angle (1/64 radian) three terms of a series reach the last bit. */
export const SERIES_BELOW: f64 = 1.0 / 4096.0;

/**
 * Updates both bodies from w and e to out, which may be e; half is h / 2. Returns in each lane a
 * value that is finite only if its body and rotation are. An exponential that turns too far
 * for its series writes nothing and returns NaN.
 */
// @ts-ignore: decorator
@inline
export function updatePair(kind: Update, half: f64, w: usize, e: usize, out: usize): v128 {
  const h = f64x2.splat(half);
  const w0 = f64x2.mul(h, getPair(w, 0)), w1 = f64x2.mul(h, getPair(w, 2));
  const w2 = f64x2.mul(h, getPair(w, 4));
  const a1 = v128.shuffle<f64>(w0, w1, 0, 3);
  const a2 = v128.shuffle<f64>(w0, w2, 1, 2);
  const a3 = v128.shuffle<f64>(w1, w2, 0, 3);
  const x = f64x2.add(f64x2.add(f64x2.mul(a1, a1), f64x2.mul(a2, a2)), f64x2.mul(a3, a3));
  if (kind == Update.EXPONENTIAL && !both(f64x2.lt(x, f64x2.splat(SERIES_BELOW)))) {
    return f64x2.splat(NaN);
  }
  const left = getPair(e, 0), right = getPair(e, 4);
  const e0 = firstLanes(left, right), e1 = secondLanes(left, right);
  const more = getPair(e, 2), last = getPair(e, 6);
  const e2 = firstLanes(more, last), e3 = secondLanes(more, last);
  // h G e.
  let x0 = f64x2.add(f64x2.add(f64x2.mul(a1, e1), f64x2.mul(a2, e2)), f64x2.mul(a3, e3));
  let x1 = f64x2.add(f64x2.mul(a1, e0), f64x2.sub(f64x2.mul(a3, e2), f64x2.mul(a2, e3)));
  let x2 = f64x2.add(f64x2.mul(a2, e0), f64x2.sub(f64x2.mul(a1, e3), f64x2.mul(a3, e1)));
  let x3 = f64x2.add(f64x2.mul(a3, e0), f64x2.sub(f64x2.mul(a2, e1), f64x2.mul(a1, e2)));
  const t = turnedPart(kind, x), s = ownPart(kind, x, t);
  x0 = f64x2.sub(f64x2.mul(s, e0), f64x2.mul(t, x0));
  x1 = f64x2.add(f64x2.mul(s, e1), f64x2.mul(t, x1));
  x2 = f64x2.add(f64x2.mul(s, e2), f64x2.mul(t, x2));
  x3 = f64x2.add(f64x2.mul(s, e3), f64x2.mul(t, x3));
  setPair(out, 0, firstLanes(x0, x1));
  setPair(out, 2, firstLanes(x2, x3));
  setPair(out, 4, secondLanes(x0, x1));
  setPair(out, 6, secondLanes(x2, x3));
  const sum = f64x2.add(f64x2.add(f64x2.add(x0, x1), x2), x3);
  // A series is below its limit, a square may be too large where all else is finite.
  return kind == Update.EXPONENTIAL ? sum : f64x2.add(sum, x);
}

/**
 * Whether a comparison holds in both lanes. Their signs are one instruction, `all_true` is several.
 */
// @ts-ignore: decorator
@inline
function both(holds: v128): bool {
  return i64x2.bitmask(holds) == 3;
}

/** Whether both lanes are finite. */
// @ts-ignore: decorator
@inline
export function areNumbers(x: v128): bool {
  return both(f64x2.eq(f64x2.sub(x, x), f64x2.splat(0.0)));
}

/** s of a rule, by its t, in both lanes. */
// @ts-ignore: decorator
@inline
function ownPart(kind: Update, x: v128, t: v128): v128 {
  if (kind == Update.IMPLICIT) return t;
  if (kind == Update.EXPONENTIAL) return series(x, f64x2.mul(f64x2.splat(0.5), x), 12.0, 30.0);
  return f64x2.mul(f64x2.sub(f64x2.splat(1.0), f64x2.mul(f64x2.splat(0.25), x)), t);
}

/** t of a rule, in both lanes. */
// @ts-ignore: decorator
@inline
function turnedPart(kind: Update, x: v128): v128 {
  const one = f64x2.splat(1.0);
  if (kind == Update.IMPLICIT) return f64x2.div(one, f64x2.add(one, x));
  if (kind == Update.EXPONENTIAL) return series(x, f64x2.div(x, f64x2.splat(6.0)), 20.0, 42.0);
  return f64x2.div(one, f64x2.add(one, f64x2.mul(f64x2.splat(0.25), x)));
}

/** 1 - first (1 - x/b (1 - x/c)). */
// @ts-ignore: decorator
@inline
function series(x: v128, first: v128, b: f64, c: f64): v128 {
  const one = f64x2.splat(1.0);
  const inner = f64x2.sub(one, f64x2.div(x, f64x2.splat(c)));
  const middle = f64x2.sub(one, f64x2.mul(f64x2.div(x, f64x2.splat(b)), inner));
  return f64x2.sub(one, f64x2.mul(first, middle));
}
