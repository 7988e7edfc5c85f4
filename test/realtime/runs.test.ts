import { compile, model, rod } from "nodrift/bodies";
import { solve, start } from "nodrift/solve";
import { describe, expect, it } from "vitest";

/** A body on a spring along x: x'' = -(k / m) x. */
function oscillator() {
  const m = model({ name: "oscillator", gravity: [0, 0, 0] });
  const k = m.parameter("k", 4);
  const body = m.body({ name: "b", mass: 1, inertia: [1, 1, 1], position: [3, 0, 0] });
  m.prismatic({ name: "slide", between: [m.ground, body], axis: [1, 0, 0] });
  m.spring({ name: "s", between: [m.ground, body], stiffness: k, length: 2 });
  return m;
}

describe("set in runs", () => {
  it("changes the frequency by a mass set in the action of an event", async () => {
    const system = await compile(oscillator());
    const solution = solve(system, {
      span: [0, 4],
      tolerance: 1e-10,
      events: [
        {
          // At x = 2 (free length) after a quarter period, with the velocity -2.
          when: (state) => state.body("b").position[0] - 2,
          direction: "falling",
          action: (event) => event.set("b", { mass: 4 }),
        },
      ],
    });
    expect(solution.status).toBe("finished");
    const [event] = solution.events;
    expect(event!.time).toBeCloseTo(Math.PI / 4, 8);
    // From there x = 2 - 2 sin(w t) / w with w = sqrt(4 / 4) = 1.
    for (const t of [1, 2, 3.5]) {
      expect(solution.at(t).body("b").position[0]).toBeCloseTo(
        2 - 2 * Math.sin(t - Math.PI / 4),
        7,
      );
    }
    expect(solution.at(0.5).body("b").mass).toBe(1);
    expect(solution.at(3).body("b").mass).toBe(4);
  });

  it("changes values between steps, and the run can be saved after it", async () => {
    const system = await compile(oscillator());
    const run = start(system, { span: [0, 6], tolerance: 1e-10 });
    while (run.time < 2 && run.step());
    const t = run.time;
    const { q, v } = run.state;
    const [x, u] = [q[0]! - 2, v[0]!];
    run.set({ k: 25 });
    const saved = structuredClone(run.save());
    const end = run.finish().end.q[0]!;
    expect(end).toBeCloseTo(2 + x * Math.cos(5 * (6 - t)) + (u / 5) * Math.sin(5 * (6 - t)), 7);
    const other = start(system, { span: [0, 6], tolerance: 1e-10 });
    other.restore(saved);
    expect(other.finish().end.q[0]).toBe(end);
  });

  it("names a rejected value in an action, and changes nothing in run.set", async () => {
    const system = await compile(oscillator());
    const run = start(system, { span: [0, 1] });
    run.step();
    expect(() => run.set({ k: Number.NaN })).toThrow(/k.*NaN|NaN.*k/);
    expect(() => run.set("s", { stiffness: -1 })).toThrow(/spring "s".*stiffness/);
    const before = run.state.q[0];
    expect(run.state.q[0]).toBe(before);
    const solution = solve(system, {
      span: [0, 2],
      events: [{ when: ({ time }) => time - 1, action: (event) => event.set("b", { mass: -1 }) }],
    });
    expect(solution.status).toBe("failed");
    expect(solution.reason).toMatch(/body "b": mass is -1/);
  });

  it("keeps no memory of a hundred sets at events", async () => {
    const system = await compile(oscillator());
    let count = 0;
    const solution = solve(system, {
      span: [0, 30],
      events: [
        {
          when: (state) => state.body("b").position[0] - 2,
          action: (event) => event.set({ k: 4 + (++count % 40) }),
        },
      ],
    });
    expect(solution.status).toBe("finished");
    expect(count).toBeGreaterThan(30);
    expect(solution.at(0.3).energy().total).toBeCloseTo(2, 6);
  });

  it("keeps the frame of a rod whose centre of mass moves", async () => {
    const m = model({ gravity: [0, 0, -9.81] });
    const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
    m.revolute({ name: "hinge", between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
    const run = start(await compile(m, { joints: { hinge: 0.3 } }), { span: [0, 1] });
    while (run.time < 0.2 && run.step());
    const before = run.state.body("arm").position;
    run.set("arm", { centre: [0, 0, 0.2] });
    for (const i of [0, 1, 2])
      expect(run.state.body("arm").position[i]).toBeCloseTo(before[i]!, 12);
  });
});
