// Invalid settings, by themselves or for their model.

import type { Mistake } from "./mistakes.js";

export const solving: Mistake[] = [
  ["no span", { "/solve/span": undefined }, "/solve/span", '"span" is missing'],
  ["an empty span", { "/solve/span": [1, 1] }, "/solve/span", '"span" is empty'],
  ["a span as text", { "/solve/span": "10" }, "/solve/span", 'is "10"; give a list of 2 numbers'],
  [
    "a span of three",
    { "/solve/span": [0, 1, 2] },
    "/solve/span",
    "is [0, 1, 2]; give a list of 2 numbers",
  ],
  ["no tolerance", { "/solve/tolerance": 0 }, "/solve/tolerance", "is 0; give a positive number"],
  [
    "a tolerance nobody can keep",
    { "/solve/tolerance": 1e-20 },
    "/solve/tolerance",
    "tolerance is 1e-20; give a number from 1e-15 on",
  ],
  ["an empty tolerance", { "/solve/tolerance": {} }, "/solve/tolerance", "tolerance is {}; give a"],
  [
    "tolerances for positions only",
    { "/solve/tolerance": { absolute: { positions: 1e-6 } } },
    "/solve/tolerance",
    "tolerance.absolute.velocities is missing; give a number from 1e-15 on",
  ],
  [
    "half a step",
    { "/solve/maximumSteps": 1.5 },
    "/solve/maximumSteps",
    "is 1.5; give an integer >= 1",
  ],
  ["no step", { "/solve/step": 0 }, "/solve/step", '"step" is 0; give a positive number'],
  [
    "a misspelt method",
    { "/solve/method": "dop835" },
    "/solve/method",
    "dop835 is not known: did you mean dop853?",
  ],
  [
    "an unknown method",
    { "/solve/method": "magic + rk4" },
    "/solve/method",
    'method "magic + rk4": magic is not known: there are euler, semiImplicitEuler, heun',
  ],
  ["an empty method", { "/solve/method": "" }, "/solve/method", "a name is missing"],
  ["a plus too many", { "/solve/method": "dop853 +" }, "/solve/method", "a name is missing"],
  [
    "a method that needs a step",
    { "/solve/method": "udwadiaKalaba + rk4" },
    "/solve/method",
    '"udwadiaKalaba + rk4" does not estimate its error: add a "step"',
  ],
  [
    "two integrators",
    { "/solve/method": "rk4 + dop853" },
    "/solve/method",
    "give only one of: rk4, dop853",
  ],
  [
    "no integrator",
    { "/solve/method": "udwadiaKalaba" },
    "/solve/method",
    'an integrator is missing, as in "... + rk4"',
  ],
  [
    "parts that do not fit",
    { "/solve/method": "maggi + stagedProjection + rk4", "/solve/step": 1e-3 },
    "/solve/method",
    "stagedProjection moves the state before each evaluation, but maggi(qr) finds velocities",
  ],
];

export const output: Mistake[] = [
  ["too many rows", { "/output/at/rate": 1e9 }, "/output/at/rate", "more than 1000000 rows"],
  [
    "times out of order",
    { "/output/at": { times: [0, 1, 0.5] } },
    "/output/at/times/2",
    "0.5 comes after 1: times must be in the order of the run",
  ],
  [
    "times outside of the span",
    { "/output/at": { times: [0, 1, 5] } },
    "/output/at/times/2",
    "5 lies outside the span from 0 to 2",
  ],
  [
    "times of a run that goes back",
    { "/solve/span": [2, 0], "/output/at": { times: [2, 0.5, 1] } },
    "/output/at/times/2",
    "1 comes after 0.5",
  ],
  [
    "a misspelt word",
    { "/output/at": "step" },
    "/output/at",
    '"at" is "step"; did you mean "steps"?',
  ],
  [
    "a rate and times",
    { "/output/at": { rate: 5, times: [1] } },
    "/output/at",
    "use only one of them",
  ],
  [
    "a number for moments",
    { "/output/at": 60 },
    "/output/at",
    'is 60; give "steps", "ends", { "rate": 60 } or { "times": [...] }',
  ],
  [
    "an unknown body",
    { "/output/values/0": "x('rockr')" },
    "/output/values/0",
    `x: there is no body "rockr": did you mean rocker? (at character 1 of "x('rockr')")`,
  ],
  [
    "an unknown joint",
    { "/output/values/1/value": "2*angle('elbo')" },
    "/output/values/1/value",
    'angle: there is no joint "elbo": did you mean elbow? (at character 3',
  ],
  [
    "an unknown marker",
    { "/output/values/0": "x('crank:tpi')" },
    "/output/values/0",
    'x: there is no marker "crank:tpi": did you mean crank:tip?',
  ],
  [
    "an acceleration of a marker",
    { "/output/values/0": "az('crank:tip')" },
    "/output/values/0",
    "az: it applies to bodies, not markers: write az('crank')",
  ],
  [
    "a quantity of nothing",
    { "/output/values/0": "x()" },
    "/output/values/0",
    "x: it needs a name, as in x('...')",
  ],
  [
    "the energy of one body",
    { "/output/values/0": "energy('crank')" },
    "/output/values/0",
    "energy: it takes no name: write energy()",
  ],
  [
    "two values of a name",
    { "/output/values/0": { name: "bend", value: "t" } },
    "/output/values/1",
    'there are two values named "bend"',
  ],
  [
    "a plot of an unknown value",
    { "/output/plots/0/values/0": "bent" },
    "/output/plots/0/values/0",
    `"bent" is neither a name in "values" (available: x('rocker'), bend) nor a formula such as z('ball')`,
  ],
  [
    "a number for a value",
    { "/output/values/0": 5 },
    "/output/values/0",
    "is 5; give a formula, or",
  ],
];

