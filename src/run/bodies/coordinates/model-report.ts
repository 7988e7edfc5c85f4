import type { CoordinateChoice } from "../../../interfaces/index.js";
import type { ConstraintReport } from "../../../systems/bodies/redundancy/constraint-report.js";
import type { PlannedTree } from "../probe/planned-tree.js";
import { type TreeReport, treeReport } from "./tree-report.js";

/**
 * Report on a compiled model: rank and redundancy of its constraints, assembly of the initial state, and the
 * integrated coordinates.
 *
 * @example
 * const { report } = await compile(m);
 * console.log(report.degreesOfFreedom, report.coordinates.why, report.tree.cut);
 */
export interface ModelReport extends ConstraintReport {
  /** Coordinates that are integrated unless a method needs others, and the reason. */
  readonly coordinates: CoordinateChoice;
  /** The tree of joint coordinates. In maximal coordinates it serves to read joint coordinates. */
  readonly tree: TreeReport;
}

/** Adds the choice of coordinates to a report. The tree report is created on first use. */
export function modelReport(
  constraints: ConstraintReport,
  coordinates: CoordinateChoice,
  tree: () => PlannedTree,
): ModelReport {
  let report: TreeReport | undefined;
  return Object.freeze({
    ...constraints,
    coordinates: Object.freeze(coordinates),
    get tree() {
      report ??= treeReport(tree());
      return report;
    },
  });
}
