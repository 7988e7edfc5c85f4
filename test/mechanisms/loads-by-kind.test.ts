// Forces and torques read by name, for every kind of joint and force: loads on all bodies satisfy Newton's and Euler's
// equations, powers match the energy gain of the bodies, and an acting part never reads 0 by its name alone.

import {
  type BodySimulation,
  type BodyState,
  compile,
  forces,
  type JointMethods,
  joints,
  type Vector,
} from "nodrift/bodies";
import { parseStateFormula } from "nodrift/files";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { forceCases } from "../support/force-cases.js";
import { addExample, freePair, type Pair } from "../support/joint-cases.js";
import { randomVector, seeded } from "../support/random.js";
import {
  cross,
  dot,
  imbalance,
  minus,
  plus,
  size,
  times,
  turn,
  unturn,
} from "./support/balance.js";

const SEEDS = [1, 2, 3];

/** A pair under forces and torques in all directions, after a few steps. */
async function loaded(seed: number, add: (pair: Pair) => void) {
  const pair = freePair();
  const random = seeded(seed);
  const vector = () => [...randomVector(random, 3)].map((x) => 9 * x) as unknown as Vector;
  add(pair);
  for (const on of [pair.a, pair.b]) {
    pair.m.pointForce({ name: `pull ${on.name}`, on, force: vector() });
    pair.m.torque({ name: `twist ${on.name}`, on, torque: vector() });
  }
  const system = await compile(pair.m, { hold: [] });
  const simulation = system.simulate({ step: 1e-3 }).runTo(5e-3);
  return { m: pair.m, system, simulation };
}

/** Returns the sum of the model's forces on a body, about its centre of mass. */
function applied(simulation: BodySimulation, body: string) {
  const { data } = simulation;
  let [force, torque]: [Vector, Vector] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (const { name, markers } of reads(simulation)) {
    const read = simulation.force(name);
    if (!read.bodies.includes(body)) continue;
    const own = simulation.body(body);
    const marker = markers.find((one) => data.bodies[data.markers[one]!.body]?.name === body);
    const point = own.point(marker === undefined ? [0, 0, 0] : data.markers[marker]!.point);
    const f = read.force({ on: body });
    force = plus(force, f);
    torque = plus(
      torque,
      plus(read.torque({ on: body }), cross(minus(point, own.centreOfMass), f)),
    );
  }
  return { force, torque };
}

/** Returns forces by name, with the markers at which they act. */
function reads({ data }: BodySimulation) {
  const onSensor = ["torsionSpring", "motor", "stop", "friction"];
  return [
    ...data.forces.map(({ name, type, a, b }) => {
      const pair = onSensor.includes(type) ? [data.sensors[a]!.a, data.sensors[a]!.b] : [a, b];
      return { name, markers: pair.filter((one) => one >= 0) };
    }),
    ...data.userForces.map(({ name }) => ({ name, markers: [] as number[] })),
  ];
}

/** Returns the rate of the kinetic energy, from accelerations. */
function gain(simulation: BodySimulation): number {
  return simulation.data.bodies.reduce((sum, { name, mass, inertia }) => {
    const body = simulation.body(name);
    const own = (x: Vector) => turn(body.rotation, turn(inertia, unturn(body.rotation, x)));
    const w = body.angularVelocity;
    const torque = plus(own(body.angularAcceleration), cross(w, own(w)));
    return sum + dot(times(mass, body.centreAcceleration), body.centreVelocity) + dot(torque, w);
  }, 0);
}

/** Returns the largest value that files read by a name, or "refused". */
function byName(simulation: BodySimulation, name: string): number | "refused" {
  try {
    const read = (what: string) =>
      parseStateFormula(`${what}('${name}')`, simulation.data).read(
        simulation as unknown as BodyState,
      );
    return Math.max(read("force"), read("torque"));
  } catch {
    return "refused";
  }
}

describe.each(Object.keys(joints) as (keyof JointMethods)[])("loads of the joint %s", (type) => {
  test.each(SEEDS)("balance, and an equal name is not read as 0 (%d)", async (seed) => {
    const { m, simulation } = await loaded(seed, (pair) => addExample(type, pair));
    expect(imbalance(simulation, m, (body) => applied(simulation, body))).toBeLessThan(1e-9);
    const { name } = simulation.data.joints.at(-1)!;
    const { multipliers } = simulation.joint(name);
    expect(size(Object.values(multipliers) as unknown as Vector)).toBeGreaterThan(1e-3);
    const found = byName(simulation, name);
    if (type === "constraint") expect(found).toBe("refused");
    else expect(found).toBeGreaterThan(1e-3);
  });
});

