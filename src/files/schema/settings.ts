// Schemas of the settings: solver, output, events and view.

import {
  choiceOf,
  finite,
  flag,
  needed,
  notNegative,
  number,
  oneOf,
  positive,
  whole,
} from "../../base/checking/index.js";
import {
  byName,
  has,
  isObject,
  list,
  literal,
  name,
  pair,
  record,
  refused,
  text,
  vector,
  wrong,
} from "./values.js";

const MAX_ENTRIES = 1000;
/** Largest number of held bodies or coordinates. */
const MAX_HELD = 10_000;
const MAX_TIMES = 1_000_000;
/** Largest numbers of plots, and of curves in a plot. */
const MAX_PLOTS = 200;
const MAX_CURVES = 100;

const kinds = record({
  positions: positive,
  angles: positive,
  velocities: positive,
  angularVelocities: positive,
});
/** Tolerances by kind and by name of bodies and coordinates. The solver checks the names. */
const tolerances = byName(
  choiceOf([positive, kinds], (input) => (isObject(input) ? kinds : positive)),
);
const separate = record({
  relative: notNegative,
  absolute: choiceOf([positive, tolerances], (input) => (isObject(input) ? tolerances : positive)),
});
const count = whole(1);

const coordinates = record({
  angle: finite,
  angleRate: finite,
  displacement: finite,
  displacementRate: finite,
  angle1: finite,
  angle1Rate: finite,
  angle2: finite,
  angle2Rate: finite,
  displacementX: finite,
  displacementXRate: finite,
  displacementY: finite,
  displacementYRate: finite,
  orientation: list(finite, 4, 4),
  angularVelocity: list(finite, 3, 3),
});

/** Coordinates by joint. The compiler checks which ones a joint has. */
const joints = byName(
  choiceOf([finite, coordinates], (input) => (isObject(input) ? coordinates : finite)),
);
const startOfJoints = record({ joints: needed(joints) });
/** Bodies, or coordinates of equations, that are held. */
const hold = list(name, MAX_HELD);
export const heldStart = record({ hold: needed(hold) });
const twoStarts = refused('has "joints" and "hold": use only one of them');

/** Initial joint coordinates, or held bodies. */
export const start = choiceOf([startOfJoints, heldStart], (input) => {
  if (!isObject(input) || !("hold" in input)) return startOfJoints;
  return "joints" in input ? twoStarts : heldStart;
});

const solveEntries = {
  span: needed(pair),
  method: text,
  tolerance: choiceOf([positive, separate], (input) =>
    typeof input === "object" && input !== null ? separate : positive,
  ),
  step: positive,
  firstStep: positive,
  maximumStep: positive,
  maximumSteps: count,
  maximumSeconds: positive,
};
export const solveEquations = record(solveEntries);
export const solve = record({
  ...solveEntries,
  coordinates: oneOf("auto", "relative", "maximal"),
});

const rate = record({ rate: needed(positive) });
const times = record({ times: needed(list(finite, MAX_TIMES, 1)) });
const moments = oneOf("steps", "ends");
const value = record({ name: needed(name), value: needed(text), unit: name });
const twoMoments = refused('has "rate" and "times": use only one of them');
const noMoments = wrong('"steps", "ends", { "rate": 60 } or { "times": [...] }');
const noValue = wrong('a formula, or { "name": "height", "value": "z(\'ball\')" }');

export const output = record({
  at: choiceOf([moments, rate, times], (input) => {
    if (typeof input === "string") return moments;
    if (has(input, "times")) return has(input, "rate") ? twoMoments : times;
    return has(input, "rate") ? rate : noMoments;
  }),
  values: list(
    choiceOf([text, value], (input) => {
      if (typeof input === "string") return text;
      return isObject(input) ? value : noValue;
    }),
    MAX_ENTRIES,
    1,
  ),
  plots: list(record({ title: name, values: needed(list(text, MAX_CURVES, 1)) }), MAX_PLOTS),
});

const simple = oneOf("mark", "stop");
const restitution = number("a number from 0 to 1", (value) => value >= 0 && value <= 1, {
  minimum: 0,
  maximum: 1,
});
const bounce = record({ bounce: needed(restitution) });
const change = record({ switchTo: needed(name) });
const noAction = wrong('"mark", "stop", { "bounce": 0.8 } or { "switchTo": "mode" }');
const noTerminal = wrong("true, false, or a number of occurrences");

const when = {
  name,
  when: needed(text),
  direction: oneOf("rising", "falling", "both"),
  terminal: choiceOf([flag, count], (input) => {
    if (typeof input === "number") return count;
    return typeof input === "boolean" ? flag : noTerminal;
  }),
};

/** Events of equations, which have neither modes nor bounces. */
export const plainEvents = list(record({ ...when, action: simple }), MAX_ENTRIES);

export const event = record({
  ...when,
  modes: list(name, MAX_ENTRIES, 1),
  action: choiceOf([simple, bounce, change], (input) => {
    if (typeof input === "string") return simple;
    if (has(input, "switchTo")) return change;
    return has(input, "bounce") ? bounce : noAction;
  }),
});
export const events = list(event, MAX_ENTRIES);
export const modes = list(
  record({ name: needed(name), without: needed(list(name, MAX_ENTRIES, 1)) }),
  MAX_ENTRIES,
);

const names = oneOf("front", "side", "top", "isometric");
const noView = wrong('"front", "side", "top", "isometric", or a direction [x, y, z]');

export const view = record({
  from: choiceOf([names, vector], (input) => {
    if (typeof input === "string") return names;
    return Array.isArray(input) ? vector : noView;
  }),
  up: vector,
  follow: name,
  traces: list(record({ body: needed(name), point: vector }), MAX_ENTRIES),
  draw: list(
    record({
      body: needed(name),
      lines: needed(list(list(vector, MAX_ENTRIES, 2), MAX_ENTRIES, 1)),
    }),
    MAX_ENTRIES,
  ),
});

const named = record({ length: needed(name), mass: needed(name), time: needed(name) });
const si = literal("SI", '"SI"');
const noUnits = wrong('"SI", or { "length": "mm", "mass": "t", "time": "s" }');

export const units = choiceOf([si, named], (input) => {
  if (input === "SI") return si;
  return isObject(input) ? named : noUnits;
});
