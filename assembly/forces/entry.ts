// Reading an entry of the list of forces.

import { BodyTable, ForceEntry } from "../layout-bodies";
import { at, getInteger } from "../math/slots";
import { addressOf } from "../kinematics/table";

/** The constants of a force. */
// @ts-ignore: decorator
@inline
export function constantsOf(table: usize, entry: usize): usize {
  return at(addressOf(table, BodyTable.DATA), getInteger(entry, ForceEntry.DATA));
}
