// S = J M^-1 J^T, block sparse, factored. Blocks that close loops may be redundant, or nearly, or
// at singular poses: their treatment depends on the available rank information.
//
// Rejected: one compliance for all rows that close loops (S_jj becomes (1 + mu) S_jj, two
// corrections). It leaves (mu / (mu + s))^3 of a direction whose pivot is s: redundant directions
// need a large mu, weak true ones (spatial loops, heavy couplers) a small one, and no mu serves
// both. The rank of J is a matter of geometry and is found once
// (src/systems/bodies/redundancy/redundancy.ts); here it separates the two.

import { addressOf } from "../kinematics/table";
import {
  padToTwo, SparseColumn, SparseIncidence, SparsePair, SparseTable, Status,
} from "../layout";
import { BODY_VELOCITIES, BodyMass, BodyTable, LoopBlock, Rank } from "../layout-bodies";
import { at, clearSlots, copySlots, get, getInteger, getPair, set, setPair } from "../math/slots";
import { failed } from "../math/status";
import { largestMagnitude } from "../math/vectors";
import { addProduct, incidenceAt } from "../sparse/assemble";
import { sparseFactorColumn, sparseFactorInPlace, sparseSolve } from "../sparse/block-cholesky";
import { addBlocksTransposeTimes, addJacobianTimes } from "./jacobian";
import { closeLoop } from "./loop-block";
import { addMassSolve, bodyMassSolve } from "./mass";

/**
 * Factors S at the Jacobian blocks in memory. `rank` selects the treatment of dependent rows; mu is
 * the compliance of each row (Rank.UNKNOWN) or near singular poses (Rank.KNOWN). Pivots
 * d_j / S_jj are in SPARSE_PIVOTS, zero for rows whose pivot is below the tolerance (status
 * DEFICIENT; the solve gives them no multiplier).
 */
export function bodyFactor(table: usize, rank: i32, mu: f64, tolerance: f64): i32 {
  const sparse = addressOf(table, BodyTable.SPARSE_TABLE);
  const factor = addressOf(table, BodyTable.SPARSE_FACTOR);
  const pivots = addressOf(table, BodyTable.SPARSE_PIVOTS);
  addProducts(table, sparse, factor);
  const loops = addressOf(table, BodyTable.LOOP_BLOCKS);
  const unknown = rank == Rank.UNKNOWN;
  keepDiagonal(sparse, unknown ? mu : 0.0, unknown ? 1.0 : 0.0, loops, factor, pivots);
  if (rank != Rank.KNOWN) return sparseFactorInPlace(sparse, tolerance, factor, pivots);
  const scratch = addressOf(table, BodyTable.LOOP_SCRATCH);
  return factorLoops(sparse, mu, tolerance, factor, pivots, loops, scratch);
}

/** Factors S if the rank of each block is known: one LoopBlock at `loops` for each column. */
export function factorLoops(
  sparse: usize, mu: f64, tolerance: f64, factor: usize, pivots: usize, loops: usize,
  scratch: usize,
): i32 {
  const count = getInteger(sparse, SparseTable.COLUMN_COUNT);
  let column = sparse + ((<usize>getInteger(sparse, SparseTable.COLUMNS)) << 2);
  let loop = loops;
  let result: i32 = Status.OK;
  for (let k = 0; k < count; k++) {
    if (get(loop, LoopBlock.DEPENDENT) >= 0.0) {
      closeLoop(
        getInteger(column, SparseColumn.ROWS),
        mu,
        at(pivots, getInteger(column, SparseColumn.FIRST_ROW)),
        at(factor, getInteger(column, SparseColumn.DIAGONAL)),
        loop,
        scratch,
      );
    }
    const status = sparseFactorColumn(sparse, column, tolerance, factor, pivots);
    if (failed(status)) return status;
    if (result == Status.OK) result = status;
    column += SparseColumn.LENGTH << 2;
    loop = at(loop, LoopBlock.LENGTH);
  }
  return result;
}

