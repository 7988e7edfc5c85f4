// A function may return its values instead of writing them, with the same bits.

import { baumgarte, type EquationsDescription, equations, lagrange, rk4, simulate } from "nodrift";
import { describe, expect, test } from "vitest";
import { everything, method, projected, START } from "../support/skate.js";

type Writing = (...parameters: unknown[]) => void;

/** Wraps a function to return an array, or an array of rows for matrices. */
function returning(user: unknown, size: number, width = 0): unknown {
  return (...parameters: unknown[]) => {
    const own = new Float64Array(size);
    const copy = [...parameters];
    copy[copy.length - 2] = own;
    (user as Writing)(...copy);
    const flat = Array.from(own);
    if (width === 0) return flat;
    return Array.from({ length: size / width }, (_, i) => flat.slice(i * width, (i + 1) * width));
  };
}

const good = everything();
const { holonomic, nonholonomic, mass } = good;
const full = (mass as { full: unknown }).full;
const changes: [string, object][] = [
  ["mass by rows", { mass: { full: returning(full, 9, 3) } }],
  ["mass flat", { mass: { full: returning(full, 9) } }],
  ["forces", { forces: returning(good.forces, 3) }],
  ["value", { holonomic: { ...holonomic, value: returning(holonomic.value, 1) } }],
  [
    "jacobian by rows",
    { holonomic: { ...holonomic, jacobian: returning(holonomic.jacobian, 3, 3) } },
  ],
  ["jacobian flat", { holonomic: { ...holonomic, jacobian: returning(holonomic.jacobian, 3) } }],
  [
    "timeDerivative",
    { holonomic: { ...holonomic, timeDerivative: returning(holonomic.timeDerivative, 1) } },
  ],
  ["gamma", { holonomic: { ...holonomic, gamma: returning(holonomic.gamma, 1) } }],
  [
    "velocity value",
    { nonholonomic: { ...nonholonomic, value: returning(nonholonomic?.value, 1) } },
  ],
  [
    "velocity jacobian",
    { nonholonomic: { ...nonholonomic, jacobian: returning(nonholonomic?.jacobian, 3, 3) } },
  ],
  [
    "velocity gamma",
    { nonholonomic: { ...nonholonomic, gamma: returning(nonholonomic?.gamma, 1) } },
  ],
];

describe.each([
  ["baumgarte", method],
  ["projection", projected],
  [
    "kkt",
    { formulation: lagrange({ solver: "kkt" }), stabilisation: baumgarte(), integrator: rk4() },
  ],
] as const)("user functions with %s", (_, tried) => {
  const expected = simulate(equations(good), { method: tried, ...START }).advance(20);

  test.each(changes)("%s may return its array", (__, change) => {
    const returned = equations({ ...good, ...change } as EquationsDescription);
    const simulation = simulate(returned, { method: tried, ...START }).advance(20);
    expect(simulation.q).toEqual(expected.q);
    expect(simulation.v).toEqual(expected.v);
  });

  test("all functions together may return arrays, typed ones too", () => {
    const typed: EquationsDescription = {
      ...(Object.assign({}, good, ...changes.map(([, change]) => change)) as EquationsDescription),
      forces: () => Float64Array.of(0, -1, 0),
    };
    const simulation = simulate(equations(typed), { method: tried, ...START }).advance(20);
    expect(simulation.q).toEqual(expected.q);
  });
});
