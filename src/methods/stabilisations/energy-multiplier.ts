import { flag, optionsOf, type Shape } from "../../base/checking/index.js";
import type { Address } from "../../base/memory/arena.js";
import type { Stabilisation, System } from "../../interfaces/index.js";
import { PLAIN_STABILISATION } from "../defaults.js";
import { energyControl, movingVelocities } from "./energy-error.js";
import { type Gain, gain, gainOf } from "./gain.js";

/** Options of {@link energyMultiplier}. */
export interface EnergyMultiplierOptions {
  /** Decay rate of the energy error, psi' = -eta psi. Default: 0.4 / h. */
  readonly eta?: Gain;
  /**
   * True solves for this multiplier together with those of the constraints (eq. 10), false after them (eq. 12). With
   * false the constraints are disturbed if v is not in their null space, as with moving constraints. Default: false.
   */
  readonly together?: boolean;
}

const SHAPE: Shape<EnergyMultiplierOptions> = { eta: gain, together: flag };

/**
 * The energy as one more constraint with a multiplier of its own (Yoon, eqs. 11 and 12, with psi_v
 * transposed and psi_q q' a product):
 *
 *   v' = a - M^-1 psi_v^T (psi_v M^-1 psi_v^T)^-1 [psi_v a + psi_q q' - power + eta psi]
 *
 * Since psi_v = M v this is v' = a - v [...] / v.Mv. With `together` the equations of motion (10) and J a = right, psi_v a
 * = ... are solved together: eliminating the constraints leaves of v in M^-1 psi_v^T only the free part u = v -
 * minnorm(J v), so v' = a - u [...] / v.Mu, and J v' = J a. At rest no acceleration changes the energy, and the
 * method does nothing. Close to rest the correction grows like 1 / |v|. If a motion comes to rest repeatedly, use
 * {@link energyVelocity}: with `bdf` and a gain of 40 no step is short enough there, and the run ends with
 * `stepUnderflow`. Potential and mass must not depend on time.
 *
 * @example
 * const stabilisation = [baumgarte({ alpha: 6, beta: 6 }), energyMultiplier({ eta: 40 })];
 */
export function energyMultiplier(
  given: EnergyMultiplierOptions = {},
  ...more: undefined[]
): Stabilisation {
  const options = optionsOf("energyMultiplier", "METHOD", given, SHAPE, more);
  const { together = false } = options;
  const eta = gainOf("energyMultiplier", "eta", options.eta ?? ((h) => 0.4 / h));
  return {
    name: together ? "energyMultiplier(together)" : "energyMultiplier",
    reference: `Baumgarte, CMAME 1 (1972) 1-16; Yoon, eqs. ${together ? "10 and 11" : "11 and 12"}`,
    ...PLAIN_STABILISATION,
    actsOn: "rates",
    gainsFollowStep: typeof options.eta !== "number",
    needsEnergy: true,
    bind(system) {
      const { workspace, trial } = system;
      const { positions } = system.coordinates;
      const velocities = movingVelocities(system);
      const direction = together ? bindFree(system) : () => trial.v;
      let weight = 0;
      const setGains = (h: number) => {
        weight = eta(h);
      };
      return energyControl(system, setGains, (balance, rates) => {
        const { kernels } = workspace;
        const a = rates + 8 * positions;
        const momentum = balance.velocityGradient();
        const rate =
          kernels.dot(velocities, momentum, a) +
          kernels.dot(positions, balance.positionGradient(), rates) -
          balance.power;
        const along = direction();
        const power = kernels.dot(velocities, momentum, along);
        const factor = (rate + weight * balance.error) / power;
        // Skips divisions by zero, exact or nearly.
        if (Number.isFinite(factor)) kernels.axpy(velocities, -factor, along, a, a);
      });
    },
  };
}

/** Returns the free part of the trial velocity, v - minnorm(J v). */
function bindFree(system: System): () => Address {
  const { workspace, trial, constraints } = system;
  const { velocities } = system.coordinates;
  const held = workspace.vector("velocities of the rows", constraints.rows);
  const free = workspace.vector("velocity that is free", velocities);
  const solver = system.dynamics.solver("auto");
  return () => {
    constraints.jacobianTimes(trial.v, held);
    solver.minnorm(1, held, free);
    workspace.kernels.axpy(velocities, -1, free, trial.v, free);
    return free;
  };
}
