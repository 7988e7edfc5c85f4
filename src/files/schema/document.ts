import * as v from "valibot";
import type { forces } from "../../model/forces/index.js";
import type { joints } from "../../model/joints/index.js";
import { FORMAT, type ModelDocument } from "../document/document.js";
import { formulas, functionSource, functionVector, namedFunction } from "./functions.js";
import { events, modes, output, solve, start, units, view } from "./settings.js";
import {
  amount,
  amountFromZero,
  amounts,
  exactly,
  flag,
  has,
  isObject,
  list,
  name,
  number,
  oneOf,
  place,
  positiveAmount,
  record,
  type Schema,
  text,
  typed,
  vector,
  word,
  wrong,
} from "./values.js";

// Schemas of bodies, joints and forces: the options of the methods of `model()`, with names instead of handles. These
// methods check the values themselves.

// Orientations and inertia, which have several formats.

const quaternion = amounts(4);
const matrixColumns = amounts(9);
const matrixRows = exactly(place, 3, "3 rows of 3 numbers");
const turn = record({ axis: place, angle: amount });
const noRotation = wrong(
  '{ "axis": [x, y, z], "angle": a }, a quaternion [w, x, y, z], 3 rows of 3 numbers, or 9 numbers by columns',
);

/** Axis and angle, Euler parameters, or a matrix. */
const orientation: Schema = oneOf([turn, quaternion, matrixColumns, matrixRows], (input) => {
  if (isObject(input)) return turn;
  if (!Array.isArray(input)) return noRotation;
  if (Array.isArray(input[0])) return matrixRows;
  if (input.length === 9) return matrixColumns;
  return input.length === 4 ? quaternion : noRotation;
});

const TENSOR = "3 moments, 3 rows of 3 numbers, or 9 numbers by columns";
const noTensor = wrong(TENSOR);

/** Principal moments, or a full tensor, column-major or as rows. */
const tensor: Schema = oneOf([place, matrixColumns, matrixRows], (input) => {
  if (!Array.isArray(input)) return noTensor;
  if (Array.isArray(input[0])) return matrixRows;
  if (input.length === 9) return matrixColumns;
  return input.length === 3 ? place : noTensor;
});
const about = v.optional(word(["centre", "origin"]));
const principal = record({ principal: place, axes: v.optional(orientation), about });
const whole = record({ tensor, about });
const noInertia = wrong(`${TENSOR}; or { "principal": [...] } or { "tensor": [...] }`);

const inertia: Schema = oneOf([tensor, principal, whole], (input) => {
  if (Array.isArray(input)) return tensor;
  if (!isObject(input)) return noInertia;
  return has(input, "tensor") ? whole : principal;
});

/** Largest number of markers of a body. */
const MAX_MARKERS = 1000;

const shape = typed(
  {
    box: record({
      type: v.literal("box"),
      x: positiveAmount,
      y: positiveAmount,
      z: positiveAmount,
    }),
    rod: record({ type: v.literal("rod"), length: positiveAmount, axis: v.optional(place) }),
    cylinder: record({
      type: v.literal("cylinder"),
      radius: positiveAmount,
      length: positiveAmount,
      axis: v.optional(place),
    }),
    sphere: record({ type: v.literal("sphere"), radius: positiveAmount, shell: v.optional(flag) }),
  },
  "shape",
);

const marker = record({
  name: v.optional(name),
  at: v.optional(place),
  axis: v.optional(place),
  x: v.optional(place),
  frame: v.optional(word(["body", "world"])),
});
const markers = list(marker, MAX_MARKERS);

const ownAxes = record({ body: place });
const noSpin = wrong('a list of 3 numbers, or { "body": [x, y, z] }');

const body = record({
  name: v.optional(name),
  mass: v.optional(amount),
  density: v.optional(amount),
  shape: v.optional(shape),
  inertia: v.optional(inertia),
  centre: v.optional(place),
  position: v.optional(place),
  orientation: v.optional(orientation),
  velocity: v.optional(place),
  angularVelocity: v.optional(
    oneOf([place, ownAxes], (input) => {
      if (Array.isArray(input)) return place;
      return isObject(input) ? ownAxes : noSpin;
    }),
  ),
  markers: v.optional(markers),
});

