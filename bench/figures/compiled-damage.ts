import { readFileSync } from "node:fs";
import { NodriftError, rk4, simulate, udwadiaKalaba } from "nodrift";
import { equations, type FormulaDescription, ode } from "nodrift/formulas";
import {
  damagedFiles,
  judgeEquations,
  type Outcome,
  publishedSchema,
  UNCLEAR,
} from "../../test/support/hostile-files.js";
import {
  fourBarsFormulas,
  knifeEdgeFormulas,
  pendulumFormulas,
  sliderCrankFormulas,
} from "../../test/support/paper-formulas.js";
import { seeded } from "../../test/support/random.js";
import { damaged } from "../support/damaged-formulas.js";
import { atMost, type Figure } from "./figure.js";

const COUNT = 20_000;
/** Timeout in milliseconds. */
const TIMEOUT_MS = 1000;

/**
 * Descriptions with a few characters of their texts changed: rejected with an error of the package, or accepted and
 * stepped.
 */
export function* compiledDamageFigures(): Generator<Figure> {
  const random = seeded(29);
  const method = { formulation: udwadiaKalaba(), integrator: rk4() };
  const whole: readonly FormulaDescription[] = [
    pendulumFormulas,
    sliderCrankFormulas,
    fourBarsFormulas,
    knifeEdgeFormulas,
  ];
  let [raw, slow, nonsense] = [0, 0, 0];
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
        const { q, v } = simulate(system, {
          method,
          step: 1e-3,
          q: new Array(n).fill(0.5),
          start: "asGiven",
        }).advance();
        if (![...q, ...v].every(Number.isFinite)) nonsense++;
      }
    } catch (error) {
      if (!(error instanceof NodriftError)) raw++;
      else if (UNCLEAR.test(error.message)) nonsense++;
    }
    if (performance.now() - before > TIMEOUT_MS) slow++;
  }
  yield atMost(
    `${COUNT} damaged formulas and equations: other errors than those of the package`,
    raw,
    0,
  );
  yield atMost(
    `${COUNT} damaged formulas and equations: nonsense accepted, or refused in words that say nothing`,
    nonsense,
    0,
  );
  yield atMost(`${COUNT} damaged formulas and equations: calls of more than a second`, slow, 0);
  yield* damagedFileFigures();
}

const FILES = 20_000;

/** Files of equations with bytes and values changed: rejected with an error of the package, or accepted and started. */
function* damagedFileFigures(): Generator<Figure> {
  const names = [
    "pendulum",
    "double-pendulum",
    "slider-crank",
    "folding-slider-crank",
    "four-bars",
    "biped",
  ];
  const texts = names.map((name) => readFileSync(`examples/equations-${name}.json`, "utf8"));
  const schema = publishedSchema("dist/equations-1.schema.json");
  const outcomes = damagedFiles(texts, FILES, 31).map((text) => judgeEquations(text, schema));
  const count = (is: (outcome: Outcome) => boolean) => outcomes.filter(is).length;
  const title = `${FILES} damaged files of equations`;
  yield atMost(
    `${title}: other errors than those of the package`,
    count(({ kind }) => kind === "crash"),
    0,
  );
  yield atMost(
    `${title}: nonsense accepted, or refused in words that say nothing`,
    count(({ kind }) => kind === "nonsense"),
    0,
  );
  yield atMost(
    `${title}: calls of more than a second`,
    count(({ seconds }) => 1000 * seconds > TIMEOUT_MS),
    0,
  );
}
