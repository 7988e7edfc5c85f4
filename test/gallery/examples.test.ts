// Examples, also shown in the gallery, against closed forms and conserved quantities.

import { readFileSync } from "node:fs";
import { readSystem } from "nodrift/files";
import { solve } from "nodrift/solve";
import { expect, test } from "vitest";
import { run } from "./support.js";

/** Complete elliptic integral of the first kind, by the arithmetic-geometric mean. */
function ellipticK(k: number): number {
  let [a, b] = [1, Math.sqrt(1 - k * k)];
  while (Math.abs(a - b) > 1e-15) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (a + b);
}

test("pendulum: a rod released from level swings with the period 4 sqrt(2 L / 3 g) K(sin 45 deg)", async () => {
  const period = 4 * Math.sqrt(2 / (3 * 9.81)) * ellipticK(Math.SQRT1_2);
  const { solution } = await run("pendulum", { span: [0, period], output: "ends" });
  const [x, y, z] = solution.end.body("rod").position;
  expect([x, y, z]).toEqual([0.5, 0, 0].map((expected) => expect.closeTo(expected, 7)));
});

test("bouncing ball: fall from 1.9 m, then times of flight shrink by 0.8", async () => {
  const { solution } = await run("bouncing-ball");
  const first = Math.sqrt((2 * 1.9) / 9.81);
  const expected = [0, 1, 2, 3].map(
    (n) => first + [1, 2, 3].slice(0, n).reduce((sum, k) => sum + 2 * first * 0.8 ** k, 0),
  );
  const times = solution.events.slice(0, 4).map(({ time }) => time);
  for (const [n, time] of times.entries()) expect(time).toBeCloseTo(expected[n]!, 9);
});

test("Peaucellier: the pen stays at x = 16/3", async () => {
  const { solution, file } = await run("peaucellier", { span: [0, 2], output: { rate: 7 } });
  const { body, point } = file.settings.view!.traces![0]!;
  for (const state of solution.states()) {
    expect(state.body(body).point(point ?? [0, 0, 0])[0]).toBeCloseTo(16 / 3, 9);
  }
});

test("trebuchet: after the release the stone flies on a parabola", async () => {
  const { solution } = await run("trebuchet", { output: "ends" });
  const release = solution.events.find(({ name }) => name === "release")!;
  const { position, velocity } = release.after.body("stone");
  const flight = (velocity[2] + Math.sqrt(velocity[2] ** 2 + 2 * 9.81 * position[2])) / 9.81;
  expect(solution.end.time).toBeCloseTo(release.time + flight, 7);
  expect(solution.end.body("stone").position[0]).toBeCloseTo(position[0] + velocity[0] * flight, 6);
});

test("gyroscope: the precession rate is torque over angular momentum, and the mean height of the weight is constant", async () => {
  const { solution } = await run("gyroscope");
  // The rotor has m r^2 / 2 at 80 rad/s; the weight is 0.14 m out. Fast-top theory is of first order in the
  // precession over the spin, which is 1.3 %.
  const [momentum, torque] = [0.5 * 0.1 ** 2 * 80, 0.3 * 9.81 * 0.14];
  const { end } = solution;
  const turned = end.joint("stand").angle! / end.time;
  expect(Math.abs(turned)).toBeCloseTo(torque / momentum, 1);
  expect(solution.statistics.energyError).toBeLessThan(1e-6);
});

test("folding slider-crank: energy matches the work of motor and brake, through folded poses", async () => {
  const { solution } = await run("folding-slider-crank", { span: [0, 4], output: { rate: 2000 } });
  const states = [...solution.states()];
  const rates = states.map((state) => state.joint("bearing").angleRate!);
  const gap = 1 / 2000;
  const squares = rates.map((rate) => rate * rate);
  const ends = squares[0]! + squares.at(-1)!;
  const braked = 5 * gap * (squares.reduce((sum, one) => sum + one, 0) - ends / 2);
  const given = -20 * (solution.end.joint("bearing").angle! - states[0]!.joint("bearing").angle!);
  const gained = solution.end.energy().total - states[0]!.energy().total;
  expect(gained).toBeCloseTo(given - braked, 3);
  expect(Math.abs(solution.end.joint("bearing").angle!)).toBeGreaterThan(2 * Math.PI);
});

test.each([
  ["slider-crank", 1e-3],
  ["double-pendulum", 1e-5],
  ["three-link-pendulum", 1e-2],
  ["two-four-bars", 1e-5],
  ["bennett", 1e-5],
])("%s: energy is conserved", async (name, joules) => {
  const { solution } = await run(name, { output: "ends" });
  expect(solution.status).toBe("finished");
  expect(solution.statistics.energyError).toBeLessThan(joules);
});

test("pendulum by its Lagrangian: a point mass released from level has the period 4 sqrt(L / g) K(sin 45 deg)", () => {
  const file = readSystem(readFileSync("examples/equations-pendulum.json", "utf8"));
  if (!("system" in file)) throw new Error("a mechanism");
  const period = 4 * Math.sqrt(1 / 9.81) * ellipticK(Math.SQRT1_2);
  const options = file.solveOptions({ span: [0, period], output: "ends", tolerance: 1e-10 });
  const [x, y] = solve(file.system, options).end.q;
  expect([x, y]).toEqual([expect.closeTo(1, 7), expect.closeTo(0, 7)]);
});
