import { needed, optionsOf, type Shape } from "../../ground/checking/index.js";
import type { Stabilisation } from "../../seam/index.js";
import { EnergyBalance } from "./energy-balance.js";
import { type Gain, gain, gainOf } from "./gain.js";

export interface EnergyDescentOptions {
  /** Gain rho_q on the rates of the positions. */
  readonly position: Gain;
  /** Gain rho_v on the rates of the velocities. */
  readonly velocity: Gain;
}

const SHAPE: Shape<EnergyDescentOptions> = { position: needed(gain), velocity: needed(gain) };

/**
 * Steepest descent of the square of the energy error psi (Yoon, eqs. 13 and 22):
 *
 *   q' = v - rho_q d(psi^2)/dq,   v' = a - rho_v d(psi^2)/dv
 *
 * Moving the positions disturbs the constraints: {@link energyVelocity} does not. Gains depend on
 * the scale of the system: 2 h rho_v |Mv|^2 must stay below the integrator's limit of stability.
 * Potential and mass must not depend on time.
 *
 * @example
 * const stabilisation = [baumgarte(), energyDescent({ position: 5, velocity: 5 })];
 */
export function energyDescent(given: EnergyDescentOptions, ...more: undefined[]): Stabilisation {
  const { position, velocity } = optionsOf("energyDescent", "METHOD", given, SHAPE, more);
  const name = "energyDescent";
  const onPosition = gainOf(name, "position", position);
  const onVelocity = gainOf(name, "velocity", velocity);
  return {
    name,
    reference: "Yoon, eqs. 13 and 22",
    acts: "rates",
    oneStepOnly: false,
    needsEnergy: true,
    bind(system) {
      const balance = new EnergyBalance(system);
      const { workspace } = system;
      const { positions, velocities } = system.coordinates;
      let [positionGain, velocityGain] = [0, 0];
      return {
        countsWork: true,
        restart: () => balance.restart(),
        begin(_, h) {
          positionGain = onPosition(h);
          velocityGain = onVelocity(h);
        },
        rates(_, rates) {
          const { kernels } = workspace;
          const a = rates + 8 * positions;
          balance.evaluate(rates);
          const twice = -2 * balance.error;
          const gradient = balance.positionGradient();
          kernels.axpy(positions, twice * positionGain, gradient, rates, rates);
          kernels.axpy(velocities, twice * velocityGain, balance.velocityGradient(), a, a);
        },
      };
    },
  };
}
