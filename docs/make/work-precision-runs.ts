// Runs of our test problems at several tolerances or steps: error against evaluations, which are identical on every
// machine.

import { readFileSync } from "node:fs";
import { integrators } from "nodrift";
import type { BodyState } from "nodrift/bodies";
import { readModel } from "nodrift/files";
import { adaptiveIntegrators, parseMethod, type SolveOptions, solve } from "nodrift/solve";

export interface OwnProblem {
  /** A model of examples/. */
  readonly name: string;
  readonly title: string;
  readonly until: number;
  /** Solves for the reference, at a tighter tolerance than all runs. */
  readonly reference: string;
  readonly isStiff: boolean;
}

export const OWN_PROBLEMS: readonly OwnProblem[] = [
  {
    name: "double-pendulum",
    title: "Double pendulum",
    until: 2,
    reference: "dop853",
    isStiff: false,
  },
  { name: "gyroscope", title: "Gyroscope", until: 1, reference: "dop853", isStiff: false },
  {
    name: "stiff-pendulum",
    title: "Stiff pendulum",
    until: 1,
    reference: "radau5",
    isStiff: true,
  },
];

/** A run: evaluations of accelerations, and additional work of implicit methods. */
export interface OwnRun {
  readonly problem: string;
  readonly integrator: string;
  readonly setting: "tolerance" | "step";
  readonly value: number;
  readonly error: number;
  readonly evaluations: number;
  readonly factorisations: number;
}

const TOLERANCES = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];
/** Steps in a run. */
const COUNTS = [50, 100, 200, 400, 800, 1600, 3200, 6400];
const REFERENCE = 1e-13;
const MOST_STEPS = 200_000;

/** Runs of all integrators; failed runs, and those with too many steps, are omitted. */
export async function* ownRuns(problem: OwnProblem): AsyncGenerator<OwnRun> {
  const file = readModel(readFileSync(`examples/${problem.name}.json`, "utf8"));
  const system = await file.compile();
  const span = [0, problem.until] as const;
  const end = (options: Partial<SolveOptions<typeof system>>) =>
    solve(system, { span, output: "ends", maximumSteps: MOST_STEPS, ...options });
  const exact = end({ method: parseMethod(problem.reference), tolerance: REFERENCE }).end;
  const run = (
    integrator: string,
    setting: OwnRun["setting"],
    value: number,
    options: Partial<SolveOptions<typeof system>>,
  ): OwnRun[] => {
    const { end: state, status, statistics } = end(options);
    if (status !== "finished") return [];
    const { evaluations, implicit } = statistics;
    const factorisations = implicit?.factorisations ?? 0;
    const error = distance(state, exact);
    if (!(error < 1)) return [];
    return [
      { problem: problem.name, integrator, setting, value, error, evaluations, factorisations },
    ];
  };
  for (const [name, make] of Object.entries(adaptiveIntegrators)) {
    if (problem.isStiff && !make().isImplicit) continue;
    for (const tolerance of TOLERANCES) {
      yield* run(name, "tolerance", tolerance, { integrator: make(), tolerance });
    }
  }
  if (problem.isStiff) return;
  for (const [name, make] of Object.entries(integrators)) {
    for (const count of COUNTS) {
      const step = problem.until / count;
      yield* run(name, "step", step, { integrator: make(), step });
    }
  }
}

/** Largest distance between bodies, in the unit of length of the model. */
function distance(a: BodyState, b: BodyState): number {
  const at = (state: BodyState, i: number) => state.q.subarray(7 * i, 7 * i + 3);
  const bodies = Math.floor(a.q.length / 7);
  const apart = Array.from({ length: bodies }, (_, i) => {
    const [p, q] = [at(a, i), at(b, i)];
    return Math.hypot(...p.map((x, k) => x - q[k]!));
  });
  return Math.max(...apart);
}

/** A run: its error, and its work in any unit. */
export interface WorkPoint {
  readonly error: number;
  readonly work: number;
}

/**
 * Work at an error: on the line through the two nearest runs, in logarithms. If the first run, that of the loosest
 * tolerance, is already better, its work; undefined if no run reaches the error.
 */
export function workAt(points: readonly WorkPoint[], error: number): number | undefined {
  const next = points.findIndex((point) => point.error <= error);
  if (next < 0) return undefined;
  if (next === 0) return points[0].work;
  const [rough, fine] = [points[next - 1], points[next]];
  const share = Math.log(rough.error / error) / Math.log(rough.error / fine.error);
  return rough.work * (fine.work / rough.work) ** share;
}
