// Euler parameters of a tree: contributions of e' = T w to derivatives and second rates
// (derivatives/turns.ts, bodies/motion.ts); all other coordinates are their own rates.

import { NodeEntry, NodeKind, TreeTable } from "../../layout-tree";
import { setTurns } from "../../derivatives/turns";
import { at, clearSlots, get, getInteger, set } from "../../math/slots";
import { ENTRY_BYTES, firstEntry, treeAddress } from "../vector";

/**
 * Twelve values for each node with Euler parameters, in order, and each of the three matrices: as
 * bodyTurnDerivatives.
 */
export function treeTurnDerivatives(
  tree: usize, a: usize, rate: usize, bias: usize, gyro: usize,
): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const positions = treeAddress(tree, TreeTable.POSITIONS);
  const velocities = treeAddress(tree, TreeTable.VELOCITIES);
  let entry = firstEntry(tree) + ENTRY_BYTES, slot = 0;
  for (let i = 1; i < count; i++) {
    const kind = getInteger(entry, NodeEntry.KIND);
    if (kind == NodeKind.BALL || kind == NodeKind.FREE) {
      const first = kind == NodeKind.FREE ? 3 : 0;
      const velocity = getInteger(entry, NodeEntry.VELOCITY) + first;
      setTurns(
        at(positions, getInteger(entry, NodeEntry.POSITION) + first), at(velocities, velocity),
        at(a, velocity), at(rate, slot), at(bias, slot), at(gyro, slot),
      );
      slot += 12;
    }
    entry += ENTRY_BYTES;
  }
}

/** out = second derivative of the trial positions at constant velocities. */
export function treePositionBias(tree: usize, out: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const positions = treeAddress(tree, TreeTable.POSITIONS);
  const velocities = treeAddress(tree, TreeTable.VELOCITIES);
  clearSlots(out, getInteger(tree, TreeTable.POSITION_COUNT));
  let entry = firstEntry(tree) + ENTRY_BYTES;
  for (let i = 1; i < count; i++) {
    const kind = getInteger(entry, NodeEntry.KIND);
    if (kind == NodeKind.BALL || kind == NodeKind.FREE) {
      const first = kind == NodeKind.FREE ? 3 : 0;
      const position = getInteger(entry, NodeEntry.POSITION) + first;
      const w = at(velocities, getInteger(entry, NodeEntry.VELOCITY) + first);
      const square = get(w, 0) * get(w, 0) + get(w, 1) * get(w, 1) + get(w, 2) * get(w, 2);
      for (let k = 0; k < 4; k++) {
        set(out, position + k, -0.25 * square * get(positions, position + k));
      }
    }
    entry += ENTRY_BYTES;
  }
}
