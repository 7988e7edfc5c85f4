// The system of the conformance tests: a pendulum of unit length and mass in x and y, and its angle.

import { equations, type Method, type Simulation, simulate } from "nodrift";

const GRAVITY = 9.81;

/** A pendulum; `rows` copies of its constraint, the later ones redundant. */
export function pendulum(rows = 1) {
  return equations({
    name: "pendulum",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_q, _v, out) => {
      out[0] = 0;
      out[1] = -GRAVITY;
    },
    potential: (q) => GRAVITY * q[1],
    holonomic: {
      rows,
      value: (q, out) => {
        out.fill(q[0] ** 2 + q[1] ** 2 - 1);
      },
      jacobian: (q, out) => {
        for (let i = 0; i < rows; i++) out.set([2 * q[0], 2 * q[1]], 2 * i);
      },
      gamma: (_q, v, out) => {
        out.fill(-2 * (v[0] ** 2 + v[1] ** 2));
      },
    },
  });
}

/** The same masses without a constraint: free fall. */
export function freeFall() {
  return equations({
    name: "free fall",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_q, _v, out) => {
      out[0] = 0;
      out[1] = -GRAVITY;
    },
    potential: (q) => GRAVITY * q[1],
  });
}

/** A moving initial state on the circle, away from symmetry. */
export const START = {
  q: [Math.cos(0.3), -Math.sin(0.3)],
  v: [Math.sin(0.3), Math.cos(0.3)],
} as const;

export function start(method: Method, step: number, system = pendulum()): Simulation {
  return simulate(system, { method, step, ...START });
}

/** The angle from the x axis, by a very small step: x = cos, y = sin. */
export function referencePosition(time: number): [number, number] {
  const steps = 20000;
  const h = time / steps;
  let angle = -0.3;
  let rate = 1;
  const acceleration = (theta: number) => -GRAVITY * Math.cos(theta);
  for (let i = 0; i < steps; i++) {
    const k1 = acceleration(angle);
    const k2 = acceleration(angle + (h / 2) * rate);
    const k3 = acceleration(angle + (h / 2) * (rate + (h / 2) * k1));
    const k4 = acceleration(angle + h * (rate + (h / 2) * k2));
    angle += h * (rate + (h / 6) * (k1 + k2 + k3));
    rate += (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return [Math.cos(angle), Math.sin(angle)];
}

/** Distance from the true motion after a time. */
export function positionError(simulation: Simulation, time: number): number {
  const [x, y] = referencePosition(time);
  simulation.runTo(time);
  return Math.hypot(simulation.q[0] - x, simulation.q[1] - y);
}

/** Slope of log error over log step, by least squares: single ratios are spoiled by cancellation. */
export function measuredOrder(method: Method, coarsest = 1 / 32): number {
  const levels = [0, 1, 2, 3, 4];
  const logs = levels.map((level) =>
    Math.log2(positionError(start(method, coarsest / 2 ** level), 1)),
  );
  const mean = logs.reduce((sum, value) => sum + value, 0) / levels.length;
  return -logs.reduce((sum, value, level) => sum + (value - mean) * (level - 2), 0) / 10;
}
