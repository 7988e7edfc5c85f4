import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inflate } from "../src/wasm/inflate.js";

describe("inflate", () => {
  test("gives back the modules", () => {
    for (const name of ["release", "debug"]) {
      const bytes = new Uint8Array(readFileSync(`build/${name}.wasm`));
      expect(inflate(deflateRawSync(bytes, { level: 9 }), bytes.length)).toEqual(bytes);
    }
  });

  test("gives back anything zlib sends with dynamic codes", () => {
    const words = fc.array(fc.constantFrom("kernel", "pivot", "row", "norm", "x"), {
      minLength: 400,
      maxLength: 3000,
    });
    fc.assert(
      fc.property(words, fc.uint8Array({ maxLength: 500 }), (list, noise) => {
        const bytes = Uint8Array.from([...Buffer.from(list.join(" ")), ...noise, ...noise]);
        const sent = deflateRawSync(bytes, { level: 9 });
        fc.pre(((sent[0] >> 1) & 3) === 2);
        expect(inflate(sent, bytes.length)).toEqual(bytes);
      }),
      { seed: 1, numRuns: 50 },
    );
  });

  test("refuses damaged bytes", () => {
    expect(() => inflate(Uint8Array.of(0, 1, 2, 3), 4)).toThrow(
      "the compressed kernels are damaged",
    );
    expect(() => inflate(Uint8Array.of(7, 1, 2, 3), 4)).toThrow(
      "the compressed kernels are damaged",
    );
  });
});
