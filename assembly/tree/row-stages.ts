// The stages of an explicit Runge-Kutta step of a tree with rows and without force laws, in one
// call: bitwise identical to one call per stage, since it uses the same kernels. A stage
// whose constraint errors exceed the tolerance ends the call: such a state is first moved onto the
// constraints (src/interfaces/projection/projector.ts).

import { bodyAngularRate, bodyEvaluate, bodySpeedRange, continueAngles } from "../bodies/evaluate";
import { combine } from "../dense/vectors";
import { addressOf } from "../kinematics/table";
import { BodyTable, Want } from "../layout-bodies";
import { StageSetting, StepSetting, TreeTable } from "../layout-tree";
import { at, copySlots, get, getInteger, set } from "../math/slots";
import { failed } from "../math/status";
import { areWithin, largestMagnitude } from "../math/vectors";
import { treeFrames, treeRowFrames } from "./bodies";
import { treeFactorDrives } from "./factor";
import { treePositionRate } from "./motion";
import { allOutwards } from "./outwards";
import { treeAccelerateDriven, treeGamma } from "./row-solve";
import { treeRowFactorGamma } from "./rows";
import { treeDrives } from "./solve";
import { combineFrom } from "./stages";
import { treeAddress } from "./vector";

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

// Whole steps of an explicit Runge-Kutta method of a tree with rows and without force laws, in one
// call: bitwise identical to one call per step, as long as all stages and ends are closed. An
// engine prepares a call of an exported function for some time (Node 20: 170 us at the thousandth
// call of each function in each instance), and a step of a small mechanism takes 5 us. Rejected:
// a call for the stages alone, which needs ten other calls per step.

/** Rounds to three bits. */
const TO_THREE_BITS: f64 = 1125899906842625.0;

/**
 * The compliance of a step of length h, by the velocities of bodies in memory: PER_TURN (w h)^2
 * with w the largest angular velocity, or range of speeds over REACH. To let the factor at the end
 * of a step serve the beginning of the next, w h is rounded to three bits and does not change in
 * every step.
 */
export function treeCompliance(tree: usize, h: f64, settings: usize): f64 {
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const v = addressOf(table, BodyTable.VELOCITIES);
  const turning = bodyAngularRate(table, v);
  const sliding = bodySpeedRange(table, v) / get(settings, StepSetting.REACH);
  const turn = Math.max(turning, sliding) * h;
  const spread = TO_THREE_BITS * turn;
  const rounded = spread - (spread - turn);
  const wanted = get(settings, StepSetting.PER_TURN) * rounded * rounded;
  return Math.min(
    Math.max(wanted, get(settings, StepSetting.LEAST)), get(settings, StepSetting.MOST),
  );
}

/** Revolutions between continuations of angles, which are right up to half a revolution. */
const LITTLE: f64 = 0.25;

/**
 * Takes steps of length h from the state at y, which receives the end of each; `known`, `stages`
 * and the addresses as in treeRowStages, `between` are StepSettings. MU of the settings becomes
 * that of the last step. The caller continues angles once more at the end. Returns the number of
 * completed steps: the next one has open rows, turns too far, or fails.
 */
export function treeRowSteps(
  tree: usize, known: i32, steps: i32, stages: i32, h: f64, y: usize, tableau: usize,
  slopes: usize, gamma: usize, settings: usize, between: usize,
): i32 {
  const n = getInteger(tree, TreeTable.POSITION_COUNT)
    + getInteger(tree, TreeTable.VELOCITY_COUNT);
  const trial = treeAddress(tree, TreeTable.POSITIONS);
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const v = addressOf(table, BodyTable.VELOCITIES);
  const follows = get(between, StepSetting.CIRCULAR_REASON) != 0.0;
  const largest = get(between, StepSetting.BLOWN_UP);
  const counted = <i32>get(between, StepSetting.COUNTED);
  const list = <usize>get(between, StepSetting.COUNTED_LIST);
  const most = counted > 0 ? get(between, StepSetting.SLOW_TURN) : Infinity;
  let isKnown = known, turned = 0.0;
  if (h * bodyAngularRate(table, v) > most) return 0;
  for (let step = 0; step < steps; step++) {
    if (follows) {
      const mu = treeCompliance(tree, h, between);
      if (mu != get(settings, StageSetting.MU)) isKnown = 0;
      set(settings, StageSetting.MU, mu);
    }
    const done = treeRowStages(
      tree, isKnown, 0, stages, h, y, tableau, slopes, gamma, settings,
    );
    if (done != stages + 2 || !areWithin(n, trial, largest)) return step;
    if (counted > 0 && h * bodyAngularRate(table, v) > most) return step;
    copySlots(trial, y, n);
    // Two bodies turn relative to each other by at most twice the largest rotation of one.
    if (counted > 0) turned += 2.0 * h * bodyAngularRate(table, v);
    if (turned > LITTLE) {
      continueAngles(table, counted, list);
      turned = 0.0;
    }
    isKnown = 2;
  }
  return steps;
}
