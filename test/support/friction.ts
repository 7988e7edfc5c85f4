// Dry friction in closed form: a block on an incline, and a bead on a vertical circle that slides in one direction.

import { type Equations, equations } from "nodrift";

const G = 9.81;

/** Friction, and the slope of the incline: tan(0.5) is larger. */
const MU = 0.3;
const SLOPE = 0.5;

/** A unit vector up the incline; the block starts upwards and keeps moving for a long time. */
const [COS, SIN] = [Math.cos(SLOPE), Math.sin(SLOPE)];
const SPEED = 8;

/** Equations and an initial state. */
export interface Sliding {
  readonly equations: Equations;
  readonly q: readonly number[];
  readonly v: readonly number[];
}

/** A block of mass 2 that slides up an incline in x and y, with a row 3 times as long as a unit normal. */
export function block(): Sliding {
  return {
    equations: equations({
      name: "block",
      coordinates: ["x", "y"],
      mass: [2, 2],
      forces: (_q, _v, out) => {
        out[0] = 0;
        out[1] = -2 * G;
      },
      holonomic: {
        rows: ["incline"],
        value: ([x, y], out) => {
          out[0] = 3 * (COS * (y as number) - SIN * (x as number));
        },
      },
      nonIdeal: {
        // The normal force is |J^T lambda|.
        force: (_q, v, [lambda], out) => {
          const friction = (-MU * 3 * Math.abs(lambda as number)) / Math.hypot(...v);
          out[0] = friction * (v[0] as number);
          out[1] = friction * (v[1] as number);
        },
      },
    }),
    q: [0, 0],
    v: [SPEED * COS, SPEED * SIN],
  };
}

/** Position of the block while it moves up: a = -g (sin + mu cos). */
export function blockPosition(t: number): [x: number, y: number] {
  const way = SPEED * t - (G * (SIN + MU * COS) * t * t) / 2;
  return [way * COS, way * SIN];
}

/** Speed of the bead at its start, at the bottom of a unit circle. It stops beyond an angle of 1.6, after 0.3 s. */
const BEAD = 7;

/** A bead on a unit circle in x and y, which starts at the bottom: the circle holds it while v^2 + g cos(angle) > 0. */
export function bead(): Sliding {
  return {
    equations: equations({
      name: "bead",
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: (_q, _v, out) => {
        out[0] = 0;
        out[1] = -G;
      },
      potential: ([, y]) => G * (y as number),
      holonomic: {
        rows: ["circle"],
        value: ([x, y], out) => {
          out[0] = ((x as number) ** 2 + (y as number) ** 2 - 1) / 2;
        },
        jacobian: ([x, y], out) => {
          out[0] = x as number;
          out[1] = y as number;
        },
        gamma: (_q, [vx, vy], out) => {
          out[0] = -((vx as number) ** 2 + (vy as number) ** 2);
        },
      },
      nonIdeal: {
        force: ([x, y], [vx, vy], [lambda], out) => {
          const normal = Math.abs(lambda as number) * Math.hypot(x as number, y as number);
          const friction = (-MU * normal) / Math.hypot(vx as number, vy as number);
          out[0] = friction * (vx as number);
          out[1] = friction * (vy as number);
        },
      },
    }),
    q: [0, -1],
    v: [BEAD, 0],
  };
}

/**
 * Its speed at an angle from the bottom. With u = v^2 and the normal force u + g cos, du/d(angle) = -2 g sin - 2 mu (u + g
 * cos) is linear: u = A exp(-2 mu angle) + a sin + b cos.
 */
export function beadSpeed(angle: number): number {
  const whole = 1 + 4 * MU * MU;
  const [a, b] = [(-6 * MU * G) / whole, (G * (2 - 4 * MU * MU)) / whole];
  const start = BEAD * BEAD - b;
  return Math.sqrt(start * Math.exp(-2 * MU * angle) + a * Math.sin(angle) + b * Math.cos(angle));
}
