// The tree of a compiled model, with the ranks found at compilation.

import type { LoopRanks } from "../../../systems/bodies/system/loop-ranks.js";
import type { RelativePlan } from "../../../systems/relative/plan/relative-plan.js";
import type { RelativeSystem } from "../../../systems/relative/system/system.js";

/** A tree, and its remaining rows. */
export interface PlannedTree {
  readonly plan: RelativePlan;
  /** Ranks of the remaining rows. */
  readonly ranks: LoopRanks | undefined;
  /** Names of omitted rows, which are zero at all poses of the tree. */
  readonly zeroRows: readonly string[];
}

/** Parts of a compiled model that its joint coordinates need. */
export interface TreeModel {
  /** The tree of the integrated coordinates; in maximal coordinates, the tree that relative ones would have. */
  readonly tree: PlannedTree;
  /** Creates a system along a tree, with memory of its own. */
  relativeSystem(tree: Pick<PlannedTree, "plan" | "ranks">): RelativeSystem;
}
