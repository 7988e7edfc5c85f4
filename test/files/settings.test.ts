// Settings of a file have the effect of the options of `solve`.

import { readDocument, timeUnit, unitOf } from "nodrift/files";
import { adaptiveIntegrators, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { ball, expectSameSolution, run, runByCalls } from "./support/ball.js";
import { expectSameBits } from "./support/bits.js";

describe("output", () => {
  test("supports given times, a rate, the ends, and all steps", async () => {
    const times = [0, 0.1, 0.5, 1.7];
    expect([...(await run({ output: { at: { times } } })).time]).toEqual(times);
    const rate = await run({ output: { at: { rate: 3 } } });
    expect(rate.length).toBe(7);
    expect([...(await run({ output: { at: "ends" } })).time]).toEqual([0, 2]);
    const [given, steps] = [await run({}), await run({ output: { at: "steps" } })];
    expect(steps.length).toBe(steps.statistics.steps + 1);
    expectSameSolution(steps, given);
  });

  test("contains the columns of the file with their units", () => {
    const { columns } = ball({
      output: {
        values: [
          "z('ball')",
          { name: "height", value: "z('ball') - 0.1", unit: "m" },
          { name: "fall", value: "-vz('ball')" },
          "energy()",
        ],
      },
    });
    expect(columns.map(({ name, unit }) => [name, unit])).toEqual([
      ["z('ball')", "m"],
      ["height", "m"],
      ["fall", undefined],
      ["energy()", "J"],
    ]);
  });

  test("contains plots of columns and of other formulas", async () => {
    const file = ball({
      output: {
        values: [{ name: "height", value: "z('ball') - 0.1" }],
        plots: [
          { title: "Fall", values: ["height", "vz('ball')", "t"] },
          { values: ["2*x('ball')", "height"] },
        ],
      },
    });
    const [fall, other] = file.plots;
    expect(fall.title).toBe("Fall");
    expect(other.title).toBe("2*x('ball'), height");
    expect(fall.columns[0]).toBe(file.columns[0]);
    expect(fall.columns.map(({ unit }) => unit)).toEqual([undefined, "m/s", undefined]);
    const system = await file.compile();
    const { end } = solve(system, { span: [0, 0.4], tolerance: 1e-9 });
    expect(fall.columns.map(({ read }) => read(end))).toEqual([
      end.body("ball").position[2] - 0.1,
      end.body("ball").velocity[2],
      0.4,
    ]);
  });
});

describe("solving", () => {
  test.each([
    ["one number", 1e-5],
    ["relative", { relative: 1e-5 }],
    ["absolute", { absolute: 1e-5 }],
    ["both", { relative: 1e-7, absolute: 1e-4 }],
    ["for positions and velocities", { absolute: { positions: 1e-7, velocities: 1e-4 } }],
    [
      "for kinds and bodies",
      { relative: 1e-5, absolute: { angles: 1e-8, ball: { velocities: 1e-7 } } },
    ],
  ])("takes a tolerance: %s", async (_, tolerance) => {
    const found = await run({ solve: { span: [0, 2], tolerance } });
    const wanted = await runByCalls(() => ({ tolerance }));
    expectSameSolution(found, wanted);
  });

  test("accepts step sizes and limits", async () => {
    const bounds = { firstStep: 1e-4, maximumStep: 0.05, maximumSteps: 30 } as const;
    const found = await run({ solve: { span: [0, 2], tolerance: 1e-9, ...bounds } });
    expect(found.status).not.toBe("finished");
    expect(found.statistics.steps).toBe(30);
    expectSameSolution(found, await runByCalls(() => bounds));
    const fixed = { step: 0.01, method: "udwadiaKalaba + projection + rk4" } as const;
    const steps = await run({ solve: { span: [0, 2], ...fixed } });
    expect([steps.statistics.steps, steps.method]).toEqual([200, fixed.method]);
    const short = { maximumStep: 1e-3, maximumSeconds: 0.05 } as const;
    const seconds = await run({ solve: { span: [0, 1e6], ...short } });
    expect(seconds.reason).toContain("0.05");
    expect(seconds.end.time).toBeLessThan(1e6);
  });

  test("supports backward integration", async () => {
    const found = await run({ solve: { span: [1, 0.5] }, output: { at: { times: [1, 0.6] } } });
    expect([...found.time]).toEqual([1, 0.6]);
    expect(found.end.time).toBe(0.5);
  });

  test("starts at the time of the file, with drives in their state at that time", async () => {
    const place = { at: [0, 0, 0], axis: [0, 0, 1] } as const;
    const file = readDocument({
      nodrift: 1,
      name: "crank",
      units: "SI",
      gravity: [0, 0, 0],
      bodies: [{ name: "crank", mass: 1, inertia: [1, 1, 1] }],
      joints: [
        { type: "revolute", name: "axle", between: ["ground", "crank"], ...place },
        { type: "driveAngle", joint: "axle", angle: "0.2*t" },
      ],
      solve: { span: [2, 3] },
      output: { at: "ends" },
    });
    const system = await file.compile();
    expect(system.time).toBe(2);
    const solution = solve(system, file.solveOptions(system));
    const [first, last] = [...solution.states()].map((state) => state.joint("axle").angle!);
    expect(first).toBeCloseTo(0.4, 12);
    expect(last).toBeCloseTo(0.6, 12);
  });

  test("overrides options of the file", async () => {
    const file = ball({ solve: { span: [0, 2], method: "udwadiaKalaba + dp5", tolerance: 1e-3 } });
    const system = await file.compile();
    expect(solve(system, file.solveOptions(system)).method).toBe("udwadiaKalaba + dp5");
    const { integrator, method, span, tolerance } = file.solveOptions(system, {
      integrator: adaptiveIntegrators.dop853(),
      span: [0, 1],
    });
    expect([(integrator as { name?: string })?.name, method, span, tolerance]).toEqual([
      "dop853",
      undefined,
      [0, 1],
      1e-3,
    ]);
    const other = ball({ solve: { span: [0, 2], method: "dop853" } });
    const given = other.solveOptions(system, { method: file.solveOptions(system).method! });
    expect(solve(system, given).method).toBe("udwadiaKalaba + dp5");
  });

  test("reports a missing span", async () => {
    const file = ball({});
    const system = await file.compile();
    expect(() => file.solveOptions(system)).toThrow('add "solve": { "span": [0, 10] }');
    expect(file.solveOptions(system, { span: [0, 1] }).span).toEqual([0, 1]);
  });
});

describe("units", () => {
  const own = { length: "mm", mass: "t", time: "ms" } as const;

  test("follow the units of the file", () => {
    const dimensions = ["length", "velocity", "acceleration", "angle", "angular velocity"] as const;
    expect(dimensions.map((dimension) => unitOf(dimension, "SI"))).toEqual([
      "m",
      "m/s",
      "m/s²",
      "rad",
      "rad/s",
    ]);
    expect(dimensions.map((dimension) => unitOf(dimension, own))).toEqual([
      "mm",
      "mm/ms",
      "mm/ms²",
      "rad",
      "rad/ms",
    ]);
    const loads = ["force", "torque", "energy"] as const;
    expect(loads.map((dimension) => unitOf(dimension, "SI"))).toEqual(["N", "N m", "J"]);
    expect(loads.map((dimension) => unitOf(dimension, own))).toEqual([
      "t mm/ms²",
      "t mm²/ms²",
      "t mm²/ms²",
    ]);
    expect([timeUnit("SI"), timeUnit(own)]).toEqual(["s", "ms"]);
  });

  test("label columns without changing values", async () => {
    const output = { values: ["z('ball')", "kineticEnergy()"] };
    const [one, other] = [ball({ output }), ball({ output, units: own })];
    expect(other.columns.map(({ unit }) => unit)).toEqual(["mm", "t mm²/ms²"]);
    const systems = [await one.compile(), await other.compile()];
    expectSameBits(systems[0].q, systems[1].q);
  });
});
