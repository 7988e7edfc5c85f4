// Well-formed but invalid bodies, joints and forces.

import type { Mistake } from "./mistakes.js";

export const bodies: Mistake[] = [
  ["no mass", { "/bodies/0/mass": undefined }, "/bodies/0", "mass or density is missing"],
  [
    "a negative mass",
    { "/bodies/0/mass": -1 },
    "/bodies/0/mass",
    "mass is -1, but must be positive",
  ],
  ["no mass at all", { "/bodies/0/mass": 0 }, "/bodies/0/mass", "mass is 0, but must be positive"],
  ["mass and density", { "/bodies/0/density": 5 }, "/bodies/0", "give mass or density, not both"],
  [
    "density of a thin rod",
    { "/bodies/0/mass": undefined, "/bodies/0/density": 5 },
    "/bodies/0",
    "a rod without thickness has no volume: give mass",
  ],
  ["no inertia", { "/bodies/0/shape": undefined }, "/bodies/0", "inertia or shape is missing"],
  ["two inertias", { "/bodies/0/inertia": [1, 1, 1] }, "/bodies/0", "give inertia or shape"],
  [
    "a zero axis of a shape",
    { "/bodies/0/shape/axis": [0, 0, 0] },
    "/bodies/0/shape/axis",
    "axis is zero and has no direction: give a vector like [0, 0, 1]",
  ],
  [
    "an inertia that no body has",
    { "/bodies/1/inertia": [0.1, 0.1, 1] },
    "/bodies/1/inertia",
    'body "rocker": inertia is impossible for a body',
  ],
  [
    "a negative moment",
    { "/bodies/1/inertia": [-0.1, 0.1, 1] },
    "/bodies/1/inertia",
    "inertia has the principal moment -0.1: all three must be positive",
  ],
  [
    "a tensor that is not symmetric",
    {
      "/bodies/1/inertia": [
        [1, 0.5, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    },
    "/bodies/1/inertia",
    "inertia must be symmetric, but xy is 0.5",
  ],
  [
    "a quaternion that is too long",
    { "/bodies/1/orientation": [2, 0, 0, 0] },
    "/bodies/1/orientation",
    "orientation is a quaternion of length 2",
  ],
  [
    "a matrix that does not turn",
    { "/bodies/1/orientation": [1, 0, 0, 0, 2, 0, 0, 0, 1] },
    "/bodies/1/orientation",
    "orientation is not a rotation",
  ],
  [
    "a zero axis of a turn",
    { "/bodies/1/orientation": { axis: [0, 0, 0], angle: 1 } },
    "/bodies/1/orientation",
    "orientation.axis is zero",
  ],
  [
    "a name twice",
    { "/bodies/1/name": "crank" },
    "/bodies/1/name",
    'there is a body "crank" already: choose another name',
  ],
  ["a body named ground", { "/bodies/1/name": "ground" }, "/bodies/1/name", "choose another name"],
  [
    "a zero axis of a marker",
    { "/bodies/0/markers/0/axis": [0, 0, 0] },
    "/bodies/0/markers/0/axis",
    'marker "tip" of body "crank": axis is zero',
  ],
  [
    "parallel axes of a marker",
    { "/bodies/0/markers/0/x": [0, 2, 0] },
    "/bodies/0/markers/0/x",
    "x is parallel to axis",
  ],
  [
    "two markers of a name",
    { "/bodies/0/markers/1": { name: "tip" } },
    "/bodies/0/markers/1/name",
    '"tip" already: choose another name',
  ],
  [
    "a marker of the ground without direction",
    { "/ground/markers/0/axis": [0, 0, 0] },
    "/ground/markers/0/axis",
    'marker "base" of body "ground": axis is zero',
  ],
];

export const references: Mistake[] = [
  [
    "an unknown body",
    { "/joints/0/between/1": "cranck" },
    "/joints/0/between/1",
    'there is no body "cranck": did you mean crank?',
  ],
  [
    "a body that is nothing like the others",
    { "/joints/0/between/1": "zzz" },
    "/joints/0/between/1",
    'there is no body "zzz": there are ground, crank, rocker',
  ],
  [
    "an unknown marker",
    { "/forces/1/on/marker": "top" },
    "/forces/1/on/marker",
    'there is no marker "top" of "crank": did you mean tip?',
  ],
  [
    "a marker of a body that has none",
    { "/forces/1/on/of": "rocker" },
    "/forces/1/on/marker",
    'there is no marker "tip" of "rocker": there are none',
  ],
  [
    "a marker of an unknown body",
    { "/forces/1/on/of": "crnak" },
    "/forces/1/on/of",
    'there is no body "crnak": did you mean crank?',
  ],
  [
    "an unknown joint",
    { "/joints/2/joint": "hnge" },
    "/joints/2/joint",
    'there is no joint "hnge" before this one in the list: did you mean hinge?',
  ],
  [
    "a joint that comes later",
    {
      "/joints/2/joint": "shaft",
      "/joints/3": {
        type: "parallel",
        name: "shaft",
        between: ["ground", "rocker"],
        axis: [0, 1, 0],
      },
    },
    "/joints/2/joint",
    'joint "shaft" is defined later: move it before this entry',
  ],
  [
    "a joint without an angle",
    { "/joints/0/type": "fixed" },
    "/joints/2/joint",
    'joint is fixed "hinge", which has no angle: use one that turns about an axis, like revolute',
  ],
  [
    "a plane of an unknown body",
    { "/joints/3": { type: "rollingSphere", body: "rocker", radius: 1, plane: { body: "floor" } } },
    "/joints/3/plane/body",
    'there is no body "floor"',
  ],
  [
    "a gear of an unknown joint",
    { "/joints/3": { type: "gear", joints: ["hinge", "elbo"], ratio: 2 } },
    "/joints/3/joints/1",
    'there is no joint "elbo" before this one in the list: did you mean elbow?',
  ],
];

export const joints: Mistake[] = [
  ["a body twice", { "/joints/0/between/0": "crank" }, "/joints/0", "give two different bodies"],
  [
    "a zero axis",
    { "/joints/0/axis": [0, 0, 0] },
    "/joints/0/axis",
    'revolute "hinge": axis is zero and has no direction',
  ],
  ["no axis", { "/joints/0/axis": undefined }, "/joints/0", "axis is missing: a direction of the"],
  ["no point", { "/joints/0/at": undefined }, "/joints/0", "at is missing: a point of the world"],
  [
    "a point beside a marker",
    { "/joints/0/between/0": { marker: "base", of: "ground" }, "/joints/0/axis": undefined },
    "/joints/0/at",
    "at cannot be combined with a marker: the marker says where",
  ],
  [
    "a name twice",
    { "/joints/1/name": "hinge" },
    "/joints/1/name",
    'there is a joint "hinge" already: choose another name',
  ],
  [
    "compliance of an unknown row",
    { "/joints/0/compliance": { "tilt 3": 1 } },
    "/joints/0/compliance",
    'compliance: there is no row "tilt 3": did you mean tilt 1?',
  ],
];

export const forces: Mistake[] = [
  [
    "a negative stiffness",
    { "/forces/0/stiffness": -1 },
    "/forces/0/stiffness",
    '"stiffness" is -1; give a number >= 0',
  ],
  [
    "a spring that does nothing",
    { "/forces/0/stiffness": undefined, "/forces/0/force": undefined },
    "/forces/0",
    "give stiffness, damping or force",
  ],
  [
    "axes of a marker that is none",
    { "/forces/1/on": "crank", "/forces/1/frame": "marker" },
    "/forces/1/frame",
    'frame is "marker", but on is a body',
  ],
  [
    "a load on the ground",
    { "/forces/1/on": "ground" },
    "/forces/1/on",
    "on must be a body, not the ground",
  ],
  [
    "four numbers of a bushing",
    {
      "/forces/2": {
        type: "bushing",
        between: ["crank", "rocker"],
        at: [1, 0, 0],
        damping: [1, 1, 1, 1],
      },
    },
    "/forces/2/damping",
    "damping must be 3 or 6 numbers, not 4",
  ],
];
