// Missing, misspelt or wrongly typed keys, which a JSON Schema detects, too.

import type { Json } from "nodrift/files";
import { edited, type Mistake } from "./mistakes.js";

export const file: Mistake[] = [
  ["no version", { "/nodrift": undefined }, "/nodrift", '"nodrift" is missing'],
  ["another version", { "/nodrift": 2 }, "/nodrift", '"nodrift" must be 1: the version'],
  ["a version as text", { "/nodrift": "1" }, "/nodrift", '"nodrift" must be 1: the version'],
  ["no name", { "/name": undefined }, "/name", '"name" is missing'],
  ["an empty name", { "/name": " " }, "/name", '"name" is empty: enter a name'],
  ["a number for a name", { "/name": 5 }, "/name", '"name" must be a name, not 5'],
  ["no units", { "/units": undefined }, "/units", '"units" is missing'],
  [
    "unknown units",
    { "/units": "cgs" },
    "/units",
    '"units" must be "SI", or { "length": "mm", "mass": "t", "time": "s" }, not "cgs"',
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
    '"gravity" must be a list of 3 numbers, not -9.81',
  ],
  ["two numbers", { "/gravity": [0, -9.81] }, "/gravity", "a list of 3 numbers, but has 2"],
  ["four numbers", { "/gravity": [0, 0, 0, 1] }, "/gravity", "a list of 3 numbers, but has 4"],
  [
    "a number as text",
    { "/gravity": [0, 0, "9.81"] },
    "/gravity/2",
    'entry 2 of "gravity" must be a number, not "9.81"',
  ],
  ["no bodies", { "/bodies": undefined }, "/bodies", '"bodies" is missing'],
  ["an empty list of bodies", { "/bodies": [] }, "/bodies", "must have at least 1 entry, not 0"],
  ["bodies by name", { "/bodies": {} }, "/bodies", '"bodies" must be a list, not an object'],
  [
    "a body that is null",
    { "/bodies/0": null },
    "/bodies/0",
    'entry 0 of "bodies" must be an object, not null',
  ],
  [
    "a body that is a list",
    { "/bodies/0": [1, 2] },
    "/bodies/0",
    'entry 0 of "bodies" must be an object, not a list',
  ],
  ["functions by name", { "/functions": {} }, "/functions", "must be a list, not an object"],
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
  ["mass as text", { "/bodies/0/mass": "1 kg" }, "/bodies/0/mass", 'a number, not "1 kg"'],
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
    '"type" is "rodd": did you mean "rod"?',
  ],
  [
    "a shape without type",
    { "/bodies/0/shape/type": undefined },
    "/bodies/0/shape/type",
    '"type" is missing: which shape is it? There are box, rod',
  ],
  [
    "a shape as text",
    { "/bodies/0/shape": "rod" },
    "/bodies/0/shape",
    '"shape" must be an object with a "type": box, rod, cylinder, sphere, not "rod"',
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
    '"length" must be positive, not -1',
  ],
  [
    "five moments",
    { "/bodies/1/inertia": [1, 2, 3, 4, 5] },
    "/bodies/1/inertia",
    '"inertia" must be 3 moments, 3 rows of 3 numbers, or 9 numbers by columns, not a list',
  ],
  ["inertia as a number", { "/bodies/1/inertia": 1 }, "/bodies/1/inertia", '{ "tensor": [...] }'],
  [
    "an orientation of three numbers",
    { "/bodies/1/orientation": [1, 0, 0] },
    "/bodies/1/orientation",
    "a quaternion [w, x, y, z], 3 rows of 3 numbers, or 9 numbers by columns, not a list",
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
    "must be 3 rows of 3 numbers, but has 2",
  ],
  [
    "an angular velocity that is a number",
    { "/bodies/1/angularVelocity": 5 },
    "/bodies/1/angularVelocity",
    'must be a list of 3 numbers, or { "body": [x, y, z] }, not 5',
  ],
  [
    "an unknown frame of a marker",
    { "/bodies/0/markers/0/frame": "wrold" },
    "/bodies/0/markers/0/frame",
    '"frame" is "wrold": did you mean "world"?',
  ],
  ["a name of a body that is a list", { "/bodies/1/name": [] }, "/bodies/1/name", "not a list"],
];

export const entries: Mistake[] = [
  [
    "a misspelt type",
    { "/joints/0/type": "revolut" },
    "/joints/0/type",
    '"type" is "revolut": did you mean "revolute"?',
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
    '"type" is missing: which joint is it? There are fixed',
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
    'entry 2 of "joints" must be an object with a "type": fixed, revolute',
  ],
  [
    "one body",
    { "/joints/0/between": ["ground"] },
    "/joints/0/between",
    'must be two bodies, like ["ground", "crank"], but has 1',
  ],
  [
    "a body as text",
    { "/joints/0/between": "crank" },
    "/joints/0/between",
    'must be two bodies, like ["ground", "crank"], not "crank"',
  ],
  [
    "a number for a body",
    { "/joints/0/between": ["ground", 1] },
    "/joints/0/between/1",
    'the name of a body, "ground", or { "marker": "tip", "of": "crank" }, not 1',
  ],
  ["no bodies", { "/joints/0/between": undefined }, "/joints/0/between", "is missing"],
  [
    "true for a function",
    { "/joints/2/angle": true },
    "/joints/2/angle",
    'must be a number, a formula, or { "table": { "x": [...], "y": [...] } }, not true',
  ],
  [
    "a table of one point",
    { "/joints/2/angle": { table: { x: [0, 1], y: [0] } } },
    "/joints/2/angle/table/y",
    '"y" must have at least 2 entries, not 1',
  ],
  [
    "an unknown interpolation",
    { "/joints/2/angle": { table: { x: [0, 1], y: [0, 1], interpolation: "cubik" } } },
    "/joints/2/angle/table/interpolation",
    '"interpolation" is "cubik": did you mean "cubic"?',
  ],
  [
    "compliance below zero",
    { "/joints/0/compliance": -1 },
    "/joints/0/compliance",
    '"compliance" must be zero or more, not -1',
  ],
  [
    "compliance as text",
    { "/joints/0/compliance": "soft" },
    "/joints/0/compliance",
    "must be a number, or an object with numbers by the names of rows",
  ],
  ["a load of two", { "/forces/1/force": [1, 2] }, "/forces/1/force", "tables, but has 2"],
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
    "must have at most 3 entries, not 4",
  ],
];