/** A body or "ground" by name, or a marker of one. */
const markerReference = record({ marker: name, of: name });
const noEnd = wrong('the name of a body, "ground", or { "marker": "tip", "of": "crank" }');
const end = oneOf([name, markerReference], (input) => {
  if (typeof input === "string") return name;
  return isObject(input) ? markerReference : noEnd;
});
const between = exactly(end, 2, 'two bodies, like ["ground", "crank"]');

const rows = v.record(name, amountFromZero);
const noCompliance = wrong("a number, or an object with numbers by the names of rows");
const compliance = v.optional(
  oneOf([amountFromZero, rows], (input) => {
    if (typeof input === "number" || has(input, "parameter")) return amountFromZero;
    return isObject(input) ? rows : noCompliance;
  }),
);

/** An entry of the list of joints or forces. */
const entry = (type: string, options: v.ObjectEntries): Schema =>
  record({ type: v.literal(type), name: v.optional(name), ...options });
const point = v.optional(place);
const points = { between, atA: point, atB: point };
const framed = { between, at: point, axis: point, compliance };
const crossed = { between, at: point, axisA: point, axisB: point, compliance };

const plane = record({ point, normal: point, body: v.optional(name) });
const wheel = {
  body: end,
  radius: amount,
  plane: v.optional(
    oneOf([plane, markerReference], (input) => (has(input, "marker") ? markerReference : plane)),
  ),
  centre: point,
  compliance,
};

/** Largest number of rows of a constraint, and of bodies of a force. */
const ROWS = 100;

const jointKinds: Record<keyof typeof joints, Schema> = {
  fixed: entry("fixed", framed),
  revolute: entry("revolute", framed),
  prismatic: entry("prismatic", framed),
  cylindrical: entry("cylindrical", framed),
  spherical: entry("spherical", { between, at: point, compliance }),
  universal: entry("universal", crossed),
  planar: entry("planar", framed),
  parallel: entry("parallel", framed),
  perpendicular: entry("perpendicular", crossed),
  screw: entry("screw", { ...framed, pitch: amount }),
  distance: entry("distance", { ...points, length: v.optional(amount), compliance }),
  pointOnLine: entry("pointOnLine", framed),
  pointOnPlane: entry("pointOnPlane", framed),
  gear: entry("gear", {
    joints: exactly(name, 2, "the names of two joints"),
    ratio: amount,
    compliance,
  }),
  rackAndPinion: entry("rackAndPinion", { pinion: name, rack: name, radius: amount, compliance }),
  driveAngle: entry("driveAngle", { joint: name, angle: functionSource, compliance }),
  driveDisplacement: entry("driveDisplacement", {
    joint: name,
    displacement: functionSource,
    compliance,
  }),
  driveLength: entry("driveLength", { ...points, length: functionSource, compliance }),
  rollingDisk: entry("rollingDisk", { ...wheel, axis: point }),
  rollingSphere: entry("rollingSphere", wheel),
  knifeEdge: entry("knifeEdge", { body: end, at: point, direction: point, up: point, compliance }),
  constraint: entry("constraint", {
    rows: list(name, ROWS, 1),
    value: formulas(ROWS),
    unit: v.optional(word(["force", "torque"])),
    compliance,
  }),
};

const both = record({ translation: v.optional(amount), rotation: v.optional(amount) });
const three = list(amount, 6, 3);
const noComponents = wrong('3 or 6 numbers, or { "translation": k, "rotation": k }');
const components = v.optional(
  oneOf([three, both], (input) => {
    if (Array.isArray(input)) return three;
    return isObject(input) ? both : noComponents;
  }),
);
const scalar = v.optional(amount);
const law = v.optional(functionSource);
const coordinate = v.optional(word(["angle", "displacement"]));

const load = record({ force: v.optional(functionVector), torque: v.optional(functionVector) });

