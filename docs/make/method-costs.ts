// Counted costs of methods: a system whose functions and kernels count their calls takes steps with each method. Two
// integrators, with one and two evaluations per step, separate the costs of an evaluation from those of a step.
// Those of adaptive integrators are averages over a run of `solve`.

import {
  type AdaptiveIntegrator,
  type BoundFormulation,
  type BoundStabilisation,
  type CoupledMethod,
  equations,
  euler,
  type Formulation,
  type Integrator,
  type Method,
  maggi,
  midpoint,
  type Simulation,
  type Stabilisation,
  type System,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { BasisKind, SolverMethod, SolverSides } from "nodrift/kernels";
import { radau5, type SolveOptions, solve } from "nodrift/solve";

/** Counts by kind. */
type Counts = ReadonlyMap<string, number>;

/** Two links in a plane and a free coordinate: five coordinates, two constraints. */
const [N, M] = [5, 2];
const SIZES: Readonly<Record<number, string>> = { [N]: "n", [M]: "m", [N - M]: "k" };
const size = (number: number) => SIZES[number] ?? String(number);

const DECOMPOSITIONS: Readonly<Record<SolverMethod, string>> = {
  [SolverMethod.COD]: "COD m x n",
  [SolverMethod.SVD]: "SVD m x n",
  [SolverMethod.CHOLESKY]: "Cholesky m x m",
  [SolverMethod.KKT]: "LDL^T (n + m)",
  [SolverMethod.GRAM_SCHMIDT]: "Gram-Schmidt m x n",
  [SolverMethod.PENALTY]: "Cholesky m x m",
};

const BASES: Readonly<Record<BasisKind, string>> = {
  [BasisKind.LU]: "full pivot LU m x n",
  [BasisKind.QR]: "COD m x n",
  [BasisKind.SVD]: "SVD m x n",
  [BasisKind.EIGEN]: "eigenvalues n x n",
  [BasisKind.GRAM_SCHMIDT]: "Gram-Schmidt n x n",
};

/** Work counted for a call of a kernel, if any. */
type Reading = (given: readonly number[]) => readonly (readonly [string, number])[];

const factored =
  (what: string): Reading =>
  () => [[what, 1]];
const solved =
  (what: string): Reading =>
  () => [[`solve ${what}`, 1]];
/** A solve, or several, with the factor of a solver: its method is the third argument. */
const solves = (given: readonly number[], count: number) =>
  [given[2] === SolverMethod.KKT ? "solve (n + m)" : "solve m", count] as const;
const withMass = (given: readonly number[]) =>
  given[2] === SolverMethod.KKT ? [] : ([["Cholesky n x n", 1]] as const);

const KERNELS: Readonly<Record<string, Reading>> = {
  solverFactor: (given) => [...withMass(given), [DECOMPOSITIONS[given[2] as SolverMethod], 1]],
  solverFactorRates: (given) => [
    ...withMass(given),
    [DECOMPOSITIONS[given[2] as SolverMethod], 1],
    solves(given, correctsToo(given[8] as number) ? 2 : 1),
  ],
  solverRates: (given) => [solves(given, given[7] === 0 ? 1 : 2)],
  solverMinnorm: (given) => [solves(given, given[4] as number)],
  solverMultipliers: (given) => [solves(given, 1)],
  solverMassSolve: solved("n"),
  tangentChoose: (given) => [[BASES[given[2] as BasisKind], 1]],
  frameFactor: factored("Gram-Schmidt n x n"),
  frameParticular: solved("m"),
  partitionFactor: factored("LU m x m"),
  partitionParticular: solved("m"),
  reducedAccelerate: () => [
    ["Cholesky k x k", 1],
    ["solve k", 1],
  ],
  nullSpaceAccelerate: () => [
    ["LU n x n", 1],
    ["solve n", 1],
  ],
  projectedAccelerate: () => [
    ["LU n x n", 1],
    ["solve n", 1],
  ],
  choleskyFactor: (given) => [
    [`Cholesky ${size(given[0] as number)} x ${size(given[0] as number)}`, 1],
  ],
  luFactor: (given) => [[`LU ${size(given[0] as number)} x ${size(given[0] as number)}`, 1]],
  luSolve: (given) => [[`solve ${size(given[0] as number)}`, 1]],
  luSolveTransposed: solved("n"),
  sparseLuFactor: factored("sparse LU"),
  sparseLuSolve: solved("sparse"),
};

/** Reads the sides of a combined solve; set once memory is allocated. */
let integersAt: (address: number, count: number) => Int32Array = () => new Int32Array(0);
const correctsToo = (sides: number) =>
  integersAt(sides, SolverSides.LENGTH)[SolverSides.CORRECTION] !== 0;

/** The system whose functions count into a map. */
function countedSystem(counts: Map<string, number>) {
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  return equations({
    name: "two links",
    coordinates: ["x", "y", "u", "w", "s"],
    mass: {
      full: (_q, out) => {
        count("M");
        out.fill(0);
        for (let i = 0; i < N; i++) out[i * (N + 1)] = 1 + i;
      },
    },
    // Calls are counted, and the derivative checks are not part of a method.
    check: false,
    forces: (_q, _v, out) => {
      count("Q");
      out.set([0, -9.81, 0, -4 * 9.81, 0.1]);
    },
    potential: ([, y, , w, s]) => {
      count("V");
      return 9.81 * (2 * (y as number) + 4 * (w as number)) - 0.1 * (s as number);
    },
    potentialGradient: (_q, out) => {
      count("dV/dq");
      out.set([0, 2 * 9.81, 0, 4 * 9.81, -0.1]);
    },
    holonomic: {
      rows: M,
      value: ([x, y, u, w], out) => {
        count("Phi");
        out[0] = x ** 2 + y ** 2 - 1;
        out[1] = (u - x) ** 2 + (w - y) ** 2 - 1;
      },
      jacobian: ([x, y, u, w], out) => {
        count("J");
        out.fill(0);
        out.set([2 * x, 2 * y]);
        out.set([2 * (x - u), 2 * (y - w), 2 * (u - x), 2 * (w - y)], N);
      },
      gamma: (_q, [vx, vy, vu, vw], out) => {
        count("gamma");
        out[0] = -2 * (vx ** 2 + vy ** 2);
        out[1] = -2 * ((vu - vx) ** 2 + (vw - vy) ** 2);
      },
    },
  });
}

/** Initial state. */
const COUNTED_START = { q: [0.8, -0.6, 1.4, -1.4, 0], v: [0.3, 0.4, 1.1, 1, 0.5] } as const;

/** Steps that are not counted, and those that are. */
const [FIRST, STEPS] = [4, 50];

/** Counts of a step, on average. */
function costOf(method: Method): Counts {
  const counts = new Map<string, number>();
  const simulation = countedSimulation(method, counts);
  simulation.advance(FIRST);
  counts.clear();
  simulation.advance(STEPS);
  return new Map([...counts].map(([what, count]) => [what, count / STEPS]));
}

function countedSimulation(method: Method, counts: Map<string, number>): Simulation {
  const options = { method: watched(method, counts), step: 0.01, ...COUNTED_START };
  return simulate(countedSystem(counts), options);
}

/** Kernels that count before they work. */
function counting<K extends object>(plain: K, counts: Map<string, number>): K {
  const called = plain as Record<string, (...given: number[]) => number>;
  const counted = Object.entries(KERNELS)
    .filter(([name]) => name in plain)
    .map(([name, read]) => [
      name,
      (...given: number[]) => {
        for (const [what, count] of read(given)) counts.set(what, (counts.get(what) ?? 0) + count);
        return called[name]?.(...given);
      },
    ]);
  return { ...plain, ...Object.fromEntries(counted) };
}

/** The method, with the kernels of its system counted once memory is sealed. */
function watched(method: Method, counts: Map<string, number>): Method {
  let isWatched = false;
  const watch = ({ workspace }: System) => {
    if (isWatched) return;
    isWatched = true;
    workspace.whenSealed((arena) => {
      integersAt = (address, count) =>
        arena.integers({ name: "sides", address, slots: Math.ceil(count / 2) });
      workspace.kernels = counting(workspace.kernels, counts);
      // Other modules join the memory later.
      const instantiate = arena.instantiate.bind(arena);
      Object.assign(arena, {
        instantiate: (module: WebAssembly.Module) =>
          counting(instantiate(module) as object, counts),
      });
    });
  };
  const watching = <Given extends readonly [System, ...unknown[]], Bound>(part: {
    bind(...given: Given): Bound;
  }) => ({
    bind(...given: Given): Bound {
      watch(given[0]);
      return part.bind(...given);
    },
  });
  // Stabilisations are bound first, and may be the first to need a module.
  const stabilisation = [method.stabilisation ?? []]
    .flat()
    .map((one) => ({ ...one, ...watching(one) }));
  if ("coupled" in method) {
    const { coupled } = method;
    return { ...method, stabilisation, coupled: { ...coupled, ...watching(coupled) } };
  }
  const { formulation } = method;
  return {
    ...method,
    stabilisation,
    formulation: {
      ...formulation,
      ...watching<[System, BoundStabilisation], BoundFormulation>(formulation),
    },
  };
}

/** a + factor b. */
function sum(a: Counts, factor: number, b: Counts): Counts {
  const keys = [...new Set([...a.keys(), ...b.keys()])];
  return new Map(keys.map((key) => [key, (a.get(key) ?? 0) + factor * (b.get(key) ?? 0)]));
}

/** Costs derived from runs with one and with two evaluations per step. */
function split(one: Counts, two: Counts): { readonly evaluation: Counts; readonly step: Counts } {
  const evaluation = sum(two, -1, one);
  return { evaluation, step: sum(one, -1, evaluation) };
}

/**
 * Costs in words: functions, then factorisations, then solves, rounded to halves, because some methods iterate and
 * averages of few steps scatter.
 */
function words(counts: Counts): string {
  const order = (what: string) => (what.startsWith("solve ") ? 2 : what.includes(" ") ? 1 : 0);
  const listed = [...counts]
    .map(([what, count]) => [what, Math.round(2 * count) / 2] as const)
    .filter(([, count]) => count !== 0)
    .sort(([a], [b]) => order(a) - order(b) || (a < b ? -1 : 1));
  return listed.map(([what, count]) => (count === 1 ? what : `${count} x ${what}`)).join(", ");
}

const both = (evaluation: string, step: string) =>
  [evaluation, step === "" ? "" : `in a step: ${step}`].filter((part) => part !== "").join("; ");

/** Cost per evaluation, and additional cost per step. */
export function formulationCost(formulation: Formulation): string {
  const { evaluation, step } = split(
    costOf({ formulation, integrator: euler() }),
    costOf({ formulation, integrator: midpoint() }),
  );
  return both(words(evaluation), words(step));
}

/** Cost in addition to udwadiaKalaba. */
export function stabilisationCost(stabilisation: Stabilisation): string {
  const formulation = udwadiaKalaba();
  const added = (integrator: Integrator) =>
    sum(
      costOf({ formulation, stabilisation, integrator }),
      -1,
      costOf({ formulation, integrator }),
    );
  const { evaluation, step } = split(added(euler()), added(midpoint()));
  return both(words(evaluation), words(step)) || "-";
}

/** Cost per step. */
export function coupledCost(coupled: CoupledMethod): string {
  return words(costOf({ coupled }));
}

/** Evaluations of Q in a step. */
export function evaluationsOf(integrator: Integrator): number {
  return costOf({ formulation: udwadiaKalaba(), integrator }).get("Q") ?? 0;
}

/**
 * Maggi's equations with user-defined quasi-velocities: the speeds along the circles of both links, and the free one.
 */
export function maggiByCharacteristics(): Formulation {
  const value = (q: Float64Array, v: Float64Array, out: Float64Array) => {
    const [x, y, u, w] = q as unknown as [number, number, number, number];
    const [vx, vy, vu, vw, vs] = v as unknown as [number, number, number, number, number];
    out[0] = x * vy - y * vx;
    out[1] = (u - x) * (vw - vy) - (w - y) * (vu - vx);
    out[2] = vs;
  };
  return maggi({ characteristics: { count: N - M, value } });
}

type Counted = Pick<SolveOptions, "method" | "integrator" | "tolerance" | "step">;

/** Evaluations of Q in an attempted step; for implicit ones also evaluations of df/dy and factorisations. */
export function adaptiveCost(integrator: AdaptiveIntegrator): string {
  return costOfRun({ integrator, tolerance: 1e-5 }, "LU 2k");
}

/** Costs of a formulation whose unknowns are positions, velocities and multipliers, by `radau5`. */
export function directCost(formulation: Formulation): string {
  return costOfRun({ method: { formulation, integrator: radau5() }, tolerance: 1e-5 }, "LU n + m");
}

/** Costs of a coupled method of that kind, with fixed steps. */
export function directStepCost(coupled: CoupledMethod): string {
  return costOfRun({ method: { coupled }, step: 5e-3 }, "LU n + m");
}

function costOfRun(options: Counted, factor: string): string {
  const counts = new Map<string, number>();
  const { q, v } = COUNTED_START;
  const { statistics } = solve(countedSystem(counts), { span: [0, 2], q, v, ...options });
  const { steps, rejections, implicit } = statistics;
  const each = (count: number) => Math.round((2 * count) / (steps + rejections)) / 2;
  const evaluations = `${each(counts.get("Q") ?? 0)} x Q`;
  if (implicit === undefined) return evaluations;
  const jacobians = `${each(implicit.jacobians)} x df/dy`;
  return `${evaluations}, ${jacobians}, ${each(implicit.factorisations)} x ${factor}`;
}
