// Impacts: closed forms of bouncing, and impulses of constraints.

import { equations, init } from "nodrift";
import { compile, model } from "nodrift/bodies";
import { type EventContext, solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import { bouncingPendulum, bouncingPendulumBodies } from "../support/bouncing-pendulum.js";
import {
  ball,
  drifting,
  farthest,
  floor,
  GRAVITY,
  pendulum,
  timesOf,
  x,
} from "./support/event-systems.js";

beforeAll(() => init());

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

  test("two balls that land together bounce together", () => {
    const twins = equations({
      coordinates: ["y1", "y2"],
      mass: [1, 5],
      forces: (_q, _v, out) => {
        out[0] = -GRAVITY;
        out[1] = -5 * GRAVITY;
      },
    });
    const together: string[] = [];
    const floorOf = (k: number) => ({
      name: `floor ${k}`,
      when: ({ q }: { readonly q: Float64Array }) => q[k] as number,
      direction: "falling" as const,
      action: (happening: EventContext) => {
        together.push(happening.events.join(" and "));
        happening.bounce(1);
      },
    });
    const solution = solve(twins, {
      span: [0, 10],
      q: [2, 2],
      tolerance: 1e-11,
      events: [floorOf(0), floorOf(1)],
    });
    const first = Math.sqrt(4 / GRAVITY);
    expect(solution.events.length).toBe(16);
    expect(new Set(together)).toEqual(new Set(["floor 0 and floor 1"]));
    const times = Array.from({ length: 8 }, (_, n) => (2 * n + 1) * first);
    for (const name of ["floor 0", "floor 1"]) {
      expect(farthest(timesOf(solution, name), times)).toBeLessThan(1e-10);
    }
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

  test("separating contacts are unchanged", () => {
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
      // Impulse P at r: P r = I dw with I = 1; the hinge exerts m dv - P, with v the speed of the centre.
      const dw = after.body("bat").angularVelocity[1]! - before.body("bat").angularVelocity[1]!;
      const expected = Math.abs((3 / 2) * dw) * Math.abs(1 - 2 / 3 / r);
      const found = Math.hypot(...Object.values(impulses).map((value) => value as number));
      expect(found).toBeCloseTo(expected, 8);
    }
  });
});
