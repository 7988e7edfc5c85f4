import { describe, expect, test } from "vitest";
import {
  errorOf,
  FormulaError,
  FunctionLibrary,
  functionOf,
  parseFormula,
} from "./support/room.js";

/** The result and the milliseconds it took. */
function timed<Result>(make: () => Result): { result: Result; time: number } {
  const begin = performance.now();
  return { result: make(), time: performance.now() - begin };
}

/** Far more than any needs, far less than what grows without bound. */
const SOON = 60_000;

const variables = ["t"];
const nested = (depth: number, open: string, close: string) =>
  `${open.repeat(depth)}t${close.repeat(depth)}`;

describe("limits", () => {
  test("of length", () => {
    const text = `t${" ".repeat(19_999)}`;
    expect(parseFormula(text, { variables }).value()).toBe(0);
    const error = errorOf(`${text} `, { variables });
    expect(error.message).toContain("formulas have at most 20000 characters");
    expect(error.offset).toBe(20_000);
  });

  test.each([
    ["parentheses", "(", ")", 0],
    ["calls", "sin(", ")", 0],
    ["signs", "-", "", 0],
    ["negations", "not ", "", 0],
    ["exponents", "t^", "", 1],
  ])("of levels of %s", (_, open, close, place) => {
    expect(parseFormula(nested(100, open, close), { variables }).value()).toBeTypeOf("number");
    const error = errorOf(nested(101, open, close), { variables });
    expect(error.message).toContain("formulas have at most 100 levels");
    expect(error.offset).toBe(100 * open.length + place);
    const deep = timed(() => errorOf(nested(3000, open, close), { variables }));
    expect(deep.result.message).toContain("100 levels");
    expect(deep.time).toBeLessThan(SOON);
  });

  test("do not hold for what stands side by side", () => {
    const list = Array.from({ length: 3000 }, (_, i) => `t*${i}`).join("+");
    const { result, time } = timed(() => {
      const formula = parseFormula(list, { variables });
      const derivative = formula.derivative("t");
      formula.slots[0] = 2;
      return [formula.value(), derivative.value(), derivative.derivative("t").value()];
    });
    expect(result).toEqual([2999 * 3000, (2999 * 3000) / 2, 0]);
    expect(time).toBeLessThan(SOON);
  });

  test.each(["*", "/", "-", "^-1*", "*-", "*cos(2)*"])("nor for long chains of %s", (sign) => {
    const text = Array.from({ length: 1500 }, (_, i) => [2, 0.5, 1.25, 0.8][i % 4]).join(sign);
    const { result, time } = timed(() => {
      const formula = parseFormula(`t${sign}${text}`, { variables });
      return formula.derivative("t").derivative("t").value();
    });
    expect(result).toBeTypeOf("number");
    expect(time).toBeLessThan(SOON);
  });

  test("of nodes, with those of functions", () => {
    const functions = new FunctionLibrary();
    const big = Array.from({ length: 1200 }, (_, i) => `sin(${i} * x)`).join("+");
    functions.define("big", { variables: ["x"], expression: big });
    const options = { variables, functions };
    expect(parseFormula("big(t) + big(t+1) + big(t) + big(t+1)", options).value()).toBeTypeOf(
      "number",
    );
    const error = errorOf("big(t) + big(t+1) + big(t+2)", options);
    expect(error.message).toMatch(
      /^the formula is too large with the functions it calls: .* 10000 /,
    );
    expect(error.offset).toBe(20);
  });
});

