import {
  driftElimination,
  type Formulation,
  frozenBasis,
  lagrange,
  type Method,
  maggi,
  nullSpace,
  phaseSpace,
  projective,
  udwadiaKalaba,
} from "nodrift";
import {
  comparedFormulations,
  distanceFromSaddle,
  drift,
  formulationLevels,
  formulationOrder,
  formulationProblems,
  redundantProblem,
  simulated,
  survives,
} from "#experiments";
import { atMost, type Figure, within } from "./figure.js";

const { pendulum, sliderCrank, fourBars, bowl, drivenPendulum, sleigh } = formulationProblems;
const PROBLEMS = {
  pendulum,
  "slider-crank": sliderCrank,
  "two four-bars": fourBars,
  bowl,
  "driven pendulum": drivenPendulum,
  sleigh,
} as const;

/** The verbal comparison of Laulusa and Bauchau, in numbers. */
export async function* formulationFigures(): AsyncGenerator<Figure> {
  yield* sameAccelerations();
  yield* sliderCrankDrift();
  yield* orders();
  yield* singularPose();
  yield* redundantRow();
}

function* sameAccelerations(): Generator<Figure> {
  for (const [name, problem] of Object.entries(PROBLEMS)) {
    const distances = comparedFormulations.map((formulation) =>
      distanceFromSaddle(problem, formulation, 200),
    );
    yield atMost(
      `${name}: accelerations of ${distances.length} formulations against the saddle point system, 200 states`,
      Math.max(...distances),
      1e-12,
    );
  }
}

function* sliderCrankDrift(): Generator<Figure> {
  const run = (formulation: Formulation, stabilisation?: Method["stabilisation"]) =>
    drift(simulated(sliderCrank, formulation, 0.01, stabilisation), 10);
  const name = (formulation: Formulation) => `slider-crank, 10 s: drift of ${formulation.name}`;
  const uncorrected = run(udwadiaKalaba());
  yield within(name(udwadiaKalaba()), uncorrected.position, 6.8e-5, 0.05);
  yield within("slider-crank: growth exponent of that drift", uncorrected.exponent, 2, 0.05);
  yield within(name(nullSpace()), run(nullSpace()).position, 6.8e-5, 0.05);
  const eliminated = run(udwadiaKalaba(), driftElimination());
  yield within(
    "slider-crank, 10 s: drift with driftElimination",
    eliminated.position,
    9.2e-9,
    0.05,
  );
  yield atMost("slider-crank: growth exponent of that drift", Math.abs(eliminated.exponent), 0.1);
  for (const [formulation, reference] of [
    [maggi(), 3.6e-8],
    [projective(), 5.4e-8],
    [phaseSpace(), 6.4e-8],
  ] as const) {
    yield within(name(formulation), run(formulation).position, reference, 0.05);
  }
  yield atMost(
    "slider-crank: drift of maggi over that of udwadiaKalaba",
    run(maggi()).position / uncorrected.position,
    1e-2,
  );
  yield atMost(name(frozenBasis()), run(frozenBasis()).position, 1e-15);
  const speeds = formulationLevels.velocity.map((formulation) => run(formulation).velocity);
  yield atMost(
    "slider-crank: velocity error on the level of velocities",
    Math.max(...speeds),
    1e-14,
  );
}

function* orders(): Generator<Figure> {
  for (const [name, problem] of Object.entries(PROBLEMS)) {
    if (problem === fourBars) continue;
    const found = comparedFormulations.map((formulation) =>
      formulationOrder(problem, formulation, 0.01, 0.5),
    );
    yield within(`${name}: lowest order with RK4`, Math.min(...found), 4, 0.05);
  }
}

function* singularPose(): Generator<Figure> {
  for (const step of [1e-2, 1e-3]) {
    const errors = [...formulationLevels.velocity, ...formulationLevels.position].map(
      (formulation) => drift(simulated(fourBars, formulation, step), 10).position,
    );
    const eliminated = drift(simulated(fourBars, udwadiaKalaba(), step, driftElimination()), 10);
    errors.push(eliminated.position);
    const words = `four-bars through singular poses, step ${step}`;
    yield atMost(`${words}: worst drift of those that survive`, Math.max(...errors), 1e-5);
    const surviving = [lagrange(), nullSpace(), udwadiaKalaba()].filter((formulation) =>
      survives(fourBars, formulation, step),
    );
    yield atMost(`${words}: survivors on the level of accelerations`, surviving.length, 0);
  }
}

function* redundantRow(): Generator<Figure> {
  const failing = [...comparedFormulations, udwadiaKalaba()].filter(
    (formulation) => !survives(redundantProblem, formulation, 0.01),
  );
  yield atMost("redundant row: formulations that fail", failing.length, 0);
  const kkt = survives(redundantProblem, lagrange({ solver: "kkt" }), 0.01) ? 1 : 0;
  yield atMost("redundant row: the saddle point matrix survives", kkt, 0);
}
