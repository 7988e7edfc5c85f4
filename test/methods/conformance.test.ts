// Requirements on every entry of the registries. A registry line enrols it here.

import {
  coupledMethods,
  type Formulation,
  integrators,
  lagrange,
  type Method,
  NodriftError,
  none,
  projection,
  formulations as registered,
  rk4,
  type Stabilisation,
  stabilisations,
  udwadiaKalaba,
} from "nodrift";
import { directFormulations, directMethods, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { freeFall, measuredOrder, pendulum, positionError, start } from "./support/pendulum.js";

const formulations = [...registered, stateSpace()];
const coupledOnes = [...coupledMethods, ...directMethods];

/** Every valid combination of parts; the others are rejected with a METHOD error. */
const methods: { name: string; method: Method }[] = [];
const refused: { name: string; reason: string }[] = [];
for (const formulation of [...formulations, ...directFormulations]) {
  for (const stabilisation of stabilisations) {
    for (const integrator of Object.values(integrators).map((make) => make())) {
      const name = [formulation, stabilisation, integrator].map((part) => part.name).join(" + ");
      const method = { formulation, stabilisation, integrator };
      try {
        start(method, 0.01);
        methods.push({ name, method });
      } catch (error) {
        if (!(error instanceof NodriftError && error.code === "METHOD")) throw error;
        refused.push({ name, reason: error.message });
      }
    }
  }
}
for (const coupled of coupledOnes) methods.push({ name: coupled.name, method: { coupled } });

const stateOf = ({ q, v }: { q: Float64Array; v: Float64Array }) => [...q, ...v];

test("the registries have distinct names, each with a reference", () => {
  const entries = [
    ...formulations,
    ...directFormulations,
    ...stabilisations,
    ...coupledOnes,
    ...Object.values(integrators).map((make) => make()),
  ];
  expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  for (const { name, reference } of entries) expect(reference, name).not.toBe("");
});

test("every combination of methods that is rejected has a reason", () => {
  expect(refused.length).toBeGreaterThan(0);
  for (const { name, reason } of refused) expect(reason.length, name).toBeGreaterThan(40);
});

describe.each(methods)("$name", ({ name, method }) => {
  test("stays on the circle, and repeats and continues a saved run with the same bits", () => {
    const once = start(method, 0.005);
    const twice = start(method, 0.005);
    once.advance(20);
    const saved = once.save();
    once.advance(20);
    twice.advance(40);
    expect(stateOf(twice)).toEqual(stateOf(once));
    const again = start(method, 0.005);
    again.restore(saved);
    again.advance(20);
    expect(stateOf(again)).toEqual(stateOf(once));
    expect(Math.abs(Math.hypot(...once.q) - 1)).toBeLessThan(0.02);
  });

  test("does nothing in a run of length zero", () => {
    const simulation = start(method, 0.01);
    const before = stateOf(simulation);
    simulation.runTo(0);
    simulation.advance(0);
    expect(stateOf(simulation)).toEqual(before);
  });

  test("runs without constraints", () => {
    const simulation = start(method, 0.01, freeFall());
    const [x, , vx, vy] = stateOf(simulation);
    simulation.runTo(0.5);
    // Energy control counteracts the errors of the method, so it changes an exact motion.
    const digits = name.includes("energy") ? 0 : 6;
    expect(simulation.q[0]).toBeCloseTo(x + 0.5 * vx, digits);
    expect(simulation.v[1]).toBeCloseTo(vy - 9.81 * 0.5, digits);
    expect(simulation.degreesOfFreedom()).toBe(2);
  });
});

/** Orders reduced by step-dependent gains and by a control that is singular at turning points. */
const LOWER_ORDERS: Readonly<Record<string, number>> = {
  baumgarte: 1.8,
  ascher: 1.8,
  "ascher(identity)": 1.8,
  energyMultiplier: 1.8,
  "energyMultiplier(together)": 1.8,
};

describe("order", () => {
  test.each(Object.values(integrators).map((make) => make()))(
    "$name has its order",
    (integrator) => {
      const order = measuredOrder({ formulation: lagrange(), integrator });
      expect(Math.abs(order - integrator.order)).toBeLessThan(0.2);
    },
  );

  test.each(coupledOnes)("$name has its order", (coupled) => {
    // At least: if no force depends on velocities, one pass of Welch's method is as accurate as two.
    const order = measuredOrder({ coupled }, 2 ** -([7, 7, 7, 7, 7, 5][coupled.order] ?? 3));
    expect(order).toBeGreaterThan(coupled.order - 0.2);
  });

  const exact = formulations.filter(({ isApproximate }) => !isApproximate);
  test.each(exact)("$name with rk4 has order 4", (formulation: Formulation) => {
    // Orders of methods that change their unknowns scatter about 4, most of all if the changes are few.
    const order = measuredOrder({ formulation, integrator: rk4() });
    const least = formulation.changesUnknowns ? 3.6 : 3.8;
    expect(order).toBeGreaterThan(formulation.name === "stateSpace" ? 3.4 : least);
  });

  test.each([...stabilisations])("$name with rk4 has order 4", (stabilisation: Stabilisation) => {
    const order = measuredOrder({ formulation: udwadiaKalaba(), stabilisation, integrator: rk4() });
    expect(order).toBeGreaterThan(LOWER_ORDERS[stabilisation.name] ?? 3.8);
  });
});

describe("drift over 20 s, rk4, step 0.01", () => {
  const driftOf = (method: Method) => {
    const simulation = start(method, 0.01);
    let largest = 0;
    simulation.runTo(20, () => {
      largest = Math.max(largest, simulation.constraintError().position);
    });
    return largest;
  };

  test("drift grows without stabilisation", () => {
    expect(
      driftOf({ formulation: lagrange(), stabilisation: none(), integrator: rk4() }),
    ).toBeGreaterThan(1e-5);
  });

  test.each(formulations.filter(({ level }) => level !== "acceleration"))(
    "drift with $name alone is small, and rounding only on the level of positions",
    (formulation) => {
      const drift = driftOf({ formulation, integrator: rk4() });
      const isOnPositions = formulation.level === "position";
      expect(drift).toBeLessThan(isOnPositions ? 1e-11 : 1e-4);
      if (!isOnPositions) expect(drift).toBeGreaterThan(1e-10);
    },
  );

  test.each([...formulations])("drift with $name and projection is rounding", (formulation) => {
    expect(driftOf({ formulation, stabilisation: projection(), integrator: rk4() })).toBeLessThan(
      1e-13,
    );
  });
});

describe("redundant constraints", () => {
  test.each([...formulations])(
    "$name supports them, or declares that it does not",
    (formulation) => {
      const method = { formulation, stabilisation: projection(), integrator: rk4() };
      const run = () => positionError(start(method, 0.005, pendulum(2)), 1);
      if (formulation.survivesRedundantRows) {
        expect(run()).toBeLessThan(1e-6);
      } else {
        expect(run).toThrow(/constraints (depend on each other|are dependent) at t = 0/);
      }
    },
  );
});

test("an inconsistent initial state is assembled, or kept if requested", () => {
  const method = { formulation: udwadiaKalaba(), integrator: rk4() };
  const assembled = start(method, 0.01);
  assembled.setState([1.1, 0.2], [0.3, 0.4]);
  expect(assembled.constraintError().position).toBeLessThan(1e-12);
  expect(assembled.constraintError().velocity).toBeLessThan(1e-12);
  assembled.setState([1.1, 0.2], [0.3, 0.4], "asGiven");
  expect([...assembled.q]).toEqual([1.1, 0.2]);
});

test("a million steps need no more memory than a thousand", () => {
  const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: rk4() };
  const simulation = start(method, 1e-3);
  simulation.advance(2000);
  const before = process.memoryUsage();
  simulation.advance(100_000);
  const after = process.memoryUsage();
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(1 << 16);
});
