// Constraints whose forces do work, against closed forms: a block on an incline and a bead on a circle with dry friction.

import {
  coupledMethods,
  driftElimination,
  energyVelocity,
  equations,
  formulations,
  type Method,
  NodriftError,
  type NonIdealConstraints,
  rk4,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { controlForces, withTracking } from "nodrift/analysis";
import { describe, expect, test } from "vitest";
import { bead, beadSpeed, block, blockPosition } from "../support/friction.js";

const methods: readonly (readonly [string, Method])[] = [
  ...formulations
    .filter(({ isApproximate }) => !isApproximate)
    .map((formulation) => [formulation.name, { formulation, integrator: rk4() }] as const),
  [
    "udwadiaKalaba + driftElimination",
    { formulation: udwadiaKalaba(), stabilisation: driftElimination(), integrator: rk4() },
  ],
];

describe.each(methods)("%s", (_, method) => {
  test("a block slides down an incline as in the closed form", () => {
    const simulation = simulate(block().equations, { method, step: 0.01, q: [0, 0], v: block().v });
    simulation.runTo(1);
    const [x, y] = blockPosition(1);
    expect(Math.hypot(simulation.q[0] - x, simulation.q[1] - y)).toBeLessThan(1e-12);
  });

  test("a bead with friction on a circle has the speed of the closed form", () => {
    const { equations: circle, q, v } = bead();
    const simulation = simulate(circle, { method, step: 1e-3, q, v });
    let worst = 0;
    simulation.runTo(0.2, () => {
      const angle = Math.atan2(simulation.q[0], -simulation.q[1]);
      const speed = Math.hypot(...simulation.v);
      worst = Math.max(worst, Math.abs(speed - beadSpeed(angle)));
    });
    expect(worst).toBeLessThan(1e-9);
  });
});

test.each(coupledMethods.map((coupled) => [coupled.name, coupled] as const))(
  "%s supports non-ideal constraints",
  (_, coupled) => {
    const simulation = simulate(block().equations, {
      method: { coupled },
      step: 1e-3,
      q: [0, 0],
      v: block().v,
    });
    simulation.runTo(1);
    const [x, y] = blockPosition(1);
    expect(Math.hypot(simulation.q[0] - x, simulation.q[1] - y)).toBeLessThan(5e-3);
  },
);

test("friction dissipates the right energy, and energy control includes it", () => {
  const { equations: circle, q, v } = bead();
  const method: Method = {
    formulation: udwadiaKalaba(),
    stabilisation: [driftElimination(), energyVelocity({ gain: 0.1 })],
    integrator: rk4(),
  };
  const simulation = simulate(circle, { method, step: 1e-3, q, v });
  let worst = 0;
  simulation.runTo(0.2, () => {
    const angle = Math.atan2(simulation.q[0], -simulation.q[1]);
    worst = Math.max(worst, Math.abs(Math.hypot(...simulation.v) - beadSpeed(angle)));
  });
  expect(worst).toBeLessThan(1e-9);
});

/** A particle on a line y = 0 in gravity, with a law. */
const onLine = (nonIdeal: NonIdealConstraints, extra = {}) =>
  equations({
    name: "slider",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_q, _v, out) => {
      out[1] = -10;
    },
    holonomic: {
      rows: ["floor"],
      value: (q, out) => {
        out[0] = q[1];
      },
    },
    nonIdeal,
    ...extra,
  });
const go = (source: ReturnType<typeof onLine>) =>
  simulate(source, {
    method: { formulation: udwadiaKalaba(), integrator: rk4() },
    step: 0.01,
    q: [0, 0],
    v: [1, 0],
  });

test("the constrained part of a law changes multipliers, not the motion", () => {
  const simulation = go(onLine({ force: () => [-1, 7] }));
  expect([...simulation.accelerations()]).toEqual([-1, 0]);
  expect(simulation.multipliers()[0]).toBeCloseTo(3, 13);
});

test("a law that depends on multipliers converges, with as many iterations as it needs", () => {
  // lambda = 10 - C_y, C_y = lambda / 2: lambda = 20 / 3.
  const force = (_q: unknown, _v: unknown, [lambda]: Float64Array, out: Float64Array) => {
    out[0] = -0.1 * lambda;
    out[1] = lambda / 2;
  };
  const simulation = go(onLine({ force } as never));
  expect(simulation.multipliers()[0]).toBeCloseTo(20 / 3, 12);
  expect(simulation.accelerations()[0]).toBeCloseTo(-2 / 3, 12);
  expect(() => go(onLine({ force, iterations: 3 } as never)).accelerations()).toThrow(
    /slider: nonIdeal.force and the multipliers do not settle at t = 0, after 3 iterations/,
  );
});

test("an unsolvable law, a NaN and a law without constraints are rejected by name", () => {
  const jams = (_q: unknown, _v: unknown, [lambda]: Float64Array, out: Float64Array) => {
    out[1] = 2 * lambda;
  };
  expect(() => go(onLine({ force: jams } as never)).accelerations()).toThrow(/do not settle/);
  const broken = onLine({
    force: (_q, _v, _m, out) => {
      out[0] = Number.NaN;
    },
  });
  expect(() => go(broken).advance()).toThrow(/slider: nonIdeal.force gave NaN for "x" at t = 0/);
  const { holonomic: _, ...free } = onLine({ force: () => {} }).description;
  expect(() => equations(free)).toThrow(NodriftError);
  expect(() => equations(free)).toThrow(/nonIdeal is a law of constraint forces, but there are no/);
});

test("a law sees the multipliers of its own rows when references are added", () => {
  const seen: number[][] = [];
  const description = onLine({
    force: (_q, _v, multipliers, out) => {
      seen.push([...multipliers]);
      out[0] = -0.3 * multipliers[0];
    },
  }).description;
  const tracked = withTracking(
    {
      ...description,
      nonholonomic: {
        rows: ["still"],
        value: (_q, v, out) => {
          out[0] = v[2];
        },
      },
      coordinates: ["x", "y", "z"],
      mass: [1, 1, 1],
      forces: (_q, _v, out) => out.set([0, -10, 5]),
    },
    [{ name: "drive", follows: "x", reference: () => 0, rate: () => 0, acceleration: () => 0 }],
  );
  const simulation = simulate(equations(tracked), {
    method: { formulation: udwadiaKalaba(), integrator: rk4() },
    step: 0.01,
    q: [0, 0, 0],
    v: [0, 0, 0],
  });
  simulation.accelerations();
  expect(seen.every((one) => one.length === 2)).toBe(true);
  expect(seen.at(-1)?.[0]).toBeCloseTo(10, 12);
  expect(seen.at(-1)?.[1]).toBeCloseTo(-5, 12);
  expect(controlForces(simulation, ["drive"])[0]).toBeCloseTo(3, 12);
});
