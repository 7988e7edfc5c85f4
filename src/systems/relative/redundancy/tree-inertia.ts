// Whether every joint of a tree moves enough inertia. An articulated inertia is the difference of large numbers where
// light bodies carry heavy ones (U U^T / D is taken from IA): beyond thirteen digits nothing is left of it, and the
// kernel reports the joint. Maximal coordinates divide by the masses of single bodies, and do not lose them.

import type { BodyData } from "../../../describe/model/model-data.js";
import { SimulationError } from "../../../ground/errors.js";
import { loadPose, type RankedTree } from "./relative-ranks.js";

/** Inertias that differ by less cannot cancel to rounding. */
const ALIKE = 1e6;

/**
 * Whether a choice of coordinates may take the tree that `plan` gives: false where its mass matrix cannot be factorised
 * at some pose. Where loops are closed, planning finds that out by itself.
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

/** True where masses, or moments of inertia, are so far apart that they may cancel. */
export function areFarApart(bodies: readonly BodyData[]): boolean {
  const masses = bodies.map(({ mass }) => mass);
  const moments = bodies.flatMap(({ inertia }) => [inertia[0]!, inertia[4]!, inertia[8]!]);
  return [masses, moments].some((sizes) => {
    const least = sizes.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    return sizes.some((size) => size > ALIKE * least);
  });
}
