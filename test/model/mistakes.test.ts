import { box, cylinder, type Model, model, rod, sphere } from "nodrift/bodies";
import { describe, expect, test } from "vitest";

// What users do wrong, past the types, and what they are told: word by word.

const solid = { mass: 1, shape: sphere({ radius: 1 }) };

/** A model with two bodies and two joints, and another model. */
function scene() {
  const m = model();
  const crank = m.body({ ...solid, name: "crank" });
  const rocker = m.body({ ...solid, position: [1, 0, 0] });
  const hinge = m.revolute({ between: [m.ground, crank], at: [0, 0, 0], axis: [0, 1, 0] });
  const ball = m.spherical({ name: "hip", between: [crank, rocker], at: [0, 0, 0] });
  const slide = m.prismatic({ between: [m.ground, rocker], axis: [1, 0, 0] });
  const other = model();
  const stranger = other.body({ ...solid, name: "stranger" });
  return { m, crank, rocker, hinge, ball, slide, stranger };
}

type Scene = ReturnType<typeof scene>;
/** Calls of methods with any options: tests are past the types. */
type Loose = Record<keyof Model, (options?: unknown) => unknown>;
type Mistake = [(m: Loose, scene: Scene) => unknown, string];

function expectMessages(mistakes: readonly Mistake[]): void {
  for (const [make, message] of mistakes) {
    test(message, () => {
      const things = scene();
      const before = things.m.data();
      const run = () => make(things.m as unknown as Loose, things);
      expect(run).toThrow(expect.objectContaining({ code: "DESCRIPTION", message }));
      expect(things.m.data()).toEqual(before);
    });
  }
}

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
    `body 3: mass is ${value}, but every body needs mass: merge a massless part with its ` +
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
    bad({ name: "" }, 'body: name must be a word or more, not ""'),
    bad({ name: 7 }, "body: name must be a word or more, not 7"),
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
    `body 3: inertia cannot be that of a body: of the principal moments ${a}, ${b} and ${c} the ` +
    "largest exceeds the sum of the others. Check units and signs, and about which point it is: " +
    'about: "origin" if not the centre of mass';
  expectMessages([
    bad([0, 1, 1], moment(0)),
    bad([1, 2, -1], moment(-1)),
    bad([1, 2, 0, 2, 1, 0, 0, 0, 2], moment(-1)),
    bad([1, 2, 3.5], triangle(1, 2, 3.5)),
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

  test("with the same name on one body", () => {
    const { crank, rocker } = scene();
    crank.marker({ name: "tip" });
    rocker.marker({ name: "tip" });
    expect(() => crank.marker({ name: "tip" })).toThrow(
      'marker "tip": there is a marker of crank "tip" already: choose another name',
    );
  });
});

