// The equations of a chain for its multipliers: S is block tridiagonal with blocks of 3 x 3, eliminated from the
// fixed end on. Everything is unrolled; values passed from joint to joint stay in local variables.

import type { ChainData } from "./chain-data.js";

/**
 * S = L L^T, forwards, combined with L y = right. `factor` receives 15 values per joint: the block of L below its
 * diagonal block, row-major (9), then the diagonal block: l10, l20, l21 and reciprocals of its diagonal.
 */
export function factorChain(data: ChainData): void {
  const { n, turning: c, inverseMass, inverseMoments, factor, right } = data;
  // Contribution of the previous body to the diagonal block, and the adjacent block of L.
  let s00 = 0;
  let s10 = 0;
  let s11 = 0;
  let s20 = 0;
  let s21 = 0;
  let s22 = 0;
  let y0 = 0;
  let y1 = 0;
  let y2 = 0;
  for (let i = 0; i < n; i++) {
    const at = 3 * i;
    const k = 24 * i;
    const f = 15 * i;
    const m = inverseMass[i];
    const i0 = inverseMoments[at];
    const i1 = inverseMoments[at + 1];
    const i2 = inverseMoments[at + 2];
    const a00 = c[k];
    const a01 = c[k + 1];
    const a02 = c[k + 2];
    const a10 = c[k + 3];
    const a11 = c[k + 4];
    const a12 = c[k + 5];
    const a20 = c[k + 6];
    const a21 = c[k + 7];
    const a22 = c[k + 8];
    const w00 = i0 * a00;
    const w01 = i1 * a01;
    const w02 = i2 * a02;
    const w10 = i0 * a10;
    const w11 = i1 * a11;
    const w12 = i2 * a12;
    const w20 = i0 * a20;
    const w21 = i1 * a21;
    const w22 = i2 * a22;
    s00 += m + w00 * a00 + w01 * a01 + w02 * a02;
    s10 += w10 * a00 + w11 * a01 + w12 * a02;
    s11 += m + w10 * a10 + w11 * a11 + w12 * a12;
    s20 += w20 * a00 + w21 * a01 + w22 * a02;
    s21 += w20 * a10 + w21 * a11 + w22 * a12;
    s22 += m + w20 * a20 + w21 * a21 + w22 * a22;
    const d0 = 1 / Math.sqrt(s00);
    const l10 = s10 * d0;
    const l20 = s20 * d0;
    const d1 = 1 / Math.sqrt(s11 - l10 * l10);
    const l21 = (s21 - l20 * l10) * d1;
    const d2 = 1 / Math.sqrt(s22 - l20 * l20 - l21 * l21);
    y0 = (right[at] - y0) * d0;
    y1 = (right[at + 1] - y1 - l10 * y0) * d1;
    y2 = (right[at + 2] - y2 - l20 * y0 - l21 * y1) * d2;
    right[at] = y0;
    right[at + 1] = y1;
    right[at + 2] = y2;
    factor[f + 9] = l10;
    factor[f + 10] = l20;
    factor[f + 11] = l21;
    factor[f + 12] = d0;
    factor[f + 13] = d1;
    factor[f + 14] = d2;
    // The block below, B = -(1/m + C2 I^-1 C1^T) L^-T, row by row.
    const b00 = c[k + 12];
    const b01 = c[k + 13];
    const b02 = c[k + 14];
    const b10 = c[k + 15];
    const b11 = c[k + 16];
    const b12 = c[k + 17];
    const b20 = c[k + 18];
    const b21 = c[k + 19];
    const b22 = c[k + 20];
    const o00 = -(m + b00 * w00 + b01 * w01 + b02 * w02) * d0;
    const o01 = -(b00 * w10 + b01 * w11 + b02 * w12 + o00 * l10) * d1;
    const o02 = -(b00 * w20 + b01 * w21 + b02 * w22 + o00 * l20 + o01 * l21) * d2;
    const o10 = -(b10 * w00 + b11 * w01 + b12 * w02) * d0;
    const o11 = -(m + b10 * w10 + b11 * w11 + b12 * w12 + o10 * l10) * d1;
    const o12 = -(b10 * w20 + b11 * w21 + b12 * w22 + o10 * l20 + o11 * l21) * d2;
    const o20 = -(b20 * w00 + b21 * w01 + b22 * w02) * d0;
    const o21 = -(b20 * w10 + b21 * w11 + b22 * w12 + o20 * l10) * d1;
    const o22 = -(m + b20 * w20 + b21 * w21 + b22 * w22 + o20 * l20 + o21 * l21) * d2;
    factor[f] = o00;
    factor[f + 1] = o01;
    factor[f + 2] = o02;
    factor[f + 3] = o10;
    factor[f + 4] = o11;
    factor[f + 5] = o12;
    factor[f + 6] = o20;
    factor[f + 7] = o21;
    factor[f + 8] = o22;
    const t0 = o00 * y0 + o01 * y1 + o02 * y2;
    const t1 = o10 * y0 + o11 * y1 + o12 * y2;
    const t2 = o20 * y0 + o21 * y1 + o22 * y2;
    y0 = t0;
    y1 = t1;
    y2 = t2;
    const u00 = i0 * b00;
    const u01 = i1 * b01;
    const u02 = i2 * b02;
    const u10 = i0 * b10;
    const u11 = i1 * b11;
    const u12 = i2 * b12;
    const u20 = i0 * b20;
    const u21 = i1 * b21;
    const u22 = i2 * b22;
    s00 = m + u00 * b00 + u01 * b01 + u02 * b02;
    s00 -= o00 * o00 + o01 * o01 + o02 * o02;
    s10 = u10 * b00 + u11 * b01 + u12 * b02;
    s10 -= o10 * o00 + o11 * o01 + o12 * o02;
    s11 = m + u10 * b10 + u11 * b11 + u12 * b12;
    s11 -= o10 * o10 + o11 * o11 + o12 * o12;
    s20 = u20 * b00 + u21 * b01 + u22 * b02;
    s20 -= o20 * o00 + o21 * o01 + o22 * o02;
    s21 = u20 * b10 + u21 * b11 + u22 * b12;
    s21 -= o20 * o10 + o21 * o11 + o22 * o12;
    s22 = m + u20 * b20 + u21 * b21 + u22 * b22;
    s22 -= o20 * o20 + o21 * o21 + o22 * o22;
  }
}

