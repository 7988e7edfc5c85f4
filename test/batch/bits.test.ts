import { heun, type Method, none, projection, rk4, udwadiaKalaba } from "nodrift";
import { type Batch, type BatchOptions, batch } from "nodrift/batch";
import {
  type BodySimulation,
  type CompiledModel,
  compile,
  defaultMethod,
  type Model,
  model,
} from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { sampled } from "../realtime/support/sampled.js";
import { crankRocker, fourBarHinges, fourBarMechanism } from "../reference/four-bar.js";
import { modelOf } from "../reference/nodrift-model.js";
import { randomTree } from "../relative/support/random-trees.js";
import { seeded } from "../support/random.js";
import { hingeChain, hingeTree } from "../support/relative-trees.js";

/** Sets the mass of a body and gravity to random values, and moves joints. */
type Prepare = NonNullable<BatchOptions["prepare"]>;

function spread(body: string, joint: string, more: Prepare = () => {}): Prepare {
  return (simulation, i) => {
    const random = seeded(i + 1);
    // Some instances keep the values of the model.
    if (i % 3 > 0) simulation.set(body, { mass: 1.5 + random() });
    if (i % 3 > 1) simulation.set({ gravity: [random(), 9 * random(), -9] });
    simulation.setCoordinates({ [joint]: { angle: 0.3 * random(), angleRate: random() } });
    more(simulation, i);
  };
}

/** A pendulum of two rods with a spring and a damper in its elbow, and parameters. */
function sprung(): Model {
  const m = model({ name: "sprung" });
  const k = m.parameter("k", 30);
  const upper = m.body({
    name: "upper",
    mass: 1,
    inertia: [0.1, 0.1, 0.01],
    position: [0, 0, -0.5],
  });
  const lower = m.body({
    name: "lower",
    mass: 1,
    inertia: [0.1, 0.1, 0.01],
    position: [0, 0, -1.5],
  });
  m.revolute({ name: "hinge", between: [m.ground, upper], at: [0, 0, 0], axis: [0, 1, 0] });
  const elbow = m.revolute({
    name: "elbow",
    between: [upper, lower],
    at: [0, 0, -1],
    axis: [0, 1, 0],
  });
  m.torsionSpring({ name: "spring", joint: elbow, stiffness: k, damping: 0.4 });
  return m;
}

const fourBar = () => modelOf(fourBarMechanism(crankRocker()));
const tree = (seed: number) => randomTree({ seed, types: ["revolute", "revolute", "revolute"] });

interface Family {
  readonly make: () => Promise<CompiledModel>;
  readonly prepare: Prepare;
  readonly step?: number;
  readonly method?: Method;
}

const families: Readonly<Record<string, Family>> = {
  "chain of skew hinges": {
    make: () => compile(hingeChain(4)),
    prepare: spread("rod 2", "hinge 1"),
  },
  "double pendulum that turns over": {
    make: () => compile(hingeChain(2, { axes: "parallel" })),
    prepare: spread("rod 1", "hinge 1", (simulation) =>
      simulation.setCoordinates({ "hinge 2": { angle: 2, angleRate: 30 } }),
    ),
    step: 5e-3,
  },
  "hinges of which some have turned far": {
    make: () => compile(hingeChain(3)),
    prepare: (simulation, i) => {
      const far = { angle: i * 2e5, angleRate: 1 };
      simulation.setCoordinates({ [`hinge ${1 + (i % 3)}`]: far });
    },
  },
  "binary tree of hinges": {
    make: () => compile(hingeTree(7)),
    prepare: spread("rod 3", "hinge 2"),
  },
  "random tree of tilted hinges": { make: () => compile(tree(3)), prepare: spread("b1", "j0") },
  "chain of hinges, Heun": {
    make: () => compile(hingeChain(3), { coordinates: "relative" }),
    prepare: spread("rod 2", "hinge 1"),
    method: { ...defaultMethod(), integrator: heun() },
  },
  "tree of hinges, balls and slides": {
    make: () => compile(randomTree({ seed: 5, types: ["revolute", "spherical", "prismatic"] })),
    prepare: spread("b2", "j0"),
  },
  "spring and damper": {
    make: () => compile(sprung()),
    prepare: (simulation, i) => {
      simulation.set({ k: 20 + i }).setCoordinates({ elbow: i / 10 });
    },
  },
  "four-bar": { make: () => compile(fourBar()), prepare: spread("crank", fourBarHinges[0]!) },
  "four-bar in maximal coordinates": {
    make: () => compile(fourBar(), { coordinates: "maximal" }),
    prepare: (simulation, i) => {
      simulation.set("crank", { mass: 1 + i / 10 });
    },
    method: { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: rk4() },
  },
  "a controller with a delay": {
    make: () => sampled({ every: 0.01, delay: 0.004 }),
    prepare: (simulation, i) => {
      if (i % 2) simulation.set("arm", { mass: 1 + i / 10 });
      simulation.setCoordinates({ hinge: i / 10 });
    },
  },
};

