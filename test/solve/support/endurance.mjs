// Run by `node --expose-gc` on the built package: prints the allocations in the steps of a run, and the growth of the
// heap. Numbers that V8 boxes when they are passed to a function that is not inlined are counted separately: their
// count is V8's choice, and changes from build to build. Each run has its own process, as V8's code for a function
// depends on all callers of it.

import { Session } from "node:inspector";

import { equations, rk4, udwadiaKalaba, welch } from "nodrift";
import { compile, model, rod } from "nodrift/bodies";
import {
  bdf,
  bs3,
  gearGuptaLeimkuhler,
  generalisedAlpha,
  ode,
  radau5,
  realtime,
  rodas,
  sdirk4,
  start,
} from "nodrift/solve";

/** Maximum size of a boxed number in bytes; an object is larger. */
const BOX = 16;
const STEPS = 1500;

/** A point on a circle. */
const pendulum = equations({
  name: "pendulum",
  coordinates: ["x", "y"],
  mass: [1, 1],
  forces: (_q, _v, out) => {
    out[0] = 0;
    out[1] = -9.81;
  },
  holonomic: {
    rows: 1,
    value: (q, out) => {
      out[0] = q[0] ** 2 + q[1] ** 2 - 1;
    },
    jacobian: (q, out) => {
      out[0] = 2 * q[0];
      out[1] = 2 * q[1];
    },
    gamma: (_q, v, out) => {
      out[0] = -2 * (v[0] ** 2 + v[1] ** 2);
    },
  },
});

/** The same pendulum in its angle, as a plain differential equation. */
const plain = ode({
  names: ["angle", "speed"],
  rate: (_t, y, out) => {
    out[0] = y[1];
    out[1] = -9.81 * Math.sin(y[0]);
  },
  y: [0.6, 0],
});

/** Two rods. */
function rods(stop) {
  const m = model({ name: "rods" });
  const shape = rod({ length: 1, axis: [1, 0, 0] });
  const [one, two] = [0.5, 1.5].map((x) => m.body({ mass: 1, shape, position: [x, 0, 0] }));
  const axis = [0, 1, 0];
  const hinge = m.revolute({ between: [m.ground, one], at: [0, 0, 0], axis });
  m.revolute({ between: [one, two], at: [1, 0, 0], axis });
  m.torsionSpring({ joint: hinge, stiffness: 1 });
  if (stop) m.stop({ joint: hinge, ...stop });
  return m;
}

const { gc } = globalThis;
const used = () => process.memoryUsage().heapUsed;
const session = new Session();
session.connect();
const post = (method, given) =>
  new Promise((resolve, reject) => {
    session.post(method, given, (error, value) => (error ? reject(error) : resolve(value)));
  });

/** Functions of a profile, by the number of their node. */
function functionsOf(node, into = new Map()) {
  into.set(node.id, node.callFrame.functionName);
  for (const child of node.children) functionsOf(child, into);
  return into;
}

