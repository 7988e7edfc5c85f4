// From coordinates to frames of bodies and markers, as assembly/kinematics/frames.ts does it.
// Records follow layout-bodies.ts; offsets are literals, which engines optimise best.

import type { BodyTables } from "./tables.js";

/** Frames of the bodies and markers of one mechanism. */
export function kinematicsIn(tables: BodyTables) {
  const { MARKERS, NON_FINITE, SINGULAR, STATUS_BITS } = tables.constants;
  const memory = tables.floats;
  const bodies = tables.bodies;
  const positions = tables.positions;
  const velocities = tables.velocities;
  const frames = tables.frames;
  const markerList = tables.markerList;
  const markerEnd = tables.markerList.length;
  const locals = tables.locals;
  const markers = tables.markers;

  /** Frames of all bodies and markers; velocities only if `rates` is not 0. */
  function kinematics(rates: number): number {
    const status = bodyFrames(rates);
    if (status === 0) markerFrames(rates);
    return status;
  }

  function bodyFrames(rates: number): number {
    const x = memory;
    let q = positions;
    let v = velocities;
    let f = frames;
    for (let body = 0; body < bodies; body++) {
      const e0 = x[q + 3];
      const e1 = x[q + 4];
      const e2 = x[q + 5];
      const e3 = x[q + 6];
      const square = e0 * e0 + e1 * e1 + (e2 * e2 + e3 * e3);
      const scale = 2 / square;
      if (!(scale - scale === 0 && square < Infinity)) {
        return (square - square === 0 ? SINGULAR : NON_FINITE) | (body << STATUS_BITS);
      }
      const s0 = scale * e0;
      const s1 = scale * e1;
      const s2 = scale * e2;
      const s3 = scale * e3;
      const r0 = 1 - (s2 * e2 + s3 * e3);
      const r1 = s1 * e2 + s0 * e3;
      const r2 = s1 * e3 - s0 * e2;
      const r3 = s1 * e2 - s0 * e3;
      const r4 = 1 - (s1 * e1 + s3 * e3);
      const r5 = s2 * e3 + s0 * e1;
      const r6 = s1 * e3 + s0 * e2;
      const r7 = s2 * e3 - s0 * e1;
      const r8 = 1 - (s1 * e1 + s2 * e2);
      x[f] = r0;
      x[f + 1] = r1;
      x[f + 2] = r2;
      x[f + 3] = r3;
      x[f + 4] = r4;
      x[f + 5] = r5;
      x[f + 6] = r6;
      x[f + 7] = r7;
      x[f + 8] = r8;
      x[f + 12] = x[q];
      x[f + 13] = x[q + 1];
      x[f + 14] = x[q + 2];
      if (rates !== 0) {
        const w0 = x[v + 3];
        const w1 = x[v + 4];
        const w2 = x[v + 5];
        x[f + 9] = r0 * w0 + r3 * w1 + r6 * w2;
        x[f + 10] = r1 * w0 + r4 * w1 + r7 * w2;
        x[f + 11] = r2 * w0 + r5 * w1 + r8 * w2;
        x[f + 15] = x[v];
        x[f + 16] = x[v + 1];
        x[f + 17] = x[v + 2];
      }
      q += 7;
      v += 6;
      f += 18;
    }
    return 0;
  }

  function markerFrames(rates: number): void {
    const x = memory;
    const list = markerList;
    let local = locals;
    let m = markers;
    for (let entry = 0; entry < markerEnd; entry += MARKERS) {
      const f = list[entry];
      const r0 = x[f];
      const r1 = x[f + 1];
      const r2 = x[f + 2];
      const r3 = x[f + 3];
      const r4 = x[f + 4];
      const r5 = x[f + 5];
      const r6 = x[f + 6];
      const r7 = x[f + 7];
      const r8 = x[f + 8];
      const a0 = x[local];
      const a1 = x[local + 1];
      const a2 = x[local + 2];
      const s0 = r0 * a0 + r3 * a1 + r6 * a2;
      const s1 = r1 * a0 + r4 * a1 + r7 * a2;
      const s2 = r2 * a0 + r5 * a1 + r8 * a2;
      x[m] = x[f + 12] + s0;
      x[m + 1] = x[f + 13] + s1;
      x[m + 2] = x[f + 14] + s2;
      x[m + 3] = s0;
      x[m + 4] = s1;
      x[m + 5] = s2;
      if (rates !== 0) {
        const w0 = x[f + 9];
        const w1 = x[f + 10];
        const w2 = x[f + 11];
        const u0 = w1 * s2 - w2 * s1;
        const u1 = w2 * s0 - w0 * s2;
        const u2 = w0 * s1 - w1 * s0;
        x[m + 6] = x[f + 15] + u0;
        x[m + 7] = x[f + 16] + u1;
        x[m + 8] = x[f + 17] + u2;
        x[m + 9] = w1 * u2 - w2 * u1;
        x[m + 10] = w2 * u0 - w0 * u2;
        x[m + 11] = w0 * u1 - w1 * u0;
      }
      if (list[entry + 1] !== 0) {
        for (let axis = 3; axis < 12; axis += 3) {
          const b0 = x[local + axis];
          const b1 = x[local + axis + 1];
          const b2 = x[local + axis + 2];
          x[m + axis + 9] = r0 * b0 + r3 * b1 + r6 * b2;
          x[m + axis + 10] = r1 * b0 + r4 * b1 + r7 * b2;
          x[m + axis + 11] = r2 * b0 + r5 * b1 + r8 * b2;
        }
      }
      local += 12;
      m += 21;
    }
  }

  return { kinematics };
}
