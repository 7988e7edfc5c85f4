// The tree of a compiled model, and systems that take over its numbers.

import type { System } from "../../seam/index.js";
import type { Plan } from "../../systems/bodies/plan/plan.js";
import { BodySystem } from "../../systems/bodies/system/system.js";
import {
  planRelative,
  type RelativePlan,
  withoutRows,
  withTreeLoads,
} from "../../systems/relative/plan/relative-plan.js";
import { pinsWithin, type TreePins } from "../../systems/relative/plan/tree-options.js";
import {
  type RankedTree,
  relativeRanks,
} from "../../systems/relative/redundancy/relative-ranks.js";
import { zeroRows } from "../../systems/relative/redundancy/zero-rows.js";
import { RelativeSystem } from "../../systems/relative/system/system.js";
import type { PlannedTree } from "./probe/planned-tree.js";

/** The tree, without rows that are always zero, and the ranks of those that remain. */
export function plannedTree(
  bodies: Plan,
  q: Float64Array,
  pins: TreePins,
  ranked: (plan: RelativePlan) => RankedTree,
): PlannedTree {
  const whole = planRelative(bodies, q, pinsWithin(bodies.model, pins));
  const { make, time } = ranked(whole);
  const zero = zeroRows(make(whole), time);
  const plan = zero.size > 0 ? withoutRows(whole, zero) : whole;
  const ranks = relativeRanks(ranked(plan));
  return { plan, ranks, zeroRows: [...zero].map((row) => whole.rest.rowNames[row]!) };
}

/** The tree of a mechanism that has other masses and forces. */
export function treeLike({ plan, ...rest }: PlannedTree, whole: Plan): PlannedTree {
  return { ...rest, plan: withTreeLoads(plan, whole) };
}

/** A compiled model whose numbers a system takes over. */
interface Adjusting {
  readonly plan: Plan;
  readonly tree: PlannedTree;
  bodySystem(): BodySystem;
}

/** Gives a system that was made by a model with other masses, gravity and forces the numbers of this one. */
export function adjustTo(model: Adjusting, system: System): void {
  if (system instanceof BodySystem) system.adopt(model.plan);
  else if (system instanceof RelativeSystem) {
    system.adopt(
      model.tree.plan,
      () => model.bodySystem(),
      (made) => adjustTo(model, made),
    );
  }
}
