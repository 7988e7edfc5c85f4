import {
  ab3,
  coordinatePartitioning,
  type Method,
  projection,
  projective,
  rk4,
  stagedProjection,
  udwadiaKalaba,
  welch,
} from "nodrift";
import { type Body, type CompiledModel, compile, type Model, model, rod } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { stateOf } from "./support/reading.js";
import type { V3 } from "./support/vectors.js";

// Models and runs that cannot work, and their error messages.

const bar = { mass: 1, shape: rod({ length: 1, axis: [1, 0, 0] as V3 }) };

/** Matches an error with a code and a message. */
const error = (code: string, message: string) => expect.objectContaining({ code, message });

async function pendulum(): Promise<CompiledModel> {
  const m = model({ name: "pendulum" });
  const arm = m.body({ ...bar, name: "arm" });
  m.spherical({ between: [m.ground, arm], at: [0.5, 0, 0] });
  return compile(m);
}

describe("compile", () => {
  test("rejects a model without bodies", async () => {
    await expect(compile(model({ name: "empty" }))).rejects.toThrow(
      error("DESCRIPTION", "empty: there is no body: add one with body({ ... })"),
    );
  });

  test("rejects a body without mass, and values that are not numbers", () => {
    const m = model();
    expect(() => m.body({ ...bar, name: "ghost", mass: 0 })).toThrow(
      error(
        "DESCRIPTION",
        'body "ghost": mass is 0, but must be positive: merge a massless part into its ' +
          "neighbour, replace a massless link by a distance, or give a small mass",
      ),
    );
    expect(() => m.body({ ...bar, position: [0, Number.NaN, 0] })).toThrow(
      error("DESCRIPTION", "body 1: position[1] must be a finite number, not NaN"),
    );
    const body = m.body(bar);
    expect(() =>
      m.spring({ between: [m.ground, body], stiffness: Number.POSITIVE_INFINITY, atB: [1, 0, 0] }),
    ).toThrow(
      error(
        "DESCRIPTION",
        "spring 1: stiffness is Infinity; give a number >= 0, or for something that drives the motion a law for force",
      ),
    );
    expect(m.data().bodies).toHaveLength(1);
    expect(m.data().forces).toHaveLength(0);
  });

  test("rejects a link of zero length, and duplicate names", () => {
    const m = model();
    const one = m.body({ ...bar, name: "one" });
    expect(() => m.body({ ...bar, name: "one" })).toThrow(
      error("DESCRIPTION", 'body "one": there is a body "one" already: choose another name'),
    );
    expect(() => m.distance({ between: [m.ground, one] })).toThrow(
      error(
        "DESCRIPTION",
        "distance 1: the points coincide at the start: use spherical, or move one of them",
      ),
    );
    m.revolute({ name: "pin", between: [m.ground, one], at: [0, 0, 0], axis: [0, 0, 1] });
    expect(() => m.spherical({ name: "pin", between: [m.ground, one], at: [0, 0, 0] })).toThrow(
      error("DESCRIPTION", 'spherical "pin": there is a joint "pin" already: choose another name'),
    );
  });

  test("names joints that are too far apart to be closed, with their opening", async () => {
    const m = model({ name: "gap" });
    const a = m.body({ ...bar, position: [0.5, 0, 0] });
    const end = (x: number) => a.marker({ at: [x, 0, 0] });
    m.spherical({ name: "left", between: [m.ground.marker({ at: [0, 0, 0] }), end(-0.5)] });
    m.spherical({ name: "right", between: [m.ground.marker({ at: [3, 0, 0] }), end(0.5)] });
    await expect(compile(m)).rejects.toThrow(
      expect.objectContaining({
        code: "ASSEMBLY",
        message: expect.stringMatching(
          /^gap: assembly of the positions failed at t = 0: these joints stay open: "right" by \d\.\d\d, against "left"\. They may contradict each other\. Give poses closer to an assembled one$/,
        ),
      }),
    );
  });

  test("rejects a NaN time", async () => {
    const m = model();
    m.body(bar);
    await expect(compile(m, { time: Number.NaN })).rejects.toThrow(
      error("STEP", "compile: time is NaN; give a finite number"),
    );
  });
});

