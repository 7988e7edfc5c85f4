// Orientations as user options.

import { cosine, hypotenuse, sine } from "../base/algebra/portable-trigonometry.js";
import {
  column,
  columns,
  cross,
  dot,
  IDENTITY,
  normalised,
  quaternionOf,
  rotationOf,
  transpose,
  vectorOf,
} from "../base/algebra/vectors.js";
import {
  checkKeys,
  descriptionError,
  direction,
  finite,
  isList,
  numbers,
  type VectorLike,
} from "../base/checking/values.js";
import type { Matrix, Quaternion } from "./model-data.js";

/** A 3 x 3 matrix: three rows, or nine column-major entries. */
export type MatrixLike = readonly [VectorLike, VectorLike, VectorLike] | readonly number[];

/**
 * Rotation from the axes of a body to those of the world: Euler parameters (scalar first), an axis with an angle in
 * radians, or a rotation matrix (three rows, or nine column-major entries).
 *
 * @example
 * const upsideDown: Orientation = { axis: [1, 0, 0], angle: Math.PI };
 * const same: Orientation = [0, 1, 0, 0];
 */
export type Orientation =
  | Quaternion
  | Float64Array
  | { readonly axis: VectorLike; readonly angle: number }
  | MatrixLike;

/** Largest deviation from unit length and from right angles that counts as rounding. */
const TOLERANCE = 1e-6;

/** Returns unit Euler parameters for any form of the option. */
export function orientation(where: string, option: string, value: unknown): Quaternion {
  if (isList(value)) {
    if (value.length === 4) return unitQuaternion(where, option, value);
    return quaternionOf(rotationMatrix(where, option, value));
  }
  if (typeof value !== "object" || value === null) {
    throw descriptionError(
      where,
      `${option} must be a quaternion, { axis, angle } or a rotation matrix`,
    );
  }
  checkKeys(`${where}: ${option}`, value, ["axis", "angle"], []);
  const { axis, angle } = value as { axis: unknown; angle: unknown };
  const along = direction(where, `${option}.axis`, axis);
  const half = finite(where, `${option}.angle`, angle) / 2;
  const s = sine(half);
  return normalised([cosine(half), s * along[0], s * along[1], s * along[2]]);
}

function unitQuaternion(where: string, option: string, value: ArrayLike<unknown>): Quaternion {
  const e = numbers(where, option, value, 4);
  const length = hypotenuse(...e);
  if (Math.abs(length - 1) > TOLERANCE) {
    throw descriptionError(
      where,
      `${option} is a quaternion of length ${length}: divide it by that, or give { axis, angle }`,
    );
  }
  return normalised(e);
}

/** Returns the matrix, orthonormalised to remove rounding. */
function rotationMatrix(where: string, option: string, value: ArrayLike<unknown>): Matrix {
  const m = matrix(where, option, value);
  const [x, y, z] = [column(m, 0), column(m, 1), column(m, 2)];
  const errors = [dot(x, x) - 1, dot(y, y) - 1, dot(z, z) - 1, dot(x, y), dot(y, z), dot(z, x)];
  if (errors.some((error) => Math.abs(error) > TOLERANCE)) {
    throw descriptionError(
      where,
      `${option} is not a rotation: its columns must be orthogonal, of length 1`,
    );
  }
  if (dot(cross(x, y), z) < 0) {
    throw descriptionError(
      where,
      `${option} is a reflection (determinant -1): change the sign of one column`,
    );
  }
  return rotationOf(quaternionOf(m));
}

/** Returns the nine column-major entries, from these or from three rows. */
export function matrix(where: string, option: string, value: unknown): Matrix {
  if (isList(value) && value.length === 3 && isList(value[0])) {
    const [a, b, c] = [0, 1, 2].map((i) => numbers(where, `${option}[${i}]`, value[i], 3));
    return transpose([...a!, ...b!, ...c!]);
  }
  if (isList(value) && value.length === 9) {
    const list = numbers(where, option, value, 9);
    return columns(
      vectorOf(list[0]!, list[1]!, list[2]!),
      vectorOf(list[3]!, list[4]!, list[5]!),
      vectorOf(list[6]!, list[7]!, list[8]!),
    );
  }
  throw descriptionError(
    where,
    `${option} must be a 3 x 3 matrix: three rows of 3, or 9 numbers by columns`,
  );
}

/** Returns the axes of an orientation as columns; the identity if the option is not given. */
export function axesOf(where: string, option: string, value: unknown): Matrix {
  return value === undefined ? IDENTITY : rotationOf(orientation(where, option, value));
}