/** All allocations in some steps: the number of boxed numbers, and the functions that allocated anything larger. */
async function allocations(go, steps) {
  gc();
  await post("HeapProfiler.startSampling", {
    samplingInterval: 1,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  go(steps);
  const { profile } = await post("HeapProfiler.stopSampling");
  const functions = functionsOf(profile.head);
  const makers = {};
  let boxes = 0;
  for (const { size, nodeId } of profile.samples) {
    if (size <= BOX) boxes++;
    else {
      const name = functions.get(nodeId);
      makers[name] = (makers[name] ?? 0) + 1;
    }
  }
  return { boxes, makers };
}

let sink;

async function endure(source, options) {
  const run = start(source, {
    span: [0, 1e9],
    maximumSeconds: 3600,
    output: "ends",
    dense: false,
    maximumStep: 1e-3,
    ...options,
  });
  const found = await endureSteps(() => run.step());
  if (run.isOver) throw new Error(run.solution().reason);
  return found;
}

/** A step after the other, by whatever takes one. */
async function endureSteps(step) {
  const steps = (count) => {
    for (let i = 0; i < count; i++) step();
  };
  const stepsWithObject = (count) => {
    for (let i = 0; i < count; i++) {
      step();
      sink = { i };
    }
  };
  stepsWithObject(4000);
  steps(8000);
  gc();
  const before = used();
  steps(8000);
  gc();
  const growth = used() - before;
  const plain = await allocations(steps, STEPS);
  const withObject = await allocations(stepsWithObject, STEPS);
  return { steps: STEPS, growth, plain, withObject, sink };
}

/** A crank and a rocker with a rod across, which fall to one side: rows of the loop are redundant. */
function fourBar(stop) {
  const m = model({ name: "four bar" });
  const upright = rod({ length: 1, axis: [0, 0, 1] });
  const [crank, rocker] = [0, 2].map((x) =>
    m.body({ mass: 1, shape: upright, position: [x, 0, 0.5] }),
  );
  const across = m.body({
    mass: 1,
    shape: rod({ length: 2, axis: [1, 0, 0] }),
    position: [1, 0, 1],
  });
  const axis = [0, 1, 0];
  const joint = m.revolute({ between: [m.ground, crank], at: [0, 0, 0], axis });
  m.revolute({ between: [crank, across], at: [0, 0, 1], axis });
  m.revolute({ between: [across, rocker], at: [2, 0, 1], axis });
  m.revolute({ between: [rocker, m.ground], at: [2, 0, 0], axis });
  m.torsionSpring({ joint, stiffness: 0, torque: "1" });
  m.stop({ joint, ...stop });
  return m;
}

/** Something lies on its stop while the rest moves. */
async function endureRest(make, coordinates) {
  const source = await compile(make({ name: "anvil", upper: 0.2 }), { coordinates });
  const simulation = source.simulate({ step: 1e-3 }).runTo(3);
  const found = await endureSteps(() => simulation.advance());
  // Throws if no contact rests.
  simulation.joint("rest at anvil: upper");
  return found;
}

const q = [0.6, -0.8];
const never = [{ when: ({ q }) => q[1] - 10 }, { when: ({ q }) => q[0] - 10 }];
const formulation = udwadiaKalaba();
const runs = {
  equations: () => endure(pendulum, { q }),
  rk4: () => endure(pendulum, { q, step: 1e-3, method: { formulation, integrator: rk4() } }),
  welch: () => endure(pendulum, { q, method: { coupled: welch() }, maximumStep: 1e-4 }),
  bs3: () => endure(pendulum, { q, integrator: bs3(), tolerance: 1e-3 }),
  sdirk4: () => endure(pendulum, { q, integrator: sdirk4(), tolerance: 1e-4 }),
  rodas: () => endure(pendulum, { q, integrator: rodas(), tolerance: 1e-5 }),
  radau5: () => endure(pendulum, { q, integrator: radau5(), tolerance: 1e-7 }),
  bdf: () => endure(pendulum, { q, integrator: bdf(), tolerance: 1e-4 }),
  gearGuptaLeimkuhler: () => {
    const method = { formulation: gearGuptaLeimkuhler(), integrator: radau5() };
    return endure(pendulum, { q, method, tolerance: 1e-7 });
  },
  generalisedAlpha: () => endure(pendulum, { q, method: { coupled: generalisedAlpha() } }),
  events: () => endure(pendulum, { q, events: never }),
  "plain ode": () => endure(plain, {}),
  "plain ode with events": () => endure(plain, { events: never }),
  mechanism: async () => endure(await compile(rods()), {}),
  "mechanism in a grip": async () => {
    const simulation = (await compile(rods())).simulate({ step: 1e-3 });
    const [body] = simulation.bodies;
    simulation.grab(body, [0.5, 0, 0]).moveTo([0.6, 0, 0.8]);
    return endureSteps(() => simulation.advance());
  },
  "mechanism in real time, in a grip, read into arrays": async () => {
    const simulation = (await compile(rods())).simulate({ step: 1e-3 });
    const [name] = simulation.bodies;
    const body = simulation.body(name);
    simulation.grab(name, [0.5, 0, 0]).moveTo([0.6, 0, 0.8]);
    const loop = realtime(simulation);
    const [place, turn] = [new Float64Array(3), new Float64Array(4)];
    return endureSteps(() => {
      loop.advance(1e-3);
      body.read("position", place);
      body.read("velocity", place);
      body.read("angularVelocity", place);
      body.read("orientation", turn);
    });
  },
  "mechanism with a rigid stop that is not met": async () => {
    const simulation = (await compile(rods({ upper: 50 }))).simulate({ step: 1e-3 });
    return endureSteps(() => simulation.advance());
  },
  "mechanism that rests at a rigid stop": () => endureRest(rods, "relative"),
  "mechanism that rests at a rigid stop, in maximal coordinates": () => endureRest(rods, "maximal"),
  "loop that rests at a rigid stop": () => endureRest(fourBar, "relative"),
  "mechanism with events": async () => endure(await compile(rods()), { events: never }),
};
console.log(JSON.stringify(await runs[process.argv[2]]()));