describe("joints", () => {
  const at = [0, 0, 0];
  const axis = [0, 0, 1];
  expectMessages([
    [(m) => m.revolute(), "revolute: options must be an object, not undefined"],
    [(m) => m.revolute({ at, axis }), "revolute 2: between is missing"],
    [
      (m, { crank }) => m.revolute({ between: [crank], at, axis }),
      "revolute 2: between must be two bodies or markers, not [an object]",
    ],
    [
      (m, { crank, rocker }) => m.revolute({ between: [crank, rocker], axis }),
      "revolute 2: at is missing: a point of the world, or use two markers in between",
    ],
    [
      (m, { crank, rocker }) => m.revolute({ between: [crank, rocker], at }),
      "revolute 2: axis is missing: a direction of the world, or use two markers in between",
    ],
    [
      (m, { crank, rocker }) => m.revolute({ between: [crank, rocker], at, axis: [0, 0, 0] }),
      "revolute 2: axis is zero and has no direction: give a vector like [0, 0, 1]",
    ],
    [
      (m, { crank, rocker }) => m.revolute({ between: [crank, rocker], at, axes: axis }),
      "revolute 2: axes is not an option: did you mean axis?",
    ],
    [
      (m, { crank, rocker }) => m.spherical({ between: [crank, rocker], at, name: "hip" }),
      'spherical "hip": there is a joint "hip" already: choose another name',
    ],
    [
      (m, { crank }) => m.spherical({ between: [crank, crank], at }),
      'spherical 2: both sides are body "crank": give two different bodies',
    ],
    [
      (m, { m: { ground } }) => m.fixed({ between: [ground, ground] }),
      "fixed 1: both sides are the ground: one must be a body",
    ],
    [
      (m, { crank, stranger }) => m.spherical({ between: [crank, stranger], at }),
      'spherical 2: between[1] is body "stranger" of another model: use a body or a marker of this one',
    ],
    [
      (m, { crank, hinge }) => m.spherical({ between: [crank, hinge], at }),
      'spherical 2: between[1] must be a body or a marker of this model, not joint "revolute 1"',
    ],
    [
      (m, { crank }) => m.spherical({ between: [crank, "rocker"], at }),
      'spherical 2: between[1] must be a body or a marker of this model, not "rocker"',
    ],
    [
      (m, { crank, rocker }) => m.spherical({ between: [crank, rocker], at, compliance: { w: 1 } }),
      'spherical 2: compliance: there is no row "w": did you mean x?',
    ],
    [
      (m, { crank, rocker }) => m.spherical({ between: [crank, rocker], at, compliance: -1 }),
      "spherical 2: compliance must not be negative, but is -1",
    ],
    [
      (m, { crank, rocker }) =>
        m.spherical({ between: [crank, rocker], at, compliance: { x: Number.NaN } }),
      'spherical 2: compliance of "x" must be a finite number, not NaN',
    ],
    [
      (m, { crank, rocker }) => m.distance({ between: [crank, rocker], atA: at, atB: at }),
      "distance 1: the points coincide at the start: use spherical, or move one of them",
    ],
    [
      (m, { crank, rocker }) => m.distance({ between: [crank, rocker], length: 0 }),
      "distance 1: length must be positive, not 0",
    ],
    [
      (m, { crank, rocker }) =>
        m.universal({ between: [crank, rocker], at, axisA: [1, 0, 0], axisB: [1, 1, 0] }),
      "universal 1: axisA and axisB must be perpendicular at the start, but are 45.000 degrees apart",
    ],
    [
      (m, { crank, rocker }) => m.universal({ between: [crank, rocker], at, axisA: [1, 0, 0] }),
      "universal 1: axisB is missing: a direction of the world, or use two markers in between",
    ],
    [
      (m, { crank, rocker }) => m.screw({ between: [crank, rocker], at, axis }),
      "screw 1: pitch is missing",
    ],
    [
      (m, { crank, rocker }) => m.screw({ between: [crank, rocker], at, axis, pitch: 0 }),
      "screw 1: pitch is zero: a screw that does not advance is a revolute",
    ],
  ]);

  test("with a marker and a place as well", () => {
    const { m, crank, rocker } = scene();
    const marker = crank.marker();
    expect(() => m.revolute({ between: [marker, rocker], at: [0, 0, 0] })).toThrow(
      "revolute 2: at cannot be given with a marker: the marker says where",
    );
    expect(() => m.distance({ between: [marker, rocker], atA: [0, 0, 0] })).toThrow(
      "distance 1: atA cannot be given with a marker: the marker says where",
    );
    expect(() => m.universal({ between: [marker, rocker], axisA: [0, 0, 1] })).toThrow(
      "universal 1: axisA cannot be given with a marker: the arm is the z of the marker",
    );
    expect(() => m.spherical({ between: [marker, crank], at: [0, 0, 0] })).toThrow(
      'spherical 2: both sides are body "crank": give two different bodies',
    );
  });
});

