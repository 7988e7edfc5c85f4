import {
  baumgarte,
  coupledMethods,
  type Equations,
  equations,
  hong,
  type Method,
  NodriftError,
  projection,
  rk4,
  simulate,
  udwadiaKalaba,
  welch,
} from "nodrift";
import {
  type Mechanism,
  welchDoublePendulum,
  welchDoublePendulumAngles,
  welchSliderCrank,
  welchTable2,
} from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import {
  measuredOrder,
  measureTable1,
  measureTable2,
  orderSystems,
  projectedRk4,
  table1Deviations,
  table2Methods,
} from "#experiments";

const { dampedBowl, dampedSleigh, movingWire } = orderSystems;

/** Simulates a mechanism, or any system with an initial state, by a coupled method. */
function start(
  { equations: given, q, v }: Pick<Mechanism, "equations" | "q" | "v">,
  coupled = welch(),
  step = 0.01,
) {
  return simulate(given, { method: { coupled }, step, q, v });
}

describe("published results of Welch et al. 2007", () => {
  test.each([1, 2] as const)("table 1, with %i corrector passes", (passes) => {
    for (const { value, order, allowed } of table1Deviations(measureTable1(welch({ passes })))) {
      expect(value).toBeLessThan(allowed);
      expect(order).toBeLessThan(0.01);
    }
  });

  test.each(["baumgarte", "secondOrder", "firstOrder"] as const)("table 2, %s", (key) => {
    const { values, order } = welchTable2[key];
    const measured = measureTable2(table2Methods[key]);
    for (const [i, value] of measured.entries()) {
      expect(Math.abs(value / values[i] - 1)).toBeLessThan(1e-4);
    }
    expect(Math.abs(Math.log2(measured[0] / measured[1]) - order)).toBeLessThan(0.01);
  });

  test("the converged angles", () => {
    const { equations: given, q, v } = welchDoublePendulum;
    const end = simulate(given, { method: projectedRk4, step: 1e-3, q, v }).runTo(10);
    expect(end.q[2]).toBeCloseTo(welchDoublePendulumAngles[0], 8);
    expect(end.q[5]).toBeCloseTo(welchDoublePendulumAngles[1], 8);
  });

  test.each([welchDoublePendulum, welchSliderCrank])("derivatives of $name", (mechanism) => {
    const { description } = mechanism.equations;
    const { rows, value } = description.holonomic!;
    const plain = equations({ ...description, holonomic: { rows, value } });
    const state = {
      q: mechanism.q.map((x, i) => x + 0.3 * i),
      v: mechanism.v.map((_, i) => 1 - 0.4 * i),
    };
    const of = (given: Equations) =>
      simulate(given, { method: { coupled: welch() }, step: 1, start: "asGiven", ...state });
    const [given, byDifferences] = [of(mechanism.equations), of(plain)];
    expectClose(given.phiDot(), byDifferences.phiDot(), 1e-10);
    expectClose(given.accelerations(), byDifferences.accelerations(), 1e-7);
  });
});

describe("order of coupled methods", () => {
  test.each(Object.entries(orderSystems))("matches on %s", (_, system) => {
    const low = measuredOrder(system, { coupled: hong() });
    expect(Math.abs(low.position - 1)).toBeLessThan(0.1);
    const high = measuredOrder(system, { coupled: welch() });
    expect(Math.abs(high.position - 2)).toBeLessThan(0.1);
    expect(Math.abs(high.velocity - 2)).toBeLessThan(0.1);
  });

  test("one pass has order 1 when forces depend on velocities", () => {
    const { position } = measuredOrder(dampedBowl, { coupled: welch({ passes: 1 }) });
    expect(Math.abs(position - 1)).toBeLessThan(0.1);
  });

  test("multipliers have order 1, as they alternate, and order 2 in the mean of two steps", () => {
    const { equations: given, q, v } = movingWire;
    const errors = [1 / 128, 1 / 256].map((step) => {
      const simulation = start(movingWire, welch(), step).runTo(2 - 2 * step);
      const [before, after] = [2 - 1.5 * step, 2 - 0.5 * step].map((t) => {
        const options = { method: projectedRk4, step: 1 / 1024, q, v };
        const expected = simulate(given, options).runTo(t).multipliers();
        return simulation.advance().stepMultipliers()[0] - expected[0];
      });
      expect(before * after).toBeLessThan(0);
      return [after, after + before].map(Math.abs);
    });
    expect(Math.abs(Math.log2(errors[0][0] / errors[1][0]) - 1)).toBeLessThan(0.1);
    expect(Math.abs(Math.log2(errors[0][1] / errors[1][1]) - 2)).toBeLessThan(0.1);
  });
});

