// Integers in slots. Records hold f64 values only; an address is meaningless after the call.

/** 2^52: an integer below 2^32, added to it, appears in the low bits. */
const WHOLE: f64 = 4503599627370496.0;

/** Converts an integral f64 below 2^32 to an integer, without the range checks of a conversion. */
// @ts-ignore: decorator
@inline
export function toIndex(x: f64): i32 {
  return <i32>reinterpret<i64>(x + WHOLE);
}

/** The address in a slot. */
// @ts-ignore: decorator
@inline
export function getAddress(base: usize, slot: i32): usize {
  return load<usize>(base + ((<usize>slot) << 3));
}

/** Writes an address to a slot. */
// @ts-ignore: decorator
@inline
export function setAddress(base: usize, slot: i32, address: usize): void {
  store<usize>(base + ((<usize>slot) << 3), address);
}

// Scaling by powers of two: exact, so a scaled computation is bitwise identical to the plain one.

/** The exponent bits of an f64. */
const EXPONENT: u64 = 0x7ff0000000000000;

/** The smallest normal number, 2^-1022. */
const SMALLEST_NORMAL: f64 = 2.2250738585072014e-308;

/** The power of two that scales a finite x into [1, 2); a subnormal x stays below 1. */
export function scaleToOne(x: f64): f64 {
  return 1.0 / Math.max(reinterpret<f64>(reinterpret<u64>(x) & EXPONENT), SMALLEST_NORMAL);
}
