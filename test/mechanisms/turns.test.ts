import { NodriftError } from "nodrift";
import { compile, model } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { runTurning, turningLaws } from "../support/turning-mechanisms.js";

const TURNS = [0.1, 2, 3.5, 5, 12, 50];

describe("force laws on angles that change by many radians in a step", () => {
  const cases = turningLaws.flatMap((law, i) =>
    TURNS.map((turn, k) => ({ law, turn, growth: [0, 0.05, 0.5][(i + k) % 3]!, seed: 3 + k })),
  );

  test.each(turningLaws)("%s in relative coordinates follows its closed form", async (own) => {
    for (const { law, turn, growth, seed } of cases.filter(({ law }) => law === own)) {
      const given = { coordinates: "relative", growth, isLive: seed % 2 === 0 } as const;
      const { outcome, error } = await runTurning(law, given, turn, seed);
      expect([turn, growth, outcome, error]).toEqual([turn, growth, "right", error]);
    }
  });

  test.each(turningLaws)(
    "%s of a bearing that closes a loop follows it, or is rejected",
    async (own) => {
      for (const { law, turn, growth, seed } of cases.filter(({ law }) => law === own)) {
        const given = { coordinates: "relative", bearing: "closing", growth } as const;
        const { outcome, error } = await runTurning(law, given, turn, seed);
        expect([turn, growth, outcome, error]).not.toEqual([turn, growth, "wrong", error]);
        // Rates that change by less than two radians a step are unambiguous.
        if (turn * growth < 2) expect([turn, growth, outcome]).toEqual([turn, growth, "right"]);
      }
    },
  );

  // Up to a radian a step orientations have the errors of the method; larger rotations are rejected.
  test.each(turningLaws)(
    "%s in maximal coordinates is correct, or rejected beyond a radian",
    async (own) => {
      for (const { law, turn, growth, seed } of cases.filter(({ law }) => law === own)) {
        const given = { coordinates: "maximal", growth } as const;
        const { outcome, error } = await runTurning(law, given, turn, seed);
        if (turn > 1)
          expect([turn, growth, outcome, error]).not.toEqual([turn, growth, "wrong", error]);
        else expect(error, `${turn} rad`).toBeLessThan(1e-4);
        const isPrescribed = ["drive", "driveFormula", "drivenGear", "screw"].includes(law);
        if (isPrescribed && turn * growth < 2 && law !== "screw") {
          expect([turn, growth, outcome]).toEqual([turn, growth, "right"]);
        }
      }
    },
  );
});

/** A wheel with a torsion spring k theta on its shaft, at w rad/s: theta = w sin(s t) / s with s^2 = k / I. */
function sprung(w: number, stiffness: number) {
  const m = model({ name: "flywheel", gravity: [0, 0, 0] });
  const wheel = m.body({ name: "wheel", mass: 1, inertia: [1, 1, 1], angularVelocity: [0, 0, w] });
  const shaft = m.revolute({
    name: "shaft",
    between: [m.ground, wheel],
    at: [0, 0, 0],
    axis: [0, 0, 1],
  });
  m.torsionSpring({ joint: shaft, stiffness, damping: 0, angle: 0 });
  return m;
}

test("a torsion spring includes all turns of a step", async () => {
  // 1200 rad/s against 100 N m/rad: at most 120 rad, in steps of 6 rad.
  const simulation = (await compile(sprung(1200, 100), { coordinates: "relative" })).simulate({
    step: 0.005,
  });
  for (let i = 0; i < 60; i++) {
    simulation.advance();
    const expected = 120 * Math.sin(10 * simulation.time);
    expect(Math.abs((simulation.joint("shaft").angle ?? 0) - expected)).toBeLessThan(1e-3);
  }
});

test("solve counts the turns of a fast wheel in maximal coordinates", async () => {
  const compiled = await compile(sprung(1200, 100), { coordinates: "maximal" });
  const { end } = solve(compiled, { span: [0, 0.1], tolerance: 1e-8 });
  expect(end.joint("shaft").angle).toBeCloseTo(120 * Math.sin(1), 4);
});

test("a step with an ambiguous revolution is rejected, and the state is kept", async () => {
  const simulation = (await compile(sprung(5000, 1), { coordinates: "maximal" })).simulate({
    step: 1e-3,
  });
  const before = simulation.q.slice();
  expect(() => simulation.advance()).toThrow(NodriftError);
  expect(() => simulation.advance()).toThrow(/"shaft" turns by about 5\.00 rad .* Try steps below/);
  expect([simulation.time, simulation.q]).toEqual([0, before]);
  simulation.setStep(1e-4);
  simulation.advance(10);
  expect(simulation.joint("shaft").angle).toBeCloseTo(5, 3);
});
