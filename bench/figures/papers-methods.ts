// The classical methods of the papers, each compared with its row in docs/methods.md.

import {
  baumgarte,
  type CoupledMethod,
  coupledMethods,
  driftElimination,
  type Formulation,
  formulations,
  integrators,
  maggi,
  projection,
  type Stabilisation,
  semiImplicitEuler,
  simulate,
  stabilisations,
  udwadiaKalaba,
} from "nodrift";
import { linearMap, spectralRadius } from "nodrift/analysis";
import {
  comparisons,
  drift,
  exactAngles,
  formulationOrder,
  formulationProblems,
  redundantProblem,
  runAgainstReference,
  simulated,
  survives,
} from "#experiments";
import { seeded } from "../../test/support/random.js";
import { atLeast, atMost, type Figure, near, reported } from "./figure.js";

const { bowl, fourBars, pendulum, sliderCrank } = formulationProblems;

const exact = formulations.filter(({ isApproximate }) => !isApproximate);

export async function* paperMethodFigures(): AsyncGenerator<Figure> {
  yield* formulationRows();
  yield* givenCharacteristics();
  yield* coupledRows();
  yield* stabilisationRows();
  yield* integratorRows();
  yield* firstOrderBaumgarte();
}

/** Number of entries of a list that differ from the expectation. */
function failures<T>(list: readonly T[], isRight: (entry: T) => boolean): number {
  return list.filter((entry) => !isRight(entry)).length;
}

/** Drift over 10 s of the slider-crank by the level on which constraints are kept. */
function isOfItsClass(level: Formulation["level"], position: number): boolean {
  if (level === "acceleration") return position > 1e-6;
  return level === "velocity" ? position > 1e-10 && position < 1e-6 : position < 1e-13;
}

function* formulationRows(): Generator<Figure> {
  const all = `of ${formulations.length} formulations`;
  const orders = exact.map((formulation) => formulationOrder(bowl, formulation, 0.01, 0.5));
  yield atLeast(`lowest order with RK4 of ${exact.length} formulations`, Math.min(...orders), 3.8);
  const isDrifting = (formulation: Formulation) =>
    isOfItsClass(formulation.level, drift(simulated(sliderCrank, formulation, 0.01), 10).position);
  yield atMost(
    `${all}, not of the drift class of their row`,
    failures(formulations, isDrifting),
    0,
  );
  const takesRows = (formulation: Formulation) =>
    survives(redundantProblem, formulation, 0.01) === formulation.survivesRedundantRows;
  yield atMost(
    `${all}, with a redundant row not as they say`,
    failures(formulations, takesRows),
    0,
  );
  const takesPoses = (formulation: Formulation) =>
    survives(fourBars, formulation, 1e-2) === formulation.survivesSingularPoses;
  yield atMost(`${all}, at singular poses not as they say`, failures(formulations, takesPoses), 0);
}

/** Maggi's equations with `count` random combinations of velocities, which change with the positions. */
function maggiByRandom(count: number): Formulation {
  const random = seeded(11);
  const weights = Array.from({ length: 64 }, () => 2 * random() - 1);
  const value = (q: Float64Array, v: Float64Array, out: Float64Array) => {
    for (let i = 0; i < count; i++) {
      out[i] = v.reduce(
        (sum, speed, j) =>
          sum + (weights[8 * i + j] as number) * (1 + Math.cos(q[j] as number) / 4) * speed,
        0,
      );
    }
  };
  return maggi({ characteristics: { count, value } });
}

function* givenCharacteristics(): Generator<Figure> {
  const { drivenPendulum, sleigh } = formulationProblems;
  const cases = [
    [pendulum, 1],
    [sliderCrank, 1],
    [bowl, 2],
    [drivenPendulum, 2],
    [sleigh, 2],
  ] as const;
  const orders = cases.map(([problem, count]) =>
    formulationOrder(problem, maggiByRandom(count), 0.005, 0.25),
  );
  yield atLeast(
    "maggi with random characteristics: lowest order with RK4 of 5 systems",
    Math.min(...orders),
    3.8,
  );
  const { position, velocity } = drift(simulated(bowl, maggiByRandom(2), 0.01), 1);
  yield atMost("maggi with random characteristics: |Phi'| over 1 s of the bowl", velocity, 1e-13);
  yield atMost("maggi with random characteristics: |Phi| over 1 s of the bowl", position, 1e-6);
  const twice = simulated(redundantProblem, maggiByRandom(1), 1e-3).runTo(0.25).q;
  const once = simulated(sliderCrank, maggiByRandom(1), 1e-3).runTo(0.25).q;
  const apart = Math.max(...twice.map((value, i) => Math.abs(value - (once[i] as number))));
  yield atMost("maggi with random characteristics: change by a redundant row", apart, 1e-10);
}

