// The HMMWV on its bump, by an implicit method on independent coordinates.

import { type CompiledModel, compile } from "nodrift/bodies";
import {
  hmmwv,
  hmmwvHeights,
  hmmwvPartition,
  hmmwvPeak,
  hmmwvRoad,
  hmmwvSettledHeight,
  hmmwvSteps,
} from "nodrift/mechanisms";
import { radau5, rodas, sdirk4, solve, stateSpace } from "nodrift/solve";
import { afterEach, describe, expect, test, vi } from "vitest";

const vehicle = await compile(hmmwv());

function driven(
  tolerance: number,
  {
    integrator = sdirk4(),
    end = 5,
    system = vehicle as CompiledModel,
    formulation = stateSpace(),
  } = {},
) {
  const solution = solve(system, {
    span: [0, end],
    tolerance,
    method: { formulation, integrator },
  });
  expect(solution.status, solution.reason).toBe("finished");
  const height = (t: number) => solution.at(t).body("chassis").position[2];
  return { solution, height };
}

describe("HMMWV, 5 s at a tolerance of 1e-5", () => {
  const { solution, height } = driven(1e-5);

  test.each(hmmwvHeights)("after %d s the chassis is at height %d", (time, expected) => {
    expect(Math.abs(height(time) - expected)).toBeLessThan(1e-4);
  });

  test("the chassis is highest when the rear wheels are on the bump", () => {
    const times = Array.from({ length: 50001 }, (_, i) => i / 10000);
    const coarse = times.filter((_, i) => i % 50 === 0);
    const best = (list: number[]) => list.reduce((a, b) => (height(b) > height(a) ? b : a));
    const near = best(coarse);
    const peak = best(times.filter((t) => Math.abs(t - near) < 0.005));
    expect(Math.abs(peak - hmmwvPeak[0])).toBeLessThan(2e-3);
    expect(Math.abs(height(peak) - hmmwvPeak[1])).toBeLessThan(2e-4);
  });

  test("the vehicle settles at its equilibrium", () => {
    expect(Math.abs(height(5) - hmmwvSettledHeight)).toBeLessThan(1e-4);
    const still = solution.end.body("chassis").velocity[2];
    expect(Math.abs(still)).toBeLessThan(1e-4);
  });

  test("the vehicle stays on the constraints, with analytic derivatives", () => {
    const { maximumDrift, implicit } = solution.statistics;
    expect(maximumDrift.position).toBeLessThan(1e-12);
    expect(maximumDrift.velocity).toBeLessThan(1e-12);
    expect(implicit?.jacobianSource).toBe("analytic");
  });

  test("left and right sides move alike", () => {
    for (const t of [0.6, 1.35]) {
      const [left, right] = ["left", "right"].map((side) =>
        solution.at(t).body(`spindle rear ${side}`).position.slice(),
      );
      expect(Math.abs(left[2] - right[2])).toBeLessThan(1e-5);
      expect(Math.abs(left[1] + right[1])).toBeLessThan(1e-5);
    }
  });
});

test.each(hmmwvSteps.slice(0, 4))(
  "HMMWV at tolerance %d takes not more than the %d steps of the paper by a quarter, and no less than half",
  (tolerance, steps) => {
    const formulation = stateSpace({ independent: hmmwvPartition });
    const { solution } = driven(tolerance, { formulation });
    const counts = [-1e-4, -1e-6, 1e-6, 1e-4].map(
      (by) => driven(tolerance * (1 + by), { formulation }).solution.statistics.steps,
    );
    // At 0.01, tolerances that differ by a millionth take 131 to 171 steps: compare the median.
    const median = [...counts, solution.statistics.steps].sort((a, b) => a - b)[2];
    // Less, as steps do not grow beyond what their iterations can follow, which the paper's code finds by failures.
    expect(median).toBeGreaterThan(0.5 * steps);
    expect(median).toBeLessThan(1.25 * steps);
    expect(solution.statistics.maximumDrift.position).toBeLessThan(1e-12);
    const own = driven(tolerance).solution.statistics;
    expect(own.steps).toBeLessThan(1.25 * steps);
    expect(own.maximumDrift.position).toBeLessThan(1e-12);
  },
);

test("other implicit methods agree on the HMMWV", () => {
  for (const integrator of [rodas(), radau5()]) {
    const { height } = driven(1e-4, { integrator, end: 1.5 });
    for (const [time, expected] of hmmwvHeights) {
      if (time <= 1.5) expect(Math.abs(height(time) - expected)).toBeLessThan(1e-4);
    }
  }
});

describe("HMMWV on a road with a step", () => {
  afterEach(() => vi.restoreAllMocks());

  test("climbs a step of 2 cm with all implicit methods", async () => {
    // Tyre forces jump by 6 kN each when wheels pass 4 m, after 0.53 s and 1.27 s.
    vi.spyOn(hmmwvRoad, "height").mockImplementation((x) => (x > 4 ? 0.02 : 0));
    vi.spyOn(hmmwvRoad, "slope").mockReturnValue(0);
    const system = await compile(hmmwv());
    const runs = [sdirk4(), rodas(), radau5()].map((integrator) =>
      driven(1e-3, { integrator, end: 3, system }),
    );
    const exact = driven(1e-6, { integrator: radau5(), end: 3, system });
    for (const time of [0.5, 0.6, 0.8, 1.2, 1.35, 1.5, 2]) {
      for (const { height } of runs) {
        expect(Math.abs(height(time) - exact.height(time))).toBeLessThan(1e-3);
      }
    }
    for (const { height, solution } of [...runs, exact]) {
      expect(Math.abs(height(3) - hmmwvSettledHeight - 0.02)).toBeLessThan(3e-4);
      expect(solution.statistics.maximumDrift.position).toBeLessThan(1e-12);
    }
  });
});