describe("couplings and drives", () => {
  expectMessages([
    [
      (m, { hinge, ball }) => m.gear({ joints: [hinge, ball], ratio: 2 }),
      'gear 1: joints[1] is spherical "hip", which has no angle: use one that turns about an axis, ' +
        "like revolute",
    ],
    [
      (m, { hinge, slide }) => m.gear({ joints: [hinge, slide], ratio: 2 }),
      "gear 1: joints[1] is prismatic 1, which has no angle: it has displacement",
    ],
    [
      (m, { hinge }) => m.gear({ joints: [hinge, hinge], ratio: 2 }),
      "gear 1: both joints are the same: give two different ones",
    ],
    [
      (m, { hinge }) => m.gear({ joints: hinge, ratio: 2 }),
      "gear 1: joints must be two joints that have an angle",
    ],
    [
      (m, { hinge, slide }) => m.rackAndPinion({ pinion: slide, rack: hinge, radius: 1 }),
      "rackAndPinion 1: pinion is prismatic 1, which has no angle: it has displacement",
    ],
    [
      (m, { hinge, slide }) => m.rackAndPinion({ pinion: hinge, rack: slide, radius: 0 }),
      "rackAndPinion 1: radius is zero: the rack would not move at all",
    ],
    [(m, { hinge }) => m.driveAngle({ joint: hinge }), "driveAngle 1: angle is missing"],
    [
      (m, { hinge }) => m.driveAngle({ joint: hinge, angle: "fast" }),
      'driveAngle 1: angle must be a number or a function of time, not "fast"',
    ],
    [
      (m, { hinge }) => m.driveAngle({ joint: hinge, angle: { value: 3 } }),
      "driveAngle 1: angle.value must be a function of time, not 3",
    ],
    [
      (m, { hinge }) => m.driveAngle({ joint: hinge, angle: { value: () => 0, rates: () => 0 } }),
      "driveAngle 1: angle: rates is not an option: did you mean rate?",
    ],
    [
      (m, { hinge }) => m.driveDisplacement({ joint: hinge, displacement: 1 }),
      "driveDisplacement 1: joint is revolute 1, which has no displacement: it has angle",
    ],
    [
      (m, { crank }) => m.driveAngle({ joint: crank, angle: 1 }),
      'driveAngle 1: joint must be a joint of this model, not body "crank"',
    ],
    [
      (m, { crank, rocker }) =>
        m.driveLength({ between: [crank, rocker], length: (t: number) => t }),
      "driveLength 1: length must be positive, but is 0 at t = 0",
    ],
  ]);
});

describe("rolling, gliding and own rows", () => {
  expectMessages([
    [
      (m, { m: { ground } }) => m.rollingSphere({ body: ground, radius: 1 }),
      "rollingSphere 1: body is the ground, which does not roll",
    ],
    [
      (m, { crank }) => m.rollingDisk({ body: crank, radius: 1 }),
      "rollingDisk 1: axis is missing: the axle, in the world",
    ],
    [
      (m, { crank }) => m.rollingDisk({ body: crank, radius: 1, axis: [0, 0, 1] }),
      "rollingDisk 1: the disk lies flat at the start, and touches the plane nowhere: lean it",
    ],
    [
      (m, { crank }) => m.rollingSphere({ body: crank, radius: -1 }),
      "rollingSphere 1: radius must be positive, not -1",
    ],
    [
      (m, { crank }) => m.rollingSphere({ body: crank, radius: 1, plane: { body: crank } }),
      'rollingSphere 1: both sides are body "crank": give two different bodies',
    ],
    [
      (m, { crank }) => m.rollingSphere({ body: crank, radius: 1, plane: { norml: [0, 0, 1] } }),
      "rollingSphere 1: plane: norml is not an option: did you mean normal?",
    ],
    [
      (m, { crank }) => m.knifeEdge({ body: crank }),
      "knifeEdge 1: direction is missing: along the blade, in the world",
    ],
    [
      (m, { crank }) => m.knifeEdge({ body: crank, direction: [0, 0, 1] }),
      "knifeEdge 1: direction is parallel to up: the blade must lie across it",
    ],
    [
      (m, { m: { ground } }) => m.constraint({ bodies: [ground], rows: ["a"], value: () => [0] }),
      "constraint 1: bodies[0] is the ground, which does not move",
    ],
    [
      (m, { crank }) => m.constraint({ bodies: [crank, crank], rows: ["a"], value: () => [0] }),
      'constraint 1: body "crank" is in bodies twice',
    ],
    [
      (m, { crank }) => m.constraint({ bodies: [crank], rows: 2, value: () => [0] }),
      'constraint 1: rows must be one or more names, like ["height"], not 2',
    ],
    [
      (m, { crank }) => m.constraint({ bodies: [crank], rows: ["a", "a"], value: () => [0] }),
      'constraint 1: rows has the name "a" twice',
    ],
    [
      (m, { crank }) => m.constraint({ bodies: [crank], rows: ["a"], value: 3 }),
      "constraint 1: value must be a function of poses, not 3",
    ],
  ]);
});

