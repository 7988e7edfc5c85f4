// Constraints given by their values alone: derivatives are found by differences, whose steps fit the function and not the
// size of its arguments.

import {
  type EquationsDescription,
  equations,
  projection,
  rk4,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { solve, start } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";
import { moved, OFFSETS, valueOnlySystems, withoutDerivatives } from "../support/value-only.js";

const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: rk4() };

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i])));
}

describe.each(valueOnlySystems(seeded(11)))("$name", (system) => {
  const run = { span: [0, 3], v: system.v, tolerance: 1e-8, output: "ends" } as const;
  const given = solve(equations(system.describe(0)), { ...run, q: system.q, tolerance: 1e-12 });
  const twin = solve(equations(system.describe(0)), { ...run, q: system.q });

  test.each(OFFSETS)("moves as with its derivatives: %o", (offset) => {
    const { description, q, back } = moved(system, offset);
    const source = equations(withoutDerivatives(description));
    const { status, end, method: used, notes, statistics } = solve(source, { ...run, q });
    expect(status).toBe("finished");
    expect(used).not.toContain("then");
    expect(notes).toEqual([]);
    expect(statistics.steps).toBeLessThan(1.1 * twin.statistics.steps + 3);
    const own = Math.max(distance(twin.end.q, given.end.q), distance(twin.end.v, given.end.v));
    const allowed = 2 * own + 2e-9;
    expect(distance(back(end.q), given.end.q)).toBeLessThan(allowed);
    expect(distance(end.v, given.end.v)).toBeLessThan(allowed);
  });

  test.each(OFFSETS)("reports actual velocity errors: %o", (offset) => {
    const { description, q } = moved(system, offset);
    const options = { method, step: 1e-3, q, v: system.v.map((x, i) => x + 0.1 * i + 0.1) };
    const found = simulate(equations(withoutDerivatives(description)), {
      ...options,
      start: "asGiven",
    }).constraintError();
    const known = simulate(equations(system.describe(0)), {
      ...options,
      q: system.q,
      start: "asGiven",
    }).constraintError();
    expect(known.velocity).toBeGreaterThan(0.01);
    expect(Math.abs(found.velocity - known.velocity)).toBeLessThan(1e-9);
  });
});

describe("scale of variation of functions", () => {
  /** A point on a circle, by its distance from the middle: varies over the radius. */
  const circle = (radius: number): EquationsDescription => ({
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_q, _v, out) => out.set([0, -9.81]),
    holonomic: {
      rows: ["radius"],
      value: ([x, y], out) => out.set([Math.sqrt(x * x + y * y) - radius]),
    },
  });

  test.each([1e-3, 1, 1e3, 6.4e6])("a circle of radius %d has the right period", (radius) => {
    // Small swings: a quarter of 2 pi sqrt(r/g) (1 + a^2/16 + 11 a^4/3072), a = 0.1.
    const amplitude = 0.1;
    const series = 1 + amplitude ** 2 / 16 + (11 * amplitude ** 4) / 3072;
    const quarter = (Math.PI / 2) * Math.sqrt(radius / 9.81) * series;
    const q = [radius * Math.sin(amplitude), -radius * Math.cos(amplitude)];
    const tolerance = { relative: 1e-9, absolute: 1e-9 * radius };
    const options = { span: [0, quarter], q, tolerance, output: "ends" } as const;
    const { status, end, notes } = solve(equations(circle(radius)), options);
    expect(status).toBe("finished");
    expect(notes).toEqual([]);
    expect(Math.abs(end.q[0]) / radius).toBeLessThan(1e-7);
  });

  test("a drive of 500 Hz is followed", () => {
    const rate = 2 * Math.PI * 500;
    const driven = equations({
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: (_q, _v, out) => out.set([0, -1]),
      holonomic: {
        rows: ["shaker"],
        // Even about the start: first differences say nothing there.
        value: ([x], out, t) => out.set([x - 1e-3 * Math.cos(rate * t)]),
      },
    });
    const { status, end } = solve(driven, { span: [0, 0.0123], q: [1e-3, 0], tolerance: 1e-9 });
    expect(status).toBe("finished");
    expect(Math.abs(end.v[0] + 1e-3 * rate * Math.sin(rate * 0.0123))).toBeLessThan(1e-8);
  });

  test("functions that end near the motion are differenced with smaller steps", () => {
    // A bead on y = sqrt(1e-4 + x) starts 1e-4 from where that ends; E = v^2 / 2 - y is kept.
    const bead = equations({
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: (_q, _v, out) => out.set([0, 1]),
      holonomic: { rows: ["root"], value: ([x, y], out) => out.set([y - Math.sqrt(1e-4 + x)]) },
    });
    const { status, end } = solve(bead, { span: [0, 1], q: [0, 0.01], tolerance: 1e-9 });
    expect(status).toBe("finished");
    const energy = (end.v[0] ** 2 + end.v[1] ** 2) / 2 - end.q[1];
    expect(Math.abs(energy + 0.01)).toBeLessThan(1e-7);
  });
});

describe("steps of differences", () => {
  const [, system] = valueOnlySystems(seeded(5));
  const source = equations(withoutDerivatives(system.describe(0)));
  const options = { span: [0, 3], q: system.q, v: system.v, tolerance: 1e-8 } as const;

  test("difference steps are saved and restored bitwise identically", () => {
    const run = start(source, options);
    while (run.time < 1.5) run.step();
    const saved = structuredClone(run.save());
    const { end } = run.finish();
    const other = start(source, options);
    other.restore(saved);
    expect([...other.finish().end.q]).toEqual([...end.q]);
  });

  test("difference steps do not change when the state is read", () => {
    const looked = solve(source, {
      ...options,
      output: { rate: 100 },
      events: [{ name: "far", when: ({ q }) => q[1] - 10 }],
    });
    expect([...looked.end.q]).toEqual([...solve(source, options).end.q]);
  });
});
