import { formulaEquations, solve, welchDoublePendulum } from "../nodrift.mjs";
import { STATE_SIZE } from "../problems/problem.mjs";
import { compiledModel, readBodies } from "./nodrift-model.mjs";

const LOOKS = 500;

/**
 * @param {import("../problems/problem.mjs").Problem} problem
 * @param {(times: readonly number[]) => object} solveAt
 * @param {(solution: object, time: number, state: Float64Array) => void} read
 * @returns {import("./contestant.mjs").Run}
 */
function solvedRun(problem, solveAt, read) {
  const { until, bodies } = problem;
  const finished = (times) => {
    const solution = solveAt(times);
    if (solution.status !== "finished") throw new Error(`solve ended as ${solution.status}`);
    return solution;
  };
  let last;
  return {
    run() {
      last = finished([until]);
    },
    watch(each) {
      const times = Array.from({ length: LOOKS }, (_, i) => (until * (i + 1)) / LOOKS);
      last = finished(times);
      const state = new Float64Array(STATE_SIZE * bodies.length);
      for (const time of times) {
        read(last, time, state);
        each(state);
      }
    },
    steps: () => last?.statistics.steps ?? Number.NaN,
    free: () => {},
  };
}

/** @type {import("./contestant.mjs").Contestant["refuses"]} */
const missing = () => (solve === undefined ? "not there: dist/solve.js is not built" : undefined);

/** @type {import("./contestant.mjs").Contestant} */
const mechanism = {
  name: "nodrift adaptive",
  peer: "nodrift",
  maximal: true,
  setting: "tolerance",
  refuses: missing,
  async start(problem, tolerance) {
    const compiled = await compiledModel(problem);
    const span = [0, problem.until];
    return solvedRun(
      problem,
      (times) => solve(compiled, { span, tolerance, output: { times } }),
      (solution, time, state) => {
        const { q, v } = solution.at(time);
        readBodies(q, v, state);
      },
    );
  },
};

/**
 * The pendulum given by functions, in six planar coordinates.
 *
 * @type {import("./contestant.mjs").Contestant}
 */
const equations = {
  name: "nodrift adaptive, equations",
  peer: "nodrift",
  maximal: true,
  setting: "tolerance",
  refuses: (problem) =>
    problem.name === "double-pendulum" ? missing(problem) : "has no equations of this problem",
  async start(problem, tolerance) {
    const { equations: system, q, v } = welchDoublePendulum;
    const span = [0, problem.until];
    return solvedRun(
      problem,
      (times) => solve(system, { span, tolerance, q, v, output: { times } }),
      readPlanar,
    );
  },
};

/**
 * The pendulum by its Lagrangian, in its two angles.
 *
 * @type {import("./contestant.mjs").Contestant}
 */
const formulas = {
  name: "nodrift adaptive, formulas",
  peer: "nodrift",
  maximal: false,
  setting: "tolerance",
  refuses: equations.refuses,
  async start(problem, tolerance) {
    const system = formulaEquations({
      coordinates: ["a", "b"],
      parameters: { m: 1, l: 5, g: 10 },
      quantities: {
        x1: "l/2*sin(a)",
        y1: "l/2*cos(a)",
        x2: "l*sin(a) + l/2*sin(b)",
        y2: "l*cos(a) + l/2*cos(b)",
      },
      kinetic: "m/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2) + m*l^2/24*(a'^2 + b'^2)",
      potential: "-m*g*(x1 + x2)",
    });
    const numbers = ["x1", "y1", "a", "x2", "y2", "b"].map((name) => [
      system.formula(name),
      system.formula(`${name}'`),
    ]);
    const span = [0, problem.until];
    const seen = (solution, time) => {
      const state = solution.at(time);
      return {
        q: numbers.map(([place]) => place(state)),
        v: numbers.map(([, rate]) => rate(state)),
      };
    };
    return solvedRun(
      problem,
      (times) => solve(system, { span, tolerance, q: [0, 0], v: [0, 0], output: { times } }),
      (solution, time, state) => readPlanar({ at: (t) => seen(solution, t) }, time, state),
    );
  },
};

/** Angles count from +y towards +x: about -z. */
function readPlanar(solution, time, state) {
  const { q, v } = solution.at(time);
  state.fill(0);
  for (let i = 0; i < state.length / STATE_SIZE; i++) {
    const [x, y, angle] = [0, 1, 2].map((k) => q[3 * i + k]);
    const [speedX, speedY, rate] = [0, 1, 2].map((k) => v[3 * i + k]);
    const quaternion = [Math.cos(angle / 2), 0, 0, -Math.sin(angle / 2)];
    state.set([x, y, 0, ...quaternion, speedX, speedY, 0, 0, 0, -rate], STATE_SIZE * i);
  }
}

export const contestants = [mechanism, equations, formulas];
