// Direct implicit integration (Laulusa and Bauchau 2008, section 3; Negrut, Haug and German 2003, eqs. 9 and 11): orders of
// positions, velocities and multipliers, drift, and work against state space at equal errors.

import { type Method, type Simulation, simulate } from "nodrift";
import { compile } from "nodrift/bodies";
import {
  heavyTop,
  sliderCrank3d,
  stiffPendulumCartesian,
  welchSliderCrank,
} from "nodrift/mechanisms";
import {
  directMethods,
  gearGuptaLeimkuhler,
  index2,
  index3,
  radau5,
  sdirk4,
  solve,
} from "nodrift/solve";
import { cpuSeconds, inStateSpace } from "#experiments";
import { type WorkPoint, workAt } from "../../docs/make/work-precision-runs.js";
import { median } from "../support/race.js";
import { atMost, type Figure, near, reported } from "./figure.js";

type Orders = readonly [q: number, v: number, lambda: number];

const RADAU: readonly (readonly [Method, Orders])[] = [
  [{ formulation: index3(), integrator: radau5() }, [5, 3, 2]],
  [{ formulation: index2(), integrator: radau5() }, [5, 5, 3]],
  [{ formulation: gearGuptaLeimkuhler(), integrator: radau5() }, [5, 5, 3]],
];
const SDIRK: readonly (readonly [Method, Orders])[] = [
  [{ formulation: index2(), integrator: sdirk4() }, [2, 2, 1]],
  [{ formulation: gearGuptaLeimkuhler(), integrator: sdirk4() }, [2, 2, 1]],
];
const ALPHA = directMethods.map((coupled) => [{ coupled }, [2, 2, 2]] as const);

const nameOf = (method: Method) =>
  "coupled" in method
    ? method.coupled.name
    : `${method.formulation.name} + ${method.integrator.name}`;

/** A motion to a time, with fixed steps. */
interface Problem {
  readonly name: string;
  readonly end: number;
  /** Steps of the coarser of two runs, by kind of method. */
  readonly steps: { readonly radau: number; readonly other: number };
  begin(method: Method, step: number): Simulation;
}

const WHAT = ["positions", "velocities", "multipliers"] as const;

async function problems(): Promise<Problem[]> {
  const crank = welchSliderCrank;
  const stiff = stiffPendulumCartesian();
  // After its fastest decay, with a rate of 1e5, which these steps do not resolve.
  const slow = solve(stiff.equations, {
    span: [0, 0.1],
    q: stiff.q,
    v: stiff.v,
    tolerance: 1e-12,
    method: inStateSpace(radau5()),
    output: "ends",
  }).end;
  const top = await compile(heavyTop(), { coordinates: "maximal" });
  return [
    {
      name: "slider-crank",
      end: 0.5,
      steps: { radau: 50, other: 400 },
      begin: (method, step) => simulate(crank.equations, { method, step, q: crank.q, v: crank.v }),
    },
    {
      name: "heavy top",
      end: 0.05,
      steps: { radau: 30, other: 200 },
      begin: (method, step) => top.simulate({ method, step }),
    },
    {
      name: "stiff pendulum",
      end: 0.2,
      steps: { radau: 20, other: 200 },
      begin: (method, step) => simulate(stiff.equations, { method, step, q: slow.q, v: slow.v }),
    },
  ];
}

/** Orders, drift, derivatives and work of direct methods. */
export async function* implicitPaperFigures(): AsyncGenerator<Figure> {
  for (const problem of await problems()) yield* ordersOf(problem);
  yield* drift();
  yield* work();
}

function* ordersOf({ name, end, steps, begin }: Problem): Generator<Figure> {
  const best = { formulation: gearGuptaLeimkuhler(), integrator: radau5() };
  const fine = 32 * steps.radau;
  const exact = begin(best, end / fine);
  exact.advance(fine);
  const [q, v, lambda] = [[...exact.q], [...exact.v], [...exact.multipliers()]];
  const errors = (method: Method, count: number) => {
    const simulation = begin(method, end / count);
    simulation.advance(count);
    return [
      distance(simulation.q, q),
      distance(simulation.v, v),
      distance(simulation.stepMultipliers(), lambda),
    ];
  };
  for (const [method, wanted] of [...RADAU, ...SDIRK, ...ALPHA]) {
    const isRadau = "formulation" in method && method.integrator.name === "radau5";
    const count = isRadau ? steps.radau : steps.other;
    const [coarse, half] = [errors(method, count), errors(method, 2 * count)];
    for (const [i, what] of WHAT.entries()) {
      const order = Math.log2((coarse[i] as number) / (half[i] as number));
      yield near(`${name}, ${nameOf(method)}: order of ${what}`, order, wanted[i] as number, 0.2);
    }
  }
}

