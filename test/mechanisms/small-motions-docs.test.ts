// The programs of docs/small-motions.md run as written, and print the documented values.

import { readFileSync } from "node:fs";
import * as nodrift from "nodrift";
import { expect, test } from "vitest";

const programs = [
  ...readFileSync("docs/small-motions.md", "utf8").matchAll(/```js\n([\s\S]*?)```/g),
].map(([, program]) => program!);

/** Returns the values that a program prints. */
async function printed(program: string): Promise<unknown[][]> {
  const lines: unknown[][] = [];
  const body = program.replace(/import (\{.*?\}) from "nodrift";/g, "const $1 = nodrift;");
  const Asynchronous = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...given: unknown[]) => Promise<void>;
  const run = new Asynchronous("nodrift", "console", body);
  await run(nodrift, { log: (...values: unknown[]) => lines.push(values) });
  return lines;
}

test("the lamp sinks by the deflection of its spring", async () => {
  expect(programs).toHaveLength(2);
  const [[stability, angle], [force, residual], [frequencies]] = (await printed(programs[0]!)) as [
    [string, number],
    [number[], number],
    [number[]],
  ];
  expect(stability).toBe("stable");
  // 20 a = m g / 2 cos a, and I w^2 = 20 + m g / 2 sin a with I = m / 3.
  expect(20 * angle).toBeCloseTo(9.81 * Math.cos(angle), 8);
  expect(angle).toBeCloseTo(0.4431, 4);
  expect(force[2]).toBeCloseTo(19.62, 8);
  expect(residual).toBeLessThan(1e-8);
  const rate = Math.sqrt((20 + 9.81 * Math.sin(angle)) / (2 / 3));
  expect(frequencies[0]).toBeCloseTo(rate / (2 * Math.PI), 7);
  expect(frequencies[0]).toBeCloseTo(0.959, 4);
});

test("the top sleeps at the documented spin", async () => {
  const [[slow, fast]] = (await printed(programs[1]!)) as [[number, number]];
  // (C n)^2 = 4 I m g l.
  expect(Math.sqrt(4 * 0.11 * 2 * 9.81 * 0.2) / 0.01).toBeCloseTo(131.4, 1);
  expect(slow).toBeCloseTo(0.87, 2);
  expect(Math.abs(fast)).toBeLessThan(1e-6);
});
