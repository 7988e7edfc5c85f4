// Rows of equations that switch on and off, against closed forms.

import {
  baumgarte,
  coupledMethods,
  equations,
  euler,
  lagrange,
  NodriftError,
  rk4,
  simulate,
} from "nodrift";
import { withTracking } from "nodrift/analysis";
import { compile, model } from "nodrift/bodies";
import { equations as formulas } from "nodrift/formulas";
import {
  directFormulations,
  directMethods,
  dp5,
  type EventRecord,
  parseMethod,
  radau5,
  realtime,
  solve,
  start,
  stateSpace,
} from "nodrift/solve";
import { describe, expect, test } from "vitest";

const G = 9.81;
const MASS = 2;
const bob = {
  name: "bob",
  coordinates: ["x", "y"],
  mass: [MASS, MASS],
  forces: () => [0, -G * MASS],
  potential: ([, y]: Float64Array) => MASS * G * y!,
} as const;
const length = ([x, y]: Float64Array) => x! * x! + y! * y! - 1;

/** A bob on a rope of unit length, which does not push. */
const rope = equations({
  ...bob,
  holonomic: { rows: ["rope"], value: (q) => [length(q)] },
  when: { rope: { begin: length, end: (_q, _v, _t, [lambda]) => lambda! } },
});

/** The rope given by formulas; the multiplier of a bob on a circle, -m (v^2 - g y) / 2, is one of them. */
const ropeFormulas = (options = {}) =>
  formulas(
    {
      coordinates: ["x", "y"],
      parameters: { m: MASS, g: G, L: 1 },
      kinetic: "m/2*(x'^2 + y'^2)",
      potential: "m*g*y",
      holonomic: { rope: "x^2 + y^2 - L^2" },
      when: { rope: { begin: "x^2 + y^2 - L^2", end: "g*y - x'^2 - y'^2" } },
    },
    options,
  );

const summary = (solution: {
  readonly events: readonly Pick<EventRecord, "name" | "direction">[];
}) => solution.events.map(({ name, direction }) => `${name} ${direction}`);

describe("a bob that falls into its rope", () => {
  const t = Math.sqrt(1.6 / G);
  const speed = 0.8 * G * t;

  test("loses the velocity along the rope by an impulse, and the energy of it", () => {
    const solution = solve(rope, { span: [0, 0.6], q: [0.6, 0], tolerance: 1e-10 });
    const { status, events, statistics, notes, end } = solution;
    expect(status).toBe("finished");
    expect(summary(solution)).toEqual(["rope rising"]);
    const { time, impulses, before, after, mode } = events[0]!;
    expect(time).toBeCloseTo(t, 11);
    expect(mode).toBe("start");
    expect(impulses).toEqual({ rope: expect.closeTo((-MASS * speed) / 2, 9) });
    expect([...after.q]).toEqual([expect.closeTo(0.6, 12), expect.closeTo(-0.8, 12)]);
    expect(after.v[0]).toBeCloseTo(-speed * 0.6, 9);
    expect(after.v[1]).toBeCloseTo(-G * t + speed * 0.8, 9);
    const lost = before.energy().total - after.energy().total;
    expect(lost).toBeCloseTo((MASS * speed * speed) / 2, 8);
    // The loss is no error of the method: energies are compared between events.
    expect(statistics.energyError).toBeLessThan(1e-8);
    expect(statistics.maximumDrift.position).toBeLessThan(1e-10);
    expect(notes).toEqual([]);
    expect([before.acts("rope"), after.acts("rope"), end.acts("rope")]).toEqual([
      false,
      true,
      true,
    ]);
    expect([...before.multipliers()]).toEqual([0]);
    expect(solution.at(0.9 * t).multipliers()[0]).toBe(0);
    const [vx, vy] = end.v as Float64Array & [number, number];
    expect(end.multipliers()[0]).toBeCloseTo((-MASS * (vx * vx + vy * vy - G * end.q[1]!)) / 2, 8);
  });

  test("moves likewise by formulas, compiled or interpreted", () => {
    const options = { span: [0, 3], q: [0.6, 0], tolerance: 1e-10 } as const;
    const byFunctions = solve(rope, options);
    const compiled = solve(ropeFormulas(), options);
    const interpreted = solve(ropeFormulas({ interpret: true }), options);
    expect(summary(compiled)).toEqual(summary(byFunctions));
    expect([...interpreted.end.q, ...interpreted.end.v]).toEqual([
      ...compiled.end.q,
      ...compiled.end.v,
    ]);
    const near = Array.from(byFunctions.end.q, (x) => expect.closeTo(x, 7));
    expect([...compiled.end.q]).toEqual(near);
    expect(compiled.events[0]!.impulses.rope).toBeCloseTo((-MASS * speed) / 2, 9);
    expect(compiled.end.multipliers()[0]).toBeCloseTo(byFunctions.end.multipliers()[0]!, 5);
  });

  test("feels parameters of the condition that are set, also of copies", () => {
    const system = ropeFormulas();
    const longer = system.with({ L: 1.25 });
    const time = (each: typeof system) =>
      solve(each, { span: [0, 0.6], q: [0.75, 0] }).events[0]!.time;
    expect(time(longer)).toBeCloseTo(Math.sqrt(2 / G), 6);
    system.parameters.L = 1.25;
    expect(time(system)).toBeCloseTo(Math.sqrt(2 / G), 6);
    expect(() => system.byParameters()).toThrow(
      /byParameters does not support rows with conditions/,
    );
  });
});

