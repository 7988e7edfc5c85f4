import { NodriftError } from "../../../base/errors.js";
import type { Integrator } from "../../../interfaces/index.js";
import { NO_HISTORY, PLAIN_INTEGRATOR } from "../../defaults.js";

/**
 * Semi-implicit, or symplectic, Euler (de Vogelaere 1956): velocities by the accelerations at the beginning, then positions
 * by the velocities at the end,
 *
 *   v(t + h) = v + h a(q, v, t),   q(t + h) = q + h v(t + h)
 *
 * which is how Welch et al. 2007 advance the states of first-order schemes (eqs. 14 to 17). Entries of y after the
 * velocities, like work, take an Euler step.
 */
export function semiImplicitEulerMethod(): Integrator {
  const name = "semiImplicitEuler";
  return {
    name,
    reference:
      "de Vogelaere 1956; Hairer, Lubich and Wanner, Geometric Numerical Integration, I.1.2; Welch et al. 2007, eqs. 14 to 17",
    order: 1,
    stages: 1,
    ...PLAIN_INTEGRATOR,
    needsVelocities: true,
    bind(ode, workspace) {
      const { dimension, positions, movePositions } = ode;
      if (!movePositions) throw new NodriftError("METHOD", `${name} needs q and v as unknowns`);
      const slope = workspace.vector(`${name} slope`, dimension);
      const rest = dimension - positions;
      const offset = 8 * positions;
      return {
        ...NO_HISTORY,
        attempt(t, h) {
          const { kernels } = workspace;
          kernels.copyVector(dimension, ode.y, ode.trial);
          ode.rate(t, slope);
          kernels.axpy(rest, h, slope + offset, ode.y + offset, ode.trial + offset);
          movePositions(h, slope);
        },
        accept: () => workspace.kernels.copyVector(dimension, ode.trial, ode.y),
      };
    },
  };
}
