// Absolute tolerances by coordinates, bodies and kinds: each binds what it names, and nothing else.

import { equations } from "nodrift";
import { compile, model } from "nodrift/bodies";
import { dop853, dp5, ode, radau5, type SolveOptions, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";

type Tolerance = NonNullable<SolveOptions["tolerance"]>;

/** Two oscillators that do not know of each other: a large and slow one, and a small and quick one. */
const small = 1e-6;
const pair = equations({
  coordinates: ["large", "small"],
  mass: [1, 1],
  forces: (q, _v, out) => {
    out[0] = -q[0]!;
    out[1] = -100 * q[1]!;
  },
});

function errorsOf(tolerance: Tolerance, integrator = dp5()) {
  const solution = solve(pair, { span: [0, 10], q: [1, small], v: [0, 0], tolerance, integrator });
  const { q, v } = solution.end;
  return {
    steps: solution.statistics.steps,
    position: Math.abs(q[1]! - small * Math.cos(100)) / small,
    velocity: Math.abs(v[1]! + 10 * small * Math.sin(100)) / (10 * small),
    large: Math.abs(q[0]! - Math.cos(10)),
  };
}

const LOOSE = { positions: 1e-4, velocities: 1e-4 };

describe("absolute tolerances of equations", () => {
  test("a tolerance of one coordinate limits its error although that of all would not", () => {
    const blind = errorsOf({ relative: 0, absolute: LOOSE });
    expect(blind.position).toBeGreaterThan(0.1);
    for (const own of [
      { small: 1e-12 },
      { small: { positions: 1e-12, velocities: 1e-11 } },
      { small: { positions: 1e-12 } },
    ]) {
      const bound = errorsOf({ relative: 0, absolute: { ...LOOSE, ...own } });
      expect(bound.position).toBeLessThan(1e-3);
      expect(bound.velocity).toBeLessThan(1e-3);
      expect(bound.steps).toBeGreaterThan(2 * blind.steps);
    }
  });

  test("a tolerance of one coordinate leaves the others unchanged", () => {
    const tight = errorsOf({ relative: 0, absolute: { ...LOOSE, large: 1e-10 } }, dop853());
    const both = errorsOf({ relative: 0, absolute: 1e-10 }, dop853());
    expect(tight.large).toBeLessThan(1e-8);
    expect(tight.steps).toBeLessThanOrEqual(both.steps);
    // The tolerance of the small coordinate changes nothing else.
    const blind = errorsOf({ relative: 0, absolute: { ...LOOSE, large: 1e-4 } });
    expect(blind).toEqual(errorsOf({ relative: 0, absolute: LOOSE }));
  });

  test("absolute tolerances default to the relative one", () => {
    const partial = errorsOf({ relative: 1e-5, absolute: { small: 1e-9 } });
    const both = { positions: 1e-5, velocities: 1e-5 };
    expect(partial).toEqual(errorsOf({ relative: 1e-5, absolute: { ...both, small: 1e-9 } }));
    expect(errorsOf(1e-6)).toEqual(
      errorsOf({ relative: 1e-6, absolute: { large: 1e-6, small: 1e-6 } }),
    );
  });

  test("bind implicit methods too", () => {
    const absolute = { ...LOOSE, small: 1e-12 };
    expect(errorsOf({ relative: 0, absolute: LOOSE }, radau5()).position).toBeGreaterThan(0.01);
    expect(errorsOf({ relative: 0, absolute }, radau5()).position).toBeLessThan(1e-3);
  });
});

test("unknowns of plain differential equations have their own", () => {
  // y2 follows y1 at 1e-9 of its size.
  const decay = ode({
    names: ["y1", "y2"],
    rate: (_t, y, out) => {
      out[0] = -y[0]!;
      out[1] = 1e-9 * y[0]! - 3 * y[1]!;
    },
    y: [1, 0],
  });
  const exact = (1e-9 / 2) * (Math.exp(-2) - Math.exp(-6));
  const off = (tolerance: Tolerance) => {
    const { y } = solve(decay, { span: [0, 2], tolerance, integrator: dp5() }).end;
    return Math.abs(y[1]! / exact - 1);
  };
  expect(off({ relative: 0, absolute: { positions: 1e-3, velocities: 1 } })).toBeGreaterThan(1e-4);
  const tight = { positions: 1e-3, velocities: 1, y2: 1e-16 + 1e-15 };
  expect(off({ relative: 0, absolute: tight })).toBeLessThan(1e-5);
});

describe("absolute tolerances of mechanisms", () => {
  /** Two bodies that do not touch: one falls, the other spins freely about all axes. */
  async function scene() {
    const m = model({ gravity: [0, 0, -9.81] });
    m.body({ name: "stone", mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0] });
    m.body({ name: "top", mass: 1, inertia: [1, 2, 2.8], angularVelocity: [1, 6, 0.1] });
    return compile(m);
  }

  /** Energy of the top is lost by errors of its angular velocity. */
  async function spun(absolute: NonNullable<Exclude<Tolerance, number>["absolute"]>) {
    const solution = solve(await scene(), {
      span: [0, 5],
      tolerance: { relative: 0, absolute },
      integrator: dp5(),
      // Otherwise found from all coordinates, in units of what they may be wrong by.
      firstStep: 1e-3,
    });
    return { error: solution.statistics.energyError!, steps: solution.statistics.steps };
  }

  const loose = { positions: 1e-2, velocities: 1e-2 };

  test("tolerances by kind, body, both and coordinate limit the errors", async () => {
    const free = await spun(loose);
    for (const own of [
      { angularVelocities: 1e-8 },
      { top: 1e-8 },
      { top: { angularVelocities: 1e-8 } },
      { "top w1": 1e-8, "top w2": 1e-8, "top w3": 1e-8 },
    ]) {
      const bound = await spun({ ...loose, ...own });
      expect(bound.steps).toBeGreaterThan(2 * free.steps);
      expect(bound.error).toBeLessThan(free.error / 100);
    }
    // The stone falls on a parabola, which all methods know.
    expect(await spun({ ...loose, stone: 1e-8 })).toEqual(free);
  });

  test("the nearer one wins: coordinate, body, kind", async () => {
    const free = await spun(loose);
    const kind = { ...loose, angularVelocities: 1e-8, angles: 1e-8 };
    expect(await spun({ ...kind, top: 1e-2 })).toEqual(free);
    expect(await spun({ ...kind, top: 1e-2, "top w1": 1e-8 })).not.toEqual(free);
  });

  test("angles are radians: half of it in Euler parameters", async () => {
    const names = ["e0", "e1", "e2", "e3"].map((part) => [`top ${part}`, 5e-6] as const);
    const byParts = await spun({ ...loose, ...Object.fromEntries(names) });
    expect(await spun({ ...loose, top: { angles: 1e-5 } })).toEqual(byParts);
  });

  test("names and kinds that are not known are rejected, with what is meant", async () => {
    const system = await scene();
    const wrong = (absolute: object) => () =>
      solve(system, { span: [0, 1], tolerance: { relative: 1e-6, absolute: absolute as never } });
    expect(wrong({ topp: 1e-8 })).toThrow('named "topp": did you mean top?');
    expect(wrong({ "top wx": 1e-8 })).toThrow("did you mean top");
    expect(wrong({ angularVelocity: 1e-8 })).toThrow("did you mean angularVelocities?");
    expect(wrong({ top: { angle: 1e-8 } })).toThrow('"top" has no angle: did you mean angles?');
    expect(wrong({ "top w1": { angles: 1 } })).toThrow(
      '"top w1" has no angles: there are velocities',
    );
    expect(wrong({ top: 0 })).toThrow("tolerance.absolute.top is 0; give a number from 1e-15 on");
    expect(wrong({ top: { angles: Number.NaN } })).toThrow("tolerance.absolute.top.angles is NaN");
    expect(wrong({ top: "tight" })).toThrow('tolerance.absolute.top is "tight"');
    const plain = () =>
      solve(pair, {
        span: [0, 1],
        q: [1, 1],
        tolerance: { relative: 1e-6, absolute: { angles: 1 } },
      });
    expect(plain).toThrow('named "angles": there are large, small, positions, velocities');
  });
});