describe("a bob that is hit at the bottom of its circle", () => {
  // Tension is zero at the height y0 = (v0^2 / g - 2) / 3; the parabola of the flight osculates the circle there, and meets it again
  // where the angles of all four intersections have the sum 2 pi: at -3 times that of the release.
  const y0 = 0.5;
  const v0 = Math.sqrt(G * (2 + 3 * y0));
  const solution = solve(rope, { span: [0, 2], q: [0, -1], v: [v0, 0], tolerance: 1e-11 });

  test("leaves the circle where the rope would push, without a jump", () => {
    const [left] = solution.events;
    expect(summary(solution).slice(0, 2)).toEqual(["rope falling", "rope rising"]);
    expect(left!.before.q[1]).toBeCloseTo(y0, 8);
    expect([...left!.after.q, ...left!.after.v]).toEqual([...left!.before.q, ...left!.before.v]);
    expect(left!.impulses).toEqual({});
  });

  test("comes back to the circle at minus three times the angle", () => {
    const angle = Math.asin(y0);
    const { before, impulses } = solution.events[1]!;
    expect(before.q[0]).toBeCloseTo(Math.cos(-3 * angle), 7);
    expect(before.q[1]).toBeCloseTo(Math.sin(-3 * angle), 7);
    const [x, y] = before.q as unknown as [number, number];
    const radial = before.v[0]! * x + before.v[1]! * y;
    expect(impulses.rope).toBeCloseTo((-MASS * radial) / 2, 7);
  });
});

describe("rows at the start", () => {
  const span = [0, 1e-3] as const;
  const begun = (q: number[], v: number[]) => {
    const solution = solve(rope, { span, q, v, output: "ends" });
    expect(solution.events).toEqual([]);
    return solution.state(0).acts("rope");
  };

  test("a one-sided row acts if it is taut and stays so", () => {
    expect(begun([0, -1], [0.5, 0])).toBe(true);
    expect(begun([1, 0], [0, 0])).toBe(true);
    expect(begun([0, -0.9], [0, 0])).toBe(false);
    expect(begun([0, -1], [0, 0.5])).toBe(false);
    // Above: gravity takes the bob away from the rope.
    expect(begun([0, 1], [0.5, 0])).toBe(false);
    expect(begun([0, 1], [5, 0])).toBe(true);
  });

  test("a start beyond the rope is assembled onto it", () => {
    const { end, notes } = solve(rope, { span: [0, 0], q: [0, -1.2], v: [1, 0] });
    expect(end.q[1]).toBeCloseTo(-1, 12);
    expect(notes.join()).toMatch(/moved to the nearest/);
  });

  test("a condition that is zero at the start acts if it grows", () => {
    const guided = (when: (q: Float64Array, v: Float64Array, t: number) => number) =>
      equations({
        ...bob,
        nonholonomic: { rows: ["guide"], value: (_q, [vx]) => [vx!] },
        when: { guide: when },
      });
    const vx = (when: Parameters<typeof guided>[0]) =>
      solve(guided(when), { span: [0, 1], q: [0, 0], v: [1, 0] }).end.v[0];
    expect(vx((_q, _v, t) => t)).toBe(0);
    expect(vx((_q, _v, t) => -t)).toBe(1);
    expect(vx(() => 0)).toBe(1);
    expect(vx(() => 3)).toBe(0);
    expect(vx(([, y]) => -y!)).toBe(0);
    expect(vx(([, y]) => y!)).toBe(1);
  });
});

test("a bead is caught by a rail with the balance of momentum", () => {
  // Rail y = c (x - 1), met at x = 1; p = -J v / (J M^-1 J^T), M dv = J^T p.
  const [c, m1, m2] = [0.7, 2, 5];
  const bead = equations({
    coordinates: ["x", "y"],
    mass: [m1, m2],
    forces: () => [0, 0],
    holonomic: { rows: ["rail"], value: ([x, y]) => [y! - c * (x! - 1)] },
    when: { rail: ([x]) => x! - 1 },
  });
  const solution = solve(bead, { span: [0, 3], q: [0, 0], v: [0.8, 0], tolerance: 1e-9 });
  const { before, after, impulses, time } = solution.events[0]!;
  const p = (0.8 * c) / ((c * c) / m1 + 1 / m2);
  expect(time).toBeCloseTo(1.25, 11);
  expect(impulses.rail).toBeCloseTo(p, 10);
  expect(m1 * (after.v[0]! - before.v[0]!)).toBeCloseTo(-c * p, 10);
  expect(m2 * (after.v[1]! - before.v[1]!)).toBeCloseTo(p, 10);
  expect(solution.end.q[1]).toBeCloseTo(c * (solution.end.q[0]! - 1), 10);
  expect(solution.end.q[0]).toBeCloseTo(1 + 1.75 * after.v[0]!, 9);
});

