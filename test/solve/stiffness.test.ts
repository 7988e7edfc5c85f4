// The choice between the methods depends on counted costs of both; first steps are cautious; diverging steps are
// undone.

import { ode, radau5, solve, start } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";
import { compareSaved } from "../support/save-restore.js";
import { governor } from "../support/stiffness-mechanisms.js";
import * as odes from "../support/stiffness-odes.js";
import { stiffnessProblems, waysOf } from "../support/stiffness-problems.js";
import { savedAs } from "./support/state-space.js";

const problems = await stiffnessProblems();
const FIT = { maximumSteps: 3000 };

/** Steps over the folds are taken back, as what is fast grows there: half as many again as the method given takes. */
const FOLDS = /Van der Pol to t = 4.5/;

/**
 * Slow and fast by turns, with both methods about as good over a whole period: the implicit one wins its trial on the slow
 * part, and is worse on the fast one. That is not foreseen.
 */
const TAKES_TURNS = /mu = 10 /;

describe("cost of both methods, and the choice between them", () => {
  test.each(problems.map((problem) => [problem.name, problem] as const))("%s", (_, problem) => {
    const { explicit, implicit } = waysOf(problem);
    const own = problem.solve();
    expect(own.status, own.reason).toBe("finished");
    const [one, other] = [explicit, implicit].map((way) => problem.solve({ ...way, ...FIT }));
    const isStiff = one.status !== "finished" || one.statistics.steps > 8 * other.statistics.steps;
    if (isStiff) {
      // The first steps and the trials, in addition to the steps of the implicit method.
      expect(own.statistics.implicit).toBeDefined();
      const most = FOLDS.test(problem.name) ? 2 : 1.5;
      expect(own.statistics.evaluations).toBeLessThan(most * other.statistics.evaluations + 300);
    } else if (one.statistics.evaluations < other.statistics.evaluations) {
      const most = TAKES_TURNS.test(problem.name) ? 1.6 : 1.25;
      expect(own.statistics.evaluations).toBeLessThan(most * one.statistics.evaluations);
      expect(own.statistics.steps).toBeLessThan(most * one.statistics.steps);
    }
  });
});

describe("stiff for part of the time", () => {
  const options = { span: [0, 40], tolerance: 1e-6, output: "ends" } as const;

  test("a run switches to the implicit method while the motion is stiff, and back", () => {
    const { status, notes, method, end } = solve(odes.gripped(), options);
    expect(status).toBe("finished");
    expect(notes[0]).toMatch(/^the motion is stiff: .* it is solved by firstOrder \+ radau5$/);
    expect(notes[1]).toMatch(/^no longer stiff: from t = [\d.]+ .* dop853 again$/);
    const [, back] = /from t = ([\d.]+)/.exec(notes[1]) ?? [];
    expect(Number(back)).toBeGreaterThan(9.5);
    expect(Number(back)).toBeLessThan(20);
    expect(notes).toHaveLength(2);
    expect(method).toBe("firstOrder + dop853, then firstOrder + radau5, then the first again");
    const known = solve(odes.gripped(), { ...options, tolerance: 1e-10, integrator: radau5() });
    expect(Math.abs(end.y[0] - known.end.y[0])).toBeLessThan(1e-4);
  });

  test("continues bitwise identically from any step", () => {
    const run = savedAs("gripped", () => start(odes.gripped(), options));
    const { plain, saving, continued } = compareSaved(run, 20, 3);
    expect(saving).toEqual(plain);
    for (const { how, found, wanted } of continued) {
      expect({ how, ...found }).toEqual({ how, ...wanted });
    }
  });
});

test("a governor with strong dampers is not left to the explicit method", async () => {
  const stiff = await governor({ stiffness: 8e5, damping: 4e5 });
  const { status, statistics } = solve(stiff, { span: [0, 1], tolerance: 1e-5, output: "ends" });
  expect(status).toBe("finished");
  expect(statistics.steps).toBeLessThan(400);
});

test("noise is not taken for stiffness", () => {
  // A pendulum whose accelerations are wrong in the ninth digit, by something that looks like chance.
  const noise = (x: number) => {
    const part = x * 12345.678;
    return 2 * (part - Math.floor(part)) - 1;
  };
  const noisy = ode({
    names: ["angle", "rate"],
    y: [1, 0],
    rate: (_t, [angle, rate], out) => {
      out[0] = rate;
      out[1] = -9.81 * Math.sin(angle) * (1 + 1e-9 * noise(angle + 7 * rate));
    },
  });
  for (const tolerance of [1e-3, 1e-5, 1e-7, 1e-8]) {
    const { status, notes, statistics } = solve(noisy, { span: [0, 20], tolerance });
    expect(status).toBe("finished");
    expect(notes, `at ${tolerance}`).toEqual([]);
    expect(statistics.steps).toBeLessThan(600);
  }
});

describe("reactions like Robertson's, with unknowns far below the tolerance", () => {
  const TOLERANCES = [1e-2, 1e-3, 1e-4, 1e-5];

  /** The tolerances at which it finished; there it has to be accurate. */
  function finished([slow, back, fast]: readonly number[]): readonly number[] {
    const source = ode({
      names: ["a", "b", "c"],
      y: [1, 0, 0],
      rate: (_t, [a, b, c], out) => {
        out[0] = -slow * a + back * b * c;
        out[2] = fast * b * b;
        out[1] = -out[0] - out[2];
      },
    });
    const span = [0, 100] as const;
    const exact = { relative: 1e-8, absolute: 1e-13 };
    const known = solve(source, { span, tolerance: exact, integrator: radau5(), output: "ends" });
    return TOLERANCES.filter((tolerance) => {
      const { status, end } = solve(source, { span, tolerance, output: "ends" });
      if (status !== "finished") return false;
      for (const i of [0, 1, 2]) {
        expect(Math.abs(end.y[i] - known.end.y[i])).toBeLessThan(100 * tolerance);
      }
      return true;
    });
  }

  test("Robertson's own runs at all of them", () => {
    expect(finished([0.04, 1e4, 3e7])).toEqual(TOLERANCES);
  });

  test("relatives nearly always run, and are right where they say so", () => {
    const random = seeded(4711);
    const between = (from: number, to: number) => 10 ** (from + ((to - from) * (1 + random())) / 2);
    const found = Array.from({ length: 25 }, () =>
      finished([between(-3, 0), between(2, 6), between(5, 9)]),
    );
    // 22 at 1e-2 if no step is undone because of growth.
    for (const tolerance of [1e-2, 1e-3, 1e-4]) {
      const count = found.filter((list) => list.includes(tolerance)).length;
      expect(count, `at ${tolerance}`).toBeGreaterThanOrEqual(24);
    }
  });
});
