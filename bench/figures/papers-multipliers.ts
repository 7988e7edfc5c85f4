// Methods of the papers' references that keep multipliers: orders, drift, redundant and singular rows; scheme (43) of
// Welch et al. compared with an independent program; and the cost of null space bases.

import { type Method, projection, rk4, simulate, staggered, udwadiaKalaba, welch } from "nodrift";
import { compile, model } from "nodrift/bodies";
import { BasisKind, checkStatus } from "nodrift/kernels";
import { threeLinkPendulum } from "nodrift/mechanisms";
import { fuhrerLeimkuhler, radau5, sdirk4 } from "nodrift/solve";
import {
  comparisons,
  drift,
  exactAngles,
  formulationProblems,
  redundantProblem,
  runAgainstReference,
  threeLinksByScheme43,
} from "#experiments";
import { seeded } from "../../test/support/random.js";
import { tangentProblem } from "../cases/tangent.js";
import { median } from "../support/race.js";
import { atMost, type Figure, near } from "./figure.js";

const { bowl, sliderCrank } = formulationProblems;
type Problem = typeof bowl;

export async function* paperMultiplierFigures(): AsyncGenerator<Figure> {
  yield* staggeredRows();
  yield* indexOne();
  yield* printedScheme();
  yield* basisCosts();
}

const begin = ({ equations, q, v }: Problem, method: Method, step: number) =>
  simulate(equations, { method, step, q, v });

const distance = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i]!)));

/** The motion, up to errors of 1e-13 or so. */
const exactly = (problem: Problem, until: number) => {
  const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: rk4() };
  return begin(problem, method, until / 8192).advance(8192);
};

const WHAT = ["positions", "velocities", "multipliers"] as const;

/** log2 of errors at a number of steps over those at twice as many, of positions, velocities and multipliers. */
function* orders(
  name: string,
  errors: (steps: number) => readonly number[],
  steps: number,
  wanted: readonly number[],
): Generator<Figure> {
  const [coarse, fine] = [errors(steps), errors(2 * steps)];
  for (const [i, order] of wanted.entries()) {
    yield near(`${name}: order of ${WHAT[i]}`, Math.log2(coarse[i]! / fine[i]!), order, 0.2);
  }
}

/** Park and Chiou. */
async function* staggeredRows(): AsyncGenerator<Figure> {
  const method = { coupled: staggered() };
  const end = 0.5;
  const errors = (problem: Problem) => (steps: number) => {
    const step = end / steps;
    const simulation = begin(problem, method, step).advance(steps);
    const { q, v, multipliers } = {
      q: simulation.q.slice(),
      v: simulation.v.slice(),
      multipliers: simulation.stepMultipliers(),
    };
    const next = simulation.advance().stepMultipliers();
    const mean = multipliers.map((value, i) => (value + next[i]!) / 2);
    const exact = exactly(problem, end);
    return [distance(q, exact.q), distance(v, exact.v), distance(mean, exact.multipliers())];
  };
  yield* orders("staggered, bowl, mean multipliers of two steps", errors(bowl), 512, [2, 2, 2]);
  yield* orders("staggered, slider-crank, the same", errors(sliderCrank), 512, [2, 2, 2]);
  const { exponent } = drift(begin(sliderCrank, method, 0.005), 10);
  yield atMost("staggered, slider-crank, 10 s: exponent of the drift", exponent, 1.2);
  const velocityError = (until: number) => {
    let largest = 0;
    begin(sliderCrank, method, 0.005).runTo(until, (simulation) => {
      largest = Math.max(largest, simulation.constraintError().velocity);
    });
    return largest;
  };
  const growth = velocityError(20) / velocityError(5);
  yield atMost("staggered, slider-crank: |Phi'| in 20 s over that in 5 s", growth, 2);
  const [once, twice] = [sliderCrank, redundantProblem].map(
    (problem) => begin(problem, method, 1e-3).runTo(1).q,
  );
  yield atMost("staggered: change by a redundant row", distance(once!, twice!), 1e-8);
  const angles = exactAngles(comparisons.fourBars, 10);
  const { motion } = runAgainstReference(comparisons.fourBars, angles, method, 1e-3);
  yield atMost("staggered: error through singular poses, 10 s at 1e-3", motion, 1e-3);
}

