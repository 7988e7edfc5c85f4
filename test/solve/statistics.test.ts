import { equations } from "nodrift";
import { compile } from "nodrift/bodies";
import { simplePendulum } from "nodrift/mechanisms";
import { dop853, dp5, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { largest, oscillator } from "./support/systems.js";

const PENDULUM = await compile(simplePendulum());

describe("statistics", () => {
  const counting = () => {
    const calls = { forces: 0 };
    const system = equations({
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: (_q, _v, out) => {
        calls.forces++;
        out[0] = 0;
        out[1] = -9.81;
      },
      holonomic: {
        rows: 1,
        value: (q, out) => {
          out[0] = q[0] ** 2 + q[1] ** 2 - 1;
        },
        jacobian: (q, out) => {
          out.set([2 * q[0], 2 * q[1]]);
        },
        gamma: (_q, v, out) => {
          out[0] = -2 * (v[0] ** 2 + v[1] ** 2);
        },
      },
    });
    return { calls, system };
  };

  test.each([dp5(), dop853()])("evaluations with $name are the calls of forces", (integrator) => {
    for (const output of ["ends", "steps", { rate: 50 }] as const) {
      const { calls, system } = counting();
      const solution = solve(system, { span: [0, 3], q: [1, 0], integrator, output });
      const { evaluations, steps, rejections } = solution.statistics;
      expect(evaluations).toBe(calls.forces);
      expect(evaluations).toBeGreaterThan(steps * integrator.stages - 1);
      expect(evaluations).toBeLessThan(4 + (steps + rejections) * (integrator.stages + 4));
    }
  });

  test("steps, their lengths, rejections and factorisations are those of the run", () => {
    const { statistics, time } = solve(PENDULUM, { span: [0, 10], tolerance: 1e-6 });
    const lengths = Array.from(time.subarray(1), (t, i) => t - time[i]);
    expect(statistics.steps).toBe(time.length - 1);
    expect(statistics.longestStep).toBeCloseTo(Math.max(...lengths), 14);
    expect(statistics.shortestStep).toBeCloseTo(Math.min(...lengths), 14);
    expect(statistics.factorisations).toBeGreaterThanOrEqual(statistics.evaluations);
    expect(statistics.seconds).toBeGreaterThan(0);
  });

  test("rejections are counted: a first step that is far too long", () => {
    const options = { span: [0, 10], q: [1], tolerance: 1e-8 } as const;
    const found = solve(oscillator(), options).statistics;
    const forced = solve(oscillator(), { ...options, firstStep: 10 }).statistics;
    expect(forced.rejections).toBeGreaterThan(found.rejections);
  });

  test("the energy error is that of the states, scales with the tolerance, and needs a potential", () => {
    const errors = [1e-4, 1e-8].map((tolerance) => {
      const solution = solve(oscillator(2), { span: [0, 20], q: [1], tolerance });
      const energies = solution.column(({ q, v }) => v[0] ** 2 / 2 + 2 * q[0] ** 2);
      const worst = largest(energies.map((energy) => energy - 2));
      expect(solution.statistics.energyError).toBeCloseTo(worst, 14);
      return worst;
    });
    expect(errors[0] / errors[1]).toBeGreaterThan(1e3);
    expect(errors[0]).toBeLessThan(1e-2);
    const { statistics } = solve(counting().system, { span: [0, 1], q: [1, 0] });
    expect(statistics.energyError).toBeUndefined();
  });
});