describe.each([...Object.keys(forces), "userForce"])("loads of the force %s", (type) => {
  test.each(SEEDS)("balance, with the power that the bodies gain (%d)", async (seed) => {
    const { m, simulation } = await loaded(seed, (pair) => {
      if (type !== "userForce") {
        const add = pair.m[type as keyof typeof forces] as (options: object) => unknown;
        add(forceCases[type as keyof typeof forces].example(pair));
        return;
      }
      // It acts only on the first of its bodies: read on the last one it would be 0.
      pair.m.userForce({
        name: "mine",
        bodies: [pair.a, pair.b],
        apply: (_, [{ force }]) => {
          force[0] += 5;
        },
      });
    });
    expect(imbalance(simulation, m, (body) => applied(simulation, body))).toBeLessThan(1e-9);
    const power = reads(simulation).reduce(
      (sum, { name }) => sum + simulation.force(name).power,
      0,
    );
    expect(Math.abs(power - gain(simulation))).toBeLessThan(1e-9 * (1 + Math.abs(power)));
    if (type !== "userForce") return;
    expect(byName(simulation, "mine")).toBe("refused");
    expect(() => simulation.force("mine").force()).toThrow(/acts on a and b: say on which/);
  });
});

/** A block lifted by a drum: z of the block follows the angle of the drum. */
async function winch(value: string) {
  const { m, a, b } = freePair();
  m.prismatic({ between: [m.ground, a], axis: [0, 0, 1] });
  m.revolute({ name: "drum", between: [m.ground, b], at: [1, 0.6, 1.1], axis: [0, 1, 0] });
  m.constraint({ name: "lift", rows: ["rope"], value: [value] });
  m.pointForce({ on: a, force: [0, 0, -4] });
  m.torque({ on: b, torque: [0, 1, 0] });
  return { data: m.data(), solution: solve(await compile(m), { span: [0, 0.1] }) };
}

describe("user constraints", () => {
  test("provide multipliers by name, also in solutions and formulas", async () => {
    // Block of 1.5 kg at 4 N down, drum of 0.5 kg m^2 at 1 N m, rope on 0.2 m: 1.5 a = lambda - 4, 0.5 w' = 1 - 0.2 lambda, a = 0.2 w'.
    const rope = (0.2 / 0.5 + 4 / 1.5) / (1 / 1.5 + 0.2 ** 2 / 0.5);
    const { data, solution } = await winch("z('a') - 0.65 - 0.2 * angle('drum')");
    const columns = solution.joint("lift").multipliers;
    expect(columns.rope).toHaveLength(solution.length);
    for (const value of columns.rope!) expect(value).toBeCloseTo(rope, 9);
    for (const name of ["lift", "lift.rope"]) {
      const formula = parseStateFormula(`multiplier('${name}')`, data);
      expect(formula.read(solution.end)).toBeCloseTo(rope, 9);
      expect(formula.dimension).toBe("force");
    }
    expect(solution.end.joint("lift").force({ on: "a" })[2]).toBeCloseTo(rope, 9);
    expect(solution.end.joint("lift").torque({ on: "b" })[1]).toBeCloseTo(-0.2 * rope, 9);
  });

  test("reject a force without a body, and suggest multipliers", async () => {
    const { data, solution } = await winch("z('a') - 0.65 - 0.2 * angle('drum')");
    expect(() => solution.joint("lift").force).toThrow(
      /acts on a and b: say on which.*multipliers/,
    );
    expect(() => parseStateFormula("fz('lift')", data)).toThrow(/read multiplier\('lift'\)/);
    expect(() => parseStateFormula("multiplier('lfit')", data)).toThrow(/lift/);
  });

  test("report a torque and no force for rows on angles", async () => {
    const { data, solution } = await winch("angle('drum') - 0.1 * t^2");
    expect(() => solution.end.joint("lift").force()).toThrow(/by a torque alone: read torque/);
    expect(() => parseStateFormula("force('lift')", data).read(solution.end)).toThrow(
      /torque alone/,
    );
    // 0.5 * 0.2 = 1 + lambda
    expect(solution.end.joint("lift").torque()[1]).toBeCloseTo(-0.9, 8);
  });
});
