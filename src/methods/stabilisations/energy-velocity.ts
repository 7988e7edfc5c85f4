import { flag, needed, optionsOf, type Shape } from "../../base/checking/index.js";
import type { Stabilisation } from "../../interfaces/index.js";
import { PLAIN_STABILISATION } from "../defaults.js";
import { energyControl, movingVelocities } from "./energy-error.js";
import { type Gain, gain, gainOf } from "./gain.js";

/** Options of {@link energyVelocity}. */
export interface EnergyVelocityOptions {
  /** Gain rho. */
  readonly gain: Gain;
  /** Weights with M^-1, which does not disturb velocity constraints for any masses. Default: false. */
  readonly massWeighted?: boolean;
}

const SHAPE: Shape<EnergyVelocityOptions> = { gain: needed(gain), massWeighted: flag };

/**
 * Descent of the square of the energy error psi by the velocities alone (Yoon, eqs. 17 and 23):
 *
 *   v' = a - rho d(psi^2)/dv = a - 2 rho psi M v
 *
 * Positions, and with them the constraints on positions, are not disturbed. J M v = 0 follows from
 * J v = 0 only if M is a multiple of the unit matrix; `massWeighted` takes M^-1 d(psi^2)/dv
 * instead, that is v' = a - 2 rho psi v, which leaves J v = 0 in any case. Does nothing at rest.
 * Gains depend on the scale of the system: 2 h rho |Mv|^2, or 2 h rho v.Mv if weighted, must stay
 * below the integrator's limit of stability (0.5 for ab3, 2.7 for rk4). Potential and mass must not
 * depend on time.
 *
 * @example
 * const stabilisation = [baumgarte(), energyVelocity({ gain: 5, massWeighted: true })];
 */
export function energyVelocity(given: EnergyVelocityOptions, ...more: undefined[]): Stabilisation {
  const options = optionsOf("energyVelocity", "METHOD", given, SHAPE, more);
  const { massWeighted = false } = options;
  const name = massWeighted ? "energyVelocity(massWeighted)" : "energyVelocity";
  const rho = gainOf("energyVelocity", "gain", options.gain);
  return {
    name,
    reference: `Yoon, eqs. 17 and 23${massWeighted ? ", weighted by the inverse mass" : ""}`,
    ...PLAIN_STABILISATION,
    actsOn: "rates",
    gainsFollowStep: typeof options.gain !== "number",
    needsEnergy: true,
    bind(system) {
      const { workspace, trial } = system;
      const { positions } = system.coordinates;
      const velocities = movingVelocities(system);
      let weight = 0;
      const setGains = (h: number) => {
        weight = rho(h);
      };
      return energyControl(system, setGains, (balance, rates) => {
        const a = rates + 8 * positions;
        const direction = massWeighted ? trial.v : balance.velocityGradient();
        workspace.kernels.axpy(velocities, -2 * weight * balance.error, direction, a, a);
      });
    },
  };
}
