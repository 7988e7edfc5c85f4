import { type Equations, lagrange, none, rk4, simulate } from "nodrift";
import { eigenvalues } from "nodrift/analysis";
import { compile } from "nodrift/bodies";
import {
  type Mechanism,
  stiffPendulum,
  stiffPendulumCartesian,
  stiffPendulumEigenvalues,
  stiffPendulumMinimal,
  stiffPendulumReference,
  stiffPendulumRuns,
} from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { difference } from "./support/vectors.js";

/** theta1, theta2 and their rates. */
type State = readonly [number, number, number, number];

const START: State = [2 * Math.PI, (23 * Math.PI) / 12, 0, 10];
const STATES: readonly State[] = [
  START,
  ...stiffPendulumReference.map(([, ...state]) => state as unknown as State),
  [3.9, 4.4, -2, 5],
];
const explicit = { formulation: lagrange(), stabilisation: none(), integrator: rk4() };

/**
 * Lagrange's equations with the values of the paper. Rods of 3 kg and 2 m, 0.3 kg and 3 m:
 *
 *   5.2 a1 + 0.9 cos(d) a2 + 0.9 sin(d) w2^2 + 3.6 g cos theta1 = T1 - T2
 *   0.9 cos(d) a1 + 0.9 a2 - 0.9 sin(d) w1^2 + 0.45 g cos theta2 = T2
 *
 * with d = theta1 - theta2, 5.2 = 3 (1 + 1/3) + 0.3 * 2^2, 0.9 = 0.3 * 1.5^2 (1 + 1/3) = 0.3 * 2 * 1.5,
 * 3.6 = 3 + 0.3 * 2 and 0.45 = 0.3 * 1.5.
 */
function accelerations([theta1, theta2, w1, w2]: State): [number, number] {
  const T1 = -400 * (theta1 - 1.5 * Math.PI) - 15 * w1;
  const T2 = -3e5 * (theta2 - theta1) - 5e4 * (w2 - w1);
  const [c, s] = [Math.cos(theta1 - theta2), Math.sin(theta1 - theta2)];
  const right1 = T1 - T2 - 0.9 * s * w2 ** 2 - 3.6 * 9.81 * Math.cos(theta1);
  const right2 = T2 + 0.9 * s * w1 ** 2 - 0.45 * 9.81 * Math.cos(theta2);
  const determinant = 5.2 * 0.9 - (0.9 * c) ** 2;
  return [
    (0.9 * right1 - 0.9 * c * right2) / determinant,
    (5.2 * right2 - 0.9 * c * right1) / determinant,
  ];
}

/** The state in the coordinates of both centres of mass. */
function cartesian([theta1, theta2, w1, w2]: State) {
  const [c1, s1, c2, s2] = [theta1, theta2].flatMap((x) => [Math.cos(x), Math.sin(x)]);
  return {
    q: [c1, s1, theta1, 2 * c1 + 1.5 * c2, 2 * s1 + 1.5 * s2, theta2],
    v: [-s1 * w1, c1 * w1, w1, -2 * s1 * w1 - 1.5 * s2 * w2, 2 * c1 * w1 + 1.5 * c2 * w2, w2],
  };
}

function started({ equations, q, v }: Pick<Mechanism, "equations" | "q" | "v">) {
  return simulate(equations, { method: explicit, step: 5e-6, q, v, start: "asGiven" });
}

/**
 * Relative error for large accelerations. For small ones the stiff spring amplifies the rounding of
 * angles to 3e-9.
 */
function apart(found: readonly number[], expected: readonly number[]): number {
  return difference(found, expected) / Math.max(1e4, ...expected.map(Math.abs));
}

