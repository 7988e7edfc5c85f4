// Input of the elimination of a stage (stage.ts): each node alone, and forces between
// a node and its parent.

import { ForceBlock, NodeDerivative, TreeDerivatives, TreeLink } from "../../layout-stiff";
import { Node, NodeEntry, TreeTable } from "../../layout-tree";
import { at, clearSlots, copySlots, get, getAddress, getInteger } from "../../math/slots";
import { ENTRY_BYTES, firstEntry, treeAddress } from "../table";
import { carryBlock, startNodes, takeBlock } from "./blocks";
import { treeAxes, treeColumns } from "./columns";
import { setInertias } from "./mass";
import { addNumbers, carryColumns, carryForce } from "./spatial";

/**
 * Axes, columns and inertias of the nodes, each alone; SOLUTION of the nodes as treeColumns
 * requires.
 */
export function treeStageColumns(derivatives: usize): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  treeAxes(derivatives);
  setInertias(tree, getAddress(derivatives, TreeDerivatives.RECORDS));
  treeColumns(derivatives);
}

/**
 * STIFFNESS and DAMPING of each node alone, WRENCH including all nodes outboard of it, and the
 * links with the parents. Arguments as in treeDerivatives; blocks are those of a body with itself
 * or with the body of the parent node.
 */
export function treeStageLinks(
  derivatives: usize, loads: usize, rest: usize, bodyStiffness: usize, bodyDamping: usize,
  distance: i32, links: usize,
): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const scratch = getAddress(derivatives, TreeDerivatives.SCRATCH);
  const records = getAddress(derivatives, TreeDerivatives.RECORDS);
  startNodes(tree, rest, records);
  startLinks(tree, links);
  const count = getInteger(derivatives, TreeDerivatives.BLOCK_COUNT);
  let block = derivatives + ((<usize>getInteger(derivatives, TreeDerivatives.BLOCK_LIST)) << 2);
  const k = scratch, d = at(scratch, 36);
  for (let b = 0; b < count; b++) {
    const slot = getInteger(block, ForceBlock.SLOT);
    const row = getInteger(block, ForceBlock.ROW_BODY);
    const column = getInteger(block, ForceBlock.COLUMN_BODY);
    takeBlock(tree, row, column, distance, at(bodyStiffness, slot), k);
    takeBlock(tree, row, column, distance, at(bodyDamping, slot), d);
    carryBlock(tree, block, loads, k, d);
    addBlock(block, records, links, k, d);
    block += ForceBlock.LENGTH << 2;
  }
  handWrenches(tree, records);
}

/** Sets the arms, and clears the other fields. */
function startLinks(tree: usize, links: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  clearSlots(links, TreeLink.LENGTH * count);
  for (let i = 1; i < count; i++) {
    const arm = at(nodes, Node.LENGTH * i + Node.ARM);
    copySlots(arm, at(links, TreeLink.LENGTH * i + TreeLink.ARM), 3);
  }
}

function addBlock(block: usize, records: usize, links: usize, k: usize, d: usize): void {
  const row = getInteger(block, ForceBlock.ROW_NODE);
  const column = getInteger(block, ForceBlock.COLUMN_NODE);
  if (row == column) {
    const record = at(records, NodeDerivative.LENGTH * row);
    addNumbers(36, k, at(record, NodeDerivative.STIFFNESS));
    addNumbers(36, d, at(record, NodeDerivative.DAMPING));
    return;
  }
  const link = at(links, TreeLink.LENGTH * (row > column ? row : column));
  if (row > column) {
    addNumbers(36, k, at(link, TreeLink.ON_NODE));
    addNumbers(36, d, at(link, TreeLink.ON_NODE + 36));
    return;
  }
  addNumbers(36, k, at(link, TreeLink.ON_PARENT));
  addNumbers(36, d, at(link, TreeLink.ON_PARENT + 36));
  const arm = at(link, TreeLink.ARM);
  carryColumns(k, get(arm, 0), get(arm, 1), get(arm, 2));
  carryColumns(d, get(arm, 0), get(arm, 1), get(arm, 2));
  addNumbers(36, k, at(link, TreeLink.ON_PARENT_CARRIED));
  addNumbers(36, d, at(link, TreeLink.ON_PARENT_CARRIED + 36));
}

/** WRENCH of each node with all nodes outboard of it. */
function handWrenches(tree: usize, records: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT), entries = firstEntry(tree);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const handed = records;
  for (let i = count - 1; i > 0; i--) {
    const parent = getInteger(entries + ENTRY_BYTES * i, NodeEntry.PARENT);
    if (parent == 0) continue;
    // The record of the ground is unused.
    copySlots(at(records, NodeDerivative.LENGTH * i + NodeDerivative.WRENCH), handed, 6);
    carryForce(at(nodes, Node.LENGTH * i + Node.ARM), handed);
    addNumbers(6, handed, at(records, NodeDerivative.LENGTH * parent + NodeDerivative.WRENCH));
  }
}
