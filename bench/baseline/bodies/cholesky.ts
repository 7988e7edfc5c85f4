// Block sparse Cholesky in place, right-looking: see assembly/sparse/block-cholesky.ts.

import type { blocksIn } from "./blocks.js";
import type { loopsIn } from "./loop-block.js";
import type { BodyTables } from "./tables.js";

/** The factor of one mechanism. */
export function choleskyIn(
  tables: BodyTables,
  { solveBlock, solveThree, subtractProduct, subtractThree }: ReturnType<typeof blocksIn>,
  { closeLoop }: ReturnType<typeof loopsIn>,
) {
  const { BLOCKS, CODE_MASK, COLUMNS, DEFICIENT, NON_FINITE, NOT_POSITIVE, STATUS_BITS } =
    tables.constants;
  const memory = tables.floats;
  const { columns: columnList, blocks: blockList, updates: updateList, pivots } = tables.blocks;
  const columnEnd = columnList.length;

  /**
   * Factors S; the pivots hold its diagonal and receive d_j / S_jj. With mu, diagonal blocks that close loops are
   * made definite.
   */
  function factorInPlace(tolerance: number, mu?: number): number {
    const columns = columnList;
    let result = 0;
    for (let k = 0; k < columnEnd; k += COLUMNS) {
      const size = columns[k];
      const row = columns[k + 1];
      const diagonal = columns[k + 3];
      if (mu !== undefined) closeLoop(k / COLUMNS, size, mu, pivots + row, diagonal);
      const status =
        size === 3
          ? factorThree(row, tolerance, diagonal, pivots + row)
          : factorDiagonal(size, row, tolerance, diagonal, pivots + row);
      if ((status & CODE_MASK) > DEFICIENT) return status;
      if (result === 0) result = status;
      const first = columns[k + 4];
      const last = columns[k + 5];
      if (first < last) eliminate(size, diagonal, first, last, columns[k + 6]);
    }
    return result;
  }

  /** Divides the blocks of a column by its diagonal and subtracts their products from later blocks. */
  function eliminate(
    size: number,
    diagonal: number,
    first: number,
    last: number,
    update: number,
  ): void {
    const blocks = blockList;
    const updates = updateList;
    let next = update;
    for (let b = first; b < last; b += BLOCKS) {
      const values = blocks[b];
      const rows = blocks[b + 1];
      if (rows === 3 && size === 3) solveThree(diagonal, values);
      else solveBlock(rows, size, diagonal, values);
      for (let c = first; c <= b; c += BLOCKS) {
        const columns = blocks[c + 1];
        if (rows === 3 && size === 3 && columns === 3) {
          subtractThree(values, blocks[c], updates[next]);
        } else {
          subtractProduct(rows, columns, size, values, blocks[c], updates[next]);
        }
        next++;
      }
    }
  }

  /** Factors a well-conditioned 3 x 3 diagonal block; others use the general function. */
  function factorThree(firstRow: number, tolerance: number, block: number, pivots: number): number {
    const x = memory;
    const s0 = x[pivots];
    const s1 = x[pivots + 1];
    const s2 = x[pivots + 2];
    const d0 = x[block];
    const r0 = 1 / Math.sqrt(d0);
    const m10 = x[block + 1] * r0;
    const m20 = x[block + 2] * r0;
    const d1 = x[block + 5] - m10 * m10;
    const r1 = 1 / Math.sqrt(d1);
    const m21 = (x[block + 6] - m20 * m10) * r1;
    const d2 = x[block + 10] - m20 * m20 - m21 * m21;
    // Comparisons with NaN are false.
    if (!(d0 > tolerance * s0 && d1 > tolerance * s1 && d2 > tolerance * s2 && d2 < Infinity)) {
      return factorDiagonal(3, firstRow, tolerance, block, pivots);
    }
    x[block] = r0;
    x[block + 1] = m10;
    x[block + 2] = m20;
    x[block + 5] = r1;
    x[block + 6] = m21;
    x[block + 10] = 1 / Math.sqrt(d2);
    x[pivots] = d0 / s0;
    x[pivots + 1] = d1 / s1;
    x[pivots + 2] = d2 / s2;
    return 0;
  }

  /** Factors any diagonal block; dependent rows get a zero pivot and a zero reciprocal. */
  function factorDiagonal(
    size: number,
    firstRow: number,
    tolerance: number,
    block: number,
    pivots: number,
  ): number {
    const x = memory;
    const ld = (size + 1) & ~1;
    let result = 0;
    for (let j = 0; j < size; j++) {
      const column = block + j * ld;
      const scale = x[pivots + j];
      let pivot = x[column + j];
      for (let k = block + j; k < column; k += ld) pivot -= x[k] * x[k];
      if (pivot - pivot !== 0) return NON_FINITE | ((firstRow + j) << STATUS_BITS);
      if (pivot < -tolerance * scale || scale < 0) {
        return NOT_POSITIVE | ((firstRow + j) << STATUS_BITS);
      }
      let reciprocal = 0;
      if (pivot > tolerance * scale) {
        reciprocal = 1 / Math.sqrt(pivot);
        x[pivots + j] = pivot / scale;
      } else {
        x[pivots + j] = 0;
        if (result === 0) result = DEFICIENT | ((firstRow + j) << STATUS_BITS);
      }
      x[column + j] = reciprocal;
      for (let i = j + 1; i < size; i++) {
        let value = x[column + i];
        for (let k = block; k < column; k += ld) value -= x[k + i] * x[k + j];
        x[column + i] = value * reciprocal;
      }
    }
    return result;
  }

  return { factorInPlace };
}
