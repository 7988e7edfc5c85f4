import { box, compile, type DriveOption, model, rod, sphere } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { stateOf } from "./support/reading.js";
import { simpson } from "./support/reference.js";
import { cross, difference, norm, scaled, type V3 } from "./support/vectors.js";

const G = 9.81;
const bar = { mass: 2, shape: rod({ length: 1, axis: [1, 0, 0] as V3 }) };

/** A driven crank about y. */
async function crank(angle: DriveOption, step = 1e-3, check = true) {
  const m = model({ name: "crank", check });
  const body = m.body({ ...bar, position: [0.5, 0, 0] });
  const joint = m.revolute({ between: [m.ground, body], at: [0, 0, 0], axis: [0, -1, 0] });
  m.driveAngle({ joint, angle });
  return (await compile(m)).simulate({ step });
}

describe("driveAngle", () => {
  // Value, rate and acceleration, and the errors of finite differences for those.
  const laws: [string, (t: number) => [number, number, number], number, number][] = [
    ["a turn a second, for many turns", (t) => [2 * Math.PI * t, 2 * Math.PI, 0], 1e-11, 1e-8],
    ["a swing", (t) => [Math.sin(3 * t), 3 * Math.cos(3 * t), -9 * Math.sin(3 * t)], 1e-10, 1e-7],
    ["a run-up", (t) => [5 * t * t, 10 * t, 10], 1e-10, 1e-8],
    [
      "a shake of 50 Hz",
      (t) => {
        const w = 100 * Math.PI;
        return [0.1 * Math.sin(w * t), 0.1 * w * Math.cos(w * t), -0.1 * w * w * Math.sin(w * t)];
      },
      1e-8,
      1e-3,
    ],
  ];

  test.each(laws)(
    "%s: follows a function given without derivatives",
    async (_, law, rateError, secondError) => {
      const simulation = await crank((t) => law(t)[0]);
      let worst = [0, 0, 0];
      let each = 0;
      simulation.runTo(4, (now) => {
        const [angle, rate, acceleration] = law(now.time);
        const { r, v, w } = stateOf(now, 0);
        const along: V3 = [Math.cos(angle) / 2, 0, Math.sin(angle) / 2];
        const a = each++ % 50 === 0 ? now.accelerations()[4] + acceleration : 0;
        const errors = [
          difference(r, along),
          difference([...v, w[1]], [...cross([0, -rate, 0], along), -rate]),
          Math.abs(a),
        ];
        worst = worst.map((value, i) => Math.max(value, errors[i]));
      });
      expect(worst[0]).toBeLessThan(1e-12);
      expect(worst[1]).toBeLessThan(rateError);
      expect(worst[2]).toBeLessThan(secondError);
    },
  );

  test("reports the torque of inertia and weight of the crank", async () => {
    const w = 3;
    for (const derivatives of [{}, { rate: () => w }, { rate: () => w, acceleration: () => 0 }]) {
      const simulation = await crank({ value: (t) => w * t, ...derivatives });
      simulation.runTo(0.4);
      // The drive is the last row: weight times lever arm.
      const torque = simulation.multipliers().at(-1);
      expect(torque).toBeCloseTo(2 * G * Math.cos(0.4 * w) * 0.5, 8);
    }
  });

  test("does the work by which the energy grows", async () => {
    const rate = (t: number) => 2 + 3 * Math.cos(5 * t);
    const m = model();
    const turner = m.body({ ...bar, position: [0.5, 0, 0] });
    const swinger = m.body({ ...bar, position: [1.5, 0, 0] });
    const joint = m.revolute({ between: [m.ground, turner], at: [0, 0, 0], axis: [0, -1, 0] });
    m.spherical({ between: [turner, swinger], at: [1, 0, 0] });
    m.driveAngle({ joint, angle: (t) => 2 * t + (3 / 5) * Math.sin(5 * t) });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    const before = simulation.energy().total;
    const power = () => (simulation.multipliers().at(-1) as number) * rate(simulation.time);
    const powers = [power()];
    simulation.runTo(1, () => powers.push(power()));
    const work = simpson(powers, 1e-3);
    expect(Math.abs(work)).toBeGreaterThan(5);
    expect(simulation.energy().total - before).toBeCloseTo(work, 5);
  });

  test("uses a given derivative", async () => {
    const wrong = { value: (t: number) => t, rate: () => 1, acceleration: () => 7 };
    const simulation = await crank(wrong, 1e-3, false);
    expect(simulation.accelerations()[4]).toBeCloseTo(-7, 12);
    await expect(crank(wrong)).rejects.toThrow(
      /angle.acceleration contradicts.*differences give 0/,
    );
  });
});