describe("a skate whose edge holds from t = 1 to t = 2", () => {
  const [omega, vx, vy, heading] = [0.9, 1.2, -0.4, 0.3];
  const angle = heading + omega;
  const speed = vx * Math.cos(angle) + vy * Math.sin(angle);
  const rowValue = ([, , a]: Float64Array, [x, y]: Float64Array) => [
    x! * Math.sin(a!) - y! * Math.cos(a!),
  ];
  const byFunctions = equations({
    coordinates: ["x", "y", "a"],
    mass: [3, 3, 1],
    forces: () => [0, 0, 0],
    nonholonomic: { rows: ["edge"], value: rowValue },
    when: { edge: (_q, _v, t) => (t - 1) * (2 - t) },
  });
  const byFormulas = formulas({
    coordinates: ["x", "y", "a"],
    mass: [3, 3, 1],
    nonholonomic: { edge: "x'*sin(a) - y'*cos(a)" },
    when: { edge: "(t - 1)*(2 - t)" },
  });
  const options = {
    span: [0, 3],
    q: [0, 0, heading],
    v: [vx, vy, omega],
    tolerance: 1e-10,
  } as const;

  test.each([
    ["functions", () => solve(byFunctions, options)],
    ["formulas", () => solve(byFormulas, options)],
  ])("follows lines and an arc, by %s", (_, run) => {
    const solution = run();
    expect(summary(solution)).toEqual(["edge rising", "edge falling"]);
    const [on, off] = solution.events;
    expect([on!.time, off!.time]).toEqual([expect.closeTo(1, 11), expect.closeTo(2, 11)]);
    const across = vx * Math.sin(angle) - vy * Math.cos(angle);
    expect(on!.impulses.edge).toBeCloseTo(-3 * across, 9);
    const end = angle + omega;
    const x = vx + (speed / omega) * (Math.sin(end) - Math.sin(angle)) + speed * Math.cos(end);
    const y = vy - (speed / omega) * (Math.cos(end) - Math.cos(angle)) + speed * Math.sin(end);
    expect(solution.end.q[0]).toBeCloseTo(x, 8);
    expect(solution.end.q[1]).toBeCloseTo(y, 8);
    expect(off!.impulses).toEqual({});
    const force = (at: number) => solution.at(at).multipliers()[0]!;
    expect([force(0.5), force(2.5)]).toEqual([0, 0]);
    // The edge carries m v omega.
    expect(Math.abs(force(1.5))).toBeCloseTo(3 * speed * omega, 7);
  });
});

test("a block slips where the force of sticking exceeds friction, and sticks where it comes to rest", () => {
  const [pull, slide] = [1.2, 0.8];
  const block = equations({
    coordinates: ["x"],
    mass: [1],
    forces: (_q, [v], out, t) => {
      out[0] = pull * Math.sin(t) - (v! > 0 ? slide : 0);
    },
    nonholonomic: {
      rows: ["stick"],
      value: (_q, [v]) => [v!],
      jacobian: () => [1],
      gamma: () => [0],
    },
    when: {
      stick: {
        begin: (_q, [v]) => -v!,
        end: (_q, _v, _t, [force]) => Math.abs(force!) - 1,
      },
    },
  });
  const slips = Math.asin(1 / pull);
  const velocity = (t: number) => pull * (Math.cos(slips) - Math.cos(t)) - slide * (t - slips);
  let [low, high] = [3, 3.6];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (velocity(middle) > 0) low = middle;
    else high = middle;
  }
  const solution = solve(block, { span: [0, 4], q: [0], tolerance: 1e-10 });
  expect(solution.status, solution.reason).toBe("finished");
  expect(summary(solution)).toEqual(["stick falling", "stick rising"]);
  const [off, on] = solution.events;
  expect(off!.time).toBeCloseTo(slips, 9);
  expect(on!.time).toBeCloseTo(low, 7);
  expect(solution.end.v[0]).toBe(0);
  expect(solution.end.multipliers()[0]).toBeCloseTo(-pull * Math.sin(4), 10);
});

describe("several rows", () => {
  const corner = (conditions: Record<string, (q: Float64Array) => number>) =>
    equations({
      coordinates: ["x", "y"],
      mass: [
        [2, 0.5],
        [0.5, 1],
      ],
      forces: () => [0, 0],
      holonomic: { rows: ["right", "top"], value: ([x, y]) => [x! - 1, y! - 1] },
      when: conditions,
    });

  test("begin at the same time, each with its impulse", () => {
    const both = corner({ right: ([x]) => x! - 1, top: ([, y]) => y! - 1 });
    const solution = solve(both, { span: [0, 2], q: [0, 0], v: [1, 1] });
    expect(summary(solution)).toEqual(["right rising", "top rising"]);
    const [one, other] = solution.events;
    expect(one!.time).toBe(other!.time);
    expect(one!.impulses).toEqual(other!.impulses);
    expect(one!.impulses.right).toBeCloseTo(-2.5, 10);
    expect(one!.impulses.top).toBeCloseTo(-1.5, 10);
    expect(Math.hypot(...solution.end.v)).toBeLessThan(1e-14);
  });

  test("dependent rows have impulses of minimum norm", () => {
    const twice = equations({
      ...bob,
      forces: () => [0, 0],
      holonomic: { rows: ["one", "same"], value: ([x]) => [x!, 2 * x!] },
      when: { one: (_q, _v, t) => t - 0.5, same: (_q, _v, t) => t - 1 },
    });
    const solution = solve(twice, { span: [0, 2], q: [-0.5, 0], v: [1, 1] });
    expect(solution.status, solution.reason).toBe("finished");
    expect(solution.events[0]!.impulses.one).toBeCloseTo(-MASS, 10);
    expect(solution.events[1]!.impulses).toEqual({});
    expect([...solution.end.q]).toEqual([expect.closeTo(0, 12), expect.closeTo(2, 10)]);
  });

  test("contradicting rows end the run with a name", () => {
    const torn = equations({
      ...bob,
      nonholonomic: { rows: ["still", "moving"], value: (_q, [vx]) => [vx!, vx! - 1] },
      when: { still: (_q, _v, t) => t - 0.5, moving: (_q, _v, t) => t - 1 },
    });
    const { status, reason, end } = solve(torn, { span: [0, 2], q: [0, 0], v: [1, 0] });
    expect(status).toBe("failed");
    expect(end.time).toBeCloseTo(1, 10);
    expect(reason).toMatch(/"still"|"moving"/);
  });
});

