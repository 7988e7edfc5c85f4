import { readFileSync } from "node:fs";
import { NodriftError, rk4, simulate, udwadiaKalaba } from "nodrift";
import { readSystem } from "nodrift/files";
import { equations, type FormulaDescription, ode } from "nodrift/formulas";
import { solve } from "nodrift/solve";
import { damaged } from "../support/damaged-formulas.js";
import { damagedFiles } from "../support/hostile-files.js";
import {
  fourBarsFormulas,
  knifeEdgeFormulas,
  pendulumFormulas,
  sliderCrankFormulas,
} from "../support/paper-formulas.js";
import { seeded } from "../support/random.js";
import { atMost, type Figure } from "./figure.js";

const COUNT = 20_000;
/** Milliseconds. */
const PATIENCE = 1000;

/** Descriptions with a few characters of their texts changed: refused with an error of the package, or taken and stepped. */
export function* compiledDamageFigures(): Generator<Figure> {
  const random = seeded(29);
  const method = { formulation: udwadiaKalaba(), integrator: rk4() };
  const whole: readonly FormulaDescription[] = [
    pendulumFormulas,
    sliderCrankFormulas,
    fourBarsFormulas,
    knifeEdgeFormulas,
  ];
  let raw = 0;
  let slow = 0;
  for (let i = 0; i < COUNT; i++) {
    const before = performance.now();
    try {
      if (i % 4 === 0)
        ode(
          damaged(
            {
              unknowns: ["u[1..3]"],
              parameters: { k: 2 },
              rates: { "u[i=1..3]": "k*sin(u[i]) - sum(j, 1, 3, u[j]^2)" },
            },
            random,
          ),
        );
      else {
        const system = equations(damaged(whole[i % whole.length], random));
        const n = system.coordinateNames.length;
        simulate(system, {
          method,
          step: 1e-3,
          q: new Array(n).fill(0.5),
          start: "asGiven",
        }).advance();
      }
    } catch (error) {
      if (!(error instanceof NodriftError)) raw++;
    }
    if (performance.now() - before > PATIENCE) slow++;
  }
  yield atMost(
    `${COUNT} damaged formulas and equations: other errors than those of the package`,
    raw,
    0,
  );
  yield atMost(`${COUNT} damaged formulas and equations: calls of more than a second`, slow, 0);
  yield* damagedFileFigures();
}

const FILES = 10_000;

/** Files of equations with bytes and values changed: refused with an error of the package, or taken and begun. */
function* damagedFileFigures(): Generator<Figure> {
  const names = [
    "pendulum",
    "double-pendulum",
    "slider-crank",
    "folding-slider-crank",
    "four-bars",
  ];
  const texts = names.map((name) => readFileSync(`examples/equations-${name}.json`, "utf8"));
  let [raw, slow] = [0, 0];
  for (const text of damagedFiles(texts, FILES, 31)) {
    const before = performance.now();
    try {
      const file = readSystem(text);
      if ("system" in file) {
        const [from] = file.settings.solve?.span ?? [0];
        const options = { span: [from, from + 1e-3], maximumSteps: 10 } as const;
        solve(file.system, file.solveOptions(options));
      }
    } catch (error) {
      if (!(error instanceof NodriftError)) raw++;
    }
    if (performance.now() - before > PATIENCE) slow++;
  }
  yield atMost(
    `${FILES} damaged files of equations: other errors than those of the package`,
    raw,
    0,
  );
  yield atMost(`${FILES} damaged files of equations: calls of more than a second`, slow, 0);
}
