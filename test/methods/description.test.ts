import { type EquationsDescription, equations } from "nodrift";
import { describe, expect, test } from "vitest";
import { error, everything } from "../support/skate.js";

const good = everything();
const { holonomic, nonholonomic } = good;
const I = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const replaced = (row: number, values: unknown) =>
  I.map((given, i) => (i === row ? values : given));

describe("simulate rejects a description with", () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      "negative coordinates",
      { coordinates: -1 },
      "coordinates is -1; give an integer >= 0 or a list of names",
    ],
    [
      "half a coordinate",
      { coordinates: 2.5 },
      "coordinates is 2.5; give an integer >= 0 or a list of names",
    ],
    [
      "no coordinates",
      { coordinates: undefined },
      "coordinates is missing; give an integer >= 0 or a list of names",
    ],
    ["names that are none", { coordinates: ["x", 1, "y"] }, "coordinates[1] is 1; give text"],
    ["a coordinate twice", { coordinates: ["x", "y", "x"] }, 'coordinates has the name "x" twice'],
    [
      "rows",
      { holonomic: { ...holonomic, rows: Number.NaN } },
      "holonomic.rows is NaN; give an integer >= 0 or a list of names",
    ],
    [
      "velocity rows",
      { nonholonomic: { ...nonholonomic, rows: "spin" } },
      'nonholonomic.rows is "spin"; give an integer >= 0 or a list of names',
    ],
    [
      "a row twice",
      { nonholonomic: { ...nonholonomic, rows: ["rod"] } },
      'constraints has the name "rod" twice',
    ],
    ["no forces", { forces: undefined }, "forces is missing; give a function"],
    ["forces as numbers", { forces: [0, 0, 0] }, "forces is [0, 0, 0]; give a function"],
    ["potential", { potential: 1 }, "potential is 1; give a function"],
    [
      "potentialGradient",
      { potentialGradient: null },
      "potentialGradient is null; give a function",
    ],
    ["power", { power: 1 }, "power is 1; give a function"],
    ["prepare", { prepare: {} }, "prepare is {}; give a function"],
    [
      "no constraint function",
      { holonomic: { rows: 1 } },
      "holonomic.value is missing; give a function",
    ],
    [
      "jacobian",
      { holonomic: { ...holonomic, jacobian: [1] } },
      "holonomic.jacobian is [1]; give a function",
    ],
    [
      "timeDerivative",
      { holonomic: { ...holonomic, timeDerivative: 0 } },
      "holonomic.timeDerivative is 0; give a function",
    ],
    ["gamma", { holonomic: { ...holonomic, gamma: 0 } }, "holonomic.gamma is 0; give a function"],
    [
      "no velocity constraint function",
      { nonholonomic: { rows: 1 } },
      "nonholonomic.value is missing; give a function",
    ],
    [
      "velocity jacobian",
      { nonholonomic: { ...nonholonomic, jacobian: 1 } },
      "nonholonomic.jacobian is 1; give a function",
    ],
    [
      "velocity gamma",
      { nonholonomic: { ...nonholonomic, gamma: 1 } },
      "nonholonomic.gamma is 1; give a function",
    ],
    ["masses too few", { mass: [1, 1] }, "mass has 2 entries for 3 coordinates"],
    ["a mass of zero", { mass: [1, 0, 1] }, 'the mass of "y" is 0; it must be positive and finite'],
    [
      "a negative mass",
      { mass: [1, 1, -1] },
      'the mass of "turn" is -1; it must be positive and finite',
    ],
    [
      "an infinite mass",
      { mass: [Number.POSITIVE_INFINITY, 1, 1] },
      'the mass of "x" is Infinity; it must be positive and finite',
    ],
    ["a short row", { mass: replaced(1, [0, 1]) }, "row 1 of mass must have 3 numbers"],
    ["a row that is a number", { mass: replaced(2, 1) }, "row 2 of mass must have 3 numbers"],
    [
      "a mass matrix with NaN",
      { mass: replaced(0, [1, Number.NaN, 0]) },
      'mass is NaN between "x" and "y"',
    ],
    [
      "a mass matrix that is not symmetric",
      { mass: replaced(0, [1, 0, 0.5]) },
      'mass is not symmetric between "x" and "turn"',
    ],
    [
      "no mass",
      { mass: undefined },
      "mass is missing; give numbers, rows of numbers, { diagonal: function } or { full: function }",
    ],
    [
      "a mass function without its kind",
      { mass: () => [1, 1, 1] },
      "mass is a function; give numbers, rows of numbers, { diagonal: function } or { full: function }",
    ],
  ])("%s", (_, change, message) => {
    const description = { ...good, ...change } as unknown as EquationsDescription;
    expect(() => equations(description)).toThrow(error("DESCRIPTION", `skate: ${message}`));
  });
});

test("simulate names unnamed coordinates and rows", () => {
  const { name, coordinateNames, holonomicNames, nonholonomicNames } = equations({
    coordinates: 2,
    mass: [1, 1],
    forces: () => [0, 0],
    holonomic: { rows: 1, value: () => [0] },
    nonholonomic: { rows: 2, value: () => [0, 0] },
  });
  expect(name).toBe("system");
  expect(coordinateNames).toEqual(["q0", "q1"]);
  expect(holonomicNames).toEqual(["constraint 0"]);
  expect(nonholonomicNames).toEqual(["velocity constraint 0", "velocity constraint 1"]);
});
