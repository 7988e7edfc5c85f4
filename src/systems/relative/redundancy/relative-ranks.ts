// The rank of each block of rows that closes a loop, as in maximal coordinates (bodies/redundancy): by geometry, with
// unit masses, the highest at poses near the start. S of the rows that remain is what elimination of the tree's rows
// leaves of the maximal S, so the same rule serves.

import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { NodeKind } from "../../../../assembly/layout-tree.js";
import { SimulationError } from "../../../base/errors.js";
import type { ConstraintSolver } from "../../../interfaces/index.js";
import { couplesSensors } from "../../../model/kinds.js";
import type { BodyData } from "../../../model/model-data.js";
import { unitMasses, withoutForces } from "../../bodies/plan/massless-geometry.js";
import type { PlannedBlock } from "../../bodies/plan/table-builder.js";
import { randomNumbers } from "../../bodies/redundancy/nearby-poses.js";
import type { PublicPose } from "../../bodies/redundancy/redundancy.js";
import {
  countRows,
  type LoopRanks,
  largestPivots,
  zerosOf,
} from "../../bodies/system/loop-ranks.js";
import { coordinatesOf, type JointCoordinates } from "../plan/joint-coordinates.js";
import type { RelativePlan } from "../plan/relative-plan.js";
import type { RelativeSystem } from "../system/system.js";

/** Data from which the ranks are found. */
export interface RankedTree {
  readonly plan: RelativePlan;
  /** Assembled poses: the initial pose and some nearby. */
  readonly poses: readonly PublicPose[];
  readonly time: number;
  /** A typical length, in metres. */
  readonly length: number;
  readonly make: (plan: RelativePlan) => RelativeSystem;
}

/** Returns the ranks of all blocks; undefined if none closes a loop. */
export function relativeRanks(tree: RankedTree): LoopRanks | undefined {
  const { length, poses } = tree;
  if (!tree.plan.closing.includes(true)) return undefined;
  const plan = treeWithoutForces(tree.plan);
  const bodies = unitMasses(plan.whole.model, length);
  // One memory serves for both: ranks by geometry, with unit masses, then pivots with the masses of the model.
  const system = tree.make({
    ...plan,
    rest: { ...plan.rest, model: { ...plan.rest.model, bodies } },
  });
  const solver = system.dynamics.solver("auto");
  system.workspace.seal();
  const found = poses.map((pose) => poseIn(system, pose));
  const load = (state: JointState) => loadState(tree, system, state);
  const rows = fewestDependent(system, solver, found, load);
  const holds = countRows(plan.rest, rows, () => true);
  const dependent = countRows(
    plan.rest,
    rows,
    (block) => plan.closing[block]! || holds[block]! > 0,
  );
  system.adoptValues(plan);
  return { dependent, reference: largestPivots(system, dependent, found, load) };
}

/** Returns the plan without forces. */
export function treeWithoutForces(plan: RelativePlan): RelativePlan {
  return { ...plan, rest: withoutForces(plan.rest) };
}

/** Returns the dependent rows at the pose with the fewest. */
function fewestDependent(
  system: RelativeSystem,
  solver: ConstraintSolver,
  states: readonly JointState[],
  load: (state: JointState) => void,
): number[] {
  let fewest: number[] | undefined;
  for (const state of states) {
    load(state);
    solver.rank();
    const dependent = zerosOf(system.pivots);
    if (fewest === undefined || dependent.length < fewest.length) fewest = dependent;
  }
  return fewest ?? [];
}

/** Returns the coordinates of a pose, with velocities only if rows depend on them. */
function poseIn({ plan, bodyQuantities }: RelativeSystem, { q, v }: PublicPose): JointState {
  return coordinatesOf(plan.tree, { q, v: bodyQuantities.areRowsNonlinear ? v : undefined });
}

/** Coordinates of the tree at a pose. */
type JointState = Pick<JointCoordinates, "q" | "v">;

/** Sets the trial state of a system. */
function loadState({ time }: RankedTree, system: RelativeSystem, { q, v }: JointState): void {
  const numbers = system.trialNumbers;
  numbers.set(q);
  numbers.set(v, q.length);
  system.at(time);
}

// Rows of cut joints that vanish at all poses of the tree. If all axes of a loop are parallel, a cut hinge can neither
// open along its axis nor tilt, whatever the pose of the tree: these rows of J vanish at all poses, assembled or not,
// exactly but for rounding. Omitting them reduces 5 rows to 2, at half the cost. Rows that are merely dependent at
// assembled poses (those of Bennett's linkage) do not vanish, and stay.

/** Number of poses at which rows are tested. */
const TESTED_POSES = 4;
/** Rows of J are rounding errors if they are smaller than this fraction of the rows of free bodies. */
const ZERO_ROW_TOLERANCE = 1e-13;

/** Returns the indices of the rows that vanish at all poses of the tree. Seals the memory of the system. */
export function zeroRows(system: RelativeSystem, time: number): Set<number> {
  const { plan, constraints, coordinates, workspace } = system;
  const groups = separateRows(plan);
  if (groups.length === 0) return new Set();
  const unit = workspace.reserve("some rows", constraints.rows);
  const force = workspace.reserve("force of some rows", coordinates.velocities);
  const arena = workspace.seal();
  const [units, forces] = [arena.floats(unit), arena.floats(force)];
  const jacobian = arena.floats(system.bodyQuantities.segments.jacobian);
  const candidates = groups.flatMap((rows) => rows.map(({ row }) => row));
  const zero = new Set(candidates.sort((a, b) => a - b));
  const random = randomNumbers(7);
  for (let i = 0; i < TESTED_POSES && zero.size > 0; i++) {
    scatter(system, random);
    system.at(time);
    for (const rows of groups) {
      const left = rows.filter(({ row }) => zero.has(row));
      if (left.length === 0) continue;
      units.fill(0);
      for (const { row } of left) units[row] = 1;
      constraints.jacobianTransposeTimes(unit.address, force.address);
      for (const { row, slots, velocities } of left) {
        const least = ZERO_ROW_TOLERANCE * sizeOfRow(jacobian, slots);
        if (velocities.some((at) => Math.abs(forces[at]!) > least)) zero.delete(row);
      }
    }
  }
  return zero;
}

