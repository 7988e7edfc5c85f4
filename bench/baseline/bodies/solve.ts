// Solves with the factor, corrected by residuals: see assembly/sparse/block-solve.ts and
// assembly/bodies/solve.ts.

import { Status } from "nodrift/kernels";
import { BLOCK_LENGTH, COLUMN_LENGTH } from "./block-tables.js";
import { subtractBlockTimes, subtractTransposeTimes } from "./blocks.js";
import { addJacobianTimes, addJacobianTransposeTimes } from "./jacobian.js";
import { addMassSolve, massSolve } from "./mass.js";
import type { BodyTables } from "./tables.js";
import { clear, copy } from "./vectors.js";

const COLUMNS: number = COLUMN_LENGTH;
const BLOCKS: number = BLOCK_LENGTH;
const STATUS_BITS = 8;
const NON_FINITE: number = Status.NON_FINITE;

/** out = a + minnorm(right - J a) with a = M^-1 forces; lambda receives multipliers if not 0. */
export function accelerate(
  tables: BodyTables,
  corrections: number,
  forces: number,
  right: number,
  out: number,
  lambda: number,
): number {
  massSolve(tables, forces, out);
  return correct(tables, corrections, right, out, lambda);
}

/** out = start + minnorm(right); start may be 0 for zero. */
export function minnorm(
  tables: BodyTables,
  corrections: number,
  right: number,
  start: number,
  out: number,
): number {
  const x = tables.floats;
  const velocities = 6 * tables.bodies;
  const step = tables.step;
  clear(x, step, step + velocities);
  const status = correct(tables, corrections, right, step, 0);
  if (status !== 0) return status;
  if (start === 0) copy(x, velocities, step, out);
  else for (let i = 0; i < velocities; i++) x[out + i] = x[start + i] + x[step + i];
  return 0;
}

/** y += minnorm(right - J y), 1 + corrections times. */
function correct(
  tables: BodyTables,
  corrections: number,
  right: number,
  y: number,
  lambda: number,
): number {
  const x = tables.floats;
  const rows = tables.rows;
  if (lambda !== 0) clear(x, lambda, lambda + rows);
  if (rows === 0) return 0;
  const residual = tables.residual;
  const step = tables.step + 6 * tables.bodies;
  for (let round = 0; round <= corrections; round++) {
    copy(x, rows, right, residual);
    addJacobianTimes(tables, -1, y, residual);
    const status = solveFactored(tables, residual);
    if (status !== 0) return status;
    clear(x, step, step + 6 * tables.bodies);
    addJacobianTransposeTimes(tables, residual, step);
    addMassSolve(tables, step, y);
    if (lambda !== 0) for (let i = 0; i < rows; i++) x[lambda + i] += x[residual + i];
  }
  return 0;
}

/** b = S^-1 b. */
function solveFactored(tables: BodyTables, b: number): number {
  const x = tables.floats;
  const { columns, blocks } = tables.blocks;
  const end = columns.length;
  for (let k = 0; k < end; k += COLUMNS) {
    const from = b + columns[k + 1];
    const y = columns[k + 2];
    const size = columns[k];
    for (let i = 0; i < size; i++) x[y + i] = x[from + i];
  }
  for (let k = 0; k < end; k += COLUMNS) forward(x, columns, k, blocks);
  let sum = 0;
  for (let k = end - COLUMNS; k >= 0; k -= COLUMNS) sum += backward(x, columns, k, blocks);
  if (sum !== 0) return blame(tables, b);
  for (let k = 0; k < end; k += COLUMNS) {
    const to = b + columns[k + 1];
    const y = columns[k + 2];
    const size = columns[k];
    for (let i = 0; i < size; i++) x[to + i] = x[y + i];
  }
  return 0;
}

function forward(x: Float64Array, columns: Int32Array, k: number, blocks: Int32Array): void {
  const size = columns[k];
  const y = columns[k + 2];
  const diagonal = columns[k + 3];
  if (size === 3) {
    const y0 = x[y] * x[diagonal];
    const y1 = (x[y + 1] - x[diagonal + 1] * y0) * x[diagonal + 5];
    x[y] = y0;
    x[y + 1] = y1;
    x[y + 2] = (x[y + 2] - x[diagonal + 2] * y0 - x[diagonal + 6] * y1) * x[diagonal + 10];
  } else {
    const ld = (size + 1) & ~1;
    for (let i = 0; i < size; i++) {
      let value = x[y + i];
      let left = diagonal + i;
      for (let j = y; j < y + i; j++, left += ld) value -= x[left] * x[j];
      x[y + i] = value * x[left];
    }
  }
  const last = columns[k + 5];
  for (let c = columns[k + 4]; c < last; c += BLOCKS) {
    subtractBlockTimes(x, blocks[c + 1], size, blocks[c], y, blocks[c + 2]);
  }
}

/** Returns zero, or NaN when an element of the solution is not finite. */
function backward(x: Float64Array, columns: Int32Array, k: number, blocks: Int32Array): number {
  const size = columns[k];
  const y = columns[k + 2];
  const diagonal = columns[k + 3];
  const last = columns[k + 5];
  for (let c = columns[k + 4]; c < last; c += BLOCKS) {
    subtractTransposeTimes(x, blocks[c + 1], size, blocks[c], blocks[c + 2], y);
  }
  if (size === 3) {
    const y2 = x[y + 2] * x[diagonal + 10];
    const y1 = (x[y + 1] - x[diagonal + 6] * y2) * x[diagonal + 5];
    const y0 = (x[y] - x[diagonal + 1] * y1 - x[diagonal + 2] * y2) * x[diagonal];
    x[y] = y0;
    x[y + 1] = y1;
    x[y + 2] = y2;
    return y0 - y0 + (y1 - y1) + (y2 - y2);
  }
  const ld = (size + 1) & ~1;
  let sum = 0;
  for (let i = size - 1; i >= 0; i--) {
    const column = diagonal + i * ld;
    let value = x[y + i];
    for (let j = i + 1; j < size; j++) value -= x[column + j] * x[y + j];
    value *= x[column + i];
    x[y + i] = value;
    sum += value - value;
  }
  return sum;
}

/** The first bad row of b; if there is none, that of the overflowing solution. */
function blame(tables: BodyTables, b: number): number {
  const x = tables.floats;
  const columns = tables.blocks.columns;
  let cause = Infinity;
  let effect = Infinity;
  for (let k = 0; k < columns.length; k += COLUMNS) {
    for (let i = 0; i < columns[k]; i++) {
      const row = columns[k + 1] + i;
      if (!Number.isFinite(x[b + row])) cause = Math.min(cause, row);
      if (!Number.isFinite(x[columns[k + 2] + i])) effect = Math.min(effect, row);
    }
  }
  return NON_FINITE | (Math.min(cause < Infinity ? cause : effect) << STATUS_BITS);
}
