import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeText } from "../assembly/encode.mjs";
import { decodeText } from "../src/base/wasm/loader.js";

const decoder = new Uint8Array(readFileSync("build/decoder.wasm"));

describe("the module as text", () => {
  test("decodes to the original bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const { text, alphabet } = encodeText(bytes);
        expect(text).toMatch(/^[ !#%-[\]-_a-~]*$/);
        expect(decodeText(text, bytes.length, alphabet, decoder)).toEqual(bytes);
      }),
      { seed: 1 },
    );
  });

  test("compresses to no more than the compressed bytes, and a quarter less than base64", () => {
    const bytes = readFileSync("build/bodies-release.wasm");
    const size = (content: string | Buffer) => gzipSync(content, { level: 9 }).length;
    const { text } = encodeText(bytes);
    expect(size(text)).toBeLessThan(1.02 * size(bytes));
    expect(size(text)).toBeLessThan(0.77 * size(bytes.toString("base64")));
  });
});
