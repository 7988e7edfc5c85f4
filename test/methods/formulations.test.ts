import {
  ab3,
  accelerationProjection,
  baumgarte,
  coordinatePartitioning,
  equations,
  frozenBasis,
  maggi,
  nullSpace,
  projection,
  rk4,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { describe, expect, test } from "vitest";
import {
  comparedFormulations,
  distanceFromSaddle,
  drift,
  formulationLevels,
  formulationOrder,
  formulationProblems,
  redundantProblem,
  simulated,
} from "#experiments";

const { pendulum, sliderCrank, bowl, drivenPendulum, sleigh } = formulationProblems;
const problems = Object.values(formulationProblems);

describe.each(comparedFormulations)("$name", (formulation) => {
  test("computes the accelerations of the saddle point system", () => {
    for (const problem of problems) {
      expect(distanceFromSaddle(problem, formulation, 40)).toBeLessThan(1e-12);
    }
  });

  test.each([pendulum, bowl, drivenPendulum, sleigh])(
    "converges with order 4: $equations.name",
    (problem) => {
      const order = formulationOrder(problem, formulation, 0.01, 0.5);
      expect(order).toBeGreaterThan(3.8);
      expect(order).toBeLessThan(4.4);
    },
  );

  test("supports a duplicate constraint", () => {
    const once = simulated(sliderCrank, formulation, 0.01).runTo(1);
    const twice = simulated(redundantProblem, formulation, 0.01).runTo(1);
    expect(formulation.survivesRedundantRows).toBe(true);
    for (let i = 0; i < 4; i++) expect(twice.q[i]).toBeCloseTo(once.q[i], 5);
  });

  test("moves without constraints, and with constraints that leave no degree of freedom", () => {
    const forces = (q: Float64Array, _v: Float64Array, out: Float64Array) => {
      out.set([-q[0], 0.5]);
    };
    const parts = { coordinates: 2, mass: [1, 2], forces };
    const free = { equations: equations(parts), q: [1, 0], v: [0, 1] };
    expect(simulated(free, formulation, 0.01).runTo(1).q[0]).toBeCloseTo(Math.cos(1), 9);
    const value = (q: Float64Array, out: Float64Array, t: number) => {
      out.set([q[0] - Math.sin(t), q[1] + q[0] - t]);
    };
    const driven = equations({ ...parts, holonomic: { rows: 2, value } });
    const run = simulated({ equations: driven, q: [0, 0], v: [1, 0] }, formulation, 0.01).runTo(1);
    expect(run.q[1]).toBeCloseTo(1 - Math.sin(1), 8);
    expect(run.accelerations()[0]).toBeCloseTo(-Math.sin(1), 8);
  });

  test("continues with the same bits after reading values, and after a restore", () => {
    const quiet = simulated(sliderCrank, formulation, 0.01);
    const looked = simulated(sliderCrank, formulation, 0.01);
    quiet.advance(40);
    looked.advance(20);
    looked.multipliers();
    looked.accelerations();
    const saved = looked.save();
    looked.advance(20);
    expect([...looked.q, ...looked.v]).toEqual([...quiet.q, ...quiet.v]);
    looked.restore(saved);
    looked.advance(20);
    expect([...looked.q, ...looked.v]).toEqual([...quiet.q, ...quiet.v]);
  });

  test("works with a projection", () => {
    const run = drift(simulated(sliderCrank, formulation, 0.01, projection()), 1);
    expect(run.position).toBeLessThan(1e-13);
    expect(run.velocity).toBeLessThan(1e-13);
  });

  test("reports which function returned NaN, and restores the state before", () => {
    const failing = equations({
      ...pendulum.equations.description,
      forces: (_q, _v, out, t) => {
        out.set([0, t > 0.055 ? Number.NaN : -9.81]);
      },
    });
    const run = simulated({ ...pendulum, equations: failing }, formulation, 0.01);
    expect(() => run.runTo(1)).toThrow(/forces gave NaN for "y"/);
    expect(run.time).toBeLessThan(0.0701);
    expect([...run.q, ...run.v].every(Number.isFinite)).toBe(true);
  });

  test("names a reference", () => {
    expect(formulation.reference).toMatch(/\d{4}/);
    expect(formulation.needs).toBe("dense");
    expect(formulation.changesUnknowns).toBe(formulation.level !== "acceleration");
  });
});

describe("options of formulations", () => {
  const start = { step: 0.01, q: sliderCrank.q };
  const run = (formulation: ReturnType<typeof maggi>) =>
    simulate(sliderCrank.equations, { method: { formulation, integrator: rk4() }, ...start });

  test("reject unknown choices", () => {
    const basis = "cholesky" as "qr";
    expect(() => maggi({ basis })).toThrow(/maggi: basis is "cholesky"; give one of "lu", "svd"/);
    expect(() => nullSpace({ basis })).toThrow(/nullSpace/);
    expect(() => accelerationProjection({ basis })).toThrow(/accelerationProjection/);
    expect(() => frozenBasis({ maximumCondition: 1 })).toThrow(
      /maximumCondition is 1; give a number > 1/,
    );
  });

  test("keep independent coordinates given by name or index", () => {
    const byName = run(coordinatePartitioning({ independent: ["theta"] })).runTo(0.5);
    const byIndex = run(coordinatePartitioning({ independent: [0] })).runTo(0.5);
    const exact = simulated(sliderCrank, udwadiaKalaba(), 1e-4).runTo(0.5);
    expect([...byName.q]).toEqual([...byIndex.q]);
    expect(byName.q[0]).toBeCloseTo(exact.q[0], 6);
    expect(byName.constraintError().position).toBeLessThan(2e-15);
  });

  test("reject impossible independent coordinates with an explanation", () => {
    const take = (independent: (string | number)[]) =>
      run(coordinatePartitioning({ independent })).advance();
    expect(() => take(["psi"])).toThrow(/no coordinate "psi"; the system has "theta", "phi"/);
    expect(() => take([4])).toThrow(/no coordinate 4/);
    expect(() => take(["x", 2])).toThrow(/twice/);
    expect(() => take(["theta", "phi"])).toThrow(/lists 2 .* 1 degrees of freedom/);
    const method = {
      formulation: coordinatePartitioning({ independent: ["x"] }),
      integrator: rk4(),
    };
    // At the end of its swing a pendulum moves in y alone.
    const side = simulate(pendulum.equations, { method, step: 0.01, q: [1, 0] });
    expect(() => side.advance()).toThrow(/independent coordinates \("x"\) do not determine/);
    expect(() => simulate(sleigh.equations, { method, step: 0.01, q: sleigh.q })).toThrow(
      /`independent` is not supported with nonholonomic/,
    );
  });

  test("reject contradictory choices", () => {
    const { equations: system, q } = pendulum;
    const make = (method: NonNullable<Parameters<typeof simulate>[1]["method"]>) =>
      simulate(system, { method, step: 0.01, q });
    expect(() => make({ formulation: maggi(), integrator: ab3() })).toThrow(
      /redefines its unknowns/,
    );
    const stabilisation = baumgarte();
    expect(() => make({ formulation: maggi(), stabilisation, integrator: rk4() })).toThrow(
      /on the level of velocities/,
    );
    expect(() => make({ formulation: frozenBasis(), stabilisation, integrator: rk4() })).toThrow(
      /on the level of positions/,
    );
    make({ formulation: nullSpace(), stabilisation, integrator: ab3() }).runTo(1);
  });

  test("reject constraints nonlinear in velocities", () => {
    const value = (_q: Float64Array, v: Float64Array, out: Float64Array) => {
      out[0] = v[0] ** 2 + v[1] ** 2 - 1;
    };
    const speed = equations({
      coordinates: 2,
      mass: [1, 1],
      forces: (_q, _v, out) => {
        out.set([0, -1]);
      },
      nonholonomic: { rows: 1, value },
    });
    const problem = { equations: speed, q: [0, 0], v: [1, 0] };
    for (const formulation of [...formulationLevels.velocity, ...formulationLevels.position]) {
      expect(() => simulated(problem, formulation, 0.01).advance()).toThrow(/nonlinear/);
    }
    simulated(problem, nullSpace(), 0.01).runTo(0.1);
  });
});
