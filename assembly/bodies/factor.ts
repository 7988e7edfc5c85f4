// S = J M^-1 J^T, block sparse, factored.
//
// Rows that close loops may repeat others, or do so at singular poses, or nearly. They get a little
// compliance: S_jj becomes (1 + mu) S_jj there (proximal regularisation). Rows of the spanning
// tree are independent, so that S + E is positive definite whatever the rank, and trees stay
// exact. What mu takes away, two corrections in the solve give back (solve.ts).

import { padToTwo, SparseColumn, SparseIncidence, SparseTable } from "../layout";
import { BODY_VELOCITIES, BodyMass, BodyTable } from "../layout-bodies";
import { at, get, getInteger, set } from "../math/slots";
import { addressOf } from "../kinematics/table";
import { sparseProducts } from "../sparse/assemble";
import { sparseFactor } from "../sparse/block-cholesky";
import { timesMass } from "./mass";

/**
 * Factors S + E at the Jacobian blocks in memory. Pivots d_j / S_jj are in SPARSE_PIVOTS, zero for
 * rows whose pivot is below the tolerance (status DEFICIENT; the solve gives them no multiplier).
 */
export function bodyFactor(table: usize, mu: f64, tolerance: f64): i32 {
  const sparse = addressOf(table, BodyTable.SPARSE_TABLE);
  const jacobian = addressOf(table, BodyTable.JACOBIAN);
  const whitened = addressOf(table, BodyTable.WHITENED);
  const blocks = addressOf(table, BodyTable.SPARSE_BLOCKS);
  whiten(sparse, addressOf(table, BodyTable.MASSES), jacobian, whitened);
  sparseProducts(sparse, jacobian, whitened, blocks);
  if (mu > 0.0) regularise(sparse, mu, addressOf(table, BodyTable.CLOSING), blocks);
  return sparseFactor(
    sparse, tolerance, blocks,
    addressOf(table, BodyTable.SPARSE_FACTOR), addressOf(table, BodyTable.SPARSE_PIVOTS),
  );
}

/** W = M^-1 J^T: each row of six by the mass of its body. */
function whiten(sparse: usize, masses: usize, jacobian: usize, whitened: usize): void {
  const count = getInteger(sparse, SparseTable.INCIDENCE_COUNT);
  let incidence = sparse + ((<usize>getInteger(sparse, SparseTable.INCIDENCES)) << 2);
  for (let k = 0; k < count; k++) {
    const slot = getInteger(incidence, SparseIncidence.SLOT);
    const mass = at(masses, BodyMass.LENGTH * getInteger(incidence, SparseIncidence.BODY));
    const inverse = get(mass, BodyMass.INVERSE_MASS);
    const rows = getInteger(incidence, SparseIncidence.ROWS);
    for (let row = 0; row < rows; row++) {
      const offset = slot + BODY_VELOCITIES * row;
      timesMass(
        inverse, at(mass, BodyMass.INVERSE_INERTIA), at(jacobian, offset), at(whitened, offset),
      );
    }
    incidence += SparseIncidence.LENGTH << 2;
  }
}

/** S_jj = (1 + mu) S_jj for the rows that close loops. */
function regularise(sparse: usize, mu: f64, closing: usize, blocks: usize): void {
  const count = getInteger(sparse, SparseTable.COLUMN_COUNT);
  let column = sparse + ((<usize>getInteger(sparse, SparseTable.COLUMNS)) << 2);
  for (let k = 0; k < count; k++) {
    const rows = getInteger(column, SparseColumn.ROWS);
    const first = getInteger(column, SparseColumn.FIRST_ROW);
    const diagonal = at(blocks, getInteger(column, SparseColumn.DIAGONAL));
    const step = padToTwo(rows) + 1;
    for (let i = 0; i < rows; i++) {
      const value = get(diagonal, i * step);
      set(diagonal, i * step, value + mu * get(closing, first + i) * value);
    }
    column += SparseColumn.LENGTH << 2;
  }
}
