// Random linear systems whose rows switch at known times, against runs from switch to switch: separate equations for each set of
// rows, joined by projections that are made by hand.

import {
  coupledMethods,
  type Equations,
  equations,
  formulations,
  integrators,
  type Method,
  projection,
  udwadiaKalaba,
} from "nodrift";
import { type Expression, equations as formulas, operators, symbols } from "nodrift/formulas";
import {
  adaptiveIntegrators,
  directFormulations,
  directMethods,
  dp5,
  type SolveOptions,
  solve,
  stateSpace,
} from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";

const TOLERANCE = 1e-7;
const END = 2;

type Matrix = readonly (readonly number[])[];
type Options = Partial<SolveOptions<Equations>>;

interface Row {
  readonly name: string;
  readonly holonomic: boolean;
  readonly covector: readonly number[];
  /** Closed at this value; of holonomic rows found by a first run. */
  target: number;
  /** Active from the first time to the second; always active without times. */
  readonly span?: readonly [number, number];
}

interface Problem {
  readonly n: number;
  readonly mass: Matrix;
  readonly stiffness: Matrix;
  readonly damping: number;
  readonly load: readonly number[];
  readonly rows: readonly Row[];
  readonly q: readonly number[];
  readonly v: readonly number[];
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, x, i) => sum + x * b[i]!, 0);
const times = (A: Matrix, x: ArrayLike<number>) => A.map((row) => dot(row, x));

/** Gaussian elimination with pivots. */
function solved(A: Matrix, b: readonly number[]): number[] {
  const rows = A.map((row, i) => [...row, b[i]!]);
  for (let k = 0; k < rows.length; k++) {
    const best = rows.reduce(
      (most, row, i) => (i >= k && Math.abs(row[k]!) > Math.abs(rows[most]![k]!) ? i : most),
      k,
    );
    [rows[k], rows[best]] = [rows[best]!, rows[k]!];
    for (let i = 0; i < rows.length; i++) {
      if (i === k) continue;
      const factor = rows[i]![k]! / rows[k]![k]!;
      rows[i] = rows[i]!.map((x, j) => x - factor * rows[k]![j]!);
    }
  }
  return rows.map((row, i) => row.at(-1)! / row[i]!);
}

/** Rows that end or begin between times separated by 0.3, some of them together. */
function generated(seed: number, isHolonomic = false): Problem {
  const random = seeded(seed);
  const next = () => (random() + 1) / 2;
  const n = 3 + Math.floor(3 * next());
  const list = () => Array.from({ length: n }, random);
  const factor = Array.from({ length: n }, list);
  const gram = (scale: number, own: number): Matrix =>
    factor.map((a, i) => factor.map((b, j) => scale * dot(a, b) + (i === j ? own : 0)));
  const grid = [0.3, 0.6, 0.9, 1.2, 1.5];
  const pick = (from: number) => from + Math.floor((grid.length - from) * next());
  const rows = Array.from({ length: n - 1 }, (_, i): Row => {
    const first = pick(0);
    const span = [grid[first]!, first === 4 ? 5 : grid[pick(first + 1)]!] as const;
    const holonomic = next() < 0.5 || isHolonomic;
    return {
      name: `row ${i}`,
      holonomic,
      covector: list(),
      target: holonomic ? Number.NaN : random() / 4,
      ...(i > 0 && { span }),
    };
  });
  const [q, v] = [list(), list()];
  const [always] = rows as [Row];
  const { covector } = always;
  const speed = always.holonomic ? 0 : always.target;
  if (always.holonomic) always.target = dot(covector, q);
  const slip = (dot(covector, v) - speed) / dot(covector, covector);
  v.forEach((_, i) => {
    v[i] = v[i]! - slip * covector[i]!;
  });
  const mass = gram(0.5, 1);
  return { n, mass, stiffness: gram(1, 0.5), damping: next(), load: list(), rows, q, v };
}

