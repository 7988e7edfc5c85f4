// The mass matrix M = L L^T and its whitened space: x^ = L^T x for velocities,
// f^ = L^-1 f for forces. There M is the identity, so minimum norm means least kinetic energy. A
// diagonal M has L = sqrt(M): the record then holds the reciprocals 1 / sqrt(m_i), padded by zeros.
//
// Whitened vectors are padded to four, so that the tiles of the factor work in place. Nothing is
// searched for NaN here: NaN propagates to the result.

import { MassKind, padToFour, Status } from "../layout";
import {
  backwardPair, backwardTiles, choleskyFactor, copyPadded, forwardPair, forwardTiles,
} from "../dense/cholesky";
import { isNumber } from "../math/finite";
import { at, get, getPair, set, setPair } from "../math/slots";
import { statusAt } from "../math/status";

/** Factors M: its diagonal, or all of it. NOT_POSITIVE and NON_FINITE name the coordinate. */
export function massFactor(n: i32, kind: i32, mass: usize, record: usize): i32 {
  if (kind == MassKind.FULL) return choleskyFactor(n, mass, n, record);
  for (let i = 0; i < n; i++) {
    const value = get(mass, i);
    if (!(value > 0.0 && value < Infinity)) {
      return statusAt(isNumber(value) ? Status.NOT_POSITIVE : Status.NON_FINITE, i);
    }
    set(record, i, 1.0 / Math.sqrt(value));
  }
  for (let i = n; i < padToFour(n); i++) set(record, i, 0.0);
  return Status.OK;
}

/** x = L^-1 b, padded; b has length n. */
export function whiten(n: i32, kind: i32, record: usize, b: usize, x: usize): void {
  const p = padToFour(n);
  copyPadded(n, p, b, x);
  if (kind == MassKind.FULL) forwardTiles(p, record, x);
  else scale(p, record, x);
}

/** {@link whiten} for two vectors together. */
export function whitenTwo(
  n: i32, kind: i32, record: usize, b: usize, x: usize, c: usize, y: usize,
): void {
  const p = padToFour(n);
  copyPadded(n, p, b, x);
  copyPadded(n, p, c, y);
  if (kind == MassKind.FULL) {
    forwardPair(p, record, x, y);
  } else {
    scale(p, record, x);
    scale(p, record, y);
  }
}

/** {@link whiten} for `count` rows of length n, stored consecutively. */
export function whitenRows(
  n: i32, count: i32, kind: i32, record: usize, rows: usize, x: usize,
): void {
  const p = padToFour(n);
  let from = rows, to = x;
  for (let i = 1; i < count; i += 2) {
    whitenTwo(n, kind, record, from, to, at(from, n), at(to, p));
    from = at(from, 2 * n);
    to = at(to, 2 * p);
  }
  if (count & 1) whiten(n, kind, record, from, to);
}

/** x = L^-T x, padded, in place. */
export function unwhiten(n: i32, kind: i32, record: usize, x: usize): void {
  const p = padToFour(n);
  if (kind == MassKind.FULL) backwardTiles(p, record, x);
  else scale(p, record, x);
}

/** {@link unwhiten} for two consecutive vectors. */
export function unwhitenTwo(n: i32, kind: i32, record: usize, x: usize): void {
  const p = padToFour(n), y = at(x, p);
  if (kind == MassKind.FULL) {
    backwardPair(p, record, x, y);
  } else {
    scale(p, record, x);
    scale(p, record, y);
  }
}

function scale(p: i32, factors: usize, x: usize): void {
  for (let i = 0; i < p; i += 2) setPair(x, i, f64x2.mul(getPair(x, i), getPair(factors, i)));
}
