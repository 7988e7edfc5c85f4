// The stages of an explicit Runge-Kutta step of a tree with rows, in one call. Each stage, and the
// end of the step, is moved onto the constraints before its accelerations are found: between stages
// the state leaves them by O(h^2), unless loops close linearly in the coordinates.
//
// The factor of the predicted pose determines the correction M^-1 J^T S^-1 (-phi) of q, the
// smallest in the metric of the mass matrix. Then the corrected pose is factored too, for v and
// for the accelerations: both solves are exact there. Rejected: one factor for all three
// (projector.ts, which handles what this file leaves), whose residuals then have to be corrected
// two or three times through all bodies; and the factor of the stage before, with which RK4 has
// order 3.

import { bodyAngularRate, bodyEvaluate, bodySpeedRange, continueAngles } from "../bodies/evaluate";
import { addJacobianTimes } from "../bodies/jacobian";
import { combine } from "../dense/vectors";
import { addressOf } from "../kinematics/table";
import { BodyTable, Turn, Want } from "../layout-bodies";
import { StageSetting, StepSetting, TreePart, TreeTable } from "../layout-tree";
import { at, clearSlots, copySlots, get, getInteger, set } from "../math/slots";
import { failed } from "../math/status";
import { areWithin, largestMagnitude } from "../math/vectors";
import {
  addLoads, treeBodyVelocities, treeFrames, treeLoadFrames, treeRowFrames,
} from "./bodies";
import { treeFactor, treeFactorDrives } from "./factor";
import { loadsOf, setStageTime, treeLoads } from "./loads";
import { treeDisplace, treePositionRate } from "./motion";
import { allOutwards, treeOutwards } from "./outwards";
import { correctWhitened, treeAccelerateDriven, treeGamma } from "./row-solve";
import { treeRowFactor, treeRowFactorGamma } from "./rows";
import { treeDrives } from "./solve";
import { combineFrom } from "./stages";
import { treeAddress } from "./vector";

/** Known parts of a state: pose and factors; rates of nodes and rows too; DRIVE and gamma too. */
const POSE = 0, RATES = 1, ALL = 2;

/** Corrections of positions: in a stage, and at the end of a step. */
const IN_STAGE = 2, AT_END = 4;

/**
 * Slopes from stage `first` on, as in treeStages. `known` is 1 if stage `first` has been
 * evaluated at the trial state, 2 if that was the end of the previous call; `settings` are
 * StageSettings, `gamma` is scratch.
 *
 * Returns the first stage not completed: its rows do not close, or its evaluation fails. `stages`
 * if all were done and the trial state is the end of the step as predicted; 2 more if that has been
 * moved onto the constraints and evaluated.
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
    setStageTime(tree, stage, stages, h);
    if (known && stage == first) {
      if (!settle(tree, known, settings, false, gamma)) return stage;
    } else {
      combineFrom(n, stage, h, y, slopes, at(tableau, stages * stage), trial);
      if (!evaluate(tree, settings, false, gamma)) return stage;
    }
    const out = at(slopes, n * stage);
    const status = treeAccelerateDriven(tree, corrections, gamma, at(out, positions), 0);
    if (failed(status)) return stage;
    treePositionRate(tree, v, 0.0, v, out);
  }
  combine(n, stages, h, y, slopes, at(tableau, stages * stages), trial);
  setStageTime(tree, stages, stages, h);
  if (evaluate(tree, settings, true, gamma)) return stages + 2;
  combine(n, stages, h, y, slopes, at(tableau, stages * stages), trial);
  return stages;
}

/** Moves the trial state onto the constraints, as the end of a step. Returns 0 if it cannot. */
export function treeClose(tree: usize, gamma: usize, settings: usize): i32 {
  setStageTime(tree, 0, 0, 0.0);
  if (failed(evaluatePose(tree, settings, false))) return 0;
  return settle(tree, POSE, settings, true, gamma) ? 1 : 0;
}

