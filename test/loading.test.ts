import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { serve } from "./support/server.js";

type Package = typeof import("nodrift/kernels");

const wasm = new Uint8Array(readFileSync("dist/nodrift-kernels.wasm"));
const file = pathToFileURL("dist/nodrift-kernels.wasm");
const page = new TextEncoder().encode("<!doctype html><title>Not here</title>");
let server: Awaited<ReturnType<typeof serve>>;
/** Address of a server that has been closed. */
let nobody: string;
let nodrift: Package;

beforeAll(async () => {
  server = await serve((path) => {
    if (path === "/typed.wasm")
      return { headers: { "content-type": "application/wasm" }, body: wasm };
    if (path === "/plain.wasm") return { headers: { "content-type": "text/plain" }, body: wasm };
    if (path === "/page.wasm") return { headers: { "content-type": "text/html" }, body: page };
    return undefined;
  });
});
beforeAll(async () => {
  const gone = await serve(() => undefined);
  nobody = gone.origin;
  await gone.close();
});
afterAll(() => server.close());

/** Gives each test a package that has loaded nothing yet. */
beforeEach(async () => {
  vi.restoreAllMocks();
  vi.resetModules();
  nodrift = await import("nodrift/kernels");
});

/** Tests that the kernels work: the square root of nine by Cholesky. */
function rootOfNine(module?: WebAssembly.Module): number {
  const plan = new nodrift.ArenaPlan();
  const a = plan.reserve("a", 1);
  const factor = plan.reserve("factor", nodrift.choleskySlots(1));
  const arena = plan.seal(module);
  arena.floats(a)[0] = 9;
  expect(arena.kernels.choleskyFactor(1, a.address, 1, factor.address)).toBe(nodrift.Status.OK);
  return arena.floats(factor)[0];
}

async function refusal(source: unknown): Promise<Error & { code: string }> {
  const error = await nodrift.init(source as never).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(nodrift.NodriftError);
  expect(error).toMatchObject({ name: "NodriftError", code: "LOAD" });
  return error as Error & { code: string };
}

describe("init", () => {
  const sources: Record<string, () => unknown> = {
    nothing: () => undefined,
    "a module": () => new WebAssembly.Module(wasm),
    "a Uint8Array": () => wasm,
    "a part of a larger buffer": () => new Uint8Array([0, ...wasm, 0]).subarray(1, -1),
    "a DataView": () => new DataView(wasm.buffer.slice(0)),
    "an ArrayBuffer": () => wasm.slice().buffer,
    "a file: URL": () => file,
    "the text of a file: URL": () => file.href,
    "an http: URL": () => new URL("/typed.wasm", server.origin),
    "the text of an http: URL": () => `${server.origin}/typed.wasm`,
    "an http: URL with a wrong media type": () => `${server.origin}/plain.wasm`,
    "a data: URL": () => `data:;base64,${Buffer.from(wasm).toString("base64")}`,
    "a Response": () => new Response(wasm),
    "a promise of a Response": () => fetch(`${server.origin}/typed.wasm`),
    "a Response with a wrong media type": () => fetch(`${server.origin}/plain.wasm`),
    "a promise of a module": () => WebAssembly.compile(wasm),
  };

  test.each(Object.entries(sources))("takes %s", async (_, make) => {
    const module = await nodrift.init(make() as never);
    expect(module).toBeInstanceOf(WebAssembly.Module);
    expect(nodrift.initSync()).toBe(module);
    expect(rootOfNine()).toBe(3);
    expect(rootOfNine(module)).toBe(3);
  });

  test("returns the same module each time, and a given module unchanged", async () => {
    const first = await nodrift.init();
    expect(await nodrift.init()).toBe(first);
    const given = new WebAssembly.Module(wasm);
    expect(await nodrift.init(given)).toBe(given);
    expect(await nodrift.init()).toBe(given);
  });

  test("compiles once for concurrent calls", async () => {
    const compile = vi.spyOn(WebAssembly, "compile");
    const modules = await Promise.all([nodrift.init(), nodrift.init(), nodrift.init()]);
    await nodrift.init();
    expect(new Set(modules).size).toBe(1);
    expect(compile).toHaveBeenCalledTimes(1);
  });

  test("does not replace a module that was given while it compiled", async () => {
    const slow = nodrift.init();
    const given = new WebAssembly.Module(wasm);
    nodrift.initSync(given);
    expect(await slow).toBe(given);
    expect(nodrift.initSync()).toBe(given);
  });

  test("can be called again after a failure", async () => {
    vi.spyOn(WebAssembly, "compile").mockRejectedValueOnce(new Error("out of executable memory"));
    const error = await refusal(undefined);
    expect(error.message).toBe(
      "the WebAssembly kernels could not be loaded from the bytes inside the package: " +
        "out of executable memory.",
    );
    expect(await nodrift.init()).toBeInstanceOf(WebAssembly.Module);
  });

  test("a worker thread takes the module of the main thread and compiles nothing", async () => {
    const workerData = await nodrift.init();
    const worker = new Worker(new URL("./support/worker.mjs", import.meta.url), { workerData });
    const answer = await new Promise((resolve, reject) => {
      worker.once("message", resolve).once("error", reject);
    });
    expect(answer).toEqual({ same: true, root: 3, compiled: 0 });
    await worker.terminate();
  });
});

