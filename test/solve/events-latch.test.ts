// Mechanisms that lack some joints, CompiledModel.without, and latches that open and close.

import { compile, model, rod } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { farthest } from "./support/event-systems.js";

const G = 9.81;

/** Two rods in a row, hanging in the x-z plane at an angle, the second latched to the first. */
function latched(angle: number) {
  const m = model({ name: "latched", gravity: [0, 0, -G] });
  const turned = { axis: [0, 1, 0], angle } as const;
  const along = (r: number) => [-r * Math.sin(angle), 0, -r * Math.cos(angle)] as const;
  const upper = m.body({
    name: "upper",
    mass: 1,
    shape: rod({ length: 1 }),
    position: along(0.5),
    orientation: turned,
  });
  const lower = m.body({
    name: "lower",
    mass: 2,
    shape: rod({ length: 1 }),
    position: along(1.5),
    orientation: turned,
  });
  m.revolute({ name: "shoulder", between: [m.ground, upper], at: [0, 0, 0], axis: [0, 1, 0] });
  m.revolute({ name: "elbow", between: [upper, lower], at: along(1), axis: [0, 1, 0] });
  m.fixed({ name: "latch", between: [upper, lower], at: along(1) });
  m.torsionSpring({
    name: "spring",
    joint: m.revolute({
      name: "wrist",
      between: [
        lower,
        m.body({ name: "hand", mass: 0.1, inertia: [0.1, 0.1, 0.1], position: along(2) }),
      ],
      at: along(2),
      axis: [0, 1, 0],
    }),
    stiffness: 0,
  });
  return compile(m);
}

describe("a compiled model without some joints", () => {
  test("the same bodies, the same start, fewer rows, the same names", async () => {
    const whole = await latched(0.7);
    const open = whole.without("latch");
    expect([...open.q]).toEqual([...whole.q]);
    expect([...open.v]).toEqual([...whole.v]);
    expect(open.q).not.toBe(whole.q);
    expect(open.plan.rows).toBe(whole.plan.rows - 6);
    expect(open.report.degreesOfFreedom).toBe(whole.report.degreesOfFreedom + 1);
    expect(open.data.joints.map(({ name }) => name)).toEqual(["shoulder", "elbow", "wrist"]);
    expect(whole.data.joints.length).toBe(4);
    const none = open.without("spring").without("elbow", "wrist", "shoulder");
    expect(none.plan.rows).toBe(0);
    expect(none.data.forces).toEqual([]);
    expect(whole.without().plan.rows).toBe(whole.plan.rows);
  });

  test("rejects unknown names, and forces on a removed joint", async () => {
    const whole = await latched(0.7);
    expect(() => whole.without("lach")).toThrow(
      'latched: without: there is no joint or force "lach": did you mean latch?',
    );
    expect(() => whole.without("upper")).toThrow('there is no joint or force "upper"');
    expect(() => whole.without("wrist")).toThrow(
      '"spring" acts on joint "wrist": remove both, without("wrist", "spring")',
    );
    expect(whole.without("wrist", "spring").data.joints.length).toBe(3);
  });

  test("it moves like a model that never had them", async () => {
    const made = (brake: boolean) => {
      const m = model({ name: "wheels", gravity: [0, 0, 0] });
      const [one, two] = [1, 2].map((k) => {
        const wheel = m.body({
          name: `wheel ${k}`,
          mass: 1,
          inertia: [1, 1, k],
          position: [3 * k, 0, 0],
        });
        return m.revolute({
          name: `axle ${k}`,
          between: [m.ground, wheel],
          at: [3 * k, 0, 0],
          axis: [0, 0, 1],
        });
      }) as [ReturnType<typeof m.revolute>, ReturnType<typeof m.revolute>];
      if (brake) m.driveAngle({ name: "brake", joint: one, angle: 0 });
      m.gear({ name: "gear", joints: [one, two], ratio: -2 });
      m.torsionSpring({ name: "spring", joint: two, stiffness: 3, angle: 1 });
      return compile(m);
    };
    const [lacking, plain] = [(await made(true)).without("brake"), await made(false)];
    const [a, b] = [lacking, plain].map((each) => solve(each, { span: [0, 2], tolerance: 1e-11 }));
    expect(farthest(a!.end.q, b!.end.q)).toBeLessThan(1e-12);
    // I1 w1' + ... = a spring on both: x'' = -3 (x - 1) / (2 + 1 / 4) for the angle of the second.
    const rate = Math.sqrt(3 / (2 + 1 / 4));
    expect(a!.end.joint("axle 2").angle).toBeCloseTo(1 - Math.cos(2 * rate), 9);
    expect(a!.end.joint("axle 1").angle).toBeCloseTo((1 - Math.cos(2 * rate)) / -2, 9);
  });
});

describe("a latch", () => {
  test("opens without a jump, closes with one that keeps the angular momentum", async () => {
    const gate = await latched(1.2);
    const solution = solve(gate, {
      span: [0, 4],
      tolerance: 1e-10,
      modes: { open: gate.without("latch") },
      events: [
        {
          name: "release",
          modes: ["start"],
          terminal: 2,
          when: (state) => state.joint("shoulder").angle! + 0.9,
          action: ({ switchTo }) => switchTo("open"),
        },
        {
          name: "catch",
          modes: ["open"],
          when: (state) => state.joint("elbow").angle!,
          action: ({ switchTo }) => switchTo("start"),
        },
      ],
    });
    expect(["finished", "event"]).toContain(solution.status);
    const [released, caught] = solution.events as unknown as [
      (typeof solution.events)[0],
      (typeof solution.events)[0],
    ];
    expect([released.name, released.mode, caught.name, caught.mode]).toEqual([
      "release",
      "open",
      "catch",
      "start",
    ]);
    expect(farthest(released.after.v, released.before.v)).toBeLessThan(1e-11);
    const { before, after, impulses } = caught;
    expect(farthest(after.q, before.q)).toBeLessThan(1e-9);
    const turning = (state: typeof after) =>
      state.body("upper").angularVelocity[1]! - state.body("lower").angularVelocity[1]!;
    expect(Math.abs(turning(before))).toBeGreaterThan(0.1);
    expect(Math.abs(turning(after))).toBeLessThan(1e-9);
    expect(Math.abs(before.angularMomentum()[1]! - after.angularMomentum()[1]!)).toBeLessThan(1e-8);
    expect(Object.keys(impulses).some((name) => name.startsWith("latch: "))).toBe(true);
    expect(solution.statistics.maximumDrift.position).toBeLessThan(1e-8);
    // The joint is read where it is.
    const { force } = solution.joint("latch");
    const open = [...solution.states()].map(
      ({ time }) => time > released.time && time < caught.time,
    );
    const during = [...force[0]!].filter((_, i) => open[i]);
    expect(during.length).toBeGreaterThan(3);
    expect(during.every((value) => value === 0)).toBe(true);
    expect([...force[2]!].some((value, i) => !open[i] && Math.abs(value) > 1)).toBe(true);
  });
});