describe("a row that holds its own condition at zero", () => {
  const held = equations({
    ...bob,
    holonomic: { rows: ["rope"], value: (q) => [length(q)] },
    when: { rope: length },
  });
  const options = { span: [0, 5], q: [0.6, 0] } as const;
  const expected = solve(held, { ...options, tolerance: 1e-11 });
  const integrator = dp5();
  const methods: { name: string; options: Parameters<typeof solve>[1] }[] = [
    { name: "the usual one", options: { ...options, tolerance: 1e-4 } },
    {
      name: "no stabilisation",
      options: { ...options, method: { formulation: lagrange(), integrator } },
    },
    {
      name: "baumgarte",
      options: {
        ...options,
        method: { formulation: lagrange(), stabilisation: baumgarte(), integrator },
      },
    },
    { name: "rk4 in steps", options: { ...options, step: 0.01, integrator: rk4() } },
    { name: "euler in steps", options: { ...options, step: 0.01, integrator: euler() } },
    ...[stateSpace(), ...directFormulations].map((formulation) => ({
      name: formulation.name,
      options: { ...options, method: { formulation, integrator: radau5() } },
    })),
    ...[...coupledMethods, ...directMethods].map((coupled) => ({
      name: coupled.name,
      options: { ...options, method: { coupled }, step: 0.01 },
    })),
  ];

  test("a satisfied row stays active", () => {
    expect(expected.status, expected.reason).toBe("finished");
    expect(summary(expected)).toEqual(["rope rising"]);
    const { after } = expected.events[0]!;
    const total = after.energy().total;
    expect(Math.abs(expected.end.energy().total - total)).toBeLessThan(1e-7 * Math.abs(total));
    expect(expected.notes).toEqual([]);
  });

  test.each(methods)("a satisfied row stays active by $name", ({ name, options: chosen }) => {
    const solution = solve(held, chosen);
    expect(solution.status, solution.reason).toBe("finished");
    expect(summary(solution)).toEqual(["rope rising"]);
    // By steps of one length and low order, errors are those of the method.
    const near = /euler|hong|welch|staggered|Alpha|Hughes/.test(name) ? 1 : 1e-2;
    expect(Math.abs(solution.end.q[0]! - expected.end.q[0]!)).toBeLessThan(near);
  });

  test("ends if the condition falls later", () => {
    const timed = equations({
      ...bob,
      holonomic: { rows: ["rope"], value: (q) => [length(q)] },
      when: { rope: (q, _v, t) => length(q) - 5 * Math.max(0, t - 1) ** 2 },
    });
    const solution = solve(timed, { ...options, span: [0, 1.2] });
    expect(summary(solution).slice(0, 2)).toEqual(["rope rising", "rope falling"]);
    expect(solution.events[1]!.time).toBeGreaterThan(1);
    expect(solution.events[1]!.time).toBeLessThan(1.02);
  });
});

test("walls move a block as rigid stops of a mechanism do, event by event", async () => {
  const m = model({ gravity: [0, 0, 0] });
  const body = m.body({ name: "block", mass: 2, inertia: [1, 1, 1] });
  const slide = m.prismatic({
    name: "slide",
    between: [m.ground, body],
    at: [0, 0, 0],
    axis: [1, 0, 0],
  });
  m.spring({
    between: [m.ground, body],
    atA: [-1, 0, 0],
    atB: [0, 0, 0],
    stiffness: 4,
    length: 1,
    force: (_length, _rate, t) => 3 * Math.sin(2.3 * t),
  });
  m.stop({ name: "stop", joint: slide, lower: -0.25, upper: 0.3, restitution: 0 });
  const block = equations({
    coordinates: ["x"],
    mass: [2],
    forces: ([x], _v, out, t) => {
      out[0] = 3 * Math.sin(2.3 * t) - 4 * x!;
    },
    holonomic: { rows: ["upper", "lower"], value: ([x]) => [x! - 0.3, x! + 0.25] },
    when: {
      upper: { begin: ([x]) => x! - 0.3, end: (_q, _v, _t, [push]) => push! },
      lower: { begin: ([x]) => -0.25 - x!, end: (_q, _v, _t, [, push]) => -push! },
    },
  });
  const rigid = solve(await compile(m), { span: [0, 9], tolerance: 1e-10 });
  const rows = solve(block, { span: [0, 9], q: [0], tolerance: 1e-10 });
  expect(rows.status, rows.reason).toBe("finished");
  const named = rigid.events.map(({ name }) =>
    name.replace("stop: ", "").replace(/^(\w+) is left$/, "$1 falling"),
  );
  expect(named.map((name) => (name.includes(" ") ? name : `${name} rising`))).toEqual(
    summary(rows),
  );
  expect(rows.events.length).toBeGreaterThan(10);
  for (const [i, { time, impulses }] of rows.events.entries()) {
    expect(time).toBeCloseTo(rigid.events[i]!.time, 8);
    const [side] = Object.keys(impulses);
    if (side) expect(impulses[side]).toBeCloseTo(rigid.events[i]!.impulses[`stop: ${side}`]!, 7);
  }
  expect(rows.end.q[0]).toBeCloseTo(rigid.end.joint("slide").displacement!, 8);
});

