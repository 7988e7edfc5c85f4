import { rk4, udwadiaKalaba } from "nodrift";
import {
  type CompileOptions,
  compile,
  type Model,
  type MotorOptions,
  model,
  rod,
} from "nodrift/bodies";
import { dop853, radau5, solve, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";

/** A wheel of 0.2 kg m^2 about z, without gravity, with a motor. */
function wheel(
  options: Omit<MotorOptions, "joint" | "between">,
  spin = 0,
  more: CompileOptions = {},
) {
  const m = model({ name: "wheel", gravity: [0, 0, 0] });
  const disk = m.body({
    name: "disk",
    mass: 1,
    inertia: [0.1, 0.1, 0.2],
    angularVelocity: [0, 0, spin],
  });
  const joint = m.revolute({
    name: "axle",
    between: [m.ground, disk],
    at: [0, 0, 0],
    axis: [0, 0, 1],
  });
  m.motor({ name: "motor", joint, ...options });
  return compile(m, more);
}

const INERTIA = 0.2;
const speedAt = async (
  until: number,
  options: Omit<MotorOptions, "joint" | "between">,
  spin = 0,
) => {
  const found = solve(await wheel(options, spin), { span: [0, until], tolerance: 1e-10 });
  expect(found.status, found.reason).toBe("finished");
  return found.end.joint("axle").angleRate!;
};

describe("a motor on a wheel", () => {
  test.each(["maximal", "relative"] as const)(
    "accelerates its rotor inertia, in %s coordinates",
    async (coordinates) => {
      const [inertia, ratio] = [3e-4, 20];
      const options = {
        mode: "torque",
        target: 0.5,
        gearRatio: ratio,
        rotorInertia: inertia,
      } as const;
      const system = await wheel(options, 0, { coordinates });
      expect(system.report.degreesOfFreedom).toBe(1);
      const simulation = system.simulate({ step: 0.01 }).runTo(1);
      const all = INERTIA + inertia * ratio * ratio;
      expect(simulation.degreesOfFreedom()).toBe(1);
      expect(simulation.joint("axle").angleRate).toBeCloseTo(0.5 / all, 12);
      expect(simulation.energy().kinetic).toBeCloseTo((all * (0.5 / all) ** 2) / 2, 12);
      expect(simulation.momentum()).toEqual([0, 0, 0]);
      expect(simulation.bodies).toEqual(["disk"]);
      expect(simulation.joints).toEqual(["axle"]);
    },
  );

  test("approaches a target speed exponentially", async () => {
    const speed = await speedAt(0.4, { mode: "velocity", target: 7, damping: 0.6 });
    expect(speed).toBeCloseTo(7 * (1 - Math.exp((-0.6 * 0.4) / INERTIA)), 8);
  });

  test("oscillates about a target position", async () => {
    const [k, c] = [20, 0.8];
    const system = await wheel({ mode: "position", target: 0.4, stiffness: k, damping: c });
    const end = solve(system, { span: [0, 0.7], tolerance: 1e-10 }).end;
    const decay = c / (2 * INERTIA);
    const omega = Math.sqrt(k / INERTIA - decay * decay);
    const left =
      Math.exp(-decay * 0.7) * (Math.cos(0.7 * omega) + (decay / omega) * Math.sin(0.7 * omega));
    expect(end.joint("axle").angle).toBeCloseTo(0.4 * (1 - left), 8);
  });

  test("follows a target position with a given rate without lag", async () => {
    // With the torque of the motion as feedforward and matching initial state, no error remains to correct.
    const system = await wheel({
      mode: "position",
      target: (t) => 1 - Math.cos(2 * t),
      feedForward: (t) => INERTIA * 4 * Math.cos(2 * t),
      stiffness: 50,
      damping: 2,
    });
    const end = solve(system, { span: [0, 1], tolerance: 1e-10 }).end;
    expect(end.joint("axle").angle).toBeCloseTo(1 - Math.cos(2), 8);
  });

  test("obeys limits of torque, power and speed", async () => {
    const wanted = { mode: "velocity", target: 1e3, damping: 1e3, gearRatio: 5 } as const;
    expect(await speedAt(1, { ...wanted, maximumTorque: 0.03 })).toBeCloseTo(
      (5 * 0.03) / INERTIA,
      8,
    );
    // From the speed w1 = P / T on, w^2 grows by 2 P t / I.
    const [torque, power] = [0.2, 1];
    const corner = power / (5 * torque);
    const reached = (corner * INERTIA) / (5 * torque);
    const speed = Math.sqrt(corner ** 2 + (2 * power * (2 - reached)) / INERTIA);
    expect(await speedAt(2, { ...wanted, maximumTorque: torque, maximumPower: power })).toBeCloseTo(
      speed,
      7,
    );
    // Over the last twentieth of the speed the torque fades, so w converges exponentially.
    const fast = await speedAt(3, { ...wanted, maximumTorque: 0.1, maximumSpeed: 10 });
    const until = 3 - (0.95 * 2 * INERTIA) / 0.5;
    expect(fast).toBeCloseTo(2 - 0.1 * Math.exp((-until * 0.5) / (0.1 * INERTIA)), 7);
    // Above its speed it brakes with full torque.
    const braked = await speedAt(
      0.1,
      { ...wanted, target: 0, maximumTorque: 0.1, maximumSpeed: 10 },
      50,
    );
    expect(braked).toBeCloseTo(50 - (0.5 * 0.1) / INERTIA, 8);
  });

  test("loses power in its gear when driving, and adds braking torque when driven", async () => {
    const out = { mode: "torque", target: 0.5, efficiency: 0.8 } as const;
    expect(await speedAt(1, out, 3)).toBeCloseTo(3 + (0.8 * 0.5) / INERTIA, 8);
    expect(await speedAt(1, out, -6)).toBeCloseTo(-6 + 0.5 / 0.8 / INERTIA, 8);
    const simulation = (await wheel(out, 3)).simulate({ step: 0.01 });
    const { torque, rotorTorque, power, rotorPower } = simulation.motor("motor");
    expect([torque, rotorTorque, power, rotorPower].map((x) => x.toFixed(12))).toEqual(
      [0.4, 0.5, 1.2, 1.5].map((x) => x.toFixed(12)),
    );
  });

  test("follows a target set at run time, bitwise as if compiled with it", async () => {
    const options = { mode: "position", stiffness: 20, damping: 1, rotorInertia: 0.01 } as const;
    const system = await wheel({ ...options, target: (t) => t });
    const simulation = system.simulate({ step: 1e-3 }).advance(20);
    simulation.motor("motor").target = 0.7;
    expect(simulation.motor("motor").target).toBe(0.7);
    const fresh = (await wheel({ ...options, target: 0.7 })).simulate({ step: 1e-3 });
    fresh.setState(simulation.q, simulation.v, {
      time: simulation.time,
      unwrappedAngles: simulation.unwrappedAngles,
      start: "asGiven",
    });
    const other = system.with("motor", { target: 0.7 }).simulate({ step: 1e-3 });
    other.setState(simulation.q, simulation.v, {
      time: simulation.time,
      unwrappedAngles: simulation.unwrappedAngles,
      start: "asGiven",
    });
    simulation.advance(50);
    expect(fresh.advance(50).joint("axle").angle).toBe(other.advance(50).joint("axle").angle);
    expect(simulation.joint("axle").angle).toBeCloseTo(other.joint("axle").angle!, 13);
    expect(() => {
      solve(system, { span: [0, 0.1] }).end.motor("motor").target = 1;
    }).toThrow("in simulations only");
  });

  test("fails explicit steps with an error that names it if its gains are too high; solve succeeds", async () => {
    const system = await wheel({ mode: "position", target: 1, stiffness: 1e8, damping: 1e5 });
    const method = { formulation: udwadiaKalaba(), integrator: rk4() };
    expect(() => system.simulate({ step: 1e-2, method }).runTo(5)).toThrow('motor "motor"');
    const found = solve(system, { span: [0, 5], tolerance: 1e-6 });
    expect(found.status, found.reason).toBe("finished");
    expect(found.end.joint("axle").angle).toBeCloseTo(1, 6);
    expect(found.statistics.steps).toBeLessThan(2000);
    expect(found.statistics.implicit?.jacobianSource).toBe("analytic");
  });
});

/** Mechanisms with one motor at a joint of each kind, whose motion involves both bodies. */
const JOINTS = {
  revolute: (m: Model, a: never, b: never) => ({
    joint: m.revolute({ between: [a, b], at: [0.5, 0, 0], axis: [0, 1, 0.2] }),
  }),
  prismatic: (m: Model, a: never, b: never) => ({
    joint: m.prismatic({ between: [a, b], at: [0.5, 0, 0], axis: [1, 1, 0] }),
  }),
  "cylindrical, angle": (m: Model, a: never, b: never) => ({
    joint: m.cylindrical({ between: [a, b], at: [0.5, 0, 0], axis: [1, 1, 0] }),
    of: "angle" as const,
  }),
  "cylindrical, displacement": (m: Model, a: never, b: never) => ({
    joint: m.cylindrical({ between: [a, b], at: [0.5, 0, 0], axis: [1, 1, 0] }),
    of: "displacement" as const,
  }),
  screw: (m: Model, a: never, b: never) => ({
    joint: m.screw({ between: [a, b], at: [0.5, 0, 0], axis: [1, 1, 0], pitch: 0.05 }),
    of: "angle" as const,
  }),
  length: (_: Model, a: never, b: never) => ({
    between: [a, b] as const,
    atA: [0.2, 0, 0.1] as const,
    atB: [1.2, 0.3, 0.2] as const,
  }),
};

describe.each(Object.entries(JOINTS))("a motor at a joint: %s", (name, make) => {
  test.each(["maximal", "relative"] as const)(
    "delivers the energy that the mechanism gains, in %s coordinates",
    async (coordinates) => {
      const m = model({ name: "arm" });
      const a = m.body({
        name: "a",
        mass: 2,
        shape: rod({ length: 1, axis: [1, 0, 0] }),
        inertia: undefined,
        position: [0.25, 0, 0],
      });
      const b = m.body({ name: "b", mass: 1, inertia: [0.1, 0.2, 0.25], position: [1, 0.1, 0] });
      m.spherical({ between: [m.ground, a], at: [0, 0, 0] });
      m.motor({
        name: "motor",
        ...make(m, a as never, b as never),
        mode: "position",
        target: (t) => (name === "length" ? 1 : 0) + 0.4 * Math.sin(6 * t),
        stiffness: 30,
        damping: 2,
        gearRatio: 4,
        maximumTorque: 1.1,
        rotorInertia: 2e-3,
        efficiency: 0.9,
        energy: true,
      });
      const system = await compile(m, { coordinates });
      const before = system.simulate({ step: 1 }).energy().total;
      for (const integrator of [dop853(), radau5()]) {
        const formulation = integrator.isImplicit ? stateSpace() : udwadiaKalaba();
        const found = solve(system, {
          span: [0, 0.4],
          tolerance: 1e-8,
          method: { formulation, integrator },
        });
        expect(found.status, found.reason).toBe("finished");
        const gained = found.end.energy().total - before;
        const { energy, power, torque, rate } = found.end.motor("motor");
        expect(Math.abs(gained - energy!)).toBeLessThan(2e-6);
        expect(Math.abs(energy!)).toBeGreaterThan(1e-3);
        expect(power).toBeCloseTo(torque * rate, 12);
        // The power, computed from the loads on both bodies.
        expect(found.end.force("motor").power).toBeCloseTo(power, 9);
        expect(found.column("motor energy").at(-1)).toBe(energy);
        expect(found.force("motor").driveForce?.at(-1)).toBe(torque);
      }
    },
  );
});

test("rotors of a two-link arm add to the diagonal of its mass matrix", async () => {
  const [inertia, ratio] = [1e-4, 60];
  const torques = [3, -1];
  const m = model({ name: "two links", gravity: [0, 0, 0] });
  const first = m.body({
    name: "first",
    mass: 2,
    shape: rod({ length: 1, axis: [1, 0, 0] }),
    position: [0.5, 0, 0],
  });
  const second = m.body({
    name: "second",
    mass: 1,
    shape: rod({ length: 0.8, axis: [1, 0, 0] }),
    position: [1.4, 0, 0],
  });
  const joints = [
    m.revolute({ name: "one", between: [m.ground, first], at: [0, 0, 0], axis: [0, 0, 1] }),
    m.revolute({ name: "two", between: [first, second], at: [1, 0, 0], axis: [0, 0, 1] }),
  ];
  for (const [i, joint] of joints.entries()) {
    m.motor({
      joint,
      mode: "torque",
      target: torques[i]!,
      gearRatio: ratio,
      rotorInertia: inertia,
    });
  }
  /** Textbook: M(q) q'' + c = torque, with J n^2 on the diagonal. */
  const rate = ([, b, u, w]: readonly number[]) => {
    const [l, r, m1, m2] = [1, 0.4, 2, 1];
    const [i1, i2, rotor] = [(m1 * l * l) / 3, (m2 * 0.8 * 0.8) / 3, inertia * ratio * ratio];
    const k = m2 * l * r;
    const m12 = i2 + k * Math.cos(b!);
    const m11 = i1 + m2 * l * l + i2 + 2 * k * Math.cos(b!) + rotor;
    const m22 = i2 + rotor;
    const s = k * Math.sin(b!);
    const f1 = torques[0]! + s * (2 * u! * w! + w! * w!);
    const f2 = torques[1]! - s * u! * u!;
    const det = m11 * m22 - m12 * m12;
    return [u!, w!, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det];
  };
  let y: readonly number[] = [0, 0, 0, 0];
  const h = 1e-3;
  for (let i = 0; i < 800; i++) {
    const moved = (by: number, k: readonly number[]) => y.map((x, j) => x + by * k[j]!);
    const a = rate(y);
    const b = rate(moved(h / 2, a));
    const c = rate(moved(h / 2, b));
    const d = rate(moved(h, c));
    y = y.map((x, j) => x + (h / 6) * (a[j]! + 2 * b[j]! + 2 * c[j]! + d[j]!));
  }
  for (const coordinates of ["maximal", "relative"] as const) {
    const found = solve(await compile(m, { coordinates }), { span: [0, 0.8], tolerance: 1e-10 });
    expect(found.end.joint("one").angle).toBeCloseTo(y[0]!, 8);
    expect(found.end.joint("two").angle).toBeCloseTo(y[1]!, 8);
  }
});

describe("model.motor", () => {
  const given = (options: object) => () => {
    const m = model();
    const arm = m.body({ mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
    const joint = m.revolute({ between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
    const ball = m.spherical({ between: [m.ground, arm], at: [0, 0, 0] });
    m.motor({ joint, ...(options === BALL ? { ...BALL, joint: ball } : options) } as never);
  };
  const BALL = { mode: "torque", target: 1 };

  test.each([
    [{ target: 1 }, "mode is missing"],
    [{ mode: "torque" }, "target is missing"],
    [{ mode: "speed", target: 1 }, 'mode is "speed"; give one of "torque"'],
    [{ mode: "position", target: 1 }, "give stiffness"],
    [{ mode: "velocity", target: 1 }, "give damping"],
    [{ mode: "velocity", target: 1, damping: 1, stiffness: 2 }, "has no stiffness"],
    [{ mode: "torque", target: 1, damping: 1 }, "has no damping"],
    [{ mode: "torque", target: true }, "target must be a number or a function"],
    [{ mode: "torque", target: "angle()" }, "angle: it needs a name"],
    [{ mode: "torque", target: "1 +" }, "target: "],
    [{ mode: "torque", target: Number.NaN }, "target must be a finite number"],
    [{ mode: "torque", target: 1, efficiency: 1.2 }, "efficiency is 1.2; give a number above 0"],
    [{ mode: "torque", target: 1, efficiency: 0 }, "efficiency is 0; give a number above 0"],
    [{ mode: "torque", target: 1, gearRatio: 0 }, "gearRatio is zero"],
    [{ mode: "torque", target: 1, rotorInertia: -1 }, "rotorInertia is -1; give a number >= 0"],
    [{ mode: "torque", target: 1, maximumTorque: 0 }, "maximumTorque is 0; give a positive number"],
    [{ mode: "torque", target: 1, of: "displacement" }, "which has no displacement"],
    [{ mode: "torque", target: 1, joint: undefined }, "give a joint, or between"],
    [{ mode: "torque", target: 1, atA: [0, 0, 0] }, "atA and atB go with between"],
    [BALL, "which has no angle"],
  ])("rejects %o", (options, message) => {
    expect(given(options)).toThrow(message);
  });
});

test("a mode can omit a motor that counts its energy, but not one with a rotor", async () => {
  const system = await wheel({ mode: "torque", target: 1, energy: true });
  const off = system.without("motor");
  const found = solve(system, {
    span: [0, 2],
    modes: { off },
    events: [{ when: (state) => state.time - 1, action: (event) => event.switchTo("off") }],
  });
  // A torque of 1 N m over the angle 1 / (2 I).
  expect(found.end.state("motor").energy).toBeCloseTo(1 / (2 * INERTIA), 5);
  expect(found.end.joint("axle").angleRate).toBeCloseTo(1 / INERTIA, 6);
  const heavy = await wheel({ mode: "torque", target: 1, rotorInertia: 1 });
  expect(() => heavy.without("motor")).toThrow("has a rotor");
});
