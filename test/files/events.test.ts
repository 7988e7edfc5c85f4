// Events and modes of a file do what those of `solve` do.

import type { CompiledModel } from "nodrift/bodies";
import { readDocument } from "nodrift/files";
import { type EventOptions, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { expectSameSolution, RADIUS, run, runByCalls } from "./support/ball.js";
import { expectSameBits } from "./support/bits.js";

const height: EventOptions<CompiledModel>["when"] = (state) =>
  state.body("ball").position[2] - RADIUS;
const floor = { name: "floor", when: `z('ball') - ${RADIUS}` } as const;
const byCall = { name: "floor", when: height } as const;

describe("events", () => {
  test("let bodies bounce", async () => {
    const found = await run({
      events: [{ ...floor, direction: "falling", action: { bounce: 0.8 } }],
    });
    const wanted = await runByCalls(() => ({
      events: [{ ...byCall, direction: "falling", action: ({ bounce }) => void bounce(0.8) }],
    }));
    expect(found.events.length).toBeGreaterThan(1);
    const [{ before, after }] = found.events;
    const speeds = [before, after].map((state) => state.body("ball").velocity[2]);
    expect(speeds[1]).toBeCloseTo(-0.8 * speeds[0], 9);
    expectSameSolution(found, wanted);
  });

  test("stop the run and report the name of the event", async () => {
    const found = await run({ events: [{ ...floor, action: "stop" }] });
    const wanted = await runByCalls(() => ({
      events: [{ ...byCall, action: ({ stop }) => stop('event "floor"') }],
    }));
    expect(found.end.body("ball").position[2]).toBeCloseTo(RADIUS, 10);
    expect(found.reason).toContain("floor");
    expectSameSolution(found, wanted);
    const unnamed = await run({ events: [{ when: floor.when, action: "stop" }] });
    expect(unnamed.end.time).toBe(found.end.time);
  });

  test("end a step at a mark without any other effect", async () => {
    const kept = { output: { at: "steps" } } as const;
    const found = await run({ ...kept, events: [{ ...floor, action: "mark" }] });
    const wanted = await runByCalls(() => ({ events: [{ ...byCall, action: () => {} }] }));
    expectSameSolution(found, wanted);
    const [{ time, before, after }] = found.events;
    expect([...found.time]).toContain(time);
    expectSameBits(before.q, after.q);
    const recorded = await run({ ...kept, events: [floor] });
    expect(recorded.events).toHaveLength(1);
    expect([...recorded.time]).not.toContain(recorded.events[0].time);
  });

  test("switch between modes", async () => {
    const modes = [{ name: "vacuum", without: ["air"] }];
    const found = await run({
      modes,
      events: [
        { name: "pump", when: "t - 0.3", modes: ["start"], action: { switchTo: "vacuum" } },
        { name: "leak", when: "t - 0.6", action: { switchTo: "start" } },
      ],
    });
    const wanted = await runByCalls((system) => ({
      modes: { vacuum: system.without("air") },
      events: [
        {
          name: "pump",
          when: ({ time }) => time - 0.3,
          modes: ["start"],
          action: ({ switchTo }) => switchTo("vacuum"),
        },
        {
          name: "leak",
          when: ({ time }) => time - 0.6,
          action: ({ switchTo }) => switchTo("start"),
        },
      ],
    }));
    expect(found.events.map(({ mode }) => mode)).toEqual(["vacuum", "start"]);
    const [vx1, vx2] = found.events.map(({ before }) => before.body("ball").velocity[0]);
    expect(vx1).toBeCloseTo(0.5 * Math.exp(-0.2 * 0.3), 8);
    // Nothing brakes it between the two.
    expect(vx2).toBeCloseTo(vx1, 12);
    expectSameSolution(found, wanted);
  });

  test("switch off a drive whose joint is in use", async () => {
    const place = { at: [0, 0, 0], axis: [0, 1, 0] };
    const file = readDocument({
      nodrift: 1,
      name: "crank",
      units: "SI",
      gravity: [0, 0, 0],
      bodies: [{ name: "crank", mass: 1, inertia: [1, 2, 1.5] }],
      joints: [
        { type: "revolute", name: "axle", between: ["ground", "crank"], ...place },
        { type: "driveAngle", name: "motor", joint: "axle", angle: "t" },
      ],
      forces: [{ type: "torsionSpring", name: "brake", joint: "motor", damping: 2 }],
      solve: { span: [0, 2], tolerance: 1e-10 },
      modes: [{ name: "idle", without: ["motor"] }],
      events: [{ when: "t - 1", action: { switchTo: "idle" } }],
    });
    const system = await file.compile();
    const { end } = solve(system, file.solveOptions(system));
    // I w' = -c w for the second half, with I = c.
    expect(end.joint("axle").angleRate).toBeCloseTo(Math.exp(-1), 8);
  });

  test("occur only in the modes they name", async () => {
    const modes = [{ name: "vacuum", without: ["air"] }];
    const found = await run({ modes, events: [{ ...floor, modes: ["vacuum"] }] });
    expect(found.events).toHaveLength(0);
  });

  test.each([
    ["rising", 1, ["rising"]],
    ["falling", 1, ["falling"]],
    ["both", 2, ["rising", "falling"]],
  ] as const)("count when they are %s", async (direction, count, directions) => {
    const found = await run({
      solve: { span: [0, 1], tolerance: 1e-9 },
      events: [{ when: "sin(2*pi*t + 1)", direction }],
    });
    expect(found.events.map((event) => event.direction).sort()).toEqual([...directions].sort());
    expect(found.events).toHaveLength(count);
  });

  test("end the run at the first or at a given occurrence", async () => {
    const bouncing = { ...floor, direction: "falling", action: { bounce: 0.8 } } as const;
    const [once, twice, never] = await Promise.all(
      ([true, 2, false] as const).map((terminal) => run({ events: [{ ...bouncing, terminal }] })),
    );
    expect([once.events.length, twice.events.length]).toEqual([1, 2]);
    expect(twice.end.time).toBe(twice.events[1].time);
    expect(never.end.time).toBe(2);
  });
});
