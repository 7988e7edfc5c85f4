import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { solve } from "../support/elimination.js";
import { Table } from "./support/room.js";

type Outside = "hold" | "repeat" | "extend";

const OUTSIDE: readonly Outside[] = ["hold", "repeat", "extend"];

/** Points at random distances; the last y is the first for those that repeat themselves. */
const points = (outside: Outside) =>
  fc
    .array(
      fc.record({
        gap: fc.integer({ min: 1, max: 64 }).map((n) => n / 16),
        y: fc.integer({ min: -1000, max: 1000 }).map((n) => n / 100),
      }),
      { minLength: 3, maxLength: 9 },
    )
    .map((list) => {
      let at = -3;
      const x = list.map(({ gap }) => {
        at += gap;
        return at;
      });
      const y = list.map((point) => point.y);
      if (outside === "repeat") y[y.length - 1] = y[0];
      return { x, y };
    });

/** A cubic's derivatives in its coefficients. */
const terms = (u: number, order: number) =>
  [0, 1, 2, 3].map((power) => {
    let factor = 1;
    for (let i = 0; i < order; i++) factor *= power - i;
    return factor === 0 ? 0 : factor * u ** (power - order);
  });

/** All conditions of a spline, four unknowns for each interval, in one dense system. */
function naiveSpline(x: readonly number[], y: readonly number[], outside: Outside): number[] {
  const count = x.length - 1;
  const rows: number[][] = [];
  const right: number[] = [];
  const add = (
    value: number,
    ...parts: (readonly [interval: number, coefficients: number[]])[]
  ) => {
    const row = new Array<number>(4 * count).fill(0);
    for (const [interval, coefficients] of parts) {
      for (const [j, coefficient] of coefficients.entries()) row[4 * interval + j] += coefficient;
    }
    rows.push(row);
    right.push(value);
  };
  const length = (i: number) => x[i + 1] - x[i];
  const minus = (numbers: readonly number[]) => numbers.map((number) => -number);
  for (let i = 0; i < count; i++) {
    add(y[i], [i, terms(0, 0)]);
    add(y[i + 1], [i, terms(length(i), 0)]);
  }
  const smooth = (i: number, next: number) => {
    for (const order of [1, 2])
      add(0, [i, terms(length(i), order)], [next, minus(terms(0, order))]);
  };
  for (let i = 0; i + 1 < count; i++) smooth(i, i + 1);
  if (outside === "repeat") smooth(count - 1, 0);
  else {
    const order = outside === "hold" ? 1 : 2;
    add(0, [0, terms(0, order)]);
    add(0, [count - 1, terms(length(count - 1), order)]);
  }
  return solve(rows, right);
}

describe.each(OUTSIDE)("cubic tables that %s", (outside) => {
  test("match the splines of a dense reference solution", () => {
    fc.assert(
      fc.property(points(outside), ({ x, y }) => {
        const table = new Table({ x, y, outside });
        const expected = naiveSpline(x, y, outside);
        const scale = Math.max(1, ...expected.map(Math.abs));
        for (let i = 0; i + 1 < x.length; i++) {
          for (const part of [0, 0.3, 0.9]) {
            const u = part * (x[i + 1] - x[i]);
            for (const order of [0, 1, 2, 3]) {
              const value = terms(u, order).reduce(
                (sum, term, j) => sum + term * expected[4 * i + j],
                0,
              );
              const error = Math.abs(table.derivative(x[i] + u, order) - value);
              expect(error).toBeLessThan(1e-9 * scale);
            }
          }
        }
      }),
      { seed: 5, numRuns: 60 },
    );
  });

  test("pass through their points exactly", () => {
    fc.assert(
      fc.property(points(outside), ({ x, y }) => {
        const table = new Table({ x, y, outside });
        expect(x.map((at) => table.value(at))).toEqual(y.map((value) => value));
      }),
      { seed: 6, numRuns: 60 },
    );
  });

  test("keep value, rate and acceleration continuous inside, and value and rate at the ends", () => {
    fc.assert(
      fc.property(points(outside), ({ x, y }) => {
        const table = new Table({ x, y, outside });
        const scale = Math.max(
          1,
          ...x.map((at) => Math.abs(table.derivative(at, 3))),
          ...y.map(Math.abs),
        );
        for (const [i, at] of x.entries()) {
          const isEnd = i === 0 || i === x.length - 1;
          const orders = isEnd && outside === "hold" ? [0, 1] : [0, 1, 2];
          for (const order of orders) {
            const jump = table.derivative(at, order) - table.derivative(at - 1e-9, order);
            expect(Math.abs(jump), `order ${order} at ${i}`).toBeLessThan(1e-5 * scale);
          }
        }
      }),
      { seed: 8, numRuns: 60 },
    );
  });

  test("return the same bits in any order of evaluation", () => {
    const x = [0, 1, 2.5, 3, 4.5];
    const y = [1, 3, 2, 5, 1];
    const places = Array.from({ length: 101 }, (_, i) => i / 8 - 4).concat(x);
    const table = new Table({ x, y, outside });
    const upwards = places.map((at) => table.value(at));
    const alone = places.map((at) => new Table({ x, y, outside }).value(at));
    const downwards = [...places].reverse().map((at) => table.value(at));
    expect(upwards).toEqual(alone);
    expect(downwards.reverse()).toEqual(alone);
  });
});

