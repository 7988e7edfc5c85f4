// The tree of a mechanism as plain data: which joints its nodes are, and which are cut.

import type { NodeKind } from "../../../../assembly/layout-tree.js";
import type { Matrix, Vector } from "../../../base/algebra/vectors.js";
import { oncePer } from "../../../base/once.js";

/** One node, as stored for the kernels (see assembly/layout-tree.ts for the values). */
export interface PlannedNode {
  readonly kind: NodeKind;
  /** Index of the parent in the list of nodes; -1 for the ground. Parents come first. */
  readonly parent: number;
  /** Index of its body; -1 for a node between the parts of a joint. */
  readonly body: number;
  /** Index of the joint it belongs to; -1 for a body that no joint of the tree holds. */
  readonly joint: number;
  /** Names of its coordinates in q and in v: "elbow angle". */
  readonly positionNames: readonly string[];
  readonly velocityNames: readonly string[];
  /** Index of its first coordinate in q and v. */
  readonly position: number;
  readonly velocity: number;
  /** Axes of the joint's frame in those of the parent node, column-major. */
  readonly turn: Matrix;
  /** From the parent node's point to the joint's, in the axes of the parent node. */
  readonly offset: Vector;
  /** Advance for one radian, for screws. */
  readonly pitch: number;
  /** Axes of the body in those of the node; identity for a node without body. */
  readonly bodyAxes: Matrix;
  /** From the node's point to the centre of mass, in the axes of the node. */
  readonly centre: Vector;
  /** Index of the sensor that measures its coordinate, rotations included. -1 for none. */
  readonly sensor: number;
}

/** The tree of a mechanism. */
export interface TreePlan {
  readonly nodes: readonly PlannedNode[];
  /** The node of each body. */
  readonly nodeOf: readonly number[];
  readonly positions: number;
  readonly velocities: number;
  /** Joints that are nodes: their rows are satisfied by the coordinates. */
  readonly treeJoints: readonly number[];
  /** All other joints, whose rows remain. */
  readonly cutJoints: readonly number[];
  /** Estimated multiplications of an evaluation: see plan/choose-tree.ts. */
  readonly multiplications: number;
}

/** The nodes of each joint, or of a free body. */
export function chainsOf({ nodes }: TreePlan): PlannedNode[][] {
  const chains: PlannedNode[][] = [];
  let chain: PlannedNode[] = [];
  for (const node of nodes) {
    chain.push(node);
    if (node.body < 0) continue;
    chains.push(chain);
    chain = [];
  }
  return chains;
}

/**
 * Names of all positions and velocities, made unique. If a body "elbow" that is free in its plane and a joint "elbow"
 * both have an "elbow angle", the second of them is "elbow angle (2)".
 */
export const coordinateNames = oncePer(({ nodes }: Pick<TreePlan, "nodes">) => ({
  positions: different(nodes.flatMap(({ positionNames }) => positionNames)),
  velocities: different(nodes.flatMap(({ velocityNames }) => velocityNames)),
}));

function different(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let count = 2; taken.has(free); count++) free = `${name} (${count})`;
    taken.add(free);
    return free;
  });
}
