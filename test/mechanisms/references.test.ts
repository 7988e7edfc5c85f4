import type { Simulation } from "nodrift";
import { compile, type Model } from "nodrift/bodies";
import {
  bennett,
  chain3d,
  chain3dReference3,
  door,
  heavyTop,
  heavyTopReaction,
  heavyTopReference,
  models,
  rollingDisk,
  rollingDiskCentre,
  simplePendulum,
  simplePendulumPeriod,
  simplePendulumReference,
  sliderCrank3d,
  sliderCrank3dPosition,
  squeezer,
  squeezerReference,
  threeLinkPendulum,
  threeLinkPosition,
} from "nodrift/mechanisms";
import { parseMethod, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { projectedRk4 } from "#experiments";
import { distance, pointOf, stateError, watch } from "../support/mechanisms.js";
import { runFourBar } from "../support/mechanisms-four-bar.js";

async function started(model: Model, step = 1e-3) {
  return (await compile(model)).simulate({ step });
}

describe.each(models)(
  "reference mechanism $name",
  ({ name, description, reference, build, stiff }) => {
    test("comes with a description, and is created separately each time", () => {
      expect(description.length * reference.length).toBeGreaterThan(0);
      expect(build()).not.toBe(build());
      expect(build().data().joints.length, name).toBeGreaterThan(0);
    });

    test("starts closed and runs without drift", async () => {
      const compiled = await compile(build());
      expect(compiled.assembly.residual).toBeLessThan(1e-14);
      expect(compiled.assembly.velocityResidual).toBeLessThan(1e-13);
      // 200 steps for which explicit methods are stable.
      const step = stiff ? 1e-6 : 1e-3;
      const { violation } = watch(compiled.simulate({ step }), 200 * step);
      expect(violation).toBeLessThan(1e-12);
    });
  },
);

test("the chain of 3 rods reaches its stored state", async () => {
  const simulation = (await compile(chain3d(3))).simulate({ step: 1e-3, method: projectedRk4 });
  for (const expected of chain3dReference3) {
    expect(stateError(simulation.runTo(expected.time), expected)).toBeLessThan(1e-7);
  }
});

test("the heavy top moves as in the closed form, with its pivot force", async () => {
  const simulation = await started(heavyTop(), 5e-5);
  for (const [time, ...force] of heavyTopReaction) {
    simulation.runTo(time);
    const found = simulation.joint("pivot").force({ on: "top" });
    expect(distance(found, force) / Math.hypot(...force)).toBeLessThan(1e-7);
    const [, x, y, z] = heavyTopReference.find(([t]) => t === time) ?? [0, 0, 1, 0];
    expect(distance([...simulation.q.subarray(0, 3)], [x, y, z])).toBeLessThan(1e-8);
    expect(simulation.v[4]).toBeCloseTo(150, 8);
  }
});

describe("the simple pendulum", () => {
  const pointAt = ({ q }: Simulation, arm: readonly number[]) => pointOf(q, 0, arm);
  const model = simplePendulum();
  const arm = model.data().markers.find(({ name }) => name === "point")?.point ?? [0, 0, 0];

  test("follows the elliptic integral", async () => {
    const simulation = await started(model);
    for (const [time, x, y] of simplePendulumReference) {
      const found = pointAt(simulation.runTo(time), arm);
      expect(distance(found, [x, y, 0])).toBeLessThan(1e-9);
    }
  });

  test("returns after a period", async () => {
    const found = pointAt((await started(model)).runTo(simplePendulumPeriod), arm);
    expect(distance(found, [-1, 0, 0])).toBeLessThan(1e-9);
  });
});

test("the tilted N-four-bar passes its singular poses", async () => {
  const { violation, energy, position } = await runFourBar(2, 0.02, [0.5, -0.5, 0.1, 0.7]);
  expect(violation).toBeLessThan(1e-10);
  expect(energy).toBeLessThan(1e-4);
  expect(position).toBeLessThan(1e-5);
});

describe("the Bennett linkage", () => {
  test("moves, with three redundant rows", async () => {
    const compiled = await compile(bennett());
    expect(compiled.report).toMatchObject({ rows: 20, rank: 17, degreesOfFreedom: 1 });
    const { violation, energy } = watch(compiled.simulate({ step: 1e-3 }), 1);
    expect(violation).toBeLessThan(1e-12);
    expect(energy).toBeLessThan(1e-8);
  });

  test("keeps moving when its geometry is rounded to a micrometre", async () => {
    const [exact, rounded] = [await started(bennett()), await started(bennett({ rounding: 1e-6 }))];
    const { violation, energy } = watch(rounded, 1);
    expect(violation).toBeLessThan(1e-5);
    expect(energy).toBeLessThan(1e-2);
    expect(distance([...rounded.q], [...exact.runTo(1).q])).toBeLessThan(1e-3);
  });
});

test("the door swings on its two hinges, which are both named", async () => {
  const compiled = await compile(door());
  const { violation, energy } = watch(compiled.simulate({ step: 1e-3 }), 2);
  expect(violation).toBeLessThan(1e-11);
  expect(energy).toBeLessThan(1e-10);
  expect(compiled.report).toMatchObject({ rows: 10, rank: 5 });
  expect(compiled.report.notes.join()).toContain("lower hinge");
  expect(compiled.report.notes.join()).toContain("upper hinge");
});

test("the three links reach their stored state, for every kind of pin", async () => {
  for (const pin of ["revolute", "world"] as const) {
    const simulation = await started(threeLinkPendulum({ pin }), 4e-3);
    const found = [...simulation.runTo(4).q.subarray(14, 17)];
    expect(distance(found, threeLinkPosition)).toBeLessThan(1e-5);
  }
});

test("the slider follows the crank in space", async () => {
  const simulation = await started(sliderCrank3d());
  const { energy } = watch(simulation, 1, ({ q }) => {
    const angle = 2 * Math.atan2(q[4], q[3]);
    expect(Math.abs(q[14] - sliderCrank3dPosition(angle))).toBeLessThan(1e-12);
  });
  expect(energy).toBeLessThan(1e-6);
});

test.each([
  ["auto", 2e-7],
  ["radau5", 1e-6],
] as const)("the squeezing mechanism ends as published (%s)", async (name, bound) => {
  const method = name === "auto" ? {} : { method: parseMethod(name) };
  for (const coordinates of ["relative", "maximal"] as const) {
    const system = await compile(squeezer(), { coordinates });
    const { end, status } = solve(system, { span: [0, 0.03], tolerance: 1e-8, ...method });
    expect(status).toBe("finished");
    for (const [joint, angle] of Object.entries(squeezerReference)) {
      expect(Math.abs(end.joint(joint).angle! - angle), joint).toBeLessThan(bound);
    }
  }
});

test("the disk rolls in its circle", async () => {
  const simulation = await started(rollingDisk());
  const { energy } = watch(simulation, 2);
  expect(energy).toBeLessThan(1e-10);
  expect(distance([...simulation.q.subarray(0, 3)], rollingDiskCentre(2))).toBeLessThan(1e-9);
});
