// Mass matrices that are not positive, redundant and contradictory constraints.

import { equations, lagrange, type Method, none, simulate, udwadiaKalaba } from "nodrift";
import { describe, expect, test } from "vitest";
import { error, everything, method, START } from "../support/skate.js";

describe("matrices", () => {
  test.each<[string, Method]>([
    ["cod", method],
    ["svd", { ...method, formulation: udwadiaKalaba({ solver: "svd" }) }],
    ["cholesky", { ...method, formulation: lagrange() }],
    ["kkt", { ...method, formulation: lagrange({ solver: "kkt" }) }],
  ])("an indefinite mass matrix is named (%s)", (_, tried) => {
    const bad = equations({ ...everything(), mass: { full: () => [1, 2, 0, 2, 1, 0, 0, 0, 1] } });
    expect(() => simulate(bad, { method: tried, ...START, start: "asGiven" }).advance()).toThrow(
      error(
        "MASS",
        'skate: the mass matrix is not positive definite at t = 0: no positive pivot for "y"',
      ),
    );
  });

  test("a diagonal mass that falls to zero is reported with its coordinate", () => {
    const { holonomic: _, nonholonomic: __, ...free } = everything();
    const mass = {
      diagonal: (_q: Float64Array, out: Float64Array, t: number) => out.set([1, 1, 1 - t]),
    };
    const simulation = simulate(equations({ ...free, mass }), {
      method: { ...method, stabilisation: none() },
      ...START,
    });
    expect(() => simulation.runTo(2)).toThrow(
      error(
        "MASS",
        'skate: the mass matrix is not positive definite at t = 1: no positive pivot for "turn"',
      ),
    );
    expect(simulation.time).toBe(0.875);
  });

  test("redundant constraints stop a method that does not support them", () => {
    const good = everything();
    const twice = equations({
      ...good,
      holonomic: {
        rows: ["rod", "rod again"],
        value: (q, out) => out.fill(q[0] ** 2 + q[1] ** 2 - 1),
        jacobian: (q, out) => out.set([2 * q[0], 2 * q[1], 0, 2 * q[0], 2 * q[1], 0]),
        gamma: (_, v, out) => out.fill(-2 * (v[0] ** 2 + v[1] ** 2)),
      },
    });
    const tried = { ...method, formulation: lagrange() };
    expect(() => simulate(twice, { method: tried, ...START }).advance()).toThrow(
      error(
        "SINGULAR",
        'skate: the constraints depend on each other at t = 0 ("rod again" repeats others): use a method ' +
          'that accepts redundant constraints, such as udwadiaKalaba({ solver: "cod" })',
      ),
    );
    expect(
      simulate(twice, { method, ...START })
        .advance(3)
        .rank(),
    ).toBe(2);
  });

  test("contradictory constraints are reported at assembly with their residuals", () => {
    const contradiction = equations({
      name: "torn",
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: () => [0, 0],
      holonomic: {
        rows: ["at zero", "at one", "level"],
        value: (q, out) => out.set([q[0], q[0] - 1, q[1]]),
        jacobian: (_, out) => out.set([1, 0, 1, 0, 0, 1]),
        gamma: (_, __, out) => out.fill(0),
      },
    });
    expect(() => simulate(contradiction, { method, step: 1, q: [0.25, 3] })).toThrow(
      error(
        "ASSEMBLY",
        "the given positions violate the constraints at t = 0 and projection found no consistent state nearby: residual " +
          '5.00e-1 ("at zero" 5.00e-1, "at one" -5.00e-1). Do the constraints contradict each other? To ' +
          'use the start unchanged, pass start: "asGiven"',
      ),
    );
  });

  test("impossible velocities are reported at assembly", () => {
    const contradiction = equations({
      name: "torn",
      coordinates: ["x"],
      mass: [1],
      forces: () => [0],
      nonholonomic: {
        rows: ["slow", "fast"],
        value: (_, v, out) => out.set([v[0] - 1, v[0] - 2]),
        jacobian: (_, __, out) => out.set([1, 1]),
        gamma: (_, __, out) => out.fill(0),
      },
    });
    expect(() => simulate(contradiction, { method, step: 1, q: [0] })).toThrow(
      expect.objectContaining({
        code: "ASSEMBLY",
        message: expect.stringMatching(
          /^the given velocities .* residual 5\.00e-1 \("slow" 5\.00e-1, "fast" -5\.00e-1\)/,
        ),
      }),
    );
  });
});