describe("stiff pendulum: accelerations match Lagrange's equations", () => {
  const minimal = stiffPendulumMinimal().equations;

  test("for the angles", () => {
    for (const state of STATES) {
      const [q, v] = [state.slice(0, 2), state.slice(2)];
      const found = started({ equations: minimal, q, v }).accelerations();
      expect(apart([...found], accelerations(state))).toBeLessThan(1e-12);
    }
  });

  test("for absolute coordinates", () => {
    const { equations } = stiffPendulumCartesian();
    for (const state of STATES) {
      const simulation = started({ equations, ...cartesian(state) });
      const { position, velocity } = simulation.constraintError();
      expect(Math.max(position, velocity)).toBeLessThan(1e-14);
      const found = simulation.accelerations();
      expect(apart([found[2], found[5]], accelerations(state))).toBeLessThan(1e-12);
    }
  });

  test("for rigid bodies in space", async () => {
    const simulation = (await compile(stiffPendulum())).simulate({ step: 1e-6 });
    for (const state of STATES) {
      const { q, v } = cartesian(state);
      const pose = (i: number) => [
        ...[q[i], q[i + 1], 0],
        ...[Math.cos(q[i + 2] / 2), 0, 0, Math.sin(q[i + 2] / 2)],
      ];
      const rates = (i: number) => [v[i], v[i + 1], 0, 0, 0, v[i + 2]];
      simulation.setState([...pose(0), ...pose(3)], [...rates(0), ...rates(3)], "asGiven");
      const found = ["rod 1", "rod 2"].map((name) => simulation.body(name).angularAcceleration);
      const turning = found.map(([, , z]) => z);
      expect(apart(turning, accelerations(state))).toBeLessThan(1e-12);
      expect(found.every(([x, y]) => Math.hypot(x, y) < 1e-10)).toBe(true);
    }
  });
});

test("the stiff pendulum starts as in the paper", () => {
  const { q, v } = stiffPendulumCartesian();
  expect(difference(q, cartesian(START).q)).toBeLessThan(1e-15);
  expect(difference(v, cartesian(START).v)).toBeLessThan(1e-14);
  const { q: angles, v: rates } = stiffPendulumMinimal();
  expect([...angles, ...rates]).toEqual(START);
  expect(difference([q[0], q[1], q[3], q[4]], [1, 0, 3.4488887, -0.388228])).toBeLessThan(1e-6);
  expect(difference([v[3], v[4]], [3.8822857, 14.488887])).toBeLessThan(3e-6);
});

test("the stiff pendulum in space has 10 rows and two degrees of freedom, and keeps the given initial state", async () => {
  const { report, assembly, q, v } = await compile(stiffPendulum());
  expect(report).toMatchObject({ rows: 10, rank: 10, degreesOfFreedom: 2, notes: [] });
  expect(assembly.moved).toBe(0);
  const expected = cartesian(START);
  expect(
    difference(
      [q[0], q[1], q[7], q[8]],
      [0, 1, 3, 4].map((i) => expected.q[i]),
    ),
  ).toBeLessThan(1e-15);
  expect(
    difference(
      [v[5], v[6], v[7], v[11]],
      [2, 3, 4, 5].map((i) => expected.v[i]),
    ),
  ).toBeLessThan(1e-14);
});

/** Returns the values that functions of a description write. */
function written(count: number, write: (out: Float64Array) => unknown): Float64Array {
  const out = new Float64Array(count);
  write(out);
  return out;
}

const forcesOf = ({ description }: Equations, q: readonly number[], v: readonly number[]) =>
  written(q.length, (out) =>
    description.forces(Float64Array.from(q), Float64Array.from(v), out, 0),
  );