describe("named functions that call each other twice", () => {
  /** Level after level, each calling the one before as the expression says. */
  function tower(levels: number, expression: (below: string) => string): FunctionLibrary {
    const functions = new FunctionLibrary();
    functions.define("f0", { variables: ["x", "y"], expression: "x * 0.5 + sin(y)" });
    for (let i = 1; i <= levels; i++) {
      functions.define(`f${i}`, { variables: ["x", "y"], expression: expression(`f${i - 1}`) });
    }
    return functions;
  }

  test("cost nothing where they call the same", () => {
    const { result, time } = timed(() => {
      const functions = tower(30, (below) => `(${below}(x, y) + ${below}(x, y)) / 2`);
      const formula = parseFormula("f30(t, 0) + f30(t, 0)", { variables, functions });
      const derivative = formula.derivative("t").derivative("t");
      formula.slots[0] = 3;
      return [formula.value(), derivative.value()];
    });
    expect(result).toEqual([3, 0]);
    expect(time).toBeLessThan(SOON);
  });

  test.each([
    ["different things", (below: string) => `${below}(2*x, y) + ${below}(x + 1, y)`],
    ["themselves", (below: string) => `${below}(${below}(x, y), y)`],
    ["two results", (below: string) => `${below}(${below}(x, y), ${below}(y, x))`],
  ])("are refused soon where they call %s", (_, expression) => {
    const { result, time } = timed(() => {
      try {
        tower(30, expression);
        return undefined;
      } catch (error) {
        return error;
      }
    });
    expect(result).toBeInstanceOf(FormulaError);
    expect((result as Error).message).toContain("too large");
    expect(time).toBeLessThan(SOON);
  });

  test("are refused soon where many calls share all but a little", () => {
    const functions = new FunctionLibrary();
    const big = Array.from({ length: 1500 }, (_, i) => `sin(${i} * x)`).join("+");
    functions.define("big", { variables: ["x", "y"], expression: `${big} + y` });
    const calls = Array.from({ length: 1500 }, (_, i) => `big(t, ${i})`).join("+");
    const { result, time } = timed(() => errorOf(calls, { variables, functions }));
    expect(result.message).toContain("too large");
    expect(time).toBeLessThan(SOON);
  });

  test("are limited together", () => {
    const functions = new FunctionLibrary();
    const big = Array.from({ length: 1500 }, (_, i) => `sin(${i} * x)`).join("+");
    functions.define("big", { variables: ["x"], expression: big });
    const more = () => {
      for (let i = 0; i < 1000; i++) {
        functions.define(`b${i}`, { variables: ["x"], expression: `big(x) + ${i}` });
      }
    };
    const { time } = timed(() => expect(more).toThrow("the functions are too large together"));
    expect(time).toBeLessThan(SOON);
    // Those defined before stay.
    expect(functionOf("b1(x) - big(x)", ["x"], functions)(0)).toBe(1);
  });
});

describe("derivatives", () => {
  test("of nested products do not explode", () => {
    const product = Array.from({ length: 200 }, (_, i) => `(t + ${i})`).join("*");
    const { result, time } = timed(() => {
      let formula = parseFormula(`sin(${product})`, { variables });
      for (let i = 0; i < 2; i++) formula = formula.derivative("t");
      return formula.value();
    });
    expect(result).toBeTypeOf("number");
    expect(time).toBeLessThan(SOON);
  });

  test("that become too large are refused soon", () => {
    const text = Array.from({ length: 250 }, (_, i) => `sin(${i}*t)*exp(t^${i})`).join("*");
    const { result, time } = timed(() => {
      let formula = parseFormula(text, { variables });
      try {
        for (let i = 0; i < 10; i++) formula = formula.derivative("t");
      } catch (error) {
        return error as FormulaError;
      }
      return undefined;
    });
    expect(result).toBeInstanceOf(FormulaError);
    expect(result?.message).toContain("its derivative is too large to be evaluated");
    expect(time).toBeLessThan(SOON);
  });

  test("need no deep stack", () => {
    const functions = new FunctionLibrary();
    functions.define("f0", {
      variables: ["x"],
      expression: nested(45, "sin(-", ")").replace("t", "x"),
    });
    for (let i = 1; i < 40; i++) {
      functions.define(`f${i}`, { variables: ["x"], expression: `1 - f${i - 1}(3 * f0(-x))` });
    }
    const { result, time } = timed(() =>
      parseFormula("f39(t)", { variables, functions }).derivative("t").value(),
    );
    expect(result).toBeTypeOf("number");
    expect(time).toBeLessThan(SOON);
  });
});