describe("a brake of a pendulum that is released", () => {
  const braked = equations({
    ...bob,
    holonomic: { rows: ["arm"], value: (q) => [length(q)] },
    nonholonomic: { rows: ["brake"], value: (_q, [vx]) => [vx! - 0.1] },
    when: { brake: (_q, _v, t) => 0.5 - t },
  });
  const start = { span: [0, 1], q: [0.6, -0.8] } as const;

  test("leaves the state as it is, with what the arm had drifted", () => {
    const method = { formulation: lagrange(), integrator: dp5() };
    const { events } = solve(braked, { ...start, method, tolerance: 1e-4 });
    const { before, after, impulses } = events[0]!;
    expect(before.constraintError().position).toBeGreaterThan(1e-12);
    expect([...after.q, ...after.v]).toEqual([...before.q, ...before.v]);
    expect(impulses).toEqual({});
  });

  test("keeps the energy from then on, and says so", () => {
    const { statistics, end, events } = solve(braked, { ...start, tolerance: 1e-9 });
    const released = events[0]!.after.energy().total;
    expect(Math.abs(end.energy().total - released)).toBeLessThan(1e-7);
    // No function of the arm takes t: nothing but errors changes the energy.
    expect(statistics.energyError).toBeDefined();
  });
});

describe("rows of all kinds", () => {
  const free = { ...bob, forces: () => [0, 0] };

  test("a row that depends on time takes velocities to its own", () => {
    const driven = equations({
      ...free,
      holonomic: { rows: ["drive"], value: ([x], _out, t) => [x! - 0.3 * t * t] },
      when: { drive: (_q, _v, t) => t - 1 },
    });
    const { events, end } = solve(driven, { span: [0, 2], q: [-0.2, 0], v: [0.5, 1] });
    expect(events[0]!.impulses.drive).toBeCloseTo(0.1 * MASS, 9);
    expect([...end.q, ...end.v]).toEqual([1.2, 2, 1.2, 1].map((x) => expect.closeTo(x, 9)));
    expect(end.multipliers()[0]).toBeCloseTo(0.6 * MASS, 9);
  });

  test("a row that is not linear in the velocities is met by iteration", () => {
    const paced = equations({
      ...free,
      nonholonomic: { rows: ["pace"], value: (_q, [x, y]) => [x! * x! + y! * y! - 4] },
      when: { pace: (_q, _v, t) => t - 1 },
    });
    const { status, reason, end } = solve(paced, { span: [0, 2], q: [0, 0], v: [0.6, 0.8] });
    expect(status, reason).toBe("finished");
    expect([...end.q, ...end.v]).toEqual([1.8, 2.4, 1.2, 1.6].map((x) => expect.closeTo(x, 9)));
  });

  test("rows by a range have conditions by a range", () => {
    const brakes = formulas({
      coordinates: ["q[1..3]"],
      mass: [1, 1, 1],
      nonholonomic: { "brake[i=1..3]": "q[i]'" },
      when: { "brake[i=1..3]": "t - i/10" },
    });
    const { events, end } = solve(brakes, { span: [0, 1], q: [0, 0, 0], v: [1, 2, 3] });
    expect(events.map(({ name, impulses }) => [name, impulses[name]])).toEqual([
      ["brake[1]", expect.closeTo(-1, 12)],
      ["brake[2]", expect.closeTo(-2, 12)],
      ["brake[3]", expect.closeTo(-3, 12)],
    ]);
    expect([...end.q]).toEqual([0.1, 0.4, 0.9].map((x) => expect.closeTo(x, 10)));
  });

  test("more rows than coordinates may switch, if not all of them act", () => {
    const many = equations({
      ...free,
      holonomic: { rows: ["a", "b", "c"], value: ([x, y]) => [x! - 1, y!, x! + y! - 1] },
      when: {
        a: (_q, _v, t) => (t - 0.5) * (0.7 - t),
        b: (_q, _v, t) => (t - 1) * (1.5 - t),
        c: (_q, _v, t) => t - 9,
      },
    });
    for (const method of ["radau5", "dop853"]) {
      const { status, reason, end } = solve(many, {
        span: [0, 2],
        q: [0.5, 0],
        v: [1, 0],
        method: parseMethod(method),
      });
      expect(status, reason).toBe("finished");
      expect([...end.q, ...end.v]).toEqual([1, 0, 0, 0].map((x) => expect.closeTo(x, 9)));
    }
  });

  test("friction of a floor that is met sees the multipliers of all rows, and functions may leave zeros out", () => {
    const friction = 0.3;
    const floor = equations({
      ...bob,
      holonomic: {
        rows: ["floor", "wall"],
        value: ([x, y], out) => {
          out[0] = y!;
          out[1] = x! - 5;
        },
        jacobian: (_q, out) => {
          out[1] = 1;
          out[2] = 1;
        },
        gamma: (_q, _v, out) => {
          out[1] = 0;
        },
      },
      nonIdeal: {
        force: (_q, _v, [normal], out) => {
          out[0] = -friction * normal!;
          out[1] = 0;
        },
      },
      when: {
        floor: { begin: ([, y]) => -y!, end: (_q, _v, _t, [normal]) => -normal! },
        wall: ([x]) => x! - 5,
      },
    });
    const solution = solve(floor, { span: [0, 0.5], q: [0, 0.5], v: [3, 0], tolerance: 1e-9 });
    const fall = Math.sqrt(1 / G);
    expect(summary(solution)).toEqual(["floor rising"]);
    expect(solution.events[0]!.impulses).toEqual({ floor: expect.closeTo(MASS * G * fall, 8) });
    expect(solution.end.v[0]).toBeCloseTo(3 - friction * G * (0.5 - fall), 8);
    expect([...solution.end.multipliers()]).toEqual([expect.closeTo(MASS * G, 8), 0]);
  });

  test("conditions of a description with tracked coordinates see its own multipliers", () => {
    const stick = (_q: unknown, [v]: Float64Array) => [v!];
    const block = withTracking(
      {
        coordinates: ["x", "z"],
        mass: [1, 1],
        forces: (_q, _v, out, t) => {
          out[0] = 1.2 * Math.sin(t);
          out[1] = -50;
        },
        nonholonomic: { rows: ["stick"], value: stick },
        when: {
          stick: {
            begin: (_q, _v, t) => 0.5 - t,
            end: (_q, _v, _t, [force]) => Math.abs(force!) - 1,
          },
        },
      },
      [
        {
          name: "lift",
          follows: "z",
          reference: Math.sin,
          rate: Math.cos,
          acceleration: (t) => -Math.sin(t),
        },
      ],
    );
    const { events } = solve(equations(block), { span: [0, 2], q: [0, 0], v: [0, 1] });
    expect(events[0]).toMatchObject({ name: "stick", direction: "falling" });
    expect(events[0]!.time).toBeCloseTo(Math.asin(1 / 1.2), 6);
  });

  test("a condition may be a jump", () => {
    const gate = equations({
      ...free,
      nonholonomic: { rows: ["gate"], value: (_q, [vx]) => [vx!] },
      when: { gate: (_q, _v, t) => (t > 0.7 && t < 1.3 ? 1 : -1) },
    });
    const { events, end } = solve(gate, { span: [0, 2], q: [0, 0], v: [1, 0] });
    expect(events.map(({ time }) => time)).toEqual([0.7, 1.3].map((t) => expect.closeTo(t, 9)));
    expect(end.q[0]).toBeCloseTo(0.7, 9);
  });

  test("a method that takes no rows of a kind is rejected before they begin", () => {
    const late = equations({
      ...free,
      nonholonomic: { rows: ["edge"], value: (_q, [vx]) => [vx!] },
      when: { edge: (_q, _v, t) => t - 1 },
    });
    const method = { formulation: stateSpace(), integrator: radau5() };
    expect(() => solve(late, { span: [0, 2], q: [0, 0], method })).toThrow(
      /stateSpace takes constraints on positions only/,
    );
  });
});

