import { driftElimination, type Formulation, lagrange, projection, udwadiaKalaba } from "nodrift";
import { describe, expect, test } from "vitest";
import {
  comparedFormulations,
  drift,
  formulationLevels,
  formulationProblems,
  redundantProblem,
  simulated,
} from "#experiments";

const { fourBars, sliderCrank } = formulationProblems;
const acceleration: readonly Formulation[] = [
  lagrange(),
  udwadiaKalaba(),
  ...formulationLevels.acceleration,
];

describe("the slider-crank drifts in 10 s with RK4 and a step of 0.01", () => {
  // Initial state (75) projected onto the constraints; largest component of Phi after any step.
  test.each(acceleration)("$name drifts like time squared to 6.8e-5", (formulation) => {
    const { position, exponent } = drift(simulated(sliderCrank, formulation, 0.01), 10);
    expect(Math.abs(position / 6.776e-5 - 1)).toBeLessThan(0.01);
    expect(Math.abs(exponent - 2)).toBeLessThan(0.1);
  });

  test.each([
    ["maggi(qr)", 3.632e-8],
    ["maggi(svd)", 3.632e-8],
    ["maggi(gram-schmidt)", 3.632e-8],
    ["maggi(zero-eigenvalue)", 3.632e-8],
    ["maggi(lu)", 8.0e-8],
    ["projective", 5.353e-8],
    ["phaseSpace", 6.376e-8],
  ])("a thousand times less on the level of velocities: %s to %s", (name, reference) => {
    const formulation = formulationLevels.velocity.find(
      (entry) => entry.name === name,
    ) as Formulation;
    const { position, velocity } = drift(simulated(sliderCrank, formulation, 0.01), 10);
    expect(Math.abs(position / reference - 1)).toBeLessThan(0.01);
    expect(velocity).toBeLessThan(1e-14);
  });

  test.each(formulationLevels.position)(
    "$name does not drift, on the level of positions",
    (formulation) => {
      const { position, velocity } = drift(simulated(sliderCrank, formulation, 0.01), 10);
      expect(position).toBeLessThan(2e-15);
      expect(velocity).toBeLessThan(1e-14);
    },
  );

  test("driftElimination limits the drift to 9.2e-9", () => {
    const run = simulated(sliderCrank, udwadiaKalaba(), 0.01, driftElimination());
    const { position, exponent } = drift(run, 10);
    expect(Math.abs(position / 9.208e-9 - 1)).toBeLessThan(0.01);
    expect(Math.abs(exponent)).toBeLessThan(0.1);
  });
});

describe("two four-bars through singular poses", () => {
  const surviving = [...formulationLevels.velocity, ...formulationLevels.position];

  test.each(surviving)("$name continues for 10 s", (formulation) => {
    expect(formulation.survivesSingularPoses).toBe(true);
    for (const step of [1e-2, 1e-3]) {
      const run = simulated(fourBars, formulation, step);
      expect(drift(run, 10).position).toBeLessThan(1e-6);
      // All bars stay parallel, so the motion stayed on its branch.
      expect(run.q[2] - run.q[0]).toBeCloseTo(1, 5);
      expect(run.q[4] - run.q[2]).toBeCloseTo(1, 5);
    }
  });

  // Without projection some formulations leave the motion after half a minute.
  test.each(surviving)("$name with a projection continues for a minute", (formulation) => {
    const run = simulated(fourBars, formulation, 2e-3, projection());
    expect(drift(run, 60).position).toBeLessThan(1e-13);
    expect(run.q[2] - run.q[0]).toBeCloseTo(1, 8);
  });

  test.each(acceleration)("$name fails, on the level of accelerations", (formulation) => {
    expect(formulation.survivesSingularPoses).toBe(false);
    for (const step of [1e-2, 1e-3]) {
      const run = simulated(fourBars, formulation, step);
      expect(() => run.runTo(10)).toThrow();
      expect(run.time).toBeGreaterThan(0.5);
    }
  });
});

describe("a duplicate constraint", () => {
  test.each(comparedFormulations)("$name supports it", (formulation) => {
    const { position } = drift(simulated(redundantProblem, formulation, 0.01), 10);
    expect(position).toBeLessThan(1e-4);
  });

  test("the saddle point matrix rejects it", () => {
    const run = simulated(redundantProblem, lagrange({ solver: "kkt" }), 0.01);
    expect(() => run.advance()).toThrow(/depend on each other/);
  });
});