describe("option passes", () => {
  test("all values return the same bits if nothing depends on velocities", () => {
    const [one, two] = ([1, 2] as const).map((passes) =>
      start(welchDoublePendulum, welch({ passes })).advance(50),
    );
    expect(one.q).toEqual(two.q);
    expect(one.v).toEqual(two.v);
    const [damped, again] = ([1, 2] as const).map((passes) =>
      start(dampedBowl, welch({ passes })).advance(5),
    );
    expect(damped.q).not.toEqual(again.q);
  });

  test("rejects values other than 1 and 2", () => {
    expect(() => welch({ passes: 3 as 2 })).toThrow("welch: passes is 3; give 1 (as printed) or 2");
  });
});

test.each([hong(), welch({ passes: 1 }), welch()])(
  "$name solves once for each stage",
  (coupled) => {
    const { description } = dampedBowl.equations;
    let calls = 0;
    const counting = equations({
      ...description,
      forces: (q, v, out, t) => {
        calls++;
        description.forces(q, v, out, t);
      },
    });
    const simulation = start({ ...dampedBowl, equations: counting }, coupled).advance(3);
    calls = 0;
    simulation.advance(10);
    expect(calls).toBe(10 * coupled.stages);
  },
);

describe("stepMultipliers", () => {
  test("returns the multipliers with which the step was taken", () => {
    const simulation = start(welchDoublePendulum, hong()).advance(20);
    const [q, before] = [simulation.q.slice(), simulation.v.slice()];
    const lambda = simulation.advance().stepMultipliers();
    // M (v1 - v0) / h = Q + J^T lambda with the Jacobian at the beginning.
    const { holonomic, mass } = welchDoublePendulum.equations.description;
    const jacobian = new Float64Array(24);
    holonomic!.jacobian!(q, jacobian, 0);
    const expected = Array.from({ length: 6 }, (_, j) =>
      lambda.reduce((sum, value, i) => sum + jacobian[i * 6 + j] * value, j % 3 === 0 ? 10 : 0),
    );
    const found = Array.from(
      simulation.v,
      (value, j) => ((mass as number[])[j] * (value - before[j])) / 0.01,
    );
    expectClose(found, expected, 1e-9);
  });

  test("leaves the state unchanged, and is saved and restored", () => {
    const simulation = start(dampedBowl).advance(10);
    const saved = simulation.save();
    const lambda = simulation.stepMultipliers();
    const next = simulation.advance().q.slice();
    expect(simulation.stepMultipliers()).not.toEqual(lambda);
    simulation.restore(saved);
    expect(simulation.stepMultipliers()).toEqual(lambda);
    expect(simulation.advance().q).toEqual(next);
  });

  test("throws before a step, and for methods without multipliers", () => {
    const early = start(welchDoublePendulum);
    expect(() => early.stepMultipliers()).toThrow("take a step first");
    const { equations: given, q } = welchDoublePendulum;
    const method: Method = { formulation: udwadiaKalaba(), integrator: rk4() };
    const other = simulate(given, { method, step: 0.01, q }).advance();
    expect(() => other.stepMultipliers()).toThrow(NodriftError);
  });

  test("throws after a failed step, which keeps the state", () => {
    const { description } = dampedBowl.equations;
    const broken = equations({
      ...description,
      forces: (q, v, out, t) => {
        description.forces(q, v, out, t);
        if (t > 0.05) out[1] = Number.NaN;
      },
    });
    const simulation = start({ ...dampedBowl, equations: broken }).advance(5);
    const q = simulation.q.slice();
    expect(() => simulation.advance()).toThrow('forces gave NaN for "phi"');
    expect(simulation.q).toEqual(q);
    expect(() => simulation.stepMultipliers()).toThrow("take a step first");
  });
});

