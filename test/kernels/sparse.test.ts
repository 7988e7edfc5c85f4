import fc from "fast-check";
import { type ConstraintGraph, planSparse, Status, statusCode, statusIndex } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import {
  assembleAndFactor,
  chainGraph,
  randomGraph,
  type SparseProblem,
  solveSparse,
  sparseProblem,
} from "../../bench/cases/sparse.js";
import { naiveCholesky } from "../oracles/cholesky.js";
import { multiply, relativeDistance } from "../support/matrix.js";
import { randomVector, seeded } from "../support/random.js";

/** Reference solution of S x = b by dense elimination. */
function naiveSolve(n: number, a: Float64Array, b: Float64Array): Float64Array {
  const l = naiveCholesky(n, a) as Float64Array;
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= l[i + k * n] * x[k];
    x[i] /= l[i + i * n];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= l[k + i * n] * x[k];
    x[i] /= l[i + i * n];
  }
  return x;
}

const TOLERANCE = 1e-12;

function ring(count: number, rows: number): ConstraintGraph {
  const constraints = Array.from({ length: count }, (_, i) => ({
    rows,
    bodies: [i, (i + 1) % count],
  }));
  return { bodyCount: count, bodySize: 6, constraints };
}

function star(count: number, rows: number): ConstraintGraph {
  const constraints = Array.from({ length: count }, (_, i) => ({ rows, bodies: [0, i + 1] }));
  return { bodyCount: count + 1, bodySize: 6, constraints };
}

function ladder(count: number): ConstraintGraph {
  const constraints: { rows: number; bodies: number[] }[] = [];
  for (let i = 0; i < count; i++) {
    constraints.push({ rows: 2, bodies: [2 * i, 2 * i + 1] });
    if (i > 0) constraints.push({ rows: 3, bodies: [2 * i - 2, 2 * i] });
    if (i > 0) constraints.push({ rows: 1, bodies: [2 * i - 1, 2 * i + 1] });
  }
  return { bodyCount: 2 * count, bodySize: 6, constraints };
}

function solveAndCompare(problem: SparseProblem, seed: number): number {
  const { memory, plan, dense } = problem;
  memory.b.view.set(randomVector(seeded(seed), plan.rows));
  expect(assembleAndFactor(problem, TOLERANCE)).toBe(Status.OK);
  expect(solveSparse(problem)).toBe(Status.OK);
  return relativeDistance(memory.x.view, naiveSolve(plan.rows, dense, memory.b.view));
}

