// Checks that every joint of a tree moves enough inertia. An articulated inertia is the difference of large numbers if
// light bodies carry heavy ones (U U^T / D is subtracted from IA): beyond thirteen digits nothing remains of it, and
// the kernel reports the joint. Maximal coordinates divide by the masses of single bodies, and do not lose them.

import { SimulationError } from "../../../base/errors.js";
import type { BodyData } from "../../../model/model-data.js";
import { loadPose, type RankedTree } from "./relative-ranks.js";

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
      system.quantities.requireInertia();
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
