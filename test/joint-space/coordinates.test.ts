// Joint coordinates by name, read in runs of both kinds and in solutions, and set initially and in a run.

import { init } from "nodrift";
import { type Body, compile, equilibrium, jointSpace, model } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { arm, driven, fourBar, manyJoints, PINS, sixBar } from "./support/models.js";

beforeAll(() => init());

const far = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  expect(a.length).toBe(b.length);
  return Array.from(a).reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);
};

describe("coordinates()", () => {
  test("returns the integrated values bit for bit, with full turns", async () => {
    const start = { shoulder: 7, elbow: { angle: -19, angleRate: 3 } };
    const system = await compile(arm(), { coordinates: "relative", joints: start });
    const simulation = system.simulate({ step: 1e-3 });
    const { shoulder, elbow } = {
      shoulder: simulation.joint("shoulder"),
      elbow: simulation.joint("elbow"),
    };
    simulation.runTo(0.5);
    const { positions, velocities } = simulation.coordinates();
    expect(Object.keys(positions)).toEqual(["shoulder angle", "elbow angle"]);
    expect(positions["elbow angle"]).toBe(elbow.angle);
    expect(positions["shoulder angle"]).toBe(shoulder.angle);
    expect(velocities["elbow angle"]).toBe(elbow.angleRate);
    expect(Math.abs(positions["elbow angle"])).toBeGreaterThan(2 * Math.PI);
    // Read from body poses, with the same state in maximal coordinates.
    const maximal = (await compile(arm(), { coordinates: "maximal" })).simulate({ step: 1e-3 });
    const { q, v, time, unwrappedAngles } = simulation;
    maximal.setState(q, v, { time, unwrappedAngles, start: "asGiven" });
    expect(maximal.joint("elbow").angle).toBeCloseTo(positions["elbow angle"], 13);
    expect(maximal.coordinates().positions["elbow angle"]).toBeCloseTo(
      positions["elbow angle"],
      13,
    );
    expect(maximal.coordinates().velocities["shoulder angle"]).toBeCloseTo(
      velocities["shoulder angle"],
      12,
    );
  });

  test("returns the same values after save and restore", async () => {
    const system = await compile(arm(), { joints: { elbow: 1 } });
    const simulation = system.simulate({ step: 1e-3 }).advance(50);
    const saved = simulation.save();
    const before = simulation.coordinates();
    simulation.advance(50);
    expect(simulation.coordinates()).not.toEqual(before);
    simulation.restore(saved);
    expect(simulation.coordinates()).toEqual(before);
  });

  test("returns the joint coordinates of a solution at a time, with full turns", async () => {
    const system = await compile(arm(), { joints: { shoulder: { angle: 0, angleRate: 15 } } });
    const solution = solve(system, { span: [0, 3] });
    for (const time of [0.01, 1.234, 3]) {
      const state = solution.at(time);
      const { positions } = state.coordinates();
      for (const name of ["shoulder", "elbow"]) {
        expect(positions[`${name} angle`]).toBeCloseTo(state.joint(name).angle!, 11);
      }
    }
    expect(Math.abs(solution.end.coordinates().positions["shoulder angle"])).toBeGreaterThan(7);
    expect(jointSpace(solution.end).massMatrix().rows).toEqual(["shoulder angle", "elbow angle"]);
  });

  test("does not depend on earlier readings", async () => {
    const system = await compile(manyJoints());
    const simulation = system.simulate({ step: 1e-3 });
    const state = () =>
      system.state({
        ...simulation,
        q: simulation.q.slice(),
        v: simulation.v.slice(),
        time: 0,
        unwrappedAngles: simulation.unwrappedAngles,
      });
    simulation.setCoordinates({ universal: { angle1: -3, angle2: 0.3 } });
    const first = state();
    simulation.setCoordinates({ universal: { angle1: 3, angle2: 0.3 } });
    const other = state();
    const alone = first.coordinates();
    expect(other.coordinates().positions["universal angle 1"]).toBeCloseTo(3, 12);
    expect(first.coordinates()).toEqual(alone);
    expect(alone.positions["universal angle 1"]).toBeCloseTo(-3, 12);
  });

  test("distinguishes a body and a joint with the same name", async () => {
    // A body that is free in its plane has an angle, as has the hinge.
    const m = fourBar("coupler");
    const system = await compile(m, { tree: { free: ["coupler"] } });
    const names = jointSpace(system).positionNames;
    expect(names).toContain("coupler angle");
    expect(names).toContain("coupler angle (2)");
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("compile with joints", () => {
  test("places bodies along the tree, and moves nothing else", async () => {
    const [shoulder, elbow] = [0.4, -1.1];
    const system = await compile(arm(), { joints: { elbow } });
    expect(jointSpace(system).coordinates().positions["elbow angle"]).toBeCloseTo(elbow, 15);
    expect(far(system.q.subarray(0, 3), [0, 0, -0.5])).toBeLessThan(1e-15);
    const both = await compile(arm(), {
      joints: {
        shoulder: { angle: shoulder, angleRate: 2 },
        elbow: { angle: elbow, angleRate: -3 },
      },
    });
    const lower = both.simulate({ step: 1e-3 }).body("lower");
    // A rotation about y takes -z towards -x.
    const tip = (angle: number, length: number) => [
      -length * Math.sin(angle),
      0,
      -length * Math.cos(angle),
    ];
    const [a, b] = [tip(shoulder, 1), tip(shoulder + elbow, 0.5)];
    expect(
      far(
        lower.position,
        a.map((x, i) => x + b[i]),
      ),
    ).toBeLessThan(1e-15);
    expect(far(lower.angularVelocity, [0, -1, 0])).toBeLessThan(1e-15);
  });

  test("keeps the rates of the other joints: a rate of the elbow does not move the shoulder", async () => {
    const system = await compile(arm(), { joints: { elbow: { angleRate: 2 } } });
    const { velocities } = jointSpace(system).coordinates();
    expect(velocities["elbow angle"]).toBeCloseTo(2, 15);
    expect(velocities["shoulder angle"]).toBeCloseTo(0, 15);
  });

  test("holds the given coordinate in a loop, and closes it by the others", async () => {
    for (const name of ["pin 0", "pin 1", "pin 2", "pin 3"]) {
      const system = await compile(fourBar(), {
        joints: { [name]: { angle: 0.2, angleRate: 1.5 } },
      });
      const simulation = system.simulate({ step: 1e-3 });
      expect(simulation.joint(name).angle).toBeCloseTo(0.2, 12);
      expect(simulation.joint(name).angleRate).toBeCloseTo(1.5, 11);
      expect(simulation.constraintError().position).toBeLessThan(1e-12);
      expect(simulation.constraintError().velocity).toBeLessThan(1e-11);
    }
    // Position of the crank's pin after a rotation of 0.2 about y.
    const system = await compile(fourBar(), { joints: { "pin 0": 0.2 } });
    const [[x, z], [c, s]] = [PINS[1], [Math.cos(0.2), Math.sin(0.2)]];
    const pin = system
      .simulate({ step: 1 })
      .body("crank")
      .point([x / 2, 0, z / 2]);
    expect(far(pin, [c * x + s * z, 0, c * z - s * x])).toBeLessThan(1e-12);
  });

  test("places joints alike in both kinds of coordinates", async () => {
    const joints = { "pin 0": { angle: 0.3, angleRate: 2 } };
    const [one, other] = [
      await compile(fourBar(), { joints, coordinates: "maximal" }),
      await compile(fourBar(), { joints, coordinates: "relative" }),
    ];
    expect(one.coordinateChoice.kind).toBe("maximal");
    expect(far(one.q, other.q)).toBeLessThan(1e-12);
    expect(far(one.v, other.v)).toBeLessThan(1e-11);
  });

  test("keeps the signs of Euler parameters", async () => {
    const m = model({ name: "turned" });
    const body = m.body({
      name: "door",
      mass: 1,
      inertia: [1, 1, 1],
      orientation: [-0.8, 0, 0, 0.6],
    });
    m.revolute({ name: "hinge", between: [m.ground, body], at: [1, 0, 0], axis: [0, 0, 1] });
    const given = await compile(m);
    const same = await compile(m, { joints: { hinge: 0 } });
    expect(given.q[3]).toBe(-0.8);
    expect(far(same.q, given.q)).toBeLessThan(1e-15);
  });

  test("matches startingAt of a compiled model, and sets the initial pose of equilibrium", async () => {
    const m = driven();
    const system = await compile(m);
    const bent = system.startingAt({ shoulder: 3 });
    expect(bent.q).toEqual((await compile(m, { joints: { shoulder: 3 } })).q);
    expect(jointSpace(system).coordinates().positions["shoulder angle"]).toBeCloseTo(0, 15);
    // Downhill from 3 rad, at another time at which the drive is at 1 rad.
    const { state } = equilibrium(bent, { time: 1 });
    expect(state.coordinates().positions["elbow angle"]).toBeCloseTo(1, 10);
    expect(() => bent.startingAt({ elbow: 1 })).toThrow(
      /start by joints: the joint coordinates given do not fit.*motor/,
    );
  });

  test("sets every coordinate of every joint", async () => {
    const joints = {
      cylindrical: { angle: 0.5, angleRate: 1, displacement: 0.2, displacementRate: -1 },
      universal: { angle1: 0.3, angle1Rate: 0.1, angle2: -0.6, angle2Rate: 0.4 },
      planar: {
        displacementX: 0.1,
        displacementY: -0.2,
        angle: 8,
        displacementXRate: 3,
        displacementYRate: 4,
        angleRate: 5,
      },
      screw: { angle: 7, angleRate: 2 },
    };
    const system = await compile(manyJoints(), { joints });
    const { positions, velocities } = jointSpace(system).coordinates();
    const names = {
      angle1: "angle 1",
      angle2: "angle 2",
      displacementX: "displacement x",
      displacementY: "displacement y",
    };
    for (const [joint, values] of Object.entries(joints)) {
      for (const [key, value] of Object.entries(values)) {
        const part = key.replace("Rate", "");
        const name = `${joint} ${names[part as keyof typeof names] ?? part}`;
        const found = key.endsWith("Rate") ? velocities[name] : positions[name];
        expect(found, name).toBeCloseTo(value, 12);
      }
    }
  });
});

describe("setCoordinates", () => {
  test.each(["relative", "maximal"] as const)("moves joints in a run, %s", async (coordinates) => {
    const system = await compile(arm(), { coordinates });
    const simulation = system.simulate({ step: 1e-3 }).advance(20);
    const before = simulation.coordinates();
    simulation.setCoordinates({ elbow: { angle: 20, angleRate: 1 } });
    const { positions, velocities } = simulation.coordinates();
    expect(positions["elbow angle"]).toBeCloseTo(20, 13);
    expect(velocities["elbow angle"]).toBeCloseTo(1, 13);
    expect(positions["shoulder angle"]).toBeCloseTo(before.positions["shoulder angle"], 14);
    expect(simulation.time).toBeCloseTo(0.02, 15);
    expect(simulation.joint("elbow").angle).toBeCloseTo(20, 13);
    simulation.advance(5);
    expect(simulation.joint("elbow").angle).toBeCloseTo(20.005, 2);
  });

  // Three degrees of freedom: other coordinates must stay as far as possible, which depends on their initial values.
  test("moves any joint of a loop alike in both kinds of coordinates, after repeated calls and changes", async () => {
    const [relative, maximal] = await Promise.all(
      (["relative", "maximal"] as const).map(async (coordinates) =>
        (await compile(sixBar(), { coordinates })).simulate({ step: 1e-3 }),
      ),
    );
    const names = relative.joints;
    const both = [relative, maximal];
    const same = (what: string) => {
      const angles = both.map((run) => names.map((name) => run.joint(name).angle!));
      const rates = both.map((run) => names.map((name) => run.joint(name).angleRate!));
      expect(far(angles[0], angles[1]), what).toBeLessThan(1e-9);
      expect(far(rates[0], rates[1]), what).toBeLessThan(1e-8);
    };
    const changes = [
      () => {},
      () => both.map((run) => run.set({ gravity: [0, 0, -3] })),
      () => both.map((run) => run.set("b1", { mass: 7 })),
      () => both.map((run) => run.set("pin 5", { at: [2.6, 0, 0] })),
    ];
    for (const [round, change] of changes.entries()) {
      change();
      for (const name of names) {
        for (const run of both) run.advance(20);
        const angle = maximal.joint(name).angle! + 0.04;
        for (const run of both) run.setCoordinates({ [name]: { angle, angleRate: 0.5 } });
        expect(relative.joint(name).angle).toBeCloseTo(angle, 12);
        same(`${name}, round ${round}`);
      }
    }
  });

  test("sets the given values bitwise, keeps its memory, and is replayed", async () => {
    const system = await compile(manyJoints(), { coordinates: "relative" });
    const simulation = system.simulate({ step: 1e-3 }).advance(3);
    const recording = simulation.record();
    const place = (k: number) => {
      const angle = 0.1 * k;
      simulation.setCoordinates({ universal: { angle1: angle, angle2Rate: -angle } });
      simulation.advance();
    };
    place(1);
    const memories = vi.spyOn(WebAssembly, "Memory");
    for (let k = 2; k < 20; k++) place(k);
    expect(memories).not.toHaveBeenCalled();
    memories.mockRestore();
    simulation.setCoordinates({ universal: { angle1: 0.3, angle2Rate: 0.7 } });
    const { positions, velocities } = simulation.coordinates();
    expect(positions["universal angle 1"]).toBe(0.3);
    expect(velocities["universal angle 2"]).toBe(0.7);
    const replayed = system.simulate({ step: 1e-3 }).replay(recording.stop());
    expect(replayed.q).toEqual(simulation.q);
    expect(replayed.v).toEqual(simulation.v);
  });
});

describe("errors of joint coordinates", () => {
  test("a force that reads the state for which it is evaluated is rejected", async () => {
    const m = arm();
    let read = () => {};
    m.userForce({
      name: "loop",
      bodies: [m.body({ name: "b", mass: 1, inertia: [1, 1, 1] })],
      apply: () => read(),
    });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    const space = jointSpace(simulation);
    read = () => space.appliedForces();
    expect(() => space.appliedForces()).toThrow(/busy/);
    expect(() => simulation.advance()).toThrow(/busy/);
    read = () => {};
    expect(space.appliedForces()["elbow angle"]).toBe(0);
  });

  const refused = (options: object, text: RegExp, make = arm) =>
    expect(compile(make(), options)).rejects.toThrow(text);

  test("name the joint and the mistake", async () => {
    await refused({ joints: { elbw: 1 } }, /arm: compile: joints has no joint "elbw".*elbow/);
    await refused(
      { joints: { elbow: "1" } },
      /joints\.elbow is "1"; give a number, or coordinates/,
    );
    await refused({ joints: { elbow: Number.NaN } }, /joints\.elbow is NaN/);
    await refused(
      { joints: { elbow: { angel: 1 } } },
      /joints\.elbow\.angel is not an option.*angle/,
    );
    await refused(
      { joints: { elbow: { displacement: 1 } } },
      /"elbow" \(revolute\) has no displacement; it has angle, angleRate/,
    );
    await refused(
      { joints: { cylindrical: 1 } },
      /"cylindrical" \(cylindrical\) has 2 coordinates: give \{ displacement, angle \}/,
      manyJoints,
    );
    await refused(
      { joints: { spherical: 1 } },
      /"spherical" \(spherical\) turns about all axes: give \{ orientation, angularVelocity \}/,
      manyJoints,
    );
    await refused(
      { joints: { elbow: 1 }, hold: ["upper"] },
      /`joints` moves bodies, so that `hold` cannot keep them/,
    );
    await refused({ joints: { elbow: 1 }, start: "asGiven" }, /start: "asGiven" cannot keep them/);
  });

  test("report coordinates of a loop that do not fit together", async () => {
    await refused(
      { joints: { "pin 0": 0.2, "pin 1": 1.4 } },
      /four-bar: start by joints: the joint coordinates given do not fit together.*pin/,
      () => fourBar(),
    );
    const all = { "pin 0": 0, "pin 1": 0, "pin 2": 0, "pin 3": 0 };
    await refused({ joints: all }, /"pin \d" \(revolute\) cannot be given: .* close a loop/, () =>
      fourBar(),
    );
    await refused(
      { joints: { "pin 0": { angleRate: 1 }, "pin 1": { angleRate: 1 } } },
      /do not fit together/,
      () => fourBar(),
    );
  });

  test("leave the state of a run unchanged", async () => {
    const simulation = (await compile(fourBar())).simulate({ step: 1e-3 }).advance(3);
    const before = simulation.coordinates();
    expect(() => simulation.setCoordinates({ "pin 0": 0.2, "pin 1": 1.4 })).toThrow(
      /setCoordinates: the joint/,
    );
    expect(() => simulation.setCoordinates({ pin: 1 })).toThrow(
      /setCoordinates: joints has no joint "pin"/,
    );
    expect(simulation.coordinates()).toEqual(before);
  });

  test("name the coordinate or body passed to inverse dynamics and Jacobians", async () => {
    const space = jointSpace(await compile(arm()));
    expect(() => space.inverseDynamics({ elbow: 1 })).toThrow(/no coordinate "elbow".*elbow angle/);
    expect(() => space.inverseDynamics([1])).toThrow(/are 1; there are 2 coordinates/);
    expect(() => space.inverseDynamics({ "elbow angle": Number.NaN })).toThrow(
      /elbow angle is NaN/,
    );
    expect(() => space.pointJacobian("lowr")).toThrow(/no body "lowr".*lower/);
  });
});

test.each(["maximal", "relative"] as const)(
  "Euler parameters set the orientation of a spherical joint, in %s coordinates",
  async (coordinates) => {
    const m = model();
    const [upper, lower] = ["upper", "lower"].map((name, i) =>
      m.body({ name, mass: 1, inertia: [1, 2, 3], position: [0.5 + i, 0, 0] }),
    ) as [Body, Body];
    m.spherical({ name: "shoulder", between: [m.ground, upper], at: [0, 0, 0] });
    m.spherical({ name: "elbow", between: [upper, lower], at: [1, 0, 0] });
    const simulation = (await compile(m, { coordinates })).simulate({ step: 1e-3 });
    simulation.runTo(0.3);
    const before = simulation.body("upper").orientation;
    // A quarter turn about z, with Euler parameters of double length.
    const elbow = { orientation: [1, 0, 0, 1], angularVelocity: [0.1, 0.2, 0.3] };
    simulation.setCoordinates({ elbow });
    const { positions, velocities } = simulation.coordinates();
    expect(positions["elbow e0"]).toBeCloseTo(Math.SQRT1_2, 14);
    expect(positions["elbow e3"]).toBeCloseTo(Math.SQRT1_2, 14);
    expect([1, 2, 3].map((i) => velocities[`elbow w${i}`])).toEqual(
      [0.1, 0.2, 0.3].map((w) => expect.closeTo(w, 12)),
    );
    expect(far(simulation.body("upper").orientation, before)).toBeLessThan(1e-14);
    expect(simulation.constraintError().position).toBeLessThan(1e-14);
    // The lower body reaches along y of the upper one.
    const along = simulation.body("upper").point([0.5, 0.5, 0]);
    expect(far(simulation.body("lower").position, along)).toBeLessThan(1e-14);
    expect(() => simulation.setCoordinates({ elbow: { orientation: [1, 0, 0] } })).toThrow(
      "four Euler parameters",
    );
  },
);
