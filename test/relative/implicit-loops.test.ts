// Implicit methods on loops in relative coordinates: rows that repeat others, rows that vanish at a pose, singular
// initial poses.

import { compile } from "nodrift/bodies";
import { nFourBar } from "nodrift/mechanisms";
import { solve, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { implicitLoopRuns } from "../support/implicit-loops.js";
import { implicit } from "../support/integrators.js";

const TOLERANCE = 1e-6;
const KINDS = ["relative", "maximal"] as const;

// The benchmarks run many more.
test.each([
  ["planar", 1],
  ["overconstrained", 3],
  ["nested", 1],
] as const)(
  "random loops, %s, agree with an independent engine within tolerances",
  async (loops, count) => {
    for await (const { what, status, steps, error } of implicitLoopRuns(loops, count, TOLERANCE)) {
      expect(status, what).toBe("finished");
      expect(error, what).toBeLessThan(30);
      expect(steps, what).toBeLessThan(400);
    }
  },
);

// A flat parallelogram may continue crossed. It rotates by 1 rad/s, and becomes flat after as many seconds as radians
// before.
describe.each([0, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3])(
  "a parallelogram started %d rad before its flat pose",
  (before) => {
    test.each(KINDS)(
      "ends the run there with an error that names a joint, in %s coordinates",
      async (coordinates) => {
        const flat = await compile(nFourBar(1, { psi0: Math.PI / 2 - before }), { coordinates });
        for (const integrator of implicit) {
          const method = { formulation: stateSpace(), integrator };
          const { status, reason, cause, end, statistics } = solve(flat, {
            span: [0, 0.3],
            tolerance: TOLERANCE,
            maximumSteps: 200,
            method,
          });
          expect(["failed", "stepUnderflow"], `${integrator.name}: ${reason}`).toContain(status);
          expect(cause).toMatchObject({ code: "SINGULAR" });
          expect(reason).toMatch(/"(left|right|ground) \d: \w+ \d"/);
          expect(end.time).toBeLessThanOrEqual(before);
          expect(statistics.steps).toBeLessThan(60);
        }
      },
    );
  },
);
