// Modes: constraints and forces that events put in place or take away, for systems given by functions.

import { type Equations, equations, init } from "nodrift";
import { solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import { ball, farthest, GRAVITY, pendulum, timesOf } from "./support/event-systems.js";

beforeAll(() => init());

const energy = (masses: readonly number[], v: Float64Array) =>
  masses.reduce((sum, mass, i) => sum + (mass * v[i]! ** 2) / 2, 0);

describe("constraints that become active", () => {
  test("a string becomes taut: impulse and loss of energy", () => {
    // Two particles in a plane without gravity, 1 from each other, with a string of length 2 between them.
    const [m1, m2, length] = [1, 3, 2];
    const masses = [m1, m1, m2, m2];
    const coordinates = ["x1", "y1", "x2", "y2"];
    const forces = (_q: Float64Array, _v: Float64Array, out: Float64Array) => {
      out.fill(0);
    };
    const slack = equations({ name: "slack", coordinates, mass: masses, forces });
    const taut = equations({
      name: "taut",
      coordinates,
      mass: masses,
      forces,
      holonomic: {
        rows: ["string"],
        value: (q, out) => {
          out[0] = Math.hypot(q[2]! - q[0]!, q[3]! - q[1]!) - length;
        },
      },
    });
    const solution = solve(slack, {
      span: [0, 3],
      q: [0, 0, 1, 0],
      v: [-1, 0, 1, 1],
      tolerance: 1e-11,
      modes: { taut },
      events: [
        {
          name: "taut",
          when: ({ q }) => Math.hypot(q[2]! - q[0]!, q[3]! - q[1]!) - length,
          direction: "rising",
          action: ({ switchTo }) => switchTo("taut"),
        },
      ],
    });
    expect(solution.status).toBe("finished");
    const [{ before, after, impulses, mode, time }] = solution.events as [
      (typeof solution.events)[0],
    ];
    // (1 + 2 t)^2 + t^2 = 4
    expect(Math.abs(time - (-2 + Math.sqrt(19)) / 5)).toBeLessThan(1e-12);
    const along = [(1 + 2 * time) / length, time / length];
    const opening = 2 * along[0]! + 1 * along[1]!;
    const reduced = (m1 * m2) / (m1 + m2);
    expect(mode).toBe("taut");
    expect(Math.abs(impulses.string! + reduced * opening)).toBeLessThan(1e-7);
    const loss = energy(masses, before.v) - energy(masses, after.v);
    expect(Math.abs(loss - (reduced * opening ** 2) / 2)).toBeLessThan(1e-7);
    expect(farthest(after.q, before.q)).toBeLessThan(1e-11);
    const pulled = along.flatMap((c) => [c]);
    const expected = [
      -1 + (reduced / m1) * opening * pulled[0]!,
      (reduced / m1) * opening * pulled[1]!,
      1 - (reduced / m2) * opening * pulled[0]!,
      1 - (reduced / m2) * opening * pulled[1]!,
    ];
    expect(farthest(after.v, expected)).toBeLessThan(1e-7);
    const { q } = solution.end;
    expect(Math.abs(Math.hypot(q[2]! - q[0]!, q[3]! - q[1]!) - length)).toBeLessThan(1e-9);
  });

  test("attaching a passing mass loses its velocity along the rod", () => {
    const { events } = solve(ball(), {
      span: [0, 1],
      q: [0.5, 0],
      v: [1, 2],
      tolerance: 1e-11,
      modes: { attached: pendulum() },
      events: [
        {
          when: ({ q }) => q[0]! ** 2 + q[1]! ** 2 - 1,
          direction: "rising",
          action: ({ switchTo }) => switchTo("attached"),
        },
      ],
    });
    const [{ before, after, impulses }] = events as [(typeof events)[0]];
    const radial = before.q[0]! * before.v[0]! + before.q[1]! * before.v[1]!;
    const expected = [0, 1].map((i) => before.v[i]! - radial * before.q[i]!);
    expect(radial).toBeGreaterThan(0.5);
    expect(farthest(after.v, expected)).toBeLessThan(1e-11);
    expect(Math.abs(impulses.rod! + radial)).toBeLessThan(1e-11);
  });

  test("a rod caught by a peg continues without a jump, on the smaller circle", () => {
    const caught = equations({
      name: "caught",
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: (_q, _v, out) => {
        out[0] = 0;
        out[1] = -GRAVITY;
      },
      holonomic: {
        rows: ["rod"],
        value: (q, out) => {
          out[0] = (q[0]! ** 2 + (q[1]! + 0.5) ** 2 - 0.25) / 2;
        },
        jacobian: (q, out) => {
          out[0] = q[0]!;
          out[1] = q[1]! + 0.5;
        },
      },
      potential: (q) => GRAVITY * q[1]!,
    });
    const angle = 0.8;
    const solution = solve(pendulum(), {
      span: [0, 3],
      q: [Math.sin(angle), -Math.cos(angle)],
      tolerance: 1e-11,
      modes: { caught },
      events: [
        {
          name: "peg",
          when: ({ q }) => q[0]!,
          action: ({ switchTo, before }) => switchTo(before.v[0]! < 0 ? "caught" : "start"),
        },
        { name: "turn", when: ({ v }) => v[0]! },
      ],
    });
    expect(solution.status).toBe("finished");
    const pegs = solution.events.filter(({ name }) => name === "peg");
    expect(pegs.map(({ mode }) => mode)).toEqual(["caught", "start", "caught"]);
    for (const { before, after, impulses } of pegs) {
      expect(farthest(after.v, before.v)).toBeLessThan(1e-9);
      for (const impulse of Object.values(impulses)) expect(Math.abs(impulse)).toBeLessThan(1e-9);
    }
    // It rises to the height it came from, on both circles.
    const turns = solution.events.filter(({ name }) => name === "turn");
    expect(turns.length).toBeGreaterThanOrEqual(3);
    for (const { before } of turns)
      expect(Math.abs(before.q[1]! + Math.cos(angle))).toBeLessThan(1e-8);
  });
});

test("removing a constraint causes no jump and no impulse, then free flight", () => {
  const speed = Math.sqrt(2 * GRAVITY);
  const solution = solve(pendulum(), {
    span: [0, 1],
    q: [1, 0],
    tolerance: 1e-12,
    modes: { free: ball() },
    events: [
      {
        name: "cut",
        when: ({ q }) => q[0]!,
        direction: "falling",
        action: ({ switchTo }) => switchTo("free"),
      },
    ],
  });
  const [{ before, after, impulses, time }] = solution.events as [(typeof solution.events)[0]];
  expect([...after.v]).toEqual([...before.v]);
  expect([...after.q]).toEqual([...before.q]);
  expect(impulses).toEqual({});
  expect(solution.events.length).toBe(1);
  const flown = 1 - time;
  expect(farthest(solution.end.q, [-speed * flown, -1 - (GRAVITY / 2) * flown ** 2])).toBeLessThan(
    1e-10,
  );
  // States on either side are those of their own mode.
  expect(Math.hypot(...solution.at(time / 2).q)).toBeCloseTo(1, 12);
  expect(solution.at(time + flown / 2).q[0]).toBeCloseTo((-speed * flown) / 2, 10);
});

describe("forces that switch", () => {
  const [rate, outside, heated] = [0.5, 10, 30];
  /** v' = -rate (v - towards): v is a temperature. */
  const room = (towards: number): Equations =>
    equations({
      name: `towards ${towards}`,
      coordinates: ["T"],
      mass: [1],
      forces: (_q, v, out) => {
        out[0] = -rate * (v[0]! - towards);
      },
    });

  test("thermostat with hysteresis, in closed form", () => {
    const [low, high] = [18, 22];
    const solution = solve(room(outside), {
      span: [0, 10],
      q: [0],
      v: [20],
      tolerance: 1e-11,
      modes: { on: room(heated) },
      events: [
        {
          name: "cold",
          when: ({ v }) => v[0]! - low,
          direction: "falling",
          action: ({ switchTo }) => switchTo("on"),
        },
        {
          name: "warm",
          when: ({ v }) => v[0]! - high,
          direction: "rising",
          action: ({ switchTo }) => switchTo("start"),
        },
      ],
    });
    const cooling = (from: number) => Math.log((from - outside) / (low - outside)) / rate;
    const heating = Math.log((heated - low) / (heated - high)) / rate;
    const times = [cooling(20)];
    for (let on = true; ; on = !on) {
      const next = times.at(-1)! + (on ? heating : cooling(high));
      if (next > 10) break;
      times.push(next);
    }
    expect(times.length).toBeGreaterThan(8);
    expect(farthest(timesOf(solution), times)).toBeLessThan(1e-9);
    expect(solution.events.map(({ mode }) => mode)).toEqual(
      times.map((_, i) => (i % 2 === 0 ? "on" : "start")),
    );
    expect(Math.min(...solution.column("T'"))).toBeGreaterThan(low - 1e-9);
    expect(Math.max(...solution.column("T'"))).toBeLessThan(high + 1e-9);
  });
});
