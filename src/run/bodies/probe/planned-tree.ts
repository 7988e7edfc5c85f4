// The tree of a compiled model, with what compiling found out about it.

import type { LoopRanks } from "../../../systems/bodies/system/loop-ranks.js";
import type { RelativePlan } from "../../../systems/relative/plan/relative-plan.js";
import type { RelativeSystem } from "../../../systems/relative/system/system.js";

/** A tree, and the rows that remain. */
export interface PlannedTree {
  readonly plan: RelativePlan;
  /** Ranks of the rows that remain. */
  readonly ranks: LoopRanks | undefined;
  /** Names of the rows that are zero at all poses of the tree, and left out. */
  readonly zeroRows: readonly string[];
}

/** A compiled model, as far as its joint coordinates need it. */
export interface TreeModel {
  /** The tree it is integrated along; in maximal coordinates, the one that it would be. */
  readonly tree: PlannedTree;
  /** A system along a tree, with memory of its own. */
  relativeSystem(tree: Pick<PlannedTree, "plan" | "ranks">): RelativeSystem;
}
