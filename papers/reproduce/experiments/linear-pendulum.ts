// How Welch et al. 2007 examine stability: the double pendulum linearised about its hanging
// equilibrium.

import {
  baumgarteHeunMap,
  spectralRadius,
  stabilityLimit,
  welchMap,
} from "../../../src/analysis/index.js";
import type { CoupledMethod } from "../../../src/index.js";
import { welchDoublePendulum, welchDoublePendulumEquilibrium } from "../../mechanisms/index.js";

/** The linearised double pendulum: eq. 69 with its signs put right. */
export const linearPendulum = {
  mass: [1, 1, 25 / 12, 1, 1, 25 / 12],
  jacobian: [
    [1, 0, -2.5, 0, 0, 0],
    [0, 1, 0, 0, 0, 0],
    [-1, 0, -2.5, 1, 0, -2.5],
    [0, -1, 0, 0, 1, 0],
  ],
} as const;

/**
 * The faster frequency of the hanging double pendulum: for two equal rods
 * s^2 - 6 s + 27/7 = 0 with s = omega^2 L / g.
 */
export const fasterFrequency = Math.sqrt((3 + 6 / Math.sqrt(7)) * (10 / 5));

/**
 * Spectral radii of the linearised double pendulum over steps from 1e-4 to 10 s: of X (eq. 61), and of Lambda (eq. 64) with
 * alpha = beta = 1 / step.
 */
export function spectralRadii() {
  return [1e-4, 1e-3, 0.01, 0.0664, 0.1, 1, 10].map((step) => {
    const gains = { alpha: 1 / step, beta: 1 / step };
    return {
      step,
      welch: spectralRadius(12, welchMap({ ...linearPendulum, step })),
      baumgarte: spectralRadius(12, baumgarteHeunMap({ ...linearPendulum, step, ...gains })),
    };
  });
}

/** The longest step with which the hanging double pendulum stays where it is. */
export function longestStableStep(coupled: CoupledMethod): number {
  return stabilityLimit(welchDoublePendulum.equations, {
    method: { coupled },
    q: welchDoublePendulumEquilibrium,
    stable: 0.05,
    unstable: 1,
  });
}
