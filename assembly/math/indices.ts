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
