// Systems whose events have closed forms.

import { type Equations, equations } from "nodrift";
import { GRAVITY } from "../../support/bouncing-pendulum.js";

export { ellipticK, GRAVITY, pendulum } from "../../support/bouncing-pendulum.js";

/** A point that falls: height y, and x with constant velocity. */
export function ball(): Equations {
  return equations({
    name: "ball",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_q, _v, out) => {
      out[0] = 0;
      out[1] = -GRAVITY;
    },
    potential: (q) => GRAVITY * q[1]!,
  });
}

/** x'' = -x. */
export function oscillator(): Equations {
  return equations({
    name: "oscillator",
    coordinates: ["x"],
    mass: [1],
    forces: (q, _v, out) => {
      out[0] = -q[0]!;
    },
    potential: (q) => q[0]! ** 2 / 2,
  });
}

/** Nothing moves but x, with its velocity. */
export function drifting(): Equations {
  return equations({
    name: "drifting",
    coordinates: ["x"],
    mass: [1],
    forces: (_q, _v, out) => {
      out[0] = 0;
    },
  });
}

/** Times of events by name, or of all. */
export function timesOf(
  solution: { readonly events: readonly { readonly name: string; readonly time: number }[] },
  name?: string,
): number[] {
  return solution.events
    .filter((event) => name === undefined || event.name === name)
    .map(({ time }) => time);
}

/** Largest difference of two lists that must be equally long. */
export function farthest(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (found.length !== expected.length) return Number.POSITIVE_INFINITY;
  return Array.from(expected).reduce((most, x, i) => Math.max(most, Math.abs(x - found[i]!)), 0);
}

/** The first and the second position. */
export const x = (state: { readonly q: Float64Array }) => state.q[0] as number;
export const y = (state: { readonly q: Float64Array }) => state.q[1] as number;

export const none = () => {};

/** A floor at y = 0. */
export const floor = (restitution: number) => ({
  name: "floor",
  when: y,
  direction: "falling" as const,
  action: ({ bounce }: { bounce(restitution?: number): number }) => {
    bounce(restitution);
  },
});

/** Zeros of cos t in (0, end). */
export const cosineZeros = (end: number) =>
  Array.from({ length: 99 }, (_, k) => (k + 0.5) * Math.PI).filter((t) => t < end);
