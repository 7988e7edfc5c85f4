// Missing, misspelt or wrongly typed keys, which a JSON Schema detects, too.

import type { Json } from "nodrift/files";
import { edited, type Mistake } from "./mistakes.js";

export const file: Mistake[] = [
  ["no version", { "/nodrift": undefined }, "/nodrift", '"nodrift" is missing'],
  ["another version", { "/nodrift": 2 }, "/nodrift", '"nodrift" is 2; give 1, the version'],
  ["a version as text", { "/nodrift": "1" }, "/nodrift", '"nodrift" is "1"; give 1, the version'],
  ["no name", { "/name": undefined }, "/name", '"name" is missing'],
  ["an empty name", { "/name": " " }, "/name", '"name" is empty: enter a name'],
  ["a number for a name", { "/name": 5 }, "/name", '"name" is 5; give a name'],
  ["no units", { "/units": undefined }, "/units", '"units" is missing'],
  [
    "unknown units",
    { "/units": "cgs" },
    "/units",
    '"units" is "cgs"; give "SI", or { "length": "mm", "mass": "t", "time": "s" }',
  ],
  [
    "units without time",
    { "/units": { length: "mm", mass: "t" } },
    "/units/time",
    '"time" is missing',
  ],
  ["no gravity", { "/gravity": undefined }, "/gravity", '"gravity" is missing'],
  [
    "gravity as a number",
    { "/gravity": -9.81 },
    "/gravity",
    '"gravity" is -9.81; give a list of 3 numbers',
  ],
  [
    "two numbers",
    { "/gravity": [0, -9.81] },
    "/gravity",
    "is [0, -9.81]; give a list of 3 numbers",
  ],
  [
    "four numbers",
    { "/gravity": [0, 0, 0, 1] },
    "/gravity",
    "is [0, 0, 0, 1]; give a list of 3 numbers",
  ],
  [
    "a number as text",
    { "/gravity": [0, 0, "9.81"] },
    "/gravity/2",
    'entry 2 of "gravity" is "9.81"; give a finite number',
  ],
  ["no bodies", { "/bodies": undefined }, "/bodies", '"bodies" is missing'],
  ["an empty list of bodies", { "/bodies": [] }, "/bodies", "has 0 entries; give at least 1"],
  ["bodies by name", { "/bodies": {} }, "/bodies", '"bodies" is {}; give a list'],
  [
    "a body that is null",
    { "/bodies/0": null },
    "/bodies/0",
    'entry 0 of "bodies" is null; give an object',
  ],
  [
    "a body that is a list",
    { "/bodies/0": [1, 2] },
    "/bodies/0",
    'entry 0 of "bodies" is [1, 2]; give an object',
  ],
  ["functions by name", { "/functions": {} }, "/functions", "is {}; give a list"],
  ["a misspelt key", { "/gravitty": 1 }, "/gravitty", "is not known: did you mean gravity?"],
  ["an unknown key", { "/colour": 1 }, "/colour", "is not known: there are $schema, nodrift, name"],
  ["a key with a capital", { "/Output": {} }, "/Output", "did you mean output?"],
];

export const misspelt: Mistake[] = [
  [
    "of a file",
    { "/bodies": undefined, "/boddies": (edited({}) as { bodies: Json }).bodies },
    "/boddies",
    '"boddies" is not known: did you mean bodies?',
  ],
  [
    "of a joint",
    { "/joints/0/between": undefined, "/joints/0/betwen": ["ground", "crank"] },
    "/joints/0/betwen",
    "did you mean between?",
  ],
  [
    "of a shape",
    { "/bodies/0/shape/length": undefined, "/bodies/0/shape/lenght": 1 },
    "/bodies/0/shape/lenght",
    "did you mean length?",
  ],
  [
    "of an event",
    { "/events/0/when": undefined, "/events/0/wehn": "t - 1" },
    "/events/0/wehn",
    '"wehn" is not known: did you mean when?',
  ],
];

