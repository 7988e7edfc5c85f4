import { compile } from "nodrift/bodies";
import { hmmwv, stiffPendulumMinimal } from "nodrift/mechanisms";
import {
  radau5,
  rodas,
  type SolveOptions,
  type Source,
  type StateOf,
  sdirk4,
  solve,
} from "nodrift/solve";
import { cpuSeconds, inStateSpace, powersOfTen } from "#experiments";
import { type WorkPoint, workAt } from "../../docs/make/work-precision-runs.js";
import { median } from "../support/race.js";
import { type Figure, reported } from "./figure.js";

const methods = {
  sdirk4: inStateSpace(sdirk4()),
  rodas: inStateSpace(rodas()),
  radau5: inStateSpace(radau5()),
};
type Name = keyof typeof methods;
const NAMES = Object.keys(methods) as Name[];

const TOLERANCES = powersOfTen(-1, -8);
/** Tolerance of the reference run. */
const REFERENCE = 1e-10;
const ERRORS = [1e-3, 1e-5, 1e-7];
const MIN_ERROR = Math.min(...ERRORS);
const ROUNDS = 5;
/** Warm-up rounds, because engines compile frequently called code. */
const WARM = 3;
/** Number of times at which errors are measured. */
const OUTPUT_COUNT = 100;

interface Problem<S extends Source> {
  readonly name: string;
  readonly source: S;
  readonly options: Pick<SolveOptions<S>, "q" | "v" | "span">;
  readonly reading: (state: StateOf<S>) => number;
}

/** The stiff methods compared with sdirk4, at equal errors. */
export async function* stiffMethodFigures(): AsyncGenerator<Figure> {
  const { equations, q, v } = stiffPendulumMinimal();
  yield* compared({
    name: "stiff pendulum, 2 s, theta1",
    source: equations,
    options: { span: [0, 2], q, v },
    reading: (state) => state.q[0],
  });
  yield* compared({
    name: "HMMWV, 2 s, z1",
    source: await compile(hmmwv()),
    options: { span: [0, 2] },
    reading: (state) => state.body("chassis").position[2],
  });
}

function* compared<S extends Source>(problem: Problem<S>): Generator<Figure> {
  const points = measured(problem);
  for (const error of ERRORS) {
    const own = workAt(points.sdirk4, error);
    const works = NAMES.map((name) => ({ name, work: workAt(points[name], error) ?? Infinity }));
    const best = works.reduce((a, b) => (b.work < a.work ? b : a));
    const name = `${problem.name} to a relative ${error}`;
    for (const { name: method, work } of works) {
      if (work < Infinity) yield reported(`${name}: CPU of ${method}, s`, work);
    }
    if (own === undefined) continue;
    yield reported(`${name}: CPU of sdirk4 / CPU of the best, ${best.name}`, own / best.work);
  }
}

/**
 * All methods from loose to tight tolerances, each until it reaches the smallest error; they take turns. Failed runs
 * add no point.
 */
function measured<S extends Source>(problem: Problem<S>): Record<Name, WorkPoint[]> {
  const errorOf = errorsOf(problem);
  const work = (name: Name, tolerance: number) => {
    const own = { tolerance, method: methods[name], output: "ends" } as const;
    return cpuSeconds(() => solve(problem.source, { ...problem.options, ...own }));
  };
  for (let round = 0; round < WARM; round++) for (const name of NAMES) work(name, 1e-3);
  const points: Record<Name, WorkPoint[]> = { sdirk4: [], rodas: [], radau5: [] };
  for (const tolerance of TOLERANCES) {
    const names = NAMES.filter((name) => !points[name].some(({ error }) => error <= MIN_ERROR));
    const rounds = Array.from({ length: ROUNDS }, () => names.map((name) => work(name, tolerance)));
    for (const [i, name] of names.entries()) {
      const error = errorOf(name, tolerance);
      if (error === undefined) continue;
      points[name].push({ error, work: median(rounds.map((works) => works[i])) });
    }
  }
  return points;
}

/** Largest errors over the run, relative to the largest value; undefined if a run fails. */
function errorsOf<S extends Source>({ name: what, source, options, reading }: Problem<S>) {
  const [from, to] = options.span;
  const times = Array.from(
    { length: OUTPUT_COUNT },
    (_, k) => from + ((k + 1) / OUTPUT_COUNT) * (to - from),
  );
  const read = (name: Name, tolerance: number) => {
    const own = { tolerance, method: methods[name], output: { times } };
    const solution = solve(source, { ...options, ...own });
    return solution.status === "finished" ? solution.column(reading) : undefined;
  };
  const reference = read("radau5", REFERENCE);
  if (!reference) throw new Error(`${what}: there is no reference`);
  const size = reference.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return (name: Name, tolerance: number) =>
    read(name, tolerance)?.reduce(
      (worst, value, i) => Math.max(worst, Math.abs(value - reference[i]) / size),
      0,
    );
}
