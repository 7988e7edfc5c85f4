// Differential equations with known solutions, and steps that look random.

import type { BoundOde, Rate } from "./bound-ode.js";

/** y = (sin t, cos t) from (0, 1). */
export const oscillator: Rate = (_, y, out) => {
  out[0] = y[1];
  out[1] = -y[0];
};

/** Two bodies in their plane: positions, then velocities. */
export const twoBody: Rate = (_, y, out) => {
  const cubed = Math.hypot(y[0], y[1]) ** 3;
  out.set([y[2], y[3], -y[0] / cubed, -y[1] / cubed]);
};

/** Start of the two-body problem at the pericentre. */
export const pericentre = (e: number) => [1 - e, 0, 0, Math.sqrt((1 + e) / (1 - e))];

/** Distance from the orbit of Kepler at a time: E - e sin E = t. */
export function orbitError({ y }: BoundOde, e: number, t: number): number {
  let angle = t;
  for (let i = 0; i < 50; i++) {
    angle -= (angle - e * Math.sin(angle) - t) / (1 - e * Math.cos(angle));
  }
  return Math.hypot(y[0] - Math.cos(angle) + e, y[1] - Math.sqrt(1 - e * e) * Math.sin(angle));
}

/** Numbers between 0 and 1 that only look random. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}
