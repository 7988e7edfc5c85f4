import { box, cylinder, model, rod, sphere } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { expectMessages, type Mistake, scene, solid } from "./mistakes-support.js";

// Exact error messages for wrong models that bypass the types.

describe("models", () => {
  expectMessages([
    [
      () => model({ gravty: [0, 0, 0] } as never),
      "model: gravty is not an option: did you mean gravity?",
    ],
    [
      () => model({ gravity: [0, 0] } as never),
      "model: gravity must be 3 numbers, not a list of 2",
    ],
    [
      () => model({ name: "moon", gravity: [0, 0, Number.NaN] }),
      'model "moon": gravity[2] must be a finite number, not NaN',
    ],
    [() => model({ name: 3 } as never), "model: name must be text, not 3"],
  ]);
});

describe("bodies", () => {
  const bad = (options: object, message: string): Mistake => [
    (m) => m.body({ ...solid, ...options }),
    message,
  ];
  const mass = (value: number) =>
    `body 3: mass is ${value}, but must be positive: merge a massless part into its ` +
    "neighbour, replace a massless link by a distance, or give a small mass";
  expectMessages([
    [(m) => m.body(), "body: options must be an object, not undefined"],
    [
      (m) => m.body({ mass: 1, inerta: [1, 1, 1] }),
      "body 3: inerta is not an option: did you mean inertia?",
    ],
    bad(
      { colour: "red" },
      "body 3: colour is not an option: there are name, mass, density, inertia, shape, centre, " +
        "position, orientation, velocity, angularVelocity",
    ),
    bad({ name: "crank" }, 'body "crank": there is a body "crank" already: choose another name'),
    bad({ name: "ground" }, 'body "ground": there is a body "ground" already: choose another name'),
    bad({ name: "" }, 'body: name must be non-empty text, not ""'),
    bad({ name: 7 }, "body: name must be non-empty text, not 7"),
    bad({ mass: 0 }, mass(0)),
    bad({ mass: -2 }, mass(-2)),
    bad({ mass: Number.NaN }, "body 3: mass must be a finite number, not NaN"),
    bad({ mass: "2 kg" }, 'body 3: mass must be a finite number, not "2 kg"'),
    [(m) => m.body({ inertia: [1, 1, 1] }), "body 3: mass is missing"],
    [(m) => m.body({ shape: solid.shape }), "body 3: mass or density is missing"],
    [(m) => m.body({ mass: 1 }), "body 3: inertia or shape is missing"],
    bad({ inertia: [1, 1, 1] }, "body 3: give inertia or shape, not both"),
    bad({ density: 1 }, "body 3: give mass or density, not both"),
    [
      (m) => m.body({ density: -1, shape: solid.shape }),
      "body 3: density must be positive, not -1",
    ],
    [
      (m) => m.body({ density: 1, shape: rod({ length: 1 }) }),
      "body 3: a rod without thickness has no volume: give mass, not density",
    ],
    [
      (m) => m.body({ density: 1 }),
      "body 3: shape must be box, rod, cylinder or sphere({ ... }), and is missing",
    ],
    bad({ shape: "box" }, 'body 3: shape must be box, rod, cylinder or sphere({ ... }), not "box"'),
    bad({ position: [1, 2] }, "body 3: position must be 3 numbers, not a list of 2"),
    bad({ position: 5 }, "body 3: position must be 3 numbers, not 5"),
    bad({ centre: [1, "2", 3] }, 'body 3: centre[1] must be a finite number, not "2"'),
    bad(
      { velocity: [0, 0, Number.POSITIVE_INFINITY] },
      "body 3: velocity[2] must be a finite number, not Infinity",
    ),
    bad(
      { angularVelocity: 3 },
      "body 3: angularVelocity must be 3 numbers or { body: ... }, not 3",
    ),
    bad(
      { angularVelocity: { world: [1, 0, 0] } },
      "body 3: angularVelocity: world is not an option: there are body",
    ),
  ]);
});

describe("orientations", () => {
  const bad = (orientation: unknown, message: string): Mistake => [
    (m) => m.body({ ...solid, orientation }),
    message,
  ];
  expectMessages([
    bad(
      [1, 1, 0, 0],
      `body 3: orientation is a quaternion of length ${Math.SQRT2}: divide it by that, or give { axis, angle }`,
    ),
    bad([1, 0, 0, Number.NaN], "body 3: orientation[3] must be a finite number, not NaN"),
    bad(
      { axis: [0, 0, 0], angle: 1 },
      "body 3: orientation.axis is zero and has no direction: give a vector like [0, 0, 1]",
    ),
    bad({ axis: [0, 0, 1] }, "body 3: orientation: angle is missing"),
    bad("up", "body 3: orientation must be a quaternion, { axis, angle } or a rotation matrix"),
    bad(
      [1, 0, 0],
      "body 3: orientation must be a 3 x 3 matrix: three rows of 3, or 9 numbers by columns",
    ),
    bad(
      [1, 0, 0, 0, 2, 0, 0, 0, 1],
      "body 3: orientation is not a rotation: its columns must be orthogonal, of length 1",
    ),
    bad(
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, -1],
      ],
      "body 3: orientation is a reflection (determinant -1): change the sign of one column",
    ),
  ]);
});