/** A row, the slots of its elements in the Jacobian of the bodies, and the velocities of the tree it may act on. */
interface TestedRow {
  readonly row: number;
  readonly slots: readonly number[];
  readonly velocities: readonly number[];
}

/** Number of colours that are reused; blocks that find none of them free get one of their own. */
const COLOURS = 31;

/**
 * Returns the rows that may vanish, in groups that share no node of the tree, hence no body: their forces, found in one
 * pass, are those of each row alone. Blocks take the first colour that is free at all nodes of their paths.
 */
function separateRows({ rest, tree, paths }: RelativePlan): TestedRow[][] {
  const colours: TestedRow[][][] = [];
  const taken = new Int32Array(tree.nodes.length + 1);
  for (const [index, planned] of rest.blocks.entries()) {
    if (!mayVanish(planned)) continue;
    const path = paths[index]!;
    const free = ~path.reduce((all, at) => all | taken[at]!, 0);
    const lowest = 31 - Math.clz32(free & -free);
    const colour = lowest < COLOURS ? lowest : Math.max(COLOURS, colours.length);
    if (colour < COLOURS) for (const at of path) taken[at]! |= 1 << colour;
    const velocities = path.flatMap((at) => {
      const { velocity, velocityNames } = tree.nodes[at - 1]!;
      return velocityNames.map((_, i) => velocity + i);
    });
    const slots = rest.sparse.jacobianSlotOf[index]!;
    colours[colour] ??= [];
    for (const [i, row] of rowsOf(planned).entries()) {
      const offset = BODY_VELOCITIES * (row - planned.firstRow);
      colours[colour]![i] ??= [];
      colours[colour]![i]!.push({ row, slots: slots.map((slot) => slot + offset), velocities });
    }
  }
  // Colours may leave gaps.
  return Object.values(colours).flat();
}

/** Rows of joints; those of couplings, drives, wheels and users may depend on time or velocities. */
function mayVanish({ block }: PlannedBlock): boolean {
  return (
    block.holonomic &&
    block.user === undefined &&
    block.rows.every((row) => !couplesSensors(row) && typeof row.prescribed !== "object")
  );
}

function rowsOf({ block, firstRow }: PlannedBlock): number[] {
  let next = firstRow;
  return block.rows.flatMap(({ names }) => {
    const first = next;
    next += names.length;
    return names.length === 1 ? [first] : [];
  });
}

/** Returns the largest element of a row of the bodies' Jacobian. */
function sizeOfRow(jacobian: Float64Array, slots: readonly number[]): number {
  let most = 0;
  for (const slot of slots) {
    for (let i = 0; i < BODY_VELOCITIES; i++) most = Math.max(most, Math.abs(jacobian[slot + i]!));
  }
  return most;
}

/** Sets random coordinates: any pose of the tree will do. */
function scatter(system: RelativeSystem, random: () => number): void {
  const numbers = system.trialNumbers;
  const { nodes } = system.plan.tree;
  for (const { kind, position, positionNames } of nodes) {
    for (let i = 0; i < positionNames.length; i++) numbers[position + i] = 4 * random() - 2;
    const e = kind === NodeKind.FREE ? position + 3 : position;
    if (kind === NodeKind.FREE || kind === NodeKind.BALL) numbers[e] = 2 + numbers[e]!;
  }
}

// Checks that every joint of a tree moves enough inertia. An articulated inertia is the difference of large numbers if
// light bodies carry heavy ones (U U^T / D is subtracted from IA): beyond thirteen digits nothing remains of it, and
// the kernel reports the joint. Maximal coordinates divide by the masses of single bodies, and do not lose them.

/** Inertias that differ by a smaller factor cannot cancel to rounding. */
const SAFE_INERTIA_RATIO = 1e6;

/**
 * Returns whether the tree of `plan` is suitable: false if its mass matrix cannot be factored at some pose. If loops
 * are closed, planning itself detects that.
 */
export function hasInertia(bodies: readonly BodyData[], plan: () => RankedTree): boolean {
  try {
    const tree = plan();
    if (tree.plan.closing.includes(true) || !areFarApart(bodies)) return true;
    const system = tree.make(treeWithoutForces(tree.plan));
    system.workspace.seal();
    for (const pose of tree.poses) {
      loadState(tree, system, poseIn(system, pose));
      system.requireInertia();
    }
    return true;
  } catch (error) {
    if (error instanceof SimulationError && error.code === "MASS") return false;
    throw error;
  }
}

/** Returns true if masses, or moments of inertia, differ so much that they may cancel. */
export function areFarApart(bodies: readonly BodyData[]): boolean {
  const masses = bodies.map(({ mass }) => mass);
  const moments = bodies.flatMap(({ inertia }) => [inertia[0]!, inertia[4]!, inertia[8]!]);
  return [masses, moments].some((sizes) => {
    const least = sizes.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    return sizes.some((size) => size > SAFE_INERTIA_RATIO * least);
  });
}
