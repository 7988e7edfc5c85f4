// The examples of README.md, docs/tour.md, docs/expressions.md, docs/solve.md and docs/stiff.md, run as pasted in a project that has the package installed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  hmmwvHeights,
  hmmwvPeak,
  hmmwvSettledHeight,
  robertsonReference,
  stiffPendulumReference,
} from "nodrift/mechanisms";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Project } from "../support/project.js";

const project = new Project();
const programsOf = (path: string) =>
  [...readFileSync(path, "utf8").matchAll(/```js\n(import[\s\S]*?)```/g)].map(
    ([, program]) => program,
  );
const programs = programsOf("docs/tour.md");
const numbers = (text: string) => text.match(/-?\d+\.?\d*(?:e[-+]?\d+)?/g)?.map(Number) ?? [];

beforeAll(async () => {
  await project.unpack((await project.pack()).tarball);
});
afterAll(() => project.remove());

async function output(program: string): Promise<string> {
  project.write({ "example.js": program });
  return project.run(process.execPath, "example.js");
}

test("the program of the README is the first of the tour", () => {
  expect(programs).toHaveLength(7);
  expect(programsOf("README.md")).toEqual([programs[0]]);
});

test("the slider-crank has less than twenty lines, reports its rows and returns the force at the pin", async () => {
  expect(programs[0].trim().split("\n").length).toBeLessThan(20);
  const said = await output(programs[0]);
  expect(said).toMatch(/^1 \[\s+'3 of 20 rows are redundant\. .*"guide"/);
  const [, position, velocity] = /position: (\S+), velocity: (\S+) /.exec(said) ?? [];
  expect(Number.parseFloat(position)).toBeLessThan(1e-14);
  expect(Number.parseFloat(velocity)).toBeLessThan(1e-12);
  expect(said.trim()).toMatch(/\[ 6\.25\d+, \S+, -4\.69\d+ \]$/);
});

test("the pendulum has less than ten lines and stays on its circle", async () => {
  expect(programs[1].trim().split("\n").length).toBeLessThan(10);
  const [, position, velocity] =
    /position: (\S+), velocity: (\S+) /.exec(await output(programs[1])) ?? [];
  expect(Number.parseFloat(position)).toBeLessThan(1e-14);
  expect(Number.parseFloat(velocity)).toBeLessThan(1e-12);
});

test("the door hits its stop when it should, and comes back half as fast", async () => {
  const said = await output(programs[2]);
  const [, time, z, angle] =
    /^finished (\S+) \[\s+\S+,\s+\S+,\s+(\S+)\s+\]\s+(\S+) \{/.exec(said)?.map(Number) ?? [];
  expect(time).toBeCloseTo(0.75, 10);
  expect(z).toBeCloseTo(-1, 10);
  expect(angle).toBeCloseTo(1, 10);
});

test("the vehicle is integrated by an implicit method, and has the right height", async () => {
  const said = await output(programs[3]);
  expect(said).toMatch(/^\[\s+'the motion is stiff: .* it is solved by stateSpace \+ radau5'/);
  const [steps] = numbers(/(\d+) analytic/.exec(said)?.[1] ?? "");
  expect(steps).toBeLessThan(1000);
  const [height] = numbers(said).slice(-1);
  expect(Math.abs(height - hmmwvPeak[1])).toBeLessThan(1e-4);
});

test("the kernels solve what the comment says", async () => {
  expect(await output(programs[4])).toMatch(/0\.2222\d*,\s+0\.1111\d*,\s+1\.4444\d*/);
});

test("an arm reports its tree, and that no constraint remains", async () => {
  expect(await output(programs[5])).toMatch(
    /kind: 'relative',\s+why: 'a tree of 2 joints, no constraints remain/,
  );
});

test("starts that are held: the other gear and the slider come", async () => {
  const said = await output(programs[6]);
  expect(said).toMatch(/of "pinion", "wheel" are inconsistent .*"mesh" \(by 1\.00\)/);
  expect(said).toMatch(/\n1 \[\s+'assembly changed the given velocities of "wheel" \(not held\)'/);
  const [, x, rate] =
    /theta: 0, x: (\S+) \}[\s\S]*theta: 0, x: (\S+) \}/.exec(said)?.map(Number) ?? [];
  const rod = Math.sqrt(9 - Math.sin(0.7) ** 2);
  expect(x).toBeCloseTo(Math.cos(0.7) + rod - 3.5, 10);
  expect(rate).toBeCloseTo(5 * Math.sin(0.7) * (1 + Math.cos(0.7) / rod), 7);
});

test("the program of docs/report.md writes both pages", async () => {
  const [program, ...others] = programsOf("docs/report.md");
  expect(others).toEqual([]);
  await output(program);
  for (const [name, plot] of [
    ["wiper.html", "Torques of drives"],
    ["both.html", "Tip"],
  ]) {
    expect(readFileSync(join(project.folder, name), "utf8")).toContain(plot);
  }
});

test("the formulas of docs/expressions.md return the documented values", async () => {
  const [program, ...others] = programsOf("docs/expressions.md");
  expect(others).toEqual([]);
  const [bump, rate, pull] = numbers(await output(program));
  expect(bump).toBeCloseTo(0.05 * Math.exp(-0.25), 14);
  expect(rate).toBeCloseTo((Math.PI ** 2 / 6) * Math.sin(Math.PI / 4), 14);
  const [x, s] = [0.8, 0.4];
  // The spline through (0, 0), (1, 300), (2, 0), level at both ends, is level in the middle too.
  expect(pull).toBeCloseTo(300 * x * x * (3 - 2 * x) * s ** 3 * (10 - 15 * s + 6 * s * s), 9);
});

test("the equations of docs/equations.md move as they say", async () => {
  const [pendulum, chain, spring, vanDerPol, rope, byParameters, slip, ...others] =
    programsOf("docs/equations.md");
  expect(others).toEqual([]);
  const roped = await output(rope);
  expect(roped).toMatch(/^rope rising .*rope: -.*\n/);
  expect(roped).toMatch(/\nrope falling \S+ \{\} 0\n/);
  expect(await output(slip)).toMatch(/^pendulum: holonomic\.jacobian .*gives 1\.6 for /);
  const swung = await output(pendulum);
  expect(swung).toContain("Q[y] = -(m*g)");
  const [x, y] = numbers(/Float64Array\(2\) \[([^\]]*)\]/.exec(swung)?.[1] ?? "");
  expect(Math.hypot(x, y)).toBeCloseTo(1, 9);
  expect(await output(chain)).toMatch(/total: /);
  expect(await output(spring)).toContain("M_{x,x}");
  expect(await output(vanDerPol)).toBe("analytic\n");
  // On the circle a = g (x y, y^2 - 1) and lambda = g y / 2, and what does not depend on g; Q = (0, -m g); Phi = x^2 + y^2 - L^2.
  const [ax, ay, dx, dy, multiplier, ...rest] = [
    ...(await output(byParameters)).matchAll(/\[([^\]]*)\]/g),
  ].flatMap(([, list]) => numbers(list));
  expect(ax ** 2).toBeCloseTo(-ay * (1 + ay), 8);
  expect([dx, dy]).toEqual([0, 0]);
  expect(4 * multiplier ** 2).toBeCloseTo(1 + ay, 8);
  expect(rest).toEqual([0, 0, -1, 0, 0, 0, -2, 0, 0]);
});

describe("docs/solve.md", () => {
  const solving = programsOf("docs/solve.md");

  test("every example is run here", () => {
    expect(solving).toHaveLength(8);
    const all = readFileSync("docs/solve.md", "utf8").match(/```js/g);
    expect(all).toHaveLength(8);
  });

  test("the rod swings without losing energy", async () => {
    const [first, method, last] = (await output(solving[0])).trim().split("\n");
    const [steps, energy] = numbers(first);
    expect(first).toMatch(/^finished /);
    expect(steps).toBeGreaterThan(10);
    expect(energy).toBeLessThan(1e-6);
    expect(method).toBe("udwadiaKalaba + projection + dop853");
    const [x, , z] = numbers(last);
    expect(Math.hypot(x, z)).toBeCloseTo(0.5, 12);
  });

  test("finite differences of noise are reported", async () => {
    expect(await output(solving[7])).toMatch(/differences: .* accurate to about [5-7] digits/);
  });

  test("hunters and prey keep their invariant", async () => {
    const [first, ...events] = (await output(solving[1])).trim().split("\n");
    const [prey, predators, states] = numbers(first);
    const invariant = (u: number, v: number) => Math.log(u) - u + 2 * Math.log(v) - v;
    expect(first).toMatch(/^finished /);
    expect(invariant(prey, predators)).toBeCloseTo(invariant(2, 2), 7);
    expect(states).toBeGreaterThan(10);
    const [time, u, v] = numbers(events.join());
    expect(time).toBeGreaterThan(0);
    expect(u).toBeCloseTo(1, 9);
    expect(v).toBeGreaterThan(2);
    expect(invariant(u, v)).toBeCloseTo(invariant(2, 2), 7);
  });

  test("an abort flag that is not set has no effect", async () => {
    expect(await output(solving[2])).toBe("finished\n");
  });

  test("the ball bounces when it should", async () => {
    const said = await output(solving[3]);
    const times = numbers(said);
    const fall = Math.sqrt(2 / 9.81);
    expect(said).toMatch(/^event /);
    // Each flight takes 0.8 times as long as the one before; the first is half a one.
    let wanted = fall;
    for (let i = 0; i < 4; i++) {
      expect(times[i]).toBeCloseTo(wanted, 6);
      wanted += 2 * fall * 0.8 ** (i + 1);
    }
  });

  test("the string is cut at the bottom, and the bob flies off", async () => {
    const said = await output(solving[4]);
    const [time, x, y] = numbers(said);
    expect(said).toContain(" free ");
    // From the horizontal: K(1/sqrt(2)) / sqrt(g), then a parabola with the speed sqrt(2 g).
    expect(time).toBeCloseTo(1.854074677301372 / Math.sqrt(9.81), 6);
    const flight = 2 - time;
    expect(x).toBeCloseTo(-Math.sqrt(2 * 9.81) * flight, 4);
    expect(y).toBeCloseTo(-1 - (9.81 / 2) * flight ** 2, 4);
  });

  test("a run that is restored ends with the same bits", async () => {
    expect(await output(solving[5])).toBe("true\n");
  });

  test("sixty frames are a second", async () => {
    const [time, lag] = numbers(await output(solving[6]));
    expect(time).toBeCloseTo(1, 9);
    expect(lag).toBe(0);
  });
});

describe("docs/stiff.md", () => {
  const stiff = programsOf("docs/stiff.md");

  test("every example is run here", () => {
    expect(stiff).toHaveLength(5);
    expect(readFileSync("docs/stiff.md", "utf8").match(/```js/g)).toHaveLength(5);
  });

  test("the gate creeps towards its stop, by the method that the comment says", async () => {
    const said = await output(stiff[0]);
    // I a + c w + k (angle - 1) = 0 with I = m l^2 / 3, from rest at 0.
    const [inertia, damping, stiffness] = [(60 * 2 ** 2) / 3, 2e5, 4e5];
    const half = damping / (2 * inertia);
    const fast = -half - Math.sqrt(half ** 2 - stiffness / inertia);
    const slow = stiffness / inertia / fast;
    const rest = (fast * Math.exp(2 * slow) - slow * Math.exp(2 * fast)) / (fast - slow);
    expect(Math.abs(numbers(said)[0] - (1 - rest))).toBeLessThan(1e-6);
    expect(said).toMatch(/ From t = 0\.0[12]\d* on it is solved by stateSpace \+ radau5\n/);
    expect(said).toContain("jacobianSource: 'analytic'");
  });

  test("BDF ends where radau5 does, with fewer df/dy", async () => {
    const [concentration, , jacobians, other, , more] = numbers(await output(stiff[1]));
    expect(Math.abs(concentration - robertsonReference.y[0])).toBeLessThan(1e-6);
    expect(Math.abs(other - robertsonReference.y[0])).toBeLessThan(1e-6);
    expect(jacobians).toBeLessThan(more);
  });

  test("the pendulum ends where it should, on its constraints", async () => {
    const said = await output(stiff[2]);
    const [theta1, theta2, drift] = numbers(said);
    const [time, wanted1, wanted2] = stiffPendulumReference.at(-1) ?? [];
    expect(time).toBe(2);
    expect(Math.abs(theta1 - wanted1)).toBeLessThan(1e-6);
    expect(Math.abs(theta2 - wanted2)).toBeLessThan(1e-6);
    expect(drift).toBeLessThan(1e-13);
    expect(said.trim()).toMatch(/by differences: equations are functions$/);
  });

  test("wheels meet the bump after half a second", async () => {
    const said = await output(stiff[3]);
    const [time, height] = numbers(said);
    const wanted = hmmwvHeights.find(([t]) => t === 2)?.[1] ?? Number.NaN;
    expect(said).toMatch(/^finished /);
    expect(Math.abs(time - 0.5)).toBeLessThan(1e-4);
    expect(Math.abs(height - wanted)).toBeLessThan(1e-5);
  });

  test("the vehicle has the right height on the bump and after it", async () => {
    const [first, ...heights] = (await output(stiff[4])).trim().split("\n");
    expect(first).toMatch(/^\d+ analytic \d/);
    expect(numbers(first).at(-1)).toBeLessThan(1e-13);
    const [peak, end] = heights.map(Number);
    expect(Math.abs(peak - hmmwvPeak[1])).toBeLessThan(1e-5);
    expect(Math.abs(end - hmmwvSettledHeight)).toBeLessThan(1e-6);
  });
});