/** By functions, with all rows that are given acting unless `when` is there. */
function described(problem: Problem, rows: readonly Row[], isSwitched: boolean) {
  const { n, mass, stiffness, damping, load } = problem;
  const holonomic = rows.filter((row) => row.holonomic);
  const others = rows.filter((row) => !row.holonomic);
  const flat = (list: readonly Row[]) => list.flatMap(({ covector }) => covector);
  const switched = rows.filter(({ span }) => span);
  return equations({
    coordinates: n,
    mass,
    forces: (q, v) => times(stiffness, q).map((f, i) => load[i]! - f - damping * v[i]!),
    ...(holonomic.length > 0 && {
      holonomic: {
        rows: holonomic.map(({ name }) => name),
        value: (q: ArrayLike<number>) =>
          holonomic.map(({ covector, target }) => dot(covector, q) - target),
        jacobian: () => flat(holonomic),
        gamma: () => holonomic.map(() => 0),
      },
    }),
    ...(others.length > 0 && {
      nonholonomic: {
        rows: others.map(({ name }) => name),
        value: (_q: unknown, v: ArrayLike<number>) =>
          others.map(({ covector, target }) => dot(covector, v) - target),
        jacobian: () => flat(others),
        gamma: () => others.map(() => 0),
      },
    }),
    ...(isSwitched && {
      when: Object.fromEntries(
        switched.map(({ name, span: [from, to] = [0, 0] }) => [
          name,
          (_q: unknown, _v: unknown, t: number) => (t - from) * (to - t),
        ]),
      ),
    }),
  });
}

/** The same rows given by formulas. */
function byFormulas({ n, mass, stiffness, damping, load, rows }: Problem) {
  const { add, multiply, subtract, rate } = operators;
  const names = Array.from({ length: n }, (_, i) => `q${i}`);
  const q = names.map((name) => symbols(name)[name] as Expression);
  const v = q.map((each) => rate(each));
  const sum = (weights: readonly number[], of: readonly Expression[]) =>
    of.map((each, i) => multiply(weights[i]!, each)).reduce((a, b) => add(a, b));
  const record = (isHolonomic: boolean) =>
    Object.fromEntries(
      rows
        .filter(({ holonomic }) => holonomic === isHolonomic)
        .map(({ name, covector, target }) => [
          name,
          subtract(sum(covector, isHolonomic ? q : v), target),
        ]),
    );
  return formulas({
    coordinates: names,
    mass,
    forces: Object.fromEntries(
      names.map((name, i) => [
        name,
        subtract(subtract(load[i]!, sum(stiffness[i]!, q)), multiply(damping, v[i]!)),
      ]),
    ),
    holonomic: record(true),
    nonholonomic: record(false),
    when: Object.fromEntries(
      rows.flatMap(({ name, span }) => (span ? [[name, `(t - ${span[0]})*(${span[1]} - t)`]] : [])),
    ),
  });
}

/** x + M^-1 J^T p with J x+ = target, and the impulses p. */
function projected(problem: Problem, rows: readonly Row[], x: number[], targets: number[]) {
  if (rows.length === 0) return { x, p: [] };
  const directions = rows.map(({ covector }) => solved(problem.mass, [...covector]));
  const S = rows.map(({ covector }) => directions.map((direction) => dot(covector, direction)));
  const p = solved(
    S,
    rows.map(({ covector }, i) => targets[i]! - dot(covector, x)),
  );
  return {
    x: x.map(
      (value, i) =>
        value +
        dot(
          p,
          directions.map((d) => d[i]!),
        ),
    ),
    p,
  };
}

/** From switch to switch. Targets of holonomic rows are found when `finds`. */
function piecewise(problem: Problem, options: Options, finds = false) {
  const { rows } = problem;
  const cuts = rows.flatMap(({ span = [] }) => span).filter((t) => t < END);
  const ends = [...new Set([0, ...cuts, END])].sort((a, b) => a - b);
  const impulses: Record<string, number>[] = [];
  let [q, v] = [[...problem.q], [...problem.v]];
  for (const [i, from] of ends.slice(0, -1).entries()) {
    const acts = ({ span }: Row, t: number) => !span || (span[0] <= t && t < span[1]);
    const acting = rows.filter((row) => acts(row, from));
    if (finds) {
      for (const row of acting) {
        if (row.span?.[0] === from && row.holonomic) row.target = dot(row.covector, q);
      }
    }
    if (from > 0 && acting.some((row) => row.span?.[0] === from)) {
      const places = acting.filter(({ holonomic }) => holonomic);
      q = projected(
        problem,
        places,
        q,
        places.map(({ target }) => target),
      ).x;
      const targets = acting.map(({ holonomic, target }) => (holonomic ? 0 : target));
      const { x, p } = projected(problem, acting, v, targets);
      v = x;
      impulses.push(Object.fromEntries(acting.map(({ name }, k) => [name, p[k]!])));
    }
    const { end, status, reason } = solve(described(problem, acting, false), {
      ...options,
      span: [from, ends[i + 1]!],
      q,
      v,
      start: "asGiven",
      output: "ends",
    });
    expect(status, reason).toBe("finished");
    [q, v] = [[...end.q], [...end.v]];
  }
  return { q, v, impulses };
}