describe("initSync", () => {
  test.each([
    ["nothing", () => undefined],
    ["a module", () => new WebAssembly.Module(wasm)],
    ["a Uint8Array", () => wasm],
    ["an ArrayBuffer", () => wasm.slice().buffer],
  ])("takes %s", (_, make) => {
    expect(nodrift.initSync(make())).toBe(nodrift.initSync());
    expect(rootOfNine()).toBe(3);
  });

  test.each([
    ["garbage", page, /Uint8Array given to init: .*magic.* That is not WebAssembly/],
    ["a number", 5, /from the Number given to init: expected a WebAssembly.Module, bytes/],
    ["an address", "nodrift.wasm", /from "nodrift.wasm": expected a WebAssembly.Module, bytes/],
    ["a URL", file, /expected a WebAssembly.Module, bytes/],
  ])("rejects %s", (_, source, message) => {
    const load = () => nodrift.initSync(source as never);
    expect(load).toThrow(nodrift.NodriftError);
    expect(load).toThrow(expect.objectContaining({ code: "LOAD" }));
    expect(load).toThrow(message);
    expect(rootOfNine()).toBe(3);
  });
});

describe("a failed init", () => {
  const failures: Record<string, [make: () => unknown, message: RegExp]> = {
    "garbage bytes": [() => page, /Uint8Array given to init: .*magic.* That is not WebAssembly/],
    "no bytes": [() => new Uint8Array(0), /BufferSource argument is empty\. Call `await init\(\)`/],
    "half the bytes": [() => wasm.subarray(0, 200), /loaded from the Uint8Array given to init: /],
    "a foreign module": [
      () => new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])),
      /it was built for another version of nodrift/,
    ],
    "a missing page": [
      () => `${server.origin}/none.wasm`,
      /from "http:.*\/none\.wasm": the server answered 404\. Call `await init\(\)` without/,
    ],
    "the Response of a missing page": [
      () => fetch(`${server.origin}/none.wasm`),
      /from the response of "http:.*\/none\.wasm": the server answered 404/,
    ],
    "a web page": [() => `${server.origin}/page.wasm`, /perhaps an HTML error page/],
    "no server": [() => nobody, /from "http:.*": fetch failed: .*ECONNREFUSED/],
    "a rejected promise": [
      () => Promise.reject(new Error("offline")),
      /from the promise given to init: offline\. /,
    ],
    "a Response that was read": [
      async () => {
        const response = new Response(wasm);
        await response.arrayBuffer();
        return response;
      },
      /from the response of "": Body is unusable/,
    ],
    "a missing file": [() => pathToFileURL("none.wasm"), /from "file:.*": ENOENT: no such file/],
    "a relative address": [
      () => "nodrift.wasm",
      /from "nodrift\.wasm": not an absolute address, and no page to resolve it against/,
    ],
    "a number": [() => 5, /from the Number given to init: expected a WebAssembly\.Module, bytes/],
    null: [() => null, /from the Null given to init: expected a WebAssembly\.Module, bytes/],
    "an object": [() => ({}), /from the Object given to init: expected a WebAssembly\.Module/],
  };

  test.each(Object.entries(failures))("by %s explains itself", async (_, [make, message]) => {
    const good = nodrift.initSync();
    const error = await refusal(make());
    expect(error.message).toMatch(message);
    expect(error.cause).toBeInstanceOf(Error);
    expect(nodrift.initSync()).toBe(good);
    expect(await nodrift.init()).toBe(good);
    expect(rootOfNine()).toBe(3);
  });

  test.each([
    [
      "call to WebAssembly.compile() blocked by CSP",
      /Allow it by script-src 'self' 'wasm-unsafe-eval'/,
    ],
    ["Wasm SIMD unsupported", /The host must support WebAssembly SIMD/],
    [
      "WebAssembly.Module(): Compilation is disallowed on the main thread",
      /Call `await init\(\)` before the first system/,
    ],
  ])("by '%s' says what to do", async (reason, advice) => {
    vi.spyOn(WebAssembly, "compile").mockRejectedValueOnce(new Error(reason));
    const error = await refusal(undefined);
    expect(error.message).toContain(reason);
    expect(error.message).toMatch(advice);
  });
});
