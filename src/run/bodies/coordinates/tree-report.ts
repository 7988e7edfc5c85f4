// Report on the tree of joint coordinates, by names.

import type { CoordinateChoice } from "../../../interfaces/index.js";
import { GROUND } from "../../../model/model-data.js";
import type { ConstraintReport } from "../../../systems/bodies/redundancy/constraint-report.js";
import { chainsOf, coordinateNames } from "../../../systems/relative/plan/tree-forms.js";
import type { PlannedTree } from "../probe/planned-tree.js";

/** A body of the tree and its joint. */
export interface TreeNode {
  /** Name of the body. */
  readonly body: string;
  /** Name of the joint whose coordinates place it; undefined for a body with free coordinates. */
  readonly joint: string | undefined;
  /** Name of the inboard body, or "ground". */
  readonly parent: string;
  /** Names of its positions and velocities among the joint coordinates. Four Euler parameters have three velocities. */
  readonly positions: readonly string[];
  readonly velocities: readonly string[];
}

/** The tree of a mechanism: joints used as coordinates, and joints used as constraints. */
export interface TreeReport {
  /** The bodies, each after its inboard body. */
  readonly nodes: readonly TreeNode[];
  /** Names of the joints, couplings and drives outside the tree; their remaining rows are constraints. */
  readonly cut: readonly string[];
  /** Names of the bodies that no joint of the tree holds: they have free coordinates. */
  readonly free: readonly string[];
  /** Names of the remaining rows. */
  readonly rows: readonly string[];
  /** Names of omitted rows of cut joints, which no motion along the tree changes. */
  readonly zeroRows: readonly string[];
}

/** Describes the tree by names. */
export function treeReport({ plan, zeroRows }: PlannedTree): TreeReport {
  const { tree, whole, rest } = plan;
  const { bodies, joints } = whole.model;
  const names = coordinateNames(tree);
  const moving = chainsOf(tree).filter((chain) => bodies[chain.at(-1)!.body]!.states === undefined);
  const nodes = moving.map((chain): TreeNode => {
    const [first, last] = [chain[0]!, chain.at(-1)!];
    const parent = first.parent < 0 ? GROUND : tree.nodes[first.parent]!.body;
    return Object.freeze({
      body: bodies[last.body]!.name,
      joint: joints[last.joint]?.name,
      parent: bodies[parent]?.name ?? "ground",
      positions: chain.flatMap(({ position, positionNames }) =>
        names.positions.slice(position, position + positionNames.length),
      ),
      velocities: chain.flatMap(({ velocity, velocityNames }) =>
        names.velocities.slice(velocity, velocity + velocityNames.length),
      ),
    });
  });
  return Object.freeze({
    nodes,
    cut: tree.cutJoints.map((joint) => joints[joint]!.name),
    free: nodes.filter(({ joint }) => joint === undefined).map(({ body }) => body),
    rows: rest.rowNames,
    zeroRows,
  });
}

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
