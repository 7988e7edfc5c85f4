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
import { parseMethod, solve } from "nodrift/solve";
import * as papers from "../../test/support/paper-formulas.js";
import { bipedRows, preciseAccelerations } from "../../test/support/precise-biped.js";
import { seeded } from "../../test/support/random.js";
import { atLeast, atMost, type Figure, reported } from "./figure.js";

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
  yield* bipedFigures();
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

/** Compares both sides of a difference with 60-digit arithmetic at the same states, to find which one loses digits. */
function* bipedFigures(): Generator<Figure> {
  for (const [exercise, formulas, { equations: byHand, q, v }] of [
    [1, papers.biped1Formulas, braunBiped1],
    [2, papers.biped2Formulas, braunBiped2],
  ] as const) {
    const rows = bipedRows[exercise];
    const [found, known] = [equations(formulas), byHand].map((system: Source) => {
      let worst = 0;
      for (const { run, position, velocity, time } of statesOf(system, q, v)) {
        const exact = preciseAccelerations(rows, position, velocity, time);
        const size = Math.max(...exact.map(Math.abs));
        for (const [k, each] of run.accelerations().entries()) {
          worst = Math.max(worst, Math.abs(each - (exact[k] as number)) / size);
        }
      }
      return worst;
    }) as [number, number];
    const title = `${formulas.name}: accelerations at ${STATES} random states, against arithmetic with 60 digits`;
    yield atMost(`${title}, by formulas`, found, 1e-13);
    yield reported(`${title}, by hand`, known);
  }
}

type Source = Parameters<typeof simulate>[0];

/** A run at random states near a start: the same for all systems. */
function* statesOf(system: Source, q: readonly number[], v: readonly number[]) {
  const random = seeded(17);
  const method = { formulation: udwadiaKalaba(), integrator: rk4() };
  const run = simulate(system, { method, step: 1e-3, q, v, start: "asGiven" });
  for (let i = 0; i < STATES; i++) {
    const position = q.map((each) => each + 0.1 * (2 * random() - 1));
    const velocity = q.map(() => 2 * random() - 1);
    const time = random();
    run.setState(position, velocity, { start: "asGiven", time });
    yield { run, position, velocity, time };
  }
}

function difference(
  found: Source,
  wanted: Source,
  q: readonly number[],
  v: readonly number[],
): number {
  const others = statesOf(wanted, q, v);
  let worst = 0;
  for (const { run } of statesOf(found, q, v)) {
    const { value: known } = others.next();
    if (!known) break;
    const runs = [run, known.run];
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
    solve(system, {
      span: [0, 0.5],
      q,
      v,
      tolerance,
      output: "ends",
      method: parseMethod("dop853"),
    }).end.q;
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