function* drift(): Generator<Figure> {
  const { equations, q, v } = welchSliderCrank;
  const both = { formulation: gearGuptaLeimkuhler(), integrator: radau5() };
  const list: readonly (readonly [Method, velocity: number])[] = [
    [both, 1e-10],
    [{ coupled: directMethods[0]! }, 1e-10],
    [{ formulation: index3(), integrator: radau5() }, 1],
  ];
  for (const [method, most] of list) {
    const simulation = simulate(equations, { method, step: 0.01, q, v });
    let [position, velocity] = [0, 0];
    for (let i = 0; i < 1000; i++) {
      simulation.advance();
      const error = simulation.constraintError();
      position = Math.max(position, error.position);
      velocity = Math.max(velocity, error.velocity);
    }
    const name = `slider-crank, 10 s, ${nameOf(method)}`;
    yield atMost(`${name}: drift of positions`, position, 1e-12);
    yield atMost(`${name}: drift of velocities`, velocity, most);
  }
}

const TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];
const ERRORS = [1e-3, 1e-5, 1e-7];
const METHODS = {
  stateSpace: inStateSpace(radau5()),
  gearGuptaLeimkuhler: { formulation: gearGuptaLeimkuhler(), integrator: radau5() },
  index2: { formulation: index2(), integrator: radau5() },
  index3: { formulation: index3(), integrator: radau5() },
} as const;

/** CPU of each at equal errors, over that of state space: all with radau5, in turns. */
async function* work(): AsyncGenerator<Figure> {
  const models = { "slider-crank in space, 1 s": sliderCrank3d(), "heavy top, 0.2 s": heavyTop() };
  for (const [name, model] of Object.entries(models)) {
    const source = await compile(model, { coordinates: "maximal" });
    const span = [0, name.startsWith("heavy") ? 0.2 : 1] as const;
    const exact = solve(source, { span, tolerance: 1e-12, output: "ends" }).end;
    const points = measured((tolerance, method) => {
      const run = () => solve(source, { span, tolerance, method, output: "ends" });
      return { run, errorOf: () => distance(run().end.q, [...exact.q]) };
    });
    for (const error of ERRORS) {
      const own = workAt(points.stateSpace!, error);
      for (const [key, list] of Object.entries(points)) {
        const needed = workAt(list, error);
        if (own === undefined || needed === undefined || key === "stateSpace") continue;
        yield reported(`${name}, error ${error}: CPU of ${key} / CPU of stateSpace`, needed / own);
      }
    }
  }
}

const ROUNDS = 3;
type Runs = { run(): unknown; errorOf(): number };

/** Errors and CPU at all tolerances; methods take turns, after one warm-up run each. */
function measured(make: (tolerance: number, method: Method) => Runs): Record<string, WorkPoint[]> {
  const points = Object.fromEntries(Object.keys(METHODS).map((key) => [key, [] as WorkPoint[]]));
  for (const tolerance of TOLERANCES) {
    const runs = Object.entries(METHODS).map(([key, method]) => ({
      key,
      ...make(tolerance, method),
    }));
    const errors = runs.map(({ errorOf }) => errorOf());
    const rounds = Array.from({ length: ROUNDS }, () => runs.map(({ run }) => cpuSeconds(run)));
    for (const [i, { key }] of runs.entries()) {
      const work = median(rounds.map((times) => times[i] as number));
      points[key]?.push({ error: errors[i] as number, work });
    }
  }
  return points;
}

function distance(a: ArrayLike<number>, b: readonly number[]): number {
  return Math.sqrt(b.reduce((sum, value, i) => sum + ((a[i] as number) - value) ** 2, 0));
}
