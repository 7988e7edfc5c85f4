// Forces on the bodies of a tree by kernels alone: laws with constants, and formulas that have been
// compiled to functions of the module's table.

import { bodyForces } from "../forces/registry";
import { addressOf } from "../kinematics/table";
import { Status } from "../layout";
import { BODY_VELOCITIES, BodyTable } from "../layout-bodies";
import { TreeTable } from "../layout-tree";
import { isNumber } from "../math/finite";
import { at, get, getInteger } from "../math/slots";
import { treeAddress } from "./vector";

/** Address of the forces on bodies; 0 if there are no laws. */
export function loadsOf(tree: usize): usize {
  if (!getInteger(tree, TreeTable.FORCE_PARTS)) return 0;
  return addressOf(treeAddress(tree, TreeTable.BODY_TABLE), BodyTable.FORCES);
}

/**
 * Forces of all laws, from frames of all bodies with velocities and sensors. NON_FINITE
 * if a formula has no value, also if that has no effect.
 */
export function treeLoads(tree: usize): i32 {
  const parts = getInteger(tree, TreeTable.FORCE_PARTS);
  if (!parts) return Status.OK;
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const laws = getInteger(tree, TreeTable.LAWS);
  if (laws) {
    call_indirect<void>(laws);
    const values = treeAddress(tree, TreeTable.VALUE_LIST);
    const count = getInteger(tree, TreeTable.VALUE_COUNT);
    for (let i = 0; i < count; i++) {
      if (!isNumber(get(<usize>getInteger(values, i), 0))) return Status.NON_FINITE;
    }
  }
  bodyForces(table, parts);
  const loads = getInteger(tree, TreeTable.LOAD_COUNT);
  if (!loads) return Status.OK;
  const first = getInteger(tree, TreeTable.FIRST_LOAD);
  for (let i = 0; i < loads; i++) call_indirect<void>(first + i);
  const forces = addressOf(table, BodyTable.FORCES);
  const slots = BODY_VELOCITIES * getInteger(table, BodyTable.BODY_COUNT);
  for (let i = 0; i < slots; i++) if (!isNumber(get(forces, i))) return Status.NON_FINITE;
  return Status.OK;
}
