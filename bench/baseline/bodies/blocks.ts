// Arithmetic on small column-major blocks with rows padded to an even number: see
// assembly/sparse/blocks.ts. The padding stays zero, since loops take two rows at a time.

/** Blocks in one memory. */
export function blocksIn(memory: Float64Array) {
  /**
   * Target (rows x columns) -= A B^T, with A rows x depth and B columns x depth. Two rows by two columns at a time:
   * four loads serve four products.
   */
  function subtractProduct(
    rows: number,
    columns: number,
    depth: number,
    a: number,
    b: number,
    target: number,
  ): void {
    const x = memory;
    const lda = (rows + 1) & ~1;
    const ldb = (columns + 1) & ~1;
    const end = a + depth * lda;
    let right = b;
    let column = target;
    for (let j = 1; j < columns; j += 2, right += 2, column += 2 * lda) {
      for (let i = 0; i < rows; i += 2) {
        const p = column + i;
        const q = p + lda;
        let s0 = x[p];
        let s1 = x[p + 1];
        let t0 = x[q];
        let t1 = x[q + 1];
        for (let l = a + i, r = right; l < end; l += lda, r += ldb) {
          const l0 = x[l];
          const l1 = x[l + 1];
          const r0 = x[r];
          const r1 = x[r + 1];
          s0 -= l0 * r0;
          s1 -= l1 * r0;
          t0 -= l0 * r1;
          t1 -= l1 * r1;
        }
        x[p] = s0;
        x[p + 1] = s1;
        x[q] = t0;
        x[q + 1] = t1;
      }
    }
    if ((columns & 1) === 0) return;
    for (let i = 0; i < rows; i += 2) {
      const p = column + i;
      let s0 = x[p];
      let s1 = x[p + 1];
      for (let l = a + i, r = right; l < end; l += lda, r += ldb) {
        const factor = x[r];
        s0 -= x[l] * factor;
        s1 -= x[l + 1] * factor;
      }
      x[p] = s0;
      x[p + 1] = s1;
    }
  }

  /** Target -= A B^T for 3 x 3 blocks, unrolled: A is read once. */
  function subtractThree(a: number, b: number, target: number): void {
    const x = memory;
    const a0 = x[a];
    const a1 = x[a + 1];
    const a2 = x[a + 2];
    const b0 = x[a + 4];
    const b1 = x[a + 5];
    const b2 = x[a + 6];
    const c0 = x[a + 8];
    const c1 = x[a + 9];
    const c2 = x[a + 10];
    const end = b + 3;
    for (let right = b, column = target; right < end; right++, column += 4) {
      const s0 = x[right];
      const s1 = x[right + 4];
      const s2 = x[right + 8];
      x[column] -= a0 * s0 + b0 * s1 + c0 * s2;
      x[column + 1] -= a1 * s0 + b1 * s1 + c1 * s2;
      x[column + 2] -= a2 * s0 + b2 * s1 + c2 * s2;
    }
  }

  /** Block (rows x size) = block L^-T; the diagonal of L holds reciprocals. */
  function solveBlock(rows: number, size: number, diagonal: number, block: number): void {
    const x = memory;
    const ld = (rows + 1) & ~1;
    const ldd = (size + 1) & ~1;
    for (let j = 0; j < size; j++) {
      const column = block + j * ld;
      const reciprocal = x[diagonal + j + j * ldd];
      for (let i = 0; i < rows; i += 2) {
        let s0 = x[column + i];
        let s1 = x[column + i + 1];
        for (let left = block + i, right = diagonal + j; left < column; left += ld, right += ldd) {
          const factor = x[right];
          s0 -= x[left] * factor;
          s1 -= x[left + 1] * factor;
        }
        x[column + i] = s0 * reciprocal;
        x[column + i + 1] = s1 * reciprocal;
      }
    }
  }

  /** Block = block L^-T for 3 x 3 blocks. */
  function solveThree(diagonal: number, block: number): void {
    const x = memory;
    const r0 = x[diagonal];
    const l10 = x[diagonal + 1];
    const l20 = x[diagonal + 2];
    const r1 = x[diagonal + 5];
    const l21 = x[diagonal + 6];
    const r2 = x[diagonal + 10];
    const end = block + 3;
    for (let i = block; i < end; i++) {
      const y0 = x[i] * r0;
      const y1 = (x[i + 4] - y0 * l10) * r1;
      x[i] = y0;
      x[i + 4] = y1;
      x[i + 8] = (x[i + 8] - y0 * l20 - y1 * l21) * r2;
    }
  }

  /** y (rows) -= block (rows x size) z. */
  function subtractBlockTimes(
    rows: number,
    size: number,
    block: number,
    z: number,
    y: number,
  ): void {
    const x = memory;
    if (rows === 3 && size === 3) {
      const z0 = x[z];
      const z1 = x[z + 1];
      const z2 = x[z + 2];
      x[y] -= x[block] * z0 + x[block + 4] * z1 + x[block + 8] * z2;
      x[y + 1] -= x[block + 1] * z0 + x[block + 5] * z1 + x[block + 9] * z2;
      x[y + 2] -= x[block + 2] * z0 + x[block + 6] * z1 + x[block + 10] * z2;
      return;
    }
    const ld = (rows + 1) & ~1;
    const end = z + size;
    for (let i = 0; i < rows; i += 2) {
      let s0 = x[y + i];
      let s1 = x[y + i + 1];
      for (let k = z, left = block + i; k < end; k++, left += ld) {
        const factor = x[k];
        s0 -= x[left] * factor;
        s1 -= x[left + 1] * factor;
      }
      x[y + i] = s0;
      x[y + i + 1] = s1;
    }
  }

  /** y (size) -= block^T z, with block rows x size. */
  function subtractTransposeTimes(
    rows: number,
    size: number,
    block: number,
    z: number,
    y: number,
  ): void {
    const x = memory;
    if (rows === 3 && size === 3) {
      const z0 = x[z];
      const z1 = x[z + 1];
      const z2 = x[z + 2];
      x[y] -= x[block] * z0 + x[block + 1] * z1 + x[block + 2] * z2;
      x[y + 1] -= x[block + 4] * z0 + x[block + 5] * z1 + x[block + 6] * z2;
      x[y + 2] -= x[block + 8] * z0 + x[block + 9] * z1 + x[block + 10] * z2;
      return;
    }
    const ld = (rows + 1) & ~1;
    const end = z + rows;
    let column = block;
    let k = y;
    for (const last = y + size - 1; k < last; k += 2, column += 2 * ld) {
      let s0 = x[k];
      let s1 = x[k + 1];
      for (let i = z, left = column; i < end; i++, left++) {
        const factor = x[i];
        s0 -= x[left] * factor;
        s1 -= x[left + ld] * factor;
      }
      x[k] = s0;
      x[k + 1] = s1;
    }
    if ((size & 1) === 0) return;
    let sum = x[k];
    for (let i = z, left = column; i < end; i++, left++) sum -= x[left] * x[i];
    x[k] = sum;
  }

  return {
    subtractProduct,
    subtractThree,
    solveBlock,
    solveThree,
    subtractBlockTimes,
    subtractTransposeTimes,
  };
}
