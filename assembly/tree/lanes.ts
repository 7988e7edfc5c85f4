// Steps of explicit Runge-Kutta methods for many instances of one tree of hinges without rows and
// force laws: a lane for each instance. Every lane computes what the kernels of one instance do
// (outwards.ts, poses.ts, factor.ts, solve.ts), operation by operation, so its bits are the same.
// Records are those of layout-tree.ts with two values in each slot.
//
// Rejected: lanes for the nodes of one instance, as in outwards.ts: a node waits for its parent.
// Rejected: all kinds of joints. Chains of hinges are what is varied most, and branches between
// kinds take the values out of the registers.

import { combine } from "../dense/vectors";
import { LaneTable, Node, NodeConstant } from "../layout-tree";
import {
  at, copySlots, get, getAddress, getInteger, getPair, set, setInteger,
} from "../math/slots";
import { laneAccelerate, laneInwards } from "./lane-inwards";
import { laneOutwards } from "./lane-outwards";
import { lane, setLane, sizeOf, toSecond } from "./lane-vector";
import { combineFrom } from "./stages";

/** Instances computed together: two pairs, so that one does not wait for divisions of the other. */
const TOGETHER: i32 = 4;

/**
 * Takes the steps of length h that instances want: of four instances as many as all of them want
 * that want any. A step that fails for one, or leaves a number beyond `largest`, ends those of the
 * four: TAKEN has the steps before it. In the lanes of those that rest, another is computed again.
 */
export function treeLanes(
  table: usize, stages: i32, h: f64, largest: f64, tableau: usize, slopes: usize,
): void {
  const count = getInteger(table, LaneTable.INSTANCES);
  const wanted = getAddress(table, LaneTable.WANTED), taken = getAddress(table, LaneTable.TAKEN);
  const slots = NodeConstant.LENGTH * getInteger(table, LaneTable.NODE_COUNT);
  for (let first = 0; first < count; first += TOGETHER) {
    const end = min(first + TOGETHER, count);
    let steps = 0, busy = first;
    for (let i = first; i < end; i++) {
      const own = getInteger(wanted, i);
      setInteger(taken, i, 0);
      if (own <= 0) continue;
      steps = steps == 0 ? own : min(steps, own);
      busy = i;
    }
    if (steps == 0) continue;
    for (let l = 0; l < TOGETHER; l++) {
      const i = first + l;
      pack(table, l, i < end && getInteger(wanted, i) > 0 ? i : busy);
    }
    const constants = at(getAddress(table, LaneTable.CONSTANTS), slots * first);
    steps = stepsOf(table, constants, steps, stages, h, largest, tableau, slopes);
    for (let i = first; i < end; i++) {
      if (getInteger(wanted, i) <= 0) continue;
      unpack(table, i - first, i);
      setInteger(taken, i, steps);
    }
  }
}

/** The state of an instance in a lane of the first or the second pair. */
// @ts-ignore: decorator
@inline
function laneAt(table: usize, l: i32): usize {
  return at(getAddress(table, LaneTable.ACCEPTED), 2 * (l >> 1) * sizeOf(table) + (l & 1));
}

// @ts-ignore: decorator
@inline
function stateAt(table: usize, i: i32): usize {
  return at(getAddress(table, LaneTable.STATES), sizeOf(table) * i);
}

function pack(table: usize, l: i32, i: i32): void {
  const size = sizeOf(table), y = laneAt(table, l), state = stateAt(table, i);
  for (let k = 0; k < size; k++) set(y, 2 * k, get(state, k));
}

function unpack(table: usize, l: i32, i: i32): void {
  const size = sizeOf(table), y = laneAt(table, l), state = stateAt(table, i);
  for (let k = 0; k < size; k++) set(state, k, get(y, 2 * k));
}

function stepsOf(
  table: usize, constants: usize, steps: i32, stages: i32, h: f64, largest: f64,
  tableau: usize, slopes: usize,
): i32 {
  const size = sizeOf(table), n = TOGETHER * size;
  const y = getAddress(table, LaneTable.ACCEPTED), trial = getAddress(table, LaneTable.TRIAL);
  setGround(table, constants);
  for (let step = 0; step < steps; step++) {
    for (let stage = 0; stage < stages; stage++) {
      combineFrom(n, stage, h, y, slopes, at(tableau, stages * stage), trial);
      const out = at(slopes, n * stage);
      if (!laneOutwards(table, constants) || !laneInwards(table)) return step;
      laneAccelerate(table, out);
      rates(size, trial, out);
      rates(size, at(trial, 2 * size), at(out, 2 * size));
    }
    combine(n, stages, h, y, slopes, at(tableau, stages * stages), trial);
    if (!areBelow(n, trial, largest)) return step;
    copySlots(trial, y, n);
  }
  return steps;
}

/** The ground accelerates with -g, which its constants hold here, as a ground has no others. */
function setGround(table: usize, constants: usize): void {
  const ground = getAddress(table, LaneTable.NODES);
  const other = ground + toSecond(table, Node.LENGTH);
  const others = constants + toSecond(table, NodeConstant.LENGTH);
  for (let i = 0; i < 3; i++) {
    setLane(ground, Node.BIAS + 3 + i, lane(constants, i));
    setLane(other, Node.BIAS + 3 + i, lane(others, i));
  }
}

/** Positions are angles, whose rates are velocities: treePositionRate. */
// @ts-ignore: decorator
@inline
function rates(size: i32, state: usize, out: usize): void {
  const zero = f64x2.splat(0.0), velocities = size >> 1;
  for (let k = 0; k < velocities; k++) {
    const rate = lane(state, velocities + k);
    setLane(out, k, f64x2.add(rate, f64x2.mul(zero, rate)));
  }
}

/** Comparisons with NaN are false. */
// @ts-ignore: decorator
@inline
function areBelow(n: i32, x: usize, largest: f64): bool {
  const most = f64x2.splat(largest);
  let below = f64x2.eq(most, most);
  for (let i = 0; i < n; i += 2) {
    below = v128.and(below, f64x2.lt(f64x2.abs(getPair(x, i)), most));
  }
  return v128.all_true<i64>(below);
}