describe("sparse block Cholesky", () => {
  test.each([
    ["chain of points", chainGraph(12, 3)],
    ["chain of hinges", chainGraph(9, 5)],
    ["ring", ring(8, 3)],
    ["star", star(6, 1)],
    ["ladder of loops", ladder(7)],
    [
      "two separate chains",
      {
        bodyCount: 4,
        bodySize: 3,
        constraints: [[0], [0, 1], [2], [3, 2]].map((bodies) => ({ rows: 1, bodies })),
      },
    ],
  ])("solves as the dense twin: %s", (_, graph) => {
    expect(solveAndCompare(sparseProblem(seeded(7), graph), 8)).toBeLessThan(1e-9);
  });

  test("agrees with a dense solve on any graph of full rank", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 12 }), (seed, bodies) => {
        const graph = randomGraph(seeded(seed), bodies);
        const onBody = new Map<number, number>();
        for (const { rows, bodies: touched } of graph.constraints) {
          for (const body of touched) onBody.set(body, (onBody.get(body) ?? 0) + rows);
        }
        fc.pre([...onBody.values()].every((rows) => rows <= 6));
        expect(solveAndCompare(sparseProblem(seeded(seed + 1), graph), seed)).toBeLessThan(1e-7);
      }),
    );
  });

  test("assembles J M^-1 J^T", () => {
    const problem = sparseProblem(seeded(3), {
      bodyCount: 1,
      bodySize: 6,
      constraints: [{ rows: 3, bodies: [0] }],
    });
    assembleAndFactor(problem, TOLERANCE);
    const { view } = problem.memory.s; // one block, rows padded to four
    const unpadded = [0, 1, 2].flatMap((j) => [...view.slice(4 * j, 4 * j + 3)]);
    expect(relativeDistance(unpadded, problem.dense)).toBeLessThan(1e-15);
  });

  // One block: its rows are eliminated in their order. Blocks of three have their own code.
  test.each([1, 2, 3, 4, 5])("returns the relative pivot of each diagonal, %i rows", (rows) => {
    const problem = sparseProblem(seeded(4), {
      bodyCount: 1,
      bodySize: 6,
      constraints: [{ rows, bodies: [0] }],
    });
    expect(assembleAndFactor(problem, TOLERANCE)).toBe(Status.OK);
    const l = naiveCholesky(rows, problem.dense) as Float64Array;
    const left = Array.from({ length: rows }, (_, i) => {
      const place = i * (rows + 1);
      return l[place] ** 2 / problem.dense[place];
    });
    expect(relativeDistance(problem.memory.pivots.view, left)).toBeLessThan(1e-13);
  });

  test("a chain has no fill and is eliminated end to end", () => {
    const plan = planSparse(chainGraph(50));
    expect(plan.fill).toBe(0);
    expect(plan.order).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  test("a ring fills in less than one block for each link", () => {
    expect(planSparse(ring(50, 3)).fill).toBeLessThanOrEqual(50);
  });

  test("rejects a cyclic elimination order", () => {
    const after = [[1], [2], [0]];
    expect(() => planSparse(chainGraph(3), after)).toThrow(
      "constraint graph: cyclic elimination order",
    );
  });

  test("eliminates constraints after those given as predecessors", () => {
    const graph = ring(50, 3);
    const after = graph.constraints.map((_, i) => (i === 0 ? [49, 20] : i === 7 ? [0] : []));
    const { order, fill } = planSparse(graph, after);
    const place = (constraint: number) => order.indexOf(constraint);
    expect([...order].sort((a, b) => a - b)).toEqual(graph.constraints.map((_, i) => i));
    expect(place(0)).toBeGreaterThan(Math.max(place(49), place(20)));
    expect(place(7)).toBeGreaterThan(place(0));
    expect(fill).toBeLessThanOrEqual(100);
  });

  test("a tree has no fill, whatever the numbering", () => {
    const constraints = [5, 3, 6, 1, 4, 2].map((body) => ({
      rows: 1,
      bodies: body === 1 ? [1] : [body, body >> 1],
    }));
    expect(planSparse({ bodyCount: 7, bodySize: 6, constraints }).fill).toBe(0);
  });
});

