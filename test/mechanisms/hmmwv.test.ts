import { type BodySimulation, compile, linearise } from "nodrift/bodies";
import { hmmwv, hmmwvEigenvalues, hmmwvRoad } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { cross, difference, minus, plus, scaled, type V3 } from "./support/vectors.js";

// The model and its initial state; hmmwv-motion.test.ts tests how it moves over the bump and settles.

const CORNERS = ["front right", "front left", "rear right", "rear left"];
const WHEELS: V3[] = [
  [1.648965, -0.91, 0.449],
  [1.648965, 0.91, 0.449],
  [-1.652965, -0.91, 0.449],
  [-1.652965, 0.91, 0.449],
];
const G = 9.81;

async function started(options = {}): Promise<BodySimulation> {
  return (await compile(hmmwv(options))).simulate({ step: 1e-6 });
}

describe("HMMWV model", () => {
  test("contains the bodies, rows and degrees of freedom of the paper", async () => {
    const { report, data, assembly } = await compile(hmmwv());
    expect(data.bodies).toHaveLength(14);
    // The norms of Euler parameters are 14 of the paper's 80 rows, and reduce its 98 coordinates as well.
    expect(report).toMatchObject({ rows: 80 - 14, rank: 66, degreesOfFreedom: 98 - 80 });
    expect([report.redundant, report.singular]).toEqual([[], false]);
    expect(assembly).toMatchObject({ moved: 0, velocityResidual: 0 });
    const count = (type: string) => data.joints.filter((joint) => joint.type === type).length;
    expect(["revolute", "spherical", "distance", "prismatic"].map(count)).toEqual([4, 12, 4, 1]);
    expect([data.forces.length, count("pointOnPlane")]).toEqual([16, 1]);
  });

  test("uses readable names", () => {
    const { bodies, joints, forces } = hmmwv().data();
    const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
    for (const corner of CORNERS) {
      const at = (...words: string[]) => words.map((word) => `${word} ${corner}`);
      expect(names(bodies)).toEqual(
        expect.arrayContaining(at("upper arm", "lower arm", "spindle")),
      );
      expect(names(joints)).toEqual(
        expect.arrayContaining(at("upper arm", "lower arm", "upper ball", "lower ball", "tie rod")),
      );
      expect(names(forces)).toEqual(
        expect.arrayContaining(at("bushing", "spring", "shock", "tyre")),
      );
    }
  });

  test("notes that the published inertias of the arms are impossible", async () => {
    const { notes } = (await compile(hmmwv())).report;
    expect(notes).toHaveLength(2);
    expect(notes[0]).toMatch(/"upper arm front right".*0\.03, 0\.03 and 0\.06276/);
    expect(notes[1]).toMatch(/"lower arm front right".*0\.4, 0\.4 and 0\.8938/);
  });

  test("weighs 2387 kg and moves at 16 km/h, or at a given speed", async () => {
    const bodies = hmmwv().data().bodies;
    const mass = bodies.reduce((sum, body) => sum + body.mass, 0);
    expect(mass).toBeCloseTo(2086.52 + 4 * (5.813 + 23.965 + 43) + 9.072, 9);
    expect(difference((await started()).momentum(), [(mass * 16) / 3.6, 0, 0])).toBeLessThan(1e-9);
    const slow = await started({ speed: -0.5 });
    expect(difference(slow.momentum(), [mass * -0.5, 0, 0])).toBeLessThan(1e-9);
  });

  test("rejects invalid options", () => {
    const bad = (options: object) => () => hmmwv(options);
    expect(bad({ speed: Number.NaN })).toThrow("hmmwv: speed is NaN; give a finite number");
    expect(bad({ speed: "fast" })).toThrow('hmmwv: speed is "fast"; give a finite number');
    expect(bad({ bump: 1 })).toThrow("hmmwv: bump is 1; give true or false");
    expect(bad({ bumps: true })).toThrow("hmmwv: bumps is not an option: did you mean bump?");
    expect(bad([])).toThrow("hmmwv: options must be an object");
  });
});

