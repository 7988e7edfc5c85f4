// Rotations of a chain. Euler parameters, scalar first, follow e' = G(w) e with w in the body's axes; because
// G^2 = -|w|^2 / 4, every rule is s e + t h G e with two scalars.

import type { ChainData } from "./chain-data.js";

export enum Turn {
  /** (1 - h G)^-1, normalised. */
  IMPLICIT = 0,
  /** (1 - h G / 2)^-1 (1 + h G / 2). */
  CAYLEY = 1,
  EXPONENTIAL = 2,
}

/** Below this value three terms of a series reach the last bit. */
const SERIES_BELOW = 1 / 4096;

/** out = q advanced by the velocities v over the time h. out may be q. */
export function turnBodies(
  n: number,
  h: number,
  q: Float64Array,
  v: Float64Array,
  out: Float64Array,
  rule: Turn,
): void {
  const half = h / 2;
  for (let i = 0; i < n; i++) {
    const at = 7 * i;
    const from = 6 * i;
    const a1 = half * v[from + 3];
    const a2 = half * v[from + 4];
    const a3 = half * v[from + 5];
    const x = a1 * a1 + a2 * a2 + a3 * a3;
    let s = 1;
    let t = 1;
    if (rule === Turn.CAYLEY) s = 1 - 0.25 * x;
    else if (rule === Turn.EXPONENTIAL) {
      s = cosineOfRoot(x);
      t = sincOfRoot(x);
    }
    const e0 = q[at + 3];
    const e1 = q[at + 4];
    const e2 = q[at + 5];
    const e3 = q[at + 6];
    const x0 = s * e0 - t * (a1 * e1 + a2 * e2 + a3 * e3);
    const x1 = s * e1 + t * (a1 * e0 + (a3 * e2 - a2 * e3));
    const x2 = s * e2 + t * (a2 * e0 + (a1 * e3 - a3 * e1));
    const x3 = s * e3 + t * (a3 * e0 + (a2 * e1 - a1 * e2));
    // The divisors of the first two rules are removed by the normalisation.
    const scale = 1 / Math.sqrt(x0 * x0 + x1 * x1 + (x2 * x2 + x3 * x3));
    out[at] = q[at] + h * v[from];
    out[at + 1] = q[at + 1] + h * v[from + 1];
    out[at + 2] = q[at + 2] + h * v[from + 2];
    out[at + 3] = scale * x0;
    out[at + 4] = scale * x1;
    out[at + 5] = scale * x2;
    out[at + 6] = scale * x3;
  }
}

function cosineOfRoot(x: number): number {
  if (x < SERIES_BELOW) return 1 - (x / 2) * (1 - (x / 12) * (1 - x / 30));
  return Math.cos(Math.sqrt(x));
}

function sincOfRoot(x: number): number {
  if (x < SERIES_BELOW) return 1 - (x / 6) * (1 - (x / 20) * (1 - x / 42));
  const angle = Math.sqrt(x);
  return Math.sin(angle) / angle;
}

/** C and R s of both arms of each body. */
export function turnArms({ n, arms, turning: c }: ChainData, q: Float64Array): void {
  for (let i = 0; i < n; i++) {
    const e0 = q[7 * i + 3];
    const e1 = q[7 * i + 4];
    const e2 = q[7 * i + 5];
    const e3 = q[7 * i + 6];
    const d0 = e0 + e0;
    const d1 = e1 + e1;
    const d2 = e2 + e2;
    const d3 = e3 + e3;
    const r00 = 1 - (d2 * e2 + d3 * e3);
    const r10 = d1 * e2 + d0 * e3;
    const r20 = d1 * e3 - d0 * e2;
    const r01 = d1 * e2 - d0 * e3;
    const r11 = 1 - (d1 * e1 + d3 * e3);
    const r21 = d2 * e3 + d0 * e1;
    const r02 = d1 * e3 + d0 * e2;
    const r12 = d2 * e3 - d0 * e1;
    const r22 = 1 - (d1 * e1 + d2 * e2);
    for (let at = 6 * i; at < 6 * i + 6; at += 3) {
      const k = 4 * at;
      const s0 = arms[at];
      const s1 = arms[at + 1];
      const s2 = arms[at + 2];
      c[k] = s1 * r02 - s2 * r01;
      c[k + 1] = s2 * r00 - s0 * r02;
      c[k + 2] = s0 * r01 - s1 * r00;
      c[k + 3] = s1 * r12 - s2 * r11;
      c[k + 4] = s2 * r10 - s0 * r12;
      c[k + 5] = s0 * r11 - s1 * r10;
      c[k + 6] = s1 * r22 - s2 * r21;
      c[k + 7] = s2 * r20 - s0 * r22;
      c[k + 8] = s0 * r21 - s1 * r20;
      c[k + 9] = r00 * s0 + r01 * s1 + r02 * s2;
      c[k + 10] = r10 * s0 + r11 * s1 + r12 * s2;
      c[k + 11] = r20 * s0 + r21 * s1 + r22 * s2;
    }
  }
}