describe("dependent rows", () => {
  /** The door: two equal constraints on one body. */
  function doubled(rows: number): SparseProblem {
    const problem = sparseProblem(seeded(5), {
      bodyCount: 1,
      bodySize: 6,
      constraints: [
        { rows, bodies: [0] },
        { rows, bodies: [0] },
      ],
    });
    const { view } = problem.memory.jacobian;
    view.copyWithin(view.length / 2, 0, view.length / 2);
    return problem;
  }

  test("a zero pivot is reported with its row, and the solve stays right", () => {
    const problem = doubled(3);
    const { memory } = problem;
    const status = assembleAndFactor(problem, TOLERANCE);
    expect(statusCode(status)).toBe(Status.DEFICIENT);
    expect(statusIndex(status)).toBe(3);
    expect([...memory.pivots.view].map((pivot) => pivot > 0)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    memory.b.view.set([1, 2, 3, 1, 2, 3]);
    expect(solveSparse(problem)).toBe(Status.OK);
    expect([...memory.x.view.slice(3)].every((x) => x === 0)).toBe(true);
    const half = sparseProblem(seeded(5), {
      bodyCount: 1,
      bodySize: 6,
      constraints: [{ rows: 3, bodies: [0] }],
    });
    half.memory.jacobian.view.set(memory.jacobian.view.slice(0, 18));
    half.memory.mass.view.set(memory.mass.view);
    half.memory.b.view.set([1, 2, 3]);
    assembleAndFactor(half, TOLERANCE);
    solveSparse(half);
    expect(relativeDistance(memory.x.view.slice(0, 3), half.memory.x.view)).toBeLessThan(1e-14);
  });

  test("a row of zeros is a dependent row", () => {
    const problem = sparseProblem(seeded(6), chainGraph(4, 2));
    problem.memory.jacobian.view.fill(0, 0, 6);
    const status = assembleAndFactor(problem, TOLERANCE);
    expect(statusCode(status)).toBe(Status.DEFICIENT);
    expect(statusIndex(status)).toBe(0);
    expect([...problem.memory.l.view].every(Number.isFinite)).toBe(true);
  });

  test("more rows than coordinates: the rank is that of the coordinates", () => {
    const problem = sparseProblem(seeded(9), {
      bodyCount: 1,
      bodySize: 6,
      constraints: [
        { rows: 5, bodies: [0] },
        { rows: 4, bodies: [0] },
      ],
    });
    assembleAndFactor(problem, TOLERANCE);
    expect([...problem.memory.pivots.view].filter((pivot) => pivot > 0)).toHaveLength(6);
  });
});

describe("bad input", () => {
  test.each([Number.NaN, Number.POSITIVE_INFINITY])("%d in a Jacobian names its row", (bad) => {
    const problem = sparseProblem(seeded(2), chainGraph(5));
    problem.memory.jacobian.view[problem.plan.jacobianSlotOf[2][0] + 6] = bad; // row 1 of constraint 2
    const status = assembleAndFactor(problem, TOLERANCE);
    expect(statusCode(status)).toBe(Status.NON_FINITE);
    expect(statusIndex(status)).toBe(7);
  });

  test("a negative mass names the row that is not positive", () => {
    const problem = sparseProblem(seeded(2), chainGraph(3));
    problem.memory.mass.view.set(
      problem.memory.mass.view.slice(72).map((x) => -x),
      72,
    );
    expect(statusCode(assembleAndFactor(problem, TOLERANCE))).toBe(Status.NOT_POSITIVE);
  });

  test("names a bad right-hand side without writing the output, and works in place", () => {
    const problem = sparseProblem(seeded(2), chainGraph(3));
    const { memory } = problem;
    assembleAndFactor(problem, TOLERANCE);
    memory.b.view.fill(1);
    memory.b.view[4] = Number.NaN;
    memory.x.view.fill(42);
    const status = solveSparse(problem);
    expect([statusCode(status), statusIndex(status)]).toEqual([Status.NON_FINITE, 4]);
    expect(memory.x.view).toEqual(new Float64Array(9).fill(42));
    memory.b.view[4] = 1;
    solveSparse(problem);
    const { kernels, table, l, b, scratch } = memory;
    kernels.sparseSolve(table.address, l.address, b.address, scratch.address, b.address);
    expect(memory.b.view).toEqual(memory.x.view);
  });

  test("accepts an empty constraint graph", () => {
    const problem = sparseProblem(seeded(2), { bodyCount: 2, bodySize: 6, constraints: [] });
    expect(assembleAndFactor(problem, TOLERANCE)).toBe(Status.OK);
    expect(solveSparse(problem)).toBe(Status.OK);
  });

  test.each([
    [
      { rows: 0, bodies: [0] },
      "constraint graph: constraints[0].rows is 0; give a whole number from 1",
    ],
    [{ rows: 1, bodies: [0, 0] }, "constraint graph: constraint 0 lists a body twice"],
    [{ rows: 1, bodies: [7] }, "constraint graph: constraint 0 names body 7; there are 2"],
    [
      { rows: Number.NaN, bodies: [0] },
      "constraint graph: constraints[0].rows is NaN; give a whole number from 1",
    ],
  ])("rejects a wrong graph: %j", (constraint, message) => {
    expect(() => planSparse({ bodyCount: 2, bodySize: 6, constraints: [constraint] })).toThrow(
      message,
    );
  });

  test("does not change its inputs", () => {
    const problem = sparseProblem(seeded(4), chainGraph(4));
    const { memory, plan } = problem;
    const before = [memory.jacobian, memory.mass, memory.table].map(({ view }) => view.slice());
    memory.b.view.set(
      multiply(plan.rows, plan.rows, 1, problem.dense, new Float64Array(plan.rows).fill(1)),
    );
    assembleAndFactor(problem, TOLERANCE);
    const s = memory.s.view.slice();
    solveSparse(problem);
    expect([memory.jacobian, memory.mass, memory.table].map(({ view }) => view)).toEqual(before);
    expect(memory.s.view).toEqual(s);
  });
});
