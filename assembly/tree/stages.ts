// The stages of an explicit Runge-Kutta step of a tree without rows, in one call: bitwise identical
// to one call per stage, since it uses the same kernels.

import { bodyEvaluate } from "../bodies/evaluate";
import { combine } from "../dense/vectors";
import { Status } from "../layout";
import { Want } from "../layout-bodies";
import { StepSetting, TreeTable } from "../layout-tree";
import { at, copySlots, get, getInteger } from "../math/slots";
import { failed } from "../math/status";
import { areWithin } from "../math/vectors";
import { addLoads, treeLoadFrames } from "./bodies";
import { loadsOf, setStageTime, treeLoads } from "./loads";
import { treePositionRate } from "./motion";
import { allOutwards, leanOutwards } from "./outwards";
import { treeAccelerations } from "./solve";
import { treeAddress } from "./vector";

/**
 * Slopes from stage `first` on at y + h sum a k, and the trial state y + h sum b k. `tableau` has a
 * row of `stages` weights for each stage, then b. Slopes are q', then v'; those before `first` are
 * known. Fails as the evaluation of a stage does.
 */
export function treeStages(
  tree: usize, first: i32, stages: i32, h: f64, y: usize, tableau: usize, slopes: usize,
): i32 {
  const positions = getInteger(tree, TreeTable.POSITION_COUNT);
  const n = positions + getInteger(tree, TreeTable.VELOCITY_COUNT);
  const trial = treeAddress(tree, TreeTable.POSITIONS);
  const v = treeAddress(tree, TreeTable.VELOCITIES);
  for (let stage = first; stage < stages; stage++) {
    combineFrom(n, stage, h, y, slopes, at(tableau, stages * stage), trial);
    const out = at(slopes, n * stage);
    setStageTime(tree, stage, stages, h);
    let status = loadsOf(tree) == 0 ? leanOutwards(tree) : pushedOutwards(tree);
    if (failed(status)) return status;
    status = treeAccelerations(tree, 1, 0, at(out, positions));
    if (failed(status)) return status;
    treePositionRate(tree, v, 0.0, v, out);
  }
  combine(n, stages, h, y, slopes, at(tableau, stages * stages), trial);
  return Status.OK;
}

/** All parts, and the forces of the laws. */
function pushedOutwards(tree: usize): i32 {
  let status = allOutwards(tree);
  if (failed(status)) return status;
  treeLoadFrames(tree);
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  status = bodyEvaluate(table, Want.PHI | Want.JACOBIAN | Want.RATES);
  if (failed(status)) return status;
  status = treeLoads(tree);
  addLoads(tree);
  return status;
}

/** As `combine`, without the slopes before the first weight: half of those of RK4's stages. */
// @ts-ignore: decorator
@inline
export function combineFrom(
  n: i32, count: i32, h: f64, y: usize, slopes: usize, weights: usize, out: usize,
): void {
  let first = 0;
  while (first < count && get(weights, first) == 0.0) first++;
  combine(n, count - first, h, y, at(slopes, n * first), at(weights, first), out);
}

/**
 * Takes steps of length h from the state at y, which receives the end of each; the addresses as in
 * treeStages, `between` are StepSettings. Returns the number of completed steps: the next one
 * fails, or angles must be counted after it.
 */
export function treeSteps(
  tree: usize, steps: i32, stages: i32, h: f64, y: usize, tableau: usize, slopes: usize,
  between: usize,
): i32 {
  if (get(between, StepSetting.COUNTED) > 0.0) return 0;
  const n = getInteger(tree, TreeTable.POSITION_COUNT)
    + getInteger(tree, TreeTable.VELOCITY_COUNT);
  const trial = treeAddress(tree, TreeTable.POSITIONS);
  const largest = get(between, StepSetting.BLOWN_UP);
  for (let step = 0; step < steps; step++) {
    const status = treeStages(tree, 0, stages, h, y, tableau, slopes);
    if (failed(status) || !areWithin(n, trial, largest)) return step;
    copySlots(trial, y, n);
  }
  return steps;
}
