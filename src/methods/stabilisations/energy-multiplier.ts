import { optionsOf, type Shape } from "../../ground/checking/index.js";
import type { Stabilisation } from "../../seam/index.js";
import { EnergyBalance } from "./energy-error.js";
import { type Gain, gain, gainOf } from "./gain.js";

/** Options of {@link energyMultiplier}. */
export interface EnergyMultiplierOptions {
  /** How fast the energy error dies out, psi' = -eta psi. Default: 0.4 / h. */
  readonly eta?: Gain;
}

const SHAPE: Shape<EnergyMultiplierOptions> = { eta: gain };

/**
 * The energy as one more constraint with a multiplier of its own (Yoon, eqs. 11 and 12, with psi_v
 * transposed and psi_q q' a product):
 *
 *   v' = a - M^-1 psi_v^T (psi_v M^-1 psi_v^T)^-1 [psi_v a + psi_q q' - power + eta psi]
 *
 * Since psi_v = M v this is v' = a - v [...] / v.Mv. At rest no acceleration changes the energy:
 * there it does nothing. Close to rest the correction grows like 1 / |v|; where a motion comes to
 * rest again and again, {@link energyVelocity} is the better choice. Potential and mass must not
 * depend on time.
 *
 * @example
 * const stabilisation = [baumgarte({ alpha: 6, beta: 6 }), energyMultiplier({ eta: 40 })];
 */
export function energyMultiplier(
  given: EnergyMultiplierOptions = {},
  ...more: undefined[]
): Stabilisation {
  const options = optionsOf("energyMultiplier", "METHOD", given, SHAPE, more);
  const name = "energyMultiplier";
  const eta = gainOf(name, "eta", options.eta ?? ((h) => 0.4 / h));
  return {
    name,
    reference: "Baumgarte, CMAME 1 (1972) 1-16; Yoon, eqs. 11 and 12",
    actsOn: "rates",
    oneStepOnly: false,
    needsEnergy: true,
    bind(system) {
      const balance = new EnergyBalance(system);
      const { workspace, trial } = system;
      const { positions, velocities } = system.coordinates;
      const v = trial.v;
      let weight = 0;
      return {
        integratesWork: true,
        restart: () => balance.restart(),
        beginStep(_, h) {
          weight = eta(h);
        },
        rates(_, rates) {
          const { kernels } = workspace;
          const a = rates + 8 * positions;
          balance.evaluate(rates);
          const momentum = balance.velocityGradient();
          const rate =
            kernels.dot(velocities, momentum, a) +
            kernels.dot(positions, balance.positionGradient(), rates) -
            balance.power;
          const factor = (rate + weight * balance.error) / kernels.dot(velocities, momentum, v);
          // Division by zero, or nearly so.
          if (Number.isFinite(factor)) kernels.axpy(velocities, -factor, v, a, a);
        },
      };
    },
  };
}
