// Workers in Node threads, with the built package.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { LiveModel } from "nodrift/worker";
import { afterAll, describe, expect, it } from "vitest";
import { pendulumFile } from "./support/files.js";

const DIST = pathToFileURL(`${process.cwd()}/dist/`);
const { spawn } = (await import(/* @vite-ignore */ new URL("worker.js", DIST).href)) as Awaited<
  typeof import("nodrift/worker")
>;

const folder = mkdtempSync(join(tmpdir(), "nodrift-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** Returns a module that exports a pendulum in some form. */
function moduleOf(body: string): URL {
  count++;
  const path = join(folder, `model-${count}.mjs`);
  const head = `
    import { compile, model, rod } from ${JSON.stringify(new URL("bodies.js", DIST).href)};
    import { start } from ${JSON.stringify(new URL("solve.js", DIST).href)};
    import { equations, projection, rk4, simulate, udwadiaKalaba } from ${JSON.stringify(new URL("index.js", DIST).href)};
    function pendulum(act) {
      const m = model({ name: "pendulum" });
      const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
      m.revolute({ name: "hinge", between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
      if (act) m.pointForce({ on: arm, force: (t) => { act(t); return [0, 0, 0]; } });
      return m;
    }`;
  writeFileSync(path, `${head}\n${body}`);
  return pathToFileURL(path);
}

const frames = (live: LiveModel, n: number) =>
  new Promise<void>((resolve) => {
    let seen = 0;
    const off = live.on("frame", () => {
      if (++seen < n) return;
      off();
      resolve();
    });
  });

/** Options that reach the failure at 2 s quickly. User functions fail late, since choosing a method calls them up to 1.6 s. */
const FAST = { speed: 20 };

describe("spawn in Node", () => {
  it("runs a model file, as text or value", async () => {
    for (const source of [JSON.stringify(pendulumFile()), pendulumFile()]) {
      const live = await spawn(source, { values: { error: "constraintError()" } });
      await frames(live, 3);
      expect(live.time).toBeGreaterThan(0.02);
      expect(Math.hypot(live.q[0]!, live.q[2]!)).toBeCloseTo(0.5, 12);
      expect(live.value("error")).toBeLessThan(1e-10);
      live.dispose();
    }
  });

  it.each([
    ["a model", "export default () => pendulum();"],
    [
      "a compiled model, with input",
      "export default ({ x }) => compile(pendulum(x && undefined));",
    ],
    [
      "a simulation",
      "export default async () => (await compile(pendulum())).simulate({ step: 1 / 240 });",
    ],
    ["a run", "export default async () => start(await compile(pendulum()), { span: [0, 100] });"],
    [
      "equations",
      `export default () => simulate(equations({
        coordinates: ["x", "y"], mass: [1, 1], forces: () => [0, -9.81],
        holonomic: { rows: 1, value: ([x, y]) => [x * x + y * y - 0.25] },
      }), { method: { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: rk4() }, step: 1 / 240, q: [0.5, 0] });`,
    ],
  ])("runs the export of a module: %s", async (_, code) => {
    const live = await spawn(moduleOf(code), { input: { x: 1 }, paused: true });
    await live.step(48);
    const [x, , z] = live.bodies.length > 0 ? live.q : [live.q[0]!, 0, live.q[1]!];
    expect(x! * x! + z! * z!).toBeCloseTo(0.25, 9);
    expect(live.time).toBeGreaterThan(0.1);
    live.dispose();
  });

  it("sends bitwise identical frames through shared memory if requested", async () => {
    const ends: number[][] = [];
    for (const shared of [false, true]) {
      const live = await spawn(pendulumFile(), { shared, paused: true });
      expect(live.shared).toBe(shared);
      for (let i = 0; i < 40; i++) await live.step(3);
      ends.push([live.time, ...live.q, ...live.v]);
      live.dispose();
    }
    expect(ends[0]![0]).toBe(0.5);
    expect(ends[1]).toEqual(ends[0]);
  });

  it.each<[string, unknown, object, RegExp, string]>([
    ["a number as source", 5, {}, /takes a model file/, "DESCRIPTION"],
    ["an invalid address", "pendulum.js", {}, /is not a valid address/, "LOAD"],
    ["a missing module", new URL("none.mjs", DIST), {}, /none\.mjs could not be loaded/, "LOAD"],
    [
      "a module without an export",
      () => "export const a = 1;",
      {},
      /no default export/,
      "DESCRIPTION",
    ],
    [
      "a module that returns a number",
      () => "export default () => 5;",
      {},
      /returned 5/,
      "DESCRIPTION",
    ],
    [
      "a module that throws",
      () => "export default () => { throw new RangeError('no crane') };",
      {},
      /no crane/,
      "",
    ],
    [
      "a formula with an unknown name",
      pendulumFile(),
      { values: { z: "z('elbow')" } },
      /elbow/,
      "DESCRIPTION",
    ],
    ["an unknown method", pendulumFile(), { method: "rk5" }, /rk5/, "METHOD"],
    ["step and tolerance", pendulumFile(), { step: 1, tolerance: 1 }, /exclude each other/, "STEP"],
    ["an unknown option", pendulumFile(), { steps: 1 }, /steps/, "STEP"],
    ["a zero rate", pendulumFile(), { rate: 0 }, /rate/, "STEP"],
  ])("rejects invalid input: %s", async (_, given, options, message, code) => {
    const source = typeof given === "function" ? moduleOf(given() as string) : given;
    const error = await spawn(source as never, options).then(
      () => undefined,
      (reason: Error & { code?: string }) => reason,
    );
    expect(error?.message).toMatch(message);
    if (code) expect(error?.code).toBe(code);
  });

  it("runs the program of docs/worker.md", async () => {
    const page = readFileSync("docs/worker.md", "utf8");
    const [, program] = /```js\n(import[\s\S]*?)```/.exec(page) ?? [];
    const path = join(folder, "documented.mjs");
    const entry = JSON.stringify(new URL("worker.js", DIST).href);
    writeFileSync(path, program!.replace('"nodrift/worker"', entry));
    const said = execFileSync(process.execPath, [path], { encoding: "utf8" });
    expect(said).toMatch(/^\S+ \S+ \S+\n$/);
  });

  it("reports a worker that exits, with the last state", async () => {
    const code = "export default () => pendulum((t) => { if (t > 2) process.exit(3); });";
    const live = await spawn(moduleOf(code), FAST);
    const error = await new Promise<Error>((resolve) => live.on("error", resolve));
    expect(error).toMatchObject({ name: "WorkerError", code: "WORKER" });
    expect(error.message).toMatch(/ended at t = [12](\.\d+)?: it exited with code 3/);
    const { last } = error as never as { last: { time: number; q: Float64Array } };
    expect(last.time).toBeGreaterThan(0);
    expect(Math.hypot(last.q[0]!, last.q[2]!)).toBeCloseTo(0.5, 12);
    await expect(live.pause()).rejects.toBe(error);
  });

  it("reports a worker that stops responding", async () => {
    const code = "export default () => pendulum((t) => { while (t > 2); });";
    const live = await spawn(moduleOf(code), { ...FAST, timeout: 1 });
    const error = await new Promise<Error>((resolve) => live.on("error", resolve));
    expect(error.message).toMatch(/no response for 1 s/);
  });

  it("pauses before a failed step, and can continue from there", async () => {
    const code =
      "export default () => pendulum((t) => { if (t > 0.1) throw new RangeError('no wind'); });";
    const live = await spawn(moduleOf(code), { record: true });
    const error = await new Promise<Error>((resolve) => live.on("error", resolve));
    expect(error.message).toContain("no wind");
    expect(live.paused).toBe(true);
    expect(live.isAlive).toBe(true);
    await live.rewind(0);
    await live.step(10);
    expect(live.time).toBeCloseTo(10 / 240, 12);
    await expect(live.step(100)).rejects.toThrow("no wind");
    live.dispose();
  });
});
