// Forces on the bodies of a tree: laws with constants, and functions in the module's table, which
// are compiled formulas and functions of users.

import { bodyForces } from "../forces/registry";
import { addressOf } from "../kinematics/table";
import { Status } from "../layout";
import { BODY_VELOCITIES, BodyTable } from "../layout-bodies";
import { TreeTable } from "../layout-tree";
import { isNumber } from "../math/finite";
import { get, getInteger, set } from "../math/slots";
import { treeAddress } from "./vector";

/** Address of the forces on bodies; 0 if there are no laws. */
export function loadsOf(tree: usize): usize {
  if (!getInteger(tree, TreeTable.FORCE_PARTS)) return 0;
  return addressOf(treeAddress(tree, TreeTable.BODY_TABLE), BodyTable.FORCES);
}

/**
 * Forces of all laws, from frames of all bodies with velocities and sensors. NON_FINITE
 * if a formula has no value, also if that has no effect, or if a function has failed.
 */
export function treeLoads(tree: usize): i32 {
  const parts = getInteger(tree, TreeTable.FORCE_PARTS);
  if (!parts) return Status.OK;
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const first = getInteger(tree, TreeTable.FIRST_FUNCTION);
  const laws = getInteger(tree, TreeTable.LAW_COUNT);
  for (let i = 0; i < laws; i++) call_indirect<void>(first + i);
  const values = treeAddress(tree, TreeTable.VALUE_LIST);
  const count = getInteger(tree, TreeTable.VALUE_COUNT);
  for (let i = 0; i < count; i++) {
    if (!isNumber(get(<usize>getInteger(values, i), 0))) return Status.NON_FINITE;
  }
  bodyForces(table, parts);
  const loads = getInteger(tree, TreeTable.LOAD_COUNT);
  for (let i = 0; i < loads; i++) call_indirect<void>(first + laws + i);
  const time = treeAddress(tree, TreeTable.TIME);
  if (time != 0 && !isNumber(get(time, 0))) return Status.NON_FINITE;
  if (!loads) return Status.OK;
  const forces = addressOf(table, BodyTable.FORCES);
  const slots = BODY_VELOCITIES * getInteger(table, BodyTable.BODY_COUNT);
  for (let i = 0; i < slots; i++) if (!isNumber(get(forces, i))) return Status.NON_FINITE;
  return Status.OK;
}

/** Writes the time of a stage, or of the end, for laws that depend on it. */
// @ts-ignore: decorator
@inline
export function setStageTime(tree: usize, stage: i32, stages: i32, h: f64): void {
  const time = treeAddress(tree, TreeTable.TIME);
  if (time == 0) return;
  const begin = get(treeAddress(tree, TreeTable.BEGIN), 0);
  const part = stage < stages ? get(treeAddress(tree, TreeTable.STAGE_TIMES), stage) * h : h;
  set(time, 0, begin + part);
}
