import { choiceOf, finite, flag, needed, oneOf } from "../../base/checking/index.js";
import {
  type OptionKind,
  type RecipeOption,
  userForceOptions,
} from "../../model/recipe-checker.js";
import { forceOptions, jointOptions, type OptionsByType } from "../document/references.js";
import { formulas, functionSource, functionVector, namedFunction } from "./functions.js";
import { events, modes, output, solve, start, units, view } from "./settings.js";
import {
  amount,
  amountFromZero,
  amounts,
  byName,
  exactly,
  formatVersion,
  has,
  isObject,
  list,
  name,
  orParameter,
  place,
  positiveAmount,
  record,
  type Schema,
  text,
  typed,
  vector,
  wrong,
} from "./values.js";

// Schemas of bodies, joints and forces: the options of the methods of `model()`, with names instead of handles. These
// methods check the values themselves.

// Orientations and inertia, which have several formats.

const quaternion = amounts(4);
const matrixColumns = amounts(9);
const matrixRows = exactly(place, 3, "3 rows of 3 numbers");
const turn = record({ axis: needed(place), angle: needed(amount) });
const noRotation = wrong(
  '{ "axis": [x, y, z], "angle": a }, a quaternion [w, x, y, z], 3 rows of 3 numbers, or 9 numbers by columns',
);

/** Axis and angle, Euler parameters, or a matrix. */
const orientation: Schema = choiceOf([turn, quaternion, matrixColumns, matrixRows], (input) => {
  if (isObject(input)) return turn;
  if (!Array.isArray(input)) return noRotation;
  if (Array.isArray(input[0])) return matrixRows;
  if (input.length === 9) return matrixColumns;
  return input.length === 4 ? quaternion : noRotation;
});

const TENSOR = "3 moments, 3 rows of 3 numbers, or 9 numbers by columns";
const noTensor = wrong(TENSOR);

/** Principal moments, or a full tensor, column-major or as rows. */
const tensor: Schema = choiceOf([place, matrixColumns, matrixRows], (input) => {
  if (!Array.isArray(input)) return noTensor;
  if (Array.isArray(input[0])) return matrixRows;
  if (input.length === 9) return matrixColumns;
  return input.length === 3 ? place : noTensor;
});
const about = oneOf("centre", "origin");
const principal = record({ principal: needed(place), axes: orientation, about });
const whole = record({ tensor: needed(tensor), about });
const noInertia = wrong(`${TENSOR}; or { "principal": [...] } or { "tensor": [...] }`);

const inertia: Schema = choiceOf([tensor, principal, whole], (input) => {
  if (Array.isArray(input)) return tensor;
  if (!isObject(input)) return noInertia;
  return has(input, "tensor") ? whole : principal;
});

/** Largest number of markers of a body. */
const MAX_MARKERS = 1000;

const shape = typed(
  {
    box: { x: needed(positiveAmount), y: needed(positiveAmount), z: needed(positiveAmount) },
    rod: { length: needed(positiveAmount), axis: place },
    cylinder: { radius: needed(positiveAmount), length: needed(positiveAmount), axis: place },
    sphere: { radius: needed(positiveAmount), shell: flag },
  },
  "shape",
);

const marker = record({
  name,
  at: place,
  axis: place,
  x: place,
  frame: oneOf("body", "world"),
});
const markers = list(marker, MAX_MARKERS);

const ownAxes = record({ body: needed(place) });
const noSpin = wrong('a list of 3 numbers, or { "body": [x, y, z] }');

const body = record({
  name,
  mass: amount,
  density: amount,
  shape,
  inertia,
  centre: place,
  position: place,
  orientation,
  velocity: place,
  angularVelocity: choiceOf([place, ownAxes], (input) => {
    if (Array.isArray(input)) return place;
    return isObject(input) ? ownAxes : noSpin;
  }),
  markers,
});

/** A body or "ground" by name, or a marker of one. */
const markerReference = record({ marker: needed(name), of: needed(name) });
const noEnd = wrong('the name of a body, "ground", or { "marker": "tip", "of": "crank" }');
const end = choiceOf([name, markerReference], (input) => {
  if (typeof input === "string") return name;
  return isObject(input) ? markerReference : noEnd;
});
const rows = byName(amountFromZero);
const noCompliance = wrong("a number, or an object with numbers by the names of rows");
const compliance = choiceOf([amountFromZero, rows], (input) => {
  if (typeof input === "number" || has(input, "parameter")) return amountFromZero;
  return isObject(input) ? rows : noCompliance;
});

