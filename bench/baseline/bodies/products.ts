// S = J M^-1 J^T, by pairs of blocks on a body, and its diagonal: see assembly/bodies/factor.ts
// and assembly/sparse/assemble.ts. Blocks of S are column-major, with rows padded to an even number.

import type { BodyTables } from "./tables.js";
import type { vectorsIn } from "./vectors.js";

/** S of one mechanism. */
export function productsIn(tables: BodyTables, { clear }: ReturnType<typeof vectorsIn>) {
  const { COLUMNS, PAIRS } = tables.constants;
  const memory = tables.floats;
  const { pairs, whitened, factor, factorEnd, columns: columnList, pivots } = tables.blocks;
  const pairEnd = pairs.length;
  const columnEnd = columnList.length;

  /** Writes S to the memory of the factor. */
  function formProducts(): void {
    const list = pairs;
    const w = whitened;
    clear(factor, factorEnd);
    for (let k = 0; k < pairEnd; k += PAIRS) {
      const rows = list[k + 1];
      const columns = list[k + 3];
      const mass = list[k + 4];
      if (mass >= 0) whiten(columns, mass, list[k + 2], w);
      if (rows === 3) addThreeRows(columns, list[k], w, list[k + 5]);
      else addRows(rows, columns, list[k], w, list[k + 5]);
    }
  }

  /** W = M^-1 J^T of a block, row by row. */
  function whiten(rows: number, mass: number, jacobian: number, w: number): void {
    const x = memory;
    const m = x[mass + 1];
    const a = x[mass + 11];
    const b = x[mass + 12];
    const c = x[mass + 13];
    const d = x[mass + 15];
    const e = x[mass + 16];
    const f = x[mass + 19];
    const end = jacobian + 6 * rows;
    for (let i = jacobian, j = w; i < end; i += 6, j += 6) {
      const w0 = x[i + 3];
      const w1 = x[i + 4];
      const w2 = x[i + 5];
      x[j] = m * x[i];
      x[j + 1] = m * x[i + 1];
      x[j + 2] = m * x[i + 2];
      x[j + 3] = a * w0 + b * w1 + c * w2;
      x[j + 4] = b * w0 + d * w1 + e * w2;
      x[j + 5] = c * w0 + e * w1 + f * w2;
    }
  }

  /** Block += A B^T for three rows of A, which are read once. */
  function addThreeRows(columns: number, a: number, b: number, block: number): void {
    const x = memory;
    const a0 = x[a];
    const a1 = x[a + 1];
    const a2 = x[a + 2];
    const a3 = x[a + 3];
    const a4 = x[a + 4];
    const a5 = x[a + 5];
    const b0 = x[a + 6];
    const b1 = x[a + 7];
    const b2 = x[a + 8];
    const b3 = x[a + 9];
    const b4 = x[a + 10];
    const b5 = x[a + 11];
    const c0 = x[a + 12];
    const c1 = x[a + 13];
    const c2 = x[a + 14];
    const c3 = x[a + 15];
    const c4 = x[a + 16];
    const c5 = x[a + 17];
    const end = block + 4 * columns;
    for (let column = block, w = b; column < end; column += 4, w += 6) {
      const x0 = x[w];
      const x1 = x[w + 1];
      const x2 = x[w + 2];
      const x3 = x[w + 3];
      const x4 = x[w + 4];
      const x5 = x[w + 5];
      x[column] += a0 * x0 + a1 * x1 + a2 * x2 + (a3 * x3 + a4 * x4 + a5 * x5);
      x[column + 1] += b0 * x0 + b1 * x1 + b2 * x2 + (b3 * x3 + b4 * x4 + b5 * x5);
      x[column + 2] += c0 * x0 + c1 * x1 + c2 * x2 + (c3 * x3 + c4 * x4 + c5 * x5);
    }
  }

  /** Block += A B^T for any number of rows, two of B at a time: each load of a row of A serves both. */
  function addRows(rows: number, columns: number, a: number, b: number, block: number): void {
    const x = memory;
    const ld = (rows + 1) & ~1;
    let column = block;
    let w = b;
    for (let j = 1; j < columns; j += 2, column += 2 * ld, w += 12) {
      const x0 = x[w];
      const x1 = x[w + 1];
      const x2 = x[w + 2];
      const x3 = x[w + 3];
      const x4 = x[w + 4];
      const x5 = x[w + 5];
      const y0 = x[w + 6];
      const y1 = x[w + 7];
      const y2 = x[w + 8];
      const y3 = x[w + 9];
      const y4 = x[w + 10];
      const y5 = x[w + 11];
      const last = column + rows;
      for (let i = column, row = a; i < last; i++, row += 6) {
        const a0 = x[row];
        const a1 = x[row + 1];
        const a2 = x[row + 2];
        const a3 = x[row + 3];
        const a4 = x[row + 4];
        const a5 = x[row + 5];
        x[i] += a0 * x0 + a1 * x1 + a2 * x2 + (a3 * x3 + a4 * x4 + a5 * x5);
        x[i + ld] += a0 * y0 + a1 * y1 + a2 * y2 + (a3 * y3 + a4 * y4 + a5 * y5);
      }
    }
    if ((columns & 1) === 1) addColumn(rows, a, w, column);
  }

  /** Column += A w for one row w of B. */
  function addColumn(rows: number, a: number, w: number, column: number): void {
    const x = memory;
    const x0 = x[w];
    const x1 = x[w + 1];
    const x2 = x[w + 2];
    const x3 = x[w + 3];
    const x4 = x[w + 4];
    const x5 = x[w + 5];
    const last = column + rows;
    for (let i = column, row = a; i < last; i++, row += 6) {
      x[i] +=
        x[row] * x0 +
        x[row + 1] * x1 +
        x[row + 2] * x2 +
        (x[row + 3] * x3 + x[row + 4] * x4 + x[row + 5] * x5);
    }
  }

  /** Stores the diagonal of S with the pivots, and sets S_jj = (1 + mu) S_jj. */
  function keepDiagonal(mu: number): void {
    const x = memory;
    const columns = columnList;
    for (let k = 0; k < columnEnd; k += COLUMNS) {
      const size = columns[k];
      const first = columns[k + 1];
      const step = ((size + 1) & ~1) + 1;
      let diagonal = columns[k + 3];
      for (let i = 0; i < size; i++) {
        const value = x[diagonal] * (1 + mu);
        x[diagonal] = value;
        x[pivots + first + i] = value;
        diagonal += step;
      }
    }
  }

  return { formProducts, keepDiagonal };
}
