// Files of the packed tarball in a page without bundler or import map, and in a module worker.

import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../support/chromium.mjs";
import { Project } from "../support/project.js";
import { type Answer, serve } from "../support/server.js";

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"];
const executablePath = findChromium();

/** A pendulum by equations, one by bodies, and a factorisation: every kernel module except the stiff one. */
const PROGRAM = `
import { equations } from "/package/dist/index.js";
import { compile, model, rod } from "/package/dist/bodies.js";
import { ArenaPlan, checkStatus, choleskySlots } from "/package/dist/kernels.js";
import { solve } from "/package/dist/solve.js";

export async function answers() {
  const plan = new ArenaPlan();
  const a = plan.reserve("a", 1);
  const factor = plan.reserve("factor", choleskySlots(1));
  const arena = plan.seal();
  arena.floats(a)[0] = 9;
  checkStatus("choleskyFactor", arena.kernels.choleskyFactor(1, a.address, 1, factor.address));

  const point = equations({
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: () => [0, -9.81],
    holonomic: { rows: 1, value: ([x, y]) => [x * x + y * y - 1] },
  });
  const bottom = { when: ({ q: [x] }) => x, terminal: true };
  const { end } = solve(point, { span: [0, 2], q: [1, 0], tolerance: 1e-9, events: [bottom] });

  const m = model();
  const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
  m.revolute({ between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
  const simulation = (await compile(m)).simulate({ step: 1e-3 });
  simulation.advance(100);
  const [x, , z] = simulation.body("arm").position;
  return { root: arena.floats(factor)[0], speed: Math.abs(end.v[0]), radius: x * x + z * z };
}
`;
const FILES: Record<string, string> = {
  "/index.html": '<script type="module" src="/main.js"></script>',
  "/program.js": PROGRAM,
  "/main.js": `import { answers } from "/program.js";
    const inWorker = () => new Promise((resolve, reject) => {
      const worker = new Worker("/worker.js", { type: "module" });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message || "the worker did not start"));
    });
    globalThis.calls = { answers, inWorker };`,
  "/worker.js": `import { answers } from "/program.js";
    answers().then(postMessage, (error) => postMessage({ error: String(error) }));`,
};

describe.skipIf(executablePath === undefined)("without a bundler", () => {
  const project = new Project();
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    const { tarball } = await project.pack();
    await project.run("tar", "-xzf", tarball);
    server = await serve(answer);
    browser = await chromium.launch({ executablePath: executablePath as string, args: FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    project.remove();
  });

  /** /package/... are the files of the tarball. */
  function answer(path: string): Answer | undefined {
    const headers = { "content-type": TYPES[extname(path)] ?? "text/plain" };
    if (path in FILES) return { headers, body: FILES[path] };
    if (!/^\/package\/dist\/[\w.-]+$/.test(path)) return undefined;
    try {
      return { headers, body: readFileSync(join(project.folder, path)) };
    } catch {
      return undefined;
    }
  }

  test.each(["answers", "inWorker"])("package files run unbundled in a page: %s", async (name) => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${server.origin}/index.html`);
    await page.waitForFunction(() => "calls" in globalThis, undefined, { timeout: 20_000 });
    const call = `globalThis.calls.${name}()`;
    const said = (await page.evaluate(call)) as { root: number; speed: number; radius: number };
    await page.close();
    expect(errors).toEqual([]);
    expect(said.root).toBe(3);
    expect(said.speed).toBeCloseTo(Math.sqrt(2 * 9.81), 7);
    expect(said.radius).toBeCloseTo(0.25, 12);
  });
});
