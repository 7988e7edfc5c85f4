import { describe, expect, test } from "vitest";
import { errorOf, FormulaError, FunctionLibrary, parseFormula } from "./support/room.js";

const functions = new FunctionLibrary();
functions.define("bump", { variables: ["x", "y"], expression: "x / y" });
functions.define("pull", { table: { x: [0, 1], y: [0, 1] } });

const options = { variables: ["t", "length"], quantities: ["z", "energy", "angle"], functions };

/** An invalid text, the position of the error from 0, and the message. */
const cases: readonly (readonly [string, number, string])[] = [
  ["", 0, "the formula is empty"],
  ["  ", 2, "the formula is empty"],
  ["t +", 3, "unexpected end: expected a number or a name"],
  ["t + ", 4, "unexpected end: expected a number or a name"],
  ["t + * 2", 4, "a number or a name is missing before *"],
  ["()", 1, "a number or a name is missing before )"],
  ["sin()", 0, "sin takes 1 argument, not 0: write sin(x)"],
  ["max(1,)", 6, "a number or a name is missing before )"],
  [
    "2 * not t",
    4,
    "a number or a name is missing before not: put not into parentheses, as in (not a)",
  ],
  ["(t", 2, "a ) is missing for the ( at character 1"],
  ["2*sin(t", 7, "a ) is missing for the ( at character 6"],
  ["t)", 1, "unmatched )"],
  ["1,5", 1, "unexpected comma: commas separate function arguments; use a decimal point"],
  ["2t", 1, "an operator is missing before t: for a product write *"],
  ["2 (t + 1)", 2, "an operator is missing before (: for a product write *"],
  ["(t)(t)", 3, "an operator is missing before (: for a product write *"],
  ["1.2.3", 3, "an operator is missing before .3: for a product write *"],
  ["t 2", 2, "an operator is missing before 2: for a product write *"],
  ["t not 2", 2, "an operator is missing before not: for a product write *"],
  ["0x10", 1, "an operator is missing before x10: for a product write *"],
  ["t(2)", 0, "t is a variable and cannot be called: for a product write t * (...)"],
  ["pi(2)", 0, "pi is a constant and cannot be called: for a product write pi * (...)"],
  ["1 < t < 2", 6, "comparisons cannot be chained: write a < b and b < c"],
  ["1 + lenght", 4, 'unknown name "lenght": did you mean length?'],
  ["T", 0, 'unknown name "T": did you mean t?'],
  ["q", 0, 'unknown name "q": there are t, length, pi, e'],
  ["2 * sin", 4, "sin is a function: write sin(x)"],
  ["bump + 1", 0, "bump is a function: write bump(...)"],
  ["z + 1", 0, "z is a quantity: write z('...') with the name of its subject, or z()"],
  ["sine(t)", 0, "there is no function sine: did you mean sin?"],
  ["bumb(1, 2)", 0, "there is no function bumb: did you mean bump?"],
  ["angl('a')", 0, "there is no function angl: did you mean angle?"],
  ["foo('a')", 0, "there is no function foo: there are z, energy, angle"],
  ["sin(1, 2)", 0, "sin takes 1 argument, not 2: write sin(x)"],
  ["1 + min(t)", 4, "min takes 2 or more arguments, not 1: write min(a, b, ...)"],
  ["if(t, 1)", 0, "if takes 3 arguments, not 2: write if(condition, then, otherwise)"],
  ["bump(1)", 0, "bump takes 2 arguments, not 1: write bump(x, y)"],
  ["pull(1, 2)", 0, "pull takes 1 argument, not 2: write pull(x)"],
  ["z(ball)", 2, "z takes a name in quotes: write z('ball')"],
  ["z(3)", 2, "z takes a name in quotes: write z('...')"],
  ["z('a', 'b')", 5, "unexpected comma: commas separate function arguments; use a decimal point"],
  ["z('a'", 5, "a ) is missing for the ( at character 2"],
  ["sin('a')", 4, "sin takes numbers, not names in quotes"],
  ["max(1, 'a')", 7, "a quoted name belongs in a quantity, as in z('ball')"],
  ["t 'a'", 2, "a quoted name belongs in a quantity, as in z('ball')"],
  ["z('ball", 2, "unterminated quote"],
  ['z("ball', 2, "unterminated quote"],
  ["t**2", 1, "** means nothing here: for powers write ^"],
  ["t = 1", 2, "= means nothing here: to compare write =="],
  ["t === 1", 4, "= means nothing here: to compare write =="],
  ["!t", 0, "! means nothing here: write not"],
  ["t && t", 2, "& means nothing here: write and"],
  ["t || t", 2, "| means nothing here: write or, or abs(...) for an absolute value"],
  ["t % 2", 2, "% means nothing here: write mod(a, b)"],
  ["t ? 1 : 2", 2, "? means nothing here: write if(condition, a, b)"],
  ["[t]", 0, "[ means nothing here: use parentheses ( )"],
  ["2×t", 1, "× means nothing here: write *"],
  ["t − 1", 2, "− means nothing here: write -"],
  ["t²", 1, "² means nothing here: write ^2"],
  ["2*π", 2, "π means nothing here: write pi"],
  ["t; t", 1, "the character ; is not allowed in formulas"],
  ["t + é", 4, "the character é is not allowed in formulas"],
  ["t + 😀", 4, "the character 😀 is not allowed in formulas"],
  ["t\u00a0+ 1", 1, "the character U+00A0 is not allowed in formulas"],
  ["\u0000", 0, "the character U+0000 is not allowed in formulas"],
  ["\ud800", 0, "the character U+D800 is not allowed in formulas"],
  ["1e999", 0, "this number is too large"],
  ["1/0", 1, "division by zero"],
  ["t + t/(1 - 1)", 5, "division by zero"],
  ["2 + log(-1)", 4, "this is NaN, not a finite number"],
  ["log(0)", 0, "this is -Infinity, not a finite number"],
  ["exp(1000)", 0, "this is Infinity, not a finite number"],
  ["1e300 * 1e300", 6, "this is Infinity, not a finite number"],
  ["(-8)^(1/3)", 4, "this is NaN, not a finite number"],
  ["mod(1, 0)", 0, "this is NaN, not a finite number"],
  ["smoothstep(t, 1, 1)", 0, "division by zero"],
  ["t + bump(1, 0)", 4, "division by zero"],
  ["t + bump(t, 0)", 4, "division by zero"],
  [`t + ${"x".repeat(65)}`, 4, "this name is too long"],
];

