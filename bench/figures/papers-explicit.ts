// The papers' explicit methods: stabilised ODE and post-stabilisation, half-explicit methods, extrapolation and the projection operator,
// each compared with its row in docs/methods.md and docs/theory.

import {
  ascher,
  type CoupledMethod,
  extrapolation,
  halfExplicit,
  heun,
  type Integrator,
  type Method,
  postStabilisation,
  projection,
  projectionOperator,
  rk4,
  type Stabilisation,
  simulate,
  udwadiaKalaba,
  velocityTransformation,
} from "nodrift";
import { compile } from "nodrift/bodies";
import { bennett, sliderCrank3d } from "nodrift/mechanisms";
import {
  distanceFromSaddle,
  drift,
  formulationProblems,
  redundantProblem,
  simulated,
  survives,
} from "#experiments";
import { atLeast, atMost, type Figure, near } from "./figure.js";

const { drivenPendulum, fourBars, pendulum, sleigh, sliderCrank } = formulationProblems;
type Problem = Pick<typeof pendulum, "equations" | "q" | "v">;

const COUPLED: readonly CoupledMethod[] = [
  ...([3, 4, 5] as const).map((order) => halfExplicit({ order })),
  ...[2, 4, 6].map((order) => extrapolation({ order })),
];
const OPERATORS = [projectionOperator(), projectionOperator({ basis: "svd" })];
const COLUMNS = velocityTransformation();
const FORMULATIONS = [...OPERATORS, COLUMNS];
/** With a fixed gain, which keeps the order. */
const FIXED = [ascher({ gain: 10 }), ascher({ gain: 10, metric: "identity" })];
const FOLLOWING = [ascher(), ascher({ metric: "identity" })];
const POST = [
  postStabilisation(),
  postStabilisation({ form: "diagonal", times: 2 }),
  postStabilisation({ metric: "identity" }),
];

const stabilised = (stabilisation: Stabilisation, integrator: Integrator = rk4()): Method => ({
  formulation: udwadiaKalaba(),
  stabilisation,
  integrator,
});
const trusted = stabilised(projection());
const WHAT = ["positions", "velocities", "multipliers"] as const;

export async function* paperExplicitFigures(): AsyncGenerator<Figure> {
  yield* orders();
  yield* drifts();
  yield* rows();
  yield* accelerations();
  yield* loops();
}

const MOST_STEPS = 4096;
/**
 * Errors above this multiple of the error of the trusted motion determine an order; the latter is its difference from
 * a run with half the steps.
 */
const TELLING = 30;
const ERROR_TOLERANCE = 1e-13;

type Errors = (method: Method, steps: number) => readonly number[];

/** Orders of several errors, each from the two finest step counts with significant errors. */
function ordersOf(errors: Errors, method: Method, noise: readonly number[], fewest = 64): number[] {
  const lists: (readonly number[])[] = [errors(method, fewest)];
  const tells = (error: number, i: number) =>
    error >= TELLING * Math.max(ERROR_TOLERANCE, noise[i]!);
  for (let steps = 2 * fewest; steps <= MOST_STEPS && lists.at(-1)!.some(tells); steps *= 2) {
    lists.push(errors(method, steps));
  }
  return noise.map((_, i) => {
    let fine = lists.length - 1;
    while (fine > 1 && !tells(lists[fine]![i]!, i)) fine--;
    return Math.log2(lists[fine - 1]![i]! / lists[fine]![i]!);
  });
}

/** Worst errors of q, v and multipliers at eight times: at a single one leading terms may cancel. */
function errorsOf({ equations, q, v }: Problem, end: number): Errors {
  const path = (method: Method, steps: number) => {
    const run = simulate(equations, { method, step: end / steps, q, v });
    return Array.from({ length: 8 }, () => {
      run.advance(steps / 8);
      return [[...run.q], [...run.v], [...run.multipliers()]];
    });
  };
  const exact = path(trusted, 2 * MOST_STEPS);
  return (method, steps) => {
    const found = path(method, steps);
    return WHAT.map((_, i) => Math.max(...found.map((at, k) => distance(at[i]!, exact[k]![i]!))));
  };
}

function* orders(): Generator<Figure> {
  const problems = [
    ["pendulum", pendulum, 1.5],
    ["driven pendulum", drivenPendulum, 1.5],
    ["sleigh", sleigh, 4],
  ] as const;
  const cases: (readonly [name: string, method: Method, order: number])[] = [
    ...COUPLED.map((coupled) => [coupled.name, { coupled }, coupled.order] as const),
    ...OPERATORS.map((formulation) => {
      const method = { formulation, stabilisation: postStabilisation(), integrator: rk4() };
      return [`${formulation.name} + postStabilisation + rk4`, method, 4] as const;
    }),
    [`${COLUMNS.name} + rk4`, { formulation: COLUMNS, integrator: rk4() }, 4],
    ...FIXED.map((one) => [`${one.name}, gain 10, rk4`, stabilised(one), 4] as const),
    ...POST.map((one) => [`${one.name}, rk4`, stabilised(one), 4] as const),
    ...POST.map((one) => [`${one.name}, heun`, stabilised(one, heun()), 2] as const),
  ];
  for (const [where, problem, end] of problems) {
    const errors = errorsOf(problem, end);
    const noise = errors(trusted, MOST_STEPS);
    for (const [name, method, order] of cases) {
      const found = ordersOf(errors, method, noise);
      for (const [i, what] of WHAT.entries()) {
        yield near(`${where}, ${name}: order of ${what}`, found[i] as number, order, 0.2);
      }
    }
  }
}

