import { baumgarte, energyVelocity } from "nodrift";
import { pendulumCases, pendulumMaxima, pendulumReference, sleighMaxima } from "#experiments";
import { type Figure, within } from "./figure.js";

const QUANTITIES = ["|Phi|", "|psi|", "|X error|"] as const;

/** Effect of energy control on Yoon's pendulum and Chaplygin's sleigh. */
export async function* energyFigures(): AsyncGenerator<Figure> {
  for (const seconds of [20, 100] as const) {
    const reference = pendulumReference(seconds);
    for (const entry of pendulumCases) {
      const maxima = pendulumMaxima(entry, seconds, reference);
      for (const [i, quantity] of QUANTITIES.entries()) {
        if (entry.after[seconds][i] === 0) continue;
        const words = `pendulum, ${entry.name}, ${seconds} s: max ${quantity}`;
        yield within(words, maxima[i], entry.after[seconds][i], 0.005);
      }
    }
  }
  const loose = sleighMaxima([]);
  const held = sleighMaxima([baumgarte({ eta: 10 })]);
  const balanced = sleighMaxima([baumgarte({ eta: 10 }), energyVelocity({ gain: 5 })]);
  yield within("sleigh, no control: max |Pi|", loose.pi, 6.46e-6, 0.02);
  yield within("sleigh, eta = 10: max |Pi|", held.pi, 8.08e-7, 0.02);
  yield within("sleigh, eta = 10: max |psi|", held.psi, 9.86e-6, 0.02);
  yield within("sleigh, eta = 10 + energyVelocity: max |psi|", balanced.psi, 7.76e-7, 0.02);
  yield within("sleigh: max coupling", loose.coupling, 0.4, 0.02);
}
