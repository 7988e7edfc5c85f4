// Programs of the tutorial and of the how-to page, run unchanged with the built package, and the file of the tutorial.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readModel } from "nodrift/files";
import { solve } from "nodrift/solve";
import { afterAll, beforeAll, expect, test } from "vitest";

// Inside the package, so that its own name resolves to its built files.
const parent = "build/programs";
let folder: string;
beforeAll(() => {
  mkdirSync(parent, { recursive: true });
  folder = mkdtempSync(join(parent, "docs-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const blocks = (path: string, language: string) =>
  [...readFileSync(path, "utf8").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, own, text]) => (own === language ? [text!] : []),
  );

/** Output of a program, as words. */
function printed(program: string): string[] {
  const path = join(folder, "program.mjs");
  writeFileSync(path, program);
  const said = execFileSync(process.execPath, [path], { encoding: "utf8" });
  return said.trim().split(/\s+/);
}

test("tutorial: each step prints the documented output", () => {
  const programs = blocks("docs/tutorial.md", "js");
  expect(programs).toHaveLength(5);
  const said = programs.map(printed);
  expect(Number(said[0]![0])).toBeCloseTo(5.095, 9);
  expect(said[1]).toEqual(["1", "finished", "true", "true"]);
  expect(said[2]![0]).toBe("2");
  expect(Number(said[2]![1])).toBeCloseTo(-0.6, 12);
  expect(Math.abs(Number(said[3]![0]))).toBeCloseTo(9.81 * (4 * 0.25 + 2 * 0.7), 9);
  expect(said[4]![0]).toBe("finished");
  expect(Number(said[4]![1])).toBeCloseTo(0.3, 3);
  // The moment of the lower arm at its angle to the horizon, 0.3 - 0.5, over the gain.
  const elbow = Number(said[4]![2]);
  expect(elbow).toBeCloseTo(-0.5 + (9.81 * 2 * 0.2 * Math.cos(0.3 + elbow)) / 400, 3);
});

test("tutorial: its file is a model that runs", async () => {
  const [text] = blocks("docs/tutorial.md", "json");
  const file = readModel(text!);
  const system = await file.compile();
  expect(solve(system, file.solveOptions(system)).status).toBe("finished");
});

test("how to: all programs run", () => {
  const programs = blocks("docs/how-to.md", "js");
  expect(programs).toHaveLength(7);
  const said = programs.map(printed);
  expect(Number(said[0]![0])).toBeCloseTo(9.81 * 330, 5);
  expect(said[0]![1]).toBe("finished");
  expect(said[1]).toEqual(["1", "true"]);
  // m l^2 / 3 of the link about its end, plus a small contribution of its thickness.
  expect(Number(/-?[\d.]+/.exec(said[2]!.join(" ").replace(/.*\[/, ""))?.[0])).toBeCloseTo(
    (2 * 0.4 ** 2) / 3 + (2 * 0.05 ** 2) / 12,
    9,
  );
  expect(said[3]).toEqual(["1"]);
  expect(said[4]).toEqual(["30"]);
  // A rod of 1 m hangs on its spring: k angle = m g / 2 cos(angle).
  for (const [i, k] of [5, 10, 20].entries()) {
    const angle = Number(said[5]![2 * i + 1]);
    expect(k * angle).toBeCloseTo((9.81 / 2) * Math.cos(angle), 3);
  }
  // A mean angle, and no failures.
  expect(said[6]).toHaveLength(1);
  expect(Math.abs(Number(said[6]![0]))).toBeLessThan(10);
});
