// Integration of positions: see assembly/bodies/motion.ts and assembly/rotation/update.ts.

import type { BodyTables } from "./tables.js";

/** Motion of one mechanism. */
export function motionIn(tables: BodyTables) {
  const { CAYLEY, IMPLICIT, NON_FINITE, SINGULAR, STATUS_BITS } = tables.constants;
  /** Below this square of an angle three terms of a series reach the last bit. */
  const SERIES_BELOW = 1 / 4096;
  /** If x is closer to one than this, 1 / sqrt(x) is 3/2 - x/2 to the last bit. */
  const UNIT_TOLERANCE = 1e-8;
  const memory = tables.floats;
  const bodies = tables.bodies;
  const trial = tables.positions;

  /** to = rate of the trial positions when the velocity is v + scale correction. */
  function positionRate(velocity: number, scale: number, correction: number, out: number): void {
    const x = memory;
    const end = velocity + 6 * bodies;
    let q = trial;
    let c = correction;
    let to = out;
    for (let v = velocity; v < end; v += 6) {
      const a1 = 0.5 * (x[v + 3] + scale * x[c + 3]);
      const a2 = 0.5 * (x[v + 4] + scale * x[c + 4]);
      const a3 = 0.5 * (x[v + 5] + scale * x[c + 5]);
      const e0 = x[q + 3];
      const e1 = x[q + 4];
      const e2 = x[q + 5];
      const e3 = x[q + 6];
      x[to] = x[v] + scale * x[c];
      x[to + 1] = x[v + 1] + scale * x[c + 1];
      x[to + 2] = x[v + 2] + scale * x[c + 2];
      x[to + 3] = -(a1 * e1 + a2 * e2 + a3 * e3);
      x[to + 4] = a1 * e0 + (a3 * e2 - a2 * e3);
      x[to + 5] = a2 * e0 + (a1 * e3 - a3 * e1);
      x[to + 6] = a3 * e0 + (a2 * e1 - a1 * e2);
      q += 7;
      c += 6;
      to += 7;
    }
  }

  /** Moves positions by scale times a displacement; Euler parameters are rotated by the rule. */
  function displace(positions: number, scale: number, displacement: number, turn: number): number {
    const x = memory;
    const half = 0.5 * scale;
    let q = positions;
    let d = displacement;
    for (let body = 0; body < bodies; body++) {
      const a1 = half * x[d + 3];
      const a2 = half * x[d + 4];
      const a3 = half * x[d + 5];
      const square = a1 * a1 + a2 * a2 + a3 * a3;
      let s = 0;
      let t = 0;
      if (turn === IMPLICIT) {
        s = t = 1 / (1 + square);
      } else if (turn === CAYLEY) {
        t = 1 / (1 + 0.25 * square);
        s = (1 - 0.25 * square) * t;
      } else if (square < SERIES_BELOW) {
        s = 1 - (square / 2) * (1 - (square / 12) * (1 - square / 30));
        t = 1 - (square / 6) * (1 - (square / 20) * (1 - square / 42));
      } else {
        const angle = Math.sqrt(square);
        s = Math.cos(angle);
        t = Math.sin(angle) / angle;
      }
      const e0 = x[q + 3];
      const e1 = x[q + 4];
      const e2 = x[q + 5];
      const e3 = x[q + 6];
      const y0 = s * e0 - t * (a1 * e1 + a2 * e2 + a3 * e3);
      const y1 = s * e1 + t * (a1 * e0 + (a3 * e2 - a2 * e3));
      const y2 = s * e2 + t * (a2 * e0 + (a1 * e3 - a3 * e1));
      const y3 = s * e3 + t * (a3 * e0 + (a2 * e1 - a1 * e2));
      const sum = square + (y0 + y1 + y2 + y3);
      if (sum - sum !== 0) return NON_FINITE | (body << STATUS_BITS);
      x[q] += scale * x[d];
      x[q + 1] += scale * x[d + 1];
      x[q + 2] += scale * x[d + 2];
      x[q + 3] = y0;
      x[q + 4] = y1;
      x[q + 5] = y2;
      x[q + 6] = y3;
      q += 7;
      d += 6;
    }
    return 0;
  }

  /** Normalises the Euler parameters at q. */
  function normalise(positions: number): number {
    const x = memory;
    let q = positions;
    for (let body = 0; body < bodies; body++) {
      const e0 = x[q + 3];
      const e1 = x[q + 4];
      const e2 = x[q + 5];
      const e3 = x[q + 6];
      const square = e0 * e0 + e1 * e1 + (e2 * e2 + e3 * e3);
      let scale = 1.5 - 0.5 * square;
      if (!(Math.abs(square - 1) < UNIT_TOLERANCE)) {
        if (!(square > 0 && square < Infinity)) {
          return (square === 0 ? SINGULAR : NON_FINITE) | (body << STATUS_BITS);
        }
        scale = 1 / Math.sqrt(square);
      }
      x[q + 3] = scale * e0;
      x[q + 4] = scale * e1;
      x[q + 5] = scale * e2;
      x[q + 6] = scale * e3;
      q += 7;
    }
    return 0;
  }

  /** The largest angular velocity at v. */
  function angularRate(velocity: number): number {
    const x = memory;
    const end = velocity + 6 * bodies;
    let largest = 0;
    for (let v = velocity; v < end; v += 6) {
      const w0 = x[v + 3];
      const w1 = x[v + 4];
      const w2 = x[v + 5];
      largest = Math.max(largest, w0 * w0 + w1 * w1 + w2 * w2);
    }
    return Math.sqrt(largest);
  }

  /** Largest difference in a component of the velocities of the centres of mass. */
  function speedRange(velocity: number): number {
    const x = memory;
    const end = velocity + 6 * bodies;
    let range = 0;
    for (let i = 0; i < 3; i++) {
      let low = Infinity;
      let high = -Infinity;
      for (let v = velocity + i; v < end; v += 6) {
        const speed = x[v];
        low = Math.min(low, speed);
        high = Math.max(high, speed);
      }
      range = Math.max(range, high - low);
    }
    return range;
  }

  return { positionRate, displace, normalise, angularRate, speedRange };
}