/**
 * Adds up S, pair by pair of blocks on a body. Pairs with the same right block are consecutive, so
 * W = M^-1 J^T of that block is formed once, in a scratch that stays in the cache.
 */
function addProducts(table: usize, sparse: usize, s: usize): void {
  const jacobian = addressOf(table, BodyTable.JACOBIAN);
  const masses = addressOf(table, BodyTable.MASSES);
  const whitened = addressOf(table, BodyTable.WHITENED);
  const incidences = sparse + ((<usize>getInteger(sparse, SparseTable.INCIDENCES)) << 2);
  clearSlots(s, getInteger(sparse, SparseTable.BLOCK_SLOTS));
  const count = getInteger(sparse, SparseTable.PAIR_COUNT);
  let pair = sparse + ((<usize>getInteger(sparse, SparseTable.PAIRS)) << 2);
  let last = -1, columns = 0;
  for (let k = 0; k < count; k++) {
    const left = incidenceAt(incidences, getInteger(pair, SparsePair.LEFT));
    const number = getInteger(pair, SparsePair.RIGHT);
    if (number != last) {
      const right = incidenceAt(incidences, number);
      columns = getInteger(right, SparseIncidence.ROWS);
      whiten(
        columns,
        at(masses, BodyMass.LENGTH * getInteger(right, SparseIncidence.BODY)),
        at(jacobian, getInteger(right, SparseIncidence.SLOT)),
        whitened,
      );
      last = number;
    }
    addProduct(
      BODY_VELOCITIES,
      getInteger(left, SparseIncidence.ROWS),
      columns,
      at(jacobian, getInteger(left, SparseIncidence.SLOT)),
      whitened,
      at(s, getInteger(pair, SparsePair.SLOT)),
    );
    pair += SparsePair.LENGTH << 2;
  }
}

/**
 * W = M^-1 J^T of a block: each row of six times the inverse mass of its body, kept in registers.
 */
// @ts-ignore: decorator
@inline
function whiten(rows: i32, mass: usize, jacobian: usize, whitened: usize): void {
  const inertia = at(mass, BodyMass.INVERSE_INERTIA);
  const m = get(mass, BodyMass.INVERSE_MASS), mm = f64x2.splat(m);
  const a = get(inertia, 0), b = get(inertia, 1), c = get(inertia, 2);
  const d = get(inertia, 4), e = get(inertia, 5), f = get(inertia, 8);
  let from = jacobian, to = whitened;
  for (let row = 0; row < rows; row++) {
    const w0 = get(from, 3), w1 = get(from, 4), w2 = get(from, 5);
    setPair(to, 0, f64x2.mul(mm, getPair(from, 0)));
    set(to, 2, m * get(from, 2));
    set(to, 3, a * w0 + b * w1 + c * w2);
    set(to, 4, b * w0 + d * w1 + e * w2);
    set(to, 5, c * w0 + e * w1 + f * w2);
    from = at(from, BODY_VELOCITIES);
    to = at(to, BODY_VELOCITIES);
  }
}

/**
 * Stores the diagonal of S in `pivots`, and sets S_jj = (1 + mu) S_jj. Rows that follow from
 * others get the compliance `following`. With mu each would pull as if alone while joints are
 * open: a hundred of them a hundred times too far.
 */
function keepDiagonal(
  sparse: usize, mu: f64, following: f64, loops: usize, blocks: usize, pivots: usize,
): void {
  let loop = loops;
  const count = getInteger(sparse, SparseTable.COLUMN_COUNT);
  let column = sparse + ((<usize>getInteger(sparse, SparseTable.COLUMNS)) << 2);
  for (let k = 0; k < count; k++) {
    const rows = getInteger(column, SparseColumn.ROWS);
    const first = getInteger(column, SparseColumn.FIRST_ROW);
    const diagonal = at(blocks, getInteger(column, SparseColumn.DIAGONAL));
    const step = padToTwo(rows) + 1;
    const give = get(loop, LoopBlock.CIRCULAR_REASON) != 0.0 ? following : mu;
    for (let i = 0; i < rows; i++) {
      const value = get(diagonal, i * step) * (1.0 + give);
      set(diagonal, i * step, value);
      set(pivots, first + i, value);
    }
    column += SparseColumn.LENGTH << 2;
    loop = at(loop, LoopBlock.LENGTH);
  }
}

