// Rate of the fastest small motion, against all eigenvalues, for random trees and loops with springs and dampers of
// very different sizes.

import { type BodySimulation, box, compile, linearise, type Model, model } from "nodrift/bodies";
import { chain3d } from "nodrift/mechanisms";
import { realtime } from "nodrift/solve";
import { describe, expect, it } from "vitest";
import { fastestRate } from "../../src/run/bodies/linearise/fastest-rate.js";
import { type Random, seeded } from "../support/random.js";

const CASES = 60;

const power = (random: Random, low: number, high: number) => 10 ** (low + (high - low) * random());

/**
 * Bodies on hinges and spherical joints, each with a spring and a damper; every third has a strut to the ground, every
 * fifth a fast state.
 */
function randomModel(seed: number): Model {
  const any = seeded(seed);
  const random = () => (any() + 1) / 2;
  const m = model({ name: `random ${seed}` });
  const bodies = [m.ground];
  const count = 1 + Math.floor(7 * random());
  const point = () => [0, 1, 2].map(() => 2 * random() - 1) as [number, number, number];
  for (let i = 0; i < count; i++) {
    const parent = bodies[Math.floor(bodies.length * random())]!;
    const body = m.body({
      name: `b${i}`,
      mass: power(random, -1, 1),
      shape: box({ x: 0.2 + random(), y: 0.2 + random(), z: 0.2 + random() }),
      position: point(),
      angularVelocity: [random(), random(), random()],
    });
    const between = [parent, body] as const;
    if (random() < 0.7) {
      const joint = m.revolute({
        name: `j${i}`,
        between,
        at: point(),
        axis: [random(), 1, random()],
      });
      const stiffness = power(random, -1, 7);
      m.torsionSpring({ joint, stiffness, damping: stiffness * power(random, -6, 0) });
    } else {
      m.spherical({ name: `j${i}`, between, at: point() });
      const both = (k: number) => ({ translation: k, rotation: k });
      const [stiffness, damping] = [both(power(random, 0, 6)), both(power(random, -2, 4))];
      m.bushing({ between, at: point(), stiffness, damping });
    }
    bodies.push(body);
  }
  const last = bodies.at(-1)!;
  if (seed % 3 === 0) m.distance({ between: [m.ground, last], atA: [3, 0, 0], atB: point() });
  if (seed % 5 === 0) {
    const tau = power(random, -6, 0);
    m.states({ name: "filter", names: ["x"], start: [1], rates: [`-x / ${tau}`] });
  }
  return m;
}

const largest = (simulation: BodySimulation) =>
  linearise(simulation, { frozen: true }).eigenvalues.reduce(
    (most, { re, im }) => Math.max(most, Math.hypot(re, im)),
    0,
  );

describe("fastestRate", () => {
  it.each(Array.from({ length: CASES }, (_, i) => i))(
    "equals the largest eigenvalue of random model %d",
    async (seed) => {
      const simulation = (await compile(randomModel(seed), { hold: [] })).simulate({ step: 1e-3 });
      const exact = largest(simulation);
      if (exact === 0) {
        expect(fastestRate(simulation.readout, 1)).toBe(0);
        return;
      }
      // Compared with a near rate, the result must be accurate; with a distant one, on the correct side.
      expect(fastestRate(simulation.readout, exact) / exact).toBeGreaterThan(0.8);
      expect(fastestRate(simulation.readout, exact) / exact).toBeLessThan(1.25);
      expect(fastestRate(simulation.readout, exact / 50)).toBeGreaterThan(exact / 50);
      expect(fastestRate(simulation.readout, 50 * exact)).toBeLessThan(50 * exact);
    },
  );

  it("leaves the simulation unchanged", async () => {
    const system = await compile(chain3d(3));
    const [asked, other] = [1, 2].map(() => system.simulate({ step: 1e-3 }));
    fastestRate(asked!.readout, 100);
    expect(asked!.runTo(0.1).q).toEqual(other!.runTo(0.1).q);
  });

  // The fastest of n links swings at about 2.4 n rad/s; a step of 1/240 s allows 480.
  it("handles a chain of 100 links without computing all eigenvalues", async () => {
    expect(realtime(await compile(chain3d(100))).simulation.method).toContain("rk4");
    expect(realtime(await compile(chain3d(300))).simulation.method).toContain("ros3");
  });

  it("returns zero for a mechanism that cannot move", async () => {
    const m = model();
    const body = m.body({ name: "b", mass: 1, shape: box({ x: 1, y: 1, z: 1 }) });
    m.fixed({ between: [m.ground, body], at: [0, 0, 0] });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    expect(fastestRate(simulation.readout, 480)).toBe(0);
  });
});
