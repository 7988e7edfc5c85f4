import { flag, optionsOf, type Shape } from "../../base/checking/index.js";
import type { Stabilisation } from "../../interfaces/index.js";
import { NO_CORRECTION, PLAIN_STABILISATION } from "../defaults.js";

/** Options of {@link driftElimination}. */
export interface DriftEliminationOptions {
  /**
   * Holds Phi and Phi' of the step's beginning; false evaluates them at every stage. False is for comparison only:
   * the constraint error is then O(h^2) and the motion loses its order. Default: true.
   */
  readonly frozen?: boolean;
  /**
   * Corrects positions too; false corrects velocities alone (Braun and Goldfarb, eq. 12). That saves one of two
   * right-hand sides, but errors of positions accumulate. Default: true.
   */
  readonly positions?: boolean;
}

const SHAPE: Shape<DriftEliminationOptions> = { frozen: flag, positions: flag };

/**
 * Braun and Goldfarb (16): the constraint error at the beginning of a step is removed during the step. With Phi_n and
 * Phi'_n frozen at its beginning,
 *
 *   q' = v + minnorm(-Phi'(q, v) - Phi_n / h)
 *   v' = a + minnorm(gamma - J a - Phi'_n / h)
 *
 * and everything else evaluated at each stage, the constraint error is O(h^(p+1)) for a method of order p
 * and does not grow. No parameters to tune. Without the correction of positions, q' = v (eq. 12), velocities satisfy
 * the constraints equally well, and positions drift at most in proportion to time.
 *
 * @example
 * const method = { formulation: udwadiaKalaba(), stabilisation: driftElimination(), integrator: rk4() };
 */
export function driftElimination(
  options: DriftEliminationOptions = {},
  ...more: undefined[]
): Stabilisation {
  const read = optionsOf("driftElimination", "METHOD", options, SHAPE, more);
  const { frozen = true, positions = true } = read;
  const words = [...(positions ? [] : ["velocities"]), ...(frozen ? [] : ["not frozen"])];
  return {
    name: words.length === 0 ? "driftElimination" : `driftElimination(${words.join(", ")})`,
    reference: `Braun and Goldfarb, CMAME 198 (2009) 3151-3160, eq. ${positions ? 16 : 12}`,
    ...PLAIN_STABILISATION,
    actsOn: "accelerations",
    oneStepOnly: true,
    bind(system) {
      const { workspace } = system;
      const { rows } = system.constraints;
      const phi = workspace.vector("frozen phi", rows);
      const phiDot = workspace.vector("frozen phi dot", rows);
      let inverse = 0;
      let fresh = false;

      function beginStep(_: number, h: number): void {
        inverse = 1 / h;
        fresh = true;
      }

      /** Freezes the errors at the first stage, which is the beginning of the step, so nothing is evaluated twice. */
      function freeze(): void {
        if (!fresh) return;
        const { kernels } = workspace;
        if (positions) kernels.copyVector(rows, system.constraints.phi(), phi);
        kernels.copyVector(rows, system.constraints.phiDot(), phiDot);
        fresh = !frozen;
      }

      return {
        ...NO_CORRECTION,
        beginStep,
        right: {
          correctsVelocities: positions,
          write(gamma, right, r) {
            const { kernels } = workspace;
            freeze();
            if (positions) {
              const rate = system.constraints.phiDot();
              kernels.driftSides(rows, inverse, gamma, phiDot, rate, phi, right, r);
            } else kernels.stabilisedRight(rows, inverse, 0, gamma, phiDot, phi, right);
          },
        },
      };
    },
  };
}
