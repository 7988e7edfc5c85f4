// The rank of each block of rows that closes a loop, as in maximal coordinates (bodies/redundancy): by geometry, with
// unit masses, the highest at poses near the start. S of the rows that remain is what elimination of the tree's rows
// leaves of the maximal S, so the same rule serves.

import { unitMasses } from "../../bodies/plan/massless-geometry.js";
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
    const { pivots } = system.quantities;
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
  const numbers = system.quantities.trialNumbers;
  numbers.set(q);
  numbers.set(v, q.length);
  system.at(time);
}
