// Joints as nodes of a tree: for each type of joint, the chain of nodes from the parent's marker to the child's. A type
// without a line here stays rows.
//
// A and B are the axes of the joint's markers by columns, Rz(q) a turn about z, F = diag(1, -1, -1) a half turn about x.
// A joint about an axis is B = A Rz(q). Seen from B,
//
//   A F = B Rz(-q) F = (B F) (F Rz(-q) F) = (B F) Rz(q),
//
// because a turn by -q about z is one by q about F z = -z. So with both markers flipped by F the same q with the same sign
// turns A against B, and as the axis is now -z of A, p_A = p_B - q z_A slides it rightly too. Rejected: the same frames
// with -q. The coordinate would differ from what the joint's sensor says, and drives, limits and readings with it.

import { NodeKind } from "../../../../assembly/layout-tree.js";
import {
  columns,
  IDENTITY,
  type Matrix,
  scale,
  type Vector,
  vectorOf,
} from "../../../base/algebra/vectors.js";
import type { joints } from "../../../model/joints/index.js";
import type { JointData } from "../../../model/model-data.js";

/** One node of a form. */
export interface FormNode {
  readonly kind: NodeKind;
  /** Axes of the joint's frame in those of the node before it; of the first node, in those of the parent's marker. */
  readonly turn: Matrix;
  /** Suffixes of the names of its coordinates in q and v, after the name of the joint. */
  readonly positionNames: readonly string[];
  readonly velocityNames: readonly string[];
  /** Sensor of the joint that measures its coordinate. */
  readonly sensor?: "angle" | "displacement";
}

/** Chain from the marker of the parent to that of the child. */
interface FormChain {
  readonly nodes: readonly FormNode[];
  /** Axes of the last node in those of the child's marker. */
  readonly end: Matrix;
}

/** A joint as nodes. */
export interface TreeForm {
  /** When the parent is the body of marker A, and of marker B. */
  readonly fromA: FormChain;
  readonly fromB: FormChain;
  /** Alignment of the marker axes that its rows enforce: see planes.ts. */
  readonly alignment: "axis" | "axes" | "arms" | "point";
}

type JointType = keyof typeof joints;

const X = vectorOf(1, 0, 0);
const Y = vectorOf(0, 1, 0);
const Z = vectorOf(0, 0, 1);
/** F: a half turn about x. */
export const FLIP: Matrix = columns(X, scale(-1, Y), scale(-1, Z));

const hinge = (turn: Matrix = IDENTITY, name = "angle"): FormNode => ({
  kind: NodeKind.HINGE,
  turn,
  positionNames: [name],
  velocityNames: [name],
  ...(name === "angle" ? { sensor: "angle" as const } : {}),
});

const slide = (turn: Matrix = IDENTITY, name = "displacement"): FormNode => ({
  kind: NodeKind.SLIDE,
  turn,
  positionNames: [name],
  velocityNames: [name],
  ...(name === "displacement" ? { sensor: "displacement" as const } : {}),
});

const threaded = (turn: Matrix = IDENTITY): FormNode => ({ ...hinge(turn), kind: NodeKind.SCREW });

const ball: FormNode = {
  kind: NodeKind.BALL,
  turn: IDENTITY,
  positionNames: ["e0", "e1", "e2", "e3"],
  velocityNames: ["w1", "w2", "w3"],
};

const weld: FormNode = {
  kind: NodeKind.FIXED,
  turn: IDENTITY,
  positionNames: [],
  velocityNames: [],
};

/** A joint about one axis: the same chain from either side, flipped from B. */
function alongAxis(
  first: (turn?: Matrix) => FormNode,
  ...others: readonly FormNode[]
): Pick<TreeForm, "fromA" | "fromB"> {
  return {
    fromA: { nodes: [first(), ...others], end: IDENTITY },
    fromB: { nodes: [first(FLIP), ...others], end: FLIP },
  };
}

/** A chain that is the same from either side. */
function eitherWay(node: FormNode): Pick<TreeForm, "fromA" | "fromB"> {
  const chain = { nodes: [node], end: IDENTITY };
  return { fromA: chain, fromB: chain };
}

