import type { Stabilisation } from "../contracts.js";

/**
 * Braun and Goldfarb (16): what the constraints are off at the beginning of a step is taken back over
 * the step. With Phi_n and Phi'_n frozen at its beginning,
 *
 *   q' = v + minnorm(-Phi'(q, v) - Phi_n / h)
 *   v' = a + minnorm(gamma - J a - Phi'_n / h)
 *
 * and everything else evaluated at each stage, the constraint error is O(h^(p+1)) for a method of order p
 * and does not grow. No parameters. Evaluating Phi / h at each stage instead loses the order.
 *
 * @example
 * const method = { formulation: udwadiaKalaba(), stabilisation: driftElimination(), integrator: rk4() };
 */
export function driftElimination(): Stabilisation {
  return {
    name: "driftElimination",
    reference: "Braun and Goldfarb, CMAME 198 (2009) 3151-3160, eq. 16",
    acts: "accelerations",
    oneStepOnly: true,
    needsEnergy: false,
    bind(system) {
      const { rows, workspace } = system;
      const phi = workspace.vector("frozen phi", rows);
      const phiDot = workspace.vector("frozen phi dot", rows);
      const zero = workspace.vector("zero", rows);
      let inverse = 0;
      let fresh = false;
      return {
        begin(_, h) {
          inverse = 1 / h;
          fresh = true;
        },
        right(gamma, out) {
          const { kernels } = workspace;
          if (fresh) {
            // The first stage of a step is at its beginning: nothing is evaluated twice.
            kernels.copyVector(rows, system.phi(), phi);
            kernels.copyVector(rows, system.phiDot(), phiDot);
            fresh = false;
          }
          kernels.stabilisedRight(rows, inverse, 0, gamma, phiDot, phi, out);
        },
        velocityRight(r) {
          workspace.kernels.stabilisedRight(rows, 1, inverse, zero, system.phiDot(), phi, r);
        },
      };
    },
  };
}
