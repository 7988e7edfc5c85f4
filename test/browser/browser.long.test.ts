import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { formulaFunction, readModel } from "nodrift/files";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { digestAllCases } from "../support/all-cases.js";
import { BROWSERS, type OpenPage, type TestBrowser } from "../support/browsers.js";
import { elementaryBits } from "../support/elementary-bits.js";
import { digestFile } from "../support/file-digest.js";
import { digestMechanisms } from "../support/mechanism-digest.js";
import { type Answer, serve } from "../support/server.js";
import { digestSolve } from "../support/solve-digest.js";
import type { PageCalls } from "./page/main.js";

const POLICY = "default-src 'self'; script-src 'self'";
const POLICIES: Record<string, string> = {
  open: `${POLICY} 'wasm-unsafe-eval'`,
  closed: POLICY,
};
const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  // As from a server that does not know the extension.
  ".bin": "application/octet-stream",
};
/** Addresses of the WebAssembly file. The package resolves them, so that one browser suffices for all forms. */
const ADDRESSES = {
  Chromium: ["nodrift.wasm", "./nodrift.wasm", "/open/nodrift.wasm", "nodrift.bin"],
  Firefox: ["nodrift.bin"],
};
/** Error messages of the browsers for an address that does not exist. */
const UNREACHED = {
  Chromium: /Failed to fetch\. Call `await init\(\)` without/,
  Firefox: /NetworkError when attempting to fetch resource\.+ Call `await init\(\)` without/,
};

const node = digestAllCases();
const examples = readdirSync("examples").filter((name) => !name.startsWith("equations-"));
/** Digests of examples in Node, computed once for all browsers. */
const exampleDigests = new Map<string, Promise<string>>();
function exampleDigest(name: string, text: string): Promise<string> {
  const known = exampleDigests.get(name) ?? digestFile(readModel(text));
  exampleDigests.set(name, known);
  return known;
}

let folder: string;
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "nodrift-"));
  await build({
    root: resolve("test/browser/page"),
    base: "./",
    configFile: false,
    logLevel: "error",
    resolve: {
      alias: {
        "nodrift/bodies": resolve("dist/bodies.js"),
        "nodrift/files": resolve("dist/files.js"),
        "nodrift/formulas": resolve("dist/formulas.js"),
        "nodrift/kernels": resolve("dist/kernels.js"),
        "nodrift/mechanisms": resolve("dist/mechanisms.js"),
        "nodrift/solve": resolve("dist/solve.js"),
        nodrift: resolve("dist/index.js"),
      },
    },
    build: { outDir: folder, emptyOutDir: true },
  });
  server = await serve(answer);
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Serves the same files as /open/... and /closed/... under the two policies. */
function answer(path: string): Answer | undefined {
  const [, policy, ...rest] = path.split("/");
  const name = rest.join("/") || "index.html";
  if (!(policy in POLICIES)) return undefined;
  const file = /^nodrift\.(wasm|bin)$/.test(name)
    ? "dist/nodrift-kernels.wasm"
    : join(folder, name);
  try {
    const headers = {
      "content-type": TYPES[extname(name)] ?? "text/plain",
      "content-security-policy": POLICIES[policy],
    };
    return { headers, body: readFileSync(file) };
  } catch {
    return undefined;
  }
}

describe.each(BROWSERS)("$name", ({ name, path }) => {
  test.skipIf(path === undefined && process.env.CI !== "true")("browser is installed", () => {
    expect(path, `${name} is missing`).toBeDefined();
  });
});

