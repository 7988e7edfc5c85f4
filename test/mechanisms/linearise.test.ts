import { type BodySimulation, compile, linearise, type Model, model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { bennett, chain, door, fourBars } from "./support/linkages.js";

const G = 9.81;
const Y = [0, 1, 0] as const;

async function start(m: Model): Promise<BodySimulation> {
  return (await compile(m)).simulate({ step: 1e-3 });
}

/** Uniform rods of length and mass 1 in series, hanging or upright. */
function rods(count: number, direction = -1): Model {
  const m = model({ name: "rods" });
  let before = m.ground;
  for (let i = 0; i < count; i++) {
    const rod = m.body({
      mass: 1,
      inertia: [1 / 12, 1 / 12, 1e-3],
      position: [0, 0, direction * (i + 0.5)],
    });
    m.revolute({ between: [before, rod], at: [0, 0, direction * i], axis: Y });
    before = rod;
  }
  return m;
}

describe("linearise: natural frequencies", () => {
  test("match sqrt(3 g / 2 L) for a hanging rod", async () => {
    const { frequencies, dampingRatios, degreesOfFreedom, equilibrium, A } = linearise(
      await start(rods(1)),
    );
    const square = (3 * G) / 2;
    expect(2 * Math.PI * frequencies[0]!).toBeCloseTo(Math.sqrt(square), 10);
    expect(dampingRatios[0]).toBeCloseTo(0, 10);
    expect([degreesOfFreedom, frequencies.length, equilibrium]).toEqual([1, 1, true]);
    expect(A[0]![1]).toBeCloseTo(1, 11);
    expect(A[1]![0]).toBeCloseTo(-square, 9);
  });

  test("match the closed form for two rods", async () => {
    // M = [4/3 1/2; 1/2 1/3], K = g diag(3/2, 1/2), in absolute angles.
    const [a, b, c] = [4 / 9 - 1 / 4, -(G * (1.5 / 3 + 0.5 * (4 / 3))), 0.75 * G * G];
    const root = Math.sqrt(b * b - 4 * a * c);
    const expected = [(-b - root) / (2 * a), (-b + root) / (2 * a)].map(Math.sqrt);
    const { frequencies } = linearise(await start(rods(2)));
    frequencies.forEach((frequency, i) => {
      expect(2 * Math.PI * frequency).toBeCloseTo(expected[i]!, 9);
    });
    expect(frequencies).toHaveLength(2);
  });

  test("match a mass on a spring with a damper, as does the damping ratio", async () => {
    const m = model({ name: "oscillator", gravity: [0, 0, 0] });
    const mass = m.body({ mass: 2, inertia: [1, 1, 1], position: [1, 0, 0] });
    m.prismatic({ between: [m.ground, mass], at: [0, 0, 0], axis: [1, 0, 0] });
    m.spring({ between: [m.ground, mass], stiffness: 50, damping: 4, length: 1 });
    const { frequencies, dampingRatios, eigenvalues } = linearise(await start(m));
    expect(2 * Math.PI * frequencies[0]!).toBeCloseTo(5, 9);
    expect(dampingRatios[0]).toBeCloseTo(4 / (2 * Math.sqrt(100)), 10);
    const upper = eigenvalues.find(({ im }) => im > 0)!;
    expect(upper.re).toBeCloseTo(-1, 9);
    expect(upper.im).toBeCloseTo(Math.sqrt(24), 9);
  });

  test("match the energy of a four-bar with redundant rows", async () => {
    // Bars of inertia 0.09 + 1/4 about their pivots, and a coupler of mass 1 that does not rotate.
    const { frequencies, degreesOfFreedom } = linearise(await start(fourBars(1, -Math.PI / 2)));
    expect(degreesOfFreedom).toBe(1);
    expect(2 * Math.PI * frequencies[0]!).toBeCloseTo(Math.sqrt((2 * G) / (2 * 0.34 + 1)), 9);
  });

  test("do not exist for a fully driven crank", async () => {
    const driven = model({ name: "held" });
    const rod = driven.body({ mass: 1, inertia: [1, 1, 1], position: [1, 0, 0] });
    const joint = driven.revolute({ between: [driven.ground, rod], at: [0, 0, 0], axis: Y });
    driven.driveAngle({ joint, angle: 0 });
    const found = linearise(await start(driven));
    expect([found.degreesOfFreedom, found.eigenvalues.length]).toEqual([0, 0]);
  });

  test("number six for a body on a bushing", async () => {
    const m = model({ name: "rotor", gravity: [0, 0, 0] });
    const rotor = m.body({ mass: 1, inertia: [1, 2, 3] });
    m.bushing({
      between: [m.ground, rotor],
      at: [0, 0, 0],
      stiffness: [1, 4, 9, 16, 50, 108],
    });
    const { frequencies } = linearise(await start(m));
    [1, 2, 3, 4, 5, 6].forEach((expected, i) => {
      expect(2 * Math.PI * frequencies[i]!).toBeCloseTo(expected, 9);
    });
  });
});

describe("linearise", () => {
  test("finds that an inverted rod falls", async () => {
    const { eigenvalues, frequencies } = linearise(await start(rods(1, 1)));
    const real = eigenvalues.map(({ re }) => re).sort((a, b) => a - b);
    expect(real[0]).toBeCloseTo(-Math.sqrt((3 * G) / 2), 9);
    expect(real[1]).toBeCloseTo(Math.sqrt((3 * G) / 2), 9);
    expect(frequencies).toEqual([]);
  });

  test("predicts small motions, with loops closed by any joints", async () => {
    // A hanging four-bar released near its equilibrium.
    const { frequencies } = linearise(await start(fourBars(2, -Math.PI / 2)));
    const small = 1e-4;
    const simulation = await start(fourBars(2, -Math.PI / 2 + small));
    const t = 0.7;
    const angle = simulation.runTo(t).joint("ground0").angle!;
    const expected = small * (Math.cos(2 * Math.PI * frequencies[0]! * t) - 1);
    expect(Math.abs(Math.abs(angle) - Math.abs(expected))).toBeLessThan(1e-10);
  });

  test("reports moving states, and states that begin to move, as no equilibrium", async () => {
    // The hinges of the door are vertical, so it rotates uniformly.
    const turning = linearise(await start(door()));
    expect([turning.equilibrium, turning.steady]).toEqual([false, true]);
    const simulation = await start(bennett());
    expect(() => linearise(simulation)).toThrow(/is not steady/);
    const frozen = linearise(simulation, { frozen: true });
    expect([frozen.equilibrium, frozen.steady]).toEqual([false, false]);
  });

  test("finds fewer velocities than displacements with rolling", async () => {
    const m = model({ name: "ball" });
    const ball = m.body({ mass: 1, inertia: [0.4, 0.4, 0.4], position: [0, 0, 1] });
    m.rollingSphere({ body: ball, radius: 1 });
    const { degreesOfFreedom, A, eigenvalues } = linearise(await start(m));
    expect(degreesOfFreedom).toBe(5);
    expect(A).toHaveLength(8);
    for (const { re, im } of eigenvalues) expect(Math.hypot(re, im)).toBeLessThan(1e-5);
  });

  test("rejects singular poses", async () => {
    const simulation = await start(fourBars(1, 0, { speed: 1 }));
    expect(() => linearise(simulation)).toThrow(
      "1 four-bars: the pose is singular (16 independent rows, 17 at poses nearby): the motion " +
        "bifurcates there and cannot be linearised. Choose a pose away from it",
    );
    simulation.runTo(0.3);
    expect(linearise(simulation, { frozen: true }).degreesOfFreedom).toBe(1);
  });

  test("rejects unknown options", async () => {
    const simulation = await start(rods(1));
    expect(() => linearise(simulation, { freeze: true } as never)).toThrow(
      /freeze is not an option/,
    );
    expect(() => linearise(simulation, { frozen: 1 } as never)).toThrow(/frozen/);
  });

  test("leaves the simulation and its later readings unchanged", async () => {
    const simulation = (await start(chain(2))).advance(5);
    const before = [...simulation.q, ...simulation.v];
    const force = simulation.joint("ball0").force();
    linearise(simulation, { frozen: true });
    expect([...simulation.q, ...simulation.v]).toEqual(before);
    expect(simulation.joint("ball0").force()).toEqual(force);
  });
});
