import { baumgarte, energyVelocity } from "../../../src/index.js";
import { sleighMaxima } from "../experiments/energy-control.js";
import { checked, relative, unitOf } from "../judging/entries.js";
import { reproduction } from "../judging/reproduction.js";

export const yoonSleigh = reproduction({
  name: "yoon-sleigh",
  paper: "Yoon, Energy constraint control",
  title: "Eqs. (8), (20) and (23) on Chaplygin's sleigh, AB-3 with a step of 0.01 s, 20 s",
  notes: [
    "The paper has no nonholonomic example. The sleigh (m = 1, J = 0.5, a = 0.4, speed 1, " +
      "turning with 2 rad/s) tries its eq. (8); references are those of an independent " +
      "implementation.",
    "Eqs. (11) and (12): the transpose of dpsi/dv, and the product of dpsi/dq and the velocities.",
  ],
  *measure() {
    const loose = sleighMaxima([]);
    const held = sleighMaxima([baumgarte({ eta: 10 })]);
    const balanced = sleighMaxima([baumgarte({ eta: 10 }), energyVelocity({ gain: 5 })]);
    for (const [quantity, reference, value] of [
      ["max |Pi|, no control", 6.46e-6, loose.pi],
      ["max |Pi|, eta = 10", 8.08e-7, held.pi],
      ["max |psi|, eta = 10", 9.86e-6, held.psi],
      ["max |psi|, eta = 10 and energyVelocity with rho = 5", 7.76e-7, balanced.psi],
      ["max coupling (m - J) a theta', no control", 0.4, loose.coupling],
    ] as const) {
      yield checked({ quantity, reference, value }, relative(unitOf(reference, 3)));
    }
  },
});
