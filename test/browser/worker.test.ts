// Models in module workers of Chromium: with package files and with a Vite bundle, under a strict policy.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../support/chromium.mjs";
import { type Answer, serve } from "../support/server.js";
import { pendulumFile } from "../worker/support/files.js";

const executablePath = findChromium();
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"];
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };
const POLICY = "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/** Program of the pages, the same for package files and the bundle. */
const PROGRAM = `
const pendulum = ${JSON.stringify(pendulumFile())};
const frames = (live, n) => new Promise((resolve) => {
  let seen = 0;
  const off = live.on("frame", () => { if (++seen >= n) resolve(off()); });
});
const failure = (promise) =>
  promise.then(() => "nothing", ({ name, code, message }) => ({ name, code, message }));

export const calls = {
  async moves() {
    const live = await spawn(pendulum, { values: { error: "constraintError()" } });
    const grip = await live.grab("arm", [0.5, 0, 0]);
    await grip.moveTo([0, 0, 1]);
    await frames(live, 30);
    await grip.release();
    const refused = await failure(live.set("arm", { mass: -1 }));
    const saved = await live.save();
    await live.pause();
    await live.restore(saved);
    const before = [...live.q];
    await live.step(24);
    const after = [...live.q];
    await live.restore(saved);
    const isBack = JSON.stringify([...live.q]) === JSON.stringify(before);
    await live.step(24);
    const isSame = JSON.stringify([...live.q]) === JSON.stringify(after);
    const { time, bodies, shared } = live;
    const result = { time, bodies, shared, isBack, isSame, refused, error: live.value("error"), radius: Math.hypot(live.q[0], live.q[2]) };
    live.dispose();
    return { ...result, after: await failure(live.pause()) };
  },
  async isRefused() {
    return [
      await failure(spawn({ ...pendulum, gravity: [1] })),
      await failure(spawn("/nowhere.js")),
      await failure(spawn("/model.js", { input: "nonsense" })),
    ];
  },
  async module() {
    const live = await spawn("/model.js", { paused: true, input: "pendulum" });
    await live.step(24);
    const { time, name } = live;
    live.dispose();
    return { time, name };
  },
  /** A worker that closes itself, which browsers do not report. */
  async dies() {
    const live = await spawn("/model.js", { input: "dying", timeout: 1, speed: 3 });
    const error = await new Promise((resolve) => live.on("error", resolve));
    const { name, code, message, last } = error;
    return { name, code, message, time: last.time, pending: await failure(live.pause()) };
  },
  /** Ten thousand concurrent commands, with frames still arriving. */
  async flooded() {
    const live = await spawn(pendulum);
    const order = [];
    const all = Array.from({ length: 10000 }, (_, i) => live.speed(1 + (i % 2)).then(() => order.push(i)));
    await Promise.all(all);
    const isInOrder = order.every((value, i) => value === i);
    await frames(live, 2);
    live.dispose();
    return { isInOrder, count: order.length, shown: live.shownCommands };
  },
};
`;

const MODEL = `
import { model, rod } from "/dist/bodies.js";
export default (input) => {
  if (input === "nonsense") return 7;
  const m = model({ name: "pendulum" });
  const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
  m.revolute({ between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
  if (input === "dying") {
    m.pointForce({ on: arm, force: (t) => { if (t > 2) self.close(); return [0, 0, 0]; } });
  }
  return m;
};
`;

/** Programs of docs/worker.md for bundlers: that of the worker, and that of its page. */
const [SERVING, SPAWNING] = ["arm-worker.js", "page.js"].map((name) => {
  const [, program] =
    new RegExp(`\`\`\`js\\n// ${name}\\n([\\s\\S]*?)\`\`\``).exec(
      readFileSync("docs/worker.md", "utf8"),
    ) ?? [];
  if (program === undefined) throw new Error(`docs/worker.md has no ${name}`);
  return program;
});

