// States set by users, with their time and unwrapped angles.

import { equations, rk4, simulate, udwadiaKalaba } from "nodrift";
import { compile, model } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";

const Y = [0, 1, 0] as const;
const FULL_TURN = 2 * Math.PI;

/** A wheel that winds up a spring, whose torque grows with every turn. */
async function winding(coordinates: "auto" | "maximal" | "relative" = "auto") {
  const m = model({ name: "winding", gravity: [0, 0, 0] });
  const wheel = m.body({ name: "wheel", mass: 1, inertia: [1, 2, 1], angularVelocity: [0, 20, 0] });
  const joint = m.revolute({ name: "hinge", between: [m.ground, wheel], at: [0, 0, 0], axis: Y });
  m.torsionSpring({ joint, stiffness: 0.5 });
  return compile(m, { coordinates });
}

describe("setState", () => {
  // Angles found from Euler parameters are rounded; states that are the coordinates themselves keep their bits.
  test.each([
    ["maximal", 0],
    ["relative", 1e-12],
  ] as const)("continues like another simulation: %s coordinates", async (coordinates, near) => {
    const compiled = await winding(coordinates);
    const first = compiled.simulate({ step: 1e-3 }).advance(1500);
    expect(first.joint("hinge").angle).toBeGreaterThan(3 * FULL_TURN);
    const second = compiled.simulate({ step: 1e-3 });
    const { q, v, time, unwrappedAngles } = first;
    second.setState(q, v, { time, unwrappedAngles, start: "asGiven" });
    expect(second.time).toBe(1.5);
    const apart = () => second.joint("hinge").angle! - first.joint("hinge").angle!;
    expect(Math.abs(apart())).toBeLessThanOrEqual(near);
    first.advance(500);
    second.advance(500);
    expect(Math.abs(apart())).toBeLessThanOrEqual(20 * near);
    expect(Math.abs(second.v[4]! - first.v[4]!)).toBeLessThanOrEqual(20 * near);
    // Without unwrapped angles the motion differs.
    const other = compiled.simulate({ step: 1e-3 });
    other.setState(q, v, { time, start: "asGiven" });
    expect(Math.abs(other.joint("hinge").angle!)).toBeLessThan(FULL_TURN / 2);
  });

  test("accepts states of solutions", async () => {
    const compiled = await winding();
    const solution = solve(compiled, { span: [0, 3], tolerance: 1e-10 });
    const { q, v, time, unwrappedAngles } = solution.at(2);
    const simulation = compiled.simulate({ step: 1e-3 });
    simulation.setState(q, v, { time, unwrappedAngles });
    // w = w0 cos(sqrt(k / I) t)
    expect(simulation.runTo(3).v[4]).toBeCloseTo(20 * Math.cos(0.5 * 3), 6);
    expect(simulation.joint("hinge").angle).toBeCloseTo(40 * Math.sin(0.5 * 3), 6);
  });

  test("accepts unwrapped angles by joint names, in radians", async () => {
    const simulation = (await winding()).simulate({ step: 1e-3 });
    const { q, v } = simulation;
    simulation.setState(q, v, { unwrappedAngles: { hinge: -5 * FULL_TURN + 0.4 } });
    expect(simulation.joint("hinge").angle).toBeCloseTo(-5 * FULL_TURN, 12);
    simulation.setState(q, v, { unwrappedAngles: [2 * FULL_TURN] });
    expect(simulation.joint("hinge").angle).toBeCloseTo(2 * FULL_TURN, 12);
  });

  test("moves a driven mechanism to the position of the drive at that time", async () => {
    const m = model({ name: "driven", gravity: [0, 0, 0] });
    const wheel = m.body({ name: "wheel", mass: 1, inertia: [1, 2, 1] });
    const joint = m.revolute({ name: "hinge", between: [m.ground, wheel], at: [0, 0, 0], axis: Y });
    m.driveAngle({ joint, angle: (t) => 7 * t });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    const there = simulation.save();
    simulation.runTo(2);
    const { q, v, unwrappedAngles } = {
      q: simulation.q.slice(),
      v: simulation.v.slice(),
      unwrappedAngles: simulation.unwrappedAngles,
    };
    simulation.restore(there);
    simulation.setState(q, v, { time: 2, unwrappedAngles });
    expect(simulation.joint("hinge").angle).toBeCloseTo(14, 10);
    expect(simulation.time).toBe(2);
    expect(simulation.runTo(2.5).joint("hinge").angle).toBeCloseTo(17.5, 10);
  });

  test("sets the time of equations", () => {
    const wire = equations({
      coordinates: ["x", "y"],
      mass: [1, 1],
      forces: () => [0, -9.81],
      holonomic: { rows: ["height"], value: (q, _out, t) => [q[1]! - t * t] },
    });
    const method = { formulation: udwadiaKalaba(), integrator: rk4() };
    const simulation = simulate(wire, { method, step: 0.01, q: [0, 0] });
    simulation.setState([1, 8], [1, 0], { time: 3 });
    expect(simulation.time).toBe(3);
    expect(simulation.q[1]).toBeCloseTo(9, 12);
    expect(simulation.v[1]).toBeCloseTo(6, 12);
    expect(simulation.unwrappedAngles).toEqual(new Float64Array(0));
  });

  test("keeps state, time and unwrapped angles if it fails", async () => {
    const simulation = (await winding()).simulate({ step: 1e-3 }).advance(1000);
    const observed = () => ({
      q: [...simulation.q],
      v: [...simulation.v],
      time: simulation.time,
      unwrappedAngles: [...simulation.unwrappedAngles],
      angle: simulation.joint("hinge").angle,
    });
    const before = observed();
    const { q, v } = simulation;
    const wrong = (options: object, text: string) => {
      expect(() => simulation.setState(q.slice(), v.slice(), options as never)).toThrow(text);
      expect(observed()).toEqual(before);
    };
    wrong({ time: Number.NaN }, "time is NaN");
    wrong({ unwrappedAngles: [1, 2] }, "unwrappedAngles has 2 numbers; the system has 1: hinge");
    wrong(
      { unwrappedAngles: { hnge: 1 } },
      'unwrappedAngles: no joint with an angle is named "hnge"; there are: hinge',
    );
    wrong(
      { unwrappedAngles: { hinge: Number.POSITIVE_INFINITY } },
      'unwrappedAngles of "hinge" is Infinity',
    );
    wrong({ when: 3 }, "setState: when is not an option: there are start, time, unwrappedAngles");
    wrong({ start: "no" }, 'start is "no"');
    const far = q.slice();
    far.fill(0, 3, 7);
    expect(() =>
      simulation.setState(far, v, { time: 7, unwrappedAngles: { hinge: 99 } }),
    ).toThrow();
    expect(observed()).toEqual(before);
  });
});
