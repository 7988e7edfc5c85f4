// The rank of each block of rows that closes a loop, as in maximal coordinates (bodies/redundancy): by geometry, with
// unit masses, the highest at poses near the start. S of the rows that remain is what elimination of the tree's rows
// leaves of the maximal S, so the same rule serves.

import { NodeKind } from "../../../../assembly/layout-tree.js";
import { SimulationError } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import { couplesSensors } from "../../../model/kinds.js";
import type { BodyData } from "../../../model/model-data.js";
import { unitMasses } from "../../bodies/plan/massless-geometry.js";
import type { PlannedBlock } from "../../bodies/plan/table-builder.js";
import { randomNumbers } from "../../bodies/redundancy/nearby-poses.js";
import type { PublicPose } from "../../bodies/redundancy/redundancy.js";
import { countRows, type LoopRanks, largestPivots } from "../../bodies/system/loop-ranks.js";
import { jointCoordinates } from "../plan/joint-coordinates.js";
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
  const { plan } = tree;
  if (!plan.closing.includes(true)) return undefined;
  const rows = fewestDependent(tree);
  const holds = countRows(plan.rest, rows, () => true);
  const dependent = countRows(
    plan.rest,
    rows,
    (block) => plan.closing[block]! || holds[block]! > 0,
  );
  const system = tree.make(plan);
  const load = (pose: PublicPose) => loadPose(tree, system, pose);
  return { dependent, reference: largestPivots(system, dependent, tree.poses, load) };
}

/** Returns the dependent rows at the pose with the fewest. */
function fewestDependent(tree: RankedTree): number[] {
  const { plan, length, poses } = tree;
  const bodies = unitMasses(plan.whole.model, length);
  const system = tree.make({
    ...plan,
    rest: { ...plan.rest, model: { ...plan.rest.model, bodies } },
  });
  const solver = system.dynamics.solver("auto");
  system.workspace.seal();
  let fewest: number[] | undefined;
  for (const pose of poses) {
    loadPose(tree, system, pose);
    solver.rank();
    const { pivots } = system;
    const dependent = [...pivots.keys()].filter((row) => pivots[row] === 0);
    if (fewest === undefined || dependent.length < fewest.length) fewest = dependent;
  }
  return fewest ?? [];
}

/** Sets the trial state of a system to a pose. */
export function loadPose(
  { plan, time }: RankedTree,
  system: RelativeSystem,
  pose: PublicPose,
): void {
  const { q, v } = jointCoordinates(plan.tree, plan.whole.model, pose);
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
  const { rest } = plan;
  const candidates = rest.blocks.filter(mayVanish).flatMap(rowsOf);
  if (candidates.length === 0) return new Set();
  const unit = workspace.reserve("one row", constraints.rows);
  const force = workspace.reserve("force of a row", coordinates.velocities);
  const arena = workspace.seal();
  const [units, forces] = [arena.floats(unit), arena.floats(force)];
  const zero = new Set(candidates);
  const random = randomNumbers(7);
  for (let i = 0; i < TESTED_POSES && zero.size > 0; i++) {
    scatter(system, random);
    system.at(time);
    for (const row of zero) {
      units.fill(0);
      units[row] = 1;
      constraints.jacobianTransposeTimes(unit.address, force.address);
      const size = sizeOfRow(system, unit.address);
      if (forces.some((x) => Math.abs(x) > ZERO_ROW_TOLERANCE * size)) zero.delete(row);
    }
  }
  return zero;
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

/** Returns the largest element of a row of the bodies' Jacobian, times the reach of the mechanism. */
function sizeOfRow(system: RelativeSystem, unit: Address): number {
  const { bodyQuantities: bodies, bodyVector, workspace } = system;
  bodies.kernels.bodyJacobianTransposeTimes(bodies.table, unit, bodyVector);
  return workspace.kernels.largestMagnitude(bodies.velocities, bodyVector);
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
    const system = tree.make(tree.plan);
    system.workspace.seal();
    for (const pose of tree.poses) {
      loadPose(tree, system, pose);
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
