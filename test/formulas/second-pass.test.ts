// Welch's scheme takes no second pass where formulas show that nothing depends on velocities: the bits are those of two.

import { simulate, welch } from "nodrift";
import { equations } from "nodrift/formulas";
import { expect, test } from "vitest";

const run = (forces: Record<string, string | (() => number)>, passes: 1 | 2) =>
  simulate(
    equations({
      coordinates: ["x", "y", "z"],
      mass: [1, 2, 3],
      potential: "9.81*(y + 2*z) + x^2*z",
      forces,
      holonomic: { arm: "x^2 + y^2 - 1", tie: "x*z - 0.1*sin(t)" },
    }),
    {
      method: { coupled: welch({ passes }) },
      step: 1e-2,
      q: [0.6, -0.8, 0],
      v: [0.4, 0.3, 1 / 6],
      start: "asGiven",
    },
  ).advance(50);

test("a second pass with the same result is skipped", () => {
  const short = run({}, 2);
  // A function may depend on anything: both passes are taken.
  const whole = run({ x: () => 0 }, 2);
  expect([...short.q, ...short.v]).toEqual([...whole.q, ...whole.v]);
  expect([...short.q]).toEqual([...run({}, 1).q]);
});

test("a second pass with a different result is used", () => {
  const damped = { y: "-0.5*y'" };
  expect([...run(damped, 2).q]).not.toEqual([...run(damped, 1).q]);
});
