// The mass matrix M = L L^T and the whitened space it makes: x^ = L^T x for velocities,
// f^ = L^-1 f for forces. There M is the identity, so minimum norm means least kinetic energy. A
// diagonal M has L = sqrt(M): the record then holds the reciprocals 1 / sqrt(m_i), padded by zeros.
//
// Whitened vectors are padded to four, so that the tiles of the factor work in place. Nothing is
// searched for NaN here: it arrives in the result.

import { MassKind, padToFour, Status } from "../layout";
import { choleskyFactor } from "../dense/cholesky";
import { backwardTiles, copyPadded, forwardTiles } from "../dense/cholesky-solve";
import { isNumber } from "../math/finite";
import { get, getPair, set, setPair } from "../math/slots";
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

/** The padded x = L^-1 b of n numbers. */
export function whiten(n: i32, kind: i32, record: usize, b: usize, x: usize): void {
  const p = padToFour(n);
  copyPadded(n, p, b, x);
  if (kind == MassKind.FULL) forwardTiles(p, record, x);
  else scale(p, record, x);
}

/** x = L^-T x, padded, in place. */
export function unwhiten(n: i32, kind: i32, record: usize, x: usize): void {
  const p = padToFour(n);
  if (kind == MassKind.FULL) backwardTiles(p, record, x);
  else scale(p, record, x);
}

function scale(p: i32, factors: usize, x: usize): void {
  for (let i = 0; i < p; i += 2) setPair(x, i, f64x2.mul(getPair(x, i), getPair(factors, i)));
}
