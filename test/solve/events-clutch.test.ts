// Parts of a mechanism's state other than coordinates: unwrapped angles and offsets of couplings.

import { compile, model } from "nodrift/bodies";
import { solve, start } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { farthest } from "./support/event-systems.js";

describe("unwrapped angles and coupling offsets", () => {
  const wheels = (order: readonly number[]) => {
    const m = model({ name: "wheels", gravity: [0, 0, 0] });
    const bodies = [1, 2].map((k) =>
      m.body({
        name: `wheel ${k}`,
        mass: 1,
        inertia: [1, 1, k],
        position: [3 * k, 0, 0],
        angularVelocity: [0, 0, 5 * k],
      }),
    );
    const joints = new Map(
      order.map((k) => [
        k,
        m.revolute({
          name: `axle ${k}`,
          between: [m.ground, bodies[k - 1]!],
          at: [3 * k, 0, 0],
          axis: [0, 0, 1],
        }),
      ]),
    );
    return { m, joints };
  };

  test("unwrapped angles are transferred by joint name, whatever the order", async () => {
    const [one, other] = await Promise.all(
      [
        [1, 2],
        [2, 1],
      ].map((order) => compile(wheels(order).m)),
    );
    const solution = solve(one!, {
      span: [0, 4],
      tolerance: 1e-9,
      maximumStep: 0.1,
      modes: { other: other! },
      events: [{ when: ({ time }) => time - 2, action: ({ switchTo }) => switchTo("other") }],
    });
    expect(solution.events[0]!.mode).toBe("other");
    expect(solution.end.joint("axle 1").angle).toBeCloseTo(20, 8);
    expect(solution.end.joint("axle 2").angle).toBeCloseTo(40, 8);
    expect(solution.at(1.05).joint("axle 2").angle).toBeCloseTo(10.5, 8);
    expect(solution.at(3.05).joint("axle 2").angle).toBeCloseTo(30.5, 8);
  });

  test("a clutch engages at the present angles: speeds jump, wheels keep their angles", async () => {
    const { m, joints } = wheels([1, 2]);
    const ratio = -0.5;
    m.gear({ name: "clutch", joints: [joints.get(1)!, joints.get(2)!], ratio });
    // Wheels that start with speeds that do not fit, so the start is that without the clutch.
    const engaged = await compile(m, { hold: [] });
    const { m: free } = wheels([1, 2]);
    const solution = solve(await compile(free), {
      span: [0, 3],
      tolerance: 1e-10,
      maximumStep: 0.1,
      modes: { engaged, free: engaged.without("clutch") },
      events: [
        { when: ({ time }) => time - 1, action: ({ switchTo }) => switchTo("engaged") },
        { when: ({ time }) => time - 2, action: ({ switchTo }) => switchTo("free") },
      ],
    });
    expect(solution.status).toBe("finished");
    const [engage, release] = solution.events as unknown as [
      (typeof solution.events)[0],
      (typeof solution.events)[0],
    ];
    // I1 dw1 = ratio L, I2 dw2 = -L, ratio w1 - w2 = 0 after.
    const impulse = (10 - ratio * 5) / (ratio ** 2 / 1 + 1 / 2);
    const [w1, w2] = [5 + ratio * impulse, 10 - impulse / 2];
    expect(farthest(engage.after.q, engage.before.q)).toBeLessThan(1e-12);
    expect(engage.after.body("wheel 1").angularVelocity[2]).toBeCloseTo(w1, 9);
    expect(engage.after.body("wheel 2").angularVelocity[2]).toBeCloseTo(w2, 9);
    expect(engage.impulses["clutch: mesh"]).toBeCloseTo(impulse, 9);
    expect(farthest(release.after.v, release.before.v)).toBeLessThan(1e-10);
    expect(solution.end.joint("axle 1").angle).toBeCloseTo(5 + 2 * w1, 8);
    expect(solution.end.joint("axle 2").angle).toBeCloseTo(10 + 2 * w2, 8);
  });

  test("no revolution is lost, however loose the tolerance: steps stay below half a revolution", async () => {
    const m = model({ name: "motor", gravity: [0, 0, 0] });
    const rotor = m.body({ name: "rotor", mass: 1, inertia: [1, 1, 1] });
    const load = m.body({
      name: "load",
      mass: 1,
      inertia: [1, 1, 1],
      angularVelocity: [0, 0, -20],
    });
    const axle = m.revolute({
      name: "axle",
      between: [m.ground, rotor],
      at: [0, 0, 0],
      axis: [0, 0, 1],
    });
    m.revolute({ name: "bearing", between: [rotor, load], at: [0, 0, 0], axis: [0, 0, 1] });
    m.torsionSpring({ name: "motor", joint: axle, torque: 10 });
    const compiled = await compile(m);
    for (const tolerance of [1e-2, 1e-4, 1e-6]) {
      const { end } = solve(compiled, { span: [0, 4], tolerance });
      // 10 t^2 / 2 and -20 t
      expect(Math.abs(end.joint("axle").angle! - 80)).toBeLessThan(1);
      expect(Math.abs(end.joint("bearing").angle! + 160)).toBeLessThan(1.5);
    }
  });

  test("couplings hold in states between steps, in every revolution", async () => {
    const { m, joints } = wheels([1, 2]);
    m.gear({ name: "gear", joints: [joints.get(1)!, joints.get(2)!], ratio: 2 });
    const solution = solve(await compile(m), { span: [0, 6], tolerance: 1e-10, maximumStep: 0.2 });
    for (const time of [0.05, 1.05, 2.55, 5.95]) {
      const state = solution.at(time);
      expect(state.joint("axle 1").angle).toBeCloseTo(5 * time, 8);
      expect(state.joint("axle 2").angle).toBeCloseTo(10 * time, 8);
    }
  });

  test("a run that has switched is saved and restored", async () => {
    const { m, joints } = wheels([1, 2]);
    m.gear({ name: "clutch", joints: [joints.get(1)!, joints.get(2)!], ratio: -0.5 });
    const engaged = await compile(m, { hold: [] });
    const options = {
      span: [0, 3],
      tolerance: 1e-8,
      maximumStep: 0.1,
      modes: { engaged },
      events: [
        {
          when: ({ time }: { readonly time: number }) => time - 1,
          action: ({ switchTo }: { switchTo(mode: string): void }) => switchTo("engaged"),
        },
      ],
    } as const;
    const free = await compile(wheels([1, 2]).m);
    const run = start(free, options);
    while (run.time < 2) run.step();
    const other = start(free, options);
    other.restore(run.save());
    const [a, b] = [run.finish(), other.finish()];
    expect([...b.end.q, ...b.end.v]).toEqual([...a.end.q, ...a.end.v]);
    expect(b.end.joint("axle 1").angle).toBe(a.end.joint("axle 1").angle);
  });
});