describe("a row that cannot act", () => {
  test("a row that is far open is named, with the time and the gap", () => {
    const late = equations({
      ...bob,
      forces: () => [0, 0],
      holonomic: { rows: ["rail"], value: ([, y]) => [2 * (y! - 0.25)] },
      when: { rail: (_q, _v, t) => t - 0.5 },
    });
    const { status, reason, cause, end } = solve(late, { span: [0, 2], q: [0, 0], v: [1, 0] });
    expect(status).toBe("failed");
    expect(end.time).toBeCloseTo(0.5, 10);
    expect(reason).toMatch(/row "rail" becomes active at t = 0\.5\d*, where it is open by 0\.500/);
    expect(reason).toMatch(/"y" by 0\.250, more than 1000 tolerances/);
    expect(cause).toBeInstanceOf(NodriftError);
  });

  test("a row that is slightly open is closed", () => {
    const near = equations({
      ...bob,
      forces: () => [0, 0],
      holonomic: { rows: ["rail"], value: ([, y]) => [y! - 1e-4] },
      when: { rail: (_q, _v, t) => t - 0.5 },
    });
    const { status, end } = solve(near, { span: [0, 2], q: [0, 0], v: [1, 0] });
    expect(status).toBe("finished");
    expect(end.q[1]).toBeCloseTo(1e-4, 12);
  });

  test("a row that ends as soon as it begins does both at the same time", () => {
    const kick = equations({
      coordinates: ["x"],
      mass: [1],
      forces: () => [1],
      nonholonomic: { rows: ["kick"], value: (_q, [v]) => [v! + 1] },
      when: { kick: (_q, [v]) => v! },
    });
    const solution = solve(kick, { span: [0, 2.5], q: [0], v: [-1] });
    expect(summary(solution)).toEqual(Array(2).fill(["kick rising", "kick falling"]).flat());
    expect(solution.events.map(({ time }) => time)).toEqual(
      [1, 1, 2, 2].map((time) => expect.closeTo(time, 9)),
    );
    expect(solution.end.v[0]).toBeCloseTo(-0.5, 9);
  });

  test("a row that reverses its own condition ends as soon as it begins", () => {
    const wall = equations({
      coordinates: ["x"],
      mass: [1],
      forces: () => [0],
      nonholonomic: { rows: ["wall"], value: (_q, [v]) => [v! + 0.5] },
      when: { wall: ([x]) => x! },
    });
    const solution = solve(wall, { span: [0, 3], q: [-1], v: [1] });
    expect(solution.status, solution.reason).toBe("finished");
    expect(summary(solution)).toEqual(["wall rising", "wall falling"]);
    expect(solution.events[1]!.time).toBeCloseTo(1, 9);
    expect(solution.end.q[0]).toBeCloseTo(-1, 8);
  });

  test("a row that switches without end ends the run with its name", () => {
    const restless = equations({
      ...bob,
      nonholonomic: { rows: ["restless"], value: (_q, [v]) => [v!] },
      when: { restless: { begin: () => 1, end: () => 1 } },
    });
    const { status, reason } = solve(restless, { span: [0, 1], q: [0, 0] });
    expect(status).toBe("eventStorm");
    expect(reason).toMatch(
      /row "restless" switched on and off 20 times .* before t = 0\. .*\{ begin, end \}/,
    );
  });
});