// Solves with the factor of S, corrected by residuals:
//
//   x <- x + M^-1 J^T S~^-1 (right - J x),   1 + `corrections` times at most.
//
// The residual is formed from J, not from S, so that the factor S~ may comply in some directions,
// or be that of a state nearby: the iteration converges to J x = right all the same, in the rows
// that can be satisfied. Each correction multiplies the error by the relative difference of S~ and
// S. The iteration ends early if the last correction was rounding: away from singular poses the
// first solve is exact. `corrections` is never raised: at singular poses it is part of the filter
// (with 3, 4 or 8 some passages are lost).

/**
 * out = a + minnorm(right - J a) with a = M^-1 forces; lambda receives the multipliers unless it is
 * 0. NON_FINITE names a row.
 */
export function bodyAccelerate(
  table: usize, corrections: i32, forces: usize, right: usize, out: usize, lambda: usize,
): i32 {
  bodyMassSolve(table, forces, out);
  return correct(table, corrections, right, out, lambda);
}

/** out = start + minnorm(right); a null `start` stands for zero. */
export function bodyMinnorm(
  table: usize, corrections: i32, right: usize, start: usize, out: usize,
): i32 {
  const velocities = BODY_VELOCITIES * getInteger(table, BodyTable.BODY_COUNT);
  const step = addressOf(table, BodyTable.VELOCITY_SCRATCH);
  clearSlots(step, velocities);
  const status = correct(table, corrections, right, step, 0);
  if (failed(status)) return status;
  if (start == 0) copySlots(step, out, velocities);
  else for (let i = 0; i < velocities; i++) set(out, i, get(start, i) + get(step, i));
  return Status.OK;
}

/** A correction of J^T lambda below this part of the first one is rounding. */
const CORRECTION_TOLERANCE: f64 = 1e-14;

/** x += minnorm(right - J x). */
function correct(table: usize, corrections: i32, right: usize, x: usize, lambda: usize): i32 {
  const rows = getInteger(table, BodyTable.ROW_COUNT);
  if (lambda != 0) clearSlots(lambda, rows);
  if (rows == 0) return Status.OK;
  const velocities = BODY_VELOCITIES * getInteger(table, BodyTable.BODY_COUNT);
  const sparse = addressOf(table, BodyTable.SPARSE_TABLE);
  const factor = addressOf(table, BodyTable.SPARSE_FACTOR);
  const scratch = addressOf(table, BodyTable.SPARSE_SCRATCH);
  const residual = addressOf(table, BodyTable.ROW_SCRATCH);
  const step = at(addressOf(table, BodyTable.VELOCITY_SCRATCH), velocities);
  let first = 0.0;
  for (let round = 0; round <= corrections; round++) {
    copySlots(right, residual, rows);
    addJacobianTimes(table, -1.0, x, residual);
    const status = sparseSolve(sparse, factor, residual, scratch, residual);
    if (failed(status)) return status;
    clearSlots(step, velocities);
    addBlocksTransposeTimes(table, addressOf(table, BodyTable.JACOBIAN), residual, step);
    addMassSolve(table, step, x);
    if (lambda != 0) {
      for (let i = 0; i < rows; i++) set(lambda, i, get(lambda, i) + get(residual, i));
    }
    const size = largestMagnitude(velocities, step);
    if (round == 0) first = size;
    else if (size <= CORRECTION_TOLERANCE * first) break;
  }
  return Status.OK;
}
