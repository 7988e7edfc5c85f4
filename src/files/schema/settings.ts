// Schemas of the settings: solver, output, events and view.

import * as v from "valibot";
import {
  flag,
  has,
  isObject,
  list,
  name,
  notNegative,
  number,
  oneOf,
  pair,
  positive,
  record,
  text,
  vector,
  word,
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
  positions: v.optional(positive),
  angles: v.optional(positive),
  velocities: v.optional(positive),
  angularVelocities: v.optional(positive),
});
/** Tolerances by kind and by name of bodies and coordinates. The solver checks the names. */
const byName = v.record(
  name,
  oneOf([positive, kinds], (input) => (isObject(input) ? kinds : positive)),
);
const separate = record({
  relative: v.optional(notNegative),
  absolute: v.optional(oneOf([positive, byName], (input) => (isObject(input) ? byName : positive))),
});
const count = v.pipe(
  positive,
  v.integer((issue) => `must be an integer, not ${issue.received}`),
);

const coordinates = record({
  angle: v.optional(number),
  angleRate: v.optional(number),
  displacement: v.optional(number),
  displacementRate: v.optional(number),
  angle1: v.optional(number),
  angle1Rate: v.optional(number),
  angle2: v.optional(number),
  angle2Rate: v.optional(number),
  displacementX: v.optional(number),
  displacementXRate: v.optional(number),
  displacementY: v.optional(number),
  displacementYRate: v.optional(number),
  orientation: v.optional(list(number, 4, 4)),
  angularVelocity: v.optional(list(number, 3, 3)),
});

/** Coordinates by joint. The compiler checks which ones a joint has. */
const joints = v.record(
  name,
  oneOf([number, coordinates], (input) => (isObject(input) ? coordinates : number)),
);
const startOfJoints = record({ joints });
/** Bodies, or coordinates of equations, that are held. */
const hold = list(name, MAX_HELD);
export const heldStart = record({ hold });
const twoStarts = v.never('has "joints" and "hold": use only one of them');

/** Initial joint coordinates, or held bodies. */
export const start = oneOf([startOfJoints, heldStart], (input) => {
  if (!isObject(input) || !("hold" in input)) return startOfJoints;
  return "joints" in input ? twoStarts : heldStart;
});

const solveEntries = {
  span: pair,
  method: v.optional(text),
  tolerance: v.optional(
    oneOf([positive, separate], (input) =>
      typeof input === "object" && input !== null ? separate : positive,
    ),
  ),
  step: v.optional(positive),
  firstStep: v.optional(positive),
  maximumStep: v.optional(positive),
  maximumSteps: v.optional(count),
  maximumSeconds: v.optional(positive),
};
export const solveEquations = record(solveEntries);
export const solve = record({
  ...solveEntries,
  coordinates: v.optional(word(["auto", "relative", "maximal"])),
});

const rate = record({ rate: positive });
const times = record({ times: list(number, MAX_TIMES, 1) });
const moments = word(["steps", "ends"]);
const value = record({ name, value: text, unit: v.optional(name) });
const twoMoments = v.never('has "rate" and "times": use only one of them');
const noMoments = wrong('"steps", "ends", { "rate": 60 } or { "times": [...] }');
const noValue = wrong('a formula, or { "name": "height", "value": "z(\'ball\')" }');

export const output = record({
  at: v.optional(
    oneOf([moments, rate, times], (input) => {
      if (typeof input === "string") return moments;
      if (has(input, "times")) return has(input, "rate") ? twoMoments : times;
      return has(input, "rate") ? rate : noMoments;
    }),
  ),
  values: v.optional(
    list(
      oneOf([text, value], (input) => {
        if (typeof input === "string") return text;
        return isObject(input) ? value : noValue;
      }),
      MAX_ENTRIES,
      1,
    ),
  ),
  plots: v.optional(
    list(record({ title: v.optional(name), values: list(text, MAX_CURVES, 1) }), MAX_PLOTS),
  ),
});

const simple = word(["mark", "stop"]);
const restitution = v.pipe(
  notNegative,
  v.maxValue(1, (issue) => `must be from 0 to 1, not ${issue.received}`),
);
const bounce = record({ bounce: restitution });
const change = record({ switchTo: name });
const noAction = wrong('"mark", "stop", { "bounce": 0.8 } or { "switchTo": "mode" }');
const noTerminal = wrong("true, false, or a number of occurrences");

const when = {
  name: v.optional(name),
  when: text,
  direction: v.optional(word(["rising", "falling", "both"])),
  terminal: v.optional(
    oneOf([flag, count], (input) => {
      if (typeof input === "number") return count;
      return typeof input === "boolean" ? flag : noTerminal;
    }),
  ),
};

/** Events of equations, which have neither modes nor bounces. */
export const plainEvents = list(record({ ...when, action: v.optional(simple) }), MAX_ENTRIES);

export const event = record({
  ...when,
  modes: v.optional(list(name, MAX_ENTRIES, 1)),
  action: v.optional(
    oneOf([simple, bounce, change], (input) => {
      if (typeof input === "string") return simple;
      if (has(input, "switchTo")) return change;
      return has(input, "bounce") ? bounce : noAction;
    }),
  ),
});
export const events = list(event, MAX_ENTRIES);
export const modes = list(record({ name, without: list(name, MAX_ENTRIES, 1) }), MAX_ENTRIES);

const names = word(["front", "side", "top", "isometric"]);
const noView = wrong('"front", "side", "top", "isometric", or a direction [x, y, z]');

export const view = record({
  from: v.optional(
    oneOf([names, vector], (input) => {
      if (typeof input === "string") return names;
      return Array.isArray(input) ? vector : noView;
    }),
  ),
  up: v.optional(vector),
  follow: v.optional(name),
  traces: v.optional(list(record({ body: name, point: v.optional(vector) }), MAX_ENTRIES)),
  draw: v.optional(
    list(
      record({ body: name, lines: list(list(vector, MAX_ENTRIES, 2), MAX_ENTRIES, 1) }),
      MAX_ENTRIES,
    ),
  ),
});

const named = record({ length: name, mass: name, time: name });
const si = v.literal("SI");
const noUnits = wrong('"SI", or { "length": "mm", "mass": "t", "time": "s" }');

export const units = oneOf([si, named], (input) => {
  if (input === "SI") return si;
  return isObject(input) ? named : noUnits;
});
