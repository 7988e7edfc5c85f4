import { rk4, simulate, udwadiaKalaba } from "nodrift";
import { equations } from "nodrift/formulas";
import {
  braunBiped1,
  braunBiped2,
  braunBiped3,
  braunFourBars,
  braunPendulum,
  braunSliderCrank,
  welchDoublePendulum,
  welchSliderCrank,
} from "nodrift/mechanisms";
import { solve } from "nodrift/solve";
import * as papers from "../support/paper-formulas.js";
import { seeded } from "../support/random.js";
import { atLeast, atMost, type Figure } from "./figure.js";

/** The papers' systems by formulas and by hand. */
export const paperPairs = [
  [papers.pendulumFormulas, braunPendulum],
  [papers.sliderCrankFormulas, braunSliderCrank],
  [papers.fourBarsFormulas, braunFourBars],
  [papers.doublePendulumFormulas, welchDoublePendulum],
  [papers.welchSliderCrankFormulas, welchSliderCrank],
  [papers.biped1Formulas, braunBiped1],
  [papers.biped2Formulas, braunBiped2],
  [papers.biped3Formulas, braunBiped3],
] as const;

const STATES = 200;
/** A hundredth of the tolerance: smaller errors are equal. */
const UNSEEN = 1e-12;

export function* compiledAccuracyFigures(): Generator<Figure> {
  for (const [formulas, { equations: byHand, q, v }] of paperPairs) {
    yield atMost(
      `${formulas.name} by formulas: accelerations and rows at ${STATES} random states, against those by hand`,
      difference(equations(formulas), byHand, q, v),
      1e-13,
    );
  }
  let lost = 0;
  for (const [formulas, { equations: byHand, q, v }] of paperPairs.slice(0, 5)) {
    lost = Math.max(lost, lostDigits(equations(formulas), byHand, q, v));
  }
  yield atMost(
    "digits that constraints by values lose at a tolerance of 1e-10, worst of five problems",
    lost,
    0.1,
  );
  yield atLeast("runs whose bits are those of interpreted formulas", sameBits(), paperPairs.length);
}

type Source = Parameters<typeof simulate>[0];

function difference(
  found: Source,
  wanted: Source,
  q: readonly number[],
  v: readonly number[],
): number {
  const random = seeded(17);
  const method = { formulation: udwadiaKalaba(), integrator: rk4() };
  const runs = [found, wanted].map((system) =>
    simulate(system, { method, step: 1e-3, q, v, start: "asGiven" }),
  );
  let worst = 0;
  for (let i = 0; i < STATES; i++) {
    const position = q.map((each) => each + 0.1 * (2 * random() - 1));
    const velocity = q.map(() => 2 * random() - 1);
    const time = random();
    for (const run of runs) run.setState(position, velocity, { start: "asGiven", time });
    for (const read of ["accelerations", "phi", "phiDot"] as const) {
      const [x, y] = runs.map((run) => run[read]());
      const size = y.reduce((most, each) => Math.max(most, Math.abs(each)), Number.MIN_VALUE);
      for (const [k, each] of x.entries()) worst = Math.max(worst, Math.abs(each - y[k]) / size);
    }
  }
  return worst;
}

function lostDigits(
  found: Source,
  wanted: Source,
  q: readonly number[],
  v: readonly number[],
): number {
  const end = (system: Source, tolerance: number) =>
    solve(system, { span: [0, 0.5], q, v, tolerance, output: "ends", method: "dop853" }).end.q;
  const exact = end(wanted, 1e-13);
  const error = (system: Source) =>
    end(system, 1e-10).reduce((most, each, i) => Math.max(most, Math.abs(each - exact[i])), UNSEEN);
  return Math.log10(error(found) / error(wanted));
}

function sameBits(): number {
  const method = { formulation: udwadiaKalaba(), integrator: rk4() };
  return paperPairs.filter(([formulas, { q, v }]) => {
    const [one, other] = [{}, { interpret: true }].map((options) =>
      simulate(equations(formulas, options), {
        method,
        step: 1e-3,
        q,
        v,
        start: "asGiven",
      }).advance(50),
    );
    return [...one.q, ...one.v].every((each, i) => Object.is(each, [...other.q, ...other.v][i]));
  }).length;
}
