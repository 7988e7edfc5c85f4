// The mass matrix M = L L^T and the whitened space it makes: x^ = L^T x for velocities, f^ = L^-1
// f for forces. There M is the identity, so minimum norm means least kinetic energy. A diagonal M
// has L = sqrt(M): the record then holds the reciprocals 1 / sqrt(m_i).

import { MassKind, Status } from "../layout";
import { choleskyFactor } from "../dense/cholesky";
import { choleskyBackward, choleskyForward } from "../dense/cholesky-solve";
import { isNumber, nonFiniteRow } from "../math/finite";
import { at, get, set } from "../math/slots";
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
  return Status.OK;
}

/** X = L^-1 B, column by column. */
export function whiten(
  n: i32, kind: i32, count: i32, record: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  if (kind == MassKind.FULL) return choleskyForward(n, count, record, b, ldb, x, ldx);
  return scale(n, count, record, b, ldb, x, ldx);
}

/** X = L^-T B, column by column. */
export function unwhiten(
  n: i32, kind: i32, count: i32, record: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  if (kind == MassKind.FULL) return choleskyBackward(n, count, record, b, ldb, x, ldx);
  return scale(n, count, record, b, ldb, x, ldx);
}

function scale(
  n: i32, count: i32, factors: usize, b: usize, ldb: i32, x: usize, ldx: i32,
): i32 {
  let sum = 0.0;
  for (let j = 0; j < count; j++) {
    const from = at(b, j * ldb), to = at(x, j * ldx);
    for (let i = 0; i < n; i++) {
      const value = get(from, i) * get(factors, i);
      sum += value - value;
      set(to, i, value);
    }
  }
  if (sum == 0.0) return Status.OK;
  return statusAt(Status.NON_FINITE, nonFiniteRow(n, count, x, ldx));
}
