import { optionsOf, type Shape } from "../../base/checking/index.js";
import type { Stabilisation } from "../../interfaces/index.js";
import { NO_CORRECTION, PLAIN_STABILISATION } from "../defaults.js";
import { type Gain, gain, gainOf } from "./gain.js";

export type { Gain };

/** Options of {@link baumgarte}. */
export interface BaumgarteOptions {
  /** Half the weight of the velocity error. Default: 1 / 4h. */
  readonly alpha?: Gain;
  /** Square root of the weight of the position error. Default: 1 / 4h. */
  readonly beta?: Gain;
  /** Weight of the error of nonholonomic constraints. Default: 2 alpha. */
  readonly eta?: Gain;
}

const SHAPE: Shape<BaumgarteOptions> = { alpha: gain, beta: gain, eta: gain };

/**
 * Baumgarte: the constraints are replaced by Phi'' + 2 alpha Phi' + beta^2 Phi = 0 and Pi' + eta Pi = 0,
 * so that errors decay. The gains must suit the step: errors grow if they are too small, and the integration is
 * unstable if they are too large. The default, critical damping at a quarter of the rate that a step can resolve, is
 * stable with every integrator here. Welch et al. use 1 / h with Heun's method.
 *
 * @example
 * baumgarte({ alpha: 5, beta: 5 });          // fixed gains
 * baumgarte({ alpha: (h) => 0.5 / h });      // gains that follow the step
 */
export function baumgarte(given: BaumgarteOptions = {}, ...more: undefined[]): Stabilisation {
  const options = optionsOf("baumgarte", "METHOD", given, SHAPE, more);
  const alpha = gainOf("baumgarte", "alpha", options.alpha ?? ((h) => 0.25 / h));
  const beta = gainOf("baumgarte", "beta", options.beta ?? ((h) => 0.25 / h));
  const eta = gainOf("baumgarte", "eta", options.eta ?? ((h) => 2 * alpha(h)));
  return {
    name: "baumgarte",
    reference: "Baumgarte, CMAME 1 (1972) 1-16; Welch et al. 2007, eq. 45; Yoon, eqs. 7 and 8",
    ...PLAIN_STABILISATION,
    actsOn: "accelerations",
    gainsFollowStep: typeof options.alpha !== "number" || typeof options.beta !== "number",
    bind(system) {
      const { workspace } = system;
      const { rows, holonomicRows } = system.constraints;
      const others = rows - holonomicRows;
      const offset = 8 * holonomicRows;
      let [onVelocity, onPosition, onOthers] = [0, 0, 0];
      return {
        ...NO_CORRECTION,
        beginStep(_, h) {
          onVelocity = 2 * alpha(h);
          onPosition = beta(h) ** 2;
          onOthers = eta(h);
        },
        right: {
          correctsVelocities: false,
          write(gamma, out) {
            const { kernels } = workspace;
            const phiDot = system.constraints.phiDot();
            const phi = system.constraints.phi();
            kernels.stabilisedRight(holonomicRows, onVelocity, onPosition, gamma, phiDot, phi, out);
            if (others > 0) {
              kernels.stabilisedRight(
                others,
                onOthers,
                0,
                gamma + offset,
                phiDot + offset,
                phi + offset,
                out + offset,
              );
            }
          },
        },
      };
    },
  };
}
