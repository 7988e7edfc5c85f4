// Which coordinates stateSpace() takes for independent, and when it takes others.

import { type Equations, equations, projection, udwadiaKalaba } from "nodrift";
import { compile, model } from "nodrift/bodies";
import { bennett, nFourBar, nFourBarStiffness, rollingDisk } from "nodrift/mechanisms";
import { dop853, radau5, rodas, type Source, sdirk4, solve, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { implicit } from "../support/integrators.js";
import {
  bars,
  barsAt,
  pins,
  spatialCrank,
  TURNING,
  watchedStateSpace,
} from "./support/state-space.js";
import { difference } from "./support/systems.js";

const projected = {
  formulation: udwadiaKalaba(),
  stabilisation: projection(),
  integrator: dop853(),
};
const integrators = [dop853(), ...implicit];
const crank = await compile(spatialCrank(), { coordinates: "maximal" });
const jointed = await compile(spatialCrank(), { coordinates: "relative" });

/** End of a run with another formulation. */
const reference = (source: Source, options: object) =>
  solve(source, { span: [0, 2], tolerance: 1e-11, method: projected, ...options }).end;

describe.each(integrators)("full turns with $name", (integrator) => {
  test.each([
    // Allowed are errors of independent positions; those of the others are larger, and grow with time.
    { name: "by points", source: pins, options: TURNING, changes: 4, most: 200 },
    { name: "by bodies in space", source: crank, options: {}, changes: 2, most: 200 },
    // An angle of the crank may serve for all turns.
    { name: "by joints in space", source: jointed, options: {}, changes: 0, most: 200 },
  ])("$name", ({ source, options, changes, most }) => {
    const { formulation, times } = watchedStateSpace();
    const method = { formulation, integrator };
    const all = { span: [0, 2] as const, tolerance: 1e-7, ...options };
    const { status, reason, end, statistics } = solve(source as Source, { ...all, method });
    expect(status, reason).toBe("finished");
    expect(difference(end.q, reference(source, options).q)).toBeLessThan(most * 1e-7);
    expect(statistics.maximumDrift.position).toBeLessThan(1e-12);
    expect(statistics.maximumDrift.velocity).toBeLessThan(1e-12);
    expect(times.length).toBeGreaterThanOrEqual(changes);
  });
});

test("places and angles: an angle that determines all serves for all turns", () => {
  const start = barsAt(0.2, 8);
  const { formulation, times } = watchedStateSpace();
  const method = { formulation, integrator: radau5() };
  const { end } = solve(bars, { ...start, span: [0, 2], tolerance: 1e-8, method });
  expect(end.q[2]).toBeGreaterThan(2 * Math.PI);
  expect(difference(end.q, reference(bars, start).q)).toBeLessThan(1e-5);
  expect(times).toEqual([]);
});

test("the start partition of the slider-crank becomes singular: x where y is zero", () => {
  // At the top y turns back, at the sides x does. Both come to be independent.
  const run = (independent: string) =>
    solve(pins, {
      ...TURNING,
      span: [0, 2],
      method: { formulation: stateSpace({ independent: [independent] }), integrator: sdirk4() },
    });
  const { status, end, reason, cause } = run("y");
  expect(status).toBe("stepUnderflow");
  expect(cause).toMatchObject({ code: "SINGULAR" });
  expect(reason).toMatch(
    /independent positions \(y\) do not determine the others near t = 0\.\d+: "(crank|rod)"/,
  );
  expect(end.q[1]).toBeGreaterThan(0.999);
  expect(end.q[0]).toBeLessThan(0.05);
  expect(Number(/near t = ([\d.]+)/.exec(reason)?.[1])).toBeCloseTo(end.time, 6);
});

describe("independent positions that are given", () => {
  const solved = (independent: readonly (string | number)[], options = {}) =>
    solve(bars, {
      ...barsAt(0.5, 8),
      span: [0, 0.3],
      tolerance: 1e-7,
      method: { formulation: stateSpace({ independent }), integrator: sdirk4() },
      ...options,
    });

  test("coordinates given by name or by index give the same bits", () => {
    const [named, numbered] = [solved(["theta"]), solved([2])];
    expect([...numbered.end.q]).toEqual([...named.end.q]);
    const { q } = reference(bars, { ...barsAt(0.5, 8), span: [0, 0.3] });
    expect(difference(named.end.q, q)).toBeLessThan(1e-5);
    expect(difference(solved(["x1"]).end.q, q)).toBeLessThan(1e-5);
  });

  test("coordinates that no longer determine the others end the run, with their names and the time", () => {
    // The slider reverses when crank and rod are aligned.
    const { status, reason, cause, end } = solved(["slide"], { span: [0, 2] });
    expect(status).toBe("stepUnderflow");
    expect(cause).toMatchObject({ code: "SINGULAR" });
    expect(reason).toMatch(/\(slide\) do not determine the others near t = 0\.38\d*: "/);
    expect(reason).toMatch(/other positions, or udwadiaKalaba\(\)/);
    expect(Math.abs(end.q[2] - Math.PI)).toBeLessThan(0.01);
  });

  test("coordinates that never determined the others are rejected at the start", () => {
    const { status, reason } = solved(["slide"], barsAt(0, 8));
    expect(status).toBe("failed");
    expect(reason).toMatch(/independent positions that were given do not determine .* at t = 0/);
  });

  test.each([
    [["angle"], /there is no position "angle"; the system has "x1", "y1", "theta"/],
    [[7], /there is no position 7;/],
    [[1.5], /independent\[0\] is 1\.5; give a name or an index >= 0/],
    [["theta", "phi"], /names 2 positions, but the system has 1 degrees of freedom/],
    [[], /names 0 positions/],
    [["theta", "theta"], /names a position twice: theta,theta/],
  ])("%j: says what is wrong", (independent, message) => {
    expect(() => solved(independent)).toThrow(message);
  });
});

describe("rows that repeat each other", () => {
  test("redundant rows of joints are left out: Bennett's linkage", async () => {
    const linkage = await compile(bennett());
    const { q } = reference(linkage, {});
    for (const integrator of integrators.slice(1)) {
      const method = { formulation: stateSpace(), integrator };
      const { end, statistics } = solve(linkage, { span: [0, 2], tolerance: 1e-7, method });
      expect(difference(end.q, q)).toBeLessThan(1e-6);
      expect(statistics.maximumDrift.position).toBeLessThan(1e-12);
      expect(statistics.maximumDrift.velocity).toBeLessThan(1e-12);
    }
  });

  test("redundant rows of planar four-bars are left out", async () => {
    const method = { formulation: stateSpace(), integrator: radau5() };
    const { end } = solve(await compile(nFourBar(9)), { span: [0, 0.5], tolerance: 1e-6, method });
    // The motion of the one angle.
    const upright = equations({
      coordinates: ["theta"],
      mass: [1],
      forces: ([theta], _v, out) => {
        out[0] = -nFourBarStiffness(9) * Math.cos(theta);
      },
    });
    const one = solve(upright, { span: [0, 0.5], q: [Math.PI / 2], v: [-1], tolerance: 1e-10 });
    const [x, y] = [Math.cos(one.end.q[0]) / 2, Math.sin(one.end.q[0]) / 2];
    expect(difference(end.body("upright 0").position, [x, y, 0])).toBeLessThan(1e-5);
    expect(difference(end.body("upright 9").position, [9 + x, y, 0])).toBeLessThan(1e-5);
  });

  test("redundant rows of functions are reported", () => {
    const twice = equations({
      ...pins.description,
      holonomic: {
        rows: ["crank", "rod", "rod again"],
        value: ([x, y, slide], out) => {
          out.set([x ** 2 + y ** 2 - 1, (slide - x) ** 2 + y ** 2 - 4]);
          out[2] = 3 * out[1];
        },
      },
    });
    const { status, reason } = solvedWith(twice);
    expect(status).toBe("failed");
    expect(reason).toMatch(/are dependent at t = 0 \(redundant there: "rod( again)?"/);
    expect(reason).toMatch(/1 degrees of freedom, not 0/);
  });
});

const solvedWith = (system: Equations) =>
  solve(system, {
    ...TURNING,
    span: [0, 1],
    method: { formulation: stateSpace(), integrator: sdirk4() },
  });

/** Equal parallelograms side by side, which know nothing of each other and lie flat at the same time. */
function parallelograms(count: number) {
  const m = model({ name: `${count} parallelograms`, gravity: [0, -9.81, 0] });
  const axis = [0, 0, 1] as const;
  const inertia = [1 / 12, 1 / 12, 1 / 12] as const;
  for (let i = 0; i < count; i++) {
    const rod = (name: string, x: number, y: number, turning: boolean) =>
      m.body({
        name: `${name} ${i}`,
        mass: 1,
        inertia,
        position: [x, y, i],
        velocity: [turning ? 0.5 : 1, 0, 0],
        angularVelocity: [0, 0, turning ? -1 : 0],
      });
    const [left, top, right] = [
      rod("left", 0, 0.5, true),
      rod("top", 0.5, 1, false),
      rod("right", 1, 0.5, true),
    ];
    m.revolute({ between: [m.ground, left], at: [0, 0, i], axis });
    m.revolute({ between: [left, top], at: [0, 1, i], axis });
    m.revolute({ between: [top, right], at: [1, 1, i], axis });
    m.revolute({ between: [m.ground, right], at: [1, 0, i], axis });
  }
  return m;
}

describe("singular poses", () => {
  // Uprights of a parallelogram lie flat, and could go on crossed.
  test.each([sdirk4(), rodas(), radau5()])(
    "end the run, with a joint: $name",
    async (integrator) => {
      const method = { formulation: stateSpace(), integrator };
      const fourBar = await compile(nFourBar(1));
      const { status, reason, cause, end } = solve(fourBar, {
        span: [0, 3],
        tolerance: 1e-6,
        method,
      });
      expect(status).toBe("stepUnderflow");
      expect(cause).toMatchObject({ code: "SINGULAR" });
      expect(reason).toMatch(/near t = 0\.708\d*: "(left|right|ground) \d: \w+ \d" is left over/);
      expect(reason).toContain("udwadiaKalaba(), which goes through singular poses");
      expect(end.time).toBeCloseTo(0.7084, 3);
      // Up to there it is the motion, with parallel bars.
      const exact = solve(fourBar, { span: [0, end.time], tolerance: 1e-10 }).end;
      expect(difference(end.q, exact.q)).toBeLessThan(1e-4);
    },
  );

  test.each([sdirk4(), rodas(), radau5()])(
    "poses that two loops pass together end the run as well: $name",
    async (integrator) => {
      const method = { formulation: stateSpace(), integrator };
      for (const [make, coordinates] of [
        [() => parallelograms(2), "relative"],
        [() => parallelograms(2), "maximal"],
        [() => parallelograms(4), "maximal"],
        [() => nFourBar(2), "relative"],
      ] as const) {
        const compiled = await compile(make(), { coordinates });
        const { status, cause, end } = solve(compiled, { span: [0, 3], tolerance: 1e-3, method });
        expect(status).toBe("stepUnderflow");
        expect(cause).toMatchObject({ code: "SINGULAR" });
        expect(end.time).toBeGreaterThan(0.7);
        expect(end.time).toBeLessThan(0.72);
      }
    },
  );

  test("singular initial poses are reported immediately", async () => {
    const flat = await compile(nFourBar(1, { psi0: Math.PI / 2 }));
    const method = { formulation: stateSpace(), integrator: sdirk4() };
    const { status, reason, end } = solve(flat, { span: [0, 1], method });
    expect([status, end.time]).toEqual(["failed", 0]);
    expect(reason).toMatch(/are dependent at t = 0 \(redundant there: "(left|right|ground) \d: /);
    expect(reason).toMatch(/2 degrees of freedom, not 1/);
  });
});

describe("other constraints", () => {
  test("a drive turns the crank: the slider is where geometry puts it", async () => {
    const m = model({ name: "driven", gravity: [0, -9.81, 0] });
    const axis = [0, 0, 1] as const;
    const wheel = m.body({ name: "wheel", mass: 1, inertia: [1, 1, 1] });
    const bob = m.body({ name: "bob", mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, -1, 0] });
    const hinge = m.revolute({ between: [m.ground, wheel], at: [0, 0, 0], axis });
    m.revolute({ between: [wheel, bob], at: [1, 0, 0], axis });
    m.driveAngle({ joint: hinge, angle: (t) => 3 * t });
    const driven = await compile(m);
    const exact = solve(driven, { span: [0, 2], tolerance: 1e-10 }).end;
    for (const integrator of integrators) {
      const method = { formulation: stateSpace(), integrator };
      const { end, statistics } = solve(driven, { span: [0, 2], tolerance: 1e-7, method });
      const [w, , , z] = [...end.q.slice(3, 7)];
      expect(Math.abs(Math.sin(2 * Math.atan2(z, w) - 6))).toBeLessThan(1e-12);
      expect(difference(end.body("bob").position, exact.body("bob").position)).toBeLessThan(1e-5);
      expect(statistics.maximumDrift.position).toBeLessThan(1e-12);
    }
  });

  test("a bead on a turning wire, by functions of time: r = cosh t", () => {
    const bead = equations({
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: (_q, _v, out) => {
        out.fill(0);
      },
      holonomic: {
        rows: ["wire"],
        value: (q, out, t) => {
          out[0] = q[1] * Math.cos(t) - q[0] * Math.sin(t);
        },
      },
    });
    for (const integrator of integrators) {
      const { formulation, times } = watchedStateSpace();
      const method = { formulation, integrator };
      const options = { span: [0, 2], q: [1, 0], v: [0, 1], tolerance: 1e-7 } as const;
      const { end } = solve(bead, { ...options, method });
      const [x, y] = [Math.cosh(2) * Math.cos(2), Math.cosh(2) * Math.sin(2)];
      expect(difference(end.q, [x, y])).toBeLessThan(1e-5);
      expect(times.length).toBeGreaterThan(0);
    }
  });

  test("those on velocities are rejected", async () => {
    const disk = await compile(rollingDisk());
    const method = { formulation: stateSpace(), integrator: sdirk4() };
    expect(() => solve(disk, { span: [0, 1], method })).toThrow(
      "stateSpace takes constraints on positions only: rolling and other constraints on velocities need " +
        "udwadiaKalaba()",
    );
  });
});
