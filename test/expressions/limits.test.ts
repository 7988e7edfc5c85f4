import { describe, expect, test, vi } from "vitest";
import {
  errorOf,
  FormulaError,
  FunctionLibrary,
  formulaFunction,
  Graph,
  parseFormula,
} from "./support/room.js";

/** Largest number of operations in each test: far more than needed, far less than unbounded growth. */
const MAX_OPERATIONS = 1_000_000;

/**
 * Runs an action with a bounded number of operations. All parts of formulas, of functions they call and of derivatives are
 * created by `Graph.apply`, whether they are new or reused, so unbounded growth is stopped there.
 */
function limited<Result>(make: () => Result): Result {
  const { apply } = Graph.prototype;
  let count = 0;
  const counted = vi.spyOn(Graph.prototype, "apply").mockImplementation(function (
    this: Graph,
    ...given
  ) {
    if (++count > MAX_OPERATIONS) throw new Error(`more than ${MAX_OPERATIONS} operations`);
    return apply.call(this, ...given);
  });
  try {
    return make();
  } finally {
    counted.mockRestore();
  }
}

const variables = ["t"];
const nested = (depth: number, open: string, close: string) =>
  `${open.repeat(depth)}t${close.repeat(depth)}`;

describe("limits", () => {
  test("bound the length", () => {
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
    // Reading stops at the limit, however deep the text is.
    const deep = errorOf(nested(3000, open, close), { variables });
    expect(deep.message).toContain("100 levels");
    expect(deep.offset).toBe(error.offset);
  });

  test("do not apply to parts on the same level", () => {
    const list = Array.from({ length: 3000 }, (_, i) => `t*${i}`).join("+");
    const result = limited(() => {
      const formula = parseFormula(list, { variables });
      const derivative = formula.derivative("t");
      formula.slots[0] = 2;
      return [formula.value(), derivative.value(), derivative.derivative("t").value()];
    });
    expect(result).toEqual([2999 * 3000, (2999 * 3000) / 2, 0]);
  });

  test.each(["*", "/", "-", "^-1*", "*-", "*cos(2)*"])(
    "do not apply to long chains of %s",
    (sign) => {
      const text = Array.from({ length: 1500 }, (_, i) => [2, 0.5, 1.25, 0.8][i % 4]).join(sign);
      const result = limited(() => {
        const formula = parseFormula(`t${sign}${text}`, { variables });
        return formula.derivative("t").derivative("t").value();
      });
      expect(result).toBeTypeOf("number");
    },
  );

  test("bound the number of nodes, including those of functions", () => {
    const functions = new FunctionLibrary();
    const big = Array.from({ length: 1200 }, (_, i) => `sin(${i} * x)`).join("+");
    functions.define("big", { variables: ["x"], expression: big });
    const options = { variables, functions };
    expect(parseFormula("big(t) + big(t+1) + big(t) + big(t+1)", options).value()).toBeTypeOf(
      "number",
    );
    const error = errorOf("big(t) + big(t+1) + big(t+2)", options);
    expect(error.message).toMatch(
      /^the formula is too large \(including the functions it calls\): .* 10000 /,
    );
    expect(error.offset).toBe(20);
  });
});

describe("named functions that call each other twice", () => {
  /** Functions in levels, each calling the previous one according to the expression. */
  function tower(levels: number, expression: (below: string) => string): FunctionLibrary {
    const functions = new FunctionLibrary();
    functions.define("f0", { variables: ["x", "y"], expression: "x * 0.5 + sin(y)" });
    for (let i = 1; i <= levels; i++) {
      functions.define(`f${i}`, { variables: ["x", "y"], expression: expression(`f${i - 1}`) });
    }
    return functions;
  }

  test("cost nothing if the calls are equal", () => {
    const result = limited(() => {
      const functions = tower(30, (below) => `(${below}(x, y) + ${below}(x, y)) / 2`);
      const formula = parseFormula("f30(t, 0) + f30(t, 0)", { variables, functions });
      const derivative = formula.derivative("t").derivative("t");
      formula.slots[0] = 3;
      return [formula.value(), derivative.value()];
    });
    expect(result).toEqual([3, 0]);
  });

  test.each([
    ["different things", (below: string) => `${below}(2*x, y) + ${below}(x + 1, y)`],
    ["themselves", (below: string) => `${below}(${below}(x, y), y)`],
    ["two results", (below: string) => `${below}(${below}(x, y), ${below}(y, x))`],
  ])("are refused soon where they call %s", (_, expression) => {
    const result = limited(() => {
      try {
        tower(30, expression);
        return undefined;
      } catch (error) {
        return error;
      }
    });
    expect(result).toBeInstanceOf(FormulaError);
    expect((result as Error).message).toContain("too large");
  });

  test("fail early if many calls differ slightly", () => {
    const functions = new FunctionLibrary();
    const big = Array.from({ length: 1500 }, (_, i) => `sin(${i} * x)`).join("+");
    functions.define("big", { variables: ["x", "y"], expression: `${big} + y` });
    const calls = Array.from({ length: 1500 }, (_, i) => `big(t, ${i})`).join("+");
    const result = limited(() => errorOf(calls, { variables, functions }));
    expect(result.message).toContain("too large");
  });

  test("share a common limit", () => {
    const functions = new FunctionLibrary();
    const big = Array.from({ length: 1500 }, (_, i) => `sin(${i} * x)`).join("+");
    functions.define("big", { variables: ["x"], expression: big });
    const more = () => {
      for (let i = 0; i < 1000; i++) {
        functions.define(`b${i}`, { variables: ["x"], expression: `big(x) + ${i}` });
      }
    };
    limited(() => expect(more).toThrow("the functions are too large: together"));
    // Functions defined earlier stay.
    expect(formulaFunction("b1(x) - big(x)", ["x"], functions)(0)).toBe(1);
  });
});

describe("derivatives", () => {
  test("stay small for nested products", () => {
    const product = Array.from({ length: 200 }, (_, i) => `(t + ${i})`).join("*");
    const result = limited(() => {
      let formula = parseFormula(`sin(${product})`, { variables });
      for (let i = 0; i < 2; i++) formula = formula.derivative("t");
      return formula.value();
    });
    expect(result).toBeTypeOf("number");
  });

  test("fail early if they become too large", () => {
    const text = Array.from({ length: 250 }, (_, i) => `sin(${i}*t)*exp(t^${i})`).join("*");
    const result = limited(() => {
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
    const result = limited(() =>
      parseFormula("f39(t)", { variables, functions }).derivative("t").value(),
    );
    expect(result).toBeTypeOf("number");
  });
});
