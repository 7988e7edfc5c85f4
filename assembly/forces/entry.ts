// Inputs of the laws: constants of an entry, and relative position and motion of two markers.

import { BodyFrame, BodyTable, ForceEntry, MarkerFrame } from "../layout-bodies";
import { at, get, getInteger } from "../math/slots";
import { addressOf, bodyOf, frameOf } from "../kinematics/table";

/** The constants of a force. */
// @ts-ignore: decorator
@inline
export function constantsOf(table: usize, entry: usize): usize {
  return at(addressOf(table, BodyTable.DATA), getInteger(entry, ForceEntry.DATA));
}

/** Component i of d, the vector from the point of A to that of B. */
// @ts-ignore: decorator
@inline
export function between(a: usize, b: usize, i: i32): f64 {
  return get(b, MarkerFrame.POINT + i) - get(a, MarkerFrame.POINT + i);
}

/** Component i of d' = vB - vA. */
// @ts-ignore: decorator
@inline
export function betweenRate(a: usize, b: usize, i: i32): f64 {
  return get(b, MarkerFrame.VELOCITY + i) - get(a, MarkerFrame.VELOCITY + i);
}

/** Component of a vector at `x` along (y0, y1, y2). */
// @ts-ignore: decorator
@inline
export function along(x: usize, y0: f64, y1: f64, y2: f64): f64 {
  return get(x, 0) * y0 + get(x, 1) * y1 + get(x, 2) * y2;
}

/** Angular velocity of a marker's body, in the world. */
// @ts-ignore: decorator
@inline
export function omegaOf(table: usize, marker: i32): usize {
  return at(frameOf(table, bodyOf(table, marker)), BodyFrame.OMEGA);
}

/** Length of a vector. */
// @ts-ignore: decorator
@inline
export function lengthOf(x0: f64, x1: f64, x2: f64): f64 {
  return Math.sqrt(x0 * x0 + x1 * x1 + x2 * x2);
}
