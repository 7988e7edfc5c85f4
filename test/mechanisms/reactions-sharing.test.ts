// Load sharing of redundant joints: across planes of motion, and by given and assumed compliances.

import { type BodySimulation, compile, type Model, model, type Vector } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { type EngineOptions, engine } from "../support/piston-engines.js";
import { seeded } from "../support/random.js";
import { imbalance, size } from "./support/balance.js";
import { bennett, fourBars } from "./support/linkages.js";

const G = 9.81;

/** Generator of numbers between 0 and 1. */
function random(seed: number): () => number {
  const next = seeded(seed);
  return () => (1 + next()) / 2;
}

async function start(m: Model): Promise<BodySimulation> {
  return (await compile(m)).simulate({ step: 1e-4 });
}

const FOUR = [0.05, 0.15, 0.25, 0.35];
const ENGINES: Readonly<Record<string, EngineOptions>> = {
  "one cylinder over the bearing": { cylinders: [0], bearings: [0] },
  "one cylinder beside the bearing": { cylinders: [0.12], bearings: [0] },
  "one cylinder between two bearings": { cylinders: [0.07], bearings: [0, 0.2] },
  "four cylinders on one bearing": { cylinders: FOUR, bearings: [0] },
  "four cylinders on two bearings": { cylinders: FOUR, bearings: [0, 0.4] },
  "four cylinders on five bearings": { cylinders: FOUR, bearings: [0, 0.1, 0.2, 0.3, 0.4] },
  "six cylinders, bearings outside of some": {
    cylinders: [-0.2, -0.1, 0, 0.1, 0.2, 0.3],
    bearings: [-0.05, 0.05],
  },
};

/** Returns random orthogonal axes. */
function turned(next: () => number): [Vector, Vector, Vector] {
  const wild = () => [2 * next() - 1, 2 * next() - 1, 2 * next() - 1] as const;
  const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const unit = (a: Vector): Vector => a.map((x) => x / size(a)) as never;
  const x = unit(wild());
  const rough = wild();
  const y = unit(rough.map((value, i) => value - dot(rough, x) * x[i]!) as never);
  const z: Vector = [
    x[1] * y[2] - x[2] * y[1],
    x[2] * y[0] - x[0] * y[2],
    x[0] * y[1] - x[1] * y[0],
  ];
  return [x, y, z];
}

const along = (a: Vector, n: Vector) => a[0] * n[0] + a[1] * n[1] + a[2] * n[2];

describe("reactions of planar engines", () => {
  test.each(Object.entries(ENGINES))("%s has no thrust", async (_name, options) => {
    const next = random(options.cylinders.length);
    for (let round = 0; round < 4; round++) {
      const axes = round === 0 ? undefined : turned(next);
      const n = axes?.[1] ?? [0, 1, 0];
      const phases = options.cylinders.map(() => 6 * next());
      const gas = options.cylinders.map(() => 2e4 * next());
      const speed = 300 * next();
      const m = engine({ ...options, phases, gas, speed, ...(axes && { axes }) });
      const simulation = await start(m);
      for (const name of simulation.joints) {
        const joint = simulation.joint(name);
        expect(Math.abs(along(joint.force(), n))).toBeLessThan(1e-7);
        // Two bearings hold the shaft without torques.
        if (options.bearings.length > 1) {
          const torque = joint.torque();
          const tilt = torque.map((part, i) => part - along(torque, n) * n[i]!);
          expect(size(tilt as never)).toBeLessThan(1e-6);
        }
      }
      const pressed = (body: string) => {
        if (!body.startsWith("piston")) return undefined;
        const force = (axes?.[0] ?? [1, 0, 0]).map((x) => -x * gas[Number(body.slice(6))]!);
        return { force: force as never, torque: [0, 0, 0] as const };
      };
      expect(imbalance(simulation, m, pressed)).toBeLessThan(1e-10);
    }
  });

  test("follow the lever rule for two bearings", async () => {
    const simulation = await start(engine({ cylinders: [0.07], bearings: [0, 0.2], gas: [8e3] }));
    const pin = simulation.joint("pin0").force({ on: "shaft" });
    const [left, right] = [0, 1].map((i) => simulation.joint(`main${i}`).force());
    for (const i of [0, 2]) {
      expect(left![i]!).toBeCloseTo((-pin[i]! * 0.13) / 0.2, 6);
      expect(right![i]!).toBeCloseTo((-pin[i]! * 0.07) / 0.2, 6);
    }
  });

  test("vary linearly along a stiff shaft on five bearings", async () => {
    const simulation = await start(engine(ENGINES["four cylinders on five bearings"]!));
    const forces = [0, 1, 2, 3, 4].map((i) => simulation.joint(`main${i}`).force()[0]);
    for (const i of [1, 2, 3]) {
      expect(forces[i - 1]! - 2 * forces[i]! + forces[i + 1]!).toBeCloseTo(0, 6);
    }
  });

  test("depend linearly on the load: a little axial gravity adds a little thrust", async () => {
    const options = ENGINES["four cylinders on one bearing"]!;
    const pulls = async (axial: number) => {
      const simulation = await start(engine({ ...options, gravity: [0, axial, 0] }));
      return simulation.joints.map((name) => simulation.joint(name).force()[1]);
    };
    const [tiny, full] = [await pulls(-1e-3), await pulls(-G)];
    // Shaft, rods and pistons have a mass of 8 + 4 x 1.
    const weight = 12 * G;
    for (const [i, pull] of full.entries()) {
      expect(Math.abs(pull)).toBeLessThanOrEqual(weight);
      expect(tiny[i]! / 1e-3).toBeCloseTo(pull / G, 4);
    }
  });

  test("follow compliances given for bearings, including axial rows and tilts", async () => {
    const options = ENGINES["four cylinders on one bearing"]!;
    const simulation = await start(engine({ ...options, compliance: [1e-8] }));
    expect(Math.abs(simulation.joint("main0").force()[1])).toBeGreaterThan(1);
    const text = simulation.joint("pin2").assumption;
    expect(text).toMatch(
      /^shared by the compliances given for main0 \(axial, tilt 1, tilt 2\), and assumed for pin0/,
    );
    expect(text).toContain(
      ": 1e-8 for forces, 1e-8 for torques, the mean of those given; L = 0.175",
    );
  });
});