const runOf = (problem: Problem, coupled: CoupledMethod, step: number) =>
  simulate(problem.equations, { method: { coupled }, step, q: problem.q, v: problem.v });

function* drifts(): Generator<Figure> {
  const name = "slider-crank, 10 s at 0.01";
  for (const coupled of COUPLED) {
    const { position, velocity, exponent } = drift(runOf(sliderCrank, coupled, 0.01), 10);
    yield atMost(`${name}, ${coupled.name}: |Phi'|`, velocity, 1e-13);
    if (coupled.level === "position") {
      yield atMost(`${name}, ${coupled.name}: |Phi|`, position, 1e-13);
    } else yield atMost(`${name}, ${coupled.name}: growth of |Phi| with t^k, k`, exponent, 1.2);
  }
  const own = drift(simulated(sliderCrank, COLUMNS, 0.01), 10);
  yield atMost(`${name}, ${COLUMNS.name}: |Phi'|`, own.velocity, 1e-13);
  yield atMost(`${name}, ${COLUMNS.name}: growth of |Phi| with t^k, k`, own.exponent, 1.2);
  for (const one of [...POST, ...FIXED, ...FOLLOWING]) {
    const found = drift(simulated(sliderCrank, udwadiaKalaba(), 0.01, one), 10);
    const words = `${name}, ${one.name}${FIXED.includes(one) ? ", gain 10" : ""}`;
    if (POST.includes(one)) {
      yield atMost(`${words}: |Phi|`, found.position, 1e-13);
      yield atMost(`${words}: |Phi'|`, found.velocity, 1e-13);
    } else yield atMost(`${words}: growth of |Phi| with t^k, k`, found.exponent, 0.1);
  }
}

/** Errors below this count as survival, as for formulations. */
const SURVIVING = 1e-3;

function* rows(): Generator<Figure> {
  const keeps = (coupled: CoupledMethod, problem: Problem) => {
    try {
      return drift(runOf(problem, coupled, 0.01), 10).position < SURVIVING;
    } catch {
      return false;
    }
  };
  const against = (is: boolean, says: boolean) => (is === says ? 0 : 1);
  const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
  const redundant = [
    ...COUPLED.map((one) => against(keeps(one, redundantProblem), one.survivesRedundantRows)),
    ...FORMULATIONS.map((one) =>
      against(survives(redundantProblem, one, 0.01), one.survivesRedundantRows),
    ),
  ];
  yield atMost(
    `of ${redundant.length} explicit methods, with a redundant row not as they say`,
    sum(redundant),
    0,
  );
  const singular = [
    ...COUPLED.map((one) => against(keeps(one, fourBars), one.survivesSingularPoses)),
    ...FORMULATIONS.map((one) => against(survives(fourBars, one, 0.01), one.survivesSingularPoses)),
  ];
  yield atMost(
    `of ${singular.length} explicit methods, at singular poses not as they say`,
    sum(singular),
    0,
  );
  const all = [...FIXED, ...FOLLOWING, ...POST];
  const lost = all.filter((one) =>
    [redundantProblem, fourBars].some(
      (problem) =>
        !(drift(simulated(problem, udwadiaKalaba(), 0.01, one), 10).position < SURVIVING),
    ),
  );
  yield atMost(
    `of ${all.length} stabilisations, lost by a redundant row or at singular poses`,
    lost.length,
    0,
  );
}

function* accelerations(): Generator<Figure> {
  for (const formulation of FORMULATIONS) {
    const distances = Object.values(formulationProblems).map((problem) =>
      distanceFromSaddle(problem, formulation, 200),
    );
    yield atMost(
      `${formulation.name}: accelerations against the saddle point system, 200 states of ${distances.length} systems`,
      Math.max(...distances),
      1e-12,
    );
  }
}

/**
 * Loops in space in both kinds of coordinates. Rows of Bennett's linkage are redundant on the constraints only;
 * errors of the slider-crank fall faster than required.
 */
async function* loops(): AsyncGenerator<Figure> {
  const models = [
    ["slider-crank in space", sliderCrank3d(), 1, 64],
    ["bennett", bennett({ angle: 1, rate: 3 }), 1, 16],
  ] as const;
  for (const [name, model, end, fewest] of models) {
    for (const coordinates of ["maximal", "relative"] as const) {
      const source = await compile(model, { coordinates });
      const path = (method: Method, steps: number) => {
        const run = source.simulate({ method, step: end / steps });
        return Array.from({ length: 4 }, () => [...run.advance(steps / 4).q]);
      };
      const exact = path(trusted, 2 * MOST_STEPS);
      const errors: Errors = (method, steps) => [
        Math.max(...path(method, steps).map((q, k) => distance(q, exact[k]!))),
      ];
      const noise = errors(trusted, MOST_STEPS);
      const cases: (readonly [string, Method, number])[] = [
        ...COUPLED.map((coupled) => [coupled.name, { coupled }, coupled.order] as const),
        [`${COLUMNS.name} + rk4`, { formulation: COLUMNS, integrator: rk4() }, 4],
      ];
      for (const [who, method, wanted] of cases) {
        const order = ordersOf(errors, method, noise, fewest)[0]!;
        const figure = `${name}, ${coordinates}, ${who}: order of positions`;
        if (name === "bennett") yield near(figure, order, wanted, 0.2);
        else yield atLeast(figure, order, wanted - 0.2);
      }
    }
  }
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...b.map((value, i) => (a[i] as number) - value));
}
