// Lookup in the table of a tree.

import { NodeEntry, TreeTable } from "../layout-tree";
import { getAddress, getInteger } from "../math/slots";

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
