// The JSON Schema of model files, for editors.

import { toJsonSchema } from "@valibot/to-json-schema";
import { FORMAT } from "../document/document.js";
import { documentSchema } from "./document.js";
import { equationsSchema } from "./equations.js";
import { alternatives, type Schema } from "./values.js";

/** Descriptions of keys for editors. A key has the same meaning wherever it occurs. */
export const descriptions: Readonly<Record<string, string>> = {
  nodrift: "Version of the format",
  units:
    '"SI", or names of units that fit together. Numbers are never converted; angles are radians',
  gravity: "Acceleration of gravity in the world",
  parameters: 'Named numbers; { "parameter": "k" } stands for one in the mechanism',
  parameter: "Name of a parameter of the file",
  functions: "Functions that formulas can call",
  expression: "A formula of the variables in `of`",
  of: "Variables of a function, or the body of a marker",
  table: "Points of an interpolated function",
  interpolation: 'Between points: "cubic" (a spline, the default) or "linear"',
  outside: 'Beyond the ends: "hold" the last value (the default), "repeat", or "extend" linearly',
  ground: "The fixed body",
  markers: "Points and frames fixed to a body, by name",
  bodies: "Rigid bodies",
  mass: "Mass",
  density: "Mass per volume, instead of mass, for a body with a shape",
  shape: "A homogeneous solid around the centre of mass; determines the inertia",
  inertia: "Moments or tensor about the centre of mass, in the axes of the body",
  centre: "Centre of mass (of a wheel: its centre)",
  position: "Origin of the body's frame in the world",
  orientation: "Axis and angle, unit quaternion [w, x, y, z], or matrix",
  velocity: "Velocity of the origin of the body's frame in the world",
  angularVelocity: "Angular velocity in the world, or { body: [...] } in the axes of the body",
  joints:
    "Joints and drives (of a gear: the two joints it couples; of start: coordinates by joint)",
  between: 'The two bodies, or markers: ["ground", "crank"]',
  at: "Point in the world in the initial pose (of a marker: in its body; of output: times)",
  atA: "Point on the first body, in the world in the initial pose",
  atB: "Point on the second body, in the world in the initial pose",
  axis: "Direction in the world in the initial pose (of a marker or shape: in its body)",
  compliance:
    "Compliance of rows in m/N or rad/(N m): determines how redundant joints share a load",
  pitch: "Advance of a screw per revolution, positive for a right-handed thread",
  ratio: "Ratio of the angle of the second joint to that of the first",
  pinion: "The joint that rotates",
  rack: "The joint that slides",
  joint: "Name of the joint that this acts on, which must precede it in the list",
  plane: "The plane it rolls on. Default: z = 0",
  forces: "Springs, loads, tyres and other forces on bodies",
  mode: 'Control mode of a motor: "torque", "velocity" or "position"',
  target: "Target of a motor: a number, or a formula of t and of quantities such as output('pid')",
  feedForward: "Additional torque or force of a motor",
  maximumTorque: "Largest torque of the rotor of a motor",
  maximumSpeed: "Largest speed of the rotor of a motor, rad/s",
  maximumPower: "Largest power of a motor, W",
  gearRatio: "Revolutions of the rotor per revolution of the joint",
  rotorInertia: "Moment of inertia of the rotor about its axis",
  efficiency: "Efficiency of the gear of a motor, above 0 and up to 1",
  states: "Additional states y' = f",
  names: "Names of the states",
  rates: "A formula for the rate of each state, such as 0.3 - angle('hinge')",
  controllers: "Sampled controllers, which hold their outputs between samples",
  every: "Sampling interval in seconds",
  delay: "Delay of the outputs in seconds",
  outputs: "Names of the outputs of a controller",
  memory: "Values that a controller stores between samples, with their initial values",
  sample: "A formula for each output of a controller",
  sets: "Parameters that outputs of a controller set, by the names of the outputs",
  remember: "Formulas that update the memory of a controller",
  on: "The body or marker it acts on",
  force: "A number, a formula or a table; a vector for loads",
  torque: "A number, a formula or a table; a vector for loads",
  frame: "Frame of the components",
  stiffness: "Force per length, or torque per angle",
  damping: "Force per velocity, or torque per angular velocity",
  length: "Length (of a spring: its free length)",
  angle: "Angle in radians; of a drive a function of t",
  displacement: "Displacement along the axis of the joint; of a drive a function of t",
  linear: "Force per velocity",
  quadratic: "Force per velocity squared",
  wheel: "The body that rolls",
  road: "The body that carries the road. Default: the ground",
  height: "Height of the road: a number, a formula of x, y and t, or a table of x",
  bilateral: "Whether the tyre also pulls",
  angleRate: "Angular velocity in rad/s",
  displacementRate: "Velocity along the axis",
  angle1: "Angle of a universal joint about the axis on the first body",
  angle1Rate: "Angular velocity in rad/s",
  angle2: "Angle of a universal joint about the axis on the second body",
  angle2Rate: "Angular velocity in rad/s",
  displacementX: "Displacement of a planar joint along x of the marker on the first body",
  displacementXRate: "Velocity along x",
  displacementY: "Displacement of a planar joint along y of the marker on the first body",
  displacementYRate: "Velocity along y",
  start:
    "Initial joint coordinates; other joints follow from the poses of bodies. Or bodies to hold",
  hold: "Bodies (of equations: coordinates) that keep their given values exactly; the others are adapted",
  solve: "Options of the solver",
  span: "Start and end time",
  method:
    'Name of the method: "dop853", "welch", "udwadiaKalaba + projection + rk4". Default: automatic',
  coordinates:
    'Of equations: names of the coordinates. Of mechanisms: "relative" (joint coordinates along a tree), "maximal" (all bodies) or "auto"',
  tolerance: "Error tolerance of each step",
  step: "Fixed step size, without error control",
  firstStep: "Initial step size",
  maximumStep: "Largest step size",
  maximumSteps: "Maximum number of steps",
  maximumSeconds: "Maximum run time in seconds of real time",
  output: "Output of the run",
  values: "Columns of the table: formulas like z('ball')",
  value: "A formula of t and of quantities like z('ball') or angle('hinge')",
  unit: "Unit for headings",
  plots: "Plots of the report",
  rate: "Rows per unit of time",
  times: "Times of the rows",
  events: "Events, at which a formula is zero",
  when: "A formula that is zero at the event",
  direction: "Direction of the zero crossing (of a blade: its direction)",
  terminal: "Whether it ends the run, or the number of the occurrence that does",
  action: '"mark", "stop", { "bounce": 0.8 } or { "switchTo": "mode" }',
  bounce: "Coefficient of restitution",
  switchTo: 'A mode, or "start"',
  modes: "Modes without some joints and forces; of an event: modes in which it is active",
  without: "Names of joints and forces",
  view: "View of the report",
  from: "View direction",
  up: "Direction that points up",
  follow: "Body that the camera follows",
  traces: "Points of bodies whose paths are drawn",
  draw: "Lines fixed to bodies, in their frames",
};