function prepared(seed: number, isHolonomic = false): Problem {
  const problem = generated(seed, isHolonomic);
  piecewise(problem, { tolerance: 1e-11 }, true);
  return problem;
}
const problems = [1, 2, 3].map((seed) => prepared(seed));
const holonomic = [1, 2, 3].map((seed) => prepared(seed, true));

/** By how many tolerances the end differs. */
function compared(
  problem: Problem,
  options: Options,
  system = described(problem, problem.rows, true),
) {
  const expected = piecewise(problem, options);
  const run = solve(system, {
    ...options,
    span: [0, END],
    q: problem.q,
    v: problem.v,
    start: "asGiven",
    output: "ends",
  });
  expect(run.status, run.reason).toBe("finished");
  const found = new Map(
    run.events.flatMap(({ time, impulses }) =>
      Object.keys(impulses).length > 0 ? [[time, impulses] as const] : [],
    ),
  );
  expect(found.size).toBe(expected.impulses.length);
  const jumps = [...found.values()].flatMap((impulses, i) =>
    Object.entries(expected.impulses[i]!).map(([row, p]) => (impulses[row] ?? 0) - p),
  );
  const ends = [
    ...expected.q.map((x, i) => x - run.end.q[i]!),
    ...expected.v.map((x, i) => x - run.end.v[i]!),
  ];
  return [...ends, ...jumps].reduce((most, x) => Math.max(most, Math.abs(x)), 0) / TOLERANCE;
}

const both = { stabilisation: projection(), integrator: dp5() };
const IMPLICIT = Object.values(adaptiveIntegrators)
  .map((make) => make())
  .filter(({ isImplicit }) => isImplicit);
const methods: { name: string; options: Options }[] = [
  { name: "the method that is chosen", options: {} },
  ...Object.values(adaptiveIntegrators).map((make) => {
    const integrator = make();
    const formulation = integrator.isImplicit ? stateSpace() : udwadiaKalaba();
    const stabilisation = integrator.isImplicit ? undefined : projection();
    const method = { formulation, ...(stabilisation && { stabilisation }), integrator } as Method;
    return { name: `${formulation.name} + ${integrator.name}`, options: { method } };
  }),
  ...formulations.map((formulation) => {
    const isOpen = /acceleration|lagrange|udwadia|null|penalty|augmented/i.test(formulation.name);
    const method: Method = isOpen ? { formulation, ...both } : { formulation, integrator: dp5() };
    return { name: `${formulation.name} + dp5`, options: { method } };
  }),
  ...directFormulations.flatMap((formulation) =>
    IMPLICIT.filter(({ highestIndex = 0 }) => highestIndex >= (formulation.index ?? 0)).map(
      (integrator) => ({
        name: `${formulation.name} + ${integrator.name}`,
        options: { method: { formulation, integrator } as Method },
      }),
    ),
  ),
  ...[...coupledMethods, ...directMethods].map((coupled) => ({
    name: `${coupled.name} in steps of one length`,
    options: { method: { coupled } as Method, step: 0.01 },
  })),
  ...Object.values(integrators).map((make) => ({
    name: `${make().name} in steps of one length`,
    options: { integrator: make(), step: 0.01 },
  })),
];

describe("rows that switch at known times", () => {
  test.each(methods)("$name", ({ name, options }) => {
    // State space has no rows on velocities. In steps of one length the tolerance only says by how much rows may be open.
    const list = name.startsWith("stateSpace") ? holonomic : problems;
    const tolerance = "step" in options ? 1e-5 : TOLERANCE;
    const errors = list.map((problem) => compared(problem, { tolerance, ...options }));
    expect(Math.max(...errors)).toBeLessThanOrEqual(10);
  });

  test("rows given by formulas switch at the same times", () => {
    for (const problem of [...problems, ...holonomic]) {
      const system = byFormulas(problem) as unknown as Equations;
      expect(compared(problem, { tolerance: TOLERANCE }, system)).toBeLessThanOrEqual(10);
    }
  });

  test("more systems", () => {
    for (let seed = 10; seed < 40; seed++) {
      expect(
        compared(prepared(seed), { tolerance: TOLERANCE }),
        `seed ${seed}`,
      ).toBeLessThanOrEqual(10);
    }
  });
});