test("potential and power of the stiff pendulum match its forces, in both forms", () => {
  const absolute = stiffPendulumCartesian().equations;
  const { potential, power } = absolute.description;
  const minimal = stiffPendulumMinimal().equations.description;
  for (const state of STATES) {
    const { q, v } = cartesian(state);
    const energy = (at: readonly number[]) => potential!(Float64Array.from(at), 0);
    const atRest = forcesOf(
      absolute,
      q,
      q.map(() => 0),
    );
    q.forEach((_, i) => {
      const moved = (by: number) => energy(q.map((x, j) => (i === j ? x + by : x)));
      const slope = (moved(1e-4) - moved(-1e-4)) / 2e-4;
      expect(Math.abs(slope + atRest[i])).toBeLessThan(1e-6 * (1 + Math.abs(slope)));
    });
    const damping = forcesOf(absolute, q, v).map((force, i) => force - atRest[i]);
    const work = damping.reduce((sum, force, i) => sum + force * v[i], 0);
    const found = power!(Float64Array.from(q), Float64Array.from(v), 0);
    expect(Math.abs(found - work)).toBeLessThan(1e-9 * (1 + Math.abs(work)));
    const [angles, rates] = [
      Float64Array.from(state.slice(0, 2)),
      Float64Array.from(state.slice(2)),
    ];
    expect(minimal.potential!(angles, 0)).toBeCloseTo(energy(q), 8);
    expect(minimal.power!(angles, rates, 0)).toBeCloseTo(found, 8);
  }
});

test("the stiff pendulum has the published initial eigenvalues, the dominant one -99867", () => {
  const { equations, q, v } = stiffPendulumMinimal();
  const rates = (state: readonly number[]) => {
    const [angles, turning] = [state.slice(0, 2), state.slice(2)];
    return [...turning, ...started({ equations, q: angles, v: turning }).accelerations()];
  };
  const state = [...q, ...v];
  const columns = state.flatMap((_, j) => {
    const [ahead, behind] = [1e-4, -1e-4].map((by) =>
      rates(state.map((x, i) => (i === j ? x + by : x))),
    );
    return ahead.map((value, i) => (value - behind[i]) / 2e-4);
  });
  const found = eigenvalues(4, columns).sort(
    (a, b) => a.real - b.real || b.imaginary - a.imaginary,
  );
  const expected = stiffPendulumEigenvalues;
  expect(found[0].real / expected[0][0]).toBeCloseTo(1, 8);
  expect(Math.abs(found[0].real + 99867)).toBeLessThan(1);
  found.forEach(({ real, imaginary }, i) => {
    const [re, im] = expected[i];
    expect(Math.hypot(real - re, imaginary - im)).toBeLessThan(1e-5 * Math.hypot(re, im));
  });
});

describe("the stiff pendulum reaches its stored state", () => {
  test("for the angles, after 2 s", () => {
    const simulation = started(stiffPendulumMinimal());
    for (const [time, ...state] of stiffPendulumReference) {
      const { q, v } = simulation.runTo(time);
      expect(difference([...q, ...v], state)).toBeLessThan(3e-8);
    }
    expect(simulation.time).toBe(2);
  });

  test("for bodies in space, after 0.1 s", async () => {
    const [[time, theta1, theta2, w1, w2]] = stiffPendulumReference;
    const simulation = (await compile(stiffPendulum(), { coordinates: "maximal" }))
      .simulate({ step: 1e-5 })
      .runTo(time);
    const { q, v } = cartesian([theta1, theta2, w1, w2]);
    const [one, two] = [simulation.body("rod 1"), simulation.body("rod 2")];
    expect(difference(one.position, [q[0], q[1], 0])).toBeLessThan(1e-9);
    expect(difference(two.position, [q[3], q[4], 0])).toBeLessThan(1e-9);
    expect(difference(two.velocity, [v[3], v[4], 0])).toBeLessThan(2e-9);
    expect(difference([one.angularVelocity[2], two.angularVelocity[2]], [w1, w2])).toBeLessThan(
      1e-9,
    );
  });
});

test("runs of the paper and their repetitions take the same number of steps, up to two", () => {
  expect(stiffPendulumRuns.map(({ tolerance }) => Math.round(Math.log10(tolerance)))).toEqual([
    -2, -3, -4, -5, -6, -7, -8,
  ]);
  for (const { printed, steps, errors, tolerance } of stiffPendulumRuns) {
    expect(Math.abs(printed.angles - steps)).toBeLessThan(3);
    expect(errors[0]).toBeLessThan(tolerance);
    expect(errors[1]).toBeLessThan(10 * tolerance);
  }
});
