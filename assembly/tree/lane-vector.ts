// Records of two instances side by side: value k of the one in lane l is in slot 2 k + l.

import { LaneTable } from "../layout-tree";
import { getInteger, getPair, setPair } from "../math/slots";

/** a + t x */
// @ts-ignore: decorator
@inline
export function more(a: v128, t: v128, x: v128): v128 {
  return f64x2.add(a, f64x2.mul(t, x));
}

/** a - t x */
// @ts-ignore: decorator
@inline
export function less(a: v128, t: v128, x: v128): v128 {
  return f64x2.sub(a, f64x2.mul(t, x));
}

// @ts-ignore: decorator
@inline
export function sum(a: v128, b: v128, c: v128): v128 {
  return f64x2.add(f64x2.add(a, b), c);
}

/** The same slot of both lanes. */
// @ts-ignore: decorator
@inline
export function lane(record: usize, slot: i32): v128 {
  return getPair(record, 2 * slot);
}

// @ts-ignore: decorator
@inline
export function setLane(record: usize, slot: i32, pair: v128): void {
  setPair(record, 2 * slot, pair);
}

// @ts-ignore: decorator
@inline
export function setThree(record: usize, slot: i32, x0: v128, x1: v128, x2: v128): void {
  setLane(record, slot, x0);
  setLane(record, slot + 1, x1);
  setLane(record, slot + 2, x2);
}

// @ts-ignore: decorator
@inline
export function setSix(
  record: usize, slot: i32, x0: v128, x1: v128, x2: v128, x3: v128, x4: v128, x5: v128,
): void {
  setThree(record, slot, x0, x1, x2);
  setThree(record, slot + 3, x3, x4, x5);
}

// @ts-ignore: decorator
@inline
export function addThree(record: usize, slot: i32, x0: v128, x1: v128, x2: v128): void {
  setThree(
    record, slot, f64x2.add(lane(record, slot), x0), f64x2.add(lane(record, slot + 1), x1),
    f64x2.add(lane(record, slot + 2), x2),
  );
}

/** The entry of the ground. */
// @ts-ignore: decorator
@inline
export function firstNode(table: usize): usize {
  return table + (LaneTable.LENGTH << 2);
}

/** Number of coordinates and velocities. */
// @ts-ignore: decorator
@inline
export function sizeOf(table: usize): i32 {
  return 2 * (getInteger(table, LaneTable.NODE_COUNT) - 1);
}

/** Bytes from a number of the first pair to that of the second: of records, constants, states. */
// @ts-ignore: decorator
@inline
export function toSecond(table: usize, slots: i32): usize {
  return <usize>(2 * slots * getInteger(table, LaneTable.NODE_COUNT)) << 3;
}