describe("runs", () => {
  const options = { span: [0, 3], q: [0.6, 0], tolerance: 1e-9 } as const;

  test("continue bitwise identically after they were saved, with any rows acting", () => {
    for (const system of [rope, ropeFormulas()]) {
      const begin = () => start(system, { ...options, output: "ends" });
      const run = begin();
      const saved = [run.save()];
      while (run.step()) saved.push(structuredClone(run.save()));
      const { q, v } = run.finish().end;
      expect(saved.length).toBeGreaterThan(10);
      for (const snapshot of saved) {
        const other = begin();
        other.restore(snapshot);
        const { end } = other.finish();
        expect([...end.q, ...end.v]).toEqual([...q, ...v]);
      }
    }
  });

  test("switch in fixed steps too", () => {
    const errors = [0.01, 0.005].map((step) => {
      const { end } = solve(rope, { ...options, span: [0, 0.7], step, integrator: rk4() });
      const exact = solve(rope, { ...options, span: [0, 0.7], tolerance: 1e-12 }).end;
      return Math.hypot(end.q[0]! - exact.q[0]!, end.q[1]! - exact.q[1]!);
    });
    expect(errors[1]).toBeLessThan(1e-8);
    expect(errors[0]! / errors[1]!).toBeGreaterThan(10);
  });

  test("know at each time which rows act", () => {
    const t = Math.sqrt(1.6 / G);
    const { events } = solve(rope, { ...options, span: [0, 1] });
    const left = events[1]?.time ?? 2;
    const seen: boolean[] = [];
    const rated = solve(rope, {
      ...options,
      span: [0, 1],
      output: { rate: 20 },
      each: (state) => seen.push(state.acts("rope")),
    });
    for (let i = 0; i < rated.length; i++) {
      const { time } = rated.state(i);
      const acts = time > t && time < left;
      expect([rated.state(i).acts("rope"), seen[i]]).toEqual([acts, acts]);
    }
    expect(() => rated.end.acts("string")).toThrow(/there is no row "string"; there are: rope/);
  });

  test("go on in real time", () => {
    const run = start(rope, { span: [0, 10], q: [0.6, 0] });
    const loop = realtime(run);
    for (let i = 0; i < 60; i++) loop.advance(1 / 60);
    expect(run.time).toBeGreaterThan(0.99);
    expect(run.state.acts("rope")).toBe(true);
  });

  test("begin where some coordinates are held", () => {
    const { q } = solve(rope, { span: [0, 0.1], q: [0.6, -0.9], hold: ["x"] }).state(0);
    expect([...q]).toEqual([0.6, expect.closeTo(-0.8, 12)]);
  });

  test("report the same states at times between, and with modes of their own rows", () => {
    const free = equations(bob);
    const solution = solve(rope, {
      ...options,
      modes: { free },
      events: [
        { name: "cut", when: ({ time }) => time - 0.6, action: ({ switchTo }) => switchTo("free") },
        {
          name: "tied",
          when: ({ time }) => time - 0.7,
          action: ({ switchTo }) => switchTo("start"),
        },
      ],
    });
    expect(solution.status, solution.reason).toBe("finished");
    expect(solution.events.map(({ name, mode }) => [name, mode]).slice(0, 3)).toEqual([
      ["rope", "start"],
      ["cut", "free"],
      ["tied", "start"],
    ]);
    // The bob has left the circle meanwhile: it is brought back, as by any switch to a mode.
    const [, cut, tied] = solution.events;
    expect(cut!.impulses).toEqual({});
    const isTaut = Math.hypot(...tied!.before.q) > 1;
    expect(tied!.after.acts("rope")).toBe(isTaut);
    if (isTaut) expect(Math.hypot(...tied!.after.q)).toBeCloseTo(1, 10);
  });

  test("change to an implicit method with rows that switch", () => {
    const damped = formulas({
      coordinates: ["x", "y", "z"],
      parameters: { k: 1e8, c: 1e5 },
      mass: [1, 1, 1],
      potential: `${G}*y + k/2*(z - x)^2`,
      dissipation: "c/2*(z' - x')^2",
      holonomic: { rope: "x^2 + y^2 - 1" },
      when: { rope: { begin: "x^2 + y^2 - 1", end: "z' - 100" } },
    });
    const stiff = solve(damped, { span: [0, 3], q: [0.6, 0, 0.6], tolerance: 1e-6 });
    expect(stiff.status, stiff.reason).toBe("finished");
    expect(stiff.method).toMatch(/, then stateSpace/);
    expect(summary(stiff)).toEqual(["rope rising"]);
    expect(stiff.events[0]!.time).toBeCloseTo(Math.sqrt(1.6 / G), 5);
    const rigid = solve(damped, {
      span: [0, 3],
      q: [0.6, 0, 0.6],
      tolerance: 1e-9,
      method: parseMethod("radau5"),
    });
    expect([...stiff.end.q]).toEqual(Array.from(rigid.end.q, (x) => expect.closeTo(x, 3)));
  });

  test("backwards and in simulate are rejected by the name of the row", () => {
    expect(() => solve(rope, { span: [1, 0], q: [0, -1] })).toThrow(
      /row "rope" switches on and off/,
    );
    expect(() => simulate(rope, { step: 0.01, q: [0, -1] })).toThrow(
      /simulate: row "rope" switches on and off by its `when`, which is for solve/,
    );
  });
});

