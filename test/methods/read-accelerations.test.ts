// Reported accelerations of systems that are fully constrained and have very different masses.

import { rk4, simulate, udwadiaKalaba } from "nodrift";
import { braunBiped1, braunBiped2 } from "nodrift/mechanisms";
import { expect, test } from "vitest";
import { bipedRows, preciseAccelerations } from "../support/precise-biped.js";
import { seeded } from "../support/random.js";

/** A tenth of the bound of the metrics; without the correction by the residual of the rows the error was 2e-13. */
const ROUNDING_TOLERANCE = 1e-14;

test.each([
  [1, braunBiped1],
  [2, braunBiped2],
] as const)(
  "accelerations() of biped %i are accurate to rounding",
  (exercise, { equations, q, v }) => {
    const random = seeded(17);
    const method = { formulation: udwadiaKalaba(), integrator: rk4() };
    const run = simulate(equations, { method, step: 1e-3, q, v, start: "asGiven" });
    for (let i = 0; i < 40; i++) {
      const position = q.map((each) => each + 0.1 * random());
      const velocity = q.map(random);
      const time = (1 + random()) / 2;
      run.setState(position, velocity, { start: "asGiven", time });
      const wanted = preciseAccelerations(bipedRows[exercise], position, velocity, time);
      const size = Math.max(...wanted.map(Math.abs));
      for (const [k, each] of run.accelerations().entries()) {
        expect(Math.abs(each - wanted[k]!) / size).toBeLessThan(ROUNDING_TOLERANCE);
      }
    }
  },
);
