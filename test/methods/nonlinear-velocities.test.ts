// Formulations on the level of velocities solve J v + b = 0: all of them reject constraints nonlinear in v, in every
// form. Formulations on the level of accelerations support these to full order.

import {
  baumgarte,
  coupledMethods,
  driftElimination,
  type EquationsDescription,
  equations,
  formulations,
  type Method,
  projection,
  rk4,
  simulate,
  stagedProjection,
  udwadiaKalaba,
} from "nodrift";
import { describe, expect, test } from "vitest";
import { orderOnCone } from "../support/nonlinear-rows.js";
import { seeded } from "../support/random.js";

const onVelocities = formulations.filter(({ level }) => level !== "acceleration");
const REFUSED =
  /the nonholonomic constraint "velocity constraint 0" is nonlinear in the velocities.*udwadiaKalaba\(\)/;

type Row = (v: Float64Array, q: Float64Array) => number;

/** Three coordinates under a force, with one row on velocities that has only a value. */
function particle(row: Row) {
  return equations({
    coordinates: ["x", "y", "z"],
    mass: [1, 2, 3],
    forces: (_q, _v, out) => {
      out[0] = 0.3;
      out[2] = -1;
    },
    nonholonomic: { rows: 1, value: (q, v) => [row(v, q)] },
  } satisfies EquationsDescription);
}

function firstStep(
  row: Row,
  formulation: (typeof formulations)[number],
  v: readonly number[],
  step = 1e-3,
  until = 2e-3,
) {
  const method = { formulation, integrator: rk4() };
  return simulate(particle(row), { method, step, q: [0, 0, 0], v: [...v] }).runTo(until);
}

const NONLINEAR: Readonly<Record<string, { row: Row; v: readonly number[] }>> = {
  "homogeneous of degree two, as Appell's and Hamel's": {
    row: ([x, y, z]) => x * x + y * y - z * z,
    v: [3, 4, 5],
  },
  "homogeneous of degree two, slow": {
    row: ([x, y, z]) => x * x + y * y - z * z,
    v: [3e-6, 4e-6, 5e-6],
  },
  "homogeneous of degree two, fast": {
    row: ([x, y, z]) => x * x + y * y - z * z,
    v: [3e5, 4e5, 5e5],
  },
  "homogeneous of degree one": {
    row: ([x, y, z]) => Math.sqrt(x * x + y * y) - z,
    v: [3, 4, 5],
  },
  "homogeneous of degree three": {
    row: ([x, y, z]) => x * y * z - y * y * y,
    v: [1, 2, 4],
  },
  "of one speed": { row: ([x, y, z]) => x * x + y * y + z * z - 25, v: [0, 3, 4] },
  "a small part only": { row: ([x, y]) => x - y + 1e-4 * x * y, v: [0, 0, 1] },
};

describe.each(Object.entries(NONLINEAR))("%s", (_, { row, v }) => {
  test.each(onVelocities.map((formulation) => [formulation.name, formulation] as const))(
    "%s refuses it",
    (_name, formulation) => {
      expect(() => firstStep(row, formulation, v)).toThrow(REFUSED);
    },
  );
});

test("all velocity-level formulations reject random quadratic rows, at states that satisfy them", () => {
  const random = seeded(20260717);
  const vector = () => Array.from({ length: 3 }, () => 2 * random() - 1);
  const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  for (let k = 0; k < 20; k++) {
    const [a, b, [c, d, e]] = [vector(), vector(), vector()];
    // A product of two linear forms, one of which is zero.
    const row: Row = (v) => dot(a, v) * dot(b, v);
    const v = [a[1] * e - a[2] * d, a[2] * c - a[0] * e, a[0] * d - a[1] * c];
    for (const formulation of onVelocities) {
      expect(() => firstStep(row, formulation, v)).toThrow(REFUSED);
    }
  }
});

test("all velocity-level formulations accept random linear rows of any direction", () => {
  const random = seeded(7);
  const number = () => 2 * random() - 1;
  for (let k = 0; k < 20; k++) {
    const [a, b, c, turn] = [number(), number(), number(), 6 * number()];
    const length = Math.hypot(a, b, c);
    const row: Row = ([x, y, z], [angle]) =>
      (1e3 ** (k % 3) * (Math.cos(angle + turn) * (a * x + b * y) + c * z)) / length;
    const speed = 10 ** ((k % 5) - 2);
    const slope = -(Math.cos(turn) * (a + 2 * b)) / c;
    for (const formulation of onVelocities) {
      const { v } = firstStep(row, formulation, [speed, 2 * speed, slope * speed]);
      expect([...v].every(Number.isFinite), formulation.name).toBe(true);
    }
  }
});

describe("nonlinear rows with all derivatives", () => {
  const reference: Method = { formulation: udwadiaKalaba(), integrator: rk4() };
  const exact = formulations.filter(
    ({ level, isApproximate }) => level === "acceleration" && !isApproximate,
  );

  test.each(exact.map((formulation) => [formulation.name, formulation] as const))(
    "%s takes them to order 4",
    (_, formulation) => {
      expect(orderOnCone({ formulation, integrator: rk4() }, reference)).toBeGreaterThan(3.8);
    },
  );

  test.each([
    driftElimination(),
    driftElimination({ positions: false }),
    projection(),
    projection({ solver: "penalty" }),
    stagedProjection(),
    baumgarte({ alpha: 5, beta: 5 }),
  ])("$name keeps that order", (stabilisation) => {
    const method = { formulation: udwadiaKalaba(), stabilisation, integrator: rk4() };
    expect(orderOnCone(method, reference)).toBeGreaterThan(3.8);
  });

  test.each(coupledMethods.map((coupled) => [coupled.name, coupled] as const))(
    "%s has its order",
    (_, coupled) => {
      const step = coupled.order > 4 ? 1 / 4 : 1 / 16;
      expect(orderOnCone({ coupled }, reference, step)).toBeGreaterThan(coupled.order - 0.2);
    },
  );
});

test("nonlinear rows without derivatives have the same accelerations, by finite differences", () => {
  const { row, v } = NONLINEAR["homogeneous of degree two, as Appell's and Hamel's"];
  const run = (formulation: (typeof formulations)[number], step: number) =>
    firstStep(row, formulation, v, step, 0.5);
  const taking = formulations.filter(
    ({ level, isApproximate }) => level === "acceleration" && !isApproximate,
  );
  const { q: known } = run(taking[0], 1 / 1024);
  for (const formulation of taking) {
    const [coarse, fine] = [1 / 16, 1 / 32].map((step) => {
      const { q } = run(formulation, step);
      return Math.max(...[...q].map((x, i) => Math.abs(x - known[i])));
    });
    expect(fine, formulation.name).toBeLessThan(1e-9);
    expect(Math.log2(coarse / fine), formulation.name).toBeGreaterThan(3.5);
  }
});