describe("rows that push or pull only", () => {
  const sampled = (end: number) => Array.from({ length: 100 }, (_, i) => (end * i) / 100);

  test("keep a bob inside of polygons of walls", () => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = seeded(seed);
      const count = 3 + Math.floor(2 * (random() + 1));
      const walls = Array.from({ length: count }, (_, i) => {
        const angle = (2 * Math.PI * i) / count + 0.3 * random();
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        return ([x, y]: ArrayLike<number> & Iterable<number>) => c * x! + s * y! - 1;
      });
      const box = equations({
        coordinates: ["x", "y"],
        mass: [1, 2],
        forces: (_q, [vx, vy], out, t) => {
          out[0] = 3 * Math.sin(1.3 * t) - 0.1 * vx!;
          out[1] = -9.81 + 4 * Math.cos(2 * t) - 0.1 * vy!;
        },
        holonomic: {
          rows: walls.map((_, i) => `wall ${i}`),
          value: (q) => walls.map((wall) => wall(q)),
        },
        when: Object.fromEntries(
          walls.map((wall, i) => [
            `wall ${i}`,
            {
              begin: wall,
              end: (_q: unknown, _v: unknown, _t: number, l: ArrayLike<number>) => l[i]!,
            },
          ]),
        ),
      });
      const q = [0.3 * random(), 0.3 * random()];
      const v = [3 * random(), 3 * random()];
      const solution = solve(box, { span: [0, 4], q, v, tolerance: TOLERANCE });
      expect(solution.status, `seed ${seed}: ${solution.reason}`).toBe("finished");
      expect(solution.events.length).toBeGreaterThan(1);
      for (const t of sampled(4)) {
        const state = solution.at(t);
        for (const [i, wall] of walls.entries()) {
          expect(wall(state.q)).toBeLessThan(10 * TOLERANCE);
          expect(state.multipliers()[i]).toBeLessThan(1e-3);
        }
      }
    }
  });

  test("hold a chain of ropes, and lose energy by impulses only", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = seeded(100 + seed);
      const slack = (i: number) => (q: ArrayLike<number>) => {
        const x = q[2 * i]! - (i > 0 ? q[2 * i - 2]! : 0);
        const y = q[2 * i + 1]! - (i > 0 ? q[2 * i - 1]! : 0);
        return x * x + y * y - 1;
      };
      const ropes = [slack(0), slack(1), slack(2)];
      const masses = [1, 1, 2, 2, 3, 3];
      const chain = equations({
        coordinates: 6,
        mass: masses,
        forces: () => masses.map((mass, i) => (i % 2 === 1 ? -9.81 * mass : 0)),
        potential: (q) =>
          masses.reduce((sum, m, i) => sum + (i % 2 === 1 ? 9.81 * m * q[i]! : 0), 0),
        holonomic: { rows: ["0", "1", "2"], value: (q) => ropes.map((rope) => rope(q)) },
        when: Object.fromEntries(
          ropes.map((rope, i) => [
            `${i}`,
            {
              begin: rope,
              end: (_q: unknown, _v: unknown, _t: number, l: ArrayLike<number>) => l[i]!,
            },
          ]),
        ),
      });
      const q: number[] = [];
      for (let i = 0; i < 6; i++) q.push((q[i - 2] ?? 0) + 0.6 * random());
      const v = q.map(() => 2 * random());
      const solution = solve(chain, { span: [0, 3], q, v, tolerance: TOLERANCE });
      expect(solution.status, `seed ${seed}: ${solution.reason}`).toBe("finished");
      expect(solution.events.length).toBeGreaterThan(2);
      for (const { before, after } of solution.events) {
        const lost = before.energy().total - after.energy().total;
        expect(lost).toBeGreaterThan(-1e-5);
      }
      expect(solution.statistics.energyError).toBeLessThan(1e-3);
      for (const t of sampled(3)) {
        for (const rope of ropes) expect(rope(solution.at(t).q)).toBeLessThan(10 * TOLERANCE);
      }
    }
  });
});