describe("simulate and runTo", () => {
  test.each([0, -0.001, Number.NaN, Number.POSITIVE_INFINITY, "0.001", undefined])(
    "rejects the step %s",
    async (step) => {
      const system = await pendulum();
      const given = typeof step === "string" ? `"${step}"` : step;
      const what = step === undefined ? "missing" : given;
      const message = `step is ${what}; give a positive number of seconds`;
      expect(() => system.simulate({ step: step as number })).toThrow(
        error("STEP", `simulate: ${message}`),
      );
      const simulation = system.simulate({ step: 1e-3 });
      expect(() => simulation.setStep(step as number)).toThrow(error("STEP", message));
    },
  );

  test("rejects times that are not numbers or lie in the past", async () => {
    const simulation = (await pendulum()).simulate({ step: 1e-3 }).runTo(0.01);
    expect(() => simulation.runTo(Number.NaN)).toThrow(
      error("STEP", "runTo: the time is NaN; give a finite number"),
    );
    expect(() => simulation.runTo(0.005)).toThrow(
      error("STEP", "runTo(0.005) lies before the present time 0.01"),
    );
    expect(() => simulation.advance(1.5)).toThrow(
      error("STEP", "advance: the number of steps is 1.5; give an integer >= 0"),
    );
  });

  const methods: [Method, string][] = [
    [
      {} as never,
      "simulate: method.formulation is missing; give a formulation like udwadiaKalaba()",
    ],
    [
      { formulation: udwadiaKalaba() } as never,
      "simulate: method.integrator is missing; give an integrator like rk4()",
    ],
    [
      { formulation: udwadiaKalaba as never, integrator: rk4() },
      "simulate: method.formulation is a function: call it, as in udwadiaKalaba()",
    ],
    [
      { coupled: welch(), stabilisation: stagedProjection() },
      "stagedProjection cannot be combined with welch(2): that method enforces the constraints inside " +
        "its own step and has no rates to change; only corrections after the step, like projection(), fit",
    ],
    [
      { formulation: projective(), stabilisation: stagedProjection(), integrator: rk4() },
      "stagedProjection moves the state before each evaluation, but projective finds velocities from " +
        "the constraints itself: use projection(), or a formulation on the level of accelerations",
    ],
    [
      { formulation: coordinatePartitioning(), integrator: ab3() },
      "ab3 is a multistep method, but coordinatePartitioning redefines its unknowns at each " +
        "step: use a one-step method like rk4()",
    ],
  ];
  test.each(methods)("rejects methods that do not fit (%#)", async (method, message) => {
    const system = await pendulum();
    expect(() => system.simulate({ step: 1e-3, method })).toThrow(error("METHOD", message));
  });
});

