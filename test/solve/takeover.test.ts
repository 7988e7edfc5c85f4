// Runs without a chosen method switch to an implicit one while the motion is stiff.

import { equations, projection, udwadiaKalaba } from "nodrift";
import { compile, type Model, rod } from "nodrift/bodies";
import {
  hmmwv,
  hmmwvHeights,
  robertson,
  robertsonReference,
  stiffPendulum,
  stiffPendulumMinimal,
  stiffPendulumReference,
  vanDerPol,
  vanDerPolReference,
} from "nodrift/mechanisms";
import { dop853, dp5, sdirk4, solve, start, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { compareSaved } from "../support/save-restore.js";
import { pins, savedAs, TURNING } from "./support/state-space.js";
import { difference } from "./support/systems.js";

const pendulum = await compile(stiffPendulum());
const explicit = {
  formulation: udwadiaKalaba(),
  stabilisation: projection(),
  integrator: dop853(),
};

const TAKEN = /^the motion is stiff: .* From t = ([\d.e-]+) on it is solved by (.*)$/;

/** When the other method came first, and which it was. */
function takenOver({ notes }: { readonly notes: readonly string[] }) {
  const found = TAKEN.exec(notes[0]) ?? [];
  expect(found, notes.join()).toHaveLength(3);
  return { time: Number(found[1]), method: found[2] };
}

describe("the stiff pendulum as bodies", () => {
  test("switches to the implicit method after some steps, and matches the reference", () => {
    const solution = solve(pendulum, { span: [0, 2], tolerance: 1e-5 });
    expect(solution.status, solution.reason).toBe("finished");
    const first = "udwadiaKalaba + projection + dop853";
    expect(solution.method).toBe(`${first}, then stateSpace + radau5`);
    const { time, method } = takenOver(solution);
    expect(method).toBe("stateSpace + radau5");
    expect(time).toBeGreaterThan(0);
    expect(time).toBeLessThan(0.05);
    expect(solution.statistics.implicit).toMatchObject({ jacobianSource: "analytic" });
    // An explicit method needs about 30 000.
    expect(solution.statistics.steps).toBeLessThan(3000);
    expect(solution.statistics.maximumDrift.position).toBeLessThan(1e-12);
    for (const [t, theta] of stiffPendulumReference) {
      const { position } = solution.at(t).body("rod 1");
      expect(difference(position, [Math.cos(theta), Math.sin(theta), 0])).toBeLessThan(1e-3);
    }
  });

  const events = [
    { name: "passes", when: ({ q }: { q: Float64Array }) => q[1] - 1e-8 },
    { name: "lands", when: ({ q }: { q: Float64Array }) => q[1] - 0.015, action: () => {} },
  ];
  const short = { span: [0, 0.05], tolerance: 1e-7, events } as const;
  const slow = solve(pendulum, { ...short, method: explicit });
  const quick = solve(pendulum, short);

  test("agrees with the explicit method, between all steps and across the switch", () => {
    const { time } = takenOver(quick);
    expect(slow.statistics.implicit).toBeUndefined();
    const near = [-1e-4, -1e-6, 0, 1e-6, 1e-4].map((by) => time + by);
    for (const t of [...Array.from({ length: 51 }, (_, i) => i / 1000), ...near]) {
      expect(difference(quick.at(t).q, slow.at(t).q)).toBeLessThan(1e-5);
      expect(difference(quick.at(t).v, slow.at(t).v)).toBeLessThan(1e-3);
    }
    const index = quick.time.indexOf(time);
    expect(index).toBeGreaterThan(0);
    expect([...quick.time]).toEqual([...quick.time].sort((a, b) => a - b));
  });

  test("meets the same events", () => {
    const names = slow.events.map(({ name }) => name);
    expect(names).toContain("passes");
    expect(names).toContain("lands");
    expect(quick.events.map(({ name }) => name)).toEqual(names);
    for (const [i, { time }] of quick.events.entries()) {
      expect(Math.abs(time - slow.events[i].time)).toBeLessThan(1e-6);
    }
    const { time } = takenOver(quick);
    expect(quick.events[0].time).toBeLessThan(time);
    expect(quick.events.at(-1)!.time).toBeGreaterThan(time);
  });

  test("continues bitwise identically from before and after the switch", () => {
    const options = { span: [0, 1], tolerance: 1e-4, events, output: "ends" } as const;
    const run = savedAs("stiff pendulum", () => start(pendulum, options));
    const { plain, saving, continued } = compareSaved(run, 20, 3);
    expect(saving).toEqual(plain);
    expect(plain.end).toContain("is solved by stateSpace");
    const from = continued.map(({ how }) => Number(/step (\d+)/.exec(how)?.[1]));
    const run2 = start(pendulum, options);
    let before = 0;
    while (run2.step() && run2.solution().notes.length === 0) before++;
    expect(Math.min(...from)).toBeLessThan(before);
    expect(Math.max(...from)).toBeGreaterThan(before);
    for (const { how, found, wanted } of continued) {
      expect({ how, ...found }).toEqual({ how, ...wanted });
    }
  });

  test("leaves methods that were given alone, and says what would do", () => {
    for (const options of [
      { method: explicit },
      { integrator: dp5() },
      { method: { ...explicit, integrator: dp5() } },
    ]) {
      const { notes, statistics } = solve(pendulum, { span: [0, 0.02], ...options });
      expect(statistics.implicit).toBeUndefined();
      expect(notes.join()).toMatch(
        /the system is stiff from about t = 0\.\d+: .* limited by stability/,
      );
      expect(notes.join()).toMatch(/stateSpace\(\) with an implicit integrator, like sdirk4\(\)/);
    }
    const method = { formulation: stateSpace(), integrator: sdirk4() };
    expect(solve(pendulum, { span: [0, 0.02], method }).notes).toEqual([]);
  });

  test("runs that are not stiff keep their method", () => {
    const { notes, statistics } = solve(pins, { ...TURNING, span: [0, 10] });
    expect(statistics.steps).toBeGreaterThan(200);
    expect(notes).toEqual([]);
    expect(statistics.implicit).toBeUndefined();
  });
});

test("the HMMWV switches to the implicit method, and has its reference height", async () => {
  const solution = solve(await compile(hmmwv()), { span: [0, 2], tolerance: 1e-4 });
  expect(solution.status, solution.reason).toBe("finished");
  expect(takenOver(solution).method).toBe("stateSpace + radau5");
  expect(solution.statistics.steps).toBeLessThan(600);
  for (const [time, height] of hmmwvHeights) {
    if (time > 2) continue;
    expect(Math.abs(solution.at(time).body("chassis").position[2] - height)).toBeLessThan(1e-4);
  }
});

describe("modes after the switch", () => {
  const { equations: minimal, q, v } = stiffPendulumMinimal();
  const { forces } = minimal.description;
  /** A brake on the first rod, as stiff as the spring between the rods. */
  const braked = equations({
    ...minimal.description,
    forces: (q, v, out, t) => {
      forces(q, v, out, t);
      out[0] -= 1e4 * v[0];
    },
  });
  const options = {
    q,
    v,
    span: [0, 0.2],
    tolerance: 1e-7,
    modes: { braked },
    events: [
      {
        name: "brake",
        when: ({ q }: { q: Float64Array }) => q[0] - 6.2,
        direction: "falling",
        action: ({ switchTo }: { switchTo(mode: string): void }) => switchTo("braked"),
      },
      {
        name: "release",
        when: ({ time }: { time: number }) => time - 0.15,
        action: ({ switchTo }: { switchTo(mode: string): void }) => switchTo("start"),
      },
    ],
  } as const;

  test("modes entered later are solved by the implicit method, too", () => {
    const quick = solve(minimal, options);
    const slow = solve(minimal, { ...options, method: explicit });
    expect(quick.status, quick.reason).toBe("finished");
    expect(quick.events.map(({ mode }) => mode)).toEqual(["braked", "start"]);
    expect(quick.events[0].time).toBeGreaterThan(takenOver(quick).time);
    expect(Math.abs(quick.events[0].time - slow.events[0].time)).toBeLessThan(1e-6);
    for (const t of [0.05, 0.1, 0.14, 0.16, 0.2]) {
      expect(difference(quick.at(t).q, slow.at(t).q)).toBeLessThan(1e-5);
    }
    expect(slow.statistics.steps).toBeGreaterThan(4 * quick.statistics.steps);
  });

  test("runs continue bitwise identically from any step", () => {
    const run = savedAs("modes", () => start(minimal, { ...options, output: "ends" }));
    const { plain, saving, continued } = compareSaved(run, 20, 5);
    expect(plain.events).toHaveLength(2);
    expect(saving).toEqual(plain);
    for (const { how, found, wanted } of continued) {
      expect({ how, ...found }).toEqual({ how, ...wanted });
    }
  });
});

describe("plain differential equations", () => {
  test("Van der Pol through all its phases", () => {
    // Slow on one branch, a jump after 0.8, slow on the other, and so on: five jumps in 4.5.
    const solution = solve(vanDerPol(), { span: [0, 4.5], tolerance: 1e-6 });
    expect(solution.status, solution.reason).toBe("finished");
    expect(takenOver(solution).method).toBe("firstOrder + radau5");
    // Between its steps sdirk4 knows unknowns that are fast less well: its stages have order 1.
    expect(Math.abs(solution.at(2).y[0] - vanDerPolReference.y[0])).toBeLessThan(1e-5);
    expect(difference(solution.at(2).y, vanDerPolReference.y)).toBeLessThan(1e-3);
    const y = solution.column("y");
    const jumps = y.reduce((count, value, i) => count + (i > 0 && value * y[i - 1] < 0 ? 1 : 0), 0);
    expect(jumps).toBe(5);
    // Between jumps it is on z (1 - y^2) = y.
    for (const t of [0.5, 1.2, 2, 2.8, 3.6]) {
      const [y, z] = solution.at(t).y;
      expect(Math.abs(z - y / (1 - y * y))).toBeLessThan(1e-3);
    }
  });

  test("Robertson's reaction, whose sum stays", () => {
    const tolerance = { relative: 1e-6, absolute: 1e-10 };
    const solution = solve(robertson(), { span: [0, 40], tolerance });
    expect(takenOver(solution).method).toBe("firstOrder + radau5");
    expect(difference(solution.end.y, robertsonReference.y)).toBeLessThan(1e-6);
    const [a, b, c] = solution.end.y;
    expect(Math.abs(a + b + c - 1)).toBeLessThan(1e-12);
  });

  test("continues bitwise identically from any step", () => {
    const run = savedAs("Van der Pol", () =>
      start(vanDerPol(), { span: [0, 2], tolerance: 1e-3, output: "ends" }),
    );
    const { plain, saving, continued } = compareSaved(run, 12, 2);
    expect(saving).toEqual(plain);
    for (const { how, found, wanted } of continued) {
      expect({ how, ...found }).toEqual({ how, ...wanted });
    }
  });
});

/** The stiff pendulum, next to a parallelogram that becomes flat after 0.7084 s. */
function withParallelogram(): Model {
  const m = stiffPendulum();
  const axis = [0, 0, 1] as const;
  const shape = rod({ length: 1, axis: [1, 0, 0] });
  const [left, right] = [5, 6].map((x) =>
    m.body({
      name: `upright ${x}`,
      mass: 1,
      shape,
      position: [x, 0.5, 0],
      orientation: { axis, angle: Math.PI / 2 },
      velocity: [0.5, 0, 0],
      angularVelocity: [0, 0, -1],
    }),
  );
  const top = m.body({
    name: "top",
    mass: 1,
    shape,
    position: [5.5, 1, 0],
    velocity: [1, 0, 0],
    angularVelocity: [0, 0, 0],
  });
  m.revolute({ name: "ground left", between: [m.ground, left], at: [5, 0, 0], axis });
  m.revolute({ name: "ground right", between: [m.ground, right], at: [6, 0, 0], axis });
  m.revolute({ name: "top left", between: [left, top], at: [5, 1, 0], axis });
  m.revolute({ name: "top right", between: [top, right], at: [6, 1, 0], axis });
  return m;
}

test("a pose that becomes singular is passed by the explicit method, which says so", async () => {
  const both = await compile(withParallelogram());
  const solution = solve(both, { span: [0, 0.8], tolerance: 1e-5 });
  expect(solution.status, solution.reason).toBe("finished");
  const [first, second] = solution.notes;
  expect(first).toMatch(TAKEN);
  expect(second).toMatch(
    /^at t = 0\.708\d* stateSpace \+ radau5 failed; continued with an explicit method: .*"(top|ground) (left|right)/,
  );
  // The uprights stay parallel, and move as one angle.
  const upright = equations({
    coordinates: ["theta"],
    mass: [2 / 3 + 1],
    forces: ([theta], _v, out) => {
      out[0] = -2 * 9.81 * Math.cos(theta);
    },
  });
  const { end } = solve(upright, { span: [0, 0.8], q: [Math.PI / 2], v: [-1], tolerance: 1e-10 });
  const [x, y] = [Math.cos(end.q[0]) / 2, Math.sin(end.q[0]) / 2];
  expect(y).toBeLessThan(-0.1);
  const { position } = solution.end.body("upright 5");
  expect(difference(position, [5 + x, y, 0])).toBeLessThan(1e-3);
  const parallel = solution.end.body("upright 6").position;
  expect(difference(parallel, [6 + x, y, 0])).toBeLessThan(1e-3);
});

test("an action that throws ends a run that was handed over, and is called once", () => {
  let calls = 0;
  const events = [
    {
      when: (state: { readonly time: number }) => state.time - 0.5,
      action: () => {
        calls++;
        throw new Error("enough of that");
      },
    },
  ];
  const { status, reason, end, notes } = solve(pendulum, { span: [0, 1], tolerance: 1e-4, events });
  expect(notes.join()).toContain("is solved by stateSpace");
  expect(notes).toHaveLength(1);
  expect(status).toBe("failed");
  expect(reason).toContain("enough of that");
  expect(end.time).toBeCloseTo(0.5, 9);
  expect(calls).toBe(1);
});