export const bodies: Mistake[] = [
  [
    "mass as text",
    { "/bodies/0/mass": "1 kg" },
    "/bodies/0/mass",
    'is "1 kg"; give a finite number',
  ],
  [
    "an unknown shape",
    { "/bodies/0/shape/type": "cube" },
    "/bodies/0/shape/type",
    '"type" is "cube": there are box, rod, cylinder, sphere',
  ],
  [
    "a misspelt shape",
    { "/bodies/0/shape/type": "rodd" },
    "/bodies/0/shape/type",
    '"type" is "rodd": did you mean rod?',
  ],
  [
    "a shape without type",
    { "/bodies/0/shape/type": undefined },
    "/bodies/0/shape/type",
    '"type" is missing; give the type of shape: box, rod',
  ],
  [
    "a shape as text",
    { "/bodies/0/shape": "rod" },
    "/bodies/0/shape",
    '"shape" is "rod"; give an object with a "type": box, rod, cylinder, sphere',
  ],
  [
    "a shape without length",
    { "/bodies/0/shape/length": undefined },
    "/bodies/0/shape/length",
    '"length" is missing',
  ],
  [
    "a negative length",
    { "/bodies/0/shape/length": -1 },
    "/bodies/0/shape/length",
    '"length" is -1; give a positive number',
  ],
  [
    "five moments",
    { "/bodies/1/inertia": [1, 2, 3, 4, 5] },
    "/bodies/1/inertia",
    '"inertia" is [1, 2, 3, 4, 5]; give 3 moments, 3 rows of 3 numbers, or 9 numbers by columns',
  ],
  ["inertia as a number", { "/bodies/1/inertia": 1 }, "/bodies/1/inertia", '{ "tensor": [...] }'],
  [
    "an orientation of three numbers",
    { "/bodies/1/orientation": [1, 0, 0] },
    "/bodies/1/orientation",
    "a quaternion [w, x, y, z], 3 rows of 3 numbers, or 9 numbers by columns",
  ],
  [
    "an orientation without axis",
    { "/bodies/1/orientation": { angle: 1 } },
    "/bodies/1/orientation/axis",
    '"axis" is missing',
  ],
  [
    "two rows of a matrix",
    {
      "/bodies/1/orientation": [
        [1, 0, 0],
        [0, 1, 0],
      ],
    },
    "/bodies/1/orientation",
    "is [[1, 0, 0], [0, 1, 0]]; give 3 rows of 3 numbers",
  ],
  [
    "an angular velocity that is a number",
    { "/bodies/1/angularVelocity": 5 },
    "/bodies/1/angularVelocity",
    'is 5; give a list of 3 numbers, or { "body": [x, y, z] }',
  ],
  [
    "an unknown frame of a marker",
    { "/bodies/0/markers/0/frame": "wrold" },
    "/bodies/0/markers/0/frame",
    '"frame" is "wrold"; did you mean "world"?',
  ],
  [
    "a name of a body that is a list",
    { "/bodies/1/name": [] },
    "/bodies/1/name",
    "is []; give a name",
  ],
];

export const entries: Mistake[] = [
  [
    "a misspelt type",
    { "/joints/0/type": "revolut" },
    "/joints/0/type",
    '"type" is "revolut": did you mean revolute?',
  ],
  [
    "an unknown type",
    { "/joints/0/type": "wheelbarrow" },
    "/joints/0/type",
    '"type" is "wheelbarrow": there are fixed, revolute, prismatic',
  ],
  [
    "no type",
    { "/joints/0/type": undefined },
    "/joints/0/type",
    '"type" is missing; give the type of joint: fixed',
  ],
  [
    "a force among joints",
    { "/joints/3": { type: "drag", on: "crank", linear: 1 } },
    "/joints/3/type",
    '"type" is "drag", which belongs in "forces"',
  ],
  [
    "a joint among forces",
    { "/forces/2": { type: "fixed", between: ["ground", "crank"] } },
    "/forces/2/type",
    '"type" is "fixed", which belongs in "joints"',
  ],
  [
    "a constraint without formulas",
    { "/joints/3": { type: "constraint", rows: ["height"] } },
    "/joints/3/value",
    "is missing",
  ],
  [
    "a force without loads",
    { "/forces/2": { type: "userForce", bodies: ["crank"] } },
    "/forces/2/loads",
    "is missing",
  ],
  [
    "a joint as text",
    { "/joints/2": "motor" },
    "/joints/2",
    'entry 2 of "joints" is "motor"; give an object with a "type": fixed, revolute',
  ],
  [
    "one body",
    { "/joints/0/between": ["ground"] },
    "/joints/0/between",
    'is ["ground"]; give two bodies, like ["ground", "crank"]',
  ],
  [
    "a body as text",
    { "/joints/0/between": "crank" },
    "/joints/0/between",
    'is "crank"; give two bodies, like ["ground", "crank"]',
  ],
  [
    "a number for a body",
    { "/joints/0/between": ["ground", 1] },
    "/joints/0/between/1",
    'is 1; give the name of a body, "ground", or { "marker": "tip", "of": "crank" }',
  ],
  ["no bodies", { "/joints/0/between": undefined }, "/joints/0/between", "is missing"],
  [
    "true for a function",
    { "/joints/2/angle": true },
    "/joints/2/angle",
    'is true; give a number, a formula, or { "table": { "x": [...], "y": [...] } }',
  ],
  [
    "a table of one point",
    { "/joints/2/angle": { table: { x: [0, 1], y: [0] } } },
    "/joints/2/angle/table/y",
    '"y" has 1 entries; give at least 2',
  ],
  [
    "an unknown interpolation",
    { "/joints/2/angle": { table: { x: [0, 1], y: [0, 1], interpolation: "cubik" } } },
    "/joints/2/angle/table/interpolation",
    '"interpolation" is "cubik"; did you mean "cubic"?',
  ],
  [
    "compliance below zero",
    { "/joints/0/compliance": -1 },
    "/joints/0/compliance",
    '"compliance" is -1; give a number >= 0',
  ],
  [
    "compliance as text",
    { "/joints/0/compliance": "soft" },
    "/joints/0/compliance",
    'is "soft"; give a number, or an object with numbers by the names of rows',
  ],
  [
    "a load of two",
    { "/forces/1/force": [1, 2] },
    "/forces/1/force",
    "is [1, 2]; give a list of 3 numbers, formulas or tables",
  ],
  [
    "a function by table and expression",
    { "/functions/1/expression": "x" },
    "/functions/1",
    'has "table" and "expression": use only one of them',
  ],
  [
    "a function of four variables",
    { "/functions/0/of": ["x", "a", "b", "c"] },
    "/functions/0/of",
    "has 4 entries; give at most 3",
  ],
];
