// Schemas of functions: formulas, tables, and named functions that formulas call.

import { choiceOf, finite, needed, oneOf } from "../../base/checking/index.js";
import {
  exactly,
  has,
  isObject,
  list,
  name,
  parameterReference,
  record,
  refused,
  text,
  wrong,
} from "./values.js";

/** Largest number of points of a table. */
const MAX_POINTS = 100_000;
/** Largest number of variables of a named function. */
const MAX_VARIABLES = 3;

export const table = record({
  x: needed(list(finite, MAX_POINTS, 2)),
  y: needed(list(finite, MAX_POINTS, 2)),
  interpolation: oneOf("cubic", "linear"),
  outside: oneOf("hold", "repeat", "extend"),
});

const interpolated = record({ table: needed(table) });

const noFunction = wrong('a number, a formula, or { "table": { "x": [...], "y": [...] } }');

/** A number, a formula or a table. */
export const functionSource = choiceOf(
  [finite, text, interpolated, parameterReference],
  (input) => {
    if (typeof input === "string") return text;
    if (typeof input === "number") return finite;
    if (has(input, "parameter")) return parameterReference;
    return isObject(input) ? interpolated : noFunction;
  },
);

/** List of at least one formula. */
export const formulas = (maximum: number) => list(text, maximum, 1);

/** Three functions. */
export const functionVector = exactly(functionSource, 3, "a list of 3 numbers, formulas or tables");

const byTable = record({ name: needed(name), table: needed(table) });
const byExpression = record({
  name: needed(name),
  of: needed(list(name, MAX_VARIABLES, 1)),
  expression: needed(text),
});

const byBoth = refused('has "table" and "expression": use only one of them');

export const namedFunction = choiceOf([byExpression, byTable], (input) => {
  if (!has(input, "table")) return byExpression;
  return has(input, "expression") ? byBoth : byTable;
});