describe("Table beyond its ends", () => {
  const x = [0, 1, 2, 4];
  const y = [1, 3, 0, 1];

  test("holds its last value with a continuous rate", () => {
    const table = new Table({ x, y });
    expect([table.value(-5), table.rate(-5), table.acceleration(-5)]).toEqual([1, 0, 0]);
    expect([table.value(9), table.rate(9), table.acceleration(9)]).toEqual([1, 0, 0]);
    expect(table.rate(0)).toBeCloseTo(0, 14);
    expect(table.rate(4 - 1e-12)).toBeCloseTo(0, 10);
    expect(Math.abs(table.acceleration(0))).toBeGreaterThan(1);
  });

  test("repeats periodically with a continuous second derivative", () => {
    const table = new Table({ x, y, outside: "repeat" });
    for (const at of [0, 0.25, 1.5, 3.75]) {
      for (const turns of [-3, -1, 1, 2, 10]) {
        for (const order of [0, 1, 2, 3]) {
          expect(table.derivative(at + 4 * turns, order)).toBe(table.derivative(at, order));
        }
      }
    }
    expect(table.rate(4 - 1e-12)).toBeCloseTo(table.rate(0), 9);
    expect(table.acceleration(4 - 1e-12)).toBeCloseTo(table.acceleration(0), 9);
    // So near to the end of a period that it is rounded to it.
    expect(table.derivative(-1e-20, 0)).toBe(1);
    expect(table.rate(-1e-20)).toBe(table.rate(0));
    expect(Math.abs(table.rate(0))).toBeGreaterThan(0.1);
  });

  test("extends linearly", () => {
    const table = new Table({ x, y, outside: "extend" });
    const [left, right] = [table.rate(0), table.rate(4)];
    expect(table.value(-2)).toBeCloseTo(1 - 2 * left, 14);
    expect(table.value(7)).toBeCloseTo(1 + 3 * right, 14);
    expect([table.rate(-2), table.rate(7)]).toEqual([left, right]);
    expect([table.acceleration(-2), table.acceleration(7)]).toEqual([0, 0]);
    expect(table.acceleration(0)).toBeCloseTo(0, 14);
    expect(table.acceleration(4 - 1e-12)).toBeCloseTo(0, 9);
  });

  test("keeps straight lines", () => {
    const line = { x: [-1, 0, 2, 3, 7], y: [-5, -2, 4, 7, 19] };
    const table = new Table({ ...line, outside: "extend" });
    for (const at of [-9, -0.5, 0.75, 2.5, 6, 20]) {
      expect([table.value(at), table.rate(at), table.acceleration(at)]).toEqual([3 * at - 2, 3, 0]);
    }
  });

  test("interpolates two points by a line or a smooth step", () => {
    const line = new Table({ x: [1, 3], y: [0, 4], outside: "extend" });
    expect([line.value(1.5), line.value(5)]).toEqual([1, 8]);
    const step = new Table({ x: [1, 3], y: [0, 4] });
    expect([step.value(1.5), step.value(2), step.rate(2), step.value(5)]).toEqual([0.625, 2, 3, 4]);
  });

  test("returns NaN for NaN", () => {
    for (const outside of OUTSIDE) {
      const table = new Table({ x, y, outside });
      table.value(1.5);
      expect(table.value(Number.NaN)).toBeNaN();
    }
  });
});