describe("HMMWV in its initial state", () => {
  test("accelerates alike on both sides", async () => {
    const simulation = await started();
    const [right, left] = ["right", "left"].map((side) =>
      ["front", "rear"].flatMap((axle) =>
        ["upper arm", "lower arm", "spindle"].map((part) =>
          simulation.body(`${part} ${axle} ${side}`),
        ),
      ),
    );
    right.forEach((body, i) => {
      // Reflection at y = 0 reverses y of vectors, and x and z of rotations.
      const [x, y, z] = body.centreAcceleration;
      const [a, b, c] = body.angularAcceleration;
      expect(difference(left[i].centreAcceleration, [x, -y, z])).toBeLessThan(1e-8);
      expect(difference(left[i].angularAcceleration, [-a, b, -c])).toBeLessThan(1e-7);
      expect(Math.abs(z)).toBeGreaterThan(0.1);
    });
    for (const name of ["chassis", "rack"]) {
      const { centreAcceleration, angularAcceleration } = simulation.body(name);
      const [x, , z] = angularAcceleration;
      expect(difference([centreAcceleration[1], x, z], [0, 0, 0])).toBeLessThan(1e-9);
    }
  });

  test("changes momentum by tyres and weight only, linear and angular", async () => {
    const simulation = await started();
    let force: V3 = [0, 0, 0];
    let moment: V3 = [0, 0, 0];
    const add = (f: V3, point: V3) => {
      force = plus(force, f);
      moment = plus(moment, cross(point, f));
    };
    for (const { name, mass, inertia } of hmmwv().data().bodies) {
      const { centreOfMass, centreAcceleration, angularAcceleration } = simulation.body(name);
      add(scaled(mass, minus([...centreAcceleration], [0, 0, -G])), [...centreOfMass]);
      // Bodies do not rotate yet, and their axes are those of the world.
      moment = plus(moment, angularAcceleration.map((a, i) => a * inertia[4 * i]) as V3);
    }
    const [rateOfMomentum, rateOfAngular] = [force, moment];
    [force, moment] = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    for (const wheel of WHEELS) add([0, 0, 296325 * (0.4699 - 0.449)], wheel);
    expect(force[2]).toBeGreaterThan(2387 * G);
    expect(difference(rateOfMomentum, force)).toBeLessThan(1e-7);
    expect(difference(rateOfAngular, moment)).toBeLessThan(1e-7);
  });

  test("lifts a wheel on the bump by its height and rate", async () => {
    // Shifted forward, the front wheels stand on the slope of the bump.
    const ahead = hmmwvRoad.centre - 0.1 - WHEELS[0][0];
    const [bumpy, level] = [await started(), await started({ bump: false })];
    const lift = [bumpy, level].map((simulation) => {
      const q = simulation.q.slice();
      for (let i = 0; i < q.length; i += 7) q[i] += ahead;
      simulation.setState(q, simulation.v.slice(), "asGiven");
      return hmmwv()
        .data()
        .bodies.reduce(
          (sum, { name, mass }) => sum + mass * simulation.body(name).centreAcceleration[2],
          0,
        );
    });
    const [u, reach] = [-0.1, 0.4699 + 0.05];
    const height = Math.sqrt(reach ** 2 - u ** 2) - 0.4699;
    const slope = -u / Math.sqrt(reach ** 2 - u ** 2);
    const expected = 2 * (296325 * height + ((3502 * 16) / 3.6) * slope);
    expect(Math.abs(lift[0] - lift[1] - expected)).toBeLessThan(1e-6);
  });

  test("reproduces the published dominant eigenvalues", async () => {
    const found = linearise(await started(), { frozen: true }).eigenvalues.map(({ re, im }) => {
      expect(Math.abs(im)).toBeLessThan(100);
      return re;
    });
    const dominant = found.sort((a, b) => a - b).slice(0, 4);
    dominant.forEach((value, i) => {
      expect(value / hmmwvEigenvalues.design[i]).toBeCloseTo(1, 7);
    });
    // The paper has approximately -2.6e5.
    expect(Math.abs(dominant[0] + 2.6e5)).toBeLessThan(0.05e5);
  });
});

describe("HMMWV road", () => {
  const { centre, half, height, slope } = hmmwvRoad;
  const places = Array.from({ length: 201 }, (_, i) => centre + (half * (i - 100)) / 90.5);

  test("carries a wheel that touches the half cylinder or the ground", () => {
    expect(height(centre)).toBeCloseTo(0.05, 15);
    expect(half).toBeCloseTo(0.22246348014898992, 15);
    for (const x of places) {
      const z = height(x) + 0.4699;
      const gap = Math.hypot(x - 4.093650702, z) - 0.4699 - 0.05;
      if (z === 0.4699) expect(gap).toBeGreaterThan(-1e-15);
      else expect(Math.abs(gap)).toBeLessThan(1e-15);
      expect(height(x)).toBeGreaterThanOrEqual(0);
    }
    expect([height(centre - 1), height(centre + 1), slope(centre + 1)]).toEqual([0, 0, 0]);
  });

  test("provides the derivative of its height", () => {
    for (const x of places) {
      const found = (height(x + 1e-6) - height(x - 1e-6)) / 2e-6;
      expect(Math.abs(found - slope(x))).toBeLessThan(1e-8);
    }
    expect(slope(centre - half / 2)).toBeGreaterThan(0.1);
  });

  test("reaches the front wheels after half a second", () => {
    expect((centre - half - WHEELS[0][0]) / (16 / 3.6)).toBeCloseTo(0.5, 8);
  });
});
