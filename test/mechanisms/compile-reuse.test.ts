// `compile(m, { reuse })`: whatever differs between the two models, the result is bitwise that of a fresh compilation.

import { readFileSync } from "node:fs";
import {
  type CompiledModel,
  type CompileOptions,
  compile,
  type Joint,
  type Model,
  model,
} from "nodrift/bodies";
import { readDocument } from "nodrift/files";
import { describe, expect, it, test } from "vitest";
import { allSettings } from "../support/live-settings.js";

/** Coordinates, initial state and the state after twenty steps. */
function bitsOf(system: CompiledModel) {
  const { q, v, length, coordinateChoice, plan } = system;
  const end = system.simulate({ step: 1 / 200 }).advance(20);
  const numbers = [...q, ...v, length, ...end.q, ...end.v, ...end.multipliers(), ...plan.data];
  return {
    kind: coordinateChoice.kind,
    numbers: [...new BigInt64Array(new Float64Array(numbers).buffer)],
  };
}

/** Whether initial state and ranks were reused. */
const isReused = (system: CompiledModel, reuse: CompiledModel) =>
  system.examination === reuse.examination;

async function compare(after: Model, reuse: CompiledModel, options: CompileOptions = {}) {
  const fresh = await compile(after, options);
  const made = await compile(after, { ...options, reuse });
  expect(bitsOf(made)).toEqual(bitsOf(fresh));
  return isReused(made, reuse);
}

describe("compile with reuse, after changing a value of any joint, force, body or marker", () => {
  it.each(allSettings().map((setting) => [setting.name, setting] as const))(
    "%s: matches a fresh compilation bit for bit",
    async (_, { make }) => {
      await compare(make(true), await compile(make(false)));
    },
  );
});

interface Crank {
  readonly mass?: number;
  readonly rod?: number;
  readonly inertia?: number;
  readonly gravity?: number;
  readonly spin?: number;
  readonly length?: number;
  readonly stiffness?: number;
  readonly name?: string;
}

/** A slider-crank described slightly open, so that its initial state is assembled. */
function crank({
  mass = 1,
  rod = 1,
  inertia = 0.1,
  gravity = -9.81,
  spin = 3,
  ...more
}: Crank = {}) {
  const { length = 2, stiffness = 5, name = "crank" } = more;
  const m = model({ name: "slider-crank", gravity: [0, 0, gravity] });
  const cranked = m.body({
    name,
    mass,
    inertia: [inertia, inertia, inertia],
    position: [0, 0, 0.5],
    angularVelocity: [0, spin, 0],
  });
  const rodded = m.body({
    name: "rod",
    mass: rod,
    inertia: [0.3, 0.3, 0.3],
    position: [1, 0, 0.49],
  });
  const slider = m.body({ name: "slider", mass: 1, inertia: [1, 1, 1], position: [length, 0, 0] });
  m.revolute({ name: "pin", between: [m.ground, cranked], at: [0, 0, 0], axis: [0, 1, 0] });
  const axis = [0, 1, 0] as const;
  const knees = [
    cranked.marker({ name: "knee", at: [0, 0, 0.5], axis }),
    rodded.marker({ name: "knee", at: [-1.05, 0, 0.5], axis }),
  ] as const;
  m.revolute({ name: "knee", between: knees });
  m.revolute({ name: "wrist", between: [rodded, slider], at: [length, 0, 0], axis: [0, 1, 0] });
  m.prismatic({ name: "way", between: [m.ground, slider], at: [length, 0, 0], axis: [1, 0, 0] });
  m.spring({ name: "spring", between: [m.ground, slider], stiffness, length: 1 });
  return m;
}

describe("compile with reuse, for a closed loop with an assembled initial state", () => {
  test.each([
    ["masses", { mass: 1.3, rod: 0.7 }],
    ["inertia", { inertia: 0.12 }],
    ["gravity", { gravity: 3 }],
    ["constants of forces", { stiffness: 70 }],
  ])("%s: only loads change, so the initial state is reused", async (_, changed) => {
    expect(await compare(crank(changed), await compile(crank()))).toBe(true);
  });

  test.each([
    ["a velocity", { spin: -2 }],
    ["a length", { length: 2.1 }],
    ["a name", { name: "driver" }],
  ])("%s: geometry changes, so the model is compiled from scratch", async (_, changed) => {
    expect(await compare(crank(changed), await compile(crank()))).toBe(false);
  });

  test("compiles from scratch if the masses lead to other coordinates", async () => {
    const reuse = await compile(crank());
    expect(reuse.coordinateChoice.kind).toBe("relative");
    expect(await compare(crank({ mass: 300 }), reuse)).toBe(false);
  });

  test.each<[string, CompileOptions]>([
    ["another time", { time: 1 }],
    ["other coordinates", { coordinates: "maximal" }],
    ["what is held", { hold: ["crank"] }],
    ["a start as given", { start: "asGiven", coordinates: "maximal" }],
    ["joints", { joints: { pin: 0.3 } }],
    ["a tree", { tree: { cut: ["pin"] } }],
  ])("%s: does not reuse the other model", async (_, options) => {
    const plain = await compile(crank());
    const other = await compile(crank(), options);
    expect(await compare(crank({ mass: 1.2 }), plain, options)).toBe(false);
    expect(await compare(crank({ mass: 1.2 }), other)).toBe(false);
  });

  test("reuses a copy of a copy with the same options, also with held bodies", async () => {
    const options = { hold: ["crank"] };
    const first = await compile(crank(), options);
    const second = await compile(crank({ mass: 2 }), { ...options, reuse: first });
    expect(await compare(crank({ mass: 3 }), second, options)).toBe(true);
  });

  test("does not reuse models that start in a state of a run, or lack a joint", async () => {
    const system = await compile(crank());
    const { q, v, unwrappedAngles } = system.simulate({ step: 0.01 }).advance(10);
    expect(await compare(crank({ mass: 2 }), system.withLocks({ q, v, unwrappedAngles }))).toBe(
      false,
    );
    expect(await compare(crank({ mass: 2 }), system.without("spring"))).toBe(false);
  });
});