describe("linear tables", () => {
  const line = { x: [0, 1, 3], y: [0, 2, 1], interpolation: "linear" } as const;

  test("interpolate linearly, with the right-hand slope at points", () => {
    const table = new Table(line);
    expect([0, 0.5, 1, 2, 3].map((x) => table.value(x))).toEqual([0, 1, 2, 1.5, 1]);
    expect([0, 0.5, 1, 2].map((x) => table.rate(x))).toEqual([2, 2, -0.5, -0.5]);
    expect([0, 0.5, 1, 2].map((x) => table.acceleration(x))).toEqual([0, 0, 0, 0]);
  });

  test("support hold, extend and repeat", () => {
    const at = (outside: Outside, y: readonly number[]) => {
      const table = new Table({ ...line, y, outside });
      return [-1, 3, 4].map((x) => [table.value(x), table.rate(x)]);
    };
    expect(at("hold", line.y)).toEqual([
      [0, 0],
      [1, 0],
      [1, 0],
    ]);
    expect(at("extend", line.y)).toEqual([
      [-2, 2],
      [1, -0.5],
      [0.5, -0.5],
    ]);
    expect(at("repeat", [0, 2, 0])).toEqual([
      [1, -1],
      [0, 2],
      [2, -1],
    ]);
  });
});

describe("tables", () => {
  test("copy their points", () => {
    const given = { x: [0, 1, 2], y: [0, 1, 0] };
    const table = new Table(given);
    given.x[1] = 1.5;
    given.y[1] = 7;
    expect(table.value(1)).toBe(1);
  });

  test("find the interval among many points", () => {
    const x = Array.from({ length: 100_000 }, (_, i) => i);
    const table = new Table({ x, y: x.map((i) => i % 2), outside: "extend" });
    for (const at of [0, 99_999, 50_000, 50_001, 49_999, 3, 77_777]) {
      expect(table.value(at)).toBe(at % 2);
    }
    const wave = x.map((i) => Math.sin((2 * Math.PI * i) / 99_999));
    wave[99_999] = wave[0];
    expect(new Table({ x, y: wave, outside: "repeat" }).rate(0)).toBeCloseTo(
      (2 * Math.PI) / 99_999,
      12,
    );
  });

  test.each([
    [{ x: [0, 1] }, "table: y is missing"],
    [{ y: [0, 1] }, "table: x is missing"],
    [{ x: [0, 1], y: [0, 1], period: 2 }, "table: period is not an option"],
    [{ x: "01", y: [0, 1] }, 'table: x must be a list of numbers, not "01"'],
    [{ x: [0], y: [0] }, "table: x must have at least 2 points, but has 1"],
    [{ x: [], y: [] }, "table: x must have at least 2 points, but has 0"],
    [{ x: [0, 1, 2], y: [0, 1] }, "table: y must be 3 numbers, not a list of 2"],
    [{ x: [0, 1, 1], y: [0, 1, 2] }, "table: x must increase, but x[2] = 1 follows 1"],
    [{ x: [0, 2, 1], y: [0, 1, 2] }, "table: x must increase, but x[2] = 1 follows 2"],
    [{ x: [0, Number.NaN], y: [0, 1] }, "table: x[1] must be a finite number, not NaN"],
    [{ x: [0, 1], y: [0, Number.POSITIVE_INFINITY] }, "table: y[1] must be a finite number"],
    [{ x: [0, 1], y: [0, "1"] }, 'table: y[1] must be a finite number, not "1"'],
    [
      { x: [0, 1], y: [0, 0], outside: "repeat" },
      "table: a periodic table needs at least 3 points, got 2",
    ],
    [
      { x: [0, 1, 2], y: [0, 1, 2], outside: "repeat" },
      "a periodic table needs equal first and last y, got 0 and 2",
    ],
    [
      { x: [0, 1], y: [0, 1], outside: "wrap" },
      'table: outside must be "hold" or "repeat" or "extend"',
    ],
    [
      { x: [0, 1], y: [0, 1], interpolation: "none" },
      'table: interpolation must be "cubic" or "linear"',
    ],
    [{ x: [0, 1e-320], y: [0, 1] }, "table: points are too close together"],
    [[0, 1], "table: options must be an object"],
  ])("%j is refused", (options, message) => {
    expect(() => new Table(options as never)).toThrow(message);
  });
});