describe("errors", () => {
  test.each(cases)("report the problem of %j", (text, offset, message) => {
    const error = errorOf(text, options);
    const shown = text.slice(0, offset + 30).replaceAll(/\s/g, " ");
    expect(error.message).toBe(
      `${message} (at character ${offset + 1} of "${shown}${shown.length < text.length ? "..." : ""}")`,
    );
    expect(error.offset).toBe(offset);
    expect([error.name, error.code]).toEqual(["FormulaError", "DESCRIPTION"]);
  });

  test("list the functions if no name is similar", () => {
    expect(errorOf("foo(t)", options).message).toMatch(
      /there is no function foo: there are sin, cos, .*smootherstep \(at character 1/,
    );
  });

  test("mention that a formula has no quantities", () => {
    expect(errorOf("t + angle('hinge')", { variables: ["t"] }).message).toMatch(
      /^quantities like angle\('\.\.\.'\) cannot be read in this formula: it can use t, pi, e \(at character 5/,
    );
  });

  test("shorten long texts around the error", () => {
    const { message } = errorOf(`${"1 + ".repeat(100)}q\n+ ${"2 + ".repeat(100)}3`);
    const [before, behind] = ["1 + ".repeat(100).slice(-30), "2 + ".repeat(100).slice(0, 26)];
    expect(message).toBe(
      `unknown name "q": there are pi, e (at character 401 of "...${before}q + ${behind}...")`,
    );
  });

  test("created without a text contain the position only", () => {
    expect(new FormulaError("z: of what?", 4).message).toBe("z: of what? (at character 5)");
  });
});

describe("invalid options", () => {
  const refused = (given: object, message: string) =>
    expect(() => parseFormula("1", given)).toThrow(message);

  test("throw an error that names them", () => {
    refused({ variables: ["2t"] }, "formula: the name of a variable must be letters, digits and _");
    refused({ variables: ["a b"] }, 'but is "a b"');
    refused({ variables: ["t", "t"] }, 'formula: duplicate variable "t"');
    refused(
      { variables: ["pi"] },
      'formula: "pi" is reserved in formulas and cannot name a variable',
    );
    refused({ variables: ["sin"] }, 'formula: "sin" is reserved in formulas');
    refused(
      { quantities: ["not"] },
      'formula: "not" is reserved in formulas and cannot name a quantity',
    );
    refused(
      { quantities: ["bump"], functions },
      "formula: bump is the name of a quantity and of a",
    );
    expect(() => parseFormula(5 as unknown as string)).toThrow("formula: must be a text, not 5");
  });
});