/**
 * Moves the trial state onto the constraints, and finds its factors, DRIVE and gamma; frames of all
 * bodies at the end of a step. Stages that need no correction of positions, as those of the stage
 * before, are evaluated in combined passes. Returns false if an evaluation fails
 * or rows stay open.
 */
// @ts-ignore: decorator
@inline
function evaluate(tree: usize, settings: usize, isEnd: bool, gamma: usize): bool {
  if (get(settings, StageSetting.CLOSED) == 0.0) {
    if (failed(evaluatePose(tree, settings, false))) return false;
    return settle(tree, POSE, settings, isEnd, gamma);
  }
  if (failed(evaluateAll(tree, settings, isEnd, gamma))) return false;
  return settle(tree, ALL, settings, isEnd, gamma);
}

/** Everything at the trial state. */
function evaluateAll(tree: usize, settings: usize, isEnd: bool, gamma: usize): i32 {
  let status = allOutwards(tree);
  if (failed(status)) return status;
  status = evaluateBodies(tree, isEnd, Want.PHI | Want.JACOBIAN | Want.RATES);
  if (failed(status)) return status;
  if (loadsOf(tree) != 0) {
    status = treeLoads(tree);
    if (failed(status)) return status;
    addLoads(tree);
  }
  status = treeFactorDrives(tree);
  if (failed(status)) return status;
  return treeRowFactorGamma(
    tree, <i32>get(settings, StageSetting.RANK), get(settings, StageSetting.MU),
    get(settings, StageSetting.TOLERANCE), gamma,
  );
}

/** Frames with velocities of the bodies that rows and forces read, of all at an end; and rows. */
// @ts-ignore: decorator
@inline
function evaluateBodies(tree: usize, isEnd: bool, want: i32): i32 {
  if (isEnd) {
    treeFrames(tree, 1);
  } else {
    treeRowFrames(tree);
    if (loadsOf(tree) != 0) treeLoadFrames(tree);
  }
  return bodyEvaluate(treeAddress(tree, TreeTable.BODY_TABLE), want);
}

/** The pose, which closePositions leaves with frames and phi, and the factors of tree and rows. */
function evaluatePose(tree: usize, settings: usize, isPosed: bool): i32 {
  const parts = isPosed ? TreePart.INERTIA : TreePart.POSES | TreePart.INERTIA;
  let status = treeOutwards(tree, parts);
  if (failed(status)) return status;
  status = treeFactor(tree);
  if (failed(status)) return status;
  if (!isPosed) treeRowFrames(tree);
  const want = isPosed ? Want.JACOBIAN | Want.FRAMES_KNOWN : Want.PHI | Want.JACOBIAN;
  status = bodyEvaluate(treeAddress(tree, TreeTable.BODY_TABLE), want);
  if (failed(status)) return status;
  return treeRowFactor(
    tree, <i32>get(settings, StageSetting.RANK), get(settings, StageSetting.MU),
    get(settings, StageSetting.TOLERANCE),
  );
}

