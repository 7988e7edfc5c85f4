// Controllers that set parameters: force constants follow the samples, and belong to the state.

import { compile, model, rod } from "nodrift/bodies";
import { readModel, writeModel } from "nodrift/files";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";

const [M, PERIOD] = [2, 0.25];
const stiffness = (n: number) => 50 + 30 * (n % 4);

/** A mass on a spring whose stiffness changes in every period. */
function oscillator(delay = 0) {
  const m = model({ name: "oscillator", gravity: [0, 0, 0] });
  const k = m.parameter("k", 20);
  const block = m.body({ name: "block", mass: M, inertia: [1, 1, 1] });
  const slide = m.prismatic({
    name: "slide",
    between: [m.ground, block],
    at: [0, 0, 0],
    axis: [1, 0, 0],
  });
  m.spring({
    name: "spring",
    between: [m.ground, block],
    atA: [-3, 0, 0],
    stiffness: k,
    length: 3,
  });
  m.controller({
    name: "schedule",
    every: PERIOD,
    delay,
    outputs: ["unused", "stiffness"],
    memory: { n: 0 },
    sets: { stiffness: "k" },
    sample: (_t, _read, memory) => {
      const value = stiffness(memory[0]!);
      memory[0] = memory[0]! + 1;
      return [0, value];
    },
  });
  return { m, slide };
}

/** The closed form: a harmonic motion in each period. */
function exact(end: number, delay: number): [number, number] {
  let [x, v, t] = [0.5, 0, 0];
  for (let n = 0; t < end - 1e-12; n++) {
    const isFirst = n === 0 && delay > 0;
    const k = isFirst ? 20 : stiffness(delay > 0 ? n - 1 : n);
    const until = Math.min(end, isFirst ? delay : delay + PERIOD * (delay > 0 ? n : n + 1));
    const w = Math.sqrt(k / M);
    const [c, s] = [Math.cos(w * (until - t)), Math.sin(w * (until - t))];
    [x, v, t] = [x * c + (v / w) * s, -x * w * s + v * c, until];
  }
  return [x, v];
}

describe.each(["maximal", "relative"] as const)(
  "parameters set by controllers, in %s coordinates",
  (coordinates) => {
    test.each([0, 0.6])(
      "the stiffness follows the samples as in the closed form (delay %d)",
      async (delay) => {
        const system = await compile(oscillator(delay).m, { coordinates, joints: { slide: 0.5 } });
        const [x, v] = exact(3.1, delay);
        // The step does not divide the period.
        const simulation = system.simulate({ step: 0.00123 }).runTo(3.1);
        expect(simulation.joint("slide").displacement).toBeCloseTo(x, 6);
        expect(simulation.joint("slide").displacementRate).toBeCloseTo(v, 5);
        const { end } = solve(system, { span: [0, 3.1], tolerance: 1e-10 });
        expect(end.joint("slide").displacement).toBeCloseTo(x, 8);
        expect(end.joint("slide").displacementRate).toBeCloseTo(v, 8);
        // Readings include the change. A value that acts from the end on is not held yet.
        const k = delay === 0 ? stiffness(12) : stiffness(9);
        expect(simulation.output("schedule").stiffness).toBe(k);
        const force = simulation.force("spring").force({ on: "block" })[0]!;
        expect(force).toBeCloseTo(-k * simulation.joint("slide").displacement!, 9);
        expect(simulation.energy().potential).toBeCloseTo(
          (k * simulation.joint("slide").displacement! ** 2) / 2,
          9,
        );
      },
    );
  },
);

test("snapshots, replays, rewinds and setState continue with the same bits", async () => {
  const system = await compile(oscillator(0.6).m, {
    coordinates: "maximal",
    joints: { slide: 0.5 },
  });
  const simulation = system.simulate({ step: 0.01 });
  simulation.advance(70);
  const recording = simulation.record({ every: 40 });
  simulation.advance(60);
  const saved = structuredClone(simulation.save());
  const { time, unwrappedAngles } = simulation;
  const [q, v] = [simulation.q.slice(), simulation.v.slice()];
  simulation.set("spring", { damping: 1 });
  const { displacement, displacementRate } = simulation.joint("slide");
  const { stiffness: held } = simulation.output("schedule");
  expect(held).not.toBe(20);
  simulation.advance(0);
  expect(simulation.accelerations()[0]).toBeCloseTo(
    (-held! * displacement! - displacementRate!) / M,
    9,
  );
  simulation.advance(100);
  const end = [...simulation.q, ...simulation.v];
  recording.rewind(time + 0.5);
  simulation.advance(50);
  expect([...simulation.q, ...simulation.v]).toEqual(end);
  const again = system.simulate({ step: 0.01 }).replay(structuredClone(recording.stop()));
  expect([...again.q, ...again.v]).toEqual(end);
  const other = system.simulate({ step: 0.01 });
  other.restore(saved);
  other.set("spring", { damping: 1 }).advance(100);
  expect([...other.q, ...other.v]).toEqual(end);
  const third = system.simulate({ step: 0.01 });
  third.setState(q, v, { time, unwrappedAngles, start: "asGiven" });
  third.set("spring", { damping: 1 }).advance(100);
  for (const [i, value] of [...third.q, ...third.v].entries())
    expect(value).toBeCloseTo(end[i]!, 10);
});