/**
 * p_B - p_A = x x_A + y y_A, B = A Rz(q). From A: along x_A, along y_A, then the turn. The axis of a slide is z of its
 * node, so the frames are (y, z, x) and (z, x, y) of A, and then A itself: each is the one before, turned by CYCLE.
 *
 * From B the turn comes first, because x and y are along the axes of A: with (x, y, z) = A F the slides are along -x_A =
 * -x and -y_A = y. Their frames are (z, y, -x) and (z, x, y). Rejected: slides first, in the axes of B: x and y would mean
 * something else when the parent is B.
 */
const CYCLE = columns(Y, Z, X);
const ALONG_MINUS_X = columns(Z, Y, scale(-1, X));
const FROM_MINUS_X_TO_Y = columns(X, scale(-1, Z), Y);
const planar: Pick<TreeForm, "fromA" | "fromB"> = {
  fromA: {
    nodes: [slide(CYCLE, "displacement x"), slide(CYCLE, "displacement y"), hinge(CYCLE)],
    end: IDENTITY,
  },
  fromB: {
    nodes: [
      hinge(FLIP),
      slide(ALONG_MINUS_X, "displacement x"),
      slide(FROM_MINUS_X_TO_Y, "displacement y"),
    ],
    // F times (z, x, y).
    end: columns(scale(-1, Z), X, scale(-1, Y)),
  },
};

/**
 * The cross has z_A and z_B for arms. Angle 1 is counted from x_A to z_B about z_A, angle 2 from z_A to x_B about z_B:
 * both are zero at the given poses if the joint was made from bodies. The cross, (z_B, ., z_A), is A Rz(q1), and B is
 * (z_A, ., z_B) Rz(q2), so with ARMS = (z, -y, x), which is its own inverse, B = A Rz(q1) ARMS Rz(q2). From B
 *
 *   A F = B Rz(-q2) ARMS Rz(-q1) F = (B F) Rz(q2) (F ARMS F) Rz(q1).
 */
const ARMS = columns(Z, scale(-1, Y), X);
const FLIPPED_ARMS = columns(scale(-1, Z), scale(-1, Y), scale(-1, X));
const universal: Pick<TreeForm, "fromA" | "fromB"> = {
  fromA: { nodes: [hinge(IDENTITY, "angle 1"), hinge(ARMS, "angle 2")], end: IDENTITY },
  fromB: { nodes: [hinge(FLIP, "angle 2"), hinge(FLIPPED_ARMS, "angle 1")], end: FLIP },
};

const FORMS: Partial<Record<JointType, TreeForm>> = {
  fixed: { ...eitherWay(weld), alignment: "axes" },
  revolute: { ...alongAxis(hinge), alignment: "axis" },
  prismatic: { ...alongAxis(slide), alignment: "axes" },
  cylindrical: { ...alongAxis(slide, hinge()), alignment: "axis" },
  screw: { ...alongAxis(threaded), alignment: "axis" },
  spherical: { ...eitherWay(ball), alignment: "point" },
  universal: { ...universal, alignment: "arms" },
  planar: { ...planar, alignment: "axis" },
};

/** The form of a type of joint; undefined if it stays rows. */
export function treeForm(type: string): TreeForm | undefined {
  return Object.hasOwn(FORMS, type) ? FORMS[type as JointType] : undefined;
}

/** Number of a joint's rows: the cost of cutting it. */
export function rowCount({ blocks }: JointData): number {
  return blocks.flatMap(({ rows }) => rows).reduce((sum, { names }) => sum + names.length, 0);
}

// The tree of a mechanism as plain data: which joints its nodes are, and which are cut.

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
export function coordinateNames({ nodes }: Pick<TreePlan, "nodes">): {
  readonly positions: readonly string[];
  readonly velocities: readonly string[];
} {
  return {
    positions: different(nodes.flatMap(({ positionNames }) => positionNames)),
    velocities: different(nodes.flatMap(({ velocityNames }) => velocityNames)),
  };
}

function different(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let count = 2; taken.has(free); count++) free = `${name} (${count})`;
    taken.add(free);
    return free;
  });
}
