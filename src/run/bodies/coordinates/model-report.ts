import type { CoordinateChoice } from "../../../seam/index.js";
import type { ConstraintReport } from "../../../systems/bodies/redundancy/constraint-report.js";
import type { PlannedTree } from "../probe/planned-tree.js";
import { type TreeReport, treeReport } from "./tree-report.js";

/**
 * What is known of a compiled model: rank and redundancy of its constraints, how the start was assembled, and the
 * coordinates that are integrated.
 *
 * @example
 * const { report } = await compile(m);
 * console.log(report.degreesOfFreedom, report.coordinates.why, report.tree.cut);
 */
export interface ModelReport extends ConstraintReport {
  /** In which coordinates it is integrated, unless a method needs others, and why. */
  readonly coordinates: CoordinateChoice;
  /** The tree of joint coordinates. In maximal coordinates: the one that joint coordinates are read along. */
  readonly tree: TreeReport;
}

/** Adds the choice of coordinates to a report. The tree is told when it is asked for. */
export function modelReport(
  constraints: ConstraintReport,
  coordinates: CoordinateChoice,
  tree: () => PlannedTree,
): ModelReport {
  let told: TreeReport | undefined;
  return Object.freeze({
    ...constraints,
    coordinates: Object.freeze(coordinates),
    get tree() {
      told ??= treeReport(tree());
      return told;
    },
  });
}
