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

test("the pendulum has less than ten lines and stays on its circle", async () => {
  expect(programs[0].trim().split("\n").length).toBeLessThan(10);
  const [, position, velocity] =
    /position: (\S+), velocity: (\S+) /.exec(await output(programs[0])) ?? [];
  expect(Number.parseFloat(position)).toBeLessThan(1e-14);
  expect(Number.parseFloat(velocity)).toBeLessThan(1e-12);
});

test("the kernels solve what the comment says", async () => {
  expect(await output(programs[1])).toMatch(/0\.2222\d*,\s+0\.1111\d*,\s+1\.4444\d*/);
});
