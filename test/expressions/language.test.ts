import { describe, expect, test } from "vitest";
import { calculate, formulaFunction, parseFormula } from "./support/room.js";

describe("numbers and operators", () => {
  test.each([
    ["1", 1],
    ["1.", 1],
    [".5", 0.5],
    ["0.5", 0.5],
    ["1e-3", 1e-3],
    ["1E3", 1000],
    ["2.5e+2", 250],
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["10 - 4 - 3", 3],
    ["10 - (4 - 3)", 9],
    ["64 / 4 / 2", 8],
    ["64 / 4 * 2", 32],
    ["2^3^2", 512],
    ["(2^3)^2", 64],
    ["-2^2", -4],
    ["(-2)^2", 4],
    ["2^-2", 0.25],
    ["2^-1^2", 0.5],
    ["-2^-2", -0.25],
    ["--3", 3],
    ["+3 - -2", 5],
    ["2 * -3", -6],
    ["6 / -3 * 2", -4],
    ["1 - 2 ^ 2 * 3", -11],
    [" \t1\r\n+\n1 ", 2],
    ["pi", Math.PI],
    ["e", Math.E],
    ["1e2 + e", 100 + Math.E],
  ])("%j is %d", (text, value) => {
    expect(calculate(text)).toBe(value);
  });

  test("keep the sign of zero", () => {
    expect(calculate("-0")).toBe(-0);
    expect(calculate("0")).toBe(0);
    expect(formulaFunction("x * -0 + y / (1/0.5)", ["x", "y"])(1, -0)).toBe(-0);
  });
});

describe("comparisons and logic", () => {
  test.each([
    ["1 < 2", 1],
    ["2 < 1", 0],
    ["1 < 1", 0],
    ["1 <= 1", 1],
    ["2 <= 1", 0],
    ["2 > 1", 1],
    ["1 > 1", 0],
    ["1 >= 1", 1],
    ["1 >= 2", 0],
    ["1 == 1", 1],
    ["1 == 2", 0],
    ["1 != 2", 1],
    ["1 != 1", 0],
    ["1 + 1 == 2", 1],
    ["not 1 == 2", 1],
    ["not 0", 1],
    ["not 3", 0],
    ["not not 3", 1],
    ["2 and 3", 1],
    ["2 and 0", 0],
    ["0 or 0", 0],
    ["0 or -1", 1],
    ["1 or 0 and 0", 1],
    ["(1 or 0) and 0", 0],
    ["not 0 and 0", 0],
    ["not (0 and 0)", 1],
    ["1 < 2 and 2 < 3", 1],
    ["(1 < 2) + (3 < 4)", 2],
    ["if(1 < 2, 10, 20)", 10],
    ["if(1 > 2, 10, 20)", 20],
    ["if(0.5, 10, 20)", 10],
  ])("%s is %d", (text, value) => {
    expect(calculate(text)).toBe(value);
    // The same without constant folding.
    const numbers: number[] = [];
    const open = text.replaceAll(
      /\d+(\.\d+)?/g,
      (digits) => `x${numbers.push(Number(digits)) - 1}`,
    );
    const names = numbers.map((_, i) => `x${i}`);
    expect(formulaFunction(open, names)(...numbers)).toBe(value);
  });

  test("return false for NaN, except !=", () => {
    const compare = (operator: string) => formulaFunction(`x ${operator} x`, ["x"])(Number.NaN);
    expect(["<", "<=", ">", ">=", "=="].map(compare)).toEqual([0, 0, 0, 0, 0]);
    expect(compare("!=")).toBe(1);
  });

  test("select without evaluating NaN of the other branch into the result", () => {
    const root = formulaFunction("if(x < 0, 0, sqrt(x))", ["x"]);
    expect(root(-4)).toBe(0);
    expect(root(4)).toBe(2);
    expect(root(Number.NaN)).toBeNaN();
  });
});

describe("variables and quantities", () => {
  test("get one slot each: variables in order, then quantities in the order of the text", () => {
    const formula = parseFormula(
      `b + z('ball') * energy() - z("ball") + z('it''s "x"') + speed('')`,
      {
        variables: ["a", "b"],
        quantities: ["speed", "z", "energy"],
      },
    );
    expect(formula.variables).toEqual(["a", "b"]);
    expect(formula.quantities).toEqual([
      { name: "z", subject: "ball", offset: 4 },
      { name: "energy", subject: undefined, offset: 16 },
      { name: "z", subject: `it's "x"`, offset: 39 },
      { name: "speed", subject: "", offset: 56 },
    ]);
    expect(formula.slots).toHaveLength(6);
    formula.slots.set([1000, 100, 7, 5, 2, 0.5]);
    expect(formula.value()).toBe(100 + 35 - 7 + 2 + 0.5);
  });

  test("accept doubled quotes inside double quotes", () => {
    const { quantities } = parseFormula(`z("say ""hi""")`, { quantities: ["z"] });
    expect(quantities[0].subject).toBe('say "hi"');
  });

  test("can share a name, since the syntax distinguishes them", () => {
    const formula = parseFormula("x + x('ball')", { variables: ["x"], quantities: ["x"] });
    formula.slots.set([1, 10]);
    expect(formula.value()).toBe(11);
  });

  test("start at zero, and formulas do not disturb each other", () => {
    const one = parseFormula("x + 1", { variables: ["x"] });
    const two = parseFormula("x + 1", { variables: ["x"] });
    one.slots[0] = 5;
    expect([one.value(), two.value()]).toEqual([6, 1]);
  });

  test("keep the text of their formula", () => {
    const formula = parseFormula(" t ", { variables: ["t"] });
    expect([formula.text, formula.derivative("t").text]).toEqual([" t ", "d/dt ( t )"]);
  });

  test("accept names with a special meaning in JavaScript", () => {
    const names = ["constructor", "__proto__", "toString", "hasOwnProperty"];
    expect(formulaFunction(names.join(" + "), names)(1, 2, 3, 4)).toBe(10);
  });
});

test("a plain function requires one number for each variable", () => {
  const sum = formulaFunction("x + y", ["x", "y"]);
  expect(sum(1, 2)).toBe(3);
  expect(() => sum(1)).toThrow('the formula "x + y" takes 2 numbers (x, y), not 1');
});
