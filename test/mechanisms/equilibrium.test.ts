import { type CompiledModel, compile, equilibrium, type Model, model, rod } from "nodrift/bodies";
import { hmmwv, hmmwvEigenvalues, hmmwvSettledHeight } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";
import { fourBars } from "./support/linkages.js";

const G = 9.81;
const X = [1, 0, 0] as const;
const Y = [0, 1, 0] as const;
const Z = [0, 0, 1] as const;

const rest = async (m: Model, options = {}) => equilibrium(await compile(m), options);

/** A rod of length and mass 1 on a hinge about y, at an angle from the vertical below. */
function pendulum(angle: number): Model {
  const m = model({ name: "pendulum" });
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const body = m.body({
    name: "rod",
    mass: 1,
    inertia: [1 / 12, 1 / 12, 1e-3],
    position: [s / 2, 0, -c / 2],
    orientation: { axis: Y, angle: -angle },
  });
  m.revolute({ name: "hinge", between: [m.ground, body], at: [0, 0, 0], axis: Y });
  return m;
}

describe("equilibrium", () => {
  test("finds the pose of a pendulum below its hinge from any initial pose", async () => {
    for (const angle of [0.01, 1, 2, -3, 3.14]) {
      const { state, stability, stiffness, residual, free } = await rest(pendulum(angle));
      expect(state.body("rod").position[0]).toBeCloseTo(0, 11);
      expect(state.body("rod").position[2]).toBeCloseTo(-0.5, 11);
      expect(state.joint("hinge").force()[2]).toBeCloseTo(G, 9);
      expect(stiffness).toBeCloseTo(1.5 * G, 7);
      expect([stability, free]).toEqual(["stable", []]);
      expect(residual).toBeLessThan(1e-9);
    }
  });

  test("reports an unstable equilibrium as such if it starts there", async () => {
    const { stability, stiffness, iterations, moved } = await rest(pendulum(Math.PI));
    expect(stability).toBe("unstable");
    expect(stiffness).toBeCloseTo(-1.5 * G, 7);
    expect(moved).toBeLessThan(1e-12);
    expect(iterations).toBeLessThan(6);
  });

  test("balances every body of random spring nets by Hooke's law", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = seeded(seed);
      const m = model({ name: "net" });
      const bodies = Array.from({ length: 5 }, (_, i) =>
        m.body({
          name: `${i}`,
          mass: 1.5 + random(),
          inertia: [1, 1, 1],
          position: [random() * 2, random() * 2, random() * 2],
        }),
      );
      const springs: { a: number; b: number; at: readonly number[]; k: number; length: number }[] =
        [];
      const spring = (a: number, b: number, at: readonly [number, number, number]) => {
        const [k, length] = [60 + 40 * random(), 0.5 + 0.3 * random()];
        springs.push({ a, b, at, k, length });
        const held = a < 0 ? { atA: at } : {};
        const other = a < 0 ? m.ground : bodies[a]!;
        m.spring({ between: [other, bodies[b]!], ...held, stiffness: k, length });
      };
      for (let i = 0; i < 5; i++) {
        for (let k = 0; k < 3; k++) spring(-1, i, [random() * 4, random() * 4, 3 + random()]);
        spring(i, (i + 1) % 5, [0, 0, 0]);
      }
      const { state, residual, stability, free } = await rest(m);
      const force = bodies.map((_, i) => [0, 0, -G * m.data().bodies[i]!.mass]);
      for (const { a, b, at, k, length } of springs) {
        const from = a < 0 ? at : state.body(`${a}`).position;
        const to = state.body(`${b}`).position;
        const d = [0, 1, 2].map((i) => to[i]! - from[i]!);
        const r = Math.hypot(...d);
        for (let i = 0; i < 3; i++) {
          const f = (-k * (r - length) * d[i]!) / r;
          force[b]![i]! += f;
          if (a >= 0) force[a]![i]! -= f;
        }
      }
      for (const f of force) expect(Math.hypot(...f)).toBeLessThan(1e-7);
      expect(residual).toBeLessThan(1e-7);
      // Springs at the centres do not constrain rotations.
      expect([stability, free.length]).toEqual(["neutral", 5]);
    }
  });

  test("lets random chains hang straight down, with joints carrying the weight below", async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = seeded(seed);
      const m = model({ name: "chain" });
      let [before, at] = [m.ground, [0, 0, 0] as readonly [number, number, number]];
      const masses: number[] = [];
      for (let i = 0; i < 4; i++) {
        const d = [random(), random(), random() - 0.2] as const;
        const next = [at[0] + d[0], at[1] + d[1], at[2] + d[2]] as const;
        const middle = [0, 1, 2].map((k) => (at[k]! + next[k]!) / 2) as never;
        masses.push(1.2 + random());
        const link = m.body({
          name: `${i}`,
          mass: masses[i]!,
          inertia: [0.1, 0.1, 0.1],
          position: middle,
        });
        m.spherical({ name: `joint ${i}`, between: [before, link], at });
        [before, at] = [link, next];
      }
      const { state, stability, free } = await rest(m);
      for (let i = 0; i < 4; i++) {
        const weight = masses.slice(i).reduce((sum, mass) => sum + mass * G, 0);
        const [x, y, z] = state.joint(`joint ${i}`).force();
        expect([x, y].every((f) => Math.abs(f) < 1e-7)).toBe(true);
        expect(z).toBeCloseTo(weight, 7);
        const [px, py] = state.body(`${i}`).position;
        expect(Math.hypot(px, py)).toBeLessThan(1e-8);
      }
      // Links rotate freely about the vertical.
      expect([stability, free.length]).toEqual(["neutral", 4]);
    }
  });

  test("finds the pose of a vehicle known from another simulation, on four wheels", async () => {
    const { state, linearisation } = await rest(hmmwv());
    expect(state.body("chassis").centreOfMass[2]).toBeCloseTo(hmmwvSettledHeight, 9);
    const dominant = linearisation!.eigenvalues.map(({ re }) => re).sort((a, b) => a - b);
    for (const [i, value] of hmmwvEigenvalues.settled.entries()) {
      expect(dominant[i]! / value).toBeCloseTo(1, 6);
    }
  });

  test("holds drives still, and reports their static reactions", async () => {
    const m = model({ name: "crank" });
    const arm = m.body({
      name: "arm",
      mass: 2,
      shape: rod({ length: 1, axis: X }),
      position: [0.5, 0, 0],
    });
    const hinge = m.revolute({ name: "hinge", between: [m.ground, arm], at: [0, 0, 0], axis: Y });
    m.driveAngle({ name: "motor", joint: hinge, angle: (t) => 3 * t + 10 * t * t });
    const system = await compile(m);
    for (const time of [0, 0.1, 0.7, 2]) {
      const { state, stiffness, stability } = equilibrium(system, { time });
      const angle = 3 * time + 10 * time * time;
      // Positive angles about y rotate x towards -z.
      expect(state.body("arm").position[0]).toBeCloseTo(0.5 * Math.cos(angle), 10);
      expect(state.driveForces().motor).toBeCloseTo(-G * Math.cos(angle), 9);
      expect([stiffness, stability]).toEqual([Number.POSITIVE_INFINITY, "stable"]);
    }
    // In a simulation the motor has to accelerate the arm as well.
    expect(system.simulate({ step: 1e-3 }).driveForces().motor).toBeGreaterThan(0);
  });

  test("counts the turns of a wound-up spring", async () => {
    const m = model({ name: "spring motor", gravity: [0, 0, 0] });
    const drum = m.body({ name: "drum", mass: 1, inertia: [1, 1, 2] });
    const shaft = m.revolute({ name: "shaft", between: [m.ground, drum], at: [0, 0, 0], axis: Z });
    m.torsionSpring({ joint: shaft, stiffness: 3 });
    m.torque({ on: drum, torque: [0, 0, 60] });
    const { state, stiffness } = await rest(m);
    expect(state.joint("shaft").angle).toBeCloseTo(20, 9);
    expect(stiffness).toBeCloseTo(1.5, 8);
  });

  test("balances a linkage with redundant rows through its reactions", async () => {
    const { state, stability } = await rest(fourBars(2, 0.4));
    expect(stability).toBe("stable");
    expect(state.constraintError().position).toBeLessThan(1e-12);
    const system = await compile(fourBars(2, 0.4));
    const joints = system.data.joints.map(({ name }) => state.joint(name));
    // The ground carries the total weight.
    const up = joints
      .filter(({ name }) => name.startsWith("ground"))
      .reduce((sum, joint) => sum - joint.force({ on: "ground" })[2], 0);
    const weight = system.data.bodies.reduce((sum, { mass }) => sum + G * mass, 0);
    expect(up).toBeCloseTo(weight, 7);
  });
});

