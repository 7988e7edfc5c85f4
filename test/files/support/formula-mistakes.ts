// Invalid formulas, tables and named functions.

import type { Mistake } from "./mistakes.js";

export const formulas: Mistake[] = [
  [
    "a bracket that is open",
    { "/joints/2/angle": "0.3*sin(t" },
    "/joints/2/angle",
    'a ) is missing for the ( at character 8 (at character 10 of "0.3*sin(t")',
  ],
  [
    "an unknown variable",
    { "/joints/2/angle": "0.3*sin(x)" },
    "/joints/2/angle",
    'unknown name "x": there are t, pi, e (at character 9 of "0.3*sin(x)")',
  ],
  [
    "an unknown function",
    { "/joints/2/angle": "bumb(t)" },
    "/joints/2/angle",
    "there is no function bumb: did you mean bump? (at character 1",
  ],
  ["nothing", { "/joints/2/angle": "" }, "/joints/2/angle", "the formula is empty"],
  [
    "the second part of a load",
    { "/forces/1/force/1": "vx +" },
    "/forces/1/force/1",
    'unexpected end: expected a number or a name (at character 5 of "vx +")',
  ],
  [
    "a quantity in a drive",
    { "/joints/2/angle": "z('rocker')" },
    "/joints/2/angle",
    "quantities like z('...') cannot be read in this formula: it can use t, pi, e",
  ],
  [
    "points that go back",
    { "/joints/2/angle": { table: { x: [0, 2, 1], y: [0, 0, 0] } } },
    "/joints/2/angle/table/x",
    "x must increase, but x[2] = 1 follows 2",
  ],
  [
    "fewer values than points",
    { "/joints/2/angle": { table: { x: [0, 1, 2], y: [0, 0] } } },
    "/joints/2/angle/table/y",
    "y must be 3 numbers, not a list of 2",
  ],
  [
    "a drive whose velocity jumps",
    { "/joints/2/angle": { table: { x: [0, 1], y: [0, 1], interpolation: "linear" } } },
    "/joints/2/angle/table",
    "a drive needs a continuous velocity: interpolation must be cubic",
  ],
  [
    "a table that does not repeat itself",
    { "/joints/2/angle": { table: { x: [0, 1, 2], y: [0, 0, 1], outside: "repeat" } } },
    "/joints/2/angle/table",
    "a periodic table needs equal first and last y, got 0 and 1",
  ],
  [
    "two functions of a name",
    { "/functions/1/name": "bump" },
    "/functions/1",
    "duplicate function bump",
  ],
  [
    "a function with the name of a quantity",
    { "/functions/1/name": "speed" },
    "/functions/1/name",
    "speed is the name of a quantity, as in speed('...'): use another name",
  ],
  [
    "a function with a name of the language",
    { "/functions/1/name": "sin" },
    "/functions/1",
    '"sin" is reserved in formulas and cannot name a function',
  ],
  [
    "a function whose name is two words",
    { "/functions/1/name": "my pull" },
    "/functions/1",
    'letters, digits and _, at most 64, and not start with a digit, but is "my pull"',
  ],
  [
    "a function of something else",
    { "/functions/0/expression": "exp(-y^2)" },
    "/functions/0",
    'unknown name "y": there are x, pi, e (at character 6 of "exp(-y^2)")',
  ],
  [
    "a function that calls a later one",
    { "/functions/0/expression": "pull(x)" },
    "/functions/0",
    "there is no function pull",
  ],
  [
    "a constraint with a body that is not there",
    { "/joints/3": { type: "constraint", rows: ["height"], value: ["z('cranck')"] } },
    "/joints/3/value",
    'value[0]: z: there is no body "cranck": did you mean crank?',
  ],
  [
    "a constraint whose formula is broken",
    { "/joints/3": { type: "constraint", rows: ["height"], value: ["z('crank'"] } },
    "/joints/3/value/0",
    "(at character",
  ],
  [
    "a force by reactions",
    {
      "/forces/2": {
        type: "userForce",
        bodies: ["crank"],
        loads: [{ force: ["ax('crank')", 0, 0] }],
      },
    },
    "/forces/2/loads",
    "a law made of it would follow from itself",
  ],
];
