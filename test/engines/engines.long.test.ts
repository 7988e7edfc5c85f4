// The package in Bun (JavaScriptCore) and Deno, as installed: the bits of Node, the same messages, the same files by the command line.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findEngine, installEngines } from "../support/engines.mjs";

const ENGINES = [
  ["bun", []],
  ["deno", ["run", "--quiet", "--allow-all", "--node-modules-dir=manual", "--no-lock"]],
] as const;
const folder = mkdtempSync(join(tmpdir(), "nodrift-engines-"));
const SUITE = join(folder, "suite.mjs");
const CLI = join(folder, "node_modules/nodrift/dist/cli.js");

interface Answer {
  readonly bits: Readonly<Record<string, object>>;
  readonly smoke: {
    readonly speed: number;
    readonly radius: number;
    readonly mistake: { readonly code: string; readonly message: string };
  };
}

/** Runs a program in the folder where the package is installed. */
function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(resolve(program), args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    // Bun prints colours, and Deno checks for updates, unless disabled.
    env: {
      ...process.env,
      NO_COLOR: "1",
      DENO_NO_UPDATE_CHECK: "1",
      DENO_DIR: join(folder, "deno"),
    },
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ended with ${status}: ${error?.message ?? ""}\n${stderr}\n${stdout}`);
}

let node: Answer;
beforeAll(async () => {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("."), join(folder, "node_modules", "nodrift"));
  const dependencies = { nodrift: "*" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", dependencies }));
  const bundle = await rolldown({
    input: resolve("test/engines/suite.ts"),
    external: /^(nodrift|node:)/,
    platform: "node",
    logLevel: "silent",
  });
  await bundle.write({ file: SUITE, format: "esm" });
  await bundle.close();
  node = JSON.parse(run(process.execPath, [SUITE, resolve(".")]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

installEngines();
const isRequired = process.env.CI === "true";

test("Node agrees with closed forms, and a message names the mistake", () => {
  const { speed, radius, mistake } = node.smoke;
  // v^2 = 2 g l at the bottom; the middle of the rod stays half its length from the hinge.
  expect(Math.abs(speed / Math.sqrt(2 * 9.81) - 1)).toBeLessThan(1e-7);
  expect(radius).toBeCloseTo(0.25, 12);
  expect(mistake).toMatchObject({ code: "DESCRIPTION", message: expect.stringMatching(/mass/) });
  expect(Object.keys(node.bits)).toHaveLength(6);
});

describe.each(ENGINES)("%s", (name, flags) => {
  const path = findEngine(name);
  test.runIf(isRequired && path === undefined)("could not be installed", () => {
    throw new Error(`${name} is missing: set ${name.toUpperCase()}_PATH`);
  });

  test.skipIf(path === undefined)("returns the bits and the messages of Node", () => {
    const found = JSON.parse(run(path as string, [...flags, SUITE, resolve(".")])) as Answer;
    for (const [what, bits] of Object.entries(node.bits))
      expect([what, found.bits[what]]).toEqual([what, bits]);
    expect(found.smoke).toEqual(node.smoke);
  });

  test.skipIf(path === undefined)("runs the command line, and writes the same table", () => {
    const table = (program: string, before: readonly string[], out: string) => {
      run(program, [
        ...before,
        CLI,
        "run",
        "pendulum",
        "--out",
        out,
        "--formats",
        "csv",
        "--quiet",
      ]);
      return readFileSync(join(folder, out, "motion.csv"), "utf8");
    };
    expect(table(path as string, flags, name)).toBe(table(process.execPath, [], "node"));
  });
});