export const events: Mistake[] = [
  [
    "an equation",
    { "/events/0/when": "z('rocker') = 0" },
    "/events/0/when",
    "= means nothing here: to compare write == (at character 13",
  ],
  ["no formula", { "/events/0/when": undefined }, "/events/0/when", '"when" is missing'],
  [
    "an unknown direction",
    { "/events/0/direction": "down" },
    "/events/0/direction",
    '"direction" is "down"; give one of "rising", "falling", "both"',
  ],
  ["an unknown action", { "/events/0/action": "halt" }, "/events/0/action", '"mark" or "stop"'],
  [
    "an action of another kind",
    { "/events/0/action": { jump: 1 } },
    "/events/0/action",
    'is { jump: 1 }; give "mark", "stop", { "bounce": 0.8 } or { "switchTo": "mode" }',
  ],
  [
    "a bounce that makes energy",
    { "/events/0/action": { bounce: 1.5 } },
    "/events/0/action/bounce",
    '"bounce" is 1.5; give a number from 0 to 1',
  ],
  [
    "an unknown mode",
    { "/events/0/action/switchTo": "fre" },
    "/events/0/action/switchTo",
    'there is no mode "fre": did you mean free?',
  ],
  [
    "an unknown mode to look in",
    { "/events/0/modes": ["begin"] },
    "/events/0/modes/0",
    'there is no mode "begin": there are start, free',
  ],
  ["never", { "/events/0/terminal": 0 }, "/events/0/terminal", "is 0; give an integer >= 1"],
  [
    "now and then",
    { "/events/0/terminal": "often" },
    "/events/0/terminal",
    "a number of occurrences",
  ],
];

export const others: Mistake[] = [
  [
    "a mode without something unknown",
    { "/modes/0/without/0": "moter" },
    "/modes/0/without/0",
    'there is no joint or force "moter": did you mean motor?',
  ],
  [
    "a mode that leaves a drive without its joint",
    { "/modes/0/without/0": "hinge" },
    "/modes/0/without",
    '"motor" acts on joint "hinge": list both',
  ],
  [
    "two modes of a name",
    { "/modes/1": { name: "free", without: ["motor"] } },
    "/modes/1/name",
    'there are two modes named "free"',
  ],
  [
    "a mode named start",
    { "/modes/1": { name: "start", without: ["motor"] } },
    "/modes/1/name",
    '"start" is the name of the initial mode: choose another name',
  ],
  ["a mode without anything", { "/modes/0/without": [] }, "/modes/0/without", "give at least 1"],
  [
    "an unknown view",
    { "/view/from": "above" },
    "/view/from",
    'is "above"; give one of "front", "side", "top", "isometric"',
  ],
  [
    "a view from nowhere",
    { "/view/from": [0, 0, 0] },
    "/view/from",
    "is zero and has no direction",
  ],
  ["nothing that is up", { "/view/up": [0, 0, 0] }, "/view/up", "is zero and has no direction"],
  [
    "an unknown body that is followed",
    { "/view/follow": "cran" },
    "/view/follow",
    'there is no body "cran": did you mean crank?',
  ],
  [
    "the path of the ground",
    { "/view/traces/0/body": "ground" },
    "/view/traces/0/body",
    "the ground does not move: name a body",
  ],
  [
    "lines of an unknown body",
    {
      "/view/draw": [
        {
          body: "floor",
          lines: [
            [
              [0, 0, 0],
              [1, 0, 0],
            ],
          ],
        },
      ],
    },
    "/view/draw/0/body",
    'there is no body "floor"',
  ],
  [
    "a line of one point",
    { "/view/draw": [{ body: "crank", lines: [[[0, 0, 0]]] }] },
    "/view/draw/0/lines/0",
    'entry 0 of "lines" has 1 entries; give at least 2',
  ],
];