describe.skipIf(executablePath === undefined)("workers of Chromium", () => {
  let folder: string;
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "nodrift-"));
    const page = join(folder, "page");
    mkdirSync(page);
    writeFileSync(join(page, "index.html"), '<script type="module" src="./main.js"></script>');
    writeFileSync(join(page, "arm-worker.js"), SERVING!);
    writeFileSync(
      join(page, "main.js"),
      `import { spawn } from "nodrift/worker";\n${PROGRAM}
      calls.serves = async () => {
        ${SPAWNING!.replace(/^import .*$/m, "")}
        await frames(live, 2);
        const { time, name, q: [x, , z] } = live;
        live.dispose();
        return { moved: time > 0, name, radius: Math.hypot(x, z) };
      };
      globalThis.calls = calls;`,
    );
    const entries = { "": "index", "/worker-serve": "worker-serve", "/worker": "worker" };
    await build({
      root: page,
      base: "./",
      configFile: false,
      logLevel: "error",
      resolve: {
        alias: Object.entries(entries).map(([name, file]) => ({
          find: new RegExp(`^nodrift${name}$`),
          replacement: resolve(`dist/${file}.js`),
        })),
      },
      build: { outDir: join(folder, "bundle"), emptyOutDir: true },
    });
    server = await serve(answer);
    browser = await chromium.launch({ executablePath: executablePath as string, args: FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const FILES: Record<string, string> = {
    "/isolated/index.html": '<script type="module" src="/main.js"></script>',
    "/plain/index.html": '<script type="module" src="/main.js"></script>',
    "/main.js": `import { spawn } from "/dist/worker.js";\n${PROGRAM}\nglobalThis.calls = calls;`,
    "/model.js": MODEL,
  };

  function answer(path: string): Answer | undefined {
    const headers = {
      "content-type": TYPES[extname(path)] ?? "text/plain",
      "content-security-policy": POLICY,
      // Required for the isolated page to load these files.
      "cross-origin-embedder-policy": "require-corp",
      ...(path.startsWith("/isolated/") && { "cross-origin-opener-policy": "same-origin" }),
    };
    if (path in FILES) return { headers, body: FILES[path] };
    const file = path.startsWith("/dist/")
      ? resolve(`.${path}`)
      : path.startsWith("/bundle/") && join(folder, path);
    try {
      return file ? { headers, body: readFileSync(file) } : undefined;
    } catch {
      return undefined;
    }
  }

  async function call(where: "plain" | "bundle" | "isolated", name: string): Promise<unknown> {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !/404|nowhere/.test(message.text())) {
        errors.push(message.text());
      }
    });
    await page.goto(`${server.origin}/${where}/index.html`);
    await page.waitForFunction(() => "calls" in globalThis, undefined, { timeout: 20_000 });
    const result = await page.evaluate(`globalThis.calls.${name}()`);
    await page.close();
    expect(errors).toEqual([]);
    return result;
  }

  describe.each(["plain", "bundle", "isolated"] as const)("%s", (where) => {
    test("runs, drags, saves and restores a model file, and rejects invalid commands", async () => {
      const said = (await call(where, "moves")) as Record<string, unknown>;
      expect(said).toMatchObject({
        bodies: ["arm"],
        shared: where === "isolated",
        isBack: true,
        isSame: true,
        refused: { name: "NodriftError", message: expect.stringContaining("mass") },
        after: { code: "WORKER" },
      });
      expect(said.time).toBeGreaterThan(0.5);
      expect(said.error).toBeLessThan(1e-9);
      expect(said.radius).toBeCloseTo(0.5, 9);
    });

    test("acknowledges ten thousand commands in order", async () => {
      expect(await call(where, "flooded")).toEqual({ isInOrder: true, count: 10000, shown: 10000 });
    });
  });

  test("spawn resolves module addresses against the page", async () => {
    expect(await call("plain", "module")).toEqual({ time: 0.1, name: "pendulum" });
  });

  test("serve works in a bundled worker program", async () => {
    const said = await call("bundle", "serves");
    expect(said).toEqual({ moved: true, name: "arm", radius: expect.closeTo(6, 9) });
  });

  test("spawn rejects invalid models with their error class and code", async () => {
    expect(await call("plain", "isRefused")).toMatchObject([
      { name: "ModelFileError", code: "DESCRIPTION", message: expect.stringContaining("/gravity") },
      { name: "NodriftError", code: "LOAD" },
      { name: "NodriftError", code: "DESCRIPTION", message: expect.stringContaining("returned 7") },
    ]);
  });

  test("spawn reports a worker that closes itself, with the last state", async () => {
    const said = (await call("plain", "dies")) as { time: number };
    expect(said).toMatchObject({
      name: "WorkerError",
      code: "WORKER",
      pending: { code: "WORKER" },
    });
    expect(said.time).toBeGreaterThan(0.5);
    expect(said.time).toBeLessThan(3);
  });
});
