// Impacts: closed forms of bouncing, impulses of constraints, contacts that come to rest.

import { init } from "nodrift";
import { type BodyState, compile, model, rod, sphere } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import { bouncingPendulum, bouncingPendulumBodies } from "../../bench/support/bouncing-pendulum.js";
import { ball, drifting, farthest, GRAVITY, pendulum, timesOf } from "./support/event-systems.js";

beforeAll(() => init());

const x = (state: { readonly q: Float64Array }) => state.q[0] as number;
const y = (state: { readonly q: Float64Array }) => state.q[1] as number;

/** A floor at y = 0. */
const floor = (restitution: number) => ({
  name: "floor",
  when: y,
  direction: "falling" as const,
  action: ({ bounce }: { bounce(restitution?: number): number }) => {
    bounce(restitution);
  },
});

describe("bouncing ball", () => {
  test("times and speeds of ten bounces, restitution 0.8", () => {
    const e = 0.8;
    const solution = solve(ball(), {
      span: [0, 20],
      q: [0, 2],
      v: [1, 0],
      tolerance: 1e-10,
      events: [{ ...floor(e), terminal: 10 }],
    });
    expect(solution.status).toBe("event");
    const first = Math.sqrt(4 / GRAVITY);
    const speed = GRAVITY * first;
    const times = [first];
    for (let n = 1; n < 10; n++) times.push(times[n - 1]! + 2 * first * e ** n);
    expect(farthest(timesOf(solution), times)).toBeLessThan(1e-11);
    const speeds = solution.events.flatMap(({ before, after }) => [before.v[1]!, after.v[1]!]);
    const expected = times.flatMap((_, n) => [-speed * e ** n, speed * e ** (n + 1)]);
    expect(farthest(speeds, expected)).toBeLessThan(1e-11);
  });

  test("a wall that moves: v+ = 2 w - v", () => {
    const wall = 0.25;
    const { events } = solve(drifting(), {
      span: [0, 3],
      q: [0],
      v: [1],
      events: [
        {
          when: (state) => 1 - wall * state.time - x(state),
          action: ({ bounce }) => void bounce(1),
        },
      ],
    });
    expect(events.length).toBe(1);
    expect(Math.abs(events[0]!.time - 0.8)).toBeLessThan(1e-12);
    expect(Math.abs(events[0]!.after.v[0]! + 2 * wall + 1)).toBeLessThan(1e-9);
  });

  test("what leaves by itself is left alone", () => {
    let impulse = Number.NaN;
    solve(drifting(), {
      span: [0, 1],
      q: [-0.5],
      v: [1],
      events: [
        {
          when: x,
          action: ({ v, bounce }) => {
            v[0] = -2;
            impulse = bounce(1);
          },
        },
      ],
    });
    expect(impulse).toBe(0);
  });
});

describe("bouncing pendulum: 100 impacts at (2 i + 1) K(1 / sqrt 2)", () => {
  test("as equations", () => {
    const { error, impacts } = bouncingPendulum();
    expect(impacts).toBe(100);
    expect(error).toBeLessThanOrEqual(1e-10);
  });

  test("as a mechanism", async () => {
    const { error, impacts } = await bouncingPendulumBodies();
    expect(impacts).toBe(100);
    expect(error).toBeLessThanOrEqual(1e-10);
  });
});

