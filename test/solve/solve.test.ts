// Accuracy of solve(): against closed forms and references that others found.

import { compile } from "nodrift/bodies";
import {
  chain3d,
  chain3dReference3,
  chain3dReference10,
  heavyTop,
  heavyTopReaction,
  heavyTopReference,
  knifeEdge,
  knifeEdgeMotion,
  nFourBar,
  nFourBarReference,
  simplePendulum,
  simplePendulumReference,
  sliderCrank3d,
  sliderCrank3dPosition,
  welchDoublePendulum,
} from "nodrift/mechanisms";
import { dp5, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { distance, pointOf, stateError } from "../support/mechanisms.js";
import { circle, difference, largest, onCircle, oscillator } from "./support/systems.js";

const PENDULUM = await compile(simplePendulum());
const ARM = simplePendulum()
  .data()
  .markers.find(({ name }) => name === "point")?.point as readonly number[];

describe("the simple pendulum", () => {
  const errorAt = (tolerance: number) => {
    const solution = solve(PENDULUM, { span: [0, 10], tolerance });
    return largest(
      simplePendulumReference.map(([t, x, y]) =>
        distance(pointOf(solution.at(t).q, 0, ARM), [x, y, 0]),
      ),
    );
  };

  test("positions match the elliptic integral, between steps too", () => {
    expect(errorAt(1e-12)).toBeLessThan(1e-11);
  });

  test("errors scale with the tolerance", () => {
    const tolerances = [1e-4, 1e-6, 1e-8, 1e-10];
    const errors = tolerances.map(errorAt);
    errors.forEach((error, i) => {
      expect(error).toBeLessThan(20 * tolerances[i]);
      // Nor is work wasted on digits that were not requested.
      expect(error).toBeGreaterThan(1e-3 * tolerances[i]);
    });
  });

  test("velocities match the elliptic integral", () => {
    const solution = solve(PENDULUM, { span: [0, 10], tolerance: 1e-10 });
    for (const [t, x, y, vx, vy] of simplePendulumReference) {
      const { position, velocity, angularVelocity } = solution.at(t).body("ball");
      const turning = x * vy - y * vx;
      expect(angularVelocity[2]).toBeCloseTo(turning, 8);
      expect(distance(velocity, [-turning * position[1], turning * position[0], 0])).toBeLessThan(
        1e-8,
      );
    }
  });
});

test("the double pendulum ends at the result in extended precision", () => {
  const { equations: system, q, v } = welchDoublePendulum;
  const solution = solve(system, { span: [0, 10], q, v, tolerance: 1e-13 });
  const reference = [
    2.4427319998674593, -0.5320341876454208, 1.7852500275840635, 6.714021238723096,
    -2.7688787529410748, 2.321186441945455,
  ];
  expect(difference(solution.end.q, reference)).toBeLessThan(5e-12);
  expect(solution.statistics.energyError).toBeLessThan(5e-12);
});

test.each([
  [3, chain3dReference3],
  [10, chain3dReference10],
] as const)("the chain of %i rods ends at its reference state", async (n, reference) => {
  const times = reference.map(({ time }) => time);
  const solution = solve(await compile(chain3d(n)), {
    span: [0, times[times.length - 1]],
    tolerance: 1e-12,
    output: { times },
  });
  expect([...solution.time]).toEqual(times);
  reference.forEach((expected, i) => {
    expect(stateError(solution.state(i), expected)).toBeLessThan(1e-11);
  });
});

test("the heavy top matches the known motion and pivot force", async () => {
  const solution = solve(await compile(heavyTop()), { span: [0, 2], tolerance: 1e-11 });
  for (const [t, x, y, z, ...rates] of heavyTopReference) {
    const { q, v } = solution.at(t);
    expect(distance([...q.subarray(0, 3)], [x, y, z])).toBeLessThan(3e-11);
    expect(difference(v.subarray(3), rates)).toBeLessThan(3e-9);
  }
  for (const [t, ...force] of heavyTopReaction) {
    const found = solution.at(t).joint("pivot").force({ on: "top" });
    expect(distance(found, force) / Math.hypot(...force)).toBeLessThan(1e-8);
  }
});

test("a loop closes at every time: the slider follows the crank in space", async () => {
  const solution = solve(await compile(sliderCrank3d()), { span: [0, 1], tolerance: 1e-9 });
  for (let t = 0; t <= 1; t += 1 / 64) {
    const { q } = solution.at(t);
    const angle = 2 * Math.atan2(q[4], q[3]);
    expect(Math.abs(q[14] - sliderCrank3dPosition(angle))).toBeLessThan(1e-12);
  }
  expect(solution.statistics.energyError).toBeLessThan(1e-7);
});

describe("the N-four-bar", () => {
  test("passes its singular poses ten times in 10 s and ends at the right pose", async () => {
    const compiled = await compile(nFourBar(2));
    for (const tolerance of [1e-4, 1e-6, 1e-8]) {
      const solution = solve(compiled, { span: [0, 10], tolerance });
      expect(solution.status, solution.reason).toBe("finished");
      // It ends near the top; errors have grown a hundredfold since each crossing.
      for (const [t, x, y] of nFourBarReference[2]) {
        const error = distance(pointOf(solution.at(t).q, 0, [0.5, 0, 0]), [x, y, 0]);
        expect(error).toBeLessThan((t < 5 ? 100 : 2000) * tolerance);
      }
      expect(solution.statistics.steps).toBeLessThan(1000);
    }
  });

  test.each([2, 3, 4])("a tilted linkage with %i links passes them from any start", async (n) => {
    for (const psi0 of [0.02, -0.013]) {
      const compiled = await compile(nFourBar(n, { psi0, tilt: [0.5, -0.5, 0.1, 0.7] }));
      const { status, reason, statistics } = solve(compiled, { span: [0, 10], output: "ends" });
      expect(status, reason).toBe("finished");
      expect(statistics.energyError).toBeLessThan(5e-4);
      expect(statistics.maximumDrift.position).toBeLessThan(1e-11);
    }
  });
});

test("constraints on velocities hold: the knife edge slides as known", () => {
  const { equations: system, q, v } = knifeEdge;
  const solution = solve(system, { span: [0, 3], q, v, tolerance: 1e-11 });
  for (const t of [0.5, 1.7, 3]) {
    const { x, y, phi } = knifeEdgeMotion(t);
    expect(difference(solution.at(t).q, [x, y, phi])).toBeLessThan(1e-9);
  }
});

describe("without a method", () => {
  test("a method is chosen and reported with its reasons", async () => {
    const free = solve(oscillator(), { span: [0, 1], q: [1] });
    expect(free.method).toBe("udwadiaKalaba + projection + dop853");
    expect(free.methodReason).toMatch(/order 8.*no constraints/);
    const loose = solve(circle(), { span: [0, 1], ...onCircle(), tolerance: 1e-2 });
    expect(loose.method).toBe("udwadiaKalaba + projection + dp5");
    expect(loose.methodReason).toMatch(/order 5 for a loose tolerance; no loops/);
    const loop = solve(await compile(sliderCrank3d()), { span: [0, 0.1] });
    expect(loop.method).toBe("udwadiaKalaba + stagedProjection + dop853");
    expect(loop.methodReason).toMatch(/loops may pass singular poses/);
  });

  test("a given integrator is used", () => {
    const solution = solve(circle(), { span: [0, 1], ...onCircle(), integrator: dp5() });
    expect(solution.method).toBe("udwadiaKalaba + projection + dp5");
    expect(solution.methodReason).toMatch(/dp5 as given/);
  });
});

describe("drift", () => {
  test.each([1e-2, 1e-4, 1e-8])(
    "drift is rounding in every state, at tolerance %d",
    (tolerance) => {
      const solution = solve(circle(), { span: [0, 20], ...onCircle(2), tolerance });
      const between = Array.from({ length: 401 }, (_, k) => solution.at(k / 20));
      for (const { q, v } of [...solution.states(), ...between]) {
        expect(Math.abs(q[0] ** 2 + q[1] ** 2 - 1)).toBeLessThan(1e-12);
        expect(Math.abs(q[0] * v[0] + q[1] * v[1])).toBeLessThan(1e-12);
      }
    },
  );

  test("drift of mechanisms is rounding too, and Euler parameters stay normalised", () => {
    const radius = Math.hypot(...PENDULUM.q.subarray(0, 3));
    const solution = solve(PENDULUM, { span: [0, 10], tolerance: 1e-4 });
    for (let t = 0; t <= 10; t += 1 / 16) {
      const { q, v } = solution.at(t);
      expect(Math.abs(Math.hypot(q[0], q[1], q[2]) - radius)).toBeLessThan(1e-12);
      expect(Math.abs(Math.hypot(q[3], q[4], q[5], q[6]) - 1)).toBeLessThan(1e-14);
      expect(Math.abs(q[0] * v[0] + q[1] * v[1])).toBeLessThan(1e-12);
    }
  });

  test("drift of an initial state taken as given is measured", () => {
    const { statistics } = solve(circle(), {
      span: [0, 1],
      q: [1.001, 0],
      v: [0.25, 1],
      start: "asGiven",
      maximumSteps: 1,
    });
    expect(statistics.maximumDrift.position).toBeCloseTo(1.001 ** 2 - 1, 12);
    expect(statistics.maximumDrift.velocity).toBeCloseTo(2 * 1.001 * 0.25, 12);
  });

  test("an assembled initial state has no drift", () => {
    const solution = solve(circle(), { span: [0, 1], q: [1.001, 0], v: [0.25, 1] });
    expect(difference(solution.state(0).q, [1, 0])).toBeLessThan(1e-12);
    expect(solution.statistics.maximumDrift.position).toBeLessThan(1e-12);
    expect(solution.statistics.maximumDrift.velocity).toBeLessThan(1e-12);
  });
});