/** The numbers of a state that the method integrates. */
function integrated(simulation: BodySimulation, size: number): number[] {
  const { positions, velocities } = simulation.coordinates();
  const own = [...Object.values(positions), ...Object.values(velocities)];
  return own.length === size ? own : [...simulation.q, ...simulation.v];
}

const COUNT = 7;

describe.each(Object.entries(families))("%s", (_, { make, prepare, step = 1e-3, method }) => {
  const options = { step, ...(method && { method }) };
  const single = (system: CompiledModel, i: number) => {
    const simulation = system.simulate(options);
    prepare(simulation, i);
    return simulation;
  };

  function expectSame(instances: Batch, singles: readonly BodySimulation[]): void {
    const size = instances.states.length / instances.count;
    for (const [i, simulation] of singles.entries()) {
      const own = instances.states.subarray(size * i, size * (i + 1));
      expect(Array.from(own)).toEqual(integrated(simulation, size));
      expect(instances.times[i]).toBe(simulation.time);
    }
    const poses = instances.read(({ q, v }) => [...q, ...v]);
    const expected = singles.flatMap(({ q, v }) => [...q, ...v]);
    // Euler parameters of either sign are the same orientation.
    expect(Array.from(poses, Math.abs)).toEqual(expected.map(Math.abs));
    const angles = instances.read(({ unwrappedAngles }) => unwrappedAngles);
    expect(Array.from(angles)).toEqual(singles.flatMap((each) => [...each.unwrappedAngles]));
  }

  test("each instance has the bits of a single simulation", async () => {
    const system = await make();
    const instances = batch(system, COUNT, { ...options, prepare });
    const singles = Array.from({ length: COUNT }, (_, i) => single(system, i));
    expectSame(instances, singles);
    for (const steps of [1, 40, 3]) {
      instances.advance(steps);
      for (const simulation of singles) simulation.advance(steps);
    }
    expectSame(instances, singles);
    const until = singles[0]!.time + 10.4 * step;
    instances.advanceTo(until);
    for (const simulation of singles) simulation.runTo(until);
    expectSame(instances, singles);
    expect(instances.failures).toEqual([]);
  });

  test("instances that a mask leaves out rest, and resets return to the start", async () => {
    const system = await make();
    const instances = batch(system, COUNT, { ...options, prepare });
    const singles = Array.from({ length: COUNT }, (_, i) => single(system, i));
    const mask = [1, 0, 0, 1, 1, 1, 0];
    instances.advance(20).advance(15, mask);
    for (const [i, each] of singles.entries()) each.advance(mask[i] ? 35 : 20);
    expectSame(instances, singles);
    for (const i of [0, 5]) {
      instances.reset(i);
      singles[i] = single(system, i);
    }
    instances.reset(2, (simulation) => prepare(simulation, 40));
    singles[2] = single(system, 40);
    instances.advance(9);
    for (const each of singles) each.advance(9);
    expectSame(instances, singles);
  });

  test("a change between steps is that of a single simulation", async () => {
    const system = await make();
    const instances = batch(system, COUNT, { ...options, prepare });
    const singles = Array.from({ length: COUNT }, (_, i) => single(system, i));
    instances.advance(11);
    for (const each of singles) each.advance(11);
    const change = (simulation: BodySimulation) => simulation.set({ gravity: [1, 2, 3] });
    instances.change(4, change).advance(8);
    change(singles[4]!);
    for (const each of singles) each.advance(8);
    expectSame(instances, singles);
  });
});

test("whole steps of a tree in one call have the bits of single steps, and their counts", async () => {
  const bare = { ...defaultMethod(), stabilisation: none() };
  for (const method of [defaultMethod(), bare]) {
    const system = await compile(hingeChain(3));
    const [many, few] = [1, 2].map(() => system.simulate({ step: 1e-2, method }));
    many!.advance(50);
    for (let i = 0; i < 50; i++) few!.advance();
    expect([...many!.q, ...many!.v]).toEqual([...few!.q, ...few!.v]);
    expect(many!.unwrappedAngles).toEqual(few!.unwrappedAngles);
  }
});
