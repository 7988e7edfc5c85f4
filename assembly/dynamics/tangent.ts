// The record of a null space (tangentSlots in the layout): where its parts are, and the loops that
// all its users share.

import {
  TangentHeader, tangentBasis, tangentColumns, tangentDirections, tangentFrame, tangentScratch,
  tangentTriangle,
} from "../layout";
import { matrixTransposeVector } from "../dense/vectors";
import { at, get, set } from "../math/slots";
import { dot, subtractMultiple } from "../math/vectors";

// @ts-ignore: decorator
@inline
export function rankOf(record: usize): i32 {
  return <i32>get(record, TangentHeader.RANK);
}

/** The j-th row that was chosen. */
// @ts-ignore: decorator
@inline
export function rowOf(record: usize, j: i32): i32 {
  return <i32>get(record, TangentHeader.SLOTS + j);
}

/** The j-th coordinate, the dependent ones first. */
// @ts-ignore: decorator
@inline
export function columnOf(m: i32, record: usize, j: i32): i32 {
  return <i32>get(record, tangentColumns(m) + j);
}

export function directionsOf(n: i32, m: i32, record: usize): usize {
  return at(record, tangentDirections(n, m));
}

export function frameOf(n: i32, m: i32, record: usize): usize {
  return at(record, tangentFrame(n, m));
}

export function triangleOf(n: i32, m: i32, record: usize): usize {
  return at(record, tangentTriangle(n, m));
}

export function basisOf(n: i32, m: i32, record: usize): usize {
  return at(record, tangentBasis(n, m));
}

export function scratchOf(n: i32, m: i32, record: usize): usize {
  return at(record, tangentScratch(n, m));
}

/**
 * Removes the directions of the first `count` columns of V from x and adds the coefficients to r.
 * Two passes: what is left is orthogonal to rounding (Parlett, The Symmetric Eigenvalue Problem,
 * 6.9).
 */
export function takeOff(n: i32, count: i32, v: usize, x: usize, r: usize): void {
  for (let pass = 0; pass < 2; pass++) {
    for (let i = 0; i < count; i++) {
      const column = at(v, i * n);
      const product = dot(n, column, x);
      subtractMultiple(n, product, column, x);
      set(r, i, get(r, i) + product);
    }
  }
}

/** x = x + basis e: velocities from kinematic characteristics. */
export function tangentAdd(n: i32, m: i32, record: usize, e: usize, x: usize): void {
  const basis = basisOf(n, m, record), count = n - rankOf(record);
  for (let j = 0; j < count; j++) subtractMultiple(n, -get(e, j), at(basis, j * n), x);
}

/** e = basis^T x, padded with zeros to length n: characteristics, if the basis is orthonormal. */
export function tangentTake(n: i32, m: i32, record: usize, x: usize, e: usize): void {
  const count = n - rankOf(record);
  matrixTransposeVector(n, count, basisOf(n, m, record), n, x, e);
  for (let j = count; j < n; j++) set(e, j, 0.0);
}
