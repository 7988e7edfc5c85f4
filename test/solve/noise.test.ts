// Functions with noise: shorter steps do not help, and the run says so instead of taking ever shorter ones.

import { type EquationsDescription, equations } from "nodrift";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";

/** Looks random, in [-1, 1]. */
function scattered(x: number): number {
  const y = Math.sin(x * 1e9) * 43758.5453;
  return 2 * (y - Math.floor(y)) - 1;
}

/** A pendulum whose length, or weight, is noisy. */
function pendulum(inLength: number, inForces = 0, given = false): EquationsDescription {
  return {
    name: "pendulum",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: ([x], [u], out) => out.set([inForces * scattered(x + u), -9.81]),
    holonomic: {
      rows: ["length"],
      value: ([x, y], out) => out.set([x * x + y * y - 1 + inLength * scattered(x)]),
      ...(given && {
        jacobian: ([x, y]: Float64Array, out: Float64Array) => out.set([2 * x, 2 * y]),
        gamma: (_: Float64Array, [u, w]: Float64Array, out: Float64Array) =>
          out.set([-2 * (u * u + w * w)]),
      }),
    },
  };
}

const options = { span: [0, 5], q: [1, 0], start: "asGiven", maximumSteps: 5000 } as const;

describe.each([1e-6, 1e-8])("noise at a tolerance of %d", (tolerance) => {
  test.each([0.01, 0.1, 0.3, 1, 3, 10, 100, 1000])("noise of %d tolerances in a length", (part) => {
    for (const given of [false, true]) {
      const source = equations(pendulum(part * tolerance, 0, given));
      const { status, reason, statistics, notes, end } = solve(source, { ...options, tolerance });
      expect(["finished", "stepUnderflow"]).toContain(status);
      expect(statistics.steps + statistics.rejections).toBeLessThan(3000);
      if (status !== "finished") expect(reason).toContain("holonomic.value is noisy");
      const energy = (end.v[0] ** 2 + end.v[1] ** 2) / 2 + 9.81 * end.q[1];
      const isTold = notes.some((note) => /^(noise|differences): /.test(note));
      // Errors larger than noise alone explains are reported.
      if (status === "finished" && !isTold) expect(Math.abs(energy)).toBeLessThan(1e3 * tolerance);
    }
  });

  test("noise in forces is noted", () => {
    const source = equations(pendulum(0, 1e3 * tolerance, true));
    const { status, notes, statistics } = solve(source, { ...options, tolerance });
    expect(status).toBe("finished");
    expect(statistics.steps).toBeLessThan(1000);
    expect(notes.join()).toContain("forces is noisy");
  });
});

test("a note reports the number of digits of finite differences", () => {
  const notesOf = (noise: number) =>
    solve(equations(pendulum(noise)), { ...options, tolerance: 1e-8 }).notes.join();
  expect(notesOf(0)).toBe("");
  expect(notesOf(1e-10)).toMatch(
    /^differences: derivatives of holonomic\.value .* accurate to about [67] digits, too few for a tolerance of 1e-8/,
  );
});

describe("motions that get no note of noise", () => {
  const falling = (force: (x: number) => number) =>
    equations({
      coordinates: ["x"],
      mass: [1],
      forces: ([x], [u], out) => out.set([force(x) - 0.1 * u]),
    });

  test.each<[string, (x: number) => number]>([
    ["a jump", (x) => (x > 0 ? -5 : 5)],
    ["a corner", (x) => -1e4 * Math.max(0, x) + 5],
    ["a wall", (x) => 5 - 1e9 * Math.max(0, x) ** 3],
  ])("%s of a force", (_, force) => {
    const { notes } = solve(falling(force), { span: [0, 5], q: [-1], tolerance: 1e-8 });
    expect(notes.filter((note) => note.startsWith("noise"))).toEqual([]);
  });

  test("a motion that becomes ever faster", () => {
    // x'' = -2 / x^3 from rest at 1 falls into the middle at t = 1 / sqrt(2): x = sqrt(1 - 2 t^2).
    const source = falling(() => 0).description;
    const singular = equations({ ...source, forces: ([x], _v, out) => out.set([-2 / x ** 3]) });
    const { status, end, notes } = solve(singular, {
      span: [0, 0.7],
      q: [1],
      tolerance: 1e-9,
    });
    expect(status).toBe("finished");
    expect(notes.filter((note) => note.startsWith("noise"))).toEqual([]);
    expect(end.q[0] / Math.sqrt(1 - 2 * 0.7 ** 2)).toBeCloseTo(1, 3);
  });
});
