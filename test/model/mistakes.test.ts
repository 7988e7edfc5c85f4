import { compile, model, sphere } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { expectMessages, scene } from "./mistakes-support.js";

// Exact error messages for wrong joints and forces that bypass the types.

describe("joints", () => {
  const at = [0, 0, 0];
  const axis = [0, 0, 1];
  expectMessages([
    [(m) => m.revolute(), "revolute: options must be an object, not undefined"],
    [(m) => m.revolute({ at, axis }), "revolute 2: between is missing; give two bodies or markers"],
    [
      (m, { crank }) => m.revolute({ between: [crank], at, axis }),
      'revolute 2: between must be two bodies or markers, not [body "crank"]',
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
      'spherical 2: between[1]: the model has no body or marker "rocker": there are ground, crank, body 2',
    ],
    [
      (m, { crank }) => m.spherical({ between: [crank, "crnk"], at }),
      'spherical 2: between[1]: the model has no body or marker "crnk": did you mean crank?',
    ],
    [
      (m, { crank }) => m.spherical({ between: [crank, 3], at }),
      "spherical 2: between[1] must be a body or a marker of this model, not 3",
    ],
    [
      (m, { crank, rocker }) => m.spherical({ between: [crank, rocker], at, compliance: { w: 1 } }),
      'spherical 2: compliance: there is no row "w": there are x, y, z',
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
      "distance 1: length is 0; give a positive number",
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
      "screw 1: pitch is missing; give a finite number",
    ],
    [
      (m, { crank, rocker }) => m.screw({ between: [crank, rocker], at, axis, pitch: 0 }),
      "screw 1: pitch is zero: a screw that does not advance is a revolute",
    ],
  ]);

  test("a marker together with a point is rejected", () => {
    const { m, crank, rocker } = scene();
    const marker = crank.marker();
    expect(() => m.revolute({ between: [marker, rocker], at: [0, 0, 0] })).toThrow(
      "revolute 2: at cannot be combined with a marker: the marker says where",
    );
    expect(() => m.distance({ between: [marker, rocker], atA: [0, 0, 0] })).toThrow(
      "distance 1: atA cannot be combined with a marker: the marker says where",
    );
    expect(() => m.universal({ between: [marker, rocker], axisA: [0, 0, 1] })).toThrow(
      "universal 1: axisA cannot be combined with a marker: the arm is the z of the marker",
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
    [
      (m, { hinge }) => m.driveAngle({ joint: hinge }),
      "driveAngle 1: angle is missing; give a number, a formula or a function of time",
    ],
    [
      (m, { hinge }) => m.driveAngle({ joint: hinge, angle: "fast" }),
      'driveAngle 1: angle: unknown name "fast": there are t, pi, e (at character 1 of "fast")',
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

describe("rolling, knife edges and user rows", () => {
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
      "rollingDisk 1: the disk lies flat at the start: tilt it",
    ],
    [
      (m, { crank }) => m.rollingSphere({ body: crank, radius: -1 }),
      "rollingSphere 1: radius is -1; give a positive number",
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
      "knifeEdge 1: direction is missing: the blade's direction in the world",
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
      "constraint 1: value must be a formula for each row, or a function of poses, not 3",
    ],
  ]);
});

describe("forces", () => {
  expectMessages([
    [
      (m, { m: { ground } }) => m.pointForce({ on: ground, force: [0, 0, 1] }),
      "pointForce 1: on must be a body, not the ground",
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
      'torque 1: frame is "local"; give one of "world", "body", "marker"',
    ],
    [
      (m, { crank, rocker }) => m.spring({ between: [crank, rocker] }),
      "spring 1: give stiffness, damping or force",
    ],
    [
      (m, { crank, rocker }) => m.spring({ between: [crank, rocker], stiffness: -1 }),
      "spring 1: stiffness is -1; give a number >= 0, or for something that drives the motion a law for force",
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
      "bushing 1: give stiffness, damping, force or torque",
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
      'tyre 1: height: unknown name "hilly": there are x, y, t, pi, e (at character 1 of "hilly")',
    ],
    [
      (m, { crank }) => m.tyre({ wheel: crank, stiffness: 1, slope: () => [0, 0] }),
      "tyre 1: slope is given, but height is not a function",
    ],
    [
      (m, { crank }) => m.userForce({ bodies: [crank] }),
      "userForce 1: give apply, a function of motions, or loads, formulas for each body",
    ],
    [
      (m, { stranger }) => m.userForce({ bodies: [stranger], apply: () => {} }),
      'userForce 1: bodies[0] is body "stranger" of another model: use a body of this one',
    ],
  ]);
});

test.each([
  [
    "linearize",
    "write linearise(simulation) of nodrift/bodies, where simulation = system.simulate({ step })",
  ],
  ["inverseKinematics", "write simulation.setCoordinates({ joint: angle })"],
  ["solve", "write solve(system, { span }), where system = await compile(model)"],
  ["hinge", "did you mean revolute?"],
])(
  "calling the unknown method %s of a model, a system, a simulation or a solution suggests the right call",
  async (name, answer) => {
    const m = model();
    m.body({ mass: 1, shape: sphere({ radius: 1 }) });
    const system = await compile(m);
    const objects = [m, system, system.simulate({ step: 1 }), solve(system, { span: [0, 1] })];
    const [first, ...others] = objects.map(
      (one) => (one as unknown as Record<string, () => void>)[name],
    );
    expect(first).toThrow(answer);
    // Names that only models have are unknown elsewhere, and properties that runtimes probe do not exist.
    for (const other of others) {
      if (name === "hinge") expect(other).toBeUndefined();
      else expect(other).toThrow(/: there is no method .*(write|did you mean) /);
    }
    for (const one of objects) expect((one as { then?: unknown }).then).toBeUndefined();
  },
);
