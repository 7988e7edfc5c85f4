// Calls of `nodrift/bodies`: models, what they make, and readings.

import * as bodies from "nodrift/bodies";
import { type Call, exported, method } from "./call.js";
import { hinged, type World } from "./world.js";

const { model, rod } = bodies;

/** Two bodies of a model, with a hinge and a slide, and options for each of its methods. */
function bench() {
  const m = model({ name: "bench" });
  const a = m.body({ name: "a", mass: 1, inertia: [1, 1, 1] });
  const b = m.body({ name: "b", mass: 1, inertia: [1, 1, 1], position: [1, 0, 0] });
  const hinge = m.revolute({
    name: "hinge",
    between: [m.ground, a],
    at: [0, 0, 0],
    axis: [0, 0, 1],
  });
  const other = m.revolute({ name: "other", between: [a, b], at: [1, 0, 0], axis: [0, 0, 1] });
  const slide = m.prismatic({ name: "slide", between: [m.ground, b], axis: [1, 0, 0] });
  const pair = { between: [a, b] };
  const axis = { ...pair, at: [0.5, 0, 0], axis: [0, 0, 1] };
  const options: Readonly<Record<string, object>> = {
    revolute: { name: "r", ...axis, compliance: 1e-9 },
    prismatic: { ...pair, axis: [1, 0, 0], compliance: 1e-9 },
    cylindrical: { ...axis },
    spherical: { ...pair, at: [0, 0, 0] },
    universal: { ...pair, at: [0, 0, 0], axisA: [1, 0, 0], axisB: [0, 1, 0] },
    planar: { ...axis },
    fixed: { ...pair },
    parallel: { ...pair, axis: [0, 0, 1] },
    pointOnLine: { ...axis },
    pointOnPlane: { ...axis },
    distance: { ...pair, atA: [0, 0, 0], atB: [1, 0, 0], length: 1 },
    screw: { ...axis, pitch: 0.1 },
    gear: { joints: [hinge, other], ratio: 2 },
    rackAndPinion: { pinion: hinge, rack: slide, radius: 0.1 },
    knifeEdge: { body: a, at: [0, 0, 0], direction: [1, 0, 0], up: [0, 0, 1] },
    rollingSphere: {
      body: a,
      radius: 0.1,
      plane: { point: [0, 0, -0.1], normal: [0, 0, 1] },
      centre: [0, 0, 0],
    },
    rollingDisk: {
      body: a,
      radius: 0.1,
      axis: [0, 1, 0],
      plane: { point: [0, 0, -0.1] },
      centre: [0, 0, 0],
    },
    driveAngle: { joint: hinge, angle: (t: number) => t },
    driveDisplacement: {
      joint: slide,
      displacement: { value: (t: number) => t, rate: () => 1, acceleration: () => 0 },
    },
    driveLength: { ...pair, length: 1 },
    constraint: { bodies: [a, b], rows: ["row"], value: () => [0] },
    pointForce: { on: a, at: [0, 0, 0], force: [1, 0, 0], frame: "world" },
    torque: { on: a, torque: [1, 0, 0], frame: "body" },
    spring: { ...pair, stiffness: 10, damping: 1, length: 1 },
    torsionSpring: { joint: hinge, stiffness: 1, damping: 1, angle: 0 },
    bushing: {
      ...pair,
      at: [0, 0, 0],
      axis: [0, 0, 1],
      stiffness: [1, 1, 1, 1, 1, 1],
      damping: [1, 1, 1, 1, 1, 1],
    },
    drag: { on: a, linear: 1, angular: 1 },
    tyre: { wheel: a, radius: 0.3, stiffness: 1e5, damping: 10, height: (x: number) => 0 * x },
    userForce: { name: "f", bodies: [a], apply: () => {} },
    body: {
      name: "c",
      mass: 1,
      shape: rod({ length: 1 }),
      centre: [0, 0, 0],
      position: [0, 0, 0],
      orientation: { axis: [0, 0, 1], angle: 0.1 },
      velocity: [0, 0, 0],
      angularVelocity: [0, 0, 1],
    },
  };
  return { m, a, options };
}

export function bodyCalls(world: World): Call[] {
  const entry = "nodrift/bodies";
  const { compiled, simulateBodies } = world;
  const names = Object.keys(bench().options);
  const shapes: Readonly<Record<string, () => unknown[]>> = {
    box: () => [{ x: 1, y: 2, z: 3 }],
    rod: () => [{ length: 1, axis: [1, 0, 0] }],
    cylinder: () => [{ radius: 1, length: 2, axis: [0, 1, 0] }],
    sphere: () => [{ radius: 1, shell: true }],
  };
  return [
    ...Object.entries(shapes).map(([name, make]) =>
      exported(entry, name, (bodies as Record<string, unknown>)[name], make),
    ),
    exported(entry, "model", model, () => [{ name: "m", gravity: [0, 0, -9.81] }]),
    exported(entry, "compile", bodies.compile, () => [
      hinged(),
      { time: 0, plainEulerParameters: false },
    ]),
    exported(entry, "defaultMethod", bodies.defaultMethod, () => []),
    exported(entry, "initBodies", bodies.initBodies, () => [undefined], ["init"]),
    ...names.map((name) => ({
      ...method(
        "Model",
        name,
        () => {
          const { m, options } = bench();
          return { on: m, given: [options[name]] };
        },
        [`${name} `, "row", "points"],
      ),
      refusesMore: true,
    })),
    {
      ...method("Model", "owns", () => ({ on: bench().m, given: [bench().a] })),
      takesAll: true,
    },
    method("Body", "marker", () => ({
      on: bench().a,
      given: [{ name: "tip", at: [1, 0, 0], axis: [0, 0, 1], x: [1, 0, 0], frame: "body" }],
    })),
    method("CompiledModel", "simulate", () => ({
      on: compiled,
      given: [{ step: 0.01, method: "udwadiaKalaba + projection + rk4" }],
    })),
    method("CompiledModel", "without", () => ({ on: compiled, given: ["push"] }), ["names"]),
    ...readingCalls(simulateBodies),
  ];
}

function readingCalls(simulate: World["simulateBodies"]): Call[] {
  const on = (given: unknown[]) => () => ({ on: simulate(), given: structuredClone(given) });
  const body = (given: unknown[]) => () => ({
    on: simulate().body("bar"),
    given: structuredClone(given),
  });
  const joint = (given: unknown[]) => () => ({
    on: simulate().joint("hinge"),
    given: structuredClone(given),
  });
  return [
    method("BodySimulation", "body", on(["bar"])),
    method("BodySimulation", "joint", on(["hinge"])),
    method("BodySimulation", "momentum", on([])),
    method("BodySimulation", "angularMomentum", on([[0, 0, 0]]), ["point"]),
    method("BodySimulation", "driveForces", on([])),
    method("BodySimulation", "inverseDynamics", on([[0, 0, 0, 0, 0, 0]]), ["accelerations"]),
    method("BodySimulation", "linearise", on([{ frozen: true }])),
    method("BodyReading", "point", body([[1, 0, 0]])),
    method("BodyReading", "pointVelocity", body([[1, 0, 0]]), ["point"]),
    method("BodyReading", "angularMomentum", body([[1, 0, 0]]), ["point"]),
    method("JointReading", "force", joint([{ on: "bar", frame: "joint" }])),
    method("JointReading", "torque", joint([{ on: "bar", frame: "world" }])),
  ];
}
