// Invalid values, and parameters.

import { compile, type Model, model, rod } from "nodrift/bodies";
import { readModel, writeModel } from "nodrift/files";
import { describe, expect, it } from "vitest";
import { allSettings } from "../support/live-settings.js";

const NaN_LIKE = [Number.NaN, Number.POSITIVE_INFINITY, "1", null, true, () => 1];

describe("simulation.set with invalid values", () => {
  it.each(allSettings().map((setting) => [setting.name, setting] as const))(
    "%s: rejects NaN, text and wrong sizes by name, and changes nothing",
    async (name, setting) => {
      const simulation = (await compile(setting.make(false))).simulate({ step: 1e-3 });
      const [target, options] = [setting.type === "marker" ? "b:x" : "x", name.split(": ")[1]!];
      const before = JSON.stringify(simulation.settings);
      const saved = simulation.save();
      for (const option of options.split(" and ")) {
        for (const bad of [...NaN_LIKE, [1, 2], [1, 2, Number.NaN]]) {
          expect(() => simulation.set(target, { [option]: bad } as never)).toThrow(option);
        }
      }
      expect(() => simulation.set(target, { nonsense: 1 } as never)).toThrow("nonsense");
      expect(JSON.stringify(simulation.settings)).toBe(before);
      expect(simulation.save().checksum).toBe(saved.checksum);
    },
    20_000,
  );

  it("rejects negative masses, stiffnesses and lengths by name", async () => {
    const m = model();
    const body = m.body({ name: "b", mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
    m.spherical({ name: "ball", between: [m.ground, body], at: [0, 0, 0] });
    const spring = m.spring({
      name: "s",
      between: [m.ground, body],
      atB: [0, 0, -1],
      stiffness: 1,
    });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    expect(() => simulation.set(body, { mass: -1 })).toThrow('body "b": mass is -1');
    expect(() => simulation.set(body, { mass: 0 })).toThrow("mass");
    expect(() => simulation.set(body, { inertia: [1, 1, -1] })).toThrow("inertia");
    expect(() => simulation.set(spring, { stiffness: -5 })).toThrow('spring "s": stiffness');
    expect(() => simulation.set(spring, { length: -5 })).toThrow("length");
    expect(() => simulation.set({ gravity: [0, Number.NaN, 0] })).toThrow("gravity");
    expect(() => simulation.set({ gravity: [0, 0] as never })).toThrow("gravity");
    expect(() => simulation.set({ k: 1 })).toThrow('"k"');
    expect(() => simulation.set("nothing", { mass: 1 })).toThrow('"nothing"');
    expect(() => simulation.set("b", { position: [0, 0, 0] })).toThrow("position is where");
    expect(() => simulation.set("s", { between: [1, 2] })).toThrow("between");
    expect(() =>
      simulation.set(model().body({ mass: 1, inertia: [1, 1, 1] }), { mass: 1 }),
    ).toThrow("not of this model");
    expect(simulation.body("b").mass).toBe(1);
    simulation.set(body, { mass: 2 });
    expect(simulation.body("b").mass).toBe(2);
    expect(simulation.energy().potential).toBeCloseTo(-2 * 9.81 * 0.5, 12);
  });

  it("keeps a force law that is a function", async () => {
    const m = model();
    const body = m.body({ name: "b", mass: 1, inertia: [1, 1, 1] });
    m.pointForce({ name: "f", on: body, force: (t) => [t, 0, 0] });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    expect(() => simulation.set("f", { force: [1, 0, 0] })).toThrow(/f: this would change/);
  });

  it("shifts gears without a jump of the state", async () => {
    const simulation = (await compile(gears())).simulate({ step: 1e-3 });
    simulation.runTo(0.5);
    const before = [simulation.joint("one").angle, simulation.joint("two").angle];
    simulation.set("mesh", { ratio: -3 });
    expect(simulation.joint("one").angle).toBeCloseTo(before[0]!, 12);
    expect(simulation.joint("two").angle).toBeCloseTo(before[1]!, 12);
    expect(simulation.joint("two").angleRate).toBeCloseTo(
      -3 * simulation.joint("one").angleRate!,
      10,
    );
    simulation.runTo(1);
    expect(simulation.joint("two").angle! - before[1]!).toBeCloseTo(
      -3 * (simulation.joint("one").angle! - before[0]!),
      8,
    );
  });

  it("restores the values of an earlier snapshot", async () => {
    const simulation = (await compile(gears())).simulate({ step: 1e-3 });
    const saved = simulation.runTo(0.2).save();
    const q = simulation.runTo(0.4).q.slice();
    simulation.set("wheel", { mass: 5 });
    simulation.set("mesh", { ratio: -3 });
    simulation.runTo(1);
    simulation.restore(structuredClone(saved));
    expect(simulation.body("wheel").mass).toBe(1);
    expect([...simulation.runTo(0.4).q]).toEqual([...q]);
  });
});

function gears(): Model {
  const m = model({ name: "gears", gravity: [0, 0, 0] });
  const options = { mass: 1, inertia: [0.1, 0.1, 0.2] } as const;
  const [a, b] = [
    m.body({ name: "wheel", ...options, angularVelocity: [0, 0, 2] }),
    m.body({ name: "other", ...options, position: [1, 0, 0] }),
  ];
  const one = m.revolute({ name: "one", between: [m.ground, a], at: [0, 0, 0], axis: [0, 0, 1] });
  const two = m.revolute({ name: "two", between: [m.ground, b], at: [1, 0, 0], axis: [0, 0, 1] });
  m.gear({ name: "mesh", joints: [one, two], ratio: -1 });
  return m;
}

describe("parameters", () => {
  it("can be combined with a shape without parameters", async () => {
    const m = model();
    const load = m.parameter("load", 2);
    m.body({ name: "b", mass: load, shape: rod({ length: 3 }) });
    const system = await compile(m);
    // m l^2 / 12 about an axis across the rod.
    expect(system.with({ load: 4 }).data.bodies[0]!.inertia[0]).toBeCloseTo(3, 3);
    expect(readModel(writeModel(m)).model.data()).toEqual(m.data());
  });

  const build = () => {
    const m = model({ name: "shared" });
    const [k, l] = [m.parameter("k", 50), m.parameter("l", 0.8)];
    const arm = m.body({
      name: "arm",
      mass: m.parameter("mass", 2),
      shape: rod({ length: l }),
      position: [0, 0, -0.4],
    });
    const tip = arm.marker({ name: "tip", at: [0, 0, -0.3] });
    m.spherical({ between: [m.ground, arm], at: [0, 0, 0] });
    m.spring({ name: "one", between: [m.ground, tip], stiffness: k, length: 0.5, atA: [1, 0, 0] });
    m.spring({ name: "two", between: [m.ground, tip], stiffness: k, length: l, atA: [-1, 0, 0.3] });
    return m;
  };

  it("replace values in several options, also in shapes", async () => {
    const simulation = (await compile(build())).simulate({ step: 1e-3 });
    simulation.set({ k: 80, mass: 3, l: 0.9 });
    const { data } = (await compile(build())).with({ k: 80, mass: 3, l: 0.9 });
    expect(data.forces.map(({ constants }) => constants[0])).toEqual([80, 80]);
    expect(data.forces[1]!.constants).toContain(0.9);
    expect(data.bodies[0]!.inertia[0]).toBeCloseTo((3 * 0.81) / 12, 14);
    expect(simulation.body("arm").mass).toBe(3);
  });

  it("must be known numbers of the same model", async () => {
    const m = build();
    expect(() => m.parameter("k", 1)).toThrow('"k"');
    expect(() => m.parameter("gravity", 1)).toThrow("gravity");
    expect(() => m.parameter("x", Number.NaN)).toThrow("finite");
    expect(() => m.parameter("", 1)).toThrow("name");
    const other = model().parameter("k", 3);
    expect(() => m.body({ mass: other, inertia: [1, 1, 1] })).toThrow("of another model");
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    expect(() => simulation.set({ kk: 1 })).toThrow('"kk"');
    expect(() => simulation.set({ mass: -1 })).toThrow("mass is -1");
    expect(simulation.body("arm").mass).toBe(2);
  });

  it("survive writing to a file and reading it", async () => {
    const text = writeModel(build(), { units: "SI" });
    expect(JSON.parse(text).parameters).toEqual({ k: 50, l: 0.8, mass: 2 });
    expect(JSON.parse(text).forces[0].stiffness).toEqual({ parameter: "k" });
    expect(JSON.parse(text).bodies[0].shape).toEqual({ type: "rod", length: { parameter: "l" } });
    const read = await readModel(text).compile();
    const { data } = read.with({ k: 60 });
    expect(data.forces.map(({ constants }) => constants[0])).toEqual([60, 60]);
    expect(() => readModel(text.replace('"parameter": "k"', '"parameter": "kx"'))).toThrow(
      'no parameter "kx"',
    );
  });
});
