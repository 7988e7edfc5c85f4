import { compile, type Model, model, type Vector } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { minus, size, times, turn } from "./support/balance.js";
import { chain, fourBars } from "./support/linkages.js";

const G = 9.81;

/** Two rotating bodies in free flight, connected by a spring. */
function flying(): Model {
  const m = model({ name: "flying", gravity: [0, 0, 0] });
  const one = m.body({
    name: "one",
    mass: 2,
    inertia: [0.3, 0.4, 0.5],
    centre: [0.1, 0.2, -0.1],
    position: [1, 2, 3],
    orientation: { axis: [1, 2, 2], angle: 0.7 },
    velocity: [0.3, -0.2, 0.1],
    angularVelocity: [1, -2, 0.5],
  });
  const other = m.body({
    name: "other",
    mass: 1,
    inertia: [0.2, 0.1, 0.2],
    position: [2, 2, 2],
    velocity: [-1, 0.5, 0],
    angularVelocity: { body: [0, 3, 1] },
  });
  m.spring({
    between: [one, other],
    atA: [1.3, 2, 3],
    atB: [2, 2, 2.4],
    stiffness: 20,
    length: 0.5,
  });
  return m;
}

describe("BodyReading", () => {
  test.each(["relative", "maximal"] as const)(
    "writes into arrays with the same bits, %s",
    async (coordinates) => {
      const simulation = (await compile(flying(), { coordinates })).simulate({ step: 1e-3 });
      const quantities = [
        "position",
        "orientation",
        "rotation",
        "centreOfMass",
        "velocity",
        "angularVelocity",
        "centreVelocity",
      ] as const;
      for (let i = 0; i < 20; i++) {
        simulation.advance(7);
        for (const name of ["one", "other"]) {
          const body = simulation.body(name);
          for (const quantity of quantities) {
            const expected = [...body[quantity]];
            const out = new Float64Array(expected.length + 3).fill(7);
            expect(body.read(quantity, out, 2)).toBe(out);
            expect([...out], quantity).toEqual([7, 7, ...expected, 7]);
          }
        }
      }
    },
  );

  test("rejects quantities and arrays that do not fit", async () => {
    const body = (await compile(flying())).simulate({ step: 1e-3 }).body("one");
    const read =
      (...given: unknown[]) =>
      () =>
        (body.read as (...all: unknown[]) => unknown)(...given);
    expect(read("positon", [0, 0, 0])).toThrow(/body "one": read: there is no "positon".*position/);
    expect(read("toString", [0, 0, 0])).toThrow(/there is no "toString"/);
    expect(read("position", undefined)).toThrow(/out is undefined; give an array of numbers/);
    expect(read("orientation", new Float64Array(3))).toThrow(
      /orientation has 4 numbers, which do not fit from 0 on into an array of 3/,
    );
    for (const offset of [-1, 0.5, 1, Number.NaN, "0"]) {
      expect(read("position", new Float64Array(3), offset)).toThrow(/do not fit from/);
    }
  });

  test("returns the given pose and velocities", async () => {
    const simulation = (await compile(flying())).simulate({ step: 1e-3 });
    const one = simulation.body("one");
    expect(size(minus(one.position, [1, 2, 3]))).toBeLessThan(1e-15);
    expect(size(minus(one.velocity, [0.3, -0.2, 0.1]))).toBeLessThan(1e-15);
    expect(size(minus(one.angularVelocity, [1, -2, 0.5]))).toBeLessThan(1e-15);
    expect(one.orientation[0]).toBeCloseTo(Math.cos(0.35), 15);
    expect(Math.hypot(...one.orientation)).toBeCloseTo(1, 15);
    const arm = turn(one.rotation, [0.1, 0.2, -0.1]);
    expect(size(minus(minus(one.centreOfMass, one.position), arm))).toBeLessThan(1e-15);
    const local = simulation.body("other").inBodyAxes.angularVelocity;
    expect(size(minus(local, [0, 3, 1]))).toBeLessThan(1e-15);
    expect(size(minus(one.point([0, 0, 0]), one.position))).toBe(0);
    expect(one.mass).toBe(2);
  });

  test("returns velocities and accelerations that match differences of the motion", async () => {
    const h = 1e-3;
    const simulation = (await compile(flying())).simulate({ step: h });
    const names = ["one", "other"];
    const tip: Vector = [0.4, -0.3, 0.2];
    const record = () =>
      names.map((name) => {
        const body = simulation.body(name);
        return {
          position: body.position,
          velocity: body.velocity,
          angularVelocity: body.angularVelocity,
          acceleration: body.acceleration,
          angularAcceleration: body.angularAcceleration,
          tip: body.point(tip),
          tipVelocity: body.pointVelocity(tip),
          centreVelocity: body.centreVelocity,
          centreAcceleration: body.centreAcceleration,
        };
      });
    const frames = [record()];
    for (let i = 0; i < 4; i++) {
      simulation.advance();
      frames.push(record());
    }
    const pairs = [
      ["position", "velocity"],
      ["velocity", "acceleration"],
      ["angularVelocity", "angularAcceleration"],
      ["tip", "tipVelocity"],
      ["centreVelocity", "centreAcceleration"],
    ] as const;
    names.forEach((_, body) => {
      for (const [value, rate] of pairs) {
        const at = (i: number) => frames[i]![body]![value];
        const near = times(8, minus(at(3), at(1)));
        const slope = times(1 / (12 * h), minus(near, minus(at(4), at(0))));
        expect(size(minus(slope, frames[2]![body]![rate]))).toBeLessThan(3e-8);
      }
    });
  });

  test("returns copies for the present state", async () => {
    const simulation = (await compile(flying())).simulate({ step: 1e-3 });
    const one = simulation.body("one");
    const before = one.position;
    simulation.advance(10);
    expect(one.position).not.toEqual(before);
    expect(simulation.body("one")).toBe(one);
  });

  test("rejects an unknown body and suggests a name", async () => {
    const simulation = (await compile(flying())).simulate({ step: 1e-3 });
    expect(() => simulation.body("othr")).toThrow(
      'flying: there is no body "othr": did you mean other?',
    );
    expect(simulation.bodies).toEqual(["one", "other"]);
    expect(simulation.joints).toEqual([]);
  });
});

