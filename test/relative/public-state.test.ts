// The public state of a run in relative coordinates equals that of a run in maximal coordinates.

import { init } from "nodrift";
import { type BodyState, compile, type Model, model, rod } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import { apart, arm } from "../support/hidden-arms.js";

beforeAll(() => init());

const Y = [0, 1, 0] as const;

function twoRods(): Model {
  const m = model({ name: "arm" });
  arm(m, (list) => Object.fromEntries(list.map((each) => [each.name, m.body(each)])));
  return m;
}

function fourBar(): Model {
  const m = model({ name: "four-bar" });
  const pins = [
    [0, 0],
    [0.3, 0.9],
    [2, 1.5],
    [2.5, 0],
  ] as const;
  const bars = ["crank", "coupler", "rocker"].map((name, k) => {
    const [[x, z], [toX, toZ]] = [pins[k]!, pins[k + 1]!];
    return m.body({
      name,
      mass: 1 + k,
      shape: rod({ length: Math.hypot(toX - x, toZ - z), axis: [1, 0, 0] }),
      position: [(x + toX) / 2, 0, (z + toZ) / 2],
      orientation: { axis: Y, angle: -Math.atan2(toZ - z, toX - x) },
      ...(k === 0 && { angularVelocity: [0, 3, 0] as const }),
    });
  });
  const chain = [m.ground, ...bars, m.ground];
  for (const [k, [x, z]] of pins.entries()) {
    m.revolute({
      name: `pin ${k}`,
      between: [chain[k]!, chain[k + 1]!],
      at: [x, 0, z],
      axis: Y,
    });
  }
  return m;
}

const both = async (make: () => Model) =>
  [
    await compile(make(), { coordinates: "maximal" }),
    await compile(make(), { coordinates: "relative" }),
  ] as const;

describe.each([
  ["a tree", twoRods, 0],
  ["a loop", fourBar, 2],
])("public state of %s", (_, make, rows) => {
  test("starts and evaluates as the maximal system does", async () => {
    const [maximal, relative] = await both(make);
    expect(relative.system().constraints.rows).toBe(rows);
    const [one, other] = [maximal.simulate({ step: 1e-3 }), relative.simulate({ step: 1e-3 })];
    const { q, v } = other;
    expect(apart(q, one.q)).toBeLessThan(1e-14);
    expect(apart(v, one.v)).toBeLessThan(1e-13);
    other.advance(400);
    // Integration errors differ between the coordinates.
    expect(apart(q, one.advance(400).q)).toBeLessThan(1e-5);
    expect(apart(other.unwrappedAngles, one.unwrappedAngles)).toBeLessThan(1e-5);
    one.setState(q, v, {
      time: other.time,
      unwrappedAngles: other.unwrappedAngles,
      start: "asGiven",
    });
    const answers = ["accelerations", "multipliers", "phi", "phiDot", "constraintForces"] as const;
    for (const what of answers) expect(apart(other[what](), one[what]()), what).toBeLessThan(1e-9);
    expect(other.rank()).toBe(one.rank());
    expect(other.degreesOfFreedom()).toBe(one.degreesOfFreedom());
    expect(other.energy().total).toBeCloseTo(one.energy().total, 10);
    const joint = one.joints.at(-1)!;
    expect(apart(other.joint(joint).force(), one.joint(joint).force())).toBeLessThan(1e-9);
    expect(other.joint(joint).angle).toBeCloseTo(one.joint(joint).angle!, 12);
  });

  test("accepts given states: the nearest consistent one, with the given revolution and signs", async () => {
    const [maximal, relative] = await both(make);
    const [one, other] = [maximal.simulate({ step: 1e-3 }), relative.simulate({ step: 1e-3 })];
    const q = Float64Array.from(one.q);
    const v = Float64Array.from(one.v);
    for (let i = 10; i < 14; i++) q[i] = -q[i]!;
    q[0]! += 0.02;
    q[9]! -= 0.01;
    v[2]! += 0.4;
    const name = one.joints[1]!;
    const options = { time: 2, unwrappedAngles: { [name]: 4 * Math.PI } };
    one.setState(q, v, options);
    other.setState(q, v, options);
    expect(apart(other.q, one.q)).toBeLessThan(1e-12);
    expect(apart(other.v, one.v)).toBeLessThan(1e-11);
    expect(other.joint(name).angle).toBeCloseTo(one.joint(name).angle!, 11);
    expect(Math.abs(other.joint(name).angle!)).toBeGreaterThan(3 * Math.PI);
    const { positions } = other.correction;
    expect(apart(Object.values(positions), Object.values(one.correction.positions))).toBeLessThan(
      1e-12,
    );
    expect(() => other.setState(q, v, "asGiven")).toThrow("does not fit the joints at t = 2");
    expect(apart(other.q, one.q)).toBeLessThan(1e-12);
    const saved = other.save();
    const end = [...other.advance(50).q];
    other.restore(saved);
    expect([...other.advance(50).q]).toEqual(end);
  });

  test("meets the tolerance, with the same events and impulses", async () => {
    const [maximal, relative] = await both(make);
    const joint = maximal.data.joints[0]!.name;
    const start = maximal.simulate({ step: 1 }).joint(joint).angle!;
    const hit = {
      when: (state: BodyState) => Math.abs(state.joint(joint).angle! - start) - 0.4,
      action: ({ bounce }: { bounce(restitution: number): number }) => void bounce(0.7),
    };
    const options = { span: [0, 0.8], tolerance: 1e-9, events: [hit] } as const;
    const [one, other] = [solve(maximal, options), solve(relative, options)];
    expect(other.status).toBe("finished");
    expect(one.events.length).toBeGreaterThan(0);
    expect(other.events.length).toBe(one.events.length);
    const [wanted, found] = [one.events[0]!, other.events[0]!];
    expect(found.time).toBeCloseTo(wanted.time, 7);
    expect(Object.keys(found.impulses)).toEqual(Object.keys(wanted.impulses));
    expect(apart(Object.values(found.impulses), Object.values(wanted.impulses))).toBeLessThan(1e-5);
    expect(apart(other.end.q, one.end.q)).toBeLessThan(1e-6);
    expect(apart(other.at(0.789).v, one.at(0.789).v)).toBeLessThan(1e-5);
    expect(other.statistics.steps).toBeLessThan(1.3 * one.statistics.steps);
    expect(other.statistics.steps).toBeGreaterThan(0.7 * one.statistics.steps);
  });
});

test("a run starts at the state that was set, whatever earlier runs of the model did", async () => {
  const compiled = await compile(fourBar(), { coordinates: "relative" });
  const start = compiled.simulate({ step: 1e-3 });
  const own = { q: [...start.q], v: [...start.v] };
  const reversed = { q: own.q, v: own.v.map((x) => -x) };
  const later = start.advance(50);
  const moved = { q: [...later.q], v: [...later.v] };
  for (const state of [own, reversed, moved, own, own, moved, reversed]) {
    const fresh = await compile(fourBar(), { coordinates: "relative" });
    const [one, other] = [compiled, fresh].map((each) => {
      const simulation = each.simulate({ step: 1e-3 });
      simulation.setState(state.q, state.v, "asGiven");
      return simulation.advance(5);
    });
    expect([...one!.q, ...one!.v]).toEqual([...other!.q, ...other!.v]);
    expect(apart(one!.q, state.q)).toBeLessThan(0.1);
  }
});