describe("impulses", () => {
  test("an oblique impact of a pendulum: M dv = J^T L + g l, energy is kept", () => {
    // A wall through (0, -1) with the normal (1, 1) / sqrt 2: the rod takes a part of the impulse.
    let along = 0;
    const { events, statistics } = solve(pendulum(), {
      span: [0, 0.7],
      q: [1, 0],
      tolerance: 1e-12,
      events: [
        {
          when: ({ q }) => (q[0]! + q[1]! + 1) * Math.SQRT1_2,
          direction: "falling",
          action: ({ bounce }) => {
            along = bounce();
          },
        },
      ],
    });
    const [{ before, after, impulses }] = events as [(typeof events)[0]];
    const speed = Math.sqrt(2 * GRAVITY);
    // v = (-s, 0) at (0, -1). The part of g along the rod, (0, -1) L + g l = (2 s, 0) so l = 2 sqrt 2 s, L = 2 s.
    expect(farthest(before.v, [-speed, 0])).toBeLessThan(1e-10);
    expect(farthest(after.v, [speed, 0])).toBeLessThan(1e-10);
    expect(Math.abs(along - 2 * Math.SQRT2 * speed)).toBeLessThan(1e-9);
    expect(Math.abs(impulses.rod! - 2 * speed)).toBeLessThan(1e-9);
    expect(statistics.energyError).toBeLessThan(1e-10);
  });

  /** A rod of length 1 and mass 3 on a hinge at the origin, that meets a wall below it at a distance r. */
  const hit = async (r: number) => {
    const m = model({ name: "bat", gravity: [0, 0, 0] });
    const bat = m.body({
      name: "bat",
      mass: 3,
      inertia: [1 / 4, 1 / 4, 1e-3],
      centre: [0, 0, -0.5],
      orientation: { axis: [0, 1, 0], angle: 0.5 },
      angularVelocity: [0, -2, 0],
    });
    m.revolute({ name: "hinge", between: [m.ground, bat], at: [0, 0, 0], axis: [0, 1, 0] });
    const solution = solve(await compile(m), {
      span: [0, 1],
      tolerance: 1e-12,
      events: [
        {
          when: (state) => state.body("bat").point([0, 0, -r])[0],
          action: ({ bounce }) => void bounce(1),
        },
      ],
    });
    return solution;
  };

  test("centre of percussion: a rod hit at 2/3 of its length leaves the hinge alone", async () => {
    for (const r of [1 / 3, 2 / 3, 1]) {
      const { events, status } = await hit(r);
      expect(status).toBe("finished");
      const [{ before, after, impulses }] = events as [(typeof events)[0]];
      // It turns back with the same speed.
      expect(after.body("bat").angularVelocity[1]).toBeCloseTo(2, 9);
      // Impulse P at r: P r = I dw with I = 1; the hinge gives m dv - P, v the speed of the centre.
      const dw = after.body("bat").angularVelocity[1]! - before.body("bat").angularVelocity[1]!;
      const expected = Math.abs((3 / 2) * dw) * Math.abs(1 - 2 / 3 / r);
      const found = Math.hypot(...Object.values(impulses).map((value) => value as number));
      expect(found).toBeCloseTo(expected, 8);
    }
  });
});

