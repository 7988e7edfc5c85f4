// Blocks that close loops: see assembly/bodies/loop-block.ts.

import type { BodyTables } from "./tables.js";

/** The loops of one mechanism. */
export function loopsIn(tables: BodyTables) {
  const memory = tables.floats;
  const { loopBlocks, loopScratch } = tables.blocks;
  const { DEPENDENT, HELD, LOOPS, PIVOT, REFERENCE } = tables.constants;

  /** Makes the diagonal block of a column definite if it closes a loop. */
  function closeLoop(column: number, m: number, mu: number, scales: number, block: number): void {
    const x = memory;
    const loop = loopBlocks + LOOPS * column;
    if (!(x[loop + DEPENDENT] >= 0)) return;
    const a = loopScratch;
    const vectors = a + m * m;
    const swept = vectors + m * m;
    const ld = (m + 1) & ~1;
    scale(m, ld, scales, block, a);
    const left = sweep(m, m - x[loop + DEPENDENT], a, swept, loop);
    if (left > 0) nullVectors(m, a, swept, vectors);
    orthonormalise(m, left, vectors);
    const e = mu * x[loop + REFERENCE];
    const ratio = x[loop + PIVOT] / (HELD * e);
    const weak = e > 0 ? e / (1 + ratio * ratio * (ratio * ratio)) : 0;
    for (let j = 0; j < m; j++) {
      for (let i = j; i < m; i++) {
        let sum = i === j ? weak : 0;
        for (let k = vectors; k < vectors + left * m; k += m) sum += x[k + i] * x[k + j];
        x[block + i + j * ld] += sum * Math.sqrt(x[scales + i] * x[scales + j]);
      }
    }
  }

  function scale(m: number, ld: number, scales: number, block: number, a: number): void {
    const x = memory;
    for (let j = 0; j < m; j++) {
      for (let i = j; i < m; i++) {
        const size = Math.sqrt(x[scales + i] * x[scales + j]);
        const value = size > 0 ? x[block + i + j * ld] / size : 0;
        x[a + i + j * m] = value;
        x[a + j + i * m] = value;
      }
    }
  }

  function sweep(m: number, count: number, a: number, swept: number, loop: number): number {
    const x = memory;
    for (let i = 0; i < m; i++) x[swept + i] = 0;
    let last = count > 0 ? 0 : 1;
    for (let round = 0; round < count; round++) {
      let j = -1;
      let pivot = 0;
      for (let i = 0; i < m; i++) {
        const value = x[a + i + i * m];
        if (x[swept + i] === 0 && value > pivot) {
          j = i;
          pivot = value;
        }
      }
      if (j < 0) {
        x[loop + PIVOT] = 0;
        return m - round;
      }
      last = pivot;
      x[swept + j] = 1;
      sweepPivot(m, j, 1 / pivot, a);
    }
    x[loop + PIVOT] = last;
    return m - count;
  }

  function sweepPivot(m: number, j: number, reciprocal: number, a: number): void {
    const x = memory;
    const column = a + j * m;
    for (let k = 0; k < m; k++) {
      if (k === j) continue;
      const factor = x[column + k] * reciprocal;
      const to = a + k * m;
      for (let i = 0; i < m; i++) if (i !== j) x[to + i] -= x[column + i] * factor;
    }
    for (let i = 0; i < m; i++) {
      const value = i === j ? -reciprocal : x[column + i] * reciprocal;
      x[column + i] = value;
      x[a + j + i * m] = value;
    }
  }

  function nullVectors(m: number, a: number, swept: number, vectors: number): void {
    const x = memory;
    let to = vectors;
    for (let r = 0; r < m; r++) {
      if (x[swept + r] !== 0) continue;
      for (let i = 0; i < m; i++) {
        x[to + i] = x[swept + i] !== 0 ? -x[a + i + r * m] : i === r ? 1 : 0;
      }
      to += m;
    }
  }

  function orthonormalise(m: number, count: number, vectors: number): void {
    const x = memory;
    const end = vectors + count * m;
    for (let v = vectors; v < end; v += m) {
      for (let round = 0; round < 2; round++) {
        for (let u = vectors; u < v; u += m) {
          const part = dot(m, u, v);
          for (let i = 0; i < m; i++) x[v + i] -= part * x[u + i];
        }
        const length = 1 / Math.sqrt(dot(m, v, v));
        for (let i = 0; i < m; i++) x[v + i] *= length;
      }
    }
  }

  function dot(m: number, u: number, v: number): number {
    const x = memory;
    let sum = 0;
    for (let i = 0; i < m; i++) sum += x[u + i] * x[v + i];
    return sum;
  }

  return { closeLoop };
}
