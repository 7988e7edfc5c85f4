// Bodies, joints and forces: the options of the methods of `model()`, with names in place of handles. What the
// numbers mean is checked by these methods themselves.

import * as v from "valibot";
import type { forces } from "../../../describe/forces/index.js";
import type { joints } from "../../../describe/joints/index.js";
import { inertia, orientation } from "./body-values.js";
import { formulas, functionSource, functionVector } from "./functions.js";
import {
  amount,
  amountFromZero,
  exactly,
  flag,
  has,
  isObject,
  list,
  name,
  oneOf,
  place,
  positiveAmount,
  record,
  type Schema,
  text,
  typed,
  word,
  wrong,
} from "./values.js";

/** Markers of one body. */
const MARKERS = 1000;

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
export const markers = list(marker, MARKERS);

const ownAxes = record({ body: place });
const noSpin = wrong('a list of 3 numbers, or { "body": [x, y, z] }');

export const body = record({
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

/** Rows of one constraint, and bodies of one force. */
const ROWS = 100;

export const jointKinds: Record<keyof typeof joints, Schema> = {
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

export const forceKinds: Record<keyof typeof forces | "userForce", Schema> = {
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
    speed: scalar,
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
    speed: scalar,
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

/** Unknowns, or outputs, of one entry. */
const UNKNOWNS = 1000;
const texts = list(text, UNKNOWNS, 1);
const startNumbers = v.optional(list(amount, UNKNOWNS));

/** Unknowns with formulas for their rates. */
export const states = record({
  name: v.optional(name),
  names: texts,
  start: startNumbers,
  rates: texts,
});

/** A controller with formulas for its outputs and its memory. */
export const controller = record({
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

export const joint = typed(jointKinds, "joint", (type) => {
  return Object.hasOwn(forceKinds, type) ? `is "${type}", which belongs in "forces"` : undefined;
});
export const force = typed(forceKinds, "force", (type) => {
  return Object.hasOwn(jointKinds, type) ? `is "${type}", which belongs in "joints"` : undefined;
});
