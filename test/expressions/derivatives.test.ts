import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Formula, FunctionLibrary, parseFormula } from "./support/room.js";
import { evaluateTree, smoothTree, type Tree, textOf, VARIABLES } from "./support/trees.js";

const INFINITY = Number.POSITIVE_INFINITY;

function derivativeOf(text: string, x: number, order = 1): number {
  let formula = parseFormula(text, { variables: ["x"] });
  for (let i = 0; i < order; i++) formula = formula.derivative("x");
  formula.slots[0] = x;
  return formula.value();
}

describe("derivatives at a point", () => {
  test.each([
    ["7", 2, 0],
    ["x", 2, 1],
    ["-x", 2, -1],
    ["3*x + 5", 2, 3],
    ["x*x", 3, 6],
    ["1/x", 2, -0.25],
    ["x/(1 + x)", 1, 0.25],
    ["x^2", 0, 0],
    ["x^2", -3, -6],
    ["x^3", 0, 0],
    ["x^3", -2, 12],
    ["x^1", 0, 1],
    ["x^0", 0, 0],
    ["x^-1", -2, -0.25],
    ["x^20", -1, -20],
    ["x^17", 0, 0],
    ["pow(x, 2)", -1.5, -3],
    ["x^1.5", 0, 0],
    ["x^0.5", 4, 0.25],
    ["(x - 2)^2", 2, 0],
    ["2^x", 3, 8 * Math.LN2],
    ["x^x", 1, 1],
    ["0^x", 2, 0],
    ["exp(2*x)", 0, 2],
    ["log(3*x)", 0.5, 2],
    ["log10(x)", 2, 1 / (2 * Math.LN10)],
    ["sqrt(x)", 4, 0.25],
    ["cbrt(x)", -8, 1 / 12],
    ["sin(x)", 0, 1],
    ["cos(x)", Math.PI / 2, -1],
    ["tan(x)", 0, 1],
    ["asin(x)", 0.6, 1.25],
    ["acos(x)", 0.6, -1.25],
    ["atan(x)", 2, 0.2],
    ["atan2(x, 2)", 1, 0.4],
    ["atan2(2, x)", 1, -0.4],
    ["hypot(x, 4)", 3, 0.6],
    ["sinh(x)", 0, 1],
    ["cosh(x)", 0, 0],
    ["tanh(x)", 0, 1],
    ["tanh(1000*x)", 5, 0],
    ["abs(x)", -3, -1],
    ["abs(x)", 3, 1],
    ["sign(x)", 3, 0],
    ["floor(x)", 3.5, 0],
    ["ceil(x)", 3.5, 0],
    ["step(x)", 3.5, 0],
    ["x < 3", 3.5, 0],
    ["mod(x, 3)", 7, 1],
    ["mod(7, x)", 3, -2],
    ["min(x, 2)", 1, 1],
    ["min(x, 2)", 3, 0],
    ["max(x^2, 2)", 1, 0],
    ["max(x^2, 2)", 3, 6],
    ["clamp(x, -1, 1)", 0.5, 1],
    ["clamp(x, -1, 1)", 1.5, 0],
    ["if(x < 1, x^2, 5*x)", 0.5, 1],
    ["if(x < 1, x^2, 5*x)", 1.5, 5],
    ["if(x < 0, 1, sqrt(x))", -4, 0],
    ["smoothstep(x, 1, 3)", 1, 0],
    ["smoothstep(x, 1, 3)", 2, 0.75],
    ["smoothstep(x, 1, 3)", 3, 0],
    ["smootherstep(x, 1, 3)", 2, 0.9375],
    ["smootherstep(x, 1, 3)", 5, 0],
    ["sqrt(x)", 0, INFINITY],
    ["sqrt(max(x, 0))", -1, 0],
    ["cbrt(max(x, 0))", -1, 0],
    ["max(x, 0)^0.5", -1, 0],
    ["clamp(x, 0, 1)^(x + 1)", -0.5, 0],
    ["asin(clamp(x, -1, 1))", 2, 0],
    ["acos(clamp(x, -1, 1))", -2, 0],
    ["hypot(max(x, 0), 0*x)", -2, 0],
    ["atan2(max(x, 0), max(2*x, 0))", -2, 0],
    ["sqrt(x^2)", 0, 0],
  ])("of %s at %d is %d", (text, x, value) => {
    const found = derivativeOf(text, x);
    if (Number.isFinite(value)) expect(found).toBeCloseTo(value, 14);
    else expect(found).toBe(value);
  });

  test.each([
    ["x^2", 0, 2],
    ["x^3", -1, -6],
    ["x^16", 0, 0],
    ["x^1", 2, 0],
    ["sin(3*x)", 0.2, -9 * Math.sin(0.6)],
    ["tanh(100*x)", 9, 0],
    ["smootherstep(x, 0, 1)", 0, 0],
    ["smootherstep(x, 0, 1)", 1, 0],
    ["smootherstep(x, 0, 1)", 0.25, 60 * 0.25 - 180 * 0.0625 + 120 * 0.015625],
    ["abs(x)^3", -0.5, 3],
    ["sqrt(max(x, 0))", -1, 0],
    ["max(x, 0)^0.5", 4, -1 / 32],
    ["asin(clamp(x, -1, 1))", 2, 0],
  ])("the second one of %s at %d is %d", (text, x, value) => {
    expect(derivativeOf(text, x, 2)).toBeCloseTo(value, 12);
  });

  test("contain no logarithm for powers with a constant exponent", () => {
    for (const n of [-17, -3, 2, 16, 18, 30]) {
      expect(derivativeOf(`x^${n}`, -1.25)).toBeCloseTo(n * (-1.25) ** (n - 1), 10);
    }
    const general = parseFormula("x^n", { variables: ["x", "n"] }).derivative("x");
    general.slots.set([-2, 3]);
    expect(general.value()).toBe(12);
  });

  test("treat quantities and other variables as constants", () => {
    const formula = parseFormula("x^2 * z('ball') + y", {
      variables: ["x", "y"],
      quantities: ["z"],
    });
    const [byX, byY] = ["x", "y"].map((name) => formula.derivative(name));
    expect(byX.quantities).toEqual(formula.quantities);
    byX.slots.set([3, 0, 5]);
    byY.slots.set([3, 0, 5]);
    formula.slots.set([1, 1, 1]);
    expect([byX.value(), byY.value(), formula.value()]).toEqual([30, 1, 2]);
  });

  test("support named functions and tables", () => {
    const functions = new FunctionLibrary();
    functions.define("square", { variables: ["u"], expression: "u^2" });
    functions.define("line", { table: { x: [0, 1, 3], y: [1, 3, 7], outside: "extend" } });
    const formula = parseFormula("square(line(2*x)) + 0*x", { variables: ["x"], functions });
    // (1 + 4 x)^2.
    const [first, second] = [formula.derivative("x"), formula.derivative("x").derivative("x")];
    for (const each of [formula, first, second]) each.slots[0] = 0.7;
    expect(formula.value()).toBeCloseTo(3.8 ** 2, 12);
    expect(first.value()).toBeCloseTo(8 * 3.8, 12);
    expect(second.value()).toBeCloseTo(32, 12);
  });

  test("vanish after the third for tables", () => {
    const functions = new FunctionLibrary();
    functions.define("s", { table: { x: [0, 1, 2], y: [0, 1, 0] } });
    const orders: number[] = [];
    let formula = parseFormula("s(x)", { variables: ["x"], functions });
    for (let i = 0; i < 5; i++) {
      formula.slots[0] = 0.5;
      orders.push(formula.value());
      formula = formula.derivative("x");
    }
    // The cubic 3 x^2 - 2 x^3 from (0, 0) to (1, 1), level at both by symmetry.
    expect(orders).toEqual([0.5, 1.5, 0, -12, 0]);
  });

  test("require a known variable", () => {
    const formula = parseFormula("time", { variables: ["time"] });
    expect(() => formula.derivative("tim")).toThrow(
      "derivative: unknown variable tim: did you mean time?",
    );
  });
});

