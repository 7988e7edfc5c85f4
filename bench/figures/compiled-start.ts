import { driftElimination, rk4, simulate, udwadiaKalaba } from "nodrift";
import { equations, type FormulaDescription } from "nodrift/formulas";
import {
  biped1Formulas,
  pendulumFormulas,
  sliderCrankFormulas,
} from "../../test/support/paper-formulas.js";
import { atMost, type Figure } from "./figure.js";

const REPEATS = 25;

/**
 * From the text to the end of the first step, once the program is warm: each time with another name, to avoid caches.
 */
export function* compiledStartFigures(): Generator<Figure> {
  const method = {
    formulation: udwadiaKalaba(),
    stabilisation: driftElimination(),
    integrator: rk4(),
  };
  const once = (formulas: FormulaDescription, name: string) => {
    const before = performance.now();
    const system = equations({ ...formulas, name });
    const [q, v] = [system.q as ArrayLike<number>, system.v as ArrayLike<number>];
    simulate(system, { method, step: 1e-3, q, v, start: "asGiven" }).advance();
    return performance.now() - before;
  };
  for (const [what, formulas, most] of [
    ["pendulum", pendulumFormulas, 3],
    ["slider-crank", sliderCrankFormulas, 6],
    ["biped of seven links", biped1Formulas, 60],
  ] as const) {
    for (let i = 0; i < REPEATS; i++) once(formulas, `warm ${i}`);
    const times = Array.from({ length: REPEATS }, (_, i) => once(formulas, `cold ${i}`));
    yield atMost(`from text to first step, ${what}, ms`, Math.min(...times), most);
  }
}