describe("forces", () => {
  expectMessages([
    [
      (m, { m: { ground } }) => m.pointForce({ on: ground, force: [0, 0, 1] }),
      "pointForce 1: on is the ground, which does not move: choose a body",
    ],
    [
      (m, { crank }) => m.pointForce({ on: crank, force: [0, 1] }),
      "pointForce 1: force must be 3 numbers, not a list of 2",
    ],
    [
      (m, { crank }) => m.pointForce({ on: crank, force: [0, 0, 1], frame: "marker" }),
      'pointForce 1: frame is "marker", but on is a body: use "body", or a marker',
    ],
    [
      (m, { crank }) => m.torque({ on: crank, torque: [0, 0, 1], frame: "local" }),
      'torque 1: frame must be "world" or "body" or "marker", not "local"',
    ],
    [
      (m, { crank, rocker }) => m.spring({ between: [crank, rocker] }),
      "spring 1: stiffness, damping or force is missing: without one it does nothing",
    ],
    [
      (m, { crank, rocker }) => m.spring({ between: [crank, rocker], stiffness: -1 }),
      "spring 1: stiffness must not be negative, but is -1: for something that drives the motion, " +
        "give force a law",
    ],
    [
      (m, { crank, m: { ground } }) => m.spring({ between: [crank, ground], stiffness: 1 }),
      "spring 1: the points coincide at the start: a spring needs a direction. Move one of them, or " +
        "use bushing",
    ],
    [
      (m, { crank, rocker }) => m.spring({ between: [crank, rocker], stifness: 1 }),
      "spring 1: stifness is not an option: did you mean stiffness?",
    ],
    [
      (m, { ball }) => m.torsionSpring({ joint: ball, stiffness: 1 }),
      'torsionSpring 1: joint is spherical "hip", which has no angle: use one that turns about an ' +
        "axis, like revolute",
    ],
    [
      (m, { crank, rocker }) =>
        m.bushing({ between: [crank, rocker], at: [0, 0, 0], stiffness: [1, 2] }),
      "bushing 1: stiffness must be 3 or 6 numbers, not 2",
    ],
    [
      (m, { crank, rocker }) =>
        m.bushing({ between: [crank, rocker], at: [0, 0, 0], damping: [1, 2, -3] }),
      "bushing 1: damping[2] must not be negative, but is -3",
    ],
    [
      (m, { crank, rocker }) => m.bushing({ between: [crank, rocker], at: [0, 0, 0] }),
      "bushing 1: stiffness or damping is missing: without one it does nothing",
    ],
    [
      (m, { crank }) => m.drag({ on: crank }),
      "drag 1: all coefficients are zero: give linear, quadratic, angular or angularQuadratic",
    ],
    [
      (m, { crank }) => m.tyre({ wheel: crank, road: crank, stiffness: 1 }),
      'tyre 1: both sides are body "crank": give two different bodies',
    ],
    [
      (m, { crank }) => m.tyre({ wheel: crank, stiffness: 1, height: "hilly" }),
      'tyre 1: height must be a number or a function of x, y and t, not "hilly"',
    ],
    [
      (m, { crank }) => m.tyre({ wheel: crank, stiffness: 1, slope: () => [0, 0] }),
      "tyre 1: slope is given, but height is not a function",
    ],
    [(m, { crank }) => m.userForce({ bodies: [crank] }), "userForce 1: apply is missing"],
    [
      (m, { stranger }) => m.userForce({ bodies: [stranger], apply: () => {} }),
      'userForce 1: bodies[0] is body "stranger" of another model: use a body of this one',
    ],
  ]);
});
