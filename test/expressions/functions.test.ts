import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { elementaryArguments, elementaryBits } from "../support/elementary-bits.js";
import { calculate, elementary, formulaFunction, initElementary, ulps } from "./support/room.js";

/**
 * Largest difference from the functions of the engine, in units of the last place. Both are within two of
 * the truth.
 */
const MAX_DIFFERENCE_ULPS = 3;

describe("elementary functions", () => {
  test.each(Object.entries(elementaryArguments))("%s agrees with the engine", (name, lists) => {
    const variables = ["x", "y"].slice(0, lists[0].length);
    const ours = formulaFunction(`${name}(${variables})`, variables);
    const theirs = Math[name as "sin"] as (...given: number[]) => number;
    let count = 0;
    for (const given of lists) {
      const [a, b] = [ours(...given), theirs(...given)];
      const distance = Number.isNaN(b) ? Number(!Number.isNaN(a)) : ulps(a, b);
      expect(distance, `${name}(${given}): ${a} and ${b}`).toBeLessThanOrEqual(MAX_DIFFERENCE_ULPS);
      if (Number.isFinite(b)) count++;
    }
    expect(count).toBeGreaterThan(30);
  });

  test.each([
    ["sin(0)", 0],
    ["cos(0)", 1],
    ["tan(0)", 0],
    ["asin(1)", Math.PI / 2],
    ["acos(1)", 0],
    ["acos(-1)", Math.PI],
    ["atan2(1, 1)", Math.PI / 4],
    ["atan2(0, -1)", Math.PI],
    ["atan2(-1, 0)", -Math.PI / 2],
    ["sinh(0)", 0],
    ["cosh(0)", 1],
    ["tanh(1000)", 1],
    ["exp(0)", 1],
    ["exp(-1000)", 0],
    ["log(1)", 0],
    ["log(e)", 1],
    ["log10(1000)", 3],
    ["log10(1)", 0],
    ["cbrt(-27)", -3],
    ["hypot(3, 4)", 5],
    ["pow(2, 0.5)", Math.SQRT2],
    ["4^0.5", 2],
    ["2^40", 2 ** 40],
    ["(-2)^41", -(2 ** 41)],
    ["(-2)^-3", -0.125],
    ["0^0", 1],
    ["pow(-3, 3)", -27],
  ])("%s is %d", (text, value) => {
    expect(calculate(text)).toBe(value);
  });

  test("return NaN and infinity where appropriate", () => {
    expect(formulaFunction("log(x)", ["x"])(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(formulaFunction("log(x)", ["x"])(-1)).toBeNaN();
    expect(formulaFunction("exp(x)", ["x"])(1000)).toBe(Number.POSITIVE_INFINITY);
    expect(formulaFunction("sqrt(x)", ["x"])(-1)).toBeNaN();
    expect(formulaFunction("x^0.5", ["x"])(-1)).toBeNaN();
    expect(formulaFunction("1/x", ["x"])(-0)).toBe(Number.NEGATIVE_INFINITY);
  });

  // Recorded: every engine must yield these bits. A change of the compiler that changes them is
  // seen here.
  test("match the recorded bits", () => {
    expect(elementaryBits(formulaFunction)).toEqual({ count: 997, digest: "43bbaf8c4cfa10a7" });
  });

  test("match those of the built module, which can be passed in", async () => {
    const module = await initElementary(readFileSync("build/elementary.wasm"));
    const { exports } = new WebAssembly.Instance(module);
    expect(Object.keys(exports).sort()).toEqual(Object.keys(elementary()).sort());
    expect((exports.sin as (x: number) => number)(0.7)).toBe(elementary().sin(0.7));
    await expect(initElementary(readFileSync("build/decoder.wasm"))).rejects.toThrow(
      "built for another version",
    );
  });
});

describe("exact functions", () => {
  test.each([
    ["sqrt(2)", Math.SQRT2],
    ["abs(-3)", 3],
    ["sign(-3)", -1],
    ["sign(0)", 0],
    ["sign(7)", 1],
    ["floor(-1.5)", -2],
    ["ceil(-1.5)", -1],
    ["floor(1.5)", 1],
    ["ceil(1.5)", 2],
    ["min(3, 1)", 1],
    ["min(3, 1, 2)", 1],
    ["max(3, 1)", 3],
    ["max(1, 3, 7, 2)", 7],
    ["mod(7, 3)", 1],
    ["mod(-7, 3)", 2],
    ["mod(7, -3)", -2],
    ["mod(-7, -3)", -1],
    ["mod(6, -3)", 0],
    ["mod(5.5, 2)", 1.5],
    ["clamp(5, 0, 3)", 3],
    ["clamp(-5, 0, 3)", 0],
    ["clamp(2, 0, 3)", 2],
    ["step(-1e-300)", 0],
    ["step(0)", 1],
    ["step(2)", 1],
    ["smoothstep(1, 2, 4)", 0],
    ["smoothstep(2.5, 2, 4)", 0.15625],
    ["smoothstep(3, 2, 4)", 0.5],
    ["smoothstep(4, 2, 4)", 1],
    ["smoothstep(9, 2, 4)", 1],
    ["smoothstep(2.5, 4, 2)", 0.84375],
    ["smootherstep(1, 2, 4)", 0],
    ["smootherstep(2.5, 2, 4)", 0.103515625],
    ["smootherstep(3, 2, 4)", 0.5],
    ["smootherstep(4, 2, 4)", 1],
    ["smootherstep(9, 2, 4)", 1],
  ])("%s is %d", (text, value) => {
    expect(calculate(text)).toBe(value);
  });

  test("small integer powers are products, from left to right", () => {
    const x = 1.1;
    let product = 1;
    for (let n = 1; n <= 16; n++) {
      product *= x;
      expect(formulaFunction(`x^${n}`, ["x"])(x)).toBe(product);
      expect(formulaFunction(`pow(x, -${n})`, ["x"])(x)).toBe(1 / product);
    }
    expect(formulaFunction("x^3", ["x"])(-2)).toBe(-8);
    expect(formulaFunction("x^0", ["x"])(0)).toBe(1);
  });
});