/** Differences of fourth order, with steps h and h/2: undefined if they do not agree. */
function differenced(formula: Formula, place: readonly number[]): number | undefined {
  const at = (x: number) => {
    formula.slots.set([x, ...place.slice(1)]);
    return formula.value();
  };
  const [x] = place;
  const slope = (h: number) =>
    (8 * (at(x + h) - at(x - h)) - (at(x + 2 * h) - at(x - 2 * h))) / (12 * h);
  const [coarse, fine] = [slope(2e-4), slope(1e-4)];
  const scale = 1e-7 * (Math.abs(fine) + Math.abs(at(x)) + 1e-3);
  return Math.abs(coarse - fine) < scale ? fine : undefined;
}

/** True if a part is infinite or nearly so: there differences are of no use. */
function isExtreme(tree: Tree, [t, x, y]: readonly number[]): boolean {
  let found = false;
  evaluateTree(tree, { t, x, y }, (_, value) => {
    found ||= !(Math.abs(value) < 1e6);
  });
  return found;
}

describe("derivatives of random expressions", () => {
  const coordinate = fc.integer({ min: -3000, max: 3000 }).map((n) => n / 1009 + 1e-3);
  const place = fc.tuple(coordinate, coordinate, coordinate);

  test("match finite differences of first and second order", () => {
    const checked = [0, 0];
    fc.assert(
      fc.property(smoothTree, place, (tree, at) => {
        const text = textOf(tree);
        let formula: Formula;
        try {
          formula = parseFormula(text, { variables: VARIABLES });
        } catch (error) {
          expect((error as Error).message).toMatch(/finite|zero/);
          return;
        }
        if (isExtreme(tree, at)) return;
        for (const order of [0, 1]) {
          const derivative = formula.derivative("t");
          const expected = differenced(formula, at);
          if (expected === undefined) return;
          derivative.slots.set(at);
          const tolerance = 1e-5 * (Math.abs(expected) + Math.abs(formula.value()) + 1e-2);
          const error = Math.abs(derivative.value() - expected);
          expect(error, `${text}, order ${order + 1}`).toBeLessThan(tolerance);
          if (expected !== 0) checked[order]++;
          formula = derivative;
        }
      }),
      { seed: 11, numRuns: 1000 },
    );
    expect(checked[0]).toBeGreaterThan(200);
    expect(checked[1]).toBeGreaterThan(100);
  });
});
