// Rows and tree nodes of joints, as data of the layout. a and b are markers; axes are 0 for x, 1 for y, 2 for z.

import { RowKind } from "../../../assembly/layout-bodies.js";
import { NodeKind } from "../../../assembly/layout-tree.js";
import { columns, IDENTITY, type Matrix, scale, vectorOf } from "../../base/algebra/vectors.js";
import type { BlockData, Drive, RowData } from "../model-data.js";

export const X = 0;
export const Y = 1;
export const Z = 2;

/** Points coincide: three rows along the axes of the world. */
export function coincide(a: number, b: number): RowData {
  return row(RowKind.COINCIDE, ["x", "y", "z"], a, b, 0, 0, [], undefined, "force");
}

/** a_i is perpendicular to b_j. */
export function rightAngle(name: string, a: number, i: number, b: number, j: number): RowData {
  return row(RowKind.DOT1, [name], a, b, i, j, [], undefined, "torque");
}

/** B's point lies in the plane through A's point perpendicular to a_i. */
export function level(name: string, a: number, i: number, b: number): RowData {
  return row(RowKind.DOT2, [name], a, b, i, 0, [], 0, "force");
}

/** Points have the given distance. */
export function apart(a: number, b: number, length: number | Drive, scale: number): RowData {
  return row(RowKind.DISTANCE, ["length"], a, b, 0, 0, [1 / scale], length, "force");
}

/** k1 s1 + k2 s2 has the prescribed value, or its initial value if undefined. -1 means no second sensor. */
export function coupled(
  name: string,
  sensors: readonly [number, number],
  factors: readonly [number, number],
  prescribed: number | Drive | undefined,
  unit: RowData["unit"],
): RowData {
  return row(RowKind.COUPLE, [name], ...sensors, 0, 0, factors, prescribed, unit);
}

/** B's point stays on the line through A's point along z of A. */
export function transverse(a: number, b: number): readonly RowData[] {
  return [level("transverse 1", a, X, b), level("transverse 2", a, Y, b)];
}

/** z of B is parallel to z of A: it has no component along x and y. */
export function tilts(a: number, b: number): readonly RowData[] {
  return [rightAngle("tilt 1", a, X, b, Z), rightAngle("tilt 2", a, Y, b, Z)];
}

/**
 * B does not rotate in A. When B rotates by a small theta, b_j changes by theta x b_j, and a_i . b_j by
 * theta . (b_j x a_i): with aligned axes y.z changes by -theta_x, z.x by -theta_y, x.y by -theta_z. So
 * these three are independent. Two that share a pair of axes (x.y and y.x) would not be.
 */
export function noRotation(a: number, b: number): readonly RowData[] {
  return [
    rightAngle("turn x", a, Y, b, Z),
    rightAngle("turn y", a, Z, b, X),
    rightAngle("turn z", a, X, b, Y),
  ];
}

export function holonomic(...rows: readonly RowData[]): BlockData {
  return { holonomic: true, rows: Object.freeze(rows) };
}

export function row(
  kind: RowData["kind"],
  names: readonly string[],
  a: number,
  b: number,
  axisA: number,
  axisB: number,
  constants: readonly number[],
  prescribed: number | Drive | undefined,
  unit: RowData["unit"],
): RowData {
  return Object.freeze({ kind, names, a, b, axisA, axisB, constants, prescribed, unit });
}

// Joints as nodes of a tree: for a type of joint, the chain of nodes from the parent's marker to the child's. A type
// without a tree form stays rows.
//
// A and B are the axes of the joint's markers by columns, Rz(q) a turn about z, F = diag(1, -1, -1) a half turn about x.
// A joint about an axis is B = A Rz(q). Seen from B,
//
//   A F = B Rz(-q) F = (B F) (F Rz(-q) F) = (B F) Rz(q),
//
// because a turn by -q about z is one by q about F z = -z. So with both markers flipped by F the same q with the same sign
// turns A against B, and as the axis is now -z of A, p_A = p_B - q z_A slides it rightly too. Rejected: the same frames
// with -q. The coordinate would differ from what the joint's sensor says, and drives, limits and readings with it.

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
export interface FormChain {
  readonly nodes: readonly FormNode[];
  /** Axes of the last node in those of the child's marker. */
  readonly end: Matrix;
}

/** A joint as nodes. */
export interface TreeForm {
  /** When the parent is the body of marker A, and of marker B. */
  readonly fromA: FormChain;
  readonly fromB: FormChain;
  /** Alignment of the marker axes that its rows enforce: see src/systems/relative/plan/planes.ts. */
  readonly alignment: "axis" | "axes" | "arms" | "point";
}

export const UNIT_X = vectorOf(1, 0, 0);
export const UNIT_Y = vectorOf(0, 1, 0);
export const UNIT_Z = vectorOf(0, 0, 1);
/** F: a half turn about x. */
export const FLIP: Matrix = columns(UNIT_X, scale(-1, UNIT_Y), scale(-1, UNIT_Z));

/* @__NO_SIDE_EFFECTS__ */
export const hinge = (turn: Matrix = IDENTITY, name = "angle"): FormNode => ({
  kind: NodeKind.HINGE,
  turn,
  positionNames: [name],
  velocityNames: [name],
  ...(name === "angle" ? { sensor: "angle" as const } : {}),
});

/* @__NO_SIDE_EFFECTS__ */
export const slide = (turn: Matrix = IDENTITY, name = "displacement"): FormNode => ({
  kind: NodeKind.SLIDE,
  turn,
  positionNames: [name],
  velocityNames: [name],
  ...(name === "displacement" ? { sensor: "displacement" as const } : {}),
});

/* @__NO_SIDE_EFFECTS__ */
export const threaded = (turn: Matrix = IDENTITY): FormNode => ({
  ...hinge(turn),
  kind: NodeKind.SCREW,
});

export const ball: FormNode = {
  kind: NodeKind.BALL,
  turn: IDENTITY,
  positionNames: ["e0", "e1", "e2", "e3"],
  velocityNames: ["w1", "w2", "w3"],
};

export const weld: FormNode = {
  kind: NodeKind.FIXED,
  turn: IDENTITY,
  positionNames: [],
  velocityNames: [],
};

/** A joint about one axis: the same chain from either side, flipped from B. */
export function alongAxis(
  first: (turn?: Matrix) => FormNode,
  ...others: readonly FormNode[]
): Pick<TreeForm, "fromA" | "fromB"> {
  return {
    fromA: { nodes: [first(), ...others], end: IDENTITY },
    fromB: { nodes: [first(FLIP), ...others], end: FLIP },
  };
}

/** A chain that is the same from either side. */
export function eitherWay(node: FormNode): Pick<TreeForm, "fromA" | "fromB"> {
  const chain = { nodes: [node], end: IDENTITY };
  return { fromA: chain, fromB: chain };
}
