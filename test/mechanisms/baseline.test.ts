import { welch } from "nodrift";
import { compile } from "nodrift/bodies";
import { chain3d } from "nodrift/mechanisms";
import { expect, test } from "vitest";
import { plainChain } from "../../bench/baseline/models.js";

// A benchmark is meaningful only if both sides do the same work.
test.each([1, 3, 10])(
  "the chain of %i rods moves in the JavaScript baseline as in the package",
  async (n) => {
    const model = chain3d(n);
    const step = 1e-3;
    const method = { coupled: welch({ passes: 1 }) };
    const simulation = (await compile(model)).simulate({ step, method });
    const plain = plainChain(model, simulation);
    simulation.advance(100);
    for (let i = 0; i < 100; i++) plain.step(step);
    const worst = (a: ArrayLike<number>, b: ArrayLike<number>) =>
      Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i])));
    expect(worst(simulation.q, plain.q)).toBeLessThan(1e-12);
    // Rounding of positions, divided by the step, alternates in sign from step to step and decays slowly.
    expect(worst(simulation.v, plain.v)).toBeLessThan(1e-9);
  },
);
