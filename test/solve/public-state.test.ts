// Runs whose methods integrate other coordinates: states, events, modes and tolerances are those of the plain system.

import { init } from "nodrift";
import { type BodyState, type CompiledModel, rod } from "nodrift/bodies";
import { parseMethod, radau5, type SolveOptions, solve, start, stateSpace } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import { apart, bothArms } from "../support/hidden-arms.js";
import { bothKinds, type Hidden } from "../support/hidden-coordinates.js";

beforeAll(() => init());

const Y = [0, 1, 0] as const;
type Options = SolveOptions<CompiledModel>;

async function solved(options: Options) {
  const { plain, hidden } = await bothArms();
  return [solve(plain, options), solve(hidden, options as SolveOptions<Hidden>)] as const;
}

describe("a run in other coordinates", () => {
  test("steps, states, columns and dense output are the same", async () => {
    const [plain, hidden] = await solved({ span: [0, 1], tolerance: 1e-8 });
    // The errors of the hidden pendulum would require many more.
    expect(hidden.statistics.steps).toBe(plain.statistics.steps);
    expect(hidden.statistics.rejections).toBe(plain.statistics.rejections);
    expect(hidden.names).toEqual(plain.names);
    expect(apart(hidden.time, plain.time)).toBeLessThan(1e-6);
    expect(apart(hidden.end.q, plain.end.q)).toBeLessThan(1e-9);
    expect(apart(hidden.end.v, plain.end.v)).toBeLessThan(1e-8);
    for (const t of [0.123, 0.456, 0.789]) {
      const [a, b] = [plain.at(t), hidden.at(t)];
      expect(apart(b.q, a.q)).toBeLessThan(1e-7);
      expect(apart(b.v, a.v)).toBeLessThan(1e-6);
      expect(b.joint("elbow").angle).toBeCloseTo(a.joint("elbow").angle!, 6);
      expect(b.constraintError().position).toBeLessThan(1e-12);
    }
    expect(hidden.column("lower x").length).toBe(hidden.length);
    expect(hidden.state(3).q.length).toBe(14);
    expect(hidden.toCsv().split("\n")[0]).toBe(plain.toCsv().split("\n")[0]);
  });

  test.each(["dp5", "adams", "rodas", "sdirk4"])("%s finds the same motion", async (integrator) => {
    const method = parseMethod(integrator);
    const [plain, hidden] = await solved({ span: [0, 0.5], method, output: { rate: 20 } });
    expect(hidden.status).toBe("finished");
    expect(apart(hidden.column("lower z"), plain.column("lower z"))).toBeLessThan(1e-4);
  });

  test("fixed steps and methods without dense output find the same motion", async () => {
    const method = parseMethod("udwadiaKalaba + projection + rk4");
    const [plain, hidden] = await solved({ span: [0, 0.5], method, step: 1e-3 });
    expect(apart(hidden.end.q, plain.end.q)).toBeLessThan(1e-11);
    expect(apart(hidden.at(0.1234).v, plain.at(0.1234).v)).toBeLessThan(1e-10);
    const welch = await solved({ span: [0, 0.2], method: parseMethod("welch"), tolerance: 1e-3 });
    expect(welch[1].statistics.steps).toBe(welch[0].statistics.steps);
    expect(apart(welch[1].end.q, welch[0].end.q)).toBeLessThan(1e-6);
  });

  test("state-space runs find the same motion with other unknowns", async () => {
    const method = { formulation: stateSpace(), integrator: radau5() };
    const [plain, hidden] = await solved({ span: [0, 0.5], method, tolerance: 1e-7 });
    expect(hidden.status).toBe("finished");
    expect(apart(hidden.end.q, plain.end.q)).toBeLessThan(1e-5);
    expect(apart(hidden.at(0.2).q, plain.at(0.2).q)).toBeLessThan(1e-5);
  });

  test("tolerances use the public names, and limit the errors", async () => {
    const absolute = { "lower x": 1e-9, upper: { angles: 1e-3 }, velocities: 1e-2 };
    const tolerance = { relative: 0, absolute: { positions: 1e-2, ...absolute } };
    const [plain, hidden] = await solved({ span: [0, 1], tolerance });
    expect(hidden.statistics.steps).toBe(plain.statistics.steps);
    const loose = { relative: 0, absolute: { positions: 1e-2, velocities: 1e-2 } };
    const [, other] = await solved({ span: [0, 1], tolerance: loose });
    expect(other.statistics.steps).toBeLessThan(hidden.statistics.steps / 2);
    await expect(
      solved({
        span: [0, 1],
        tolerance: { relative: 0, absolute: { ...loose.absolute, ghost: 1e-3 } },
      }),
    ).rejects.toThrow('has no coordinate, body or kind named "ghost"');
  });

  test("a given start is projected to the same state, and noted", async () => {
    const { q } = (await bothArms()).plain;
    const given = Array.from(q, (x, i) => (i === 7 ? x + 0.01 : x));
    const [plain, hidden] = await solved({ span: [0, 0.3], q: given });
    expect(hidden.notes).toEqual(plain.notes);
    expect(hidden.notes.join()).toContain('"lower x" most');
    expect(apart(hidden.state(0).q, plain.state(0).q)).toBeLessThan(1e-11);
    const { hidden: source } = await bothArms();
    const twice = Array.from(q, (x, i) => (i > 2 && i < 7 ? 2 * x : x));
    const scaled = await solved({ span: [0, 0.1], q: twice, start: "asGiven" });
    expect(scaled[1].notes).toEqual(scaled[0].notes);
    expect(scaled[1].notes.join()).toContain("positions given");
    expect(() => solve(source, { span: [0, 1], q: given, start: "asGiven" })).toThrow(
      "does not fit the joints",
    );
  });

  test("a start that a limit interrupts is returned as given", async () => {
    const { plain, hidden } = await bothArms();
    const q = Array.from(plain.q, (x, i) => (i === 7 ? x + 0.01 : x));
    const { status, end } = solve(hidden, { span: [0, 1], q, signal: AbortSignal.abort() });
    expect(status).toBe("aborted");
    expect([...end.q]).toEqual(q);
  });

  test("a run is saved and restored to the same bits", async () => {
    const { hidden } = await bothArms();
    const options = { span: [0, 1], output: "ends" } as const;
    const run = start(hidden, options);
    for (let k = 0; k < 10; k++) run.step();
    const saved = structuredClone(run.save());
    const at = [...run.state.q];
    const other = start(hidden, options);
    other.restore(saved);
    expect([...other.state.q]).toEqual(at);
    expect([...other.finish().end.q]).toEqual([...run.finish().end.q]);
  });

  test("a failure names public coordinates", async () => {
    const build = bothKinds("kicked", (m, bodies) => {
      const { ball } = bodies([{ name: "ball", mass: 1, inertia: [1, 1, 1] }]);
      m.userForce({
        bodies: [ball!],
        apply: ([{ position }], [{ force }]) => {
          force[0]! += 1 / Math.abs(position[2]! + 1);
        },
      });
    });
    const { plain, hidden } = await build;
    const [one, other] = [solve(plain, { span: [0, 1] }), solve(hidden, { span: [0, 1] })];
    expect(one.status).toBe("stepUnderflow");
    expect(other.status).toBe("stepUnderflow");
    expect(other.reason).toMatch(/the coordinate with the largest error is "ball vx"/);
  });
});

