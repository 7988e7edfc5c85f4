// Formulas built by programs, without text.

import { descriptionError, show } from "../../base/checking/values.js";
import { builtIns, constants } from "../expressions/built-in-functions.js";
import { NAME } from "../expressions/scanner.js";

/** A part of a formula: a number, a name, or an operation. Created by {@link symbols} and {@link operators}. */
export class Expression {
  /** The operation: "number", "name", an operator or a function of formulas. */
  readonly operation: string;
  /** Operands of the operation. */
  readonly operands: readonly Expression[];
  /** Value of a number, or text of a name. */
  readonly value: number | string | undefined;

  /** @internal */
  constructor(operation: string, operands: readonly Expression[], value?: number | string) {
    this.operation = operation;
    this.operands = operands;
    this.value = value;
    Object.freeze(this);
  }
}

/** An expression, or a number to convert to one. */
export type Operand = Expression | number;

/**
 * Names of coordinates, parameters and quantities as expressions, for models built by programs. A list has indices in
 * brackets: `symbols("theta[1]", "theta[2]")`, or as a range, `symbols("theta[1..5]")`.
 *
 * @example
 * const { x, y, m, g } = symbols("x", "y", "m", "g");
 * const { add, multiply, power, rate } = operators;
 * const speed = add(power(rate(x), 2), power(rate(y), 2));
 * equations({
 *   coordinates: ["x", "y"],
 *   parameters: { m: 1, g: 9.81 },
 *   kinetic: multiply(0.5, m, speed),
 *   potential: multiply(m, g, y),
 * });
 */
export function symbols<Name extends string>(
  ...names: readonly Name[]
): Readonly<Record<Name | (string & {}), Expression>> {
  const found: [string, Expression][] = [];
  for (const given of names) {
    for (const name of expandedNames(given)) found.push([name, new Expression("name", [], name)]);
  }
  return Object.freeze(Object.fromEntries(found)) as Readonly<
    Record<Name | (string & {}), Expression>
  >;
}

/** A name, an index in brackets, or a range of them: `x`, `x[2]`, `x[1..5]`, `x[i=1..5]`. */
const INDEXED =
  /^([A-Za-z_][A-Za-z0-9_]*)(?:\[(?:([A-Za-z_][A-Za-z0-9_]*)=)?(-?\d{1,6})(?:\.\.(-?\d{1,6}))?\])?$/;

/** Largest number of names of a range. */
const MAX_RANGE_LENGTH = 2000;

/** A parsed key: one name, or one for each index of its range. */
export interface Range {
  readonly base: string;
  /** Name of the index, if any. */
  readonly index: string | undefined;
  /** Indices; undefined if the name has no brackets. */
  readonly numbers: readonly number[] | undefined;
}

export function rangeOf(name: unknown, where = "formula"): Range {
  const match = typeof name === "string" ? INDEXED.exec(name) : null;
  if (!match || !NAME.test(match[1]!)) {
    const rule =
      "letters, digits and _, with an index or a range if it is a list: x, x[2], x[1..5]";
    throw descriptionError(where, `${show(name)} is not a valid name: it must be ${rule}`);
  }
  const [, base, index, first, last] = match as unknown as [
    string,
    string,
    ...(string | undefined)[],
  ];
  if (builtIns.has(base) || constants.has(base) || base === "sum" || base === "t") {
    throw descriptionError(
      where,
      `"${base}" is reserved in formulas and cannot name anything else`,
    );
  }
  if (first === undefined) return { base, index: undefined, numbers: undefined };
  const from = Number(first);
  const to = Number(last ?? first);
  if (to < from || to - from >= MAX_RANGE_LENGTH) {
    throw descriptionError(
      where,
      `the range of ${show(name)} must have 1 to ${MAX_RANGE_LENGTH} indices`,
    );
  }
  return { base, index, numbers: Array.from({ length: to - from + 1 }, (_, i) => from + i) };
}