describe("elastic impacts of mechanisms keep the energy", () => {
  const kinetic = (state: BodyState, names: readonly string[]) =>
    names.reduce((sum, name) => sum + state.body(name).kineticEnergy, 0);

  test("a chain of three rods on spherical joints, in space", async () => {
    const m = model({ name: "chain", gravity: [0, 0, -GRAVITY] });
    const names = ["a", "b", "c"];
    let last = m.ground;
    for (const [k, name] of names.entries()) {
      const link = m.body({
        name,
        mass: 1 + k,
        inertia: [0.1, 0.2, 0.15],
        position: [k + 0.5, 0, 0],
        angularVelocity: [0.3, 0, 0.4],
      });
      m.spherical({ name: `joint ${name}`, between: [last, link], at: [k, 0, 0] });
      last = link;
    }
    const { events, statistics } = solve(await compile(m), {
      span: [0, 1.5],
      tolerance: 1e-10,
      events: [
        {
          name: "floor",
          when: (state) => state.body("c").point([0.5, 0, 0])[2] + 1,
          direction: "falling",
          action: ({ bounce }) => void bounce(1),
        },
      ],
    });
    expect(events.length).toBeGreaterThan(0);
    for (const { before, after, impulses } of events) {
      const tip = (state: BodyState) => state.body("c").pointVelocity([0.5, 0, 0])[2];
      expect(Math.abs(kinetic(after, names) - kinetic(before, names))).toBeLessThan(1e-8);
      expect(Math.abs(tip(after) + tip(before))).toBeLessThan(1e-8);
      // All impulses on the first link but for that of the ground: the momentum of the whole tells the rest.
      const change = [0, 1, 2].map((i) => after.momentum()[i]! - before.momentum()[i]!);
      const ground = ["x", "y", "z"].map(
        (_, i) => Object.entries(impulses).filter(([name]) => name.startsWith("joint a"))[i]![1],
      );
      expect(Math.hypot(change[0]! - ground[0]!, change[1]! - ground[1]!)).toBeLessThan(1e-8);
    }
    expect(statistics.energyError).toBeLessThan(1e-7);
  });

  test("a four-bar linkage, whose rows depend on each other in space", async () => {
    const m = model({ name: "four-bar", gravity: [0, 0, -GRAVITY] });
    const bar = (name: string, from: readonly [number, number], to: readonly [number, number]) =>
      m.body({
        name,
        mass: 1,
        inertia: [0.1, 0.1, 0.1],
        position: [(from[0] + to[0]) / 2, 0, (from[1] + to[1]) / 2],
        ...(name === "crank" && { angularVelocity: [0, 2, 0] as const }),
      });
    const points = [
      [0, 0],
      [0, 1],
      [2, 1.5],
      [2, 0],
    ] as const;
    const crank = bar("crank", points[0], points[1]);
    const coupler = bar("coupler", points[1], points[2]);
    const rocker = bar("rocker", points[2], points[3]);
    const hinge = (between: readonly [typeof crank, typeof crank], k: number) =>
      m.revolute({ between, at: [points[k]![0], 0, points[k]![1]], axis: [0, 1, 0] });
    hinge([m.ground, crank], 0);
    hinge([crank, coupler], 1);
    hinge([coupler, rocker], 2);
    hinge([rocker, m.ground], 3);
    const { events, status, statistics } = solve(await compile(m), {
      span: [0, 1],
      tolerance: 1e-10,
      events: [
        {
          name: "stop",
          when: (state) => state.body("crank").position[0] - 0.3,
          action: ({ bounce }) => void bounce(1),
        },
      ],
    });
    expect(status).toBe("finished");
    expect(events.length).toBeGreaterThan(0);
    const names = ["crank", "coupler", "rocker"];
    for (const { before, after } of events) {
      expect(Math.abs(kinetic(after, names) / kinetic(before, names) - 1)).toBeLessThan(1e-7);
      expect(
        Math.abs(
          after.body("rocker").angularVelocity[1] + before.body("rocker").angularVelocity[1],
        ),
      ).toBeLessThan(1e-7);
    }
    expect(statistics.maximumDrift.velocity).toBeLessThan(1e-6);
  });
});