/** Fuhrer and Leimkuhler. */
async function* indexOne(): AsyncGenerator<Figure> {
  const rows = [
    [fuhrerLeimkuhler(), radau5(), 32, [5, 5, 5]],
    [fuhrerLeimkuhler(), sdirk4(), 128, [2, 2, 2]],
    [fuhrerLeimkuhler({ form: "overdetermined" }), radau5(), 32, [5, 5, 5]],
    // Errors are far above the residual of its iterations here, 1e-10.
    [fuhrerLeimkuhler({ form: "overdetermined" }), sdirk4(), 16, [4, 4, 4]],
  ] as const;
  for (const [formulation, integrator, steps, wanted] of rows) {
    const method = { formulation, integrator };
    const errors = (count: number) => {
      const simulation = begin(bowl, method, 0.5 / count).advance(count);
      const exact = exactly(bowl, 0.5);
      return [
        distance(simulation.q, exact.q),
        distance(simulation.v, exact.v),
        distance(simulation.stepMultipliers(), exact.multipliers()),
      ];
    };
    yield* orders(`${formulation.name} + ${integrator.name}, bowl`, errors, steps, wanted);
  }
  for (const form of ["stabilised", "overdetermined"] as const) {
    const formulation = fuhrerLeimkuhler({ form });
    const { name } = formulation;
    const method = { formulation, integrator: radau5() };
    const { position, velocity } = drift(begin(sliderCrank, method, 0.01), 10);
    yield atMost(`${name} + radau5, slider-crank, 10 s: |Phi|`, position, 1e-10);
    yield atMost(`${name} + radau5, slider-crank, 10 s: |Phi'|`, velocity, 1e-10);
    yield atMost(`${name}: redundant rows of equations not refused by name`, refusal(method), 0);
    yield atMost(`${name}: door on two hinges at 1 s against one hinge`, await doors(method), 1e-8);
  }
}

/** 0 if a redundant row of equations is rejected with its name. */
function refusal(method: Method): number {
  try {
    begin(redundantProblem, method, 0.01).advance(10);
    return 1;
  } catch (error) {
    return error instanceof Error && /depend/.test(error.message) ? 0 : 1;
  }
}

/** A door on two hinges, one of them redundant, and on one: distance of the positions. */
async function doors(method: Method): Promise<number> {
  const [one, two] = await Promise.all(
    [[0.5], [0.5, -0.5]].map(async (heights) => {
      const m = model({ gravity: [2, 1, -9.81] });
      const door = m.body({ name: "door", mass: 10, inertia: [2, 2, 1], position: [0.4, 0, 0] });
      for (const z of heights) {
        m.revolute({
          name: `hinge ${z}`,
          between: [m.ground, door],
          at: [0, 0, z],
          axis: [0, 0, 1],
        });
      }
      const compiled = await compile(m, { coordinates: "maximal" });
      return compiled.simulate({ method, step: 0.01 }).runTo(1).q;
    }),
  );
  return distance(one!, two!);
}

/** Scheme (43), three links in space. */
async function* printedScheme(): AsyncGenerator<Figure> {
  const [step, count] = [4e-4, 10000];
  const links = await compile(threeLinkPendulum({ pin: "world" }), { coordinates: "maximal" });
  const coupled = welch({ passes: 1, midpoint: "printed" });
  const simulation = links.simulate({ step, method: { coupled } }).advance(count);
  const states = [count, count + 1].map((steps) => threeLinksByScheme43(step, steps * step));
  const positions = states[0]!.r.flatMap((centre, i) => [...centre, ...states[0]!.e[i]!]);
  const [before, after] = states.map(({ u, w }) => u.flatMap((one, i) => [...one, ...w[i]!]));
  const v = simulation.v.slice();
  const name = "scheme (43) as printed, three links at 4 s, step 4e-4: largest difference of";
  yield atMost(`${name} a coordinate`, distance(positions, simulation.q), 1e-11);
  // Rounding of Phi over the step, 1e-12 m/s in each, changes its sign in every step and is not damped (the
  // eigenvalue -1 of the scheme).
  yield atMost(`${name} a velocity`, distance(before!, v), 1e-11);
  const next = simulation.advance().v;
  yield atMost(
    `${name} a velocity, mean of two steps`,
    distance(
      before!.map((value, i) => (value + after![i]!) / 2),
      v.map((value, i) => (value + next[i]!) / 2),
    ),
    1e-11,
  );
}

/** Bases of 30 rows in 60 coordinates, in turn: medians of ratios. */
function* basisCosts(): Generator<Figure> {
  const [m, n, rounds, repeats] = [30, 60, 60, 20];
  const timed = (kind: BasisKind) => {
    const { kernels, jacobian, mass, record } = tangentProblem(seeded(3), n, m).memory;
    const places = [jacobian.address, mass.address, 0, record.address] as const;
    return () => {
      const start = performance.now();
      for (let i = 0; i < repeats; i++) {
        checkStatus("tangentChoose", kernels.tangentChoose(n, m, kind, 0, 0, ...places));
      }
      return performance.now() - start;
    };
  };
  const runs = [BasisKind.QR, BasisKind.LU, BasisKind.GRAM_SCHMIDT].map(timed);
  for (let i = 0; i < 20; i++) for (const run of runs) run();
  const times = Array.from({ length: rounds }, () => runs.map((run) => run()));
  const ratio = (i: number) => median(times.map((round) => round[i]! / round[0]!));
  yield atMost("LU basis against QR at 30 x 60: ratio of times", ratio(1), 0.6);
  yield atMost("Gram-Schmidt basis against QR at 30 x 60: ratio of times", ratio(2), 1);
}