describe("reactions of other linkages", () => {
  test("contain no thrust in a four-bar whose bars lie side by side", async () => {
    const next = random(7);
    for (let round = 0; round < 5; round++) {
      const m = sideBySide([next(), next(), next()]);
      const simulation = await start(m);
      for (const name of simulation.joints) {
        expect(Math.abs(simulation.joint(name).force()[1])).toBeLessThan(1e-9);
      }
    }
  });

  test("contain no thrust in sixty loops in a row", async () => {
    const simulation = await start(fourBars(60, 1.2, { speed: 1 }));
    for (const name of simulation.joints) {
      expect(Math.abs(simulation.joint(name).force()[1])).toBeLessThan(1e-7);
    }
  });

  test("assume equal compliance in Bennett's linkage, which is not planar", async () => {
    const assumed = await start(bennett({ speed: 1 }));
    const [first] = assumed.joints;
    expect(assumed.joint(first!).assumption).toMatch(/^assumes equal compliance; L = [\d.]+$/);
  });
});

/** Four-bar with its bars at different positions along the axes of its hinges, with all hinges redundant. */
function sideBySide([a, b, c]: readonly [number, number, number]): Model {
  const m = model({ gravity: [0, 0, -G] });
  const part = (name: string, x: number, y: number, z: number) =>
    m.body({ name, mass: 1 + y, inertia: [0.1, 0.2, 0.3], position: [x, y, z] });
  const bars = [part("left", 0, a, 0.5), part("coupler", 0.5, b, 1), part("right", 1, c, 0.5)];
  const axis = [0, 1, 0] as const;
  const [left, coupler, right] = bars as [(typeof bars)[0], (typeof bars)[0], (typeof bars)[0]];
  m.revolute({ name: "a", between: [m.ground, left], at: [0, 0, 0], axis });
  m.revolute({ name: "b", between: [left, coupler], at: [0, (a + b) / 2, 1], axis });
  m.revolute({ name: "c", between: [coupler, right], at: [1, (b + c) / 2, 1], axis });
  m.revolute({ name: "d", between: [m.ground, right], at: [1, 0, 0], axis });
  m.pointForce({ on: coupler, at: [0.7, b, 1], force: [300, 0, -500] });
  return m;
}

describe("compliances that are not given", () => {
  /** A shaft in three bearings, loaded near one of them. */
  const shares = async (...compliance: (number | undefined)[]) => {
    const options = { cylinders: [0.03], bearings: [0, 0.1, 0.25], gas: [1e4] };
    const simulation = await start(engine({ ...options, compliance }));
    const bearings = [0, 1, 2].map((i) => simulation.joint(`main${i}`));
    return { forces: bearings.map((bearing) => bearing.force()[0]), bearings };
  };

  test.each([1e-9, 1e-6, 1, 250])("follow a given one: %d", async (given) => {
    const one = await shares(given);
    const all = await shares(given, given, given);
    for (const i of [0, 1, 2]) expect(one.forces[i]! / all.forces[i]!).toBeCloseTo(1, 9);
    // No bearing carries everything.
    const total = one.forces.reduce((sum, force) => sum + force, 0);
    for (const force of one.forces) expect(Math.abs(force)).toBeLessThan(0.9 * Math.abs(total));
    expect(one.bearings.map(({ unique }) => unique)).toEqual([false, false, false]);
    for (const { assumption } of one.bearings) {
      expect(assumption).toMatch(
        /^shared by the compliances given for main0 \(.*, and assumed for main1 \(/,
      );
      expect(assumption).toContain(`${given} for forces`);
      expect(assumption).not.toContain("equal compliance");
    }
  });

  test("equal the geometric mean of the given ones", async () => {
    const two = await shares(1e-6, undefined, 4e-6);
    const three = await shares(1e-6, 2e-6, 4e-6);
    for (const i of [0, 1, 2]) expect(two.forces[i]! / three.forces[i]!).toBeCloseTo(1, 9);
  });

  test("do not matter for unique reactions", async () => {
    const next = random(3);
    const options = { cylinders: [0.1], bearings: [0] };
    const plain = await start(engine(options));
    for (let round = 0; round < 5; round++) {
      const given = {
        axial: 10 * next(),
        "tilt 1": 10 * next(),
        "tilt 2": next(),
        "transverse 1": next(),
      };
      const other = await start(engine({ ...options, compliance: [given] }));
      for (const name of plain.joints) {
        const [one, two] = [plain.joint(name), other.joint(name)];
        for (const [row, value] of Object.entries(one.multipliers)) {
          if (one.sharedRows.includes(row)) continue;
          expect(Math.abs(value - two.multipliers[row]!)).toBeLessThan(1e-7);
        }
      }
    }
  });
});
