// Slider-cranks whose partition has to change during the run, and a formulation that records the changes.

import { type Equations, equations, type Formulation } from "nodrift";
import { model, rod } from "nodrift/bodies";
import { type Run, type StateSpaceOptions, stateSpace } from "nodrift/solve";
import type { SavedRun } from "../../support/saved-runs.js";

const GRAVITY = 9.81;

/** {@link stateSpace}, and the times at which its unknowns became others. */
export function watchedStateSpace(options: StateSpaceOptions = {}) {
  const plain = stateSpace(options);
  const times: number[] = [];
  const formulation: Formulation = {
    ...plain,
    bind(system, stabilisation) {
      const bound = plain.bind(system, stabilisation);
      return {
        ...bound,
        beginStep(t, h) {
          const changed = bound.beginStep?.(t, h);
          if (changed) times.push(t);
          return changed;
        },
      };
    },
  };
  return { formulation, times };
}

/**
 * A slider-crank by points: the pin at (x, y) on the unit circle, the slider on the x axis, a rod of length 2. Neither
 * x nor y nor the slider determines the others all along.
 */
export const pins: Equations = equations({
  name: "slider-crank by points",
  coordinates: ["x", "y", "slide"],
  mass: [1, 1, 2],
  forces: (_q, _v, out) => {
    out.set([0, -GRAVITY, 0]);
  },
  potential: (q) => GRAVITY * q[1],
  holonomic: {
    rows: ["crank", "rod"],
    value: ([x, y, slide], out) => {
      out[0] = x ** 2 + y ** 2 - 1;
      out[1] = (slide - x) ** 2 + y ** 2 - 4;
    },
    jacobian: ([x, y, slide], out) => {
      out.set([2 * x, 2 * y, 0, 2 * (x - slide), 2 * y, 2 * (slide - x)]);
    },
    gamma: (_q, [u, w, s], out) => {
      out[0] = -2 * (u ** 2 + w ** 2);
      out[1] = -2 * ((s - u) ** 2 + w ** 2);
    },
  },
});

/** Fast enough for full turns. */
export const TURNING = { q: [1, 0, 3], v: [0, 8, 0] } as const;

/** A slider-crank in positions and angles of its bars: a crank of length 1, a rod of length 3. */
export const bars: Equations = equations({
  name: "slider-crank by bars",
  coordinates: ["x1", "y1", "theta", "x2", "y2", "phi", "slide"],
  mass: [1, 1, 1 / 12, 2, 2, 1.5, 3],
  forces: (_q, _v, out) => {
    out.set([0, -GRAVITY, 0, 0, -2 * GRAVITY, 0, 0]);
  },
  holonomic: {
    rows: ["bearing x", "bearing y", "pin x", "pin y", "end x", "end y"],
    value: ([x1, y1, theta, x2, y2, phi, slide], out) => {
      const [c, s] = [1.5 * Math.cos(phi), 1.5 * Math.sin(phi)];
      out[0] = x1 - Math.cos(theta) / 2;
      out[1] = y1 - Math.sin(theta) / 2;
      out[2] = Math.cos(theta) - x2 + c;
      out[3] = Math.sin(theta) - y2 + s;
      out[4] = x2 + c - slide;
      out[5] = y2 + s;
    },
    jacobian: ([, , theta, , , phi], out) => {
      const [ct, st] = [Math.cos(theta), Math.sin(theta)];
      const [c, s] = [1.5 * Math.cos(phi), 1.5 * Math.sin(phi)];
      out.set([1, 0, st / 2, 0, 0, 0, 0, 0, 1, -ct / 2, 0, 0, 0, 0]);
      out.set([0, 0, -st, -1, 0, -s, 0, 0, 0, ct, 0, -1, c, 0], 14);
      out.set([0, 0, 0, 1, 0, -s, -1, 0, 0, 0, 0, 1, c, 0], 28);
    },
    gamma: ([, , theta, , , phi], [, , omega, , , rate], out) => {
      const [ct, st] = [Math.cos(theta) * omega ** 2, Math.sin(theta) * omega ** 2];
      const [c, s] = [1.5 * Math.cos(phi) * rate ** 2, 1.5 * Math.sin(phi) * rate ** 2];
      out.set([-ct / 2, -st / 2, ct + c, st + s, c, s]);
    },
  },
});

/** With the crank at an angle, turning. */
export function barsAt(theta: number, omega: number) {
  const phi = -Math.asin(Math.sin(theta) / 3);
  const rate = (-Math.cos(theta) * omega) / (3 * Math.cos(phi));
  const [c, s] = [Math.cos(theta), Math.sin(theta)];
  const [cr, sr] = [1.5 * Math.cos(phi), 1.5 * Math.sin(phi)];
  return {
    q: [c / 2, s / 2, theta, c + cr, s + sr, phi, c + 2 * cr],
    v: [
      ...[(-s * omega) / 2, (c * omega) / 2, omega],
      ...[-s * omega - sr * rate, c * omega + cr * rate, rate, -s * omega - 2 * sr * rate],
    ],
  };
}

/** The slider-crank as rigid bodies in space: Euler parameters change their roles when a bar rotates. */
export function spatialCrank() {
  const m = model({ name: "slider-crank", gravity: [0, -GRAVITY, 0] });
  const axis = [0, 0, 1] as const;
  const shape = (length: number) => rod({ length, axis: [1, 0, 0] });
  const crank = m.body({
    name: "crank",
    mass: 1,
    shape: shape(1),
    position: [0.5, 0, 0],
    velocity: [0, 4, 0],
    angularVelocity: [0, 0, 8],
  });
  const bar = m.body({
    name: "rod",
    mass: 2,
    shape: shape(3),
    position: [2.5, 0, 0],
    velocity: [0, 4, 0],
    angularVelocity: [0, 0, -8 / 3],
  });
  const slider = m.body({ name: "slider", mass: 3, inertia: [1, 1, 1], position: [4, 0, 0] });
  m.revolute({ name: "bearing", between: [m.ground, crank], at: [0, 0, 0], axis });
  m.revolute({ name: "pin", between: [crank, bar], at: [1, 0, 0], axis });
  m.revolute({ name: "end", between: [bar, slider], at: [4, 0, 0], axis });
  m.prismatic({ name: "slide", between: [m.ground, slider], axis: [1, 0, 0] });
  return m;
}

/** A run for comparisons of saved and continued ones. */
export const savedAs = (name: string, begin: () => unknown): SavedRun => ({
  name,
  begin: begin as () => Run,
});