test("outputs of a model file set parameters by name", async () => {
  const file = {
    nodrift: 1,
    name: "oscillator",
    units: "SI",
    gravity: [0, 0, 0],
    parameters: { k: 20 },
    bodies: [{ name: "block", mass: M, inertia: [1, 1, 1], position: [0.5, 0, 0] }],
    joints: [
      {
        type: "prismatic",
        name: "slide",
        between: ["ground", "block"],
        at: [0, 0, 0],
        axis: [1, 0, 0],
      },
    ],
    forces: [
      {
        type: "spring",
        name: "spring",
        between: ["ground", "block"],
        atA: [-3, 0, 0],
        atB: [0, 0, 0],
        stiffness: { parameter: "k" },
        length: 3,
      },
    ],
    controllers: [
      {
        name: "schedule",
        every: PERIOD,
        outputs: ["stiffness"],
        memory: { n: -1 },
        remember: { n: "n + 1" },
        sample: ["50 + 30*mod(n, 4)"],
        sets: { stiffness: "k" },
      },
    ],
  };
  const read = readModel(JSON.stringify(file));
  const system = await read.compile();
  const simulation = system.simulate({ step: 0.01 }).runTo(2);
  const start = simulation.joint("slide").displacement;
  expect(start).toBeDefined();
  expect(simulation.output("schedule").stiffness).toBe(stiffness(7));
  const force = simulation.force("spring");
  expect(Math.hypot(...force.force({ on: "block" }))).toBeCloseTo(
    stiffness(7) * Math.abs(force.length! - 3),
    9,
  );
  const written = JSON.parse(writeModel(read.model) as string);
  expect(written.controllers[0].sets).toEqual({ stiffness: "k" });
});

describe("model.controller with sets", () => {
  const make = (
    sets: object,
    use: (
      m: ReturnType<typeof model>,
      k: ReturnType<ReturnType<typeof model>["parameter"]>,
    ) => void,
    sample = () => [1],
  ) => {
    const m = model({ name: "model" });
    const k = m.parameter("k", 2);
    const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
    m.revolute({ name: "hinge", between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
    use(m, k);
    m.controller({ name: "boss", every: 0.1, outputs: ["y"], sets: sets as never, sample });
    return m;
  };
  const spring = (m: ReturnType<typeof model>, k: never) => {
    const arm = m.calls().find(({ made }) => made.name === "arm")!.made;
    m.spring({ name: "spring", between: [m.ground, arm as never], atA: [0, 0, 1], stiffness: k });
  };

  test("rejects parameters and outputs that do not fit, by name", async () => {
    expect(() => make({ z: "k" }, spring as never)).toThrow('there is no output "z"');
    expect(() => make({ y: "c" }, spring as never)).toThrow('there is no parameter "c"');
    expect(() => make({ y: 3 }, spring as never)).toThrow("there is no parameter 3");
    const weight = make({ y: "k" }, (m, k) => {
      m.body({ name: "weight", mass: k, inertia: [1, 1, 1] });
    });
    await expect(compile(weight)).rejects.toThrow('controller "boss"');
    const formula = make({ y: "k" }, (m) => {
      const hinge = m.calls().find(({ made }) => made.name === "hinge")!.made;
      m.torsionSpring({ joint: hinge as never, torque: "-k*angle" });
    });
    await expect(compile(formula)).rejects.toThrow('controller "boss"');
  });

  test("a value that a force rejects fails the step with controller, force and time, and restores the state", async () => {
    const simulation = (await compile(make({ y: "k" }, spring as never, () => [-1]))).simulate({
      step: 0.03,
    });
    const before = [...simulation.q, ...simulation.v];
    expect(() => simulation.advance()).toThrow(/controller "boss".*t = 0.*spring: stiffness/);
    expect([...simulation.q, ...simulation.v]).toEqual(before);
  });
});