type JsonSchema = ReturnType<typeof toJsonSchema>;

/** Converts a schema without limits of texts and custom checks: editors only need the structure. */
function convert(schema: Schema): JsonSchema {
  const made = toJsonSchema(schema, {
    errorMode: "ignore",
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const options = alternatives.get(valibotSchema);
      if (options) return eitherOf(options.map((one) => plain(convert(one))));
      if (valibotSchema.type === "object_with_rest") {
        return {
          ...jsonSchema,
          ...withDescriptions(jsonSchema.properties),
          additionalProperties: false,
        };
      }
      return undefined;
    },
  });
  return made;
}

function eitherOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only] = schemas;
  return schemas.length === 1 && only ? only : { anyOf: [...schemas] };
}

/** Adds descriptions to properties. */
function withDescriptions(
  properties: JsonSchema["properties"] = {},
): Pick<JsonSchema, "properties"> {
  const entries = Object.entries(properties).map(([key, value]) => {
    const description = Object.hasOwn(descriptions, key) ? descriptions[key] : undefined;
    const isPlain = typeof value === "object" && description !== undefined;
    return [key, isPlain ? { ...value, description } : value] as const;
  });
  return { properties: Object.fromEntries(entries) };
}

/** Inlines definitions and removes the dialect, which only the outermost schema names. */
function plain({ $schema: _, $defs = {}, ...rest }: JsonSchema): JsonSchema {
  return inlined(rest, $defs) as JsonSchema;
}

function inlined(part: unknown, definitions: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(part)) return part.map((one) => inlined(one, definitions));
  if (typeof part !== "object" || part === null) return part;
  const { $ref, ...rest } = part as { readonly $ref?: string };
  const meant = $ref === undefined ? {} : inlined(definitions[nameOf($ref)], definitions);
  const entries = Object.entries(rest).map(([key, one]) => [key, inlined(one, definitions)]);
  return { ...(meant as object), ...Object.fromEntries(entries) };
}

/** Name of the definition in a reference like "#/$defs/0". */
function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** The schema of files of equations as plain data. */
export function equationsJsonSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...plain(convert(equationsSchema)),
    title: `nodrift equations, version ${FORMAT}`,
    description: "A system of equations, its solver options and its output.",
  };
}

/** The schema as plain data. */
export function jsonSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...plain(convert(documentSchema)),
    title: `nodrift model, version ${FORMAT}`,
    description: "A mechanism of rigid bodies, its solver options and its output.",
  };
}
