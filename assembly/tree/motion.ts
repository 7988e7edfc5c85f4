// Rates of the coordinates of a tree from its velocities: angles and displacements directly,
// Euler parameters by e' = G(w) e (rotation/update.ts).

import { Status } from "../layout";
import { Turn } from "../layout-bodies";
import { NodeEntry, NodeKind, TreeTable } from "../layout-tree";
import { setRates } from "../bodies/motion";
import { at, get, getInteger, set } from "../math/slots";
import { isNumber } from "../math/finite";
import { failed, statusAt } from "../math/status";
import { normalise } from "../rotation/quaternion";
import { applyUpdate, cosineOfRoot, sincOfRoot } from "../rotation/update";
import { ENTRY_BYTES, firstEntry, treeAddress } from "./vector";

/** out = rate of the trial positions when the velocity is v + scale correction. */
export function treePositionRate(
  tree: usize, v: usize, scale: f64, correction: usize, out: usize,
): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const positions = treeAddress(tree, TreeTable.POSITIONS);
  const velocities = getInteger(tree, TreeTable.VELOCITY_COUNT);
  // Without Euler parameters the rates are the velocities.
  if (velocities == getInteger(tree, TreeTable.POSITION_COUNT)) {
    for (let i = 0; i < velocities; i++) set(out, i, get(v, i) + scale * get(correction, i));
    return;
  }
  let entry = firstEntry(tree) + ENTRY_BYTES;
  for (let i = 1; i < count; i++) {
    const kind = getInteger(entry, NodeEntry.KIND);
    const x = at(v, getInteger(entry, NodeEntry.VELOCITY));
    const y = at(correction, getInteger(entry, NodeEntry.VELOCITY));
    const position = getInteger(entry, NodeEntry.POSITION);
    const to = at(out, position);
    const straight = straightOf(kind);
    for (let k = 0; k < straight; k++) set(to, k, get(x, k) + scale * get(y, k));
    if (turns(kind)) {
      setRates(
        at(positions, position + straight),
        0.5 * (get(x, straight) + scale * get(y, straight)),
        0.5 * (get(x, straight + 1) + scale * get(y, straight + 1)),
        0.5 * (get(x, straight + 2) + scale * get(y, straight + 2)),
        at(to, straight),
      );
    }
    entry += ENTRY_BYTES;
  }
}

/** Copies the trial state to `out`. Returns 1 if `out` already held the same values. */
export function treeNote(tree: usize, out: usize): i32 {
  return treeLoad(tree, treeAddress(tree, TreeTable.POSITIONS), out);
}

/** {@link treeNote} after the state at `from` has been copied to the trial state. */
export function treeLoad(tree: usize, from: usize, out: usize): i32 {
  const trial = treeAddress(tree, TreeTable.POSITIONS);
  const count = getInteger(tree, TreeTable.POSITION_COUNT)
    + getInteger(tree, TreeTable.VELOCITY_COUNT);
  let same = 1;
  for (let i = 0; i < count; i++) {
    const value = get(from, i);
    if (get(out, i) != value) same = 0;
    set(trial, i, value);
    set(out, i, value);
  }
  return same;
}

/** Number of coordinates of a node whose rates are velocities. */
// @ts-ignore: decorator
@inline
function straightOf(kind: i32): i32 {
  if (kind <= NodeKind.SCREW) return 1;
  return kind == NodeKind.FREE ? 3 : 0;
}

/** Whether a node has Euler parameters. */
// @ts-ignore: decorator
@inline
function turns(kind: i32): bool {
  return kind == NodeKind.BALL || kind == NodeKind.FREE;
}

/**
 * Moves the positions at q by a displacement in velocity coordinates. NON_FINITE names a velocity.
 */
export function treeDisplace(tree: usize, q: usize, displacement: usize, turn: i32): i32 {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  for (let i = 1; i < count; i++) {
    const kind = getInteger(entry, NodeEntry.KIND);
    const velocity = getInteger(entry, NodeEntry.VELOCITY);
    const to = at(q, getInteger(entry, NodeEntry.POSITION)), step = at(displacement, velocity);
    const straight = straightOf(kind);
    for (let k = 0; k < straight; k++) set(to, k, get(to, k) + get(step, k));
    if (turns(kind) && !turnBy(turn, at(step, straight), at(to, straight))) {
      return statusAt(Status.NON_FINITE, velocity + straight);
    }
    entry += ENTRY_BYTES;
  }
  return Status.OK;
}

/** Turns e by the vector at `step`, by a rule of Turn. */
function turnBy(turn: i32, step: usize, e: usize): bool {
  const a1 = 0.5 * get(step, 0), a2 = 0.5 * get(step, 1), a3 = 0.5 * get(step, 2);
  const x = a1 * a1 + a2 * a2 + a3 * a3;
  let s = 1.0, t = 1.0;
  if (turn == Turn.EXPONENTIAL) {
    s = cosineOfRoot(x);
    t = sincOfRoot(x);
  } else if (turn == Turn.CAYLEY) {
    t = 1.0 / (1.0 + 0.25 * x);
    s = (1.0 - 0.25 * x) * t;
  } else {
    s = t = 1.0 / Math.sqrt(1.0 + x);
  }
  return isNumber(x) && applyUpdate(s, t, a1, a2, a3, e, e);
}

/** Normalises the Euler parameters at q. SINGULAR and NON_FINITE name a velocity. */
export function treeNormalise(tree: usize, q: usize): i32 {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  for (let i = 1; i < count; i++) {
    const kind = getInteger(entry, NodeEntry.KIND);
    if (turns(kind)) {
      const e = at(q, getInteger(entry, NodeEntry.POSITION) + straightOf(kind));
      const status = normalise(1, e, e);
      if (failed(status)) return statusAt(status & 255, getInteger(entry, NodeEntry.VELOCITY));
    }
    entry += ENTRY_BYTES;
  }
  return Status.OK;
}
