// Maggi's equations with user-defined quasi-velocities (Laulusa and Bauchau 2008, eq. 4), and bases and criteria of
// related methods.

import {
  type CoordinatePartitioningOptions,
  coordinatePartitioning,
  equations,
  frozenBasis,
  type KinematicCharacteristics,
  maggi,
  projection,
  rk4,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { describe, expect, test } from "vitest";
import { drift, formulationProblems, redundantProblem, simulated } from "#experiments";
import { maggiByCharacteristics } from "../../docs/make/method-costs.js";
import { naiveDeflection } from "../oracles/deflection.js";
import { seeded } from "../support/random.js";
import { measuredOrder, pendulum, START, start } from "./support/pendulum.js";

/** Speed along the circle in time-dependent units, so that both B and b depend on time. */
const along: KinematicCharacteristics = {
  count: 1,
  value: ([x, y], [vx, vy], out, t) => {
    out[0] = (2 + Math.sin(t)) * (x * vy - y * vx) + Math.cos(3 * t) * x;
  },
};

const withAll: KinematicCharacteristics = {
  ...along,
  jacobian: ([x, y], out, t) => out.set([-(2 + Math.sin(t)) * y, (2 + Math.sin(t)) * x]),
  rate: ([x, y], [vx, vy], out, t) => {
    // x vy - y vx has zero rate at zero accelerations.
    out[0] = Math.cos(t) * (x * vy - y * vx) - 3 * Math.sin(3 * t) * x + Math.cos(3 * t) * vx;
  },
};

const by = (characteristics: KinematicCharacteristics) => ({
  formulation: maggi({ characteristics }),
  integrator: rk4(),
});

describe("maggi with user-defined quasi-velocities", () => {
  test("integrates to the order of the method, with analytic and finite-difference derivatives", () => {
    expect(measuredOrder(by(withAll))).toBeGreaterThan(3.6);
    const [formulas, differences] = [withAll, along].map((given) =>
      start(by(given), 0.01).runTo(1),
    );
    expect(Math.abs(formulas.q[0] - differences.q[0])).toBeLessThan(1e-11);
  });

  test("keeps velocities on the constraints", () => {
    const simulation = start(by(along), 0.01);
    let worst = 0;
    simulation.runTo(5, () => {
      worst = Math.max(worst, simulation.constraintError().velocity);
    });
    expect(worst).toBeLessThan(1e-13);
    expect(simulation.constraintError().position).toBeLessThan(1e-5);
  });

  test("supports redundant rows", () => {
    const [once, twice] = [1, 2].map((rows) => start(by(along), 0.01, pendulum(rows)).runTo(1));
    expect(Math.abs(once.q[0] - twice.q[0])).toBeLessThan(1e-12);
  });

  test("supports moving constraints and constraints on velocities", () => {
    const { drivenPendulum, sleigh } = formulationProblems;
    const spherical: KinematicCharacteristics = {
      count: 2,
      value: ([x, y], [vx, vy, vz], out) => {
        out[0] = x * vy - y * vx;
        out[1] = vz;
      },
    };
    const rolling: KinematicCharacteristics = {
      count: 2,
      value: ([, , angle], [vx, vy, omega], out) => {
        out[0] = Math.cos(angle) * vx + Math.sin(angle) * vy;
        out[1] = omega;
      },
    };
    for (const [problem, given] of [
      [drivenPendulum, spherical],
      [sleigh, rolling],
    ] as const) {
      const [ours, theirs] = [maggi({ characteristics: given }), maggi()].map((formulation) =>
        simulated(problem, formulation, 2e-3).runTo(0.5),
      );
      const apart = Math.max(...ours.q.map((value, i) => Math.abs(value - theirs.q[i])));
      expect(apart).toBeLessThan(1e-9);
    }
  });

  test("rejects quasi-velocities that are too few, nonlinear, or do not determine the velocities", () => {
    const wrong = (given: Partial<KinematicCharacteristics>) => () =>
      start(by({ ...along, ...given }), 0.01).advance();
    expect(wrong({ count: 2, value: () => {} })).toThrow(
      /there are 2 characteristics, but 1 degrees of freedom at t = 0/,
    );
    expect(
      wrong({
        value: (_q, [vx], out) => {
          out[0] = vx * vx;
        },
      }),
    ).toThrow(/characteristic 0 is not linear in the velocities/);
    // The constraint fixes the speed towards the centre.
    expect(
      wrong({
        value: ([x, y], [vx, vy], out) => {
          out[0] = x * vx + y * vy;
        },
      }),
    ).toThrow(/do not determine the velocities at t = 0/);
    expect(
      wrong({
        value: (_q, _v, out) => {
          out[0] = Number.NaN;
        },
      }),
    ).toThrow(/characteristics.value gave NaN at t = 0/);
    expect(wrong({ jacobian: (_q, out) => out.set([1, 1]) })).toThrow(/or its jacobian is wrong/);
    expect(() => maggi({ basis: "lu", characteristics: along })).toThrow(/give one of the two/);
  });

  test("reports the same accelerations as other formulations", () => {
    const { fourBars: _, ...rest } = formulationProblems;
    expect(Object.keys(rest).length).toBe(5);
    expect(maggiByCharacteristics().name).toBe("maggi(characteristics)");
  });
});

describe("coordinatePartitioning with the projective criterion", () => {
  /** A particle on the plane j.q = 0 with a full mass matrix, after one step. */
  const step = (mass: number[][], j: number[], options: CoordinatePartitioningOptions) => {
    const plane = equations({
      coordinates: ["x", "y", "z"],
      mass,
      forces: ([x], _v, out) => {
        out[2] = -10 - x * x;
      },
      holonomic: { rows: 1, value: (q) => [q[0] * j[0] + q[1] * j[1] + q[2] * j[2]] },
    });
    const method = { formulation: coordinatePartitioning(options), integrator: rk4() };
    return [...simulate(plane, { method, step: 0.05, q: [0, 0, 0], v: [0, 0, 0] }).advance(3).q];
  };

  test("chooses the coordinates whose directions the constraints deflect least, unlike pivoting", () => {
    const random = seeded(5);
    const number = () => 2 * random() - 1;
    let differing = 0;
    for (let trial = 0; trial < 20; trial++) {
      // L, lower triangular, and M = L L^T.
      const l = [0, 1, 2].map((i) =>
        [0, 1, 2].map((k) => (k < i ? number() : k === i ? 0.4 + random() : 0)),
      );
      const mass = l.map((row) =>
        l.map((other) => row.reduce((sum, x, k) => sum + x * other[k], 0)),
      );
      const j = [number(), number(), number()];
      const forward = (b: number[]) => {
        const x0 = b[0] / l[0][0];
        const x1 = (b[1] - l[1][0] * x0) / l[1][1];
        return [x0, x1, (b[2] - l[2][0] * x0 - l[2][1] * x1) / l[2][2]];
      };
      const w = [0, 1, 2].map((i) => forward([0, 1, 2].map((k) => (k === i ? 1 : 0))));
      // Two directions orthogonal to the whitened row.
      const c = forward(j);
      const first = [c[1], -c[0], 0];
      const second = [c[0] * c[2], c[1] * c[2], -(c[0] ** 2 + c[1] ** 2)];
      const z = [first, second].map((x) => x.map((value) => value / Math.hypot(...x)));
      const best = naiveDeflection(3, z, w);
      const named = ["x", "y", "z"].filter((_, i) => best[i] === 1);
      const chosen = step(mass, j, { criterion: "projective" });
      expect(chosen).toEqual(step(mass, j, { independent: named }));
      if (`${chosen}` !== `${step(mass, j, {})}`) differing++;
    }
    expect(differing).toBeGreaterThan(0);
  });

  test.each([
    ["four-bars", formulationProblems.fourBars] as const,
    ["redundant", redundantProblem] as const,
  ])("carry the %s through 10 s", (_, problem) => {
    const formulation = coordinatePartitioning({ criterion: "projective" });
    expect(drift(simulated(problem, formulation, 0.01), 10).position).toBeLessThan(1e-10);
  });

  test("rejects a criterion together with named coordinates", () => {
    expect(() => coordinatePartitioning({ criterion: "projective", independent: ["x"] })).toThrow(
      /give one of the two/,
    );
  });
});

test("frozenBasis has the same motion with SVD and QR", () => {
  const [qr, svd] = ["qr" as const, "svd" as const].map((basis) =>
    simulated(formulationProblems.sliderCrank, frozenBasis({ basis }), 1e-3).runTo(1),
  );
  expect(Math.abs(qr.q[0] - svd.q[0])).toBeLessThan(1e-9);
  expect(svd.constraintError().position).toBeLessThan(1e-14);
});

test("projection by a penalty equals projection by a factorisation", () => {
  const [plain, soft] = ["auto" as const, "penalty" as const].map((solver) => {
    const method = {
      formulation: udwadiaKalaba(),
      stabilisation: projection({ solver }),
      integrator: rk4(),
    };
    return simulate(pendulum(), { method, step: 0.01, ...START }).runTo(1);
  });
  expect(Math.abs(plain.q[0] - soft.q[0])).toBeLessThan(1e-13);
});