test("updates a size that is a radius of gyration with the inertia", async () => {
  const ball = (inertia: number) => {
    const m = model({ name: "ball" });
    m.body({ name: "ball", mass: 1, inertia: [inertia, inertia, inertia] });
    return m;
  };
  expect(await compare(ball(2), await compile(ball(1)))).toBe(false);
  expect(await compare(ball(1), await compile(ball(1)))).toBe(true);
});

describe("compile with reuse distinguishes values inside functions and formulas with the same text", () => {
  const hinged = (add: (m: Model, hinge: Joint) => void) => {
    const m = model({ name: "arm", gravity: [0, 0, -9.81] });
    const arm = m.body({ name: "arm", mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0] });
    const at = { at: [0, 0, 0], axis: [0, 1, 0] } as const;
    add(m, m.revolute({ name: "hinge", between: [m.ground, arm], ...at }));
    return m;
  };
  test.each<[string, (value: number) => Model]>([
    ["a drive", (speed) => hinged((m, joint) => m.driveAngle({ joint, angle: (t) => speed * t }))],
    [
      "a formula with a parameter",
      (k) =>
        hinged((m, joint) => {
          m.parameter("k", k);
          m.torsionSpring({ joint, torque: "-k * angle('hinge')" });
        }),
    ],
    [
      "the rate of a state",
      (k) =>
        hinged((m, joint) => {
          const rates = (_t: number, [y]: Float64Array) => [-k * y];
          m.states({ name: "s", names: ["y"], start: [1], rates });
          m.torsionSpring({ joint, torque: "-state('s.y')" });
        }),
    ],
    [
      "a controller",
      (k) =>
        hinged((m, joint) => {
          const sample = () => [k];
          m.controller({ name: "c", every: 0.01, outputs: ["u"], sample });
          m.motor({ joint, mode: "torque", target: (_t, read) => read.output("c", "u") });
        }),
    ],
  ])("%s", async (_, make) => {
    await compare(make(5), await compile(make(3)));
  });
});

test("compile with reuse distinguishes tables of the same name with other values", async () => {
  const arm = (y: number) => ({
    nodrift: 1,
    name: "arm",
    units: "SI",
    gravity: [0, 0, -9.81],
    functions: [{ name: "law", table: { x: [-1, 0, 1], y: [-y, 0, y] } }],
    bodies: [{ name: "arm", mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0] }],
    joints: [
      {
        type: "revolute",
        name: "hinge",
        between: ["ground", "arm"],
        at: [0, 0, 0],
        axis: [0, 1, 0],
      },
    ],
    forces: [{ type: "torsionSpring", joint: "hinge", torque: "-law(angle('hinge') + 0.5)" }],
  });
  const reuse = await readDocument(arm(3)).compile();
  const made = await readDocument(arm(5)).compile({ reuse });
  expect(bitsOf(made)).toEqual(bitsOf(await readDocument(arm(5)).compile()));
});

test("copies of a compiled model keep its held bodies", async () => {
  const system = await compile(crank(), { hold: ["crank"] });
  const copy = system.with("rod", { mass: 2 }).with("rod", { centre: [0.1, 0, 0] });
  expect(copy.q.slice(0, 7)).toEqual(system.q.slice(0, 7));
  const free = (await compile(crank())).with("rod", { centre: [0.1, 0, 0] });
  expect(free.q.slice(0, 7)).not.toEqual(system.q.slice(0, 7));
});

test("compile with reuse matches a fresh compilation for the examples with other masses and gravity", async () => {
  for (const name of ["slider-crank", "double-pendulum", "folding-slider-crank"]) {
    const document = JSON.parse(readFileSync(`examples/${name}.json`, "utf8"));
    const reuse = await readDocument(document).compile();
    for (const body of document.bodies) if (body.mass !== undefined) body.mass *= 1.25;
    document.gravity = document.gravity.map((each: number) => 0.9 * each);
    const fresh = await readDocument(document).compile();
    const made = await readDocument(document).compile({ reuse });
    expect(bitsOf(made)).toEqual(bitsOf(fresh));
    expect(isReused(made, reuse)).toBe(true);
  }
});
