import {
  driftElimination,
  equations,
  none,
  rk4,
  type Stabilisation,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import {
  braunBiped1,
  braunBiped2,
  braunBiped3,
  braunFourBars,
  braunFourBarsInconsistentStart,
  braunPendulum,
  braunPendulumInconsistentStart,
  braunSliderCrank,
  braunSliderCrankInconsistentStart,
} from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import {
  bipedError,
  braunMethod,
  comparisons,
  constraintOrder,
  drift,
  exactAngles,
  formulationProblems,
  referenceMotion,
  runAgainstReference,
  runMinimal,
  simulated,
} from "#experiments";

const { fourBars, pendulum, sliderCrank } = comparisons;

describe("published results of Braun and Goldfarb", () => {
  test.each([
    [braunBiped1.name, braunBiped1, 5.248e-11],
    [braunBiped2.name, braunBiped2, 2.708e-11],
    [braunBiped3.name, braunBiped3, 1.56e-12],
  ] as const)("%s keeps the rate of its constraints (12 s of 100)", (_, biped, expected) => {
    expect(Math.abs(bipedError(biped, 12) / expected - 1)).toBeLessThan(0.03);
  });

  test("the biped of exercise 3 has nine independent constraints out of ten", () => {
    const { equations: system, q, v } = braunBiped3;
    const simulation = simulate(system, { method: braunMethod(), step: 1e-2, q, v });
    expect(simulation.runTo(1).rank()).toBe(9);
    expect(simulation.multipliers().length).toBe(10);
  });

  test("the slider-crank passes its singular pose (10 s of 100)", () => {
    const exact = exactAngles(sliderCrank, 10);
    const { motion, position, velocity } = runAgainstReference(
      sliderCrank,
      exact,
      braunMethod(),
      1e-3,
    );
    const minimal = runMinimal(sliderCrank, exact, 1e-3);
    expect(Math.abs(motion / minimal - 1)).toBeLessThan(0.01);
    expect(position).toBeLessThan(1e-14);
    expect(velocity).toBeLessThan(1e-9);
  });

  test("the four-bars change branch at 1e-2, and the minimal equation is better", () => {
    const exact = exactAngles(fourBars, 100);
    const { motion, position } = runAgainstReference(fourBars, exact, braunMethod(), 1e-2);
    expect(Math.abs(motion / 9e-3 - 1)).toBeLessThan(0.05);
    expect(position).toBeLessThan(4e-9);
    expect(Math.abs(runMinimal(fourBars, exact, 1e-2) / 1.72e-4 - 1)).toBeLessThan(0.03);
  });

  test("the rank of the four-bars drops to three when they lie flat", () => {
    const flat = { method: braunMethod(), step: 1e-2, q: [1, 0, 2, 0, 3, 0] };
    const upright = { ...flat, q: braunFourBars.q };
    expect(simulate(braunFourBars.equations, flat).rank()).toBe(3);
    expect(simulate(braunFourBars.equations, upright).rank()).toBe(5);
  });

  test("the pendulum stays on its circle, and loses its order unless Phi is frozen", () => {
    const exact = exactAngles(pendulum, 50);
    const frozen = runAgainstReference(pendulum, exact, braunMethod(), 1e-3);
    const control = runAgainstReference(pendulum, exact, braunMethod({}, { frozen: false }), 1e-3);
    expect(frozen.motion).toBeLessThan(3e-9);
    expect(frozen.position).toBeLessThan(2e-14);
    expect(frozen.velocity).toBeLessThan(3e-13);
    expect(control.motion).toBeGreaterThan(1000 * frozen.motion);
    expect(control.position).toBeGreaterThan(1e-7);
  });

  test("constraint errors are of fifth order", () => {
    const { phi, phiDot } = constraintOrder(1e-3, 2e-2);
    expect(Math.abs(phi - 5)).toBeLessThan(0.1);
    expect(Math.abs(phiDot - 5)).toBeLessThan(0.1);
  });

  test.each([
    ["pendulum", braunPendulum, braunPendulumInconsistentStart, 2, 1e-12],
    ["slider-crank", braunSliderCrank, braunSliderCrankInconsistentStart, 3, 1e-9],
    ["four-bars", braunFourBars, braunFourBarsInconsistentStart, 4, 1e-9],
  ] as const)(
    "an initial state of the %s off its constraints is corrected",
    (_, mechanism, off, steps, left) => {
      const start = { method: braunMethod(), step: 1e-3, ...off, start: "asGiven" } as const;
      const simulation = simulate(mechanism.equations, start);
      expect(simulation.constraintError().position).toBeGreaterThan(1e-6);
      const { position, velocity } = simulation.advance(steps).constraintError();
      expect(position).toBeLessThan(left);
      expect(velocity).toBeLessThan(left);
    },
  );

  test("a rank tolerance of 1e-6 changes no bit, and one of 1e-5 increases the error (slider-crank)", () => {
    const exact = exactAngles(sliderCrank, 100);
    const run = (options = {}) =>
      runAgainstReference(sliderCrank, exact, braunMethod(options), 1e-3);
    const cod = run();
    expect(run({ tolerance: 1e-6 })).toEqual(cod);
    expect(run({ tolerance: 1e-5 }).motion).toBeGreaterThan(100 * cod.motion);
    expect(Math.abs(cod.motion / 4.33e-8 - 1)).toBeLessThan(0.03);
    expect(Math.abs(run({ solver: "svd" }).motion / cod.motion - 1)).toBeLessThan(0.001);
  });
});

test("the reference motion has the pendulum's closed form", () => {
  // 2 asin(sn(K + sqrt(g) t | 1/2) / sqrt 2) - pi / 2 at t = 900 and 1000, computed to 40 digits by other software.
  const angles = referenceMotion(pendulum.acceleration, 0, 0, 0.02, 50_000);
  expect(Math.abs(angles[45_000] + 0.2370858688616131)).toBeLessThan(3e-11);
  expect(Math.abs(angles[50_000] + 2.322973543685568)).toBeLessThan(3e-11);
});

test("Braun's minimal equation of the slider-crank is that of its energy", () => {
  const free = equations({
    coordinates: 1,
    mass: [1],
    forces: (q, v, out) => {
      out[0] = sliderCrank.acceleration(q[0], v[0]);
    },
  });
  const method = { formulation: udwadiaKalaba(), integrator: rk4() };
  const minimal = simulate(free, { method, step: 1e-4, q: [0] }).runTo(0.5);
  const { equations: system, q } = braunSliderCrank;
  const full = simulate(system, { method, step: 1e-4, q }).runTo(0.5);
  expect(Math.abs(minimal.q[0] - full.q[2])).toBeLessThan(1e-11);
});

describe("driftElimination of velocities alone (eq. 12)", () => {
  /** Largest errors in the halves of 10 s of the slider-crank: positions, then velocities. */
  const run = (stabilisation: Stabilisation, step = 0.01) => {
    const { sliderCrank: problem } = formulationProblems;
    const simulation = simulated(problem, udwadiaKalaba(), step, stabilisation);
    const halves = [5, 10].map((until) => {
      let [position, velocity] = [0, 0];
      simulation.runTo(until, () => {
        const error = simulation.constraintError();
        position = Math.max(position, error.position);
        velocity = Math.max(velocity, error.velocity);
      });
      return { position, velocity };
    });
    return { growth: halves[1].velocity / halves[0].velocity, ...halves[1] };
  };
  const alone = driftElimination({ positions: false });

  test("keeps the velocity error at order 5, without growth", () => {
    expect(run(alone).growth).toBeLessThan(1.2);
    expect(run(none()).growth).toBeGreaterThan(1.8);
    const order = Math.log2(run(alone).velocity / run(alone, 0.0025).velocity) / 2;
    expect(order).toBeGreaterThan(4.8);
  });

  test("lets positions drift, at most in proportion to the time", () => {
    const { sliderCrank: problem } = formulationProblems;
    const { exponent } = drift(simulated(problem, udwadiaKalaba(), 0.01, alone), 10);
    expect(exponent).toBeLessThan(1.2);
    expect(run(driftElimination()).position).toBeLessThan(0.5 * run(alone).position);
  });
});
