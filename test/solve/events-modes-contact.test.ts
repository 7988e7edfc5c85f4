// Modes: a contact that becomes a constraint, and mistakes with modes.

import { equations, init } from "nodrift";
import { solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import { ball, farthest } from "./support/event-systems.js";

beforeAll(() => init());

test("a ball that stops bouncing slides on: the contact becomes a constraint", () => {
  const [along, down] = [2, 9];
  const description = {
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_q: Float64Array, _v: Float64Array, out: Float64Array) => {
      out[0] = along;
      out[1] = -down;
    },
  };
  const slope = equations({ name: "slope", ...description });
  const sliding = equations({
    name: "sliding",
    ...description,
    holonomic: {
      rows: ["contact"],
      value: (q, out) => {
        out[0] = q[1]!;
      },
    },
  });
  const e = 0.6;
  const solution = solve(slope, {
    span: [0, 10],
    q: [0, 1],
    tolerance: 1e-10,
    modes: { sliding },
    events: [
      {
        name: "bounce",
        modes: ["start"],
        when: ({ q }) => q[1]!,
        direction: "falling",
        action: ({ before, bounce, switchTo }) => {
          if (Math.abs(before.v[1]!) < 1e-3) switchTo("sliding");
          else bounce(e);
        },
      },
    ],
  });
  expect(solution.status).toBe("finished");
  expect(solution.events.at(-1)!.mode).toBe("sliding");
  const speed = Math.sqrt(2 * down);
  const bounces = Math.ceil(Math.log(1e-3 / speed) / Math.log(e));
  expect(solution.events.length).toBe(bounces + 1);
  // The last impact stops what is left of the speed.
  const { impulses } = solution.events.at(-1)!;
  expect(Math.abs(impulses.contact! - speed * e ** bounces)).toBeLessThan(1e-8);
  expect(farthest(solution.end.q, [(along * 100) / 2, 0])).toBeLessThan(1e-8);
  expect(Math.min(...solution.column("y"))).toBeGreaterThan(-1e-10);
});

describe("mistakes", () => {
  test("rejects modes with other coordinates, or named like the start", () => {
    const other = equations({
      coordinates: ["z"],
      mass: [1],
      forces: (_q, _v, out) => {
        out[0] = 0;
      },
    });
    const { status, reason, end } = solve(ball(), {
      span: [0, 1],
      q: [0, 1],
      modes: { other },
      events: [
        {
          name: "switch",
          when: ({ time }) => time - 0.25,
          action: ({ switchTo }) => switchTo("other"),
        },
      ],
    });
    expect(status).toBe("failed");
    expect(reason).toContain('mode "other" must have the same coordinates');
    expect(end.time).toBeCloseTo(0.25, 12);
    expect(() => solve(ball(), { span: [0, 1], q: [0, 1], modes: { start: ball() } })).toThrow(
      '"start" is reserved',
    );
  });

  test("rejects events of unknown modes", () => {
    const events = [{ when: () => 1, modes: ["slidng"] }];
    expect(() =>
      solve(ball(), { span: [0, 1], q: [0, 1], modes: { sliding: ball() }, events }),
    ).toThrow('event "event 0": there is no mode "slidng": did you mean sliding?');
  });

  test("a mode whose constraints are far away fails with its name and row", () => {
    const far = equations({
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: (_q, _v, out) => {
        out.fill(0);
      },
      holonomic: {
        rows: ["nowhere"],
        value: (q, out) => {
          out[0] = q[0]! ** 2 + 1;
        },
      },
    });
    const { status, reason, end } = solve(ball(), {
      span: [0, 1],
      q: [0.5, 1],
      modes: { far },
      events: [
        {
          name: "switch",
          when: ({ time }) => time - 0.25,
          action: ({ switchTo }) => switchTo("far"),
        },
      ],
    });
    expect(status).toBe("failed");
    expect(reason).toContain('event "switch"');
    expect(reason).toContain('mode "far"');
    expect(reason).toContain('"nowhere"');
    expect(end.q[0]).toBe(0.5);
  });
});
