// One step of Euler parameters with angular velocity w in the body frame (Welch et al., eqs 10-11):
//
//   edot = G(w) e,   G = 1/2 [ 0  -w^T ; w  -w~ ],   G^2 = -|w|^2/4 I.
//
// Because G^2 is a multiple of the identity, every rational function and the exponential of h G is
// s I + t G with two scalars: the updates differ only in these. With x = (h |w| / 2)^2,
//
//   implicit     (I - h G)^-1                     s = 1 / (1 + x),               t = h s
//   Cayley       (I - h/2 G)^-1 (I + h/2 G)       s = (1 - x/4) / (1 + x/4),     t = h / (1 + x/4)
//   exponential  exp(h G)                         s = cos sqrt(x),               t = h sinc sqrt(x)
//
// e has stride 4, w stride 3; out may be e. NON_FINITE names the first body whose w or e is not
// finite, or overflows; bodies before it are done, and the results of the others are undefined.

import { Status } from "../layout";
import { isNumber } from "../math/finite";
import { at, firstLanes, get, getPair, secondLanes, setPair } from "../math/slots";
import { statusAt } from "../math/status";
import { setFour } from "./quaternion";

/** G(w), 4 x 4, column-major. */
export function rotationG(w: usize, g: usize): void {
  const w1 = 0.5 * get(w, 0), w2 = 0.5 * get(w, 1), w3 = 0.5 * get(w, 2);
  setFour(g, 0.0, w1, w2, w3);
  setFour(at(g, 4), -w1, 0.0, -w3, w2);
  setFour(at(g, 8), -w2, w3, 0.0, -w1);
  setFour(at(g, 12), -w3, -w2, w1, 0.0);
}

/** out = (I - h G)^-1 e: first order, shrinks |e|. */
export function updateImplicit(count: i32, h: f64, w: usize, e: usize, out: usize): i32 {
  return updateBodies(Update.IMPLICIT, count, h, w, e, out);
}

/** out = (I - h/2 G)^-1 (I + h/2 G) e: second order, keeps |e|. */
export function updateCayley(count: i32, h: f64, w: usize, e: usize, out: usize): i32 {
  return updateBodies(Update.CAYLEY, count, h, w, e, out);
}

/** out = exp(h G) e: exact for constant w, keeps |e|. */
export function updateExponential(count: i32, h: f64, w: usize, e: usize, out: usize): i32 {
  return updateBodies(Update.EXPONENTIAL, count, h, w, e, out);
}

// Inlined for each rule, so that none is selected within the loop. Four bodies are tested together
// for finite values after they are written, and the non-finite one is then searched. Rejected:
// testing each pair before it is written, which takes a quarter longer.
// @ts-ignore: decorator
@inline
function updateBodies(kind: Update, count: i32, h: f64, w: usize, e: usize, out: usize): i32 {
  if (count < 0) return statusAt(Status.BAD_SIZE, 0);
  const half = 0.5 * h;
  let from = w, old = e, to = out;
  let body = 0;
  for (; body + 4 <= count; body += 4) {
    const first = updatePair(kind, half, from, old, to);
    const second = updatePair(kind, half, at(from, 6), at(old, 8), at(to, 8));
    if (!areNumbers(f64x2.add(first, second))) {
      const bad = finishFour(kind, half, from, old, to);
      if (bad < 4) return statusAt(Status.NON_FINITE, body + bad);
    }
    from = at(from, 12);
    old = at(old, 16);
    to = at(to, 16);
  }
  for (; body < count; body++) {
    if (!updateSingle(kind, half, from, old, to)) return statusAt(Status.NON_FINITE, body);
    from = at(from, 3);
    old = at(old, 4);
    to = at(to, 4);
  }
  return Status.OK;
}

/**
 * Finishes what pairs have left of four bodies: exponentials that turn far. Returns the first body
 * that is not finite; 4 if there is none.
 */
function finishFour(kind: Update, half: f64, w: usize, e: usize, out: usize): i32 {
  for (let body = 0; body < 4; body++) {
    const from = at(w, 3 * body), to = at(out, 4 * body);
    const pair = at(w, 6 * (body >> 1));
    if (kind == Update.EXPONENTIAL && (isFar(half, pair) || isFar(half, at(pair, 3)))) {
      if (!updateSingle(kind, half, from, at(e, 4 * body), to)) return body;
      continue;
    }
    const sum = get(to, 0) + get(to, 1) + get(to, 2) + get(to, 3);
    if (!isNumber(sum) || !isNumber(squareOfTurn(half, from))) return body;
  }
  return 4;
}

