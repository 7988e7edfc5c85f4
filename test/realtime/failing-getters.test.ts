// User code may run where objects are passed, and fail. Every method that changes a simulation then throws an error of
// the package, and changes nothing.

import { NodriftError } from "nodrift";
import { compile, model, rod } from "nodrift/bodies";
import { describe, expect, test } from "vitest";

async function pendulum() {
  const m = model({ name: "pendulum" });
  m.parameter("k", 3);
  const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
  const hinge = m.revolute({
    name: "hinge",
    between: [m.ground, arm],
    at: [0, 0, 0],
    axis: [0, 1, 0],
  });
  m.motor({ name: "M", joint: hinge, mode: "torque", target: 0, rotorInertia: 0.1 });
  m.states({ name: "pi", names: ["sum"], rates: () => [1] });
  return compile(m);
}

/** Copies of plain data in each of which reading one property fails; some are frozen, some are proxies. */
function failing(given: unknown): unknown[] {
  if (typeof given !== "object" || given === null) return [];
  return Object.entries(given).flatMap(([key, value]) => {
    const fail = () => {
      throw new TypeError(`no ${key}`);
    };
    const own = (): Record<string, unknown> =>
      (Array.isArray(given) ? [...given] : { ...given }) as Record<string, unknown>;
    const getter = Object.defineProperty(own(), key, { get: fail, enumerable: true });
    const frozen = Object.freeze(
      Object.defineProperty(own(), key, { get: fail, enumerable: true }),
    );
    const proxy = new Proxy(own(), {
      get: (target, name) => (name === key ? fail() : Reflect.get(target, name)),
    });
    const deeper = failing(value).map((one) => Object.assign(own(), { [key]: one }));
    return [getter, frozen, proxy, ...deeper];
  });
}

const CALLS = {
  "set of parameters": [{ k: 2, gravity: [0, 0, -1] }],
  "set of a body": ["arm", { mass: 2, centre: [0.1, 0, 0] }],
} as const;

describe("options with getters that throw", () => {
  test.each(Object.keys(CALLS) as (keyof typeof CALLS)[])(
    "%s reports the error and changes nothing",
    async (name) => {
      const system = await pendulum();
      const simulation = system.simulate({ step: 1e-2 });
      const call = CALLS[name];
      const last = call.length - 1;
      const before = simulation.settings;
      for (const bad of failing(call[last])) {
        const given = [...call.slice(0, last), bad] as never[];
        for (const change of [simulation.set, system.with] as ((...all: never[]) => unknown)[]) {
          const error = errorOf(() => change(...given));
          expect(error).toBeInstanceOf(NodriftError);
          expect(error.message).toContain("cannot be read");
          expect(error.cause).toBeInstanceOf(TypeError);
        }
      }
      expect(simulation.settings).toEqual(before);
    },
  );

  test("setNamedState reports the error and changes nothing", async () => {
    const simulation = (await pendulum()).simulate({ step: 1e-2 });
    simulation.advance(10);
    const before = [...simulation.q, ...simulation.v];
    const state = structuredClone(simulation.namedState());
    for (const bad of failing(state)) {
      const error = errorOf(() => simulation.setNamedState(bad as never));
      expect(error).toBeInstanceOf(NodriftError);
      expect(error.message).toContain("cannot be read");
    }
    expect([...simulation.q, ...simulation.v]).toEqual(before);
  });

  test("pushes, grips, states and snapshots report the error and change nothing", async () => {
    const simulation = (await pendulum()).simulate({ step: 1e-2 });
    const { q, v } = simulation;
    const push = { force: [1, 0, 0], at: [0, 0, 0], for: 0.1 };
    const all: [unknown, (bad: never) => unknown][] = [
      [push, (bad) => simulation.push("arm", bad)],
      [[0, 0, 0.1], (bad) => simulation.grab("arm", bad)],
      [{ frequency: 2 }, (bad) => simulation.grab("arm", [0, 0, 0], bad)],
      [[...q], (bad) => simulation.setState(bad, v)],
      [{ time: 1 }, (bad) => simulation.setState(q, v, bad)],
      [{ hinge: { angle: 1 } }, (bad) => simulation.setCoordinates(bad)],
      [{ every: 2 }, (bad) => simulation.record(bad)],
    ];
    for (const [good, call] of all) {
      for (const bad of failing(good)) {
        expect(errorOf(() => call(bad as never))).toBeInstanceOf(NodriftError);
      }
    }
  });
});

test("setNamedState restores the rotors of motors", async () => {
  const system = await pendulum();
  const one = system.simulate({ step: 1e-2 });
  one.advance(20);
  const two = system.simulate({ step: 1e-2 });
  two.setNamedState(one.namedState());
  expect(two.state("pi").sum).toBeCloseTo(0.2, 12);
  expect(two.joint("hinge").angleRate).toBeCloseTo(one.joint("hinge").angleRate!, 12);
});

test("shifting gears does not change the held outputs of controllers", async () => {
  const m = model({ gravity: [0, 0, 0] });
  const [one, two] = ["one", "two"].map((name, i) =>
    m.body({ name, mass: 1, inertia: [1, 1, 1], position: [i, 0, 0] }),
  );
  const a = m.revolute({ name: "a", between: [m.ground, one!], at: [0, 0, 0], axis: [0, 0, 1] });
  const b = m.revolute({ name: "b", between: [m.ground, two!], at: [1, 0, 0], axis: [0, 0, 1] });
  m.gear({ name: "gear", joints: [a, b], ratio: 2 });
  m.controller({
    name: "counter",
    every: 0.1,
    delay: 0.25,
    outputs: ["count"],
    memory: { n: 10 },
    sample: (_t, _read, memory) => {
      memory[0] = memory[0]! + 1;
      return [memory[0]!];
    },
  });
  const system = await compile(m, { joints: { a: { angle: 0.3, angleRate: 1 } } });
  const counts = (isShifted: boolean) => {
    const simulation = system.simulate({ step: 0.05 });
    simulation.advance(11);
    if (isShifted) {
      const { angle } = simulation.joint("b");
      simulation.set("gear", { ratio: 3 });
      expect(simulation.joint("b").angle).toBeCloseTo(angle!, 12);
    }
    return Array.from({ length: 12 }, () => simulation.advance().output("counter").count);
  };
  expect(counts(true)).toEqual(counts(false));
});

function errorOf(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was refused");
}
