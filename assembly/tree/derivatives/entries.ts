// Derivatives of the equations of a tree, R = Q + J^T lambda - M a, by displacements and
// velocities. The force on a node i and all nodes outboard of it, and S_i . f_i = R_i, change by
// (tree/derivatives/blocks.ts, columns.ts)
//
//   f^_i = K xi + D V^ - I P + sum over children c of S_c x* f_c x_c,    dR_i = S_i . f^_i,
//
// with K, D and I of all these nodes together. A coordinate j inwards of i moves all of them
// alike; one outboard of it moves those outboard of it, and rotates the forces they transmit. So
// for j inwards of i, or i itself,
//
//   dR_i/dx_j = S_i . (K_i S_j + D_i psi'_j - I_i psi''_j)         dR_i/dv_j = S_i . (D_i S_j -
// I_i (S'_j + psi'_j))
//   dR_j/dx_i = S_j . (K_i S_i + D_i psi'_i - I_i psi''_i + S_i x* f_i)
//   dR_j/dv_i = S_j . (D_i S_i - I_i (S'_i + psi'_i))
//
// which are eqs. 29 to 32 of Singh, Russell and Wensing 2022 with forces and multipliers in K, D
// and f. The work is that of the entries of M.
//
// Matrices are stored node by node, blocks row-major: the block of the node with itself; then, for
// each node on the path to the ground, the block below the diagonal and the one above.

import { NodeColumns, NodeDerivative, TreeDerivatives } from "../../layout-stiff";
import { Node, NodeEntry, NodeKind, TreeTable } from "../../layout-tree";
import { at, clearSlots, get, getAddress, getInteger, set } from "../../math/slots";
import { widthOf } from "../whitened";
import { ENTRY_BYTES, firstEntry, treeAddress } from "../vector";
import { handInwards, takeBlocks } from "./blocks";
import { inertiaTimes } from "./mass";
import {
  addCrossForce, addTimesSix, carryForce, dotSix, timesSix, transposeTimesSix,
} from "./spatial";

/**
 * stiffness = dR/dx and damping = dR/dv, of `slots` slots each; treeMass and treeColumns have been
 * called at this state. Arguments as in takeBlocks.
 */
export function treeDerivatives(
  derivatives: usize, loads: usize, rest: usize, bodyStiffness: usize, bodyDamping: usize,
  distance: i32, slots: i32, stiffness: usize, damping: usize,
): void {
  const tree = getAddress(derivatives, TreeDerivatives.TREE);
  const records = getAddress(derivatives, TreeDerivatives.RECORDS);
  const scratch = getAddress(derivatives, TreeDerivatives.SCRATCH);
  const nodes = treeAddress(tree, TreeTable.NODES), entries = firstEntry(tree);
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  clearSlots(stiffness, slots);
  clearSlots(damping, slots);
  takeBlocks(
    derivatives, loads, rest, bodyStiffness, bodyDamping, distance, stiffness, damping,
  );
  for (let i = count - 1; i > 0; i--) {
    const parent = getInteger(entries + ENTRY_BYTES * i, NodeEntry.PARENT);
    if (parent == 0) continue;
    handInwards(
      at(records, NodeDerivative.LENGTH * i), at(nodes, Node.LENGTH * i + Node.ARM), scratch,
      at(records, NodeDerivative.LENGTH * parent),
    );
  }
  let slot = 0;
  for (let i = 1; i < count; i++) slot = addNode(derivatives, tree, i, slot, stiffness, damping);
}

/** Entries of a node's velocities; returns the slot of the next node. */
function addNode(
  derivatives: usize, tree: usize, i: i32, slot: i32, stiffness: usize, damping: usize,
): i32 {
  const columns = getAddress(derivatives, TreeDerivatives.COLUMNS);
  const record = at(getAddress(derivatives, TreeDerivatives.RECORDS), NodeDerivative.LENGTH * i);
  const forces = getAddress(derivatives, TreeDerivatives.SCRATCH);
  const entry = firstEntry(tree) + ENTRY_BYTES * i;
  const kind = getInteger(entry, NodeEntry.KIND), width = widthOf(kind);
  const own = at(columns, NodeColumns.LENGTH * getInteger(entry, NodeEntry.VELOCITY));
  let next = slot + width * width;
  for (let a = 0; a < width; a++) {
    const column = at(own, NodeColumns.LENGTH * a);
    setForces(record, column, forces);
    for (let b = 0; b < width; b++) {
      const row = at(own, NodeColumns.LENGTH * b), to = slot + b * width + a;
      // The slides of a free node are inwards of its rotations.
      const isInwards = kind == NodeKind.FREE && a >= 3 && b < 3;
      const pull = dotSix(row, at(forces, isInwards ? Force.TURNED : Force.PULL));
      set(stiffness, to, get(stiffness, to) + pull);
      set(damping, to, get(damping, to) + dotSix(row, at(forces, Force.DRAG)));
    }
    next = addInwards(tree, columns, i, a, width, slot + width * width, stiffness, damping, forces);
  }
  return next;
}

