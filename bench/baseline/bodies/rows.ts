// phi, Jacobian, phiDot and gamma of all rows: one loop and one switch, as in assembly/constraints,
// where the formulas are derived.

import type { BodyTables } from "./tables.js";

/** Rows of one mechanism. */
export function rowsIn(tables: BodyTables) {
  const { COINCIDE, DOT1, ENTRIES, JACOBIAN, PHI, RATE, RATES, SECOND, VALUE } = tables.constants;
  const memory = tables.floats;
  const entries = tables.entryList;
  const entryEnd = tables.entryList.length;
  const phis = tables.phi;
  const phiDots = tables.phiDot;
  const gammas = tables.gamma;

  /** Computes the quantities selected by the bits of `want`, for all rows. */
  function rows(want: number): void {
    const list = entries;
    for (let entry = 0; entry < entryEnd; entry += ENTRIES) {
      const kind = list[entry];
      const row = list[entry + 1];
      const phi = phis + row;
      const phiDot = phiDots + row;
      const gamma = gammas + row;
      if (kind === COINCIDE) coincide(entry, want, phi, phiDot, gamma);
      else if (kind === DOT1) dot1(entry, want, phi, phiDot, gamma);
      else dot2(entry, want, phi, phiDot, gamma);
    }
  }

  /** phi = p_B - p_A, along the axes of the world. */
  function coincide(entry: number, want: number, phi: number, phiDot: number, gamma: number): void {
    const x = memory;
    const list = entries;
    const a = list[entry + 2];
    const b = list[entry + 3];
    if ((want & PHI) !== 0) {
      x[phi] = x[b] - x[a];
      x[phi + 1] = x[b + 1] - x[a + 1];
      x[phi + 2] = x[b + 2] - x[a + 2];
    }
    if ((want & JACOBIAN) !== 0) {
      setPointRows(-1, list[entry + 4], list[entry + 6], list[entry + 10]);
      setPointRows(1, list[entry + 5], list[entry + 7], list[entry + 11]);
    }
    if ((want & RATES) !== 0) {
      x[phiDot] = x[b + 6] - x[a + 6];
      x[phiDot + 1] = x[b + 7] - x[a + 7];
      x[phiDot + 2] = x[b + 8] - x[a + 8];
      x[gamma] = x[a + 9] - x[b + 9];
      x[gamma + 1] = x[a + 10] - x[b + 10];
      x[gamma + 2] = x[a + 11] - x[b + 11];
    }
  }

  /** Three rows: sign [I, s' x (rows of R)]. */
  function setPointRows(sign: number, f: number, arm: number, row: number): void {
    const x = memory;
    const s0 = sign * x[arm];
    const s1 = sign * x[arm + 1];
    const s2 = sign * x[arm + 2];
    const r0 = x[f];
    const r1 = x[f + 1];
    const r2 = x[f + 2];
    const r3 = x[f + 3];
    const r4 = x[f + 4];
    const r5 = x[f + 5];
    const r6 = x[f + 6];
    const r7 = x[f + 7];
    const r8 = x[f + 8];
    x[row] = sign;
    x[row + 1] = 0;
    x[row + 2] = 0;
    x[row + 3] = s1 * r6 - s2 * r3;
    x[row + 4] = s2 * r0 - s0 * r6;
    x[row + 5] = s0 * r3 - s1 * r0;
    x[row + 6] = 0;
    x[row + 7] = sign;
    x[row + 8] = 0;
    x[row + 9] = s1 * r7 - s2 * r4;
    x[row + 10] = s2 * r1 - s0 * r7;
    x[row + 11] = s0 * r4 - s1 * r1;
    x[row + 12] = 0;
    x[row + 13] = 0;
    x[row + 14] = sign;
    x[row + 15] = s1 * r8 - s2 * r5;
    x[row + 16] = s2 * r2 - s0 * r8;
    x[row + 17] = s0 * r5 - s1 * r2;
  }

  /** phi = a . b */
  function dot1(entry: number, want: number, phi: number, phiDot: number, gamma: number): void {
    const x = memory;
    const list = entries;
    const axisA = list[entry + 8];
    const axisB = list[entry + 9];
    const a0 = x[axisA];
    const a1 = x[axisA + 1];
    const a2 = x[axisA + 2];
    const b0 = x[axisB];
    const b1 = x[axisB + 1];
    const b2 = x[axisB + 2];
    const value = a0 * b0 + a1 * b1 + a2 * b2;
    if ((want & PHI) !== 0) x[phi] = value;
    if ((want & (JACOBIAN | RATES)) === 0) return;
    const m0 = a1 * b2 - a2 * b1;
    const m1 = a2 * b0 - a0 * b2;
    const m2 = a0 * b1 - a1 * b0;
    const f = list[entry + 4];
    const g = list[entry + 5];
    if ((want & JACOBIAN) !== 0) {
      setRow(list[entry + 10], f, 0, 0, 0, m0, m1, m2);
      setRow(list[entry + 11], g, 0, 0, 0, -m0, -m1, -m2);
    }
    if ((want & RATES) !== 0) {
      const v0 = x[f + 9];
      const v1 = x[f + 10];
      const v2 = x[f + 11];
      const w0 = x[g + 9];
      const w1 = x[g + 10];
      const w2 = x[g + 11];
      const u0 = v0 - w0;
      const u1 = v1 - w1;
      const u2 = v2 - w2;
      x[phiDot] = u0 * m0 + u1 * m1 + u2 * m2;
      x[gamma] =
        (u0 * b0 + u1 * b1 + u2 * b2) * (w0 * a0 + w1 * a1 + w2 * a2) -
        (u0 * a0 + u1 * a1 + u2 * a2) * (v0 * b0 + v1 * b1 + v2 * b2) +
        (u0 * u0 + u1 * u1 + u2 * u2) * value;
    }
  }

  /** phi = a . (p_B - p_A) - f(t) */
  function dot2(entry: number, want: number, phi: number, phiDot: number, gamma: number): void {
    const x = memory;
    const list = entries;
    const a = list[entry + 2];
    const b = list[entry + 3];
    const axis = list[entry + 8];
    const data = list[entry + 12];
    const a0 = x[axis];
    const a1 = x[axis + 1];
    const a2 = x[axis + 2];
    const d0 = x[b] - x[a];
    const d1 = x[b + 1] - x[a + 1];
    const d2 = x[b + 2] - x[a + 2];
    const value = a0 * d0 + a1 * d1 + a2 * d2;
    if ((want & PHI) !== 0) x[phi] = value - x[data + VALUE];
    if ((want & (JACOBIAN | RATES)) === 0) return;
    const f = list[entry + 4];
    if ((want & JACOBIAN) !== 0) {
      const s0 = x[a + 3] + d0;
      const s1 = x[a + 4] + d1;
      const s2 = x[a + 5] + d2;
      const t0 = x[b + 3];
      const t1 = x[b + 4];
      const t2 = x[b + 5];
      const m0 = a1 * s2 - a2 * s1;
      const m1 = a2 * s0 - a0 * s2;
      const m2 = a0 * s1 - a1 * s0;
      const n0 = t1 * a2 - t2 * a1;
      const n1 = t2 * a0 - t0 * a2;
      const n2 = t0 * a1 - t1 * a0;
      setRow(list[entry + 10], f, -a0, -a1, -a2, m0, m1, m2);
      setRow(list[entry + 11], list[entry + 5], a0, a1, a2, n0, n1, n2);
    }
    if ((want & RATES) !== 0) {
      const w0 = x[f + 9];
      const w1 = x[f + 10];
      const w2 = x[f + 11];
      const v0 = x[b + 6] - x[a + 6];
      const v1 = x[b + 7] - x[a + 7];
      const v2 = x[b + 8] - x[a + 8];
      const turned = w0 * (a1 * d2 - a2 * d1) + w1 * (a2 * d0 - a0 * d2) + w2 * (a0 * d1 - a1 * d0);
      const moved = w0 * (a1 * v2 - a2 * v1) + w1 * (a2 * v0 - a0 * v2) + w2 * (a0 * v1 - a1 * v0);
      const turning =
        (w0 * a0 + w1 * a1 + w2 * a2) * (w0 * d0 + w1 * d1 + w2 * d2) -
        (w0 * w0 + w1 * w1 + w2 * w2) * value;
      const drift =
        a0 * (x[b + 9] - x[a + 9]) + a1 * (x[b + 10] - x[a + 10]) + a2 * (x[b + 11] - x[a + 11]);
      x[phiDot] = turned + a0 * v0 + a1 * v1 + a2 * v2 - x[data + RATE];
      x[gamma] = x[data + SECOND] - (turning + 2 * moved + drift);
    }
  }

  /** A row of one body: linear n, angular R^T m. */
  function setRow(
    row: number,
    f: number,
    n0: number,
    n1: number,
    n2: number,
    m0: number,
    m1: number,
    m2: number,
  ): void {
    const x = memory;
    x[row] = n0;
    x[row + 1] = n1;
    x[row + 2] = n2;
    x[row + 3] = x[f] * m0 + x[f + 1] * m1 + x[f + 2] * m2;
    x[row + 4] = x[f + 3] * m0 + x[f + 4] * m1 + x[f + 5] * m2;
    x[row + 5] = x[f + 6] * m0 + x[f + 7] * m1 + x[f + 8] * m2;
  }

  return { rows, setRow };
}
