// Products with the Jacobian, block by block: see assembly/bodies/jacobian.ts. Blocks are rows of
// six.

import type { BodyTables } from "./tables.js";

/** The Jacobian of one mechanism. */
export function jacobianIn(tables: BodyTables) {
  const { INCIDENCES } = tables.constants;
  const memory = tables.floats;
  const incidences = tables.blocks.incidences;
  const incidenceEnd = tables.blocks.incidences.length;

  /** to += scale J x. */
  function addJacobianTimes(scale: number, from: number, to: number): void {
    const x = memory;
    const list = incidences;
    for (let k = 0; k < incidenceEnd; k += INCIDENCES) {
      const v = from + list[k];
      const x0 = x[v];
      const x1 = x[v + 1];
      const x2 = x[v + 2];
      const x3 = x[v + 3];
      const x4 = x[v + 4];
      const x5 = x[v + 5];
      let row = list[k + 2];
      const first = to + list[k + 3];
      const last = first + list[k + 1];
      for (let i = first; i < last; i++) {
        x[i] +=
          scale *
          (x[row] * x0 +
            x[row + 1] * x1 +
            x[row + 2] * x2 +
            (x[row + 3] * x3 + x[row + 4] * x4 + x[row + 5] * x5));
        row += 6;
      }
    }
  }

  /** to += J^T lambda. */
  function addJacobianTransposeTimes(lambda: number, to: number): void {
    const x = memory;
    const list = incidences;
    for (let k = 0; k < incidenceEnd; k += INCIDENCES) {
      const v = to + list[k];
      let s0 = x[v];
      let s1 = x[v + 1];
      let s2 = x[v + 2];
      let s3 = x[v + 3];
      let s4 = x[v + 4];
      let s5 = x[v + 5];
      let row = list[k + 2];
      const first = lambda + list[k + 3];
      const last = first + list[k + 1];
      for (let i = first; i < last; i++) {
        const factor = x[i];
        s0 += x[row] * factor;
        s1 += x[row + 1] * factor;
        s2 += x[row + 2] * factor;
        s3 += x[row + 3] * factor;
        s4 += x[row + 4] * factor;
        s5 += x[row + 5] * factor;
        row += 6;
      }
      x[v] = s0;
      x[v + 1] = s1;
      x[v + 2] = s2;
      x[v + 3] = s3;
      x[v + 4] = s4;
      x[v + 5] = s5;
    }
  }

  return { addJacobianTimes, addJacobianTransposeTimes };
}
