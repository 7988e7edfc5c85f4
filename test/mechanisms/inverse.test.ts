import { compile, type Model, model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";

const G = 9.81;
const Y = [0, 1, 0] as const;

/** A driven crank, a connecting rod and a slider along x. */
function sliderCrank(angle: (t: number) => number): Model {
  const m = model({ name: "slider-crank" });
  const part = (
    name: string,
    mass: number,
    position: readonly [number, number, number],
    tilt = 0,
  ) =>
    m.body({
      name,
      mass,
      inertia: [0.01, 0.05, 0.05],
      position,
      orientation: { axis: Y, angle: tilt },
    });
  const crank = part("crank", 1, [0, 0, 0.2], -Math.PI / 2);
  const drop = Math.asin(0.4 / 1.2);
  const reach = 1.2 * Math.cos(drop);
  const rod = part("rod", 2, [reach / 2, 0, 0.2], drop);
  const slider = part("slider", 3, [reach, 0, 0]);
  const joint = m.revolute({ name: "main", between: [m.ground, crank], at: [0, 0, 0], axis: Y });
  m.revolute({ name: "pin", between: [crank, rod], at: [0, 0, 0.4], axis: Y });
  m.revolute({ name: "wrist", between: [rod, slider], at: [reach, 0, 0], axis: Y });
  m.prismatic({ name: "guide", between: [m.ground, slider], at: [reach, 0, 0], axis: [1, 0, 0] });
  m.driveAngle({ name: "motor", joint, angle });
  return m;
}

/** Rate of the energy at a time, by fourth-order finite differences. */
async function powerAt(m: Model, t: number): Promise<number> {
  const h = 1e-3;
  const simulation = (await compile(m)).simulate({ step: h }).runTo(t - 2 * h);
  const energies = [simulation.energy().total];
  for (let i = 0; i < 4; i++) energies.push(simulation.advance().energy().total);
  const [a, b, , c, d] = energies as [number, number, number, number, number];
  return (8 * (c - b) - (d - a)) / (12 * h);
}

describe("driveForces", () => {
  test("contains drives of any name", async () => {
    const m = model();
    const wheel = m.body({ name: "wheel", mass: 1, inertia: [1, 2, 3] });
    const joint = m.revolute({ between: [m.ground, wheel], at: [0, 0, 0], axis: Y });
    m.driveAngle({ name: "__proto__", joint, angle: (t) => t * t });
    const forces = (await compile(m)).simulate({ step: 1e-3 }).driveForces();
    expect(Object.keys(forces)).toEqual(["__proto__"]);
    // I alpha = 2 x 2.
    expect(Object.values(forces)[0]).toBeCloseTo(4, 6);
  });

  test("equals the energy rate of a slider-crank with redundant rows, as power", async () => {
    const m = sliderCrank((t) => 5 * t + 0.4 * Math.sin(4 * t));
    for (const t of [0.2, 0.5, 0.9]) {
      const simulation = (await compile(m)).simulate({ step: 1e-3 }).runTo(t);
      expect(simulation.constraintError().position).toBeLessThan(1e-11);
      const rate = 5 + 1.6 * Math.cos(4 * t);
      const { motor } = simulation.driveForces();
      expect(simulation.joint("motor").angleRate).toBeCloseTo(rate, 7);
      expect(motor! * rate).toBeCloseTo(await powerAt(m, t), 5);
      expect(simulation.joint("motor").unique).toBe(true);
      expect(simulation.joint("guide").unique).toBe(false);
    }
  });

  test("contains forces of lengths, whose power equals the energy rate", async () => {
    const m = model({ name: "crane" });
    const boom = m.body({ name: "boom", mass: 5, inertia: [0.1, 4, 4], position: [1, 0, 0] });
    m.revolute({ between: [m.ground, boom], at: [0, 0, 0], axis: Y });
    m.driveLength({
      name: "cylinder",
      between: [m.ground, boom],
      atA: [1, 0, -1],
      atB: [1.5, 0, 0],
      length: (t) => Math.sqrt(1.25) + 0.1 * Math.sin(2 * t),
    });
    const t = 0.4;
    const simulation = (await compile(m)).simulate({ step: 1e-3 }).runTo(t);
    const rate = 0.2 * Math.cos(2 * t);
    expect(simulation.joint("cylinder").lengthRate).toBeCloseTo(rate, 8);
    const power = await powerAt(m, t);
    expect(simulation.driveForces().cylinder! * rate).toBeCloseTo(power, 6);
    // The cylinder lifts, so it pushes.
    expect(simulation.driveForces().cylinder).toBeGreaterThan(0);
  });

  test("matches the textbook for an arm with two joints", async () => {
    const [l1, c1, c2, m1, m2, i1, i2] = [1, 0.45, 0.4, 3, 2, 0.3, 0.2];
    const m = model({ name: "arm" });
    const link = (name: string, mass: number, inertia: number, x: number) =>
      m.body({ name, mass, inertia: [inertia, inertia, inertia], position: [x, 0, 0] });
    const upper = link("upper", m1, i1, c1);
    const lower = link("lower", m2, i2, l1 + c2);
    const shoulder = m.revolute({ between: [m.ground, upper], at: [0, 0, 0], axis: Y });
    const elbow = m.revolute({ between: [upper, lower], at: [l1, 0, 0], axis: Y });
    const [w1, w2] = [3, 2];
    m.driveAngle({ name: "first", joint: shoulder, angle: (t) => Math.sin(w1 * t) });
    m.driveAngle({ name: "second", joint: elbow, angle: (t) => 0.5 * (1 - Math.cos(w2 * t)) });
    const t = 0.7;
    const simulation = (await compile(m)).simulate({ step: 1e-3 }).runTo(t);
    const q = [Math.sin(w1 * t), 0.5 * (1 - Math.cos(w2 * t))] as const;
    const v = [w1 * Math.cos(w1 * t), 0.5 * w2 * Math.sin(w2 * t)] as const;
    const a = [-w1 * w1 * Math.sin(w1 * t), 0.5 * w2 * w2 * Math.cos(w2 * t)] as const;
    // Positive angles about y point down: z = -l sin q, so the weights help.
    const k = m2 * l1 * c2;
    const m11 = i1 + i2 + m1 * c1 ** 2 + m2 * (l1 ** 2 + c2 ** 2) + 2 * k * Math.cos(q[1]);
    const m12 = i2 + m2 * c2 ** 2 + k * Math.cos(q[1]);
    const m22 = i2 + m2 * c2 ** 2;
    const weight2 = -m2 * G * c2 * Math.cos(q[0] + q[1]);
    const weight1 = -(m1 * c1 + m2 * l1) * G * Math.cos(q[0]) + weight2;
    const first =
      m11 * a[0] + m12 * a[1] - k * Math.sin(q[1]) * (2 * v[0] * v[1] + v[1] ** 2) + weight1;
    const second = m12 * a[0] + m22 * a[1] + k * Math.sin(q[1]) * v[0] ** 2 + weight2;
    const forces = simulation.driveForces();
    expect(forces.first).toBeCloseTo(first, 6);
    expect(forces.second).toBeCloseTo(second, 6);
    expect(Object.keys(forces)).toEqual(["first", "second"]);
  });
});

describe("inverseDynamics", () => {
  test("returns the joint forces for the motion itself", async () => {
    const simulation = (await compile(sliderCrank((t) => 3 * t))).simulate({ step: 1e-3 });
    simulation.advance(10);
    const needed = simulation.inverseDynamics();
    const joints = simulation.constraintForces();
    const scale = Math.max(...joints.map(Math.abs));
    needed.forEach((force, i) => {
      expect(Math.abs(force - joints[i]!)).toBeLessThan(1e-9 * scale);
    });
  });

  test("returns mass times given accelerations, minus weight and gyroscopic torque", async () => {
    const m = model({ name: "free" });
    const omega = [1, 2, 3] as const;
    m.body({ mass: 2, inertia: [1, 2, 2.5], angularVelocity: omega });
    const simulation = (await compile(m)).simulate({ step: 1e-3 });
    const needed = simulation.inverseDynamics([1, 0, 0, 0, 0.5, 0]);
    // w x I w for I w = (1, 4, 7.5).
    const gyroscopic = [2 * 7.5 - 3 * 4, 3 * 1 - 1 * 7.5, 1 * 4 - 2 * 1];
    expect([...needed]).toEqual([2, 0, 2 * G, gyroscopic[0], 1 + gyroscopic[1]!, gyroscopic[2]]);
    expect(() => simulation.inverseDynamics([1, 2])).toThrow(
      "inverseDynamics: 2 accelerations are given; the bodies have 6",
    );
    expect(() => simulation.inverseDynamics([0, 0, Number.NaN, 0, 0, 0])).toThrow(
      '"body 1 vz" is NaN',
    );
  });
});
