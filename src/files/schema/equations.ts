// Schema of files with a system of equations.

import { choiceOf, finite, needed } from "../../base/checking/index.js";
import { table } from "./functions.js";
import { heldStart, output, plainEvents, solveEquations, units } from "./settings.js";
import { byName, formatVersion, isObject, list, name, record, text, wrong } from "./values.js";

/** Largest number of coordinates and of entries of a list. */
const MAX_COORDINATES = 2000;

const noFormula = wrong("a formula or a number");
const formula = choiceOf([text, finite], (input) => {
  if (typeof input === "string") return text;
  return typeof input === "number" ? finite : noFormula;
});
const numbers = list(finite, MAX_COORDINATES, 1);
const amount = choiceOf([finite, numbers], (input) => (Array.isArray(input) ? numbers : finite));
const row = list(formula, MAX_COORDINATES, 1);
const massRow = choiceOf([formula, row], (input) => (Array.isArray(input) ? row : formula));

const switched = record({ begin: needed(formula), end: needed(formula) });
const noCondition = wrong("a formula, or { begin, end }");
/** Condition under which a row is active. */
const condition = choiceOf([text, finite, switched], (input) => {
  if (isObject(input)) return switched;
  return typeof input === "string" ? text : typeof input === "number" ? finite : noCondition;
});

/** The system: options of `equations` of nodrift/formulas. */
const system = record({
  coordinates: needed(list(name, MAX_COORDINATES, 1)),
  parameters: byName(amount),
  quantities: byName(formula),
  tables: byName(table),
  lagrangian: formula,
  kinetic: formula,
  mass: list(massRow, MAX_COORDINATES, 1),
  potential: formula,
  dissipation: formula,
  forces: byName(formula),
  holonomic: byName(formula),
  nonholonomic: byName(formula),
  when: byName(condition),
  start: byName(finite),
});

/** Schema of an equations file. */
export const equationsSchema = record({
  $schema: text,
  nodrift: needed(formatVersion),
  name: needed(name),
  description: text,
  units: needed(units),
  equations: needed(system),
  start: heldStart,
  solve: solveEquations,
  output,
  events: plainEvents,
});
