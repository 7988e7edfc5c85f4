// Text to model to text, and model to text to model.

import { readdirSync, readFileSync } from "node:fs";
import { model, rod } from "nodrift/bodies";
import {
  elasticLaw,
  FunctionSet,
  loadLaw,
  readDocument,
  readModel,
  roadProfile,
  writeModel,
} from "nodrift/files";
import { hmmwv, hmmwvRoad, models } from "nodrift/mechanisms";
import { radau5, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { allCases, documentWith, modelWith } from "./support/all-types.js";
import { expectSameBits, expectSameMotion, expectSameRuns } from "./support/bits.js";

const examples = readdirSync("examples").filter((name) => !name.startsWith("equations-"));

describe("examples", () => {
  test("exist", () => {
    expect(examples.length).toBeGreaterThan(10);
  });

  test.each(examples)("%s is written unchanged and moves with the same bits", async (name) => {
    const text = readFileSync(`examples/${name}`, "utf8");
    const file = readModel(text);
    const written = writeModel(file.model, file.settings);
    expect(written).toBe(text);
    const again = readModel(written);
    const [first, second] = [await file.compile(), await again.compile()];
    expectSameBits(first.q, second.q);
    expectSameBits(first.v, second.v);
    const [from, to] = file.settings.solve?.span ?? [0, 1];
    const others = { span: [from, from + (to - from) / 100], output: "steps" } as const;
    const options = [file.solveOptions(first, others), again.solveOptions(second, others)] as const;
    expectSameRuns(first, second, ...options);
  });
});

describe("ready models", () => {
  const written = models.filter(
    ({ build }) =>
      !build()
        .data()
        .forces.some(({ update }) => update),
  );

  test("include all except the one whose road is a function", () => {
    const left = models.filter((one) => !written.includes(one));
    expect(left.map(({ name }) => name)).toEqual(["HMMWV"]);
  });

  test.each(written.map((one) => [one.name, one] as const))(
    "%s, written and read again, moves with the same bits",
    async (_, { build, stiff }) => {
      const text = writeModel(build());
      const file = readModel(text);
      expect(writeModel(file.model, file.settings)).toBe(text);
      const integrator = stiff && { integrator: radau5() };
      await expectSameMotion(file.model, build(), { span: [0, 0.02], ...integrator });
    },
  );

  test("the HMMWV moves with the same bits on a road given by a formula", async () => {
    const { centre, half } = hmmwvRoad;
    const top = hmmwvRoad.height(centre);
    // sqrt(reach^2 - u^2) - radius, from public data: its top and its ends.
    const radius = (half ** 2 - top ** 2) / (2 * top);
    const [reach, u] = [radius + top, `(x - ${centre})`];
    const bump = `if(abs${u} < ${half}, sqrt(max(0, ${reach}^2 - ${u}^2)) - ${radius}, 0)`;
    const road = roadProfile(bump);
    for (const x of [centre - half / 2, centre, centre + half / 3, centre + 2 * half]) {
      expect(Math.abs(road.height(x, 0, 0) - hmmwvRoad.height(x))).toBeLessThan(1e-12);
      expect(Math.abs(road.slope(x, 0, 0)[0] - hmmwvRoad.slope(x))).toBeLessThan(1e-9);
    }
    const m = model({ name: "HMMWV", gravity: [0, 0, -9.81] });
    copyCalls(hmmwv(), m, road);
    const text = writeModel(m);
    const file = readModel(text);
    expect(text).toContain(JSON.stringify(bump));
    expect(writeModel(file.model, file.settings)).toBe(text);
    const options = { span: [0, 0.01], integrator: radau5(), tolerance: 1e-4 } as const;
    await expectSameMotion(file.model, m, options);
  });
});

/** Repeats the calls for another model, with another road. */
function copyCalls(
  from: ReturnType<typeof model>,
  to: ReturnType<typeof model>,
  road: ReturnType<typeof roadProfile>,
): void {
  const made = new Map<unknown, unknown>([[from.ground, to.ground]]);
  const other = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(other) : (made.get(value) ?? value);
  for (const call of from.calls()) {
    const { type = "body" } = call.made as { type?: string };
    const given = { ...call.options, ...(type === "tyre" && road) };
    const options = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, other(value)]),
    );
    const method = to[type as "body"] as (options: never) => unknown;
    made.set(call.made, method(options as never));
  }
}

describe("one model with all types", () => {
  const text = writeModel(readDocument(documentWith(allCases)).model);

  test("writes valid JSON in lines that fit a screen", () => {
    expect(text.split("\n").filter((line) => line.length > 100)).toEqual([]);
    expect(text.endsWith("}\n")).toBe(true);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(documentWith(allCases))));
  });

  test("writes the text that was read", () => {
    const file = readModel(text);
    expect(writeModel(file.model, file.settings)).toBe(text);
  });

  test("moves with the same bits when it is read again", async () => {
    await expectSameMotion(readModel(text).model, readDocument(documentWith(allCases)).model);
  });

  test("made by calls in any order, written and read again, moves with the same bits", async () => {
    const m = modelWith(allCases);
    await expectSameMotion(readModel(writeModel(m)).model, m);
  });
});

