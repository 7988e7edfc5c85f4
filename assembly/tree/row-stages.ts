// The stages of an explicit Runge-Kutta step of a tree with rows and without force laws, in one
// call: bitwise identical to one call per stage, since it uses the same kernels. A stage
// whose constraint errors exceed the tolerance ends the call: such a state is first moved onto the
// constraints (src/interfaces/projection/stage-projector.ts).

import { BodyTable, Want } from "../layout-bodies";
import { StageSetting, TreeTable } from "../layout-tree";
import { bodyEvaluate } from "../bodies/evaluate";
import { combine } from "../dense/vectors";
import { addressOf } from "../kinematics/table";
import { at, get, getInteger } from "../math/slots";
import { failed } from "../math/status";
import { areWithin, largestMagnitude } from "../math/vectors";
import { treeFrames, treeRowFrames } from "./bodies";
import { treeFactorDrives } from "./factor";
import { treePositionRate } from "./motion";
import { allOutwards } from "./outwards";
import { treeGamma } from "./row-bias";
import { treeAccelerateDriven } from "./row-solve";
import { treeRowFactorGamma } from "./rows";
import { treeDrives } from "./solve";
import { combineFrom } from "./stages";
import { treeAddress } from "./table";

/**
 * Slopes from stage `first` on, as in treeStages. `known` is 1 if stage `first` has been
 * evaluated at the trial state, 2 if that was the end of the previous call; `settings` are
 * StageSettings, `gamma` is scratch.
 *
 * Returns the first stage not completed: its rows are open, or its evaluation fails. `stages` if
 * all were done and the trial state is the end of the step, 1 more if that has been evaluated as
 * well, 2 more if it is closed too.
 */
export function treeRowStages(
  tree: usize, known: i32, first: i32, stages: i32, h: f64, y: usize, tableau: usize,
  slopes: usize, gamma: usize, settings: usize,
): i32 {
  const positions = getInteger(tree, TreeTable.POSITION_COUNT);
  const n = positions + getInteger(tree, TreeTable.VELOCITY_COUNT);
  const trial = treeAddress(tree, TreeTable.POSITIONS);
  const v = treeAddress(tree, TreeTable.VELOCITIES);
  const corrections = <i32>get(settings, StageSetting.CORRECTIONS);
  for (let stage = first; stage < stages; stage++) {
    if (known && stage == first) {
      if (!isClosed(tree, positions, settings)) return stage;
      if (known == 1) {
        treeDrives(tree, 0);
        treeGamma(tree, gamma);
      }
    } else {
      combineFrom(n, stage, h, y, slopes, at(tableau, stages * stage), trial);
      if (failed(evaluate(tree, settings, false, gamma))) return stage;
      if (!isClosed(tree, positions, settings)) return stage;
    }
    const out = at(slopes, n * stage);
    const status = treeAccelerateDriven(tree, corrections, gamma, at(out, positions), 0);
    if (failed(status)) return stage;
    treePositionRate(tree, v, 0.0, v, out);
  }
  combine(n, stages, h, y, slopes, at(tableau, stages * stages), trial);
  if (failed(evaluate(tree, settings, true, gamma))) return stages;
  return isClosed(tree, positions, settings) ? stages + 2 : stages + 1;
}

/**
 * Tree and rows at the trial state, their factors, DRIVE and gamma; frames of all bodies at the end
 * of a step.
 */
// @ts-ignore: decorator
@inline
function evaluate(tree: usize, settings: usize, isEnd: bool, gamma: usize): i32 {
  let status = allOutwards(tree);
  if (failed(status)) return status;
  status = treeFactorDrives(tree);
  if (failed(status)) return status;
  if (isEnd) treeFrames(tree, 1);
  else treeRowFrames(tree);
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  status = bodyEvaluate(table, Want.PHI | Want.JACOBIAN | Want.RATES);
  if (failed(status)) return status;
  return treeRowFactorGamma(
    tree, <i32>get(settings, StageSetting.RANK), get(settings, StageSetting.MU),
    get(settings, StageSetting.TOLERANCE), gamma,
  );
}

/** Comparisons with NaN are false. */
// @ts-ignore: decorator
@inline
function isClosed(tree: usize, positions: i32, settings: usize): bool {
  const rows = getInteger(tree, TreeTable.ROW_COUNT);
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const q = treeAddress(tree, TreeTable.POSITIONS);
  const phi = addressOf(table, BodyTable.PHI);
  // PART matters only far from the origin.
  if (!areWithin(rows, phi, get(settings, StageSetting.OPEN))) {
    const most = get(settings, StageSetting.PART) * largestMagnitude(positions, q);
    if (!areWithin(rows, phi, most)) return false;
  }
  const rate = addressOf(table, BodyTable.PHI_DOT);
  return areWithin(rows, rate, get(settings, StageSetting.OPEN_RATE));
}
