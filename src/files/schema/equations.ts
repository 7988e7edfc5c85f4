// Schema of files with a system of equations.

import * as v from "valibot";
import { type EquationsDocument, FORMAT } from "../document/document.js";
import { table } from "./functions.js";
import { heldStart, output, plainEvents, solveEquations, units } from "./settings.js";
import { isObject, list, name, number, oneOf, record, text, wrong } from "./values.js";

/** Largest number of coordinates and of entries of a list. */
const MAX_COORDINATES = 2000;

const noFormula = wrong("a formula or a number");
const formula = oneOf([text, number], (input) => {
  if (typeof input === "string") return text;
  return typeof input === "number" ? number : noFormula;
});
const noRecord = wrong("an object of values by name");
const named = (value: ReturnType<typeof oneOf>) => {
  const entries = v.record(name, value);
  return v.optional(oneOf([entries], (input) => (isObject(input) ? entries : noRecord)));
};
const numbers = list(number, MAX_COORDINATES, 1);
const amount = oneOf([number, numbers], (input) => (Array.isArray(input) ? numbers : number));
const row = list(formula, MAX_COORDINATES, 1);
const massRow = oneOf([formula, row], (input) => (Array.isArray(input) ? row : formula));

const switched = record({ begin: formula, end: formula });
const noCondition = wrong("a formula, or { begin, end }");
/** Condition under which a row is active. */
const condition = oneOf([text, number, switched], (input) => {
  if (isObject(input)) return switched;
  return typeof input === "string" ? text : typeof input === "number" ? number : noCondition;
});

/** The system: options of `equations` of nodrift/formulas. */
const system = record({
  coordinates: list(name, MAX_COORDINATES, 1),
  parameters: named(amount),
  quantities: named(formula),
  tables: named(table),
  lagrangian: v.optional(formula),
  kinetic: v.optional(formula),
  mass: v.optional(list(massRow, MAX_COORDINATES, 1)),
  potential: v.optional(formula),
  dissipation: v.optional(formula),
  forces: named(formula),
  holonomic: named(formula),
  nonholonomic: named(formula),
  when: named(condition),
  start: named(number as never),
});

/** Schema of an equations file. */
export const equationsSchema = record({
  $schema: v.optional(text),
  nodrift: v.literal(
    FORMAT,
    `must be ${FORMAT}: the version of the format that this version of nodrift reads`,
  ),
  name,
  description: v.optional(text),
  units,
  equations: system,
  start: v.optional(heldStart),
  solve: v.optional(solveEquations),
  output: v.optional(output),
  events: v.optional(plainEvents),
}) as unknown as v.GenericSchema<unknown, EquationsDocument>;