/** L^T lambda = y, backwards, combined with the accelerations M^-1 (Q + J^T lambda). */
export function solveChain(data: ChainData, a: Float64Array): void {
  const { n, turning: c, free, right, factor, inverseMass, inverseMoments } = data;
  const [g0, g1, g2] = data.gravity;
  // The multipliers of the next joint.
  let x0 = 0;
  let x1 = 0;
  let x2 = 0;
  for (let i = n - 1; i >= 0; i--) {
    const at = 3 * i;
    const at6 = 6 * i;
    const k = 24 * i;
    const f = 15 * i;
    const y0 = right[at] - factor[f] * x0 - factor[f + 3] * x1 - factor[f + 6] * x2;
    const y1 = right[at + 1] - factor[f + 1] * x0 - factor[f + 4] * x1 - factor[f + 7] * x2;
    const y2 = right[at + 2] - factor[f + 2] * x0 - factor[f + 5] * x1 - factor[f + 8] * x2;
    const z2 = y2 * factor[f + 14];
    const z1 = (y1 - factor[f + 11] * z2) * factor[f + 13];
    const z0 = (y0 - factor[f + 9] * z1 - factor[f + 10] * z2) * factor[f + 12];
    const m = inverseMass[i];
    a[at6] = g0 + m * (z0 - x0);
    a[at6 + 1] = g1 + m * (z1 - x1);
    a[at6 + 2] = g2 + m * (z2 - x2);
    const t0 = c[k] * z0 + c[k + 3] * z1 + c[k + 6] * z2;
    const t1 = c[k + 1] * z0 + c[k + 4] * z1 + c[k + 7] * z2;
    const t2 = c[k + 2] * z0 + c[k + 5] * z1 + c[k + 8] * z2;
    const u0 = c[k + 12] * x0 + c[k + 15] * x1 + c[k + 18] * x2;
    const u1 = c[k + 13] * x0 + c[k + 16] * x1 + c[k + 19] * x2;
    const u2 = c[k + 14] * x0 + c[k + 17] * x1 + c[k + 20] * x2;
    a[at6 + 3] = free[at] + inverseMoments[at] * (t0 - u0);
    a[at6 + 4] = free[at + 1] + inverseMoments[at + 1] * (t1 - u1);
    a[at6 + 5] = free[at + 2] + inverseMoments[at + 2] * (t2 - u2);
    x0 = z0;
    x1 = z1;
    x2 = z2;
  }
}
