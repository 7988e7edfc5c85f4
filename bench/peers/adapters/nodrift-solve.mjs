import { solve, welchDoublePendulum } from "../nodrift.mjs";
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
 * The same pendulum given by functions, in six planar coordinates.
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

export const contestants = [mechanism, equations];
