// Errors of descriptions contain the name, the position and a suggestion.

import { equations, ode } from "nodrift/formulas";
import { describe, expect, test } from "vitest";

const good = { coordinates: ["x", "y"], parameters: { m: 1 }, kinetic: "m*(x'^2 + y'^2)/2" };
const wrong: readonly (readonly [string, object, RegExp])[] = [
  [
    "an unknown name",
    { parameters: { mass: 1 }, kinetic: "mas*x'^2" },
    /kinetic: unknown name "mas": did you mean mass\?/,
  ],
  ["an unknown key", { kinetik: "x'^2" }, /kinetik.*kinetic/],
  ["no energy", { kinetic: undefined }, /lagrangian, kinetic or mass is missing/],
  ["two energies", { lagrangian: "x'^2" }, /use only one of lagrangian and kinetic/],
  ["no mass", { kinetic: "m*x'^2" }, /"y" has no mass/],
  ["no quadratic energy", { kinetic: "x'^4 + y'^2" }, /not quadratic in x'/],
  ["accelerations", { forces: { x: "y''" } }, /accelerations/],
  ["the rate of a parameter", { forces: { x: "m'" } }, /m is a parameter/],
  ["a force on nothing", { forces: { z: "1" } }, /forces has "z"/],
  [
    "velocities in a holonomic row",
    { holonomic: { r: "x'" } },
    /use nonholonomic for rows on velocities/,
  ],
  ["positions in a nonholonomic row", { nonholonomic: { r: "x" } }, /contains no velocities/],
  ["a row that constrains nothing", { holonomic: { r: "t - 1" } }, /constrains nothing/],
  ["velocities in a potential", { potential: "x'" }, /the potential must depend on positions only/],
  ["a name twice", { quantities: { x: "1" } }, /"x" is used twice/],
  ["a reserved name", { parameters: { sin: 1, m: 1 } }, /reserved/],
  [
    "a list without index",
    { coordinates: ["x", "y", "z[1..2]"], kinetic: "z^2" },
    /z is a list: write z\[1\]/,
  ],
  [
    "an index beyond the end",
    { coordinates: ["x", "y", "z[1..2]"], kinetic: "z[3]^2" },
    /z\[3\] is out of range z\[1\] to z\[2\]/,
  ],
  ["an index that is no integer", { forces: { x: "sum(i, 1, 2.5, i)" } }, /integer/],
  ["a sum without end", { forces: { x: "sum(i, 1, 1000000, i)" } }, /at most 20000 terms/],
  ["a number that is none", { parameters: { m: "1" } }, /parameters\.m/],
  ["a start of nothing", { start: { z: 1 } }, /start has "z"/],
  ["a formula that is none", { potential: [] }, /potential: a formula must be a text/],
  ["a division by zero", { potential: "1/0" }, /division by zero/],
  [
    "sums in ranges that are read for ever",
    { quantities: { "u[i=1..2000]": "sum(j, 1, 20000, 1)" } },
    /exceed the limit of their total length/,
  ],
  [
    "too large",
    { quantities: { "u[i=1..1500]": "sum(j, 1, i, sin(j*x) + cos(i*j*y))" } },
    /too large|total length/,
  ],
];

describe("equations reject", () => {
  test.each(wrong)("%s", (_, change, message) => {
    expect(() => equations({ ...good, ...change } as never)).toThrow(message);
  });
  test("a wrong formula with its position in the text", () => {
    expect(() => equations({ ...good, potential: "m*(x + zz)" })).toThrow(
      /at character 8 of "m\*\(x \+ zz\)"/,
    );
  });
  test("functions are taken as before", () => {
    const system = equations({
      coordinates: 1,
      mass: [1],
      forces: (_q, _v, out) => void out.fill(1),
    });
    expect(system.differentiated).toEqual([]);
  });
});

test("differential equations", () => {
  const make = (given: object) => () => ode(given as never);
  expect(make({ unknowns: ["y"], rates: {} })).toThrow(/no formula for "y"/);
  expect(make({ unknowns: ["y"], rates: { y: "z" } })).toThrow(/unknown name "z"/);
  expect(make({ unknowns: ["y"], rates: { y: "y'" } })).toThrow(/is determined by the equations/);
  expect(make({ unknowns: ["y"] })).toThrow(/rates/);
  expect(make({ unknowns: [], rates: {} })).toThrow(/unknowns/);
});
