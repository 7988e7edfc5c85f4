// Reading and writing f64 slots. Every kernel goes through these, so that `load` and `store` with
// their byte arithmetic appear in this folder only.

/** The value in a slot. */
// @ts-ignore: decorator
@inline
export function get(base: usize, slot: i32): f64 {
  return load<f64>(base + ((<usize>slot) << 3));
}

/** Writes a slot. */
// @ts-ignore: decorator
@inline
export function set(base: usize, slot: i32, value: f64): void {
  store<f64>(base + ((<usize>slot) << 3), value);
}

/** The address of a slot. */
// @ts-ignore: decorator
@inline
export function at(base: usize, slot: i32): usize {
  return base + ((<usize>slot) << 3);
}

/** Two neighbouring slots. */
// @ts-ignore: decorator
@inline
export function getPair(base: usize, slot: i32): v128 {
  return v128.load(base + ((<usize>slot) << 3));
}

/** One slot in the first lane, zero in the second. */
// @ts-ignore: decorator
@inline
export function getSingle(base: usize, slot: i32): v128 {
  return v128.load64_zero(base + ((<usize>slot) << 3));
}

/** Two values as a pair. */
// @ts-ignore: decorator
@inline
export function pairOf(first: f64, second: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(first), 1, second);
}

/** Writes two neighbouring slots. */
// @ts-ignore: decorator
@inline
export function setPair(base: usize, slot: i32, pair: v128): void {
  v128.store(base + ((<usize>slot) << 3), pair);
}

/** Reads the same slot of two records. */
// @ts-ignore: decorator
@inline
export function getBoth(first: usize, second: usize, slot: i32): v128 {
  return v128.load_lane<f64>(second + ((<usize>slot) << 3), getSingle(first, slot), 1);
}

/** Writes the same slot of two records. */
// @ts-ignore: decorator
@inline
export function setBoth(first: usize, second: usize, slot: i32, pair: v128): void {
  v128.store_lane<f64>(first + ((<usize>slot) << 3), pair, 0);
  v128.store_lane<f64>(second + ((<usize>slot) << 3), pair, 1);
}

/** One slot in both lanes. */
// @ts-ignore: decorator
@inline
export function splat(base: usize, slot: i32): v128 {
  return v128.load64_splat(base + ((<usize>slot) << 3));
}

/** Copies slots. */
// @ts-ignore: decorator
@inline
export function copySlots(from: usize, to: usize, count: i32): void {
  memory.copy(to, from, (<usize>count) << 3);
}

/** Sets slots to zero. */
// @ts-ignore: decorator
@inline
export function clearSlots(base: usize, count: i32): void {
  memory.fill(base, 0, (<usize>count) << 3);
}

/** Sets integers to zero. */
// @ts-ignore: decorator
@inline
export function clearIntegers(base: usize, count: i32): void {
  memory.fill(base, 0, (<usize>count) << 2);
}

/** Sets bytes to zero. */
// @ts-ignore: decorator
@inline
export function clearBytes(base: usize, count: i32): void {
  memory.fill(base, 0, <usize>count);
}

/** Sum of both lanes. */
// @ts-ignore: decorator
@inline
export function laneSum(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1);
}

/** The first lanes of two pairs. */
// @ts-ignore: decorator
@inline
export function firstLanes(left: v128, right: v128): v128 {
  return v128.shuffle<f64>(left, right, 0, 2);
}

/** The second lanes of two pairs. */
// @ts-ignore: decorator
@inline
export function secondLanes(left: v128, right: v128): v128 {
  return v128.shuffle<f64>(left, right, 1, 3);
}

/** A 32-bit integer of a table. */
// @ts-ignore: decorator
@inline
export function getInteger(table: usize, index: i32): i32 {
  return load<i32>(table + ((<usize>index) << 2));
}

/** An address in a table. */
// @ts-ignore: decorator
@inline
export function getAddress(table: usize, index: i32): usize {
  return <usize>load<u32>(table + ((<usize>index) << 2));
}

/** Writes a 32-bit integer of a table. */
// @ts-ignore: decorator
@inline
export function setInteger(table: usize, index: i32, value: i32): void {
  store<i32>(table + ((<usize>index) << 2), value);
}

/** A byte. */
// @ts-ignore: decorator
@inline
export function getByte(base: usize, index: i32): i32 {
  return <i32>load<u8>(base + <usize>index);
}

/** Writes a byte. */
// @ts-ignore: decorator
@inline
export function setByte(base: usize, index: i32, value: i32): void {
  store<u8>(base + <usize>index, <u8>value);
}