describe("sums over bodies", () => {
  test("momentum, angular momentum and energy are conserved", async () => {
    const simulation = (await compile(flying())).simulate({ step: 1e-3 });
    const about: Vector = [1, -1, 0.5];
    const read = () => [
      ...simulation.momentum(),
      ...simulation.angularMomentum(),
      ...simulation.angularMomentum(about),
      simulation.energy().total,
    ];
    const before = read();
    simulation.runTo(1);
    read().forEach((value, i) => {
      expect(Math.abs(value - before[i]!)).toBeLessThan(1e-9);
    });
    const [p, l] = [simulation.momentum(), simulation.angularMomentum()];
    const shift: Vector = [
      about[1] * p[2] - about[2] * p[1],
      about[2] * p[0] - about[0] * p[2],
      about[0] * p[1] - about[1] * p[0],
    ];
    expect(size(minus(minus(l, simulation.angularMomentum(about)), shift))).toBeLessThan(1e-12);
  });

  test("kinetic and potential energies add up to the energy of the simulation", async () => {
    for (const m of [chain(4), fourBars(2, 1, { speed: 2 })]) {
      const simulation = (await compile(m)).simulate({ step: 1e-3 }).advance(50);
      const sum = (part: "kineticEnergy" | "potentialEnergy") =>
        simulation.bodies.reduce((total, name) => total + simulation.body(name)[part], 0);
      const { kinetic, potential, total } = simulation.energy();
      expect(sum("kineticEnergy")).toBeCloseTo(kinetic, 11);
      expect(sum("potentialEnergy")).toBeCloseTo(potential, 11);
      expect(total).toBeCloseTo(kinetic + potential, 13);
    }
  });

  test("momentum changes by the applied forces", async () => {
    const simulation = (await compile(chain(3))).simulate({ step: 1e-3 }).advance(10);
    const held = simulation.joint("ball0").force({ on: "link0" });
    const rate = simulation.bodies.reduce(
      (sum, name) => [0, 1, 2].map((i) => sum[i]! + simulation.body(name).centreAcceleration[i]!),
      [0, 0, 0],
    ) as unknown as Vector;
    expect(size(minus(rate, [held[0], held[1], held[2] - 3 * G]))).toBeLessThan(1e-11);
  });
});

test("joint angles include full turns", async () => {
  const m = model({ name: "wheel", gravity: [0, 0, 0] });
  const wheel = m.body({ name: "wheel", mass: 1, inertia: [1, 1, 1], angularVelocity: [0, 0, 10] });
  m.revolute({ name: "axle", between: [m.ground, wheel], at: [0, 0, 0], axis: [0, 0, 1] });
  const simulation = (await compile(m)).simulate({ step: 1e-3 }).runTo(2);
  expect(simulation.joint("axle").angle).toBeCloseTo(20, 8);
  expect(simulation.joint("axle").angleRate).toBeCloseTo(10, 10);
});