describe("contacts that come to rest", () => {
  test.each([0.9, 0.5, 0.1, 0])("restitution %d ends in a storm above the floor", (e) => {
    const height = 2;
    const solution = solve(ball(), {
      span: [0, 20],
      q: [0, height],
      v: [1, 0],
      tolerance: 1e-8,
      events: [floor(e)],
    });
    const first = Math.sqrt((2 * height) / GRAVITY);
    expect(solution.status).toBe("eventStorm");
    expect(solution.reason).toContain('event "floor"');
    expect(solution.reason).toContain("switch to a mode where the contact is a constraint");
    const last = (first * (1 + e)) / (1 - e);
    expect(Math.abs(solution.end.time - last)).toBeLessThan(1e-6);
    expect(Math.min(...solution.column("y"))).toBeGreaterThan(-1e-9);
    expect(Math.abs(solution.end.v[1]!)).toBeLessThan(1e-6);
  });

  test("restitution by hand storms as well", () => {
    const { status, ...solution } = solve(ball(), {
      span: [0, 20],
      q: [0, 2],
      events: [
        {
          when: y,
          direction: "falling",
          action: ({ v }) => {
            v[1] = -0.5 * v[1]!;
          },
        },
      ],
    });
    expect(status).toBe("eventStorm");
    expect(solution.end.q[1]!).toBeGreaterThan(-1e-9);
  });

  test("an action that brings its own event about at once is a storm", () => {
    const { status, reason, end, events } = solve(drifting(), {
      span: [0, 1],
      q: [0],
      v: [1],
      events: [
        {
          name: "again",
          when: (state) => x(state) - 0.5,
          direction: "rising",
          action: ({ q }) => {
            q[0] = 0.5 - 1e-11;
          },
        },
      ],
    });
    expect(status).toBe("eventStorm");
    expect(reason).toContain('event "again"');
    expect(events.length).toBeLessThan(50);
    expect(end.time).toBeCloseTo(0.5, 9);
  });

  test("an action that goes back a good way meets its event again", () => {
    const { status, events } = solve(drifting(), {
      span: [0, 2],
      q: [0],
      v: [1],
      events: [
        {
          when: (state) => x(state) - 0.5,
          direction: "rising",
          action: ({ q }) => {
            q[0] = 0.1;
          },
        },
      ],
    });
    expect(status).toBe("finished");
    expect(farthest(timesOf({ events }), [0.5, 0.9, 1.3, 1.7])).toBeLessThan(1e-12);
  });

  test("a perfectly inelastic impact without a force against the wall is no storm", () => {
    const { status, end } = solve(drifting(), {
      span: [0, 2],
      q: [1],
      v: [-1],
      events: [{ when: x, direction: "falling", action: ({ bounce }) => void bounce(0) }],
    });
    expect(status).toBe("finished");
    expect(Math.abs(end.q[0]!)).toBeLessThan(1e-9);
  });

  test("a ball of a mechanism bounces on its surface, in space", async () => {
    const m = model({ name: "ball", gravity: [0, 0, -GRAVITY] });
    m.body({
      name: "ball",
      mass: 2,
      shape: sphere({ radius: 0.1 }),
      position: [0, 0, 1.1],
      velocity: [1, 0, 0],
      angularVelocity: [0, 5, 0],
    });
    const solution = solve(await compile(m), {
      span: [0, 1.1],
      tolerance: 1e-10,
      events: [
        {
          name: "floor",
          when: (state) => state.body("ball").position[2]! - 0.1,
          direction: "falling",
          action: ({ bounce }) => void bounce(0.5),
        },
      ],
    });
    const first = Math.sqrt(2 / GRAVITY);
    expect(farthest(timesOf(solution), [first, 2 * first])).toBeLessThan(1e-10);
    const { angularVelocity, velocity } = solution.end.body("ball");
    expect(farthest(angularVelocity, [0, 5, 0])).toBeLessThan(1e-10);
    expect(velocity[0]).toBeCloseTo(1, 12);
  });

  test("rods are hit where they are: a free rod struck at its end", async () => {
    // Falls flat with speed s, its end strikes: P = m s (1 + e) / (1 + 3) for a rod, dw = P (l / 2) / I.
    const m = model({ name: "rod", gravity: [0, 0, 0] });
    m.body({
      name: "rod",
      mass: 2,
      shape: rod({ length: 1 }),
      position: [0, 0, 1],
      orientation: { axis: [0, 1, 0], angle: Math.PI / 2 },
      velocity: [0, 0, -3],
    });
    const { events } = solve(await compile(m), {
      span: [0, 0.5],
      tolerance: 1e-10,
      events: [
        {
          when: (state) => state.body("rod").point([0, 0, 0.5])[2]!,
          action: ({ bounce }) => void bounce(1),
        },
      ],
    });
    const { velocity, angularVelocity } = events[0]!.after.body("rod");
    expect(velocity[2]).toBeCloseTo(-3 + (2 * 3) / 4, 8);
    expect(Math.abs(angularVelocity[1]!)).toBeCloseTo((6 * (2 * 3)) / 4, 7);
  });
});
