// Options that used to be ignored silently, and user functions that call their own simulation.

import {
  baumgarte,
  equations,
  euler,
  maggi,
  NodriftError,
  projection,
  rk4,
  type Simulation,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { type BodySimulation, compile, model, rod } from "nodrift/bodies";
import { parseMethod, radau5, realtime, sdirk4, solve, start } from "nodrift/solve";
import { describe, expect, test } from "vitest";

const loose = (value: unknown) => value as never;

/** A pendulum whose forces call a function in each evaluation. */
function pendulum(inside: () => void = () => {}) {
  return equations({
    name: "pendulum",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_q, _v, out) => {
      inside();
      out.set([0, -9.81]);
    },
    holonomic: { rows: ["rod"], value: (q) => [q[0] ** 2 + q[1] ** 2 - 1] },
  });
}

const PARTS = { formulation: udwadiaKalaba(), integrator: rk4() };
const START = { step: 0.01, q: [1, 0] };

describe("simulate with a method option", () => {
  test("accepts American spelling", () => {
    const method = loose({ ...PARTS, stabilization: projection() });
    const american = simulate(pendulum(), { method, ...START }).runTo(5);
    expect(american.method).toBe("udwadiaKalaba + projection + rk4");
    expect(american.constraintError().position).toBeLessThan(1e-13);
    const both = { ...PARTS, stabilization: projection(), stabilisation: projection() };
    expect(() => simulate(pendulum(), { method: loose(both), ...START })).toThrow(/spelling/);
  });

  test("a method given by name equals one built from its parts", () => {
    const made = { ...PARTS, stabilisation: [baumgarte({ alpha: 5, beta: 5 }), projection()] };
    const named = parseMethod("udwadiaKalaba + baumgarte(5, 5) + projection + rk4");
    const [first, other] = [made, named].map(
      (method) => simulate(pendulum(), { method, ...START }).runTo(1).q,
    );
    expect(other).toEqual(first);
    const options = { span: [0, 1] as const, q: [1, 0] };
    const byName = solve(pendulum(), { ...options, method: parseMethod("radau5") });
    expect(byName.end.q).toEqual(solve(pendulum(), { ...options, integrator: radau5() }).end.q);
    expect(() => parseMethod("rk5")).toThrow(/did you mean rk4\?/);
    expect(() => simulate(pendulum(), { method: parseMethod("rk4"), ...START })).toThrow(
      /integrator alone/,
    );
    for (const given of [{ method: "radau5" }, { integrator: "radau5" }]) {
      expect(() => solve(pendulum(), { ...options, ...(given as object) })).toThrow(
        /is "radau5"; .*parseMethod/,
      );
    }
  });

  test.each<[string, () => unknown, RegExp]>([
    ["a word for options", () => maggi(loose("lu")), /maggi: options must be an object, not "lu"/],
    ["the same", () => udwadiaKalaba(loose("svd")), /udwadiaKalaba\(\{ solver: \.\.\. \}\)/],
    ["numbers for options", () => baumgarte(loose(1), loose(1)), /baumgarte: options must be/],
    ["one too many", () => baumgarte({ alpha: 1 }, loose(1)), /the argument 1 is not expected/],
    ["text for options", () => sdirk4(loose("1/4")), /sdirk4: options must be an object, not "1/],
    ["options of none", () => radau5(loose({ tolerance: 1 })), /is not expected/],
    ["a step", () => euler(loose(0.1)), /euler: the argument 0.1 is not expected/],
  ])("%s", (_, make, message) => {
    expect(make).toThrow(NodriftError);
    expect(make).toThrow(message);
  });
});

describe("unknown option keys", () => {
  const described = pendulum().description;
  const system = pendulum();
  const compiled = async () => {
    const m = model();
    m.body({ mass: 1, shape: rod({ length: 1 }) });
    return { m, made: await compile(m) };
  };

  test.each<[string, () => unknown, RegExp]>([
    ["holonomics", () => equations(loose({ ...described, holonomics: 1 })), /mean holonomic\?/],
    ["tol", () => solve(system, loose({ span: [0, 1], q: [1, 0], tol: 1 })), /mean tolerance\?/],
    ["dt", () => simulate(system, loose({ ...START, method: PARTS, dt: 1 })), /mean step\?/],
    [
      "in tolerances",
      () =>
        solve(system, {
          span: [0, 1],
          q: [1, 0],
          tolerance: { absolute: loose({ positions: 1, velocities: 1, angles: 1 }) },
        }),
      /tolerance\.absolute: pendulum has no coordinate, body or kind named "angles"/,
    ],
    [
      "of output",
      () => solve(system, { span: [0, 1], q: [1, 0], output: loose({ rate: 1, rates: 2 }) }),
      /output\.rates is not an option: did you mean rate/,
    ],
    [
      "text as times",
      () => solve(system, { span: [0, 1], q: [1, 0], output: { times: loose("") } }),
      /output\.times is ""/,
    ],
    [
      "a span of holes",
      () => solve(system, { span: loose(new Array(2)), q: [1, 0] }),
      /span is \[undefined/,
    ],
    [
      "a list as modes",
      () => solve(system, { span: [0, 1], q: [1, 0], modes: loose([1, 2]) }),
      /modes is \[1, 2\]/,
    ],
    ["null", () => model({ gravity: loose(null) }), /model: gravity is null/],
    [
      "realtime",
      () => realtime(simulate(system, { method: PARTS, ...START }), loose({ sped: 1 })),
      /mean speed\?/,
    ],
    [
      "centre in American",
      () => model().body({ mass: 1, inertia: [1, 1, 1], center: [0, 0, loose("z")] } as never),
      /centre\[2\] must be/,
    ],
    ["a hinge", () => (model() as object as { hinge(): void }).hinge(), /did you mean revolute\?/],
  ])("%s", (_, call, message) => {
    expect(call).toThrow(NodriftError);
    expect(call).toThrow(message);
  });

  test("compile rejects unknown keys, and asynchronous user forces fail", async () => {
    const { m } = await compiled();
    await expect(compile(m, loose({ tim: 1 }))).rejects.toThrow(/tim is not an option: .* time\?/);
    const body = m.body({ mass: 1, inertia: [1, 1, 1] });
    const late = { bodies: [body], apply: async () => {} };
    expect(() => m.userForce(loose(late))).toThrow(/apply is async/);
    m.userForce(loose({ bodies: [body], apply: () => Promise.resolve() }));
    const simulation = (await compile(m)).simulate({ step: 0.01 });
    expect(() => simulation.advance()).toThrow(/apply must be synchronous/);
  });
});

describe("a user function that calls its own simulation", () => {
  const calls: [string, (simulation: Simulation) => unknown][] = [
    ["advance", (s) => s.advance()],
    ["runTo", (s) => s.runTo(1)],
    ["setState", (s) => s.setState([1, 0], [0, 0])],
    ["restore", (s) => s.restore(s.save())],
    ["energy", (s) => s.energy()],
    ["accelerations", (s) => s.accelerations()],
    ["q", (s) => s.q],
    ["time", (s) => s.time],
  ];

  test.each(calls)("%s", (name, call) => {
    let simulation: Simulation | undefined;
    const system = pendulum(() => simulation && call(simulation));
    simulation = simulate(system, { method: PARTS, ...START });
    const made = simulation;
    const message = new RegExp(`${name}|save|time`);
    expect(() => made.advance()).toThrow(message);
    expect(() => made.advance()).toThrow(NodriftError);
    expect(() => made.accelerations()).toThrow(/is busy/);
  });

  test("throws in a mechanism, in a run and after each step", async () => {
    const m = model();
    const bar = m.body({ name: "bar", mass: 1, shape: rod({ length: 1 }) });
    let read: (() => unknown) | undefined;
    m.userForce({ bodies: [bar], apply: () => void read?.() });
    const system = await compile(m);
    const simulation: BodySimulation = system.simulate({ step: 0.01 });
    read = () => simulation.body("bar").acceleration;
    expect(() => simulation.advance()).toThrow(NodriftError);
    expect(() => simulation.body("bar").acceleration).toThrow(/while it was being evaluated/);
    read = undefined;
    const run = start(system, { span: [0, 1] });
    read = () => run.step();
    run.step();
    expect(run.solution().reason).toMatch(/the run is busy/);
    read = undefined;
    const plain = simulate(pendulum(), { method: PARTS, ...START });
    expect(() => plain.runTo(1, (inner) => inner.runTo(2))).toThrow(/runTo is busy/);
    const loop = realtime(plain);
    expect(() => loop.advance(0.1, () => loop.advance(0.1))).toThrow(/the loop is busy/);
  });
});

test("restore rejects damaged snapshots, and the simulation is unchanged", () => {
  const simulation = simulate(pendulum(), { method: PARTS, ...START }).advance(5);
  const good = simulation.save();
  simulation.advance(5);
  const before = [...simulation.q, simulation.time];
  const memory = good.memory.slice();
  memory[memory.length >> 1] = (memory[memory.length >> 1] as number) ^ 1;
  const damaged: unknown[] = [
    { ...good, memory },
    { ...good, memory: good.memory.slice(8) },
    { ...good, steps: 4 },
    { ...good, step: Number.NaN },
    { ...good, origin: 1 },
    { ...good, memory: [...good.memory.slice(0, 4)] },
    { ...good, extra: 1 },
    null,
    {},
  ];
  for (const one of damaged) {
    expect(() => simulation.restore(loose(one))).toThrow(NodriftError);
    expect([...simulation.q, simulation.time]).toEqual(before);
  }
  simulation.restore(structuredClone(good));
  expect(simulation.time).toBeCloseTo(0.05, 12);
  const run = start(pendulum(), { span: [0, 1], q: [1, 0] });
  run.step();
  const saved = run.save();
  const tampered = { ...saved, numbers: { ...saved.numbers, next: 2 * saved.numbers.next } };
  expect(() => run.restore(tampered)).toThrow(/corrupt/);
});

test("input whose getters throw is reported as invalid input", async () => {
  const trap = () => {
    throw new TypeError("trap");
  };
  const traps = { get: trap, getPrototypeOf: trap, has: trap };
  expect(() => realtime(loose(new Proxy({}, traps)))).toThrow(NodriftError);
  const m = model();
  m.body({ name: "b", mass: 1, shape: rod({ length: 1 }) });
  const simulation = (await compile(m)).simulate({ step: 1e-3 });
  const start = { ...simulation.save() };
  Object.defineProperty(start, "settings", { get: trap, enumerable: true });
  expect(() => simulation.replay(loose({ start, commands: [], steps: 1 }))).toThrow(NodriftError);
  expect(() => simulation.restore(loose(start))).toThrow(NodriftError);
});
