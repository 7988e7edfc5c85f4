// Right-hand sides of a chain's equations for the multipliers: differences between the ends of neighbours. Needs the
// rotated arms.

import type { ChainData } from "./chain-data.js";

/** right = -Phi / h^2 - Phi' / h - J a, with a the accelerations of the free bodies. */
export function predictorRight(data: ChainData, q: Float64Array, v: Float64Array, h: number): void {
  const { n, turning: c, free, right } = data;
  freeTurning(data, v);
  const onVelocity = 1 / h;
  const onPosition = onVelocity * onVelocity;
  const [g0, g1, g2] = data.gravity;
  // End of the previous body: its position, and velocity / h + acceleration.
  let p0 = 0;
  let p1 = 0;
  let p2 = 0;
  let x0 = 0;
  let x1 = 0;
  let x2 = 0;
  for (let i = 0; i < n; i++) {
    const at3 = 3 * i;
    const at6 = 6 * i;
    const at7 = 7 * i;
    const k = 24 * i;
    const t0 = onVelocity * v[at6 + 3] + free[at3];
    const t1 = onVelocity * v[at6 + 4] + free[at3 + 1];
    const t2 = onVelocity * v[at6 + 5] + free[at3 + 2];
    const y0 = onVelocity * v[at6] + g0;
    const y1 = onVelocity * v[at6 + 1] + g1;
    const y2 = onVelocity * v[at6 + 2] + g2;
    const z0 = y0 + c[k] * t0 + c[k + 1] * t1 + c[k + 2] * t2;
    const z1 = y1 + c[k + 3] * t0 + c[k + 4] * t1 + c[k + 5] * t2;
    const z2 = y2 + c[k + 6] * t0 + c[k + 7] * t1 + c[k + 8] * t2;
    right[at3] = x0 - z0 - onPosition * (q[at7] + c[k + 9] - p0);
    right[at3 + 1] = x1 - z1 - onPosition * (q[at7 + 1] + c[k + 10] - p1);
    right[at3 + 2] = x2 - z2 - onPosition * (q[at7 + 2] + c[k + 11] - p2);
    x0 = y0 + c[k + 12] * t0 + c[k + 13] * t1 + c[k + 14] * t2;
    x1 = y1 + c[k + 15] * t0 + c[k + 16] * t1 + c[k + 17] * t2;
    x2 = y2 + c[k + 18] * t0 + c[k + 19] * t1 + c[k + 20] * t2;
    p0 = q[at7] + c[k + 21];
    p1 = q[at7 + 1] + c[k + 22];
    p2 = q[at7 + 2] + c[k + 23];
  }
}

/** right = 2 J a^p - 2 Phi(q^p) / h^2 - J a, with a the accelerations of the free bodies. */
export function correctorRight(
  data: ChainData,
  v: Float64Array,
  predicted: Float64Array,
  phi: Float64Array,
  h: number,
): void {
  const { n, turning: c, free, right } = data;
  freeTurning(data, v);
  const onPosition = 2 / (h * h);
  const [g0, g1, g2] = data.gravity;
  let x0 = 0;
  let x1 = 0;
  let x2 = 0;
  for (let i = 0; i < n; i++) {
    const at3 = 3 * i;
    const at6 = 6 * i;
    const k = 24 * i;
    const t0 = 2 * predicted[at6 + 3] - free[at3];
    const t1 = 2 * predicted[at6 + 4] - free[at3 + 1];
    const t2 = 2 * predicted[at6 + 5] - free[at3 + 2];
    const y0 = 2 * predicted[at6] - g0;
    const y1 = 2 * predicted[at6 + 1] - g1;
    const y2 = 2 * predicted[at6 + 2] - g2;
    const z0 = y0 + c[k] * t0 + c[k + 1] * t1 + c[k + 2] * t2;
    const z1 = y1 + c[k + 3] * t0 + c[k + 4] * t1 + c[k + 5] * t2;
    const z2 = y2 + c[k + 6] * t0 + c[k + 7] * t1 + c[k + 8] * t2;
    right[at3] = z0 - x0 - onPosition * phi[at3];
    right[at3 + 1] = z1 - x1 - onPosition * phi[at3 + 1];
    right[at3 + 2] = z2 - x2 - onPosition * phi[at3 + 2];
    x0 = y0 + c[k + 12] * t0 + c[k + 13] * t1 + c[k + 14] * t2;
    x1 = y1 + c[k + 15] * t0 + c[k + 16] * t1 + c[k + 17] * t2;
    x2 = y2 + c[k + 18] * t0 + c[k + 19] * t1 + c[k + 20] * t2;
  }
}

/** Phi: the gaps of the joints. */
export function openings({ n, turning: c }: ChainData, q: Float64Array, phi: Float64Array): void {
  let p0 = 0;
  let p1 = 0;
  let p2 = 0;
  for (let i = 0; i < n; i++) {
    const at3 = 3 * i;
    const at7 = 7 * i;
    const k = 24 * i;
    phi[at3] = q[at7] + c[k + 9] - p0;
    phi[at3 + 1] = q[at7 + 1] + c[k + 10] - p1;
    phi[at3 + 2] = q[at7 + 2] + c[k + 11] - p2;
    p0 = q[at7] + c[k + 21];
    p1 = q[at7 + 1] + c[k + 22];
    p2 = q[at7 + 2] + c[k + 23];
  }
}

/** Euler's equations without torques: w' = I^-1 ((I w) x w). */
function freeTurning(data: ChainData, v: Float64Array): void {
  const { n, free, moments, inverseMoments } = data;
  for (let i = 0; i < n; i++) {
    const at = 3 * i;
    const w0 = v[6 * i + 3];
    const w1 = v[6 * i + 4];
    const w2 = v[6 * i + 5];
    const l0 = moments[at] * w0;
    const l1 = moments[at + 1] * w1;
    const l2 = moments[at + 2] * w2;
    free[at] = inverseMoments[at] * (l1 * w2 - l2 * w1);
    free[at + 1] = inverseMoments[at + 1] * (l2 * w0 - l0 * w2);
    free[at + 2] = inverseMoments[at + 2] * (l0 * w1 - l1 * w0);
  }
}
