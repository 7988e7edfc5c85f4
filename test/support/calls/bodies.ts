// Calls of `nodrift/bodies`: models, the objects they create, and readings.

import * as batches from "nodrift/batch";
import * as bodies from "nodrift/bodies";
import { parseMethod } from "nodrift/solve";
import { forceCases } from "../force-cases.js";
import { freePair, jointCases, type Pair } from "../joint-cases.js";
import { type Call, exported, method } from "./call.js";
import { hinged, type World } from "./world.js";

const { model, rod } = bodies;

/** Methods of a model, with valid options. */
const METHODS: Readonly<Record<string, (pair: Pair) => object>> = {
  ...Object.fromEntries(
    Object.entries({ ...jointCases, ...forceCases }).map(([type, { example }]) => [type, example]),
  ),
  userForce: ({ a }) => ({ name: "f", bodies: [a], apply: () => {} }),
  body: () => ({
    name: "c",
    mass: 1,
    shape: rod({ length: 1 }),
    centre: [0, 0, 0],
    position: [0, 0, 0],
    orientation: { axis: [0, 0, 1], angle: 0.1 },
    velocity: [0, 0, 0],
    angularVelocity: [0, 0, 1],
  }),
};

export function bodyCalls(world: World): Call[] {
  const entry = "nodrift/bodies";
  const { compiled, simulateBodies } = world;
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
      {
        time: 0,
        unnormalisedEulerParameters: false,
        joints: { hinge: { angle: 0.3, angleRate: 1 } },
        tree: { keep: ["hinge"], cut: [], free: [] },
      },
    ]),
    exported(entry, "defaultMethod", bodies.defaultMethod, () => []),
    exported(entry, "equilibrium", bodies.equilibrium, () => [
      compiled,
      { q: [...compiled.q], time: 0, tolerance: 1e-10, iterations: 100 },
    ]),
    exported(entry, "initBodies", bodies.initBodies, () => [undefined], ["init"]),
    ...Object.entries(METHODS).map(([name, options]) => ({
      ...method(
        "Model",
        name,
        () => {
          const pair = freePair();
          return { on: pair.m, given: [options(pair)] };
        },
        [`${name} `, "row", "points"],
      ),
      refusesMore: true,
    })),
    {
      ...method("Model", "parameter", () => ({ on: freePair().m, given: ["k", 2] }), [
        "name",
        "value",
      ]),
      refusesMore: true,
    },
    method("Model", "parameters", () => ({ on: freePair().m, given: [] })),
    method("CompiledModel", "with", () => ({ on: compiled, given: ["bar", { mass: 2 }] }), [
      "body",
      "parameters",
      "numbers",
    ]),
    {
      ...method("Model", "owns", () => ({ on: freePair().m, given: [freePair().a] })),
      takesAll: true,
    },
    method("Body", "marker", () => ({
      on: freePair().a,
      given: [{ name: "tip", at: [1, 0, 0], axis: [0, 0, 1], x: [1, 0, 0], frame: "body" }],
    })),
    method("CompiledModel", "simulate", () => ({
      on: compiled,
      given: [{ step: 0.01, method: parseMethod("udwadiaKalaba + projection + rk4") }],
    })),
    method("CompiledModel", "without", () => ({ on: compiled, given: ["push"] }), ["names"]),
    ...batchCalls(compiled),
    ...readingCalls(simulateBodies),
  ];
}