/** Slots of the five forces of a velocity of node i. */
enum Force {
  /** I S */
  MASS = 0,
  /** D S - I (S' + psi') */
  DRAG = 6,
  /** K S + D psi' - I psi'', and with S x* f. */
  PULL = 12,
  TURNED = 18,
  /** K^T S, D^T S */
  STIFFNESS = 24,
  DAMPING = 30,
  SCRATCH = 36,
}

function setForces(record: usize, column: usize, forces: usize): void {
  const stiffness = at(record, NodeDerivative.STIFFNESS);
  const damping = at(record, NodeDerivative.DAMPING), scratch = at(forces, Force.SCRATCH);
  const drag = at(forces, Force.DRAG), pull = at(forces, Force.PULL);
  const turned = at(forces, Force.TURNED);
  inertiaTimes(record, column, at(forces, Force.MASS));
  timesSix(damping, column, drag);
  inertiaTimes(record, at(column, NodeColumns.TWICE), scratch);
  for (let k = 0; k < 6; k++) set(drag, k, get(drag, k) - get(scratch, k));
  timesSix(stiffness, column, pull);
  addTimesSix(damping, at(column, NodeColumns.RATE), pull);
  inertiaTimes(record, at(column, NodeColumns.SECOND), scratch);
  for (let k = 0; k < 6; k++) {
    set(pull, k, get(pull, k) - get(scratch, k));
    set(turned, k, get(pull, k));
  }
  addCrossForce(column, at(record, NodeDerivative.WRENCH), turned);
  transposeTimesSix(stiffness, column, at(forces, Force.STIFFNESS));
  transposeTimesSix(damping, column, at(forces, Force.DAMPING));
}

/**
 * Entries of velocity a of node i with all nodes on the path to the ground; the forces are carried
 * along.
 */
function addInwards(
  tree: usize, columns: usize, i: i32, a: i32, width: i32, slot: i32, stiffness: usize,
  damping: usize, forces: usize,
): i32 {
  const nodes = treeAddress(tree, TreeTable.NODES), entries = firstEntry(tree);
  let node = i, to = slot;
  while (true) {
    const arm = at(nodes, Node.LENGTH * node + Node.ARM);
    node = getInteger(entries + ENTRY_BYTES * node, NodeEntry.PARENT);
    if (node == 0) return to;
    for (let f: i32 = 0; f < Force.SCRATCH; f += 6) carryForce(arm, at(forces, f));
    const entry = entries + ENTRY_BYTES * node;
    const size = widthOf(getInteger(entry, NodeEntry.KIND));
    let column = at(columns, NodeColumns.LENGTH * getInteger(entry, NodeEntry.VELOCITY));
    let below = to + a * size, above = to + width * size + a;
    for (let b = 0; b < size; b++) {
      const rate = at(column, NodeColumns.RATE), mass = at(forces, Force.MASS);
      const drag = dotSix(at(forces, Force.DAMPING), column)
        - dotSix(mass, at(column, NodeColumns.TWICE));
      const pull = dotSix(at(forces, Force.STIFFNESS), column)
        + dotSix(at(forces, Force.DAMPING), rate) - dotSix(mass, at(column, NodeColumns.SECOND));
      set(stiffness, below, get(stiffness, below) + pull);
      set(damping, below, get(damping, below) + drag);
      set(stiffness, above, get(stiffness, above) + dotSix(column, at(forces, Force.TURNED)));
      set(damping, above, get(damping, above) + dotSix(column, at(forces, Force.DRAG)));
      below++;
      above += width;
      column = at(column, NodeColumns.LENGTH);
    }
    to += 2 * width * size;
  }
}
