// Scaling by powers of two: exact, so a scaled computation is bitwise identical to the plain one.

/** The exponent bits of an f64. */
const EXPONENT: u64 = 0x7ff0000000000000;

/** The smallest normal number, 2^-1022. */
const SMALLEST_NORMAL: f64 = 2.2250738585072014e-308;

/** The power of two that scales a finite x into [1, 2); a subnormal x stays below 1. */
export function scaleToOne(x: f64): f64 {
  return 1.0 / Math.max(reinterpret<f64>(reinterpret<u64>(x) & EXPONENT), SMALLEST_NORMAL);
}