function batchCalls(compiled: World["compiled"]): Call[] {
  const entry = "nodrift/batch";
  const two = batches.batch(compiled, 2, { step: 1e-3 });
  const on = (given: unknown[]) => () => ({ on: two, given: structuredClone(given) });
  const column = on(["hinge angle", new Float64Array(2)]);
  return [
    exported(entry, "initLanes", batches.initLanes, () => [undefined], ["init"]),
    exported(entry, "batch", batches.batch, () => [compiled, 2, { step: 1e-3 }]),
    method("Batch", "advance", on([3, [1, 0]]), ["steps", "mask"]),
    method("Batch", "advanceTo", on([1e9, [0, 0]]), ["time", "mask"]),
    method("Batch", "positions", column, ["coordinate", "out"]),
    method("Batch", "velocities", column, ["coordinate", "out"]),
    method("Batch", "reset", on([1]), ["instance"]),
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
  const space = (given: unknown[]) => () => ({
    on: bodies.jointSpace(simulate()),
    given: structuredClone(given),
  });
  return [
    method("BodySimulation", "body", on(["bar"])),
    method("BodySimulation", "joint", on(["hinge"])),
    method("BodySimulation", "force", on(["push"])),
    method("BodySimulation", "set", on(["bar", { mass: 2, centre: [0, 0, 0.1] }]), [
      "body",
      "parameters",
      "numbers",
    ]),
    method("BodySimulation", "push", on(["bar", { force: [1, 0, 0], at: [0, 0, 0], for: 0.1 }]), [
      "body",
    ]),
    method("BodySimulation", "grab", on(["bar", [0, 0, 0], { frequency: 2, maximumForce: 9 }]), [
      "body",
      "point",
    ]),
    method("BodySimulation", "record", on([{ every: 2, snapshots: 2 }])),
    method(
      "BodySimulation",
      "replay",
      () => {
        const simulation = simulate();
        const recording = simulation.record();
        simulation.advance(2);
        return { on: simulation, given: [structuredClone(recording.stop())] };
      },
      ["snapshot", "restore", "command"],
    ),
    method("BodySimulation", "namedState", on([])),
    {
      // Unwrapped angles and states may belong to parts that the model had before a change.
      takesAll: true,
      ...method(
        "BodySimulation",
        "setNamedState",
        () => {
          const simulation = simulate();
          return { on: simulation, given: [structuredClone(simulation.namedState())] };
        },
        ["body", "bodies", "turns"],
      ),
    },
    method(
      "Grip",
      "moveTo",
      () => ({ on: simulate().grab("bar", [0, 0, 0]), given: [[0, 0, 1]] }),
      ["place"],
    ),
    method("Recording", "rewind", () => {
      const simulation = simulate();
      const recording = simulation.record();
      simulation.advance(2);
      return { on: recording, given: [simulation.time] };
    }),
    method("ForceReading", "force", () => ({
      on: simulate().force("push"),
      given: [{ on: "bar", frame: "world" }],
    })),
    method("ForceReading", "torque", () => ({
      on: simulate().force("push"),
      given: [{ on: "bar", frame: "bar" }],
    })),
    method("BodySimulation", "momentum", on([])),
    method("BodySimulation", "angularMomentum", on([[0, 0, 0]]), ["point"]),
    method("BodySimulation", "driveForces", on([])),
    method("BodySimulation", "inverseDynamics", on([[0, 0, 0, 0, 0, 0]]), ["accelerations"]),
    method("BodySimulation", "setCoordinates", on([{ hinge: { angle: 0.3, angleRate: 1 } }]), [
      "joints",
    ]),
    method("JointSpace", "inverseDynamics", space([{ "hinge angle": 1 }]), ["accelerations"]),
    method("JointSpace", "pointJacobian", space(["bar", [1, 0, 0]]), ["point", "body"]),
    exported("nodrift/bodies", "jointSpace", bodies.jointSpace, () => [simulate()]),
    exported("nodrift/bodies", "linearise", bodies.linearise, () => [simulate(), { frozen: true }]),
    method("BodyReading", "read", body(["position", new Float64Array(3), 0]), ["quantity", "out"]),
    method("BodyReading", "point", body([[1, 0, 0]])),
    method("BodyReading", "pointVelocity", body([[1, 0, 0]]), ["point"]),
    method("BodyReading", "angularMomentum", body([[1, 0, 0]]), ["point"]),
    method("JointReading", "force", joint([{ on: "bar", frame: "joint" }])),
    method("JointReading", "torque", joint([{ on: "bar", frame: "world" }])),
  ];
}
