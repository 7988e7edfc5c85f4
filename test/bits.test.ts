import { readFileSync } from "node:fs";
import { initSync } from "nodrift";
import { describe, expect, test } from "vitest";
import { kernelCases } from "../bench/cases/index.js";
import { digestAllCases } from "../bench/support/all-cases.js";
import { Hash } from "../bench/support/hash.js";

const digestOf = (text: string) => new Hash().add(new TextEncoder().encode(text)).digest();

describe("the hash", () => {
  // Values published with the algorithm.
  test.each([
    ["", "cbf29ce484222325"],
    ["a", "af63dc4c8601ec8c"],
    ["foobar", "85944171f73967e8"],
  ])("of '%s' is FNV-1a", (text, digest) => {
    expect(digestOf(text)).toBe(digest);
  });

  test("sees every bit, also the sign of zero, and only the part a view shows", () => {
    const of = (...numbers: number[]) => new Hash().add(Float64Array.from(numbers)).digest();
    expect(of(0)).not.toBe(of(-0));
    expect(of(1)).not.toBe(of(1 + Number.EPSILON));
    expect(of(1, 2)).not.toBe(of(2, 1));
    expect(new Hash().add(Float64Array.of(9, 1, 2).subarray(1)).digest()).toBe(of(1, 2));
  });
});

describe("all cases", () => {
  test("have different names and finite results", () => {
    const { hashes, nonFinite } = digestAllCases();
    expect(Object.keys(hashes)).toHaveLength(kernelCases.length);
    expect(nonFinite).toEqual([]);
  });

  test("give the same bits again, and by the debug module", () => {
    const digests = digestAllCases();
    expect(digestAllCases()).toEqual(digests);
    initSync(readFileSync("build/debug.wasm"));
    expect(digestAllCases()).toEqual(digests);
  });
});
