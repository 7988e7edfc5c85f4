import { lagrange, type Method, type Simulation, simulate } from "nodrift";
import { bdf, directFormulations, radau5, solve, stateSpace } from "nodrift/solve";
import { type PlainProblem, referenceBdf } from "../../test/reference/bdf.js";
import { type BdfProblem, bdfProblems, type Run } from "../../test/support/bdf-problems.js";
import { pendulum } from "../../test/support/bouncing-pendulum.js";
import { bindToMotion, swings } from "../../test/support/integrator-order.js";
import { endingStiffness, familyNames } from "../../test/support/stiff-ends.js";
import { atMost, type Figure, near, reported } from "./figure.js";

const TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
const REFERENCE = 1e-12;
/** Steps of the coarser of two runs, by order. */
const STEPS = [0, 512, 256, 256, 128, 128] as const;

/** Orders, errors in tolerances, work, and problems with ending stiffness, of `bdf()`. */
export async function* paperBdfFigures(): AsyncGenerator<Figure> {
  for (let order = 1; order <= 5; order++) {
    const steps = STEPS[order] as number;
    const found = Math.log2(motionError(order, steps) / motionError(order, 2 * steps));
    yield near(`bdf of order ${order}, steps of one length: measured order`, found, order, 0.2);
  }
  yield* multiplierOrders();
  yield* toleranceFigures();
  yield* stiffEnds();
}

/** The largest error at the ends of fixed steps. */
function motionError(order: number, steps: number): number {
  const bound = bindToMotion(bdf({ order }));
  const h = 2 / steps;
  let worst = 0;
  bound.begin(0);
  for (let k = 0; k < steps; k++) {
    bound.advance(k * h, h);
    bound.stepper.commit(k * h, h);
    for (let i = 0; i < bound.y.length; i++) {
      worst = Math.max(worst, Math.abs(bound.y[i]! - swings.exact((k + 1) * h, i)));
    }
  }
  return worst;
}

const SWING = { q: [Math.cos(-0.3), Math.sin(-0.3)], v: [Math.sin(0.3), Math.cos(0.3)] };
/** At a single time an error may vanish by chance. */
const OUTPUT_TIMES = [8, 9, 10, 11, 12, 13, 14, 15, 16].map((i) => i / 16);
const WHAT = ["positions", "velocities", "multipliers"] as const;

/** BDF of order k has order k in all of them (Lotstedt and Petzold, Math. Comp. 46 (1986) 491-516). */
function* multiplierOrders(): Generator<Figure> {
  const options = {
    span: [0, 1],
    ...SWING,
    tolerance: 1e-13,
    output: { times: OUTPUT_TIMES },
  } as const;
  const solution = solve(pendulum(), options);
  const exact = OUTPUT_TIMES.map((_, i) => {
    const { q, v } = solution.state(i);
    return [[...q], [...v], [9.81 * q[1]! - v[0]! ** 2 - v[1]! ** 2]];
  });
  const errors = (method: Method, steps: number): number[] => {
    const simulation = simulate(pendulum(), { method, step: 1 / steps, ...SWING });
    const worst = [0, 0, 0];
    for (const [i, known] of exact.entries()) {
      simulation.advance(i === 0 ? steps / 2 : steps / 16);
      const found = [simulation.q, simulation.v, multipliersOf(simulation, method)];
      for (const [k, values] of known.entries()) {
        for (const [j, value] of values.entries()) {
          worst[k] = Math.max(worst[k]!, Math.abs(found[k]![j]! - value));
        }
      }
    }
    return worst;
  };
  for (const formulation of [lagrange(), stateSpace(), ...directFormulations]) {
    for (let order = 1; order <= 5; order++) {
      const index = formulation.index || 1;
      // Multipliers as unknowns show rounding over h^2 in shorter steps; the other methods need such steps to reach
      // their order.
      const steps = (index === 1 ? 2 : 1) * (STEPS[order] as number);
      const method = { formulation, integrator: bdf({ order }) };
      const [coarse, fine] = [errors(method, steps), errors(method, 2 * steps)];
      for (const [k, what] of WHAT.entries()) {
        const found = Math.log2(coarse[k]! / fine[k]!);
        const name = `pendulum, ${formulation.name} (index ${index}) + bdf of order ${order}`;
        yield near(`${name}: order of ${what}`, found, order, 0.2);
      }
    }
  }
}