function* coupledRows(): Generator<Figure> {
  const all = `of ${coupledMethods.length} coupled methods`;
  const run = (coupled: CoupledMethod, problem: typeof bowl, step: number) =>
    simulate(problem.equations, { method: { coupled }, step, q: problem.q, v: problem.v });
  const known = simulated(pendulum, udwadiaKalaba(), 2.5e-4, projection()).runTo(0.5).q.slice();
  const order = (coupled: CoupledMethod) => {
    const error = (step: number) => {
      const { q } = run(coupled, pendulum, step).runTo(0.5);
      return Math.max(...q.map((value, i) => Math.abs(value - (known[i] as number))));
    };
    // Steps with errors above rounding, and above those of the known motion.
    const step = 1 / ([512, 512, 512, 64, 64, 32][coupled.order] ?? 8);
    return Math.log2(error(step) / error(step / 4)) / 2;
  };
  const short = coupledMethods.map((coupled) => order(coupled) - coupled.order);
  yield atLeast(
    `${all}, the least that a measured order is above the one they tell`,
    Math.min(...short),
    -0.2,
  );
  const bounded = (coupled: CoupledMethod) => {
    const { exponent } = drift(run(coupled, sliderCrank, 0.01), 10);
    // Velocities only: positions drift in proportion to the time, not to its square.
    return exponent < (coupled.level === "velocity" ? 1.2 : 0.1);
  };
  yield atMost(
    `${all}, whose constraint error grows faster than they say`,
    failures(coupledMethods, bounded),
    0,
  );
  const takesRows = (coupled: CoupledMethod) => {
    try {
      run(coupled, redundantProblem, 0.01).runTo(10);
      return coupled.survivesRedundantRows;
    } catch {
      return !coupled.survivesRedundantRows;
    }
  };
  yield atMost(
    `${all}, with a redundant row not as they say`,
    failures(coupledMethods, takesRows),
    0,
  );
  const angles = exactAngles(comparisons.fourBars, 10);
  const through = coupledMethods.filter(({ survivesSingularPoses }) => survivesSingularPoses);
  const errors = through.map(
    (coupled) => runAgainstReference(comparisons.fourBars, angles, { coupled }, 1e-3).motion,
  );
  yield atMost(
    `four-bars through singular poses, 10 s at 1e-3: worst error of ${through.length} coupled methods`,
    Math.max(...errors),
    1e-3,
  );
}

/** Stabilisations of constraints, without those of energy. */
const keeping = stabilisations.filter(
  ({ needsEnergy, actsOn }) => !needsEnergy && actsOn !== "nothing",
);

function* stabilisationRows(): Generator<Figure> {
  const formulation = udwadiaKalaba();
  const run = (stabilisation: Stabilisation, problem: typeof bowl, until: number, step = 0.01) =>
    drift(simulated(problem, formulation, step, stabilisation), until);
  const isHeld = (stabilisation: Stabilisation) => {
    const { exponent } = run(stabilisation, sliderCrank, 10);
    // Velocities only: positions drift in proportion to the time, not to its square.
    return exponent < (stabilisation.name.startsWith("driftElimination(velocities") ? 1.2 : 0.1);
  };
  yield atMost(
    `of ${keeping.length} stabilisations, with a drift that grows faster than they say`,
    failures(keeping, isHeld),
    0,
  );
  const alone = driftElimination({ positions: false });
  const [coarse, fine] = [0.01, 0.0025].map((step) => run(alone, sliderCrank, 10, step).velocity);
  const order = Math.log2((coarse as number) / (fine as number)) / 2;
  yield atLeast("drift elimination of velocities alone: order of |Phi'| with RK4", order, 4.8);
  const plain = drift(simulated(sliderCrank, formulation, 0.01), 10);
  yield reported(
    "drift elimination of velocities alone: |Phi'| over that without",
    (coarse as number) / plain.velocity,
  );
  const softly = run(projection({ solver: "penalty" }), fourBars, 10);
  yield atMost("four-bars, mass-orthogonal projections: |Phi| over 10 s", softly.position, 1e-12);
}

function* integratorRows(): Generator<Figure> {
  const all = Object.values(integrators).map((make) => make());
  const exactly = simulated(pendulum, udwadiaKalaba(), 1e-4).runTo(0.5).q.slice();
  const error = (integrator: (typeof all)[number], step: number) => {
    const method = { formulation: udwadiaKalaba(), integrator };
    const { q } = simulate(pendulum.equations, {
      method,
      step,
      q: pendulum.q,
      v: pendulum.v,
    }).runTo(0.5);
    return Math.max(...q.map((value, i) => Math.abs(value - (exactly[i] as number))));
  };
  const off = all.map((integrator) => {
    const order = Math.log2(error(integrator, 1 / 128) / error(integrator, 1 / 512)) / 2;
    return Math.abs(order - integrator.order);
  });
  yield atMost(
    `of ${all.length} integrators, worst distance of the order from the one they tell`,
    Math.max(...off),
    0.2,
  );
}

/** Welch et al., section IV: unstable with alpha = beta = 1 / h in the first-order scheme. */
function* firstOrderBaumgarte(): Generator<Figure> {
  const radius = (damping: number) => {
    const stabilisation = baumgarte({ alpha: (h) => damping / h, beta: (h) => 1 / h });
    const method = { formulation: udwadiaKalaba(), stabilisation, integrator: semiImplicitEuler() };
    return spectralRadius(4, linearMap(pendulum.equations, { method, step: 0.01, q: [0, -1] }));
  };
  const golden = (1 + Math.sqrt(5)) / 2;
  yield near(
    "first-order Baumgarte, alpha = beta = 1 / h: spectral radius",
    radius(1),
    golden,
    1e-5,
  );
  yield atMost(
    "first-order Baumgarte, alpha = 1 / 2h, beta = 1 / h: spectral radius",
    radius(0.5),
    1 + 1e-3,
  );
}
