import { jacobianErrors } from "../experiments/jacobian-errors.js";
import { checked, most } from "../judging/entries.js";
import { reproduction } from "../judging/reproduction.js";

export const negrutJacobians = reproduction({
  name: "negrut-jacobians",
  paper: "Negrut, Haug and German 2003",
  title: "Section 3: derivatives of independent accelerations, by formulas against differences",
  notes: [
    "Differences of fourth order have errors of their own. Accepted is twice what differences with one step and with twice " +
      "that step are apart.",
    "As printed, J1 is wrong by 21 to 53 % and J2 by 8 %. Eq. (27): M^vv times the derivative of " +
      "dependent accelerations is M^vu times it, and the last term is that of the rates of " +
      "independent ones.",
    "Eqs. (33) and (34): the third term is that of dependent rates, times J. Eqs. (35), (38) and " +
      "(40): what stands before H is the derivative by dependent rates, and in W and X that by " +
      "independent rates.",
    "Eq. (32): L = Phi_u^-1 ([tau_u - (Phi_q q'')_u] H + tau_v + tau_u' J - (Phi_q q'')_v). Eq. " +
      "(39): N = Phi_u^-1 (tau_u' H + tau_v').",
  ],
  async *measure() {
    for await (const { name, states, positions, velocities, ofDifferences } of jacobianErrors()) {
      const words = `relative error, ${name}, ${states} states`;
      yield checked(
        { quantity: `J1 = d(accelerations)/d(positions), ${words}`, value: positions },
        most(2 * ofDifferences.positions),
      );
      yield checked(
        { quantity: `J2 = d(accelerations)/d(velocities), ${words}`, value: velocities },
        most(2 * ofDifferences.velocities),
      );
    }
  },
});
