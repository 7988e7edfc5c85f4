// Contacts that come to rest: accumulating events, and motions without them.

import { init } from "nodrift";
import { compile, model, rod, sphere } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import {
  ball,
  drifting,
  farthest,
  floor,
  GRAVITY,
  timesOf,
  x,
  y,
} from "./support/event-systems.js";

beforeAll(() => init());

describe("contacts that come to rest", () => {
  test.each([0.9, 0.5, 0.1, 0])("restitution %d accumulates events above the floor", (e) => {
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

  test("restitution by an action accumulates events as well", () => {
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

  test("an action that triggers its own event again ends the run", () => {
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

  test("an action that moves back far enough reaches its event again", () => {
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

  test("a perfectly inelastic impact without a force against the wall does not accumulate events", () => {
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
