import { needed, optionsOf, type Shape } from "../../base/checking/index.js";
import type { Stabilisation } from "../../interfaces/index.js";
import { PLAIN_STABILISATION } from "../defaults.js";
import { energyControl, movingVelocities } from "./energy-error.js";
import { type Gain, gain, gainOf } from "./gain.js";

/** Options of {@link energyDescent}. */
export interface EnergyDescentOptions {
  /** Gain rho_q on the rates of the positions. */
  readonly positionGain: Gain;
  /** Gain rho_v on the rates of the velocities. */
  readonly velocityGain: Gain;
}

const SHAPE: Shape<EnergyDescentOptions> = {
  positionGain: needed(gain),
  velocityGain: needed(gain),
};

/**
 * Steepest descent of the square of the energy error psi (Yoon, eqs. 13 and 22):
 *
 *   q' = v - rho_q d(psi^2)/dq,   v' = a - rho_v d(psi^2)/dv
 *
 * The change of positions disturbs the constraints; {@link energyVelocity} avoids that. Gains depend on
 * the scale of the system: 2 h rho_v |Mv|^2 must stay below the integrator's limit of stability.
 * Potential and mass must not depend on time.
 *
 * @example
 * const stabilisation = [baumgarte(), energyDescent({ positionGain: 5, velocityGain: 5 })];
 */
export function energyDescent(given: EnergyDescentOptions, ...more: undefined[]): Stabilisation {
  const { positionGain: position, velocityGain: velocity } = optionsOf(
    "energyDescent",
    "METHOD",
    given,
    SHAPE,
    more,
  );
  const name = "energyDescent";
  const onPosition = gainOf(name, "position", position);
  const onVelocity = gainOf(name, "velocity", velocity);
  return {
    name,
    reference: "Yoon, eqs. 13 and 22",
    ...PLAIN_STABILISATION,
    actsOn: "rates",
    gainsFollowStep: typeof position !== "number" || typeof velocity !== "number",
    needsEnergy: true,
    bind(system) {
      const { workspace } = system;
      const { positions } = system.coordinates;
      const velocities = movingVelocities(system);
      let [positionGain, velocityGain] = [0, 0];
      const setGains = (h: number) => {
        positionGain = onPosition(h);
        velocityGain = onVelocity(h);
      };
      return energyControl(system, setGains, (balance, rates) => {
        const { kernels } = workspace;
        const a = rates + 8 * positions;
        const twice = -2 * balance.error;
        const gradient = balance.positionGradient();
        kernels.axpy(positions, twice * positionGain, gradient, rates, rates);
        kernels.axpy(velocities, twice * velocityGain, balance.velocityGradient(), a, a);
      });
    },
  };
}