describe("mistakes in `when`", () => {
  const given = (when: unknown) => () =>
    equations({
      ...bob,
      holonomic: { rows: ["rope"], value: (q) => [length(q)] },
      when: when as never,
    });
  const formula = (when: unknown) => () =>
    formulas({
      name: "bob",
      coordinates: ["x", "y"],
      mass: [1, 1],
      holonomic: { rope: "x^2 + y^2 - 1" },
      when: when as never,
    });

  test.each([
    [given({ rop: length }), /bob: when has "rop".*rope/],
    [given({ rope: 3 }), /bob: when\.rope.*3.*function/],
    [given({ rope: "x" }), /bob: when\.rope/],
    [given({ rope: { begin: length } }), /bob: when\.rope\.end/],
    [given({ rope: { begin: length, end: length, stop: length } }), /bob: when\.rope.*stop/],
    [given(length), /bob: when/],
    [given({ rope: async () => 1 }), /bob: when\.rope/],
    [formula({ rop: "x" }), /bob: when has "rop".*rope/],
    [formula({ rope: "z" }), /when\["rope"\].*z/],
    [formula({ rope: { begin: "x" } }), /when\["rope"\]\.end/],
    [formula({ rope: { begin: "x", ends: "x" } }), /when\["rope"\].*ends/],
    [formula({ rope: null }), /when\["rope"\]/],
    [formula("x"), /bob: when/],
  ])("descriptions are rejected by name: %#", (make, message) => {
    expect(make).toThrow(NodriftError);
    expect(make).toThrow(message);
  });

  test.each([
    [() => Number.NaN, /bob: when\["rope"\] gave NaN at t = 0; it must be a finite number/],
    [() => Number.POSITIVE_INFINITY, /gave Infinity at t = 0/],
    [() => undefined, /gave undefined at t = 0/],
    [() => [1, 2], /gave 1,2 at t = 0/],
    [() => "1", /gave 1 at t = 0/],
    [
      () => {
        throw new Error("no idea");
      },
      /bob: when\["rope"\] failed at t = 0: no idea/,
    ],
  ])("values at the start are rejected with the time: %#", (when, message) => {
    expect(() => solve(given({ rope: when })(), { span: [0, 1], q: [0, -0.5] })).toThrow(message);
  });

  test("values on the way end the run with the name and the time", () => {
    const late = given({ rope: (_q: unknown, _v: unknown, t: number) => (t > 0.1 ? NaN : -1) })();
    const { status, reason } = solve(late, { span: [0, 1], q: [0, -0.5] });
    expect(status).toBe("failed");
    expect(reason).toMatch(/bob: when\["rope"\] gave NaN at t = 0\.\d+/);
  });

  test("a condition that overwrites its arguments does not move the state", () => {
    const rude = given({
      rope: (q: Float64Array, v: Float64Array) => {
        q.fill(7);
        v.fill(7);
        return -1;
      },
    })();
    const { end } = solve(rude, { span: [0, 1], q: [0, 0], tolerance: 1e-9 });
    expect(end.q[1]).toBeCloseTo(-G / 2, 8);
  });
});