describe("equilibrium.stability", () => {
  /** Ziegler's column: two links, with a force along the second one in any pose. */
  async function column(load: number) {
    const [c, l] = [2, 1];
    const m = model({ name: "column", gravity: [0, 0, 0] });
    const inertia = [1e-9, 1e-9, 1e-9] as const;
    const lower = m.body({ name: "lower", mass: 2, inertia, position: [0, 0, l] });
    const upper = m.body({ name: "upper", mass: 1, inertia, position: [0, 0, 2 * l] });
    const foot = m.revolute({ between: [m.ground, lower], at: [0, 0, 0], axis: Y });
    const knee = m.revolute({ between: [lower, upper], at: [0, 0, l], axis: Y });
    for (const joint of [foot, knee]) m.torsionSpring({ joint, stiffness: c });
    m.pointForce({ on: upper, force: [0, 0, (-load * c) / l], frame: "body" });
    return await rest(m);
  }

  test("finds Ziegler's column unstable at (7/2 - sqrt 2) c / l, although its stiffness is positive", async () => {
    const critical = 3.5 - Math.SQRT2;
    for (const part of [0.5, 0.99, 0.999]) {
      expect((await column(part * critical)).stability).toBe("stable");
    }
    for (const part of [1.001, 1.01, 1.5]) {
      const { stability, stiffness } = await column(part * critical);
      expect([stability, stiffness > 0]).toEqual(["unstable", true]);
    }
  });

  test("finds a mechanism with negative damping unstable", async () => {
    for (const [damping, expected] of [
      [0.1, "stable"],
      [-0.1, "unstable"],
    ] as const) {
      const m = model({ name: "oscillator", gravity: [0, 0, 0] });
      const mass = m.body({ mass: 1, inertia: [1, 1, 1], position: [1.3, 0, 0] });
      m.prismatic({ between: [m.ground, mass], at: [0, 0, 0], axis: X });
      const force = (length: number, rate: number) => -30 * (length - 1) - damping * rate;
      m.spring({ between: [m.ground, mass], force });
      expect((await rest(m)).stability).toBe(expected);
    }
  });

  test("says neutral for bodies that move without a force, and names them", async () => {
    const m = model({ name: "table" });
    const held = m.body({ name: "held", mass: 1, inertia: [1, 1, 1], position: [0.3, 0, -1] });
    m.revolute({ between: [m.ground, held], at: [0, 0, 0], axis: Y });
    const cart = m.body({ name: "cart", mass: 1, inertia: [1, 1, 1], position: [5, 0, 0] });
    m.prismatic({ between: [m.ground, cart], axis: X });
    const { stability, free } = await rest(m);
    expect([stability, free]).toEqual(["neutral", ["cart"]]);
  });
});

