// Sparse matrices whose entries are factor alpha^power value: solutions against dense elimination with complex numbers.

import { initSync, Workspace } from "nodrift/kernels";
import { expect, test } from "vitest";
import { PowerMatrix } from "../../src/methods/newton/sparse-lu.js";
import { type Complex, naiveComplexSolve, plus, times } from "../oracles/complex-lu.js";
import { randomVector, seeded } from "../support/random.js";

const SIZE = 9;

/** Entries on three diagonals and some far from them, with every power. */
const places = Array.from({ length: SIZE }, (_, row) =>
  [row - 1, row, row + 1, (3 * row + 5) % SIZE]
    .filter((column, i, all) => column >= 0 && column < SIZE && all.indexOf(column) === i)
    .map((column, i) => ({ row, column, power: ((row + i) % 3) as 0 | 1 | 2 })),
).flat();

function problem() {
  const random = seeded(3);
  const workspace = new Workspace(initSync);
  const matrix = new PowerMatrix(workspace, "test", SIZE, places.length);
  const solvers = { real: matrix.solver(false), complex: matrix.solver(true) };
  const values = workspace.reserve("values", places.length);
  const x = workspace.reserve("x", 2 * SIZE);
  const arena = workspace.seal();
  arena.floats(values).set(randomVector(random, places.length));
  const factors = randomVector(random, places.length);
  matrix.clear();
  places.forEach(({ row, column, power }, i) => {
    matrix.add(row, column, values.address + 8 * i, factors[i]!, power);
  });
  const right = randomVector(random, 2 * SIZE);

  /** Largest difference from the result of elimination. */
  function error(kind: "real" | "complex", alpha: Complex): number {
    const dense = Array.from({ length: SIZE }, () => new Array<Complex>(SIZE).fill([0, 0]));
    places.forEach(({ row, column, power }, i) => {
      const value = factors[i]! * arena.floats(values)[i]!;
      let entry: Complex = [value, 0];
      for (let k = 0; k < power; k++) entry = times(entry, alpha);
      dense[row]![column] = plus(dense[row]![column]!, entry);
    });
    const b = Array.from(
      { length: SIZE },
      (_, i): Complex => [right[i]!, kind === "real" ? 0 : right[SIZE + i]!],
    );
    const solver = solvers[kind];
    expect(solver.factor(...alpha)).toBe(-1);
    const numbers = arena.floats(x);
    const scales = arena.floats({ name: "scales", address: solver.scales, slots: SIZE });
    for (let i = 0; i < 2 * SIZE; i++) numbers[i] = right[i]! * scales[i % SIZE]!;
    solver.solve(x.address);
    const exact = naiveComplexSolve(dense, b);
    return Math.max(
      ...exact.flatMap(([re, im], i) =>
        kind === "real"
          ? [Math.abs(re - numbers[i]!)]
          : [Math.abs(re - numbers[i]!), Math.abs(im - numbers[SIZE + i]!)],
      ),
    );
  }
  return error;
}

test("the power matrix solves with a real alpha", () => {
  expect(problem()("real", [0.7, 0])).toBeLessThan(1e-11);
});

test("the power matrix solves with a complex alpha before pivots were chosen for a real one", () => {
  expect(problem()("complex", [0.4, 0.9])).toBeLessThan(1e-11);
});

test("the power matrix keeps separate factors for a real and a complex alpha", () => {
  const error = problem();
  expect(error("real", [0.7, 0])).toBeLessThan(1e-11);
  expect(error("complex", [0.4, 0.9])).toBeLessThan(1e-11);
  expect(error("real", [0.2, 0])).toBeLessThan(1e-11);
  expect(error("complex", [-0.3, 0.5])).toBeLessThan(1e-11);
});
