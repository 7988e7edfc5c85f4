import { compile } from "nodrift/bodies";
import { models, nFourBar } from "nodrift/mechanisms";
import { imbalance } from "../support/mechanisms-balance.js";
import { primitiveErrors, primitiveNames } from "../support/mechanisms-primitives.js";
import { atMost, type Figure } from "./figure.js";

/** Rows of joints compared with finite differences, and reactions with the laws of motion. */
export async function* mechanismLawFigures(): AsyncGenerator<Figure> {
  yield* primitiveFigures();
  yield* balanceFigures();
}

async function* primitiveFigures(): AsyncGenerator<Figure> {
  let [rate, gamma] = [0, 0];
  for (const name of primitiveNames) {
    const errors = await primitiveErrors(name, 200);
    rate = Math.max(rate, errors.rate);
    gamma = Math.max(gamma, errors.gamma);
  }
  const name = `${primitiveNames.length} joints and wheels, 200 random states each`;
  yield atMost(`${name}, J v against differences, relative`, rate, 1e-6);
  yield atMost(`${name}, gamma against differences, relative`, gamma, 1e-6);
}

async function* balanceFigures(): AsyncGenerator<Figure> {
  let worst = 0;
  // Stiff models need other methods, and their springs are not reactions.
  const ready = models.filter(({ stiff }) => !stiff);
  for (const build of [...ready.map((each) => each.build), () => nFourBar(10)]) {
    const model = build();
    const simulation = (await compile(model)).simulate({ step: 1e-3 });
    for (const time of [0, 0.3, 0.9]) {
      worst = Math.max(worst, imbalance(simulation.runTo(time), model.data()));
    }
  }
  const name = "reactions of every ready model that is not stiff, Newton and Euler for each body";
  yield atMost(`${name}, relative`, worst, 1e-9);
}
