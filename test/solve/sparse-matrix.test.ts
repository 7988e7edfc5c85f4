// The sparse matrix of implicit methods, when it is large.

import { initSync, Workspace } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { RunLimits, Stopped, withLimits } from "../../src/base/run-limits.js";
import { SparseMatrix } from "../../src/methods/newton/sparse-lu.js";

const SIZE = 300;

/** 3 on the diagonal, 1 and -2 on one side and at a distance: regular, as its rows are dominated by the diagonal. */
function entries(): (readonly [row: number, column: number, scale: number])[] {
  const all = Array.from({ length: SIZE }, (_, i) => [
    [i, i, 3.5] as const,
    [i, (i + 1) % SIZE, 1] as const,
    [i, (i + 7) % SIZE, -2] as const,
  ]);
  return all.flat();
}

function made() {
  const workspace = new Workspace(initSync);
  const list = entries();
  const matrix = new SparseMatrix(workspace, "large", SIZE, list.length);
  const one = workspace.constants("one", [1]);
  const b = workspace.reserve("b", SIZE);
  const x = workspace.reserve("x", SIZE);
  const arena = workspace.seal();
  for (const [row, column, scale] of list) matrix.add(row, column, one, scale);
  return { matrix, list, b, x, right: arena.floats(b), found: arena.floats(x) };
}

describe("a matrix of 300 equations", () => {
  test("the matrix is factored and solved to rounding", () => {
    const { matrix, list, b, x, right, found } = made();
    expect(matrix.count).toBe(3 * SIZE);
    const exact = Float64Array.from({ length: SIZE }, (_, i) => ((i * 37) % 11) - 5);
    for (const [row, column, scale] of list) right[row] += scale * exact[column];
    expect(matrix.factor()).toBe(-1);
    matrix.solve(b.address, x.address);
    for (const [i, value] of found.entries()) expect(value).toBeCloseTo(exact[i], 11);
  });

  /** Factors it and counts how often it asks whether to stop. */
  function asked(stops: boolean): number {
    const { matrix } = made();
    let count = 0;
    const signal = {
      get aborted() {
        count++;
        return stops;
      },
    };
    const factor = () => withLimits(new RunLimits(signal, 1e9), () => matrix.factor());
    if (stops) expect(factor).toThrow(Stopped);
    else expect(factor()).toBe(-1);
    return count;
  }

  test("can be stopped while its pivots are chosen", () => {
    expect(asked(false)).toBeGreaterThan(0);
    expect(asked(true)).toBeGreaterThan(0);
  });

  test("takes no more entries than were announced", () => {
    const { matrix } = made();
    expect(() => matrix.add(0, 0, 0, 1)).toThrow("more matrix entries than reserved");
  });
});