describe("models made by programs", () => {
  test("get automatic names", async () => {
    const m = model();
    const shape = rod({ length: 1, axis: [1, 0, 0] });
    const first = m.body({ mass: 1, shape, position: [0.5, 0, 0] });
    m.body({ name: "body 3", mass: 1, shape, position: [3, 0, 0] });
    const third = m.body({ mass: 1, shape, position: [1.5, 0, 0] });
    const hinge = m.revolute({ between: [m.ground, first], at: [0, 0, 0], axis: [0, 1, 0] });
    const [end, top] = [first.marker({ at: [0.5, 0, 0] }), third.marker({ at: [-0.5, 0, 0] })];
    m.spherical({ between: [end, top] });
    m.torsionSpring({ joint: hinge, stiffness: 3 });
    m.torsionSpring({ joint: hinge, damping: 1 });
    expect([third.name, end.name, hinge.name]).toEqual(["body 4", "marker 1", "revolute 1"]);
    await expectSameMotion(readModel(writeModel(m)).model, m, { span: [0, 0.5] });
  });

  test("keep every digit, and the sign of zero", async () => {
    const m = model({ gravity: [-0, 1e-300, -9.80665000000001] });
    const odd = [0.1 + 0.2, 5e-324, -1.7976931348623157e308 * 1e-300] as const;
    m.body({ mass: 1 / 3, inertia: [1, 1, 1], position: odd, velocity: [-0, 2 ** -1074, 1e21] });
    const text = writeModel(m);
    const { model: again } = readModel(text);
    const [before, after] = [m, again].map(({ calls }) => calls()[0].options);
    for (const key of ["position", "velocity"]) {
      expectSameBits(after[key] as number[], before[key] as number[]);
    }
    expect(Object.is((after.velocity as number[])[0], -0)).toBe(true);
    await expectSameMotion(again, m);
  });

  test("copy the lists they are given", async () => {
    const x = [0, 1, 2];
    const m = model();
    const part = m.body({ mass: 1, inertia: [1, 1, 1] });
    const force = loadLaw([{ table: { x, y: [0, 5, 1] } }, 0, 0]);
    m.pointForce({ on: part, force });
    const functions = new FunctionSet();
    const definition = { name: "f", table: { x, y: [0, 1, 4] } };
    functions.define(definition);
    m.torque({ on: part, torque: loadLaw(["f(t)", 0, 0], functions) });
    x[1] = 1.5;
    const text = writeModel(m);
    expect(text).not.toContain("1.5");
    await expectSameMotion(readModel(text).model, m, { span: [0, 1.5] });
  });

  test("treat constant loads like numbers", async () => {
    const make = (force: ReturnType<typeof loadLaw>) => {
      const m = model();
      m.pointForce({ on: m.body({ mass: 1, inertia: [1, 1, 1] }), force });
      return m;
    };
    const m = make(loadLaw([1, 2, 3]));
    expect(writeModel(m)).toBe(writeModel(make([1, 2, 3])));
    await expectSameMotion(readModel(writeModel(m)).model, m, {
      span: [0, 1],
      integrator: radau5(),
    });
  });

  test("accept the settings of files", async () => {
    const m = model({ name: "fall" });
    m.body({ name: "ball", mass: 1, inertia: [1, 1, 1] });
    const settings = {
      units: { length: "mm", mass: "t", time: "s" },
      description: "Falls.\nFor ever.",
      functions: [{ name: "twice", of: ["x"], expression: "2*x" }],
      solve: { span: [0, 1], tolerance: { relative: 1e-6 } },
      output: { at: "ends", values: ["twice(z('ball'))"] },
    } as const;
    const file = readModel(writeModel(m, settings));
    expect(file.settings).toEqual(settings);
    const system = await file.compile();
    const { end } = solve(system, file.solveOptions(system));
    expect(Math.abs(file.columns[0].read(end) + 9.81)).toBeLessThan(1e-9);
  });

  test("cannot be written if the file would be unreadable", () => {
    const named = (name: string) => {
      const m = model();
      m.body({ name, mass: 1, inertia: [1, 1, 1] });
      return m;
    };
    expect(() => writeModel(model())).toThrow('"bodies" has 0 entries; give at least 1');
    expect(() => writeModel(named("n".repeat(201)))).toThrow("longer than 200 characters");
    expect(() => writeModel(named("a\nb"))).toThrow("contains control characters");
    const output = { values: ["z('bal')"] };
    expect(() => writeModel(named("ball"), { units: "SI", output })).toThrow("did you mean ball?");
    expect(readModel(writeModel(named("ball"))).name).toBe("model");
  });

  test("share functions by name, which must not differ", () => {
    const [one, other] = [new FunctionSet(), new FunctionSet()];
    one.define({ name: "f", of: ["x"], expression: "x + 1" });
    other.define({ name: "f", of: ["x"], expression: "x + 2" });
    const make = (functions: FunctionSet) => {
      const m = model();
      const part = m.body({ mass: 1, inertia: [1, 1, 1] });
      m.torque({ on: part, torque: loadLaw(["f(t)", 0, 0], one) });
      m.spring({
        between: [m.ground, part],
        atA: [1, 0, 0],
        force: elasticLaw("length", "f(length)", functions),
      });
      return m;
    };
    expect(writeModel(make(one)).match(/x \+ 1/g)).toHaveLength(1);
    expect(() => writeModel(make(other))).toThrow('two different functions are named "f"');
    const settings = {
      units: "SI",
      functions: [{ name: "f", of: ["x"], expression: "x" }],
    } as const;
    expect(() => writeModel(make(one), settings)).toThrow('two different functions are named "f"');
  });
});
