// Rows of recipes, as data of the layout. a and b are markers; axes are 0 for x, 1 for y, 2 for z.

import { RowKind } from "../../../assembly/layout-bodies.js";
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
