import { pendulumCases, pendulumMaxima, pendulumReference } from "../experiments/energy-control.js";
import { checked, relative, unitOf } from "../judging/entries.js";
import { reproduction } from "../judging/reproduction.js";

const QUANTITIES = ["|Phi|", "|psi|", "|X error|"] as const;

export const yoonExample1 = reproduction({
  name: "yoon-example-1",
  paper: "Yoon, Energy constraint control",
  title: "Example 1: a unit mass on a circle, AB-3 with a step of 0.01 s, largest errors",
  notes: [
    "The paper has curves (figs. 4 to 6), no numbers: references are those of an independent " +
      "implementation.",
    "Eq. (24.d) lacks -g: Vy' = -(Y V^2 + g X^2) / (X^2 + Y^2). Eqs. (28), (30) and (31) lost " +
      "dots.",
    "alpha = 2 sqrt 40 and beta = 40 of the paper. `baumgarte` is its CVSM, `energyVelocity` eq. " +
      "(23) with rho = 6 (5 in the angle), `energyDescent` eq. (22) with rho = 5, " +
      "`energyMultiplier` eq. (12) with eta = 40.",
    "A rho above about 6.1 is unstable at this step. Eq. (12) divides by zero at rest, eq. (23) " +
      "does not.",
  ],
  *measure() {
    for (const seconds of [20, 100] as const) {
      const exact = pendulumReference(seconds);
      for (const entry of pendulumCases) {
        const maxima = pendulumMaxima(entry, seconds, exact);
        for (const [i, quantity] of QUANTITIES.entries()) {
          const reference = entry.after[seconds][i] as number;
          // The formulation in the angle has no constraint.
          if (reference === 0) continue;
          const words = `max ${quantity} in ${seconds} s, ${entry.name}`;
          const value = maxima[i] as number;
          yield checked({ quantity: words, reference, value }, relative(unitOf(reference, 4)));
        }
      }
    }
  },
});