describe.each(BROWSERS.filter(({ path }) => path !== undefined))("$name", (kind) => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await kind.launch();
  });
  afterAll(() => browser?.close());

  async function opened(policy: string): Promise<OpenPage> {
    const page = await browser.open(`${server.origin}/${policy}/`);
    await page.until(() => "calls" in globalThis);
    return page;
  }

  async function callIn<Name extends keyof PageCalls>(
    page: OpenPage,
    name: Name,
    ...given: Parameters<PageCalls[Name]>
  ): Promise<Awaited<ReturnType<PageCalls[Name]>>> {
    const result = await page.evaluate(
      ([name, given]) =>
        (globalThis.calls[name as Name] as (...all: unknown[]) => unknown)(...given),
      [name, given] as const,
    );
    expect(page.errors).toEqual([]);
    return result as Awaited<ReturnType<PageCalls[Name]>>;
  }

  /** Makes one call in a new page under a policy. */
  async function call<Name extends keyof PageCalls>(
    policy: string,
    name: Name,
    ...given: Parameters<PageCalls[Name]>
  ): Promise<Awaited<ReturnType<PageCalls[Name]>>> {
    const page = await opened(policy);
    const result = await callIn(page, name, ...given);
    await page.close();
    return result;
  }

  test("starts, and Node provides reference digests", async () => {
    console.log(`${kind.name} ${browser.version}, Node ${process.version}`);
    expect(Object.keys(node.hashes).length).toBeGreaterThan(0);
    expect(node.nonFinite).toEqual([]);
  });

  describe("matches Node bitwise", () => {
    test("matches on the main thread, after init", async () => {
      expect(await call("open", "digestAfterInit")).toEqual(node);
    });

    test("matches on the main thread, compiled by the first system", async () => {
      expect(await call("open", "digestAtOnce")).toEqual(node);
    });

    test("matches for every model of nodrift/mechanisms", async () => {
      const here = await digestMechanisms();
      expect(Object.keys(here).length).toBeGreaterThan(5);
      expect(await call("open", "digestMechanisms")).toEqual(here);
    });

    test("matches for adaptive runs: steps, events and ends", async () => {
      const here = await digestSolve();
      expect(Object.keys(here).length).toBeGreaterThan(4);
      expect(await call("open", "digestSolve")).toEqual(here);
    });

    describe("model file", () => {
      // One page for all: opening a page costs more than most examples.
      let page: OpenPage;
      beforeAll(async () => {
        page = await opened("open");
      });
      afterAll(() => page?.close());

      test.each(examples)("%s", async (name) => {
        const text = readFileSync(`examples/${name}`, "utf8");
        expect(await callIn(page, "digestFile", text)).toBe(await exampleDigest(name, text));
      });
    });

    test("matches for elementary functions of formulas", async () => {
      const here = elementaryBits(formulaFunction);
      expect(here.count).toBeGreaterThan(900);
      expect(await call("open", "elementaryBits")).toEqual(here);
    });

    test("matches in a worker with the page's module", async () => {
      expect(await call("open", "digestInWorker", true)).toEqual(node);
    });

    test("matches in a worker that compiles the module itself", async () => {
      expect(await call("open", "digestInWorker", false)).toEqual(node);
    });

    test.each(ADDRESSES[kind.name])("matches with the file at %s", async (address) => {
      expect(await call("open", "digestByAddress", address)).toEqual(node);
    });
  });

  describe("loading errors explain", () => {
    test("a policy that forbids WebAssembly", async () => {
      for (const name of ["tryInit", "trySystem"] as const) {
        const { loaded, code, message } = await call("closed", name);
        expect({ loaded, code }).toEqual({ loaded: false, code: "LOAD" });
        expect(message).toMatch(
          /from the bytes inside the package: .*(Content Security Policy|CSP)/i,
        );
        expect(message).toContain(
          "Allow it by script-src 'self' 'wasm-unsafe-eval' in the page's Content-Security-Policy.",
        );
      }
      expect(await call("open", "tryInit")).toEqual({ loaded: true });
      expect(await call("open", "trySystem")).toEqual({ loaded: true });
    });

    test.each([
      ["none.wasm", /^.*loaded from "none\.wasm": the server answered 404\. Call `await init\(\)`/],
      ["index.html", /loaded from "index\.html": .*perhaps an HTML error page/],
      ["file:///nodrift.wasm", /browsers cannot read local files; serve it over http/],
      ["https://nodrift.invalid/x.wasm", UNREACHED[kind.name]],
    ])("%s", async (address, pattern) => {
      const { loaded, code, message } = await call("open", "tryInit", address);
      expect({ loaded, code }).toEqual({ loaded: false, code: "LOAD" });
      expect(message).toMatch(pattern);
    });
  });
});