describe("constraints of coupled methods", () => {
  test("duplicate rows change nothing, except for solvers that do not support them", () => {
    const { description } = welchDoublePendulum.equations;
    const { value } = description.holonomic!;
    const twice = equations({
      ...description,
      holonomic: {
        rows: 8,
        value: (q, out, t) => {
          value(q, out, t);
          out.copyWithin(4, 0, 4);
        },
      },
    });
    const doubled = { ...welchDoublePendulum, equations: twice };
    for (const method of [hong, welch] as const) {
      const [plain, repeated] = [start(welchDoublePendulum, method()), start(doubled, method())];
      expectClose(repeated.advance(100).q, plain.advance(100).q, 1e-9);
      const refusing = start(doubled, method({ solver: "cholesky" }));
      expect(() => refusing.advance()).toThrow("constraints depend on each other");
    }
  });

  test.each(["svd", "cholesky", "kkt"] as const)("the solver %s works too", (solve) => {
    const [one, other] = [start(dampedBowl), start(dampedBowl, welch({ solver: solve }))];
    expectClose(other.advance(100).q, one.advance(100).q, 1e-11);
    expectClose(other.stepMultipliers(), one.stepMultipliers(), 1e-8);
  });

  test("an initial error vanishes after one step, up to second order", () => {
    const off = { ...welchDoublePendulum, q: welchDoublePendulum.q.map((x) => x + 1e-3) };
    const { equations: given, q } = off;
    for (const coupled of [hong(), welch()]) {
      const method = { coupled };
      const simulation = simulate(given, { method, step: 1e-3, q, start: "asGiven" });
      expect(simulation.constraintError().position).toBeGreaterThan(1e-4);
      expect(simulation.advance().constraintError().position).toBeLessThan(1e-5);
    }
  });

  test("constraints on velocities do not drift", () => {
    const simulation = start(dampedSleigh);
    let largest = 0;
    simulation.runTo(20, () => {
      largest = Math.max(largest, simulation.constraintError().velocity);
    });
    expect(largest).toBeLessThan(5e-6);
    expect(simulation.constraintError().velocity).toBeLessThan(largest);
  });

  test("a system without constraints works", () => {
    const oscillator = equations({
      coordinates: 1,
      mass: [1],
      forces: (q, _v, out) => {
        out[0] = -q[0];
      },
    });
    const end = start({ equations: oscillator, q: [1], v: [0] }, welch(), 1e-3).runTo(1);
    expect(end.q[0]).toBeCloseTo(Math.cos(1), 6);
    expect(end.stepMultipliers()).toHaveLength(0);
  });
});

describe("registry of coupled methods", () => {
  test("contains unique names, each with a reference", () => {
    expect(new Set(coupledMethods.map(({ name }) => name)).size).toBe(coupledMethods.length);
    for (const { name, reference } of coupledMethods) {
      if (/^(hong|welch)/.test(name)) expect(reference).toContain("Welch");
    }
  });

  test.each(coupledMethods)("$name works with projection, not with baumgarte", (coupled) => {
    const { equations: given, q } = welchDoublePendulum;
    const combine = (stabilisation: ReturnType<typeof projection>) =>
      simulate(given, { method: { coupled, stabilisation }, step: 0.01, q });
    expect(combine(projection()).advance(100).constraintError().position).toBeLessThan(1e-12);
    expect(() => combine(baumgarte())).toThrow("cannot be combined with");
  });
});

/** Compares every entry within a tolerance. */
function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number) {
  expect(found.length).toBe(expected.length);
  for (let i = 0; i < found.length; i++) {
    expect(Math.abs(found[i] - expected[i])).toBeLessThan(tolerance);
  }
}
