// Products with the Jacobian, block by block: each block belongs to one body of one constraint
// and is stored row-major with six columns, at the slot in its SparseIncidence (layout.ts).

import { SparseIncidence, SparseTable } from "../layout";
import { BODY_VELOCITIES, BodyTable } from "../layout-bodies";
import {
  at, clearSlots, get, getInteger, getPair, laneSum, set, setPair, splat,
} from "../math/slots";
import { addressOf } from "../kinematics/table";

/** out = J x. */
export function bodyJacobianTimes(table: usize, x: usize, out: usize): void {
  clearSlots(out, getInteger(table, BodyTable.ROW_COUNT));
  addJacobianTimes(table, 1.0, x, out);
}

/** out += scale J x. */
export function addJacobianTimes(table: usize, scale: f64, x: usize, out: usize): void {
  const sparse = addressOf(table, BodyTable.SPARSE_TABLE);
  const jacobian = addressOf(table, BodyTable.JACOBIAN);
  const count = getInteger(sparse, SparseTable.INCIDENCE_COUNT);
  let incidence = sparse + ((<usize>getInteger(sparse, SparseTable.INCIDENCES)) << 2);
  for (let k = 0; k < count; k++) {
    const from = at(x, BODY_VELOCITIES * getInteger(incidence, SparseIncidence.BODY));
    const x0 = getPair(from, 0), x1 = getPair(from, 2), x2 = getPair(from, 4);
    const rows = getInteger(incidence, SparseIncidence.ROWS);
    const to = at(out, getInteger(incidence, SparseIncidence.FIRST_ROW));
    let row = at(jacobian, getInteger(incidence, SparseIncidence.SLOT));
    for (let i = 0; i < rows; i++) {
      let sum = f64x2.mul(getPair(row, 0), x0);
      sum = f64x2.add(sum, f64x2.mul(getPair(row, 2), x1));
      sum = f64x2.add(sum, f64x2.mul(getPair(row, 4), x2));
      set(to, i, get(to, i) + scale * laneSum(sum));
      row = at(row, BODY_VELOCITIES);
    }
    incidence += SparseIncidence.LENGTH << 2;
  }
}

/** out = J^T lambda. */
export function bodyJacobianTransposeTimes(table: usize, lambda: usize, out: usize): void {
  clearSlots(out, BODY_VELOCITIES * getInteger(table, BodyTable.BODY_COUNT));
  addBlocksTransposeTimes(table, addressOf(table, BodyTable.JACOBIAN), lambda, out);
}

/** out += B^T lambda for blocks B in the layout of the Jacobian. */
export function addBlocksTransposeTimes(
  table: usize, blocks: usize, lambda: usize, out: usize,
): void {
  const sparse = addressOf(table, BodyTable.SPARSE_TABLE);
  const count = getInteger(sparse, SparseTable.INCIDENCE_COUNT);
  let incidence = sparse + ((<usize>getInteger(sparse, SparseTable.INCIDENCES)) << 2);
  for (let k = 0; k < count; k++) {
    const to = at(out, BODY_VELOCITIES * getInteger(incidence, SparseIncidence.BODY));
    let s0 = getPair(to, 0), s1 = getPair(to, 2), s2 = getPair(to, 4);
    const rows = getInteger(incidence, SparseIncidence.ROWS);
    const from = at(lambda, getInteger(incidence, SparseIncidence.FIRST_ROW));
    let row = at(blocks, getInteger(incidence, SparseIncidence.SLOT));
    for (let i = 0; i < rows; i++) {
      const factor = splat(from, i);
      s0 = f64x2.add(s0, f64x2.mul(getPair(row, 0), factor));
      s1 = f64x2.add(s1, f64x2.mul(getPair(row, 2), factor));
      s2 = f64x2.add(s2, f64x2.mul(getPair(row, 4), factor));
      row = at(row, BODY_VELOCITIES);
    }
    setPair(to, 0, s0);
    setPair(to, 2, s1);
    setPair(to, 4, s2);
    incidence += SparseIncidence.LENGTH << 2;
  }
}