/** Expands a name with a range. */
export function expandedNames(name: unknown, where?: string): string[] {
  const { base, numbers } = rangeOf(name, where);
  return numbers ? numbers.map((number) => `${base}[${number}]`) : [base];
}

function expressionOf(given: unknown, of: string): Expression {
  if (given instanceof Expression) return given;
  if (typeof given === "number" && Number.isFinite(given))
    return new Expression("number", [], given);
  throw descriptionError(
    "formula",
    `${of} takes expressions and finite numbers, not ${show(given)}`,
  );
}

const fixed =
  (operation: string, count: number) =>
  (...given: readonly Operand[]): Expression => {
    if (given.length !== count) {
      throw descriptionError(
        "formula",
        `${operation} takes ${count} operands, not ${given.length}`,
      );
    }
    return new Expression(
      operation,
      given.map((each) => expressionOf(each, operation)),
    );
  };

/** Operation on any number of operands, from the left. */
const folded =
  (operation: string, empty: number) =>
  (...given: readonly Operand[]): Expression => {
    const [first, ...rest] = given.map((each) => expressionOf(each, operation));
    return rest.reduce(
      (left, right) => new Expression(operation, [left, right]),
      first ?? new Expression("number", [], empty),
    );
  };

type Unary = (x: Operand) => Expression;
type Binary = (a: Operand, b: Operand) => Expression;
type Ternary = (a: Operand, b: Operand, c: Operand) => Expression;
type Many = (...operands: readonly Operand[]) => Expression;

/**
 * Operators and functions of formulas, for {@link symbols}.
 *
 * @example
 * const { theta, L } = symbols("theta", "L");
 * const height = operators.multiply(L, operators.subtract(1, operators.cos(theta)));
 */
export const operators = Object.freeze({
  add: folded("+", 0) as Many,
  multiply: folded("*", 1) as Many,
  subtract: fixed("-", 2) as Binary,
  divide: fixed("/", 2) as Binary,
  power: fixed("^", 2) as Binary,
  negate: fixed("negate", 1) as Unary,
  /** Rate of a coordinate or quantity: x'. */
  rate: fixed("rate", 1) as Unary,
  less: fixed("<", 2) as Binary,
  lessOrEqual: fixed("<=", 2) as Binary,
  sin: fixed("sin", 1) as Unary,
  cos: fixed("cos", 1) as Unary,
  tan: fixed("tan", 1) as Unary,
  asin: fixed("asin", 1) as Unary,
  acos: fixed("acos", 1) as Unary,
  atan: fixed("atan", 1) as Unary,
  sinh: fixed("sinh", 1) as Unary,
  cosh: fixed("cosh", 1) as Unary,
  tanh: fixed("tanh", 1) as Unary,
  exp: fixed("exp", 1) as Unary,
  log: fixed("log", 1) as Unary,
  log10: fixed("log10", 1) as Unary,
  sqrt: fixed("sqrt", 1) as Unary,
  cbrt: fixed("cbrt", 1) as Unary,
  abs: fixed("abs", 1) as Unary,
  sign: fixed("sign", 1) as Unary,
  floor: fixed("floor", 1) as Unary,
  ceil: fixed("ceil", 1) as Unary,
  atan2: fixed("atan2", 2) as Binary,
  hypot: fixed("hypot", 2) as Binary,
  min: fixed("min", 2) as Binary,
  max: fixed("max", 2) as Binary,
  mod: fixed("mod", 2) as Binary,
  step: fixed("step", 1) as Unary,
  clamp: fixed("clamp", 3) as Ternary,
  smoothstep: fixed("smoothstep", 3) as Ternary,
  smootherstep: fixed("smootherstep", 3) as Ternary,
  /** Selects one of two expressions by a condition. */
  choose: fixed("if", 3) as Ternary,
  /** Calls a function or table of the description by name. */
  call: (name: string, ...given: readonly Operand[]): Expression =>
    new Expression(
      "call",
      given.map((each) => expressionOf(each, "call")),
      name,
    ),
});
