// The README's examples, run as pasted in a project that has the package installed.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Project } from "../support/project.js";

const project = new Project();
const programs = [...readFileSync("README.md", "utf8").matchAll(/```js\n(import[\s\S]*?)```/g)].map(
  ([, program]) => program,
);

beforeAll(async () => {
  await project.install((await project.pack()).tarball);
});
afterAll(() => project.remove());

async function output(program: string): Promise<string> {
  project.write({ "example.js": program });
  return project.run(process.execPath, "example.js");
}

test("the slider-crank has less than twenty lines, tells of its rows and gives the force at the pin", async () => {
  expect(programs[0].trim().split("\n").length).toBeLessThan(20);
  const said = await output(programs[0]);
  expect(said).toMatch(/^1 \[\s+'3 of 20 rows are redundant and handled: .*"guide"/);
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

test("the kernels solve what the comment says", async () => {
  expect(await output(programs[2])).toMatch(/0\.2222\d*,\s+0\.1111\d*,\s+1\.4444\d*/);
});