const plane = record({ point: place, normal: place, body: name });
const anyPlane = choiceOf([plane, markerReference], (input) =>
  has(input, "marker") ? markerReference : plane,
);

const both = record({ translation: amount, rotation: amount });
const three = list(amount, 6, 3);
const noComponents = wrong('3 or 6 numbers, or { "translation": k, "rotation": k }');
const components = choiceOf([three, both], (input) => {
  if (Array.isArray(input)) return three;
  return isObject(input) ? both : noComponents;
});

/** Largest number of rows of a constraint, and of bodies of a force. */
const MAX_ROWS = 100;

const load = record({ force: functionVector, torque: functionVector });

/** What files write for options of a kind. */
const KINDS: Readonly<Record<Exclude<OptionKind, "program">, Schema>> = {
  vector: place,
  end,
  ends: exactly(end, 2, 'two bodies, like ["ground", "crank"]'),
  joint: name,
  joints: exactly(name, 2, "the names of two joints"),
  bodies: list(name, MAX_ROWS, 1),
  plane: anyPlane,
  names: list(name, MAX_ROWS, 1),
  compliance,
  components,
  time: functionSource,
  live: functionSource,
  length: functionSource,
  angle: functionSource,
  road: functionSource,
  along: functionVector,
  about: functionVector,
  load: functionVector,
  loads: list(load, MAX_ROWS, 1),
  rows: formulas(MAX_ROWS),
};

/** The rule of an option in files. */
function fileRule(option: RecipeOption): Schema {
  const { kind, json, needed: isNeeded = false } = option;
  if (kind !== undefined && kind !== "program") return { ...KINDS[kind], needed: isNeeded };
  return json?.type === "number" ? { ...orParameter(option), needed: isNeeded } : option;
}

/** Entries of joints or forces: the options of each type that files can contain. */
function entries(types: OptionsByType): OptionsByType {
  return Object.fromEntries(
    Object.entries(types).map(([type, options]) => {
      const written = Object.entries(options).filter(([, { kind }]) => kind !== "program");
      const rules = written.map(([key, option]) => [key, fileRule(option)]);
      return [type, { name, ...Object.fromEntries(rules) }];
    }),
  );
}

const jointEntries = entries(jointOptions);
const forceEntries = entries({
  ...forceOptions,
  // The only user force that a file can contain.
  userForce: { ...userForceOptions, loads: needed(userForceOptions.loads) },
});

/** Largest number of unknowns or outputs of an entry. */
const MAX_UNKNOWNS = 1000;
const texts = list(text, MAX_UNKNOWNS, 1);
const startNumbers = list(amount, MAX_UNKNOWNS);

/** States with formulas for their rates. */
const states = record({
  name,
  names: needed(texts),
  start: startNumbers,
  rates: needed(texts),
});

/** A controller with formulas for its outputs and its memory. */
const controller = record({
  name,
  every: needed(amount),
  offset: amount,
  delay: amount,
  outputs: needed(texts),
  start: startNumbers,
  memory: byName(amount),
  sample: needed(texts),
  remember: byName(text),
  sets: byName(name),
});

const joint = typed(jointEntries, "joint", (type) => {
  return Object.hasOwn(forceEntries, type) ? `is "${type}", which belongs in "forces"` : undefined;
});
const force = typed(forceEntries, "force", (type) => {
  return Object.hasOwn(jointEntries, type) ? `is "${type}", which belongs in "joints"` : undefined;
});

/** Largest numbers of entries. */
const BODIES = 5000;
const JOINTS = 20_000;
const FUNCTIONS = 1000;

/** Schema of a model file. */
export const documentSchema = record({
  $schema: text,
  nodrift: needed(formatVersion),
  name: needed(name),
  description: text,
  units: needed(units),
  gravity: needed(vector),
  parameters: byName(finite),
  functions: list(namedFunction, FUNCTIONS),
  ground: record({ markers }),
  bodies: needed(list(body, BODIES, 1)),
  joints: list(joint, JOINTS),
  forces: list(force, JOINTS),
  states: list(states, FUNCTIONS),
  controllers: list(controller, FUNCTIONS),
  start,
  solve,
  output,
  events,
  modes,
  view,
});