/** Whether the angle is too large for the series of an exponential. */
function isFar(half: f64, w: usize): bool {
  return !(squareOfTurn(half, w) < SERIES_BELOW);
}

function squareOfTurn(half: f64, w: usize): f64 {
  const a1 = half * get(w, 0), a2 = half * get(w, 1), a3 = half * get(w, 2);
  return a1 * a1 + a2 * a2 + a3 * a3;
}

/** Updates one body. Returns false, and writes nothing, if a value is not finite. */
function updateSingle(kind: Update, half: f64, w: usize, e: usize, out: usize): bool {
  const a1 = half * get(w, 0), a2 = half * get(w, 1), a3 = half * get(w, 2);
  const x = a1 * a1 + a2 * a2 + a3 * a3;
  let s = 0.0, t = 0.0;
  switch (kind) {
    case Update.IMPLICIT:
      s = t = 1.0 / (1.0 + x);
      break;
    case Update.CAYLEY:
      t = 1.0 / (1.0 + 0.25 * x);
      s = (1.0 - 0.25 * x) * t;
      break;
    default:
      s = cosineOfRoot(x);
      t = sincOfRoot(x);
  }
  return isNumber(x) && applyUpdate(s, t, a1, a2, a3, e, out);
}

/** out = s e + t (h G) e, with a = h w / 2. Returns false, and writes nothing, if not finite. */
// @ts-ignore: decorator
@inline
export function applyUpdate(s: f64, t: f64, a1: f64, a2: f64, a3: f64, e: usize, out: usize): bool {
  const e0 = get(e, 0), e1 = get(e, 1), e2 = get(e, 2), e3 = get(e, 3);
  const x0 = s * e0 - t * (a1 * e1 + a2 * e2 + a3 * e3);
  const x1 = s * e1 + t * (a1 * e0 + (a3 * e2 - a2 * e3));
  const x2 = s * e2 + t * (a2 * e0 + (a1 * e3 - a3 * e1));
  const x3 = s * e3 + t * (a3 * e0 + (a2 * e1 - a1 * e2));
  if (!isNumber(x0 + x1 + x2 + x3)) return false;
  setFour(out, x0, x1, x2, x3);
  return true;
}

/** cos sqrt(x). */
// @ts-ignore: decorator
@inline
export function cosineOfRoot(x: f64): f64 {
  if (x < SERIES_BELOW) return 1.0 - (x / 2.0) * (1.0 - (x / 12.0) * (1.0 - x / 30.0));
  // Sine and cosine together, here and below: half the code of separate calls, the same bits.
  NativeMath.sincos(Math.sqrt(x));
  return NativeMath.sincos_cos;
}

/** sin sqrt(x) / sqrt(x), 1 at 0. */
// @ts-ignore: decorator
@inline
export function sincOfRoot(x: f64): f64 {
  if (x < SERIES_BELOW) return 1.0 - (x / 6.0) * (1.0 - (x / 20.0) * (1.0 - x / 42.0));
  const angle = Math.sqrt(x);
  NativeMath.sincos(angle);
  return NativeMath.sincos_sin / angle;
}

// Updates of Euler parameters of two bodies together, one in each lane: the operations of update.ts
// in the same order, so the same bits. Pairs within one body would need fewer shuffles, but other
// sums.

enum Update {
  IMPLICIT = 0,
  CAYLEY = 1,
  EXPONENTIAL = 2,
}

/** Below this square of an angle (1/64 radian) three terms of a series reach the last bit. */
const SERIES_BELOW: f64 = 1.0 / 4096.0;

/**
 * Updates both bodies from w and e to out, which may be e; half is h / 2. Returns in each lane a
 * value that is finite only if its body and rotation are. An exponential that turns too far
 * for its series writes nothing and returns NaN.
 */
// @ts-ignore: decorator
@inline
function updatePair(kind: Update, half: f64, w: usize, e: usize, out: usize): v128 {
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
function areNumbers(x: v128): bool {
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
