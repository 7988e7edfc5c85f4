import { type Equations, equations, projection, rk4, simulate, udwadiaKalaba } from "nodrift";
import { compile, model } from "nodrift/bodies";
import { ode, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { type Random, seeded } from "../support/random.js";

// Coordinates that are held while the others are moved onto the constraints.

const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: rk4() };

/** A slider-crank in the crank angle and the slider position, with any mass ratio and a coupled mass matrix. */
const sliderCrank = (mass: readonly number[]) =>
  equations({
    coordinates: ["theta", "x"],
    mass: [mass.slice(0, 2), mass.slice(2)],
    forces: () => [0, 0],
    holonomic: {
      rows: ["rod"],
      value: ([theta, x]) => [(x - Math.cos(theta)) ** 2 + Math.sin(theta) ** 2 - 9],
    },
  });

/** Position of the slider, and its speed per rad/s of the crank, from the geometry. */
const slide = (theta: number) => {
  const rod = Math.sqrt(9 - Math.sin(theta) ** 2);
  return {
    x: Math.cos(theta) + rod,
    rate: -Math.sin(theta) - (Math.sin(theta) * Math.cos(theta)) / rod,
  };
};

describe("assembly with a held crank", () => {
  test.each([1e-6, 1, 1e6])(
    "keeps the bits of the crank and moves the slider; mass ratio %d",
    (ratio) => {
      const system = sliderCrank([1, 0.3 * Math.sqrt(ratio), 0.3 * Math.sqrt(ratio), ratio]);
      const [theta, omega] = [0.7, -5];
      const start = { q: [theta, 3.5], v: [omega, 0], hold: ["theta"] };
      const { x, rate } = slide(theta);
      const simulation = simulate(system, { method, step: 1e-3, ...start });
      const solution = solve(system, { span: [0, 0], ...start });
      for (const { q, v } of [simulation, solution.end]) {
        expect([q[0], v[0]]).toEqual([theta, omega]);
        expect(q[1]).toBeCloseTo(x, 12);
        expect(v[1]).toBeCloseTo(rate * omega, 7);
      }
      expect(simulation.correction.positions).toEqual({ theta: 0, x: simulation.q[1] - 3.5 });
      expect(simulation.correction.velocities).toEqual({ theta: 0, x: simulation.v[1] });
      expect(solution.notes[0]).toMatch(/^the positions given .* "x" most, by 0\.19/);
      expect(solution.notes[1]).toMatch(/^the velocities given .* "x" most, by /);
      // The crank moves unless it is held.
      const free = simulate(system, { method, step: 1e-3, q: start.q, v: start.v });
      expect(free.q[0]).not.toBe(theta);
      expect(free.correction.positions.theta).toBe(free.q[0] - theta);
    },
  );

  test("rejects an impossible position with the row and the name", () => {
    const system = sliderCrank([1, 0, 0, 1]);
    const start = { q: [0.7, 3], hold: ["theta", "x"] };
    const refusal = /"rod" .*Hold fewer than "theta", "x"/;
    expect(() => simulate(system, { method, step: 1e-3, ...start })).toThrow(refusal);
    expect(() => solve(system, { span: [0, 1], ...start })).toThrow(refusal);
  });
});