function multipliersOf(simulation: Simulation, method: Method): ArrayLike<number> {
  const isUnknown = "formulation" in method && method.formulation.index > 0;
  return isUnknown ? simulation.stepMultipliers() : simulation.multipliers();
}

/** Errors of eight times, relative to 1 + |y|, over the tolerance: the worst of all tolerances; and their cost. */
function* toleranceFigures(): Generator<Figure> {
  const [ofBdf, ofRadau] = [bdf(), radau5()];
  const total = { bdf: noCosts(), radau5: noCosts() };
  for (const problem of bdfProblems()) {
    const exact = problem.run(ofRadau, REFERENCE).values;
    const worst = { bdf: 0, radau5: 0, oracle: 0, ratio: 0 };
    for (const tolerance of TOLERANCES) {
      const runs = { bdf: problem.run(ofBdf, tolerance), radau5: problem.run(ofRadau, tolerance) };
      for (const name of ["bdf", "radau5"] as const) {
        worst[name] = Math.max(worst[name], errorOf(runs[name], exact) / tolerance);
        add(total[name], runs[name]);
      }
      if (problem.plain === undefined) continue;
      const oracle = oracleRun(problem, problem.plain, tolerance);
      worst.oracle = Math.max(worst.oracle, distance(oracle.values, exact) / tolerance);
      worst.ratio = Math.max(worst.ratio, runs.bdf.steps / oracle.steps);
    }
    const what = `${problem.name}, 1e-3 .. 1e-8: error / tolerance`;
    yield atMost(`${what} of bdf`, worst.bdf, 10);
    yield reported(`${what} of radau5`, worst.radau5);
    if (problem.plain === undefined) continue;
    yield reported(`${what} of an independent BDF, as much allowed in a step`, worst.oracle);
    yield reported(`${problem.name}: steps of bdf over those of the independent BDF`, worst.ratio);
  }
  for (const what of ["steps", "evaluations", "jacobians", "factorisations"] as const) {
    for (const name of ["bdf", "radau5"] as const) {
      yield reported(`all twelve, all tolerances: ${what} of ${name}`, total[name][what]);
    }
  }
}

/** Error that bdf() allows in a step at a tolerance; see docs/stiff.md. */
export function oracleRun(problem: BdfProblem, plain: PlainProblem, tolerance: number) {
  const part = plain.positions === undefined ? 1 : INDEX_3_PART;
  const local = 0.2 * part * tolerance ** 1.2;
  return referenceBdf(plain, problem.times, local, 1e-3 * Math.sqrt(local));
}

/** Part of the tolerance that steps of the index-3 form may use: src/methods/direct/stage-equations.ts. */
const INDEX_3_PART = 0.05;

type Costs = Record<"steps" | "evaluations" | "jacobians" | "factorisations", number>;

const noCosts = (): Costs => ({ steps: 0, evaluations: 0, jacobians: 0, factorisations: 0 });

function add(costs: Costs, run: Run): void {
  for (const what of Object.keys(costs) as (keyof Costs)[]) costs[what] += run[what];
}

function errorOf({ status, values }: Run, exact: readonly number[]): number {
  return status === "finished" ? distance(values, exact) : Number.POSITIVE_INFINITY;
}

function distance(values: readonly number[], exact: readonly number[]): number {
  if (values.length !== exact.length) return Number.POSITIVE_INFINITY;
  return exact.reduce(
    (most, value, i) => Math.max(most, Math.abs(values[i]! - value) / (1 + Math.abs(value))),
    0,
  );
}

const PROBLEMS = 300;
const END_TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7];

/** The problems of silent-stiff-ends.ts, with its bound. */
async function* stiffEnds(): AsyncGenerator<Figure> {
  let [runs, wrong, unfinished] = [0, 0, 0];
  for (let seed = 2001; runs < PROBLEMS; seed++) {
    for (const family of familyNames) {
      const problem = endingStiffness(family, seed);
      if (problem === undefined || runs >= PROBLEMS) continue;
      const tolerance = END_TOLERANCES[runs++ % END_TOLERANCES.length] as number;
      const { status, error } = await problem.solve(tolerance, { integrator: bdf() });
      if (status !== "finished") unfinished++;
      else if (!(error <= 1000)) wrong++;
    }
  }
  const name = `bdf: % of ${runs} runs with stiffness that changes, finished and off by > 1000 tolerances`;
  yield atMost(name, (100 * wrong) / runs, 0.3);
  yield reported("bdf: of these not finished", unfinished);
}
