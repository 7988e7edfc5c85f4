import { compile } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { modelOf } from "../reference/nodrift-model.js";
import {
  equationOutcome,
  everyMethod,
  hingesOnGrid,
  isAlike,
  loopOutcome,
  redundantEquations,
  redundantLoops,
} from "../support/redundant-loops.js";

// Two planar loops, two spatial ones whose rows are redundant on the constraints only.
const loops = [...redundantLoops({ planar: 2, overconstrained: 2 })];
const systems = [0, 1, 4].map(redundantEquations);

describe("a method supports redundant rows, or rejects them at every step", () => {
  test.each(everyMethod)("$name on random loops", async (method) => {
    for (const loop of loops) {
      const compiled = await compile(modelOf(loop.mechanism), { coordinates: "maximal" });
      const outcome = loopOutcome(compiled, loop, method);
      expect(isAlike(outcome, method), `${loop.mechanism.name}: ${outcome}`).toBe(true);
    }
  });

  test.each(everyMethod)("$name on equations redundant only where they hold", (method) => {
    for (const system of systems) {
      const outcome = equationOutcome(system, method);
      expect(isAlike(outcome, method), String(outcome)).toBe(true);
    }
  });

  test.each(["lagrange(kkt)", "lagrange(cholesky)"])(
    "%s rejects redundant rows and names one",
    (name) => {
      const method = everyMethod.find((one) => one.name === name)!;
      for (const system of systems) {
        expect(equationOutcome(system, method)).toEqual(["SINGULAR", "SINGULAR", "SINGULAR"]);
      }
    },
  );
});

test("seven hinges on a grid compile, near singular poses too", async () => {
  for (let seed = 85; seed < 100; seed++) {
    for (const coordinates of ["maximal", "relative"] as const) {
      const compiled = await compile(hingesOnGrid(seed), { coordinates });
      // Seven hinges leave at least 7 - 6 degrees of freedom: 36 velocities minus the rank of 35 rows.
      expect(compiled.report.degreesOfFreedom, `${seed}`).toBeGreaterThanOrEqual(1);
    }
  }
});
