// Schemas of functions: formulas, tables, and named functions that formulas call.

import * as v from "valibot";
import {
  exactly,
  has,
  isObject,
  list,
  name,
  number,
  oneOf,
  parameterReference,
  record,
  text,
  word,
  wrong,
} from "./values.js";

/** Largest number of points of a table. */
const MAX_POINTS = 100_000;
/** Largest number of variables of a named function. */
const MAX_VARIABLES = 3;

export const table = record({
  x: list(number, MAX_POINTS, 2),
  y: list(number, MAX_POINTS, 2),
  interpolation: v.optional(word(["cubic", "linear"])),
  outside: v.optional(word(["hold", "repeat", "extend"])),
});

const interpolated = record({ table });

const noFunction = wrong('a number, a formula, or { "table": { "x": [...], "y": [...] } }');

/** A number, a formula or a table. */
export const functionSource = oneOf([number, text, interpolated, parameterReference], (input) => {
  if (typeof input === "string") return text;
  if (typeof input === "number") return number;
  if (has(input, "parameter")) return parameterReference;
  return isObject(input) ? interpolated : noFunction;
});

/** List of at least one formula. */
export const formulas = (maximum: number) => list(text, maximum, 1);

/** Three functions. */
export const functionVector = exactly(functionSource, 3, "a list of 3 numbers, formulas or tables");

const byTable = record({ name, table });
const byExpression = record({ name, of: list(name, MAX_VARIABLES, 1), expression: text });

const byBoth = v.never('has "table" and "expression": use only one of them');

export const namedFunction = oneOf([byExpression, byTable], (input) => {
  if (!has(input, "table")) return byExpression;
  return has(input, "expression") ? byBoth : byTable;
});
