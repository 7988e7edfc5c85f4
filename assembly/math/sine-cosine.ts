// Sines and cosines of two angles together, each to less than one unit in the last place, by
// instructions that every engine rounds alike.
//
// Cody and Waite: x - n pi/2 with pi/2 in three parts, of which the first two have 33 bits: n times
// them is exact up to n = 2^20. The rounding error of the difference is kept and enters to first
// order. Polynomials on [-pi/4, pi/4] are those of FreeBSD's msun (k_sin.c, k_cos.c, Sun
// Microsystems 1993). Angles beyond a million go through AssemblyScript's own reduction. Rejected:
// that for all angles, one at a time. A joint then waits for two polynomials, one after the other.

import { firstLanes, secondLanes, setPair, splat } from "./slots";

/** Two angles beyond this magnitude, or one of two, are reduced in another way. */
export const MAX_REDUCED_ANGLE: f64 = 1e6;

/** Slots of CONSTANTS. */
const TWO_OVER_PI: i32 = 0;
const HALF_PI: i32 = 1;
const SINE: i32 = 4;
const COSINE: i32 = 10;

/**
 * 2 / pi, the parts of pi / 2, then the coefficients of x^3, x^5, ... and x^4, x^6, ... In memory,
 * as engines build constants in code one by one with several instructions.
 */
const CONSTANTS: usize = memory.data<f64>([
  6.36619772367581382433e-01,
  1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624879595063154e-21,
  -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
  2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10,
  4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
  -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
], 16);

/** Sine and cosine of the first angle at `first`, of the second at `second`. */
// @ts-ignore: decorator
@inline
export function setSineCosine(angles: v128, first: usize, second: usize): void {
  if (!v128.all_true<i64>(f64x2.lt(f64x2.abs(angles), f64x2.splat(MAX_REDUCED_ANGLE)))) {
    setLarge(f64x2.extract_lane(angles, 0), first);
    setLarge(f64x2.extract_lane(angles, 1), second);
    return;
  }
  const n = f64x2.nearest(f64x2.mul(angles, splat(CONSTANTS, TWO_OVER_PI)));
  const r = f64x2.sub(angles, f64x2.mul(n, splat(CONSTANTS, HALF_PI)));
  const w = f64x2.mul(n, splat(CONSTANTS, HALF_PI + 1));
  const near = f64x2.sub(r, w);
  const lost = f64x2.sub(
    f64x2.sub(f64x2.sub(r, near), w), f64x2.mul(n, splat(CONSTANTS, HALF_PI + 2)),
  );
  const x = f64x2.add(near, lost), tail = f64x2.add(f64x2.sub(near, x), lost);
  const z = f64x2.mul(x, x), half = f64x2.mul(f64x2.splat(0.5), z), one = f64x2.splat(1.0);
  // x + x^3 S1 + (tail - z tail / 2 + x^5 S(z))
  const s = f64x2.add(x, f64x2.add(
    f64x2.mul(
      f64x2.mul(z, x),
      f64x2.add(splat(CONSTANTS, SINE), f64x2.mul(z, polynomial(SINE + 1, z))),
    ),
    f64x2.mul(tail, f64x2.sub(one, half)),
  ));
  // 1 - z / 2, what that loses, and z^2 C(z) - x tail
  const rest = f64x2.sub(one, half);
  const high = f64x2.add(splat(CONSTANTS, COSINE), f64x2.mul(z, polynomial(COSINE + 1, z)));
  const c = f64x2.add(rest, f64x2.add(
    f64x2.sub(f64x2.sub(one, rest), half),
    f64x2.sub(f64x2.mul(f64x2.mul(z, z), high), f64x2.mul(x, tail)),
  ));
  setQuarters(n, s, c, first, second);
}

/** Five coefficients from a slot on. */
// @ts-ignore: decorator
@inline
function polynomial(slot: i32, z: v128): v128 {
  let p = splat(CONSTANTS, slot + 4);
  p = f64x2.add(splat(CONSTANTS, slot + 3), f64x2.mul(p, z));
  p = f64x2.add(splat(CONSTANTS, slot + 2), f64x2.mul(p, z));
  p = f64x2.add(splat(CONSTANTS, slot + 1), f64x2.mul(p, z));
  return f64x2.add(splat(CONSTANTS, slot), f64x2.mul(p, z));
}

/** Rotates (c, s) by n quarter turns: swapped if n is odd, with signs by n modulo 4. */
// @ts-ignore: decorator
@inline
function setQuarters(n: v128, s: v128, c: v128, first: usize, second: usize): void {
  const four = f64x2.splat(4.0), sign = f64x2.splat(-0.0);
  const turns = f64x2.sub(n, f64x2.mul(four, f64x2.floor(f64x2.mul(n, f64x2.splat(0.25)))));
  const isOne = f64x2.eq(turns, f64x2.splat(1.0)), isThree = f64x2.eq(turns, f64x2.splat(3.0));
  const isTwo = f64x2.eq(turns, f64x2.splat(2.0));
  const odd = v128.or(isOne, isThree);
  const sine = v128.xor(v128.bitselect(c, s, odd), v128.and(sign, v128.or(isTwo, isThree)));
  const cosine = v128.xor(v128.bitselect(s, c, odd), v128.and(sign, v128.or(isOne, isTwo)));
  setPair(first, 0, firstLanes(sine, cosine));
  setPair(second, 0, secondLanes(sine, cosine));
}

function setLarge(angle: f64, out: usize): void {
  NativeMath.sincos(angle);
  setPair(out, 0, f64x2.replace_lane(f64x2.splat(NativeMath.sincos_sin), 1, NativeMath.sincos_cos));
}
