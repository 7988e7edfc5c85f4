import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ab3, type Method, projection, rk4, udwadiaKalaba, welch } from "nodrift";
import { compile, type Model, model, rod } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { counted, stateOf } from "./support/reading.js";
import type { V3 } from "./support/vectors.js";

test("200 000 steps leave no garbage", async () => {
  const script = fileURLToPath(new URL("./support/endurance.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script]);
  const { pendulum, gears } = JSON.parse(stdout);
  expect(pendulum.steps + gears.steps).toBe(200_000);
  for (const { heap, buffers } of [pendulum, gears]) {
    expect(heap).toBeLessThan(2 ** 18);
    expect(buffers).toBeLessThan(2 ** 16);
  }
  // The mechanisms still swing and rotate correctly.
  expect(pendulum.error.position).toBeLessThan(1e-8);
  expect(Math.abs(pendulum.energy)).toBeLessThan(1e-3);
  expect(gears.error.position).toBeLessThan(1e-9);
  const [turned, other] = [gears.q.slice(3, 7), gears.q.slice(10, 14)];
  expect(Math.abs(turned[3])).toBeCloseTo(Math.abs(Math.sin(180 / 2)), 7);
  expect(Math.abs(other[3])).toBeCloseTo(Math.abs(Math.sin(90 / 2)), 7);
});

/** Geared wheels, wound up by a torsion spring over many turns, and a swinging rod of driven length. */
function clockwork(): Model {
  const m = model({ name: "clockwork" });
  const bar = { mass: 1, shape: rod({ length: 1, axis: [1, 0, 0] as V3 }) };
  const wheel = { mass: 1, inertia: [0.1, 0.1, 0.1] as V3 };
  const one = m.body(wheel);
  const two = m.body({ ...wheel, position: [1, 0, 0] });
  const swing = m.body({ ...bar, position: [0, 3, 0] });
  const first = m.revolute({ between: [m.ground, one], at: [0, 0, 0], axis: [0, 0, 1] });
  const second = m.revolute({ between: [m.ground, two], at: [1, 0, 0], axis: [0, 0, 1] });
  m.gear({ joints: [first, second], ratio: -2 });
  m.torsionSpring({ joint: first, stiffness: 0.5, angle: 40 });
  m.driveLength({
    between: [m.ground, swing],
    atB: [0.5, 3, 0],
    length: (t) => Math.hypot(3, 0.5) + 0.3 * Math.sin(t),
  });
  m.spring({ between: [two, swing], atA: [1.2, 0, 0], stiffness: 1, damping: 0.1 });
  return m;
}

describe("save and restore", () => {
  const methods: Record<string, Method | undefined> = {
    "the default method": undefined,
    welch: { coupled: welch() },
    projection: { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: rk4() },
    "a method with memory": {
      formulation: udwadiaKalaba(),
      stabilisation: projection(),
      integrator: ab3(),
    },
  };

  test.each(Object.entries(methods))(
    "%s: continue with the same bits, also after many turns",
    async (_, method) => {
      const system = await compile(clockwork());
      const options = { step: 2e-3, ...(method && { method }) };
      const simulation = system.simulate(options);
      const count = counted();
      let turned = 0;
      simulation.runTo(1.5, (now) => {
        const { R } = stateOf(now, 1);
        turned = count(Math.atan2(R[1][0], R[0][0]));
      });
      expect(Math.abs(turned)).toBeGreaterThan(6 * Math.PI);
      const snapshot = simulation.save();
      const record = () => [
        simulation.time,
        ...simulation.q,
        ...simulation.v,
        simulation.energy().total,
      ];
      const later = () => {
        simulation.runTo(2.5);
        return [...record(), ...simulation.multipliers()];
      };
      const [now, wanted] = [record(), later()];
      simulation.restore(snapshot);
      expect(record()).toEqual(now);
      expect(later()).toEqual(wanted);
      const other = system.simulate(options);
      other.restore(snapshot);
      expect([...other.runTo(2.5).q, ...other.v]).toEqual([...simulation.q, ...simulation.v]);
    },
  );

  test("reject a snapshot of another mechanism", async () => {
    const [one, two] = [model({ name: "one" }), model({ name: "two" })].map((m) => {
      m.body({ mass: 1, inertia: [1, 1, 1] });
      return m;
    });
    const snapshot = (await compile(one)).simulate({ step: 1 }).save();
    const simulation = (await compile(two)).simulate({ step: 1 });
    const sizes = "(6 coordinates, 0 constraints) with udwadiaKalaba + stagedProjection + rk4";
    expect(() => simulation.restore(snapshot)).toThrow(
      `this snapshot is of "one" ${sizes}, not of "two" ${sizes}`,
    );
  });
});
