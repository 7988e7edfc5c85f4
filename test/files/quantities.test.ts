// Quantities of states, compared with the API of states.

import type { BodyState } from "nodrift/bodies";
import {
  FormulaError,
  FunctionSet,
  type ModelFile,
  parseStateFormula,
  quantityNames,
  readDocument,
} from "nodrift/files";
import { solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";

const HOOK = `o'Hara's "hook"`;

/** A rod on a hinge, a slider, and a ball on a string, all in motion. */
const document = {
  nodrift: 1,
  name: "quantities",
  units: "SI",
  gravity: [0, 0.5, -9.81],
  bodies: [
    {
      name: "rod",
      mass: 1,
      shape: { type: "rod", length: 1, axis: [1, 0, 0] },
      centre: [0.1, 0, 0],
      position: [0.5, 0, 0],
      markers: [
        { name: "tip", at: [0.5, 0.1, 0.2] },
        { name: "a:b", at: [0, 1, 0] },
        { name: "hinge on rod", at: [0, 0, 1] },
      ],
    },
    { name: "slider", mass: 2, inertia: [1, 1, 1], velocity: [0.3, 0, 0] },
    { name: HOOK, mass: 0.5, inertia: [0.1, 0.1, 0.1], position: [0, 0, -2] },
    { name: "wheel", mass: 1, inertia: [0.1, 0.1, 0.1], position: [5, 0, 0] },
    { name: "bob", mass: 1, inertia: [0.1, 0.1, 0.1], position: [9, 0, -1] },
  ],
  joints: [
    { type: "revolute", name: "hinge", between: ["ground", "rod"], at: [0, 0, 0], axis: [0, 1, 0] },
    {
      type: "prismatic",
      name: "it's a rail",
      between: ["ground", "slider"],
      at: [0, 0, 0],
      axis: [1, 0, 0],
    },
    { type: "distance", name: "string", between: ["ground", HOOK], atA: [0.3, 0, 0] },
    {
      type: "revolute",
      name: "axle",
      between: ["ground", "wheel"],
      at: [5, 0, 0],
      axis: [0, 1, 0],
    },
    { type: "driveAngle", name: "motor", joint: "axle", angle: "sin(t)" },
  ],
  forces: [
    {
      type: "spring",
      name: "coil",
      between: ["ground", "bob"],
      atA: [9, 0, 0],
      stiffness: 40,
      length: 0.8,
    },
    {
      type: "motor",
      name: "push",
      joint: "it's a rail",
      mode: "torque",
      target: "output('pd.u') - state('filter')",
    },
  ],
  states: [{ name: "filter", names: ["y"], start: [0.2], rates: ["5*(angle('hinge') - y)"] }],
  controllers: [
    {
      name: "pd",
      every: 0.03,
      delay: 0.05,
      outputs: ["u", "sum"],
      memory: { sum: 0.1 },
      remember: { sum: "sum + 0.03*displacement('it''s a rail')" },
      sample: ["-2*displacement('it''s a rail') - displacementRate('it''s a rail')", "sum"],
    },
  ],
  modes: [{ name: "cut", without: ["string"] }],
  events: [{ when: "t - 0.6", action: { switchTo: "cut" } }],
  solve: { span: [0, 1] },
};

let file: ModelFile;
let state: BodyState;
let end: BodyState;

beforeAll(async () => {
  file = readDocument(document);
  const system = await file.compile();
  const solution = solve(system, file.solveOptions(system));
  state = solution.at(0.5);
  ({ end } = solution);
});

const read = (text: string, at = state) => parseStateFormula(text, file.model.data()).read(at);
const norm = (vector: readonly number[]) => Math.hypot(...vector);

const POINT = [0.5, 0.1, 0.2] as const;
type Wanted = Record<string, (at: BodyState) => number | undefined>;

/** Every name, with its reading for one body or joint. */
const wanted: Wanted = {
  "x('rod')": (at) => at.body("rod").position[0],
  "y('rod')": (at) => at.body("rod").position[1],
  "z('rod')": (at) => at.body("rod").position[2],
  "vx('rod')": (at) => at.body("rod").velocity[0],
  "vy('rod')": (at) => at.body("rod").velocity[1],
  "vz('rod')": (at) => at.body("rod").velocity[2],
  "speed('rod')": (at) => norm(at.body("rod").velocity),
  ...Object.fromEntries(
    ["x", "y", "z"].flatMap((x, i) =>
      ["x", "y", "z"].map((y, j) => [
        `r${x}${y}('rod')`,
        (at: BodyState) => at.body("rod").rotation[3 * j + i],
      ]),
    ),
  ),
  "wx('rod')": (at) => at.body("rod").angularVelocity[0],
  "wy('rod')": (at) => at.body("rod").angularVelocity[1],
  "wz('rod')": (at) => at.body("rod").angularVelocity[2],
  "ax('rod')": (at) => at.body("rod").acceleration[0],
  "ay('rod')": (at) => at.body("rod").acceleration[1],
  "az('rod')": (at) => at.body("rod").acceleration[2],
  "angle('hinge')": (at) => at.joint("hinge").angle,
  "angleRate('hinge')": (at) => at.joint("hinge").angleRate,
  "displacement('it''s a rail')": (at) => at.joint("it's a rail").displacement,
  "displacementRate('it''s a rail')": (at) => at.joint("it's a rail").displacementRate,
  "length('string')": (at) => at.joint("string").length,
  "lengthRate('string')": (at) => at.joint("string").lengthRate,
  "force('hinge')": (at) => norm(at.joint("hinge").force()),
  "fx('hinge')": (at) => at.joint("hinge").force()[0],
  "fy('hinge')": (at) => at.joint("hinge").force()[1],
  "fz('hinge')": (at) => at.joint("hinge").force()[2],
  "torque('it''s a rail')": (at) => norm(at.joint("it's a rail").torque()),
  "tx('hinge')": (at) => at.joint("hinge").torque()[0],
  "ty('it''s a rail')": (at) => at.joint("it's a rail").torque()[1],
  "tz('hinge')": (at) => at.joint("hinge").torque()[2],
  "multiplier('string')": (at) => at.joint("string").multipliers.length,
  "energy()": (at) => at.energy().total,
  "kineticEnergy()": (at) => at.energy().kinetic,
  "potentialEnergy()": (at) => at.energy().potential,
  "constraintError()": (at) => at.constraintError().position,
  "driveForce('motor')": (at) => at.joint("motor").driveForce,
  "power('coil')": (at) => at.force("coil").power,
  "motorTorque('push')": (at) => at.motor("push").torque,
  "motorPower('push')": (at) => at.motor("push").power,
  "state('filter')": (at) => at.state("filter").y,
  "output('pd.u')": (at) => at.output("pd").u,
  "springEnergy('coil')": (at) => at.force("coil").energy,
};

describe("a single quantity", () => {
  test("appears in this table for every name", () => {
    const names = Object.keys(wanted).map((text) => text.replace(/\(.*/, ""));
    expect(names.sort()).toEqual([...quantityNames].sort());
  });

  test.each(Object.entries(wanted))("%s", (text, of) => {
    const value = of(state);
    expect(Number.isFinite(value)).toBe(true);
    expect(Math.abs(read(text) - value!)).toBeLessThanOrEqual(1e-15 * Math.abs(value!));
  });

  test("for reactions acts on the second body: its weight plus its inertia force", () => {
    const [ax, , az] = state.body("rod").centreAcceleration;
    expect(Math.hypot(ax, az)).toBeGreaterThan(1);
    expect(Math.abs(read("fz('hinge')") - (az + 9.81))).toBeLessThan(1e-9);
    expect(Math.abs(read("fx('hinge')") - ax)).toBeLessThan(1e-9);
    const pull = read("sqrt(fx('string')^2 + fy('string')^2 + fz('string')^2)");
    expect(Math.abs(read("force('string')") - pull)).toBeLessThan(1e-12);
  });
});

describe("points of markers", () => {
  test("lie at the marker and move with it", () => {
    const rod = state.body("rod");
    expect([read("x('rod:tip')"), read("y('rod:tip')"), read("z('rod:tip')")]).toEqual([
      ...rod.point(POINT),
    ]);
    expect([read("vx('rod:tip')"), read("vy('rod:tip')"), read("vz('rod:tip')")]).toEqual([
      ...rod.pointVelocity(POINT),
    ]);
    expect(read("speed('rod:tip')")).toBeCloseTo(norm(rod.pointVelocity(POINT)), 14);
    expect(read("y('rod:a:b')")).toBe(rod.point([0, 1, 0])[1]);
    // The joint has made one of the same name, after this one.
    expect(read("z('rod:hinge on rod')")).toBe(rod.point([0, 0, 1])[2]);
  });

  test("do not rotate relative to their body", () => {
    for (const name of ["wx", "ay"]) {
      expect(() => read(`${name}('rod:tip')`)).toThrow(`write ${name}('rod')`);
    }
  });
});

describe("formulas", () => {
  test("depend on time, quantities and named functions", () => {
    const functions = new FunctionSet();
    functions.define({ name: "twice", of: ["x"], expression: "2*x" });
    const { read: value } = parseStateFormula(
      "twice(t) + z('rod')*x('rod') - z('rod')",
      file.model.data(),
      functions,
    );
    const [x, , z] = state.body("rod").position;
    expect(Math.abs(value(state) - (2 * state.time + z * x - z))).toBeLessThan(1e-15);
  });

  test("accept names that contain quotes, in either kind of quotes", () => {
    const height = state.body(HOOK).position[2];
    expect(read(`z('o''Hara''s "hook"')`)).toBe(height);
    expect(read(`z("o'Hara's ""hook""")`)).toBe(height);
  });

  test("return NaN in modes without a joint, and for quantities that a joint does not have", () => {
    expect(read("length('string')")).toBeCloseTo(Math.hypot(0.3, 2), 9);
    expect(read("length('string')", end)).toBeNaN();
    expect(read("force('string') + 1", end)).toBeNaN();
    expect(read("angle('hinge')", end)).toBe(end.joint("hinge").angle);
    expect(read("angle('string')")).toBeNaN();
  });

  test("know their dimension if they are a single quantity", () => {
    const dimensionOf = (text: string) => parseStateFormula(text, file.model.data()).dimension;
    const dimensions = {
      "x('rod')": "length",
      " vz( 'rod:tip' ) ": "velocity",
      "ay('rod')": "acceleration",
      "angle('hinge')": "angle",
      "wz('rod')": "angular velocity",
      'fx("hinge")': "force",
      "tz('hinge')": "torque",
      "energy()": "energy",
    };
    expect(dimensionOf(`x('o''Hara''s "hook"')`)).toBe("length");
    for (const [text, dimension] of Object.entries(dimensions)) {
      expect(dimensionOf(text)).toBe(dimension);
    }
    const mixed = ["x('rod')*fx('hinge')", "x('rod') - x('rod')", "-x('rod')", "2", "t", "sin(t)"];
    for (const text of mixed) expect(dimensionOf(text)).toBeUndefined();
  });
});

describe("unknown names", () => {
  test.each([
    ["z('rodd')", 'z: there is no body "rodd": did you mean rod?', 0],
    ["1 + z('ground')", 'z: there is no body "ground": there are rod, slider', 4],
    ["angle('hing')", 'angle: there is no joint "hing": did you mean hinge?', 0],
    ["angle('rod')", 'angle: there is no joint "rod": there are hinge, it\'s a rail, string', 0],
    ["x('rod:tpi')", 'x: there is no marker "rod:tpi": did you mean rod:tip?', 0],
    ["heigth('rod')", "there is no function heigth", 0],
    ["displacment('rod')", "there is no function displacment: did you mean displacement?", 0],
    ["z(rod)", "z takes a name in quotes: write z('rod')", 2],
    ["energy('rod')", "energy: it takes no name: write energy()", 0],
    ["speed()", "speed: it needs a name, as in speed('...')", 0],
  ])("%s", (text, words, offset) => {
    expect.assertions(3);
    try {
      read(text);
    } catch (error) {
      expect(error).toBeInstanceOf(FormulaError);
      expect((error as FormulaError).message).toContain(words);
      expect((error as FormulaError).offset).toBe(offset);
    }
  });
});
