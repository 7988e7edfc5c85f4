// Random mechanisms in both kinds of coordinates.

import { compile, model } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { randomLoop, randomTree } from "../support/random-mechanisms.js";
import { accelerationDifference } from "../support/relative-accelerations.js";

const seeds = (count: number) => Array.from({ length: count }, (_, i) => i);

async function worstOf(count: number, make: (seed: number) => ReturnType<typeof randomTree>) {
  let worst = { seed: -1, difference: 0 };
  for (const seed of seeds(count)) {
    const difference = await accelerationDifference(make(seed).model);
    if (!(difference <= worst.difference)) worst = { seed, difference };
  }
  return worst;
}

describe("accelerations in relative coordinates", () => {
  test("equal those in maximal coordinates for random trees of all joints", async () => {
    const worst = await worstOf(60, randomTree);
    expect(worst.difference, `seed ${worst.seed}`).toBeLessThan(1e-11);
  });

  test.each(["spatial", "planar", "repeated"] as const)(
    "equal those in maximal coordinates for random %s loops",
    async (kind) => {
      const worst = await worstOf(25, (seed) => randomLoop(seed, kind));
      expect(worst.difference, `seed ${worst.seed}`).toBeLessThan(1e-11);
    },
  );
});

describe("a parallelogram on a carriage, through its flat poses", () => {
  const RATE = 3;
  /** Bars of 1 m at 60 degrees, turning at 3 rad/s; the coupler carries a load. */
  function machine(masses: { carriage: number; load: number }) {
    const m = model({ gravity: [0, 0, 0] });
    const [x, z] = [0.5, Math.sqrt(0.75)];
    const made = (name: string, mass: number, part: number, foot: number) =>
      m.body({
        name,
        mass,
        inertia: [mass, mass, mass],
        position: [foot + part * x, 0, part * z],
        velocity: [part * RATE * z, 0, -part * RATE * x],
      });
    const axis = [0, 1, 0] as const;
    const carriage = made("carriage", masses.carriage, 0, 0);
    m.prismatic({ between: [m.ground, carriage], axis: [1, 0, 0] });
    const coupler = made("coupler", 1, 1, 1);
    const load = made("load", masses.load, 1, 1);
    m.fixed({ between: [coupler, load], at: [1 + x, 0, z] });
    for (const foot of [0, 2]) {
      const bar = m.body({
        name: `bar ${foot}`,
        mass: 1,
        inertia: [0.1, 0.1, 0.1],
        position: [foot + x / 2, 0, z / 2],
        velocity: [(RATE * z) / 2, 0, (-RATE * x) / 2],
        angularVelocity: [0, RATE, 0],
      });
      m.revolute({ between: [carriage, bar], at: [foot, 0, 0], axis });
      m.revolute({ between: [bar, coupler], at: [foot + x, 0, z], axis });
    }
    return m;
  }

  test.each([
    [{ carriage: 1e4, load: 1 }, "relative"],
    [{ carriage: 1, load: 1e3 }, "maximal"],
    [{ carriage: 1e-3, load: 1 }, "maximal"],
  ] as const)("masses %o are integrated in %s coordinates, as accurately", async (masses, kind) => {
    const compiled = await compile(machine(masses));
    expect(compiled.coordinateChoice.kind).toBe(kind);
    const ends = (["auto", "maximal"] as const).map(async (coordinates) => {
      const system = await compile(machine(masses), { coordinates });
      const { status, end } = solve(system, { span: [0, 5], tolerance: 1e-10, output: "ends" });
      expect(status).toBe("finished");
      return [...end.body("load").position, ...end.body("carriage").position];
    });
    const [own, apart] = await Promise.all(ends);
    for (const [i, value] of own!.entries()) {
      expect(Math.abs(value - apart![i]!)).toBeLessThan(1e-6);
    }
  });
});