describe("events of a run in other coordinates", () => {
  const floor = (restitution: number) =>
    ({
      name: "floor",
      when: (state: BodyState) => state.body("lower").point([0, 0, -0.5])[2] + 1.6,
      direction: "falling",
      action: ({ bounce }: { bounce(r: number): number }) => void bounce(restitution),
    }) as const;

  test("bounces have the same impulses, in public rows", async () => {
    const [plain, hidden] = await solved({ span: [0, 1], tolerance: 1e-9, events: [floor(0.5)] });
    expect(plain.events.length).toBeGreaterThan(0);
    expect(hidden.events.length).toBe(plain.events.length);
    for (const [k, event] of plain.events.entries()) {
      const other = hidden.events[k]!;
      expect(other.time).toBeCloseTo(event.time, 6);
      expect(Object.keys(other.impulses)).toEqual(Object.keys(event.impulses));
      expect(apart(Object.values(other.impulses), Object.values(event.impulses))).toBeLessThan(
        1e-5,
      );
      expect(apart(other.after.v, event.after.v)).toBeLessThan(1e-5);
      expect(other.after.constraintError().velocity).toBeLessThan(1e-10);
    }
    expect(apart(hidden.end.q, plain.end.q)).toBeLessThan(1e-5);
  });

  test("actions change the public state, which is projected", async () => {
    const kick = {
      when: (state: BodyState) => state.time - 0.3,
      action: ({ q, v }: { q: Float64Array; v: Float64Array }) => {
        q[0]! += 0.01;
        v[6]! += 1;
      },
    };
    const [plain, hidden] = await solved({ span: [0, 0.6], tolerance: 1e-9, events: [kick] });
    const [one, other] = [plain.events[0]!, hidden.events[0]!];
    expect(apart(one.after.v, one.before.v)).toBeGreaterThan(0.1);
    expect(apart(other.before.v, one.before.v)).toBeLessThan(1e-6);
    expect(apart(other.after.q, one.after.q)).toBeLessThan(1e-6);
    expect(apart(other.after.v, one.after.v)).toBeLessThan(1e-6);
    expect(Object.keys(other.impulses)).toEqual(Object.keys(one.impulses));
    expect(apart(hidden.end.q, plain.end.q)).toBeLessThan(1e-6);
  });

  test("an action that fails, or cannot be followed, leaves the state before it", async () => {
    const event = (action: (context: { q: Float64Array }) => void) => ({
      name: "bad",
      when: (state: BodyState) => state.time - 0.25,
      action,
    });
    // So far that nothing is left of the joints but rounding.
    const far = event(({ q }) => void q.fill(1e18, 0, 3));
    const [plain, hidden] = await solved({ span: [0, 1], events: [far] });
    expect(plain.status).toBe("failed");
    expect(hidden.status).toBe("failed");
    expect(hidden.reason).toContain('event "bad": cannot continue');
    expect(apart(hidden.end.q, plain.end.q)).toBeLessThan(1e-5);
    const [, other] = await solved({
      span: [0, 1],
      events: [event(({ q }) => void q.fill(Number.NaN, 8, 9))],
    });
    expect(other.reason).toContain("q[8] (lower y) was set to NaN");
    expect(apart(other.end.q, hidden.end.q)).toBe(0);
  });

  test("modes keep angles and states, whichever of them has others", async () => {
    const { plain, hidden } = await bothKinds(
      "latched",
      (m, bodies) => {
        const shape = rod({ length: 1, axis: [1, 0, 0] });
        const { a, b } = bodies([
          { name: "a", mass: 1, shape, position: [0.5, 0, 0], angularVelocity: [0, -12, 0] },
          { name: "b", mass: 2, shape, position: [1.5, 0, 0] },
        ]);
        m.revolute({ name: "root", between: [m.ground, a!], at: [0, 0, 0], axis: Y });
        const joint = m.revolute({ name: "knee", between: [a!, b!], at: [1, 0, 0], axis: Y });
        m.torsionSpring({ joint, stiffness: 1 });
        m.fixed({ name: "latch", between: [a!, b!], at: [1, 0, 0] });
      },
      [0, 0, 0],
    );
    const opens = {
      when: (state: BodyState) => state.time - 0.4,
      action: (context: { switchTo(mode: string): void }) => context.switchTo("open"),
    };
    const options = { span: [0, 2] as const, tolerance: 1e-9 };
    const run = (source: CompiledModel | Hidden, open: CompiledModel | Hidden) =>
      solve(source as CompiledModel, { ...options, events: [opens], modes: { open } } as Options);
    const wanted = run(plain, plain.without("latch"));
    for (const [source, open] of [
      [hidden, hidden.without("latch")],
      [plain, hidden.without("latch")],
      [hidden, plain.without("latch")],
    ] as const) {
      const found = run(source, open);
      expect(found.status).toBe("finished");
      expect(apart(found.end.q, wanted.end.q)).toBeLessThan(1e-6);
      expect(apart(found.end.v, wanted.end.v)).toBeLessThan(1e-5);
      expect(Math.abs(found.end.joint("root").angle!)).toBeGreaterThan(2 * Math.PI);
      expect(found.end.joint("root").angle).toBeCloseTo(wanted.end.joint("root").angle!, 6);
      expect(found.end.joint("knee").angle).toBeCloseTo(wanted.end.joint("knee").angle!, 6);
    }
  });

  test("stiff motion switches to the implicit method", async () => {
    const { plain, hidden } = await bothKinds("stiff", (m, bodies) => {
      const { wheel } = bodies([
        { name: "wheel", mass: 1, inertia: [1, 1, 1], angularVelocity: [0, 1, 0] },
      ]);
      const joint = m.revolute({
        name: "axle",
        between: [m.ground, wheel!],
        at: [0, 0, 0],
        axis: Y,
      });
      m.torsionSpring({ joint, stiffness: 1e5, damping: 1e5 });
    });
    const [one, other] = [plain, hidden].map((source) =>
      solve(source as CompiledModel, { span: [0, 3], tolerance: 1e-5 }),
    );
    expect(other!.method).toBe(one!.method);
    expect(other!.method).toContain("stateSpace");
    expect(apart(other!.end.q, one!.end.q)).toBeLessThan(1e-5);
  });
});