describe("equilibrium rejects", () => {
  test("unsupported bodies", async () => {
    const m = model({ name: "stone" });
    m.body({ name: "stone", mass: 2, inertia: [1, 1, 1] });
    await expect(rest(m)).rejects.toThrow(
      /stone: no equilibrium found.*"stone" still has an unbalanced force of 19.6/,
    );
  });

  test("a ball that rolls away on a slope", async () => {
    const m = model({ name: "slope" });
    const normal = [Math.sin(0.2), 0, Math.cos(0.2)] as const;
    const ball = m.body({ name: "ball", mass: 1, inertia: [0.4, 0.4, 0.4], position: normal });
    m.rollingSphere({ body: ball, radius: 1, plane: { normal } });
    await expect(rest(m)).rejects.toThrow(/"ball" still has an unbalanced/);
  });

  test("a shaft under a torque", async () => {
    const m = model({ name: "motor" });
    const shaft = m.body({ name: "shaft", mass: 1, inertia: [1, 1, 1] });
    m.revolute({ between: [m.ground, shaft], at: [0, 0, 0], axis: Z });
    m.torque({ on: shaft, torque: [0, 0, 4] });
    await expect(rest(m)).rejects.toThrow(/"shaft" still has an unbalanced torque of 4.00/);
  });

  test("invalid options", async () => {
    const system: CompiledModel = await compile(pendulum(1));
    const q = [...system.q];
    expect(() => equilibrium(system, { q: [1] })).toThrow(/q must be 7 numbers/);
    expect(() => equilibrium(system, { at: 1 } as never)).toThrow(/at is not an option/);
    expect(() => equilibrium(system, { tolerance: 0 })).toThrow(/tolerance/);
    expect(() => equilibrium(system, { iterations: Number.NaN })).toThrow(/iterations/);
    expect(() => equilibrium(system, { time: Number.NaN })).toThrow(/time/);
    expect(() => equilibrium(system, { iterations: 2 })).toThrow(/no equilibrium found/);
    // A given initial pose is closed first.
    const off = q.map((x, i) => (i === 0 ? x + 0.2 : x));
    expect(equilibrium(system, { q: off }).q[2]).toBeCloseTo(-0.5, 10);
    expect([...system.q]).toEqual(q);
  });
});