/** Points on a chain of rods, and a full mass matrix. */
function chain(random: Random, count: number): Equations {
  const n = 2 * count;
  const root = Array.from({ length: n * n }, random);
  const scales = Array.from({ length: n }, (_, i) => Number(`1e${(i % 5) - 2}`));
  const mass = root.map((_, k) => {
    const [i, j] = [k % n, Math.floor(k / n)];
    let sum = i === j ? n : 0;
    for (let l = 0; l < n; l++) sum += root[i + l * n] * root[j + l * n];
    return scales[i] * scales[j] * sum;
  });
  return equations({
    coordinates: Array.from({ length: count }, (_, i) => [`x${i}`, `y${i}`]).flat(),
    mass: Array.from({ length: n }, (_, i) => mass.slice(n * i, n * i + n)),
    forces: () => new Array<number>(n).fill(0),
    holonomic: {
      rows: Array.from({ length: count }, (_, i) => `rod ${i}`),
      value: (q) =>
        Array.from({ length: count }, (_, i) => {
          const [x, y] = i === 0 ? [0, 0] : [q[2 * i - 2], q[2 * i - 1]];
          return (q[2 * i] - x) ** 2 + (q[2 * i + 1] - y) ** 2 - 1;
        }),
      jacobian: (q, out) => {
        out.fill(0);
        for (let i = 0; i < count; i++) {
          for (let k = 0; k < 2; k++) {
            const d = q[2 * i + k] - (i === 0 ? 0 : q[2 * i + k - 2]);
            out[2 * i + k + i * n] = 2 * d;
            if (i > 0) out[2 * i + k - 2 + i * n] = -2 * d;
          }
        }
      },
    },
  });
}

test("assembly of random chains keeps the bits of held coordinates and satisfies the constraints", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = seeded(seed);
    const count = 2 + (seed % 5);
    const system = chain(random, count);
    const q = Array.from({ length: 2 * count }, (_, i) =>
      i % 2 === 0 ? 0.8 * (i / 2 + 1) + 0.02 * random() : (i % 4 === 1 ? 0.6 : 0) + 0.02 * random(),
    );
    const v = q.map(() => random());
    // One coordinate of every second point, so that every rod keeps a degree of freedom.
    const hold = system.coordinateNames.filter((_, i) => i % 4 === 0);
    const simulation = simulate(system, { method, step: 1e-3, q, v, hold });
    system.coordinateNames.forEach((name, i) => {
      if (!hold.includes(name)) return;
      expect([seed, simulation.q[i], simulation.v[i]]).toEqual([seed, q[i], v[i]]);
    });
    const { position, velocity } = simulation.constraintError();
    expect(Math.max(position, velocity)).toBeLessThan(1e-11);
  }
});

describe("a consistent initial state", () => {
  const system = sliderCrank([1, 0, 0, 1]);
  test("does not count as moved, and adds no note", () => {
    const q = [0.7, slide(0.7).x];
    const simulation = simulate(system, { method, step: 1e-3, q });
    expect(Object.values(simulation.correction.positions).every((x) => Math.abs(x) < 1e-15)).toBe(
      true,
    );
    expect(solve(system, { span: [0, 0], q }).notes).toEqual([]);
    simulation.setState([0.7, 3.5], [0, 0]);
    expect(simulation.correction.positions.x).toBe(simulation.q[1] - 3.5);
    simulation.setState([0.7, 3.5], [0, 0], "asGiven");
    expect(simulation.correction.positions).toEqual({ theta: 0, x: 0 });
  });

  test.each([
    [{ hold: ["phi"] }, /hold: no coordinate is named "phi"; there are: theta, x/],
    [{ hold: "theta" }, /hold is "theta"; give a list of names of coordinates/],
    [{ hold: ["theta"], start: "asGiven" }, /hold and start: "asGiven" exclude each other/],
  ])("%j is refused", (options, message) => {
    const given = { q: [0.7, 3.5], ...(options as { hold: string[] }) };
    expect(() => simulate(system, { method, step: 1e-3, ...given })).toThrow(message);
    expect(() => solve(system, { span: [0, 1], ...given })).toThrow(message);
  });

  test("solve rejects hold for bodies and for unknowns of an ode", async () => {
    const m = model();
    m.body({ name: "ball", mass: 1, inertia: [1, 1, 1] });
    const ball = await compile(m);
    expect(() => solve(ball, { span: [0, 1], hold: ["ball x"] })).toThrow(
      /compile\(model, \{ hold/,
    );
    const decay = ode({ names: ["u"], rate: (_, y) => [-y[0]], y: [1] });
    expect(() => solve(decay, { span: [0, 1], hold: ["u"] })).toThrow(/given by equations/);
  });
});
