import { jacobianErrors } from "#experiments";
import { atMost, type Figure } from "./figure.js";

/** Derivatives of the accelerations in independent coordinates: analytic ones compared with finite differences. */
export async function* stiffJacobianFigures(): AsyncGenerator<Figure> {
  for await (const { name, states, positions, velocities } of jacobianErrors()) {
    const what = `${name}, ${states} states, by formulas against differences, relative`;
    yield atMost(`J1 = d(accelerations)/d(positions), ${what}`, positions, 1e-6);
    yield atMost(`J2 = d(accelerations)/d(velocities), ${what}`, velocities, 1e-6);
  }
}