describe("inertia", () => {
  const bad = (inertia: unknown, message: string, rest = {}): Mistake => [
    (m) => m.body({ mass: 2, inertia, ...rest }),
    message,
  ];
  const moment = (value: number) =>
    `body 3: inertia has the principal moment ${value}: all three must be positive. ` +
    "A thin rod needs a little about its own axis too: use shape: rod({ length })";
  const triangle = (a: number, b: number, c: number) =>
    `body 3: inertia is impossible for a body: of the principal moments ${a}, ${b} and ${c} the ` +
    "largest exceeds the sum of the others. Check units and signs, and about which point it is: " +
    'about: "origin" if not the centre of mass';
  expectMessages([
    bad([0, 1, 1], moment(0)),
    bad([1, 2, -1], moment(-1)),
    bad([1, 2, 0, 2, 1, 0, 0, 0, 2], moment(-1)),
    bad([1, 2, 3.5], triangle(1, 2, 3.5)),
    bad([1, 2, 3.46], triangle(1, 2, 3.46)),
    bad({ principal: [1, 5, 1], axes: { axis: [1, 2, 3], angle: 1 } }, triangle(1, 1, 5)),
    bad({ tensor: [1.5, 1.5, 1.5], about: "origin" }, moment(-0.5), { centre: [0, 1, 0] }),
    bad(
      [
        [1, 0.2, 0],
        [0.1, 1, 0],
        [0, 0, 1],
      ],
      "body 3: inertia must be symmetric, but xy is 0.2 on one side and 0.1 on the other",
    ),
    bad([1, 2], "body 3: inertia must be 3, 9 or 3 x 3 numbers, not 2"),
    bad([1, 1, Number.NaN], "body 3: inertia[2] must be a finite number, not NaN"),
    bad(
      [
        [1, 0, 0],
        [0, 1],
        [0, 0, 1],
      ],
      "body 3: inertia[1] must be 3 numbers, not a list of 2",
    ),
    bad(5, "body 3: inertia must be 3 moments, a 3 x 3 tensor, or an object with one of them"),
    bad({}, "body 3: inertia: tensor is missing"),
    bad(
      { principal: [1, 1, 1], about: "center" },
      'body 3: inertia.about must be "centre" or "origin", not "center"',
    ),
    bad(
      { principle: [1, 1, 1] },
      "body 3: inertia: principle is not an option: there are tensor, about",
    ),
  ]);
});

describe("shapes", () => {
  expectMessages([
    [() => box({ x: 1, y: 0, z: 1 }), "box: y must be positive, not 0"],
    [() => box({ x: 1, y: 1 } as never), "box: z is missing"],
    [() => rod({ length: Number.NaN }), "rod: length must be a finite number, not NaN"],
    [
      () => cylinder({ radius: 1, length: 1, axis: [0, 0, 0] }),
      "cylinder: axis is zero and has no direction: give a vector like [0, 0, 1]",
    ],
    [
      () => sphere({ radius: 1, hollow: true } as never),
      "sphere: hollow is not an option: there are radius, shell",
    ],
    [() => sphere({ radius: 1, shell: 1 } as never), "sphere: shell must be true or false, not 1"],
  ]);
});

describe("markers", () => {
  const bad = (options: object, message: string): Mistake => [
    (_m, { crank }) => crank.marker(options as never),
    message,
  ];
  expectMessages([
    bad({ at: [1, 2] }, 'marker 1 of body "crank": at must be 3 numbers, not a list of 2'),
    bad(
      { axis: [0, 0, 0] },
      'marker 1 of body "crank": axis is zero and has no direction: give a vector like [0, 0, 1]',
    ),
    bad(
      { name: "tip", axis: [0, 0, 1], x: [0, 0, -3] },
      'marker "tip" of body "crank": x is parallel to axis: it must point across it',
    ),
    bad(
      { frame: "earth" },
      'marker 1 of body "crank": frame must be "body" or "world", not "earth"',
    ),
    bad({ att: [0, 0, 0] }, 'marker of body "crank": att is not an option: did you mean at?'),
  ]);

  test("a duplicate marker name on one body is rejected", () => {
    const { crank, rocker } = scene();
    crank.marker({ name: "tip" });
    rocker.marker({ name: "tip" });
    expect(() => crank.marker({ name: "tip" })).toThrow(
      'marker "tip": there is a marker of crank "tip" already: choose another name',
    );
  });
});
