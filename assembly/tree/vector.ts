// Spatial vectors of nodes: angular part, then linear part, in the axes of the world.

import { NodeEntry, TreeTable } from "../layout-tree";
import { get, getAddress, getInteger, set } from "../math/slots";

/** Component i of R x, with R column-major. */
// @ts-ignore: decorator
@inline
export function along(r: usize, i: i32, x0: f64, x1: f64, x2: f64): f64 {
  return get(r, i) * x0 + get(r, 3 + i) * x1 + get(r, 6 + i) * x2;
}

/** Component i of R^T x. */
// @ts-ignore: decorator
@inline
export function back(r: usize, i: i32, x0: f64, x1: f64, x2: f64): f64 {
  return get(r, 3 * i) * x0 + get(r, 3 * i + 1) * x1 + get(r, 3 * i + 2) * x2;
}

/** Component i of M x for a symmetric M stored as xx, xy, xz, yy, yz, zz. */
// @ts-ignore: decorator
@inline
export function symmetric(m: usize, i: i32, x0: f64, x1: f64, x2: f64): f64 {
  if (i == 0) return get(m, 0) * x0 + get(m, 1) * x1 + get(m, 2) * x2;
  if (i == 1) return get(m, 1) * x0 + get(m, 3) * x1 + get(m, 4) * x2;
  return get(m, 2) * x0 + get(m, 4) * x1 + get(m, 5) * x2;
}

/** Writes six values. */
// @ts-ignore: decorator
@inline
export function setSix(out: usize, x0: f64, x1: f64, x2: f64, x3: f64, x4: f64, x5: f64): void {
  set(out, 0, x0);
  set(out, 1, x1);
  set(out, 2, x2);
  set(out, 3, x3);
  set(out, 4, x4);
  set(out, 5, x5);
}

/** Adds six values. */
// @ts-ignore: decorator
@inline
export function addSix(out: usize, x0: f64, x1: f64, x2: f64, x3: f64, x4: f64, x5: f64): void {
  setSix(
    out,
    get(out, 0) + x0, get(out, 1) + x1, get(out, 2) + x2,
    get(out, 3) + x3, get(out, 4) + x4, get(out, 5) + x5,
  );
}

/** x . y for two at a time: a lane each. */
// @ts-ignore: decorator
@inline
export function dot(x0: v128, y0: v128, x1: v128, y1: v128, x2: v128, y2: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(x0, y0), f64x2.mul(x1, y1)), f64x2.mul(x2, y2));
}

/** A component of a vector product, for two at a time. */
// @ts-ignore: decorator
@inline
export function cross(a: v128, b: v128, c: v128, d: v128): v128 {
  return f64x2.sub(f64x2.mul(a, b), f64x2.mul(c, d));
}

// Lookup in the table of a tree.

/** The entry of node 0, the ground. */
// @ts-ignore: decorator
@inline
export function firstEntry(tree: usize): usize {
  return tree + ((<usize>getInteger(tree, TreeTable.NODE_LIST)) << 2);
}

/** Bytes from an entry to the next. */
export const ENTRY_BYTES: usize = NodeEntry.LENGTH << 2;

/** An address in the head of the table. */
// @ts-ignore: decorator
@inline
export function treeAddress(tree: usize, field: i32): usize {
  return getAddress(tree, field);
}
