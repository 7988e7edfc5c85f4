import { ab3, none, rk4, udwadiaKalaba } from "nodrift";
import { compile, model, rod } from "nodrift/bodies";
import { dop853, radau5, solve, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { sampled, sampledReference } from "./support/sampled.js";

const UNTIL = 0.2;

describe.each([
  { every: 0.01, delay: 0 },
  { every: 0.01, delay: 0.004 },
  { every: 0.01, delay: 0.025 },
  { every: 0.01, delay: 0.03 },
])("a controller with a sample period of $every s and a delay of $delay s", (sampling) => {
  const expected = sampledReference(sampling, UNTIL);
  const check = (angle: number, rate: number, allowed: number) => {
    expect(Math.abs(angle - expected[0])).toBeLessThan(allowed);
    expect(Math.abs(rate - expected[1])).toBeLessThan(20 * allowed);
  };

  test.each(["maximal", "relative"] as const)(
    "matches the reference in %s coordinates",
    async (coordinates) => {
      const system = await sampled(sampling, { coordinates });
      // Steps that divide the period, steps that do not, and steps longer than the period.
      for (const step of [1e-3, 1.7e-3, 0.013]) {
        const end = system.simulate({ step }).runTo(UNTIL);
        const { angle, angleRate } = end.joint("hinge");
        check(angle!, angleRate!, 1e-7);
      }
      for (const integrator of [dop853(), radau5()]) {
        const formulation = integrator.isImplicit ? stateSpace() : udwadiaKalaba();
        const found = solve(system, {
          span: [0, UNTIL],
          tolerance: 1e-9,
          method: { formulation, integrator },
        });
        expect(found.status, found.reason).toBe("finished");
        const { angle, angleRate } = found.end.joint("hinge");
        check(angle!, angleRate!, 1e-8);
      }
      const [long, short] = [2e-3, 1e-3].map((step) => {
        const method = { formulation: udwadiaKalaba(), stabilisation: none(), integrator: ab3() };
        const end = system.simulate({ step, method }).runTo(UNTIL);
        return Math.abs(end.joint("hinge").angle! - expected[0]);
      });
      expect(short).toBeLessThan(long!);
      expect(short).toBeLessThan(1e-4);
    },
  );

  test("save, restore, replay and alternating states preserve pending samples", async () => {
    const system = await sampled(sampling);
    const simulation = system.simulate({ step: 1e-3 }).advance(33);
    const [snapshot, unwrappedAngles] = [simulation.save(), simulation.unwrappedAngles];
    const [q, v] = [simulation.q.slice(), simulation.v.slice()];
    const recording = simulation.record({ every: 10 });
    const end = simulation.advance(40).joint("hinge").angle;
    const other = system.simulate({ step: 1e-3 });
    other.replay(recording.stop());
    expect(other.joint("hinge").angle).toBe(end);
    simulation.restore(snapshot);
    expect(simulation.advance(40).joint("hinge").angle).toBe(end);
    const third = system.simulate({ step: 1e-3 });
    third.setState(q, v, { time: 0.033, unwrappedAngles });
    expect(third.advance(40).joint("hinge").angle).toBeCloseTo(end!, 12);
  });
});

test("a run that starts between samples waits for the next one", async () => {
  const seen: number[] = [];
  const m = model();
  const arm = m.body({ mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
  m.revolute({ name: "hinge", between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
  m.controller({ every: 0.1, offset: 0.02, outputs: ["u"], sample: (t) => [seen.push(t)] });
  const system = await compile(m, { time: 0.05 });
  system
    .simulate({
      step: 0.03,
      method: { formulation: udwadiaKalaba(), stabilisation: none(), integrator: rk4() },
    })
    .runTo(0.5);
  expect(seen.map((t) => t.toFixed(9))).toEqual([
    "0.120000000",
    "0.220000000",
    "0.320000000",
    "0.420000000",
  ]);
});

describe("model.controller", () => {
  const sample = () => [0];
  test.each([
    [{ outputs: ["u"], sample }, "every is missing"],
    [{ every: 0, outputs: ["u"], sample }, "every must be positive"],
    [{ every: 1, outputs: [], sample }, "outputs must be a list of texts"],
    [{ every: 1, outputs: ["u"], sample: 1 }, "sample must be a function"],
    [{ every: 1, outputs: ["u"], sample, delay: -1 }, "delay must not be negative"],
    [{ every: 1e-6, outputs: ["u"], sample, delay: 1 }, "would be under way"],
    [
      { every: 1, outputs: ["u"], sample, memory: { a: Number.NaN } },
      "memory.a must be a finite number",
    ],
    [{ every: 1, outputs: ["u"], sample, start: [1, 2] }, "start must be 1 numbers"],
  ])("rejects %o", (options, message) => {
    expect(() => model().controller(options as never)).toThrow(message);
  });

  test("invalid samples are reported with the controller and the time", async () => {
    for (const [wrong, message] of [
      [() => [Number.NaN], 'controller "c": sample gave NaN for "u" at t = 0'],
      [() => 3, "give 1 numbers"],
      [
        (_t: number, _r: unknown, memory: Float64Array) => [memory.fill(Number.NaN).length],
        "in its memory",
      ],
    ] as const) {
      const m = model();
      const arm = m.body({ mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
      m.revolute({ between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
      m.controller({
        name: "c",
        every: 0.1,
        outputs: ["u"],
        memory: { a: 0 },
        sample: wrong as never,
      });
      const simulation = (await compile(m)).simulate({ step: 1e-3 });
      expect(() => simulation.advance()).toThrow(message);
    }
  });
});
