import { optionsOf, positive, refuseMore, type Shape } from "../../../src/base/checking/index.js";
// Test problems for stiff methods. They are ODEs, not mechanisms: for `solve` only.

import { ode, type PlainOde } from "../../../src/systems/ode/ode.js";

/** Reference solution of an ordinary differential equation. */
export interface OdeReference {
  /** Time of the state. */
  readonly time: number;
  /** The solution at that time: by Radau IIA of order 17 in 34 digits, the same at two tolerances. */
  readonly y: readonly number[];
  /** Accepted steps of SDIRK 4/15 (gamma = 4/15) up to that time, from one of 1e-6 on, by relative tolerance. */
  readonly sdirkSteps: readonly { readonly tolerance: number; readonly steps: number }[];
}

/** Options of {@link vanDerPol}. */
export interface VanDerPolOptions {
  /** Stiffness parameter; smaller is stiffer. Default: 1e-6. */
  readonly epsilon?: number;
}

const SHAPE: Shape<VanDerPolOptions> = { epsilon: positive };

/**
 * Van der Pol's oscillator in its stiff form, y' = z, epsilon z' = (1 - y^2) z - y, from (2, 0): slow changes, and jumps
 * between them (Hairer and Wanner, Solving ODEs II, section IV.10).
 *
 * @example
 * solve(vanDerPol(), { span: [0, 2], integrator: radau5() }).column("y");
 */
export function vanDerPol(options: VanDerPolOptions = {}, ...more: undefined[]): PlainOde {
  const { epsilon = 1e-6 } = optionsOf("vanDerPol", "DESCRIPTION", options, SHAPE, more);
  return ode({
    name: "Van der Pol",
    names: ["y", "z"],
    y: [2, 0],
    rate: (_t, state, out) => {
      const y = state[0] as number;
      const z = state[1] as number;
      out[0] = z;
      out[1] = ((1 - y * y) * z - y) / epsilon;
    },
    jacobian: (_t, state, out) => {
      const y = state[0] as number;
      const z = state[1] as number;
      out[1] = (-2 * y * z - 1) / epsilon;
      out[2] = 1;
      out[3] = (1 - y * y) / epsilon;
    },
  });
}

/** Reference of {@link vanDerPol} with epsilon = 1e-6; absolute tolerances equal the relative ones. */
export const vanDerPolReference: OdeReference = {
  time: 2,
  y: [1.706167732170465, -0.8928097010248165],
  sdirkSteps: [
    { tolerance: 1e-2, steps: 140 },
    { tolerance: 1e-3, steps: 198 },
    { tolerance: 1e-4, steps: 336 },
    { tolerance: 1e-5, steps: 659 },
  ],
};

/** Rate constants of the three reactions. */
const SLOW_RATE = 0.04;
const FAST = 1e4;
const VERY_FAST = 3e7;

/**
 * Robertson's autocatalytic reaction: three substances from (1, 0, 0), with rates of 0.04, 1e4 and 3e7
 * (Robertson 1966; Hairer and Wanner, Solving ODEs II, eq. IV.1.4). Their sum is constant.
 *
 * @example
 * const tolerance = { relative: 1e-4, absolute: 1e-8 };
 * console.log(solve(robertson(), { span: [0, 40], integrator: radau5(), tolerance }).end.y);
 */
export function robertson(...more: undefined[]): PlainOde {
  refuseMore("robertson", "DESCRIPTION", more);
  return ode({
    name: "Robertson",
    names: ["y1", "y2", "y3"],
    y: [1, 0, 0],
    rate: (_t, y, out) => {
      const y2 = y[1] as number;
      const first = SLOW_RATE * (y[0] as number);
      const second = FAST * y2 * (y[2] as number);
      const third = VERY_FAST * y2 * y2;
      out[0] = -first + second;
      out[1] = first - second - third;
      out[2] = third;
    },
    jacobian: (_t, y, out) => {
      const y2 = y[1] as number;
      const y3 = y[2] as number;
      out[0] = -SLOW_RATE;
      out[1] = SLOW_RATE;
      out[3] = FAST * y3;
      out[4] = -FAST * y3 - 2 * VERY_FAST * y2;
      out[5] = 2 * VERY_FAST * y2;
      out[6] = FAST * y2;
      out[7] = -FAST * y2;
    },
  });
}

/** Reference of {@link robertson}; absolute tolerances are 1e-4 times the relative ones. */
export const robertsonReference: OdeReference = {
  time: 40,
  y: [0.715827068719405, 9.185534764557764e-6, 0.28416374574583037],
  sdirkSteps: [
    { tolerance: 1e-2, steps: 21 },
    { tolerance: 1e-3, steps: 24 },
    { tolerance: 1e-4, steps: 32 },
    { tolerance: 1e-5, steps: 46 },
  ],
};
