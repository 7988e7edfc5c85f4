// What users read as accelerations, where constraints hold all that moves and masses differ much.

import { rk4, simulate, udwadiaKalaba } from "nodrift";
import { braunBiped1, braunBiped2 } from "nodrift/mechanisms";
import { expect, test } from "vitest";
import { bipedRows, preciseAccelerations } from "../../bench/support/precise-biped.js";
import { seeded } from "../../bench/support/random.js";

/** A tenth of what figures allow; without the correction by what the rows leave open it was 2e-13. */
const ROUNDING = 1e-14;

test.each([
  [1, braunBiped1],
  [2, braunBiped2],
] as const)("of biped %i are right to rounding", (exercise, { equations, q, v }) => {
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
      expect(Math.abs(each - wanted[k]!) / size).toBeLessThan(ROUNDING);
    }
  }
});
