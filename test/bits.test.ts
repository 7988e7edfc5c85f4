import { readFileSync } from "node:fs";
import { Arena, initSync } from "nodrift/kernels";
import { afterAll, describe, expect, test, vi } from "vitest";
import { kernelCases } from "../bench/cases/index.js";
import { digestAllCases } from "./support/all-cases.js";
import { Hash } from "./support/hash.js";
import { kernelNames } from "./support/sources.js";

const digestOf = (text: string) => new Hash().add(new TextEncoder().encode(text)).digest();

describe("the hash", () => {
  // Values published with the algorithm.
  test.each([
    ["", "cbf29ce484222325"],
    ["a", "af63dc4c8601ec8c"],
    ["foobar", "85944171f73967e8"],
  ])("equals FNV-1a for '%s'", (text, digest) => {
    expect(digestOf(text)).toBe(digest);
  });

  test("depends on every bit, including the sign of zero, and only on the range of a view", () => {
    const of = (...numbers: number[]) => new Hash().add(Float64Array.from(numbers)).digest();
    expect(of(0)).not.toBe(of(-0));
    expect(of(1)).not.toBe(of(1 + Number.EPSILON));
    expect(of(1, 2)).not.toBe(of(2, 1));
    expect(new Hash().add(Float64Array.of(9, 1, 2).subarray(1)).digest()).toBe(of(1, 2));
  });
});

describe("all cases", () => {
  const digests = digestAllCases();
  // Other files share this worker.
  afterAll(() => void initSync(readFileSync("build/kernels-release.wasm")));

  test("all cases have different names and finite results", () => {
    const { hashes, nonFinite } = digests;
    expect(Object.keys(hashes)).toHaveLength(kernelCases.length);
    expect(nonFinite).toEqual([]);
  });

  test("all cases are reproducible, and the debug module returns the same bits", () => {
    expect(digestAllCases()).toEqual(digests);
    initSync(readFileSync("build/kernels-debug.wasm"));
    expect(digestAllCases()).toEqual(digests);
  });

  // Methods call the core's copy of kernels that are in both modules.
  test.each(["release", "debug"])("the core's own kernels return the same bits, %s", (name) => {
    const core = new WebAssembly.Module(readFileSync(`build/${name}.wasm`));
    const { instantiate } = Arena.prototype;
    const called = new Set<string>();
    const watched = (kernels: Record<string, (...given: unknown[]) => unknown>) =>
      Object.entries(kernels).map(([kernel, run]) => [
        kernel,
        (...given: unknown[]) => {
          called.add(kernel);
          return run(...given);
        },
      ]);
    const spy = vi.spyOn(Arena.prototype, "instantiate").mockImplementation(function (
      this: Arena,
      module,
    ) {
      const all = instantiate.call(this, module);
      return Object.assign(
        {},
        all,
        Object.fromEntries(watched(instantiate.call(this, core) as never)),
      );
    } as typeof instantiate);
    expect(digestAllCases()).toEqual(digests);
    spy.mockRestore();
    expect([...called].sort()).toEqual(kernelNames("assembly/index.ts").sort());
  });
});