const forceKinds: Record<keyof typeof forces | "userForce", Schema> = {
  pointForce: entry("pointForce", {
    on: end,
    at: point,
    force: functionVector,
    frame: v.optional(word(["world", "body", "marker"])),
  }),
  torque: entry("torque", {
    on: end,
    torque: functionVector,
    frame: v.optional(word(["world", "body", "marker"])),
  }),
  spring: entry("spring", {
    ...points,
    stiffness: scalar,
    length: scalar,
    damping: scalar,
    force: law,
  }),
  torsionSpring: entry("torsionSpring", {
    joint: name,
    stiffness: scalar,
    angle: scalar,
    damping: scalar,
    torque: law,
  }),
  bushing: entry("bushing", {
    between,
    at: point,
    axis: point,
    stiffness: components,
    damping: components,
    force: v.optional(functionVector),
    torque: v.optional(functionVector),
  }),
  drag: entry("drag", {
    on: end,
    linear: scalar,
    quadratic: scalar,
    angular: scalar,
    angularQuadratic: scalar,
  }),
  tyre: entry("tyre", {
    wheel: end,
    at: point,
    road: v.optional(end),
    normal: point,
    stiffness: amount,
    damping: scalar,
    radius: scalar,
    height: law,
    bilateral: v.optional(flag),
  }),
  stop: entry("stop", {
    joint: v.optional(name),
    of: coordinate,
    between: v.optional(between),
    atA: point,
    atB: point,
    lower: scalar,
    upper: scalar,
    stiffness: scalar,
    exponent: scalar,
    damping: scalar,
    restitution: scalar,
    impactSpeed: scalar,
  }),
  friction: entry("friction", {
    joint: name,
    of: coordinate,
    coulomb: scalar,
    static: scalar,
    coefficient: scalar,
    staticCoefficient: scalar,
    radius: scalar,
    viscous: scalar,
    transitionSpeed: scalar,
    model: v.optional(word(["smooth", "bristle"])),
    stiffness: scalar,
    damping: scalar,
  }),
  motor: entry("motor", {
    joint: v.optional(name),
    of: coordinate,
    between: v.optional(between),
    atA: point,
    atB: point,
    mode: word(["torque", "velocity", "position"]),
    target: functionSource,
    stiffness: scalar,
    damping: scalar,
    feedForward: law,
    maximumTorque: scalar,
    maximumSpeed: scalar,
    maximumPower: scalar,
    gearRatio: scalar,
    rotorInertia: scalar,
    efficiency: scalar,
    energy: v.optional(flag),
  }),
  userForce: entry("userForce", { bodies: list(name, ROWS, 1), loads: list(load, ROWS, 1) }),
};

/** Largest number of unknowns or outputs of an entry. */
const MAX_UNKNOWNS = 1000;
const texts = list(text, MAX_UNKNOWNS, 1);
const startNumbers = v.optional(list(amount, MAX_UNKNOWNS));

/** States with formulas for their rates. */
const states = record({
  name: v.optional(name),
  names: texts,
  start: startNumbers,
  rates: texts,
});

/** A controller with formulas for its outputs and its memory. */
const controller = record({
  name: v.optional(name),
  every: amount,
  offset: scalar,
  delay: scalar,
  outputs: texts,
  start: startNumbers,
  memory: v.optional(v.record(name, amount)),
  sample: texts,
  remember: v.optional(v.record(name, text)),
  sets: v.optional(v.record(name, name)),
});

const joint = typed(jointKinds, "joint", (type) => {
  return Object.hasOwn(forceKinds, type) ? `is "${type}", which belongs in "forces"` : undefined;
});
const force = typed(forceKinds, "force", (type) => {
  return Object.hasOwn(jointKinds, type) ? `is "${type}", which belongs in "joints"` : undefined;
});

/** Largest numbers of entries. */
const BODIES = 5000;
const JOINTS = 20_000;
const FUNCTIONS = 1000;

/** Schema of a model file. */
export const documentSchema = record({
  $schema: v.optional(text),
  nodrift: v.literal(
    FORMAT,
    `must be ${FORMAT}: the version of the format that this version of nodrift reads`,
  ),
  name,
  description: v.optional(text),
  units,
  gravity: vector,
  parameters: v.optional(v.record(name, number)),
  functions: v.optional(list(namedFunction, FUNCTIONS)),
  ground: v.optional(record({ markers })),
  bodies: list(body, BODIES, 1),
  joints: v.optional(list(joint, JOINTS)),
  forces: v.optional(list(force, JOINTS)),
  states: v.optional(list(states, FUNCTIONS)),
  controllers: v.optional(list(controller, FUNCTIONS)),
  start: v.optional(start),
  solve: v.optional(solve),
  output: v.optional(output),
  events: v.optional(events),
  modes: v.optional(modes),
  view: v.optional(view),
}) as unknown as v.GenericSchema<unknown, ModelDocument>;
