// Systems with known motions, small enough to be solved often.

import { type Equations, equations } from "nodrift";

/** x'' = -omega^2 x from (1, 0): cos(omega t). */
export function oscillator(omega = 1): Equations {
  return equations({
    name: "oscillator",
    coordinates: ["x"],
    mass: [1],
    forces: (q, _v, out) => {
      out[0] = -(omega ** 2) * q[0];
    },
    potential: (q) => (omega ** 2 * q[0] ** 2) / 2,
  });
}

/** A mass on a line under a force that is known as a function of time. */
export function pushed(force: (t: number) => number): Equations {
  return equations({
    name: "pushed",
    coordinates: ["x"],
    mass: [1],
    forces: (_q, _v, out, t) => {
      out[0] = force(t);
    },
  });
}

/** A point on the unit circle without forces: turns with the speed it has. */
export function circle(names: readonly string[] = ["x", "y"]): Equations {
  return equations({
    name: "circle",
    coordinates: names,
    mass: [1, 1],
    forces: (_q, _v, out) => {
      out.fill(0);
    },
    potential: () => 0,
    holonomic: {
      rows: ["radius"],
      value: (q, out) => {
        out[0] = q[0] ** 2 + q[1] ** 2 - 1;
      },
      jacobian: (q, out) => {
        out.set([2 * q[0], 2 * q[1]]);
      },
      gamma: (_q, v, out) => {
        out[0] = -2 * (v[0] ** 2 + v[1] ** 2);
      },
    },
  });
}

/** The start of {@link circle} with a speed: at the angle speed times t. */
export const onCircle = (speed = 1) => ({ q: [1, 0], v: [0, speed] });

export const largest = (values: Iterable<number>): number =>
  [...values].reduce((worst, value) => Math.max(worst, Math.abs(value)), 0);

/** Largest difference between corresponding values. */
export const difference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  largest(Array.from(a, (value, i) => value - b[i]));
