import { describe, expect, test } from "vitest";
import { errorOf, FormulaError, FunctionLibrary, formulaFunction, Table } from "./support/room.js";

describe("named functions", () => {
  test("call earlier functions with arguments of any kind", () => {
    const functions = new FunctionLibrary();
    functions.define("square", { variables: ["x"], expression: "x^2" });
    functions.define("distance", {
      variables: ["x", "y"],
      expression: "sqrt(square(x) + square(y))",
    });
    functions.define("third", { variables: [], expression: "1/3" });
    expect(functions.names).toEqual(["square", "distance", "third"]);
    expect(formulaFunction("distance(3*t, square(2*t))", ["t"], functions)(1)).toBe(5);
    expect(formulaFunction("square(distance(3, 4)) + third()", [], functions)()).toBe(25 + 1 / 3);
  });

  test("take their arguments in order, even if some are unused", () => {
    const functions = new FunctionLibrary();
    functions.define("minus", { variables: ["b", "unused", "a"], expression: "a - b" });
    expect(formulaFunction("minus(a, 1/a, b)", ["a", "b"], functions)(2, 7)).toBe(5);
  });

  test("evaluate powers by products if an exponent turns out to be an integer", () => {
    const functions = new FunctionLibrary();
    functions.define("raise", { variables: ["x", "n"], expression: "x^n" });
    expect(formulaFunction("raise(x, 3)", ["x"], functions)(-1.1)).toBe(-1.1 * -1.1 * -1.1);
  });

  test("can share the name of a variable of the calling formula", () => {
    const functions = new FunctionLibrary();
    functions.define("rate", { variables: ["x"], expression: "2*x" });
    expect(formulaFunction("rate(rate)", ["rate"], functions)(4)).toBe(8);
  });

  test("can be tables with one argument", () => {
    const functions = new FunctionLibrary();
    const options = { x: [0, 1, 3], y: [1, 4, 2] };
    functions.define("lift", { table: options });
    functions.define("twice", { variables: ["x"], expression: "2 * lift(x)" });
    const table = new Table(options);
    for (const x of [-1, 0.3, 1, 2.2, 5]) {
      expect(formulaFunction("twice(x + 1)", ["x"], functions)(x)).toBe(2 * table.value(x + 1));
      expect(formulaFunction(`lift(${x})`, [], functions)()).toBe(table.value(x));
    }
  });
});

test("several tables in one formula are independent, even with the same argument", () => {
  const functions = new FunctionLibrary();
  const [up, down] = [
    [0, 3, 4],
    [9, 1, 0],
  ].map((y) => ({ x: [0, 1, 2], y }));
  functions.define("up", { table: up });
  functions.define("down", { table: down });
  const [first, second] = [new Table(up), new Table(down)];
  const both = formulaFunction("up(x) - 10 * down(x)", ["x"], functions);
  expect(both(0.4)).toBe(first.value(0.4) - 10 * second.value(0.4));
});

describe("invalid definitions", () => {
  const define = (name: string, variables: readonly string[], expression: string) => () => {
    const functions = new FunctionLibrary();
    functions.define("known", { variables: ["x"], expression: "x" });
    functions.define(name, { variables, expression });
  };

  test.each([
    ["f(x)", ["x"], "x", "formula: the name of a function must be letters, digits and _"],
    ["", ["x"], "x", "the name of a function must be"],
    ["sin", ["x"], "x", 'formula: "sin" is reserved in formulas and cannot name a function'],
    ["if", ["x"], "x", '"if" is reserved in formulas'],
    ["e", ["x"], "x", '"e" is reserved in formulas'],
    ["or", ["x"], "x", '"or" is reserved in formulas'],
    ["known", ["x"], "x", "formula: duplicate function known"],
    ["f", ["x", "x"], "x", 'formula: duplicate variable "x"'],
    ["f", ["f"], "f", "formula: f is the name of a function and of its variable"],
    ["f", ["pi"], "1", 'formula: "pi" is reserved in formulas and cannot name a variable'],
    ["f", ["x"], "f(x)", "there is no function f"],
    ["f", ["x"], "y", 'unknown name "y": there are x, pi, e (at character 1'],
    ["f", ["x"], "z('ball')", "quantities like z('...') cannot be read in this formula"],
    ["f", ["x"], "1/0", "division by zero (at character 2"],
  ])("%s(%j) = %s", (name, variables, expression, message) => {
    expect(define(name, variables, expression)).toThrow(message);
  });

  test("leave the library unchanged", () => {
    const functions = new FunctionLibrary();
    expect(() => functions.define("f", { variables: ["x"], expression: "x +" })).toThrow(
      FormulaError,
    );
    expect(() => functions.define("g", { table: { x: [1], y: [1] } })).toThrow("table: x must");
    expect(functions.names).toEqual([]);
    functions.define("f", { variables: ["x"], expression: "x + 1" });
    expect(formulaFunction("f(1)", [], functions)()).toBe(2);
  });

  test("include calls of later functions", () => {
    const functions = new FunctionLibrary();
    functions.define("a", { variables: ["x"], expression: "x" });
    expect(errorOf("b(1)", { functions }).message).toContain("there is no function b");
    functions.define("b", { variables: ["x"], expression: "a(x)" });
    expect(formulaFunction("b(1)", [], functions)()).toBe(1);
  });
});
