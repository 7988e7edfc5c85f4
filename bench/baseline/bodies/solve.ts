// Solves with the factor, corrected by residuals: see assembly/sparse/block-cholesky.ts and
// assembly/bodies/factor.ts.

import type { blocksIn } from "./blocks.js";
import type { jacobianIn } from "./jacobian.js";
import type { massIn } from "./mass.js";
import type { BodyTables } from "./tables.js";
import type { vectorsIn } from "./vectors.js";

/** Kernels used by the solves. */
type Parts = ReturnType<typeof blocksIn> &
  ReturnType<typeof jacobianIn> &
  ReturnType<typeof massIn> &
  ReturnType<typeof vectorsIn>;

/** Solves with the factor of one mechanism. */
export function solveIn(tables: BodyTables, parts: Parts) {
  const { subtractBlockTimes, subtractTransposeTimes } = parts;
  const { addJacobianTimes, addJacobianTransposeTimes } = parts;
  const { massSolve, addMassSolve, copy, clear } = parts;
  const { BLOCKS, COLUMNS, NON_FINITE, STATUS_BITS } = tables.constants;
  const memory = tables.floats;
  const rows = tables.rows;
  const velocities = 6 * tables.bodies;
  const residual = tables.residual;
  const first = tables.step;
  const second = tables.step + velocities;
  const { columns: columnList, blocks: blockList } = tables.blocks;
  const columnEnd = columnList.length;

  /** out = a + minnorm(right - J a) with a = M^-1 forces; lambda receives multipliers if not 0. */
  function accelerate(
    corrections: number,
    forces: number,
    right: number,
    out: number,
    lambda: number,
  ): number {
    massSolve(forces, out);
    return correct(corrections, right, out, lambda);
  }

  /** out = start + minnorm(right); start may be 0 for zero. */
  function minnorm(corrections: number, right: number, start: number, out: number): number {
    const x = memory;
    const step = first;
    clear(step, step + velocities);
    const status = correct(corrections, right, step, 0);
    if (status !== 0) return status;
    if (start === 0) copy(velocities, step, out);
    else for (let i = 0; i < velocities; i++) x[out + i] = x[start + i] + x[step + i];
    return 0;
  }

  /** y += minnorm(right - J y), 1 + corrections times, fewer if they are below rounding. */
  function correct(corrections: number, right: number, y: number, lambda: number): number {
    const x = memory;
    if (lambda !== 0) clear(lambda, lambda + rows);
    if (rows === 0) return 0;
    let before = 0;
    for (let round = 0; round <= corrections; round++) {
      copy(rows, right, residual);
      addJacobianTimes(-1, y, residual);
      const status = solveFactored(residual);
      if (status !== 0) return status;
      clear(second, second + velocities);
      addJacobianTransposeTimes(residual, second);
      addMassSolve(second, y);
      if (lambda !== 0) for (let i = 0; i < rows; i++) x[lambda + i] += x[residual + i];
      let size = 0;
      for (let i = second; i < second + velocities; i++) size = Math.max(size, Math.abs(x[i]));
      if (round === 0) before = size;
      else if (size <= 1e-14 * before) break;
    }
    return 0;
  }

  /** b = S^-1 b. */
  function solveFactored(b: number): number {
    const x = memory;
    const columns = columnList;
    for (let k = 0; k < columnEnd; k += COLUMNS) {
      const from = b + columns[k + 1];
      const y = columns[k + 2];
      const size = columns[k];
      for (let i = 0; i < size; i++) x[y + i] = x[from + i];
    }
    for (let k = 0; k < columnEnd; k += COLUMNS) forward(k);
    let sum = 0;
    for (let k = columnEnd - COLUMNS; k >= 0; k -= COLUMNS) sum += backward(k);
    if (sum !== 0) return blame(b);
    for (let k = 0; k < columnEnd; k += COLUMNS) {
      const to = b + columns[k + 1];
      const y = columns[k + 2];
      const size = columns[k];
      for (let i = 0; i < size; i++) x[to + i] = x[y + i];
    }
    return 0;
  }

  function forward(k: number): void {
    const x = memory;
    const columns = columnList;
    const blocks = blockList;
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
      subtractBlockTimes(blocks[c + 1], size, blocks[c], y, blocks[c + 2]);
    }
  }

  /** Returns zero, or NaN when an element of the solution is not finite. */
  function backward(k: number): number {
    const x = memory;
    const columns = columnList;
    const blocks = blockList;
    const size = columns[k];
    const y = columns[k + 2];
    const diagonal = columns[k + 3];
    const last = columns[k + 5];
    for (let c = columns[k + 4]; c < last; c += BLOCKS) {
      subtractTransposeTimes(blocks[c + 1], size, blocks[c], blocks[c + 2], y);
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

  /** The first non-finite row of b, otherwise that of the overflowing solution. */
  function blame(b: number): number {
    const x = memory;
    const columns = columnList;
    let cause = Infinity;
    let effect = Infinity;
    for (let k = 0; k < columns.length; k += COLUMNS) {
      for (let i = 0; i < columns[k]; i++) {
        const row = columns[k + 1] + i;
        if (!Number.isFinite(x[b + row])) cause = Math.min(cause, row);
        if (!Number.isFinite(x[columns[k + 2] + i])) effect = Math.min(effect, row);
      }
    }
    return NON_FINITE | ((cause < Infinity ? cause : effect) << STATUS_BITS);
  }

  return { accelerate, minnorm };
}