describe("driveDisplacement", () => {
  test("follows the prescribed motion and reports weight plus inertia force", async () => {
    const m = model();
    const lift = m.body({ mass: 3, shape: box({ x: 1, y: 1, z: 1 }), position: [1, 2, 3] });
    const joint = m.prismatic({ between: [m.ground, lift], axis: [0, 0, 1] });
    m.driveDisplacement({ joint, displacement: (t) => 1 - Math.cos(4 * t) });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    let [place, force] = [0, 0];
    simulation.runTo(2, (now) => {
      const { r } = stateOf(now, lift);
      place = Math.max(place, difference(r, [1, 2, 4 - Math.cos(4 * now.time)]));
      const wanted = 3 * (G + 16 * Math.cos(4 * now.time));
      force = Math.max(force, Math.abs((now.multipliers().at(-1) as number) - wanted));
    });
    expect(place).toBeLessThan(1e-12);
    expect(force).toBeLessThan(1e-6);
  });
});

describe("driveLength", () => {
  test("keeps the angular momentum of a stone on a rope that is drawn in through a hole", async () => {
    const m = model({ gravity: [0, 0, 0] });
    const stone = m.body({
      mass: 2,
      shape: sphere({ radius: 0.1 }),
      position: [2, 0, 0],
      velocity: [-0.5, 1, 0],
    });
    const length = (t: number) => 2 - 0.5 * t;
    m.driveLength({ between: [m.ground, stone], length });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    let [worst, rate] = [0, 0];
    simulation.runTo(2, (now) => {
      const { r, v } = stateOf(now, stone);
      worst = Math.max(worst, Math.abs(norm(r) - length(now.time)));
      rate = Math.max(rate, Math.abs((r[0] * v[0] + r[1] * v[1]) / norm(r) + 0.5));
    });
    expect(worst).toBeLessThan(1e-12);
    expect(rate).toBeLessThan(1e-11);
    const { r, v } = stateOf(simulation, stone);
    expect(difference(cross(r, v), [0, 0, 2])).toBeLessThan(1e-9);
    // phi' = 2 / (2 - t / 2)^2: phi = 4 / (2 - t / 2) - 2 = 2 at t = 2.
    expect(difference(r, scaled(1, [Math.cos(2), Math.sin(2), 0]))).toBeLessThan(1e-8);
  });
});

describe("drives whose functions fail", () => {
  test("report the time, and restore the state before", async () => {
    const simulation = await crank((t) => (t > 0.1004 ? Number.NaN : t));
    simulation.runTo(0.05);
    expect(() => simulation.runTo(1)).toThrow(
      /^crank: cannot differentiate the drive of "driveAngle 1: angle" at t = 0\.09/,
    );
    expect(simulation.time).toBeGreaterThan(0.05);
    expect(stateOf(simulation, 0).r[0]).toBeCloseTo(Math.cos(simulation.time) / 2, 12);
    expect(simulation.constraintError().position).toBeLessThan(1e-12);
  });

  test("report the exact time if derivatives are given", async () => {
    const value = (t: number) => (t > 0.1004 ? Number.NaN : t);
    const simulation = await crank({ value, rate: () => 1, acceleration: () => 0 });
    expect(() => simulation.runTo(1)).toThrow("driveAngle 1: angle.value gave NaN at t = 0.1005");
    expect(simulation.time).toBeCloseTo(0.1, 12);
    expect(() => simulation.runTo(1)).toThrow("driveAngle 1: angle.value gave NaN at t = 0.1005");
    expect(stateOf(simulation, 0).r[0]).toBeCloseTo(Math.cos(0.1) / 2, 12);
  });

  test("need derivatives if the function is defined only from the initial time on", async () => {
    await expect(crank((t) => t ** 1.5)).rejects.toThrow(
      'crank: cannot differentiate the drive of "driveAngle 1: angle" at t = 0 by finite differences ' +
        "(driveAngle 1: angle gave NaN at t = -0.0009765625): give its rate and acceleration",
    );
    const whole = await crank({
      value: (t) => t ** 2.5,
      rate: (t) => 2.5 * t ** 1.5,
      acceleration: (t) => 3.75 * Math.sqrt(t),
    });
    expect(stateOf(whole.runTo(1), 0).r[0]).toBeCloseTo(Math.cos(1) / 2, 12);
  });
});