describe("a diverging motion", () => {
  const pushes: Record<string, (m: Model) => void> = {
    "by a spring too stiff for the step": (m) => {
      const pebble = m.body({ ...bar, name: "pebble", position: [0.5, 0, 0] });
      m.spring({ between: [m.ground, pebble], stiffness: 1e9, length: 0.4 });
      m.planar({ between: [m.ground, pebble], axis: [0, 0, 1] });
    },
    "by a force of the user": (m) => {
      const pebble = m.body({ ...bar, name: "pebble", velocity: [1, 0, 0] });
      m.userForce({
        bodies: [pebble],
        apply: ([{ velocity }], [{ force }]) => {
          for (let i = 0; i < 3; i++) force[i] += 1e4 * Math.hypot(...velocity) * velocity[i];
        },
      });
    },
    "by a law of the user": (m) => {
      const pebble = m.body({ ...bar, name: "pebble", position: [0.5, 0, 0] });
      const joint = m.revolute({ between: [m.ground, pebble], at: [0, 0, 0], axis: [0, 0, 1] });
      m.torsionSpring({ joint, torque: (_, rate) => 1 + 100 * rate * rate });
    },
  };
  const methods: Record<string, Method | undefined> = {
    "the default method": undefined,
    welch: { coupled: welch() },
    projection: { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: rk4() },
  };
  const cases = Object.entries(pushes).flatMap(([cause, push]) =>
    Object.entries(methods).map(([name, method]) => [cause, name, push, method] as const),
  );

  test.each(cases)(
    "%s, with %s: names body or joint and time, and restores the state before",
    async (_, __, push, method) => {
      const m = model({ name: "bomb" });
      push(m);
      const simulation = (await compile(m)).simulate({ step: 1e-3, ...(method && { method }) });
      let [q, steps] = [simulation.q.slice(), 0];
      expect(() =>
        simulation.runTo(2, (now) => {
          q = now.q.slice();
          steps++;
        }),
      ).toThrow(
        expect.objectContaining({
          code: "STEP",
          message: expect.stringMatching(
            /^bomb: the (position|velocity) (of "pebble"|"(pebble|revolute 1|planar 1) \w+( [xy])?") is \S+ at t = 0\.\d+: the motion diverged\. Try a shorter step$|^bomb: the joint "revolute 1" turns by about \S+ rad in a step .* cannot be determined\. Try steps below/,
          ),
        }),
      );
      expect(steps).toBeLessThan(2000);
      expect([...simulation.q]).toEqual([...q]);
      expect(simulation.time).toBeCloseTo(steps / 1000, 12);
      expect(Number.isFinite(simulation.energy().total)).toBe(true);
      const { v } = stateOf(simulation, 0);
      expect(v.every(Number.isFinite)).toBe(true);
    },
  );
});

test("an invalid model and a missing step are rejected with the expected input", async () => {
  for (const nothing of [undefined, null, {}, { bodies: [] }]) {
    await expect(compile(nothing as never)).rejects.toThrow(
      "compile takes what model() made: const m = model(); ...; await compile(m)",
    );
  }
  const m = model({ name: "free" });
  m.body({ mass: 1, inertia: [1, 1, 1] });
  const compiled = await compile(m);
  expect(() => compiled.simulate(undefined as never)).toThrow(
    "simulate: options must be an object, not undefined: simulate({ step: ... })",
  );
  expect(() => compiled.simulate({ step: 1e-3, q: compiled.q } as never)).toThrow(
    "simulate: q is not an option: there are step, method",
  );
  expect(() => compiled.simulate({} as never)).toThrow(
    "step is missing; give a positive number of seconds",
  );
});

describe.each(["maximal", "relative"] as const)(
  "stiff bristles in %s coordinates",
  (coordinates) => {
    test.each([1e-3, 1e-2])("cause the error at steps of %g s, not the rotor", async (step) => {
      const m = model({ name: "rubbing" });
      const [upper, lower] = [0.5, 1.5].map((x) =>
        m.body({ mass: 1, shape: rod({ length: 1, axis: [1, 0, 0] }), position: [x, 0, 0] }),
      ) as [Body, Body];
      const hinge = m.revolute({ between: [m.ground, upper], axis: [0, 1, 0], at: [0, 0, 0] });
      const elbow = m.revolute({ between: [upper, lower], axis: [0, 1, 0], at: [1, 0, 0] });
      const bristles = { model: "bristle", stiffness: 1e7, damping: 3 } as const;
      m.friction({ name: "pad", joint: hinge, coulomb: 0.5, ...bristles });
      m.motor({ joint: elbow, mode: "torque", target: 0.1, rotorInertia: 1e-4, gearRatio: 50 });
      const simulation = (await compile(m, { coordinates })).simulate({ step });
      expect(() => simulation.runTo(1)).toThrow(
        expect.objectContaining({
          code: "STEP",
          message: expect.stringMatching(
            /^rubbing: .*diverged.* Try a shorter step \(the bristles of friction "pad" ask for one\)/,
          ),
        }),
      );
    });
  },
);
