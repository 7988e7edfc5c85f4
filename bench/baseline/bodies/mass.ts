// Terms of single bodies: mass, gravity, gyroscopic torque. See assembly/bodies/mass.ts and
// assembly/forces/body.ts.

import type { BodyTables } from "./tables.js";

/** Masses of one mechanism. */
export function massIn(tables: BodyTables) {
  const { CONSERVATIVE, GYROSCOPIC } = tables.constants;
  const memory = tables.floats;
  const bodies = tables.bodies;
  const masses = tables.masses;
  const velocities = tables.velocities;
  const loads = tables.forces;
  const frames = tables.frames;

  /** to = M x. */
  function massTimes(from: number, to: number): void {
    multiply(0, 2, from, to);
  }

  /** to = M^-1 x. */
  function massSolve(from: number, to: number): void {
    multiply(1, 11, from, to);
  }

  /**
   * Product with mass and tensor or with their inverses, selected by the offsets. Tensors are symmetric.
   */
  function multiply(scalar: number, tensor: number, from: number, to: number): void {
    const x = memory;
    const end = from + 6 * bodies;
    let mass = masses;
    for (let i = from, j = to; i < end; i += 6, j += 6) {
      const m = x[mass + scalar];
      const inertia = mass + tensor;
      const b = x[inertia + 1];
      const c = x[inertia + 2];
      const e = x[inertia + 5];
      const w0 = x[i + 3];
      const w1 = x[i + 4];
      const w2 = x[i + 5];
      x[j] = m * x[i];
      x[j + 1] = m * x[i + 1];
      x[j + 2] = m * x[i + 2];
      x[j + 3] = x[inertia] * w0 + b * w1 + c * w2;
      x[j + 4] = b * w0 + x[inertia + 4] * w1 + e * w2;
      x[j + 5] = c * w0 + e * w1 + x[inertia + 8] * w2;
      mass += 23;
    }
  }

  /** to += M^-1 x. */
  function addMassSolve(from: number, to: number): void {
    const x = memory;
    const end = from + 6 * bodies;
    let mass = masses;
    for (let i = from, j = to; i < end; i += 6, j += 6) {
      const m = x[mass + 1];
      const b = x[mass + 12];
      const c = x[mass + 13];
      const e = x[mass + 16];
      const w0 = x[i + 3];
      const w1 = x[i + 4];
      const w2 = x[i + 5];
      x[j] += m * x[i];
      x[j + 1] += m * x[i + 1];
      x[j + 2] += m * x[i + 2];
      x[j + 3] += x[mass + 11] * w0 + b * w1 + c * w2;
      x[j + 4] += b * w0 + x[mass + 15] * w1 + e * w2;
      x[j + 5] += c * w0 + e * w1 + x[mass + 19] * w2;
      mass += 23;
    }
  }

  /** Gravity and gyroscopic torques, selected by `parts`. */
  function forces(parts: number): void {
    const x = memory;
    const gravity = (parts & CONSERVATIVE) !== 0;
    const gyroscopic = (parts & GYROSCOPIC) !== 0;
    let mass = masses;
    let v = velocities;
    let load = loads;
    for (let body = 0; body < bodies; body++) {
      const m = gravity ? x[mass] : 0;
      x[load] = m * x[mass + 20];
      x[load + 1] = m * x[mass + 21];
      x[load + 2] = m * x[mass + 22];
      if (gyroscopic) {
        const b = x[mass + 3];
        const c = x[mass + 4];
        const e = x[mass + 7];
        const w0 = x[v + 3];
        const w1 = x[v + 4];
        const w2 = x[v + 5];
        const h0 = x[mass + 2] * w0 + b * w1 + c * w2;
        const h1 = b * w0 + x[mass + 6] * w1 + e * w2;
        const h2 = c * w0 + e * w1 + x[mass + 10] * w2;
        x[load + 3] = h1 * w2 - h2 * w1;
        x[load + 4] = h2 * w0 - h0 * w2;
        x[load + 5] = h0 * w1 - h1 * w0;
      } else {
        x[load + 3] = 0;
        x[load + 4] = 0;
        x[load + 5] = 0;
      }
      mass += 23;
      v += 6;
      load += 6;
    }
  }

  /** -m g . r of all bodies. */
  function potential(): number {
    const x = memory;
    let sum = 0;
    for (let body = 0; body < bodies; body++) {
      const g = masses + 23 * body;
      const r = frames + 18 * body + 12;
      sum -= x[g] * (x[g + 20] * x[r] + x[g + 21] * x[r + 1] + x[g + 22] * x[r + 2]);
    }
    return sum;
  }

  return { massTimes, massSolve, addMassSolve, forces, potential };
}