/** Moves an evaluated state onto the constraints, and finds what is not known: see evaluate. */
function settle(tree: usize, start: i32, settings: usize, isEnd: bool, gamma: usize): bool {
  const positions = getInteger(tree, TreeTable.POSITION_COUNT);
  const velocities = getInteger(tree, TreeTable.VELOCITY_COUNT);
  const rows = getInteger(tree, TreeTable.ROW_COUNT);
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const v = treeAddress(tree, TreeTable.VELOCITIES);
  const closes = get(settings, StageSetting.CLOSES) != 0.0;
  const q = treeAddress(tree, TreeTable.POSITIONS);
  const allowed = allowedOf(settings, StageSetting.OPEN, positions, q);
  let known = start;
  // Comparisons with NaN are false.
  const isClosed = areWithin(rows, addressOf(table, BodyTable.PHI), allowed);
  set(settings, StageSetting.CLOSED, isClosed ? 1.0 : 0.0);
  if (!isClosed) {
    if (!closes || !closePositions(tree, allowed, isEnd, gamma)) return false;
    if (failed(evaluatePose(tree, settings, true))) return false;
    set(settings, StageSetting.REFACTORED, get(settings, StageSetting.REFACTORED) + 1.0);
    known = POSE;
  }
  let rate = addressOf(table, BodyTable.PHI_DOT);
  if (known == POSE) {
    // Rows do not depend on time here.
    const bodies = treeAddress(tree, TreeTable.BODY_SCRATCH);
    rate = gamma;
    treeBodyVelocities(tree, v, bodies);
    clearSlots(rate, rows);
    addJacobianTimes(table, 1.0, bodies, rate);
  }
  if (!areWithin(rows, rate, allowedOf(settings, StageSetting.OPEN_RATE, velocities, v))) {
    const step = treeAddress(tree, TreeTable.VELOCITY_SCRATCH);
    const corrections = <i32>get(settings, StageSetting.CORRECTIONS);
    if (!closes || failed(nearest(tree, corrections, rate, gamma, step))) return false;
    for (let i = 0; i < velocities; i++) set(v, i, get(v, i) + get(step, i));
    known = POSE;
  }
  if (known == ALL) return true;
  if (known == POSE) {
    if (failed(treeOutwards(tree, TreePart.RATES))) return false;
    // Sensors of forces have no values yet.
    const isPushed = loadsOf(tree) != 0;
    const want = isPushed ? Want.PHI | Want.JACOBIAN | Want.RATES : Want.RATES;
    if (failed(evaluateBodies(tree, isEnd, want))) return false;
  }
  if (failed(treeLoads(tree))) return false;
  treeDrives(tree, loadsOf(tree));
  treeGamma(tree, gamma);
  return true;
}

/** The error that is not corrected: far from the origin or at high speed, rounding limits it. */
// @ts-ignore: decorator
@inline
function allowedOf(settings: usize, setting: i32, count: i32, values: usize): f64 {
  const rounding = get(settings, StageSetting.PART) * largestMagnitude(count, values);
  return Math.max(get(settings, setting), rounding);
}

/**
 * Corrects the positions until their error is allowed, at most two times in a stage and four times
 * at the end of a step, all by the factor at the first pose. A correction that does not halve the
 * error is near a singular pose: returns false, as at an end that is still open. Solves are not
 * refined: the next correction does that as well.
 */
function closePositions(tree: usize, allowed: f64, isEnd: bool, right: usize): bool {
  const rows = getInteger(tree, TreeTable.ROW_COUNT);
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const phi = addressOf(table, BodyTable.PHI);
  const q = treeAddress(tree, TreeTable.POSITIONS);
  const step = treeAddress(tree, TreeTable.VELOCITY_SCRATCH);
  const corrections = isEnd ? AT_END : IN_STAGE;
  let error = largestMagnitude(rows, phi);
  for (let i = 0; i < corrections && error > allowed; i++) {
    if (failed(nearest(tree, 0, phi, right, step))) return false;
    if (failed(treeDisplace(tree, q, step, Turn.EXPONENTIAL))) return false;
    if (failed(treeOutwards(tree, TreePart.POSES))) return false;
    treeRowFrames(tree);
    if (failed(bodyEvaluate(table, Want.PHI))) return false;
    const before = error;
    error = largestMagnitude(rows, phi);
    if (!(error <= allowed) && !(error <= 0.5 * before)) return false;
  }
  return isEnd ? error <= allowed : error < Infinity;
}

/** out = minnorm(-residual) by the factor in memory. */
// @ts-ignore: decorator
@inline
function nearest(tree: usize, corrections: i32, residual: usize, right: usize, out: usize): i32 {
  const rows = getInteger(tree, TreeTable.ROW_COUNT);
  for (let i = 0; i < rows; i++) set(right, i, -get(residual, i));
  clearSlots(out, getInteger(tree, TreeTable.VELOCITY_COUNT));
  return correctWhitened(tree, corrections, right, out, out, 0);
}

// Whole steps of an explicit Runge-Kutta method of a tree with rows, in one call: bitwise identical
// to one call per step. An
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
