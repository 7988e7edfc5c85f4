import { driftElimination, rk4, simulate, udwadiaKalaba, welch } from "nodrift";
import { equations, ode } from "nodrift/formulas";
import { ode as odeByFunction, parseMethod, solve } from "nodrift/solve";
import { doublePendulumFormulas, sliderCrankFormulas } from "../../test/support/paper-formulas.js";
import { DriftEliminationStepper } from "../baseline/drift-elimination.js";
import { doublePendulumModel, WelchStepper } from "../baseline/welch.js";
import { sliderCrankModel } from "../contests/step.js";
import { race, speedup } from "../support/race.js";
import { atLeast, type Figure } from "./figure.js";

const STEP = 1e-3;
const ROUNDS = 15;

/** Steps of compiled equations against the same algorithm in JavaScript. */
export function* compiledSpeedFigures(): Generator<Figure> {
  const rest = [0, 0, 0, 0];
  const method = {
    formulation: udwadiaKalaba(),
    stabilisation: driftElimination(),
    integrator: rk4(),
  };
  const crank = simulate(equations(sliderCrankFormulas), { method, step: STEP, q: rest });
  const crankByHand = new DriftEliminationStepper(sliderCrankModel(), rest, rest);
  const cranks = race(
    { wasm: () => crank.advance().q[2], js: () => crankByHand.step(STEP) },
    { rounds: 15, time: 25 },
  );
  yield atLeast(
    "slider-crank by formulas, RK4 step with drift elimination, times faster than JavaScript",
    speedup(cranks, "js"),
    3,
  );
  const pendulum = equations(doublePendulumFormulas);
  const start = pendulum.q as ArrayLike<number>;
  const swing = simulate(pendulum, { method: { coupled: welch() }, step: STEP, q: start });
  const swingByHand = new WelchStepper(doublePendulumModel(), start);
  const swings = race(
    { wasm: () => swing.advance().q[2], js: () => swingByHand.step(STEP) },
    { rounds: 15, time: 25 },
  );
  yield atLeast(
    "double pendulum by formulas, step of Welch's scheme (44), times faster than JavaScript",
    speedup(swings, "js"),
    3,
  );
  yield* stiffFigures();
}

const CELLS = 200;
const DIFFUSION = 4e4;

/** Stiff problems by formulas, and by functions with finite-difference df/dy. */
function* stiffFigures(): Generator<Figure> {
  const problems = [
    {
      name: "Robertson",
      times: 2,
      formulas: ode({
        unknowns: ["a", "b", "c"],
        parameters: { k1: 0.04, k2: 3e7, k3: 1e4 },
        rates: { a: "-k1*a + k3*b*c", b: "k1*a - k3*b*c - k2*b^2", c: "k2*b^2" },
      }),
      functions: odeByFunction({
        names: ["a", "b", "c"],
        rate: (_t, y, out) => {
          out[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
          out[2] = 3e7 * y[1] * y[1];
          out[1] = -out[0] - out[2];
        },
      }),
      options: { span: [0, 1e4], y: [1, 0, 0], tolerance: 1e-8 },
    },
    {
      name: "Van der Pol",
      times: 2,
      formulas: ode({
        unknowns: ["y", "z"],
        parameters: { mu: 1000 },
        rates: { y: "z", z: "mu*((1 - y^2)*z) - y" },
      }),
      functions: odeByFunction({
        names: ["y", "z"],
        rate: (_t, y, out) => {
          out[0] = y[1];
          out[1] = 1000 * ((1 - y[0] * y[0]) * y[1]) - y[0];
        },
      }),
      options: { span: [0, 2000], y: [2, 0], tolerance: 1e-8 },
    },
    {
      name: "diffusion in 200 cells",
      times: 8,
      formulas: ode({
        unknowns: [`u[1..${CELLS}]`],
        parameters: { d: DIFFUSION },
        rates: {
          "u[1]": "d*(u[2] - 2*u[1])",
          [`u[i=2..${CELLS - 1}]`]: "d*(u[i-1] - 2*u[i] + u[i+1])",
          [`u[${CELLS}]`]: `d*(u[${CELLS - 1}] - 2*u[${CELLS}])`,
        },
      }),
      functions: odeByFunction({
        names: CELLS,
        rate: (_t, u, out) => {
          const last = CELLS - 1;
          out[0] = DIFFUSION * (u[1] - 2 * u[0]);
          for (let i = 1; i < last; i++) out[i] = DIFFUSION * (u[i - 1] - 2 * u[i] + u[i + 1]);
          out[last] = DIFFUSION * (u[last - 1] - 2 * u[last]);
        },
      }),
      options: {
        span: [0, 1],
        y: Array.from({ length: CELLS }, (_, i) => Math.sin((Math.PI * (i + 1)) / (CELLS + 1))),
        tolerance: 1e-6,
      },
    },
  ] as const;
  for (const { name, times, formulas, functions, options } of problems) {
    const given = { ...options, method: parseMethod("radau5"), output: "ends" } as const;
    const timed = (run: () => unknown) => {
      const before = performance.now();
      run();
      return performance.now() - before;
    };
    // The minimum of each, measured in turn, because other processes only add time.
    let [mine, theirs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < ROUNDS; round++) {
      mine = Math.min(
        mine,
        timed(() => solve(formulas, given)),
      );
      theirs = Math.min(
        theirs,
        timed(() => solve(functions, given)),
      );
    }
    yield atLeast(
      `${name} with radau5, times less CPU than with functions and differences`,
      theirs / mine,
      times,
    );
  }
}
