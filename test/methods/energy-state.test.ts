import {
  ab3,
  baumgarte,
  type EquationsDescription,
  energyDescent,
  energyMultiplier,
  energyVelocity,
  equations,
  type Formulation,
  lagrange,
  projection,
  rk4,
  type Stabilisation,
  simulate,
} from "nodrift";
import { yoonPendulum } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";

const { q, v } = yoonPendulum;
const circle = yoonPendulum.equations.description;
const drag: EquationsDescription = {
  ...circle,
  forces: (_, w) => [-0.1 * w[0], -1 - 0.1 * w[1]],
  power: (_, w) => -0.1 * (w[0] ** 2 + w[1] ** 2),
};
const controls: readonly Stabilisation[] = [
  energyMultiplier(),
  energyDescent({ positionGain: 2, velocityGain: 2 }),
  energyVelocity({ gain: 3 }),
  energyVelocity({ gain: 3, massWeighted: true }),
];
const options = (stabilisation: readonly Stabilisation[], integrator = ab3()) => ({
  method: { formulation: lagrange(), stabilisation, integrator },
  step: 0.01,
  q,
  v,
});

describe("energy balance", () => {
  test.each(controls.map((control) => [control.name, control] as const))(
    "%s continues with the same bits after a restore",
    (_, control) => {
      const system = equations(drag);
      const simulation = simulate(system, options([baumgarte({ alpha: 6, beta: 6 }), control]));
      const snapshot = simulation.runTo(1).save();
      const ahead = [...simulation.runTo(3).q, ...simulation.v];
      simulation.restore(snapshot);
      expect([...simulation.runTo(3).q, ...simulation.v]).toEqual(ahead);
      const twin = simulate(system, options([baumgarte({ alpha: 6, beta: 6 }), control]));
      twin.restore(snapshot);
      expect([...twin.runTo(3).q, ...twin.v]).toEqual(ahead);
    },
  );

  test("a new state resets the energy", () => {
    const simulation = simulate(equations(drag), options([controls[2]])).runTo(1);
    simulation.setState([0, 1], [3, 0]);
    const fresh = simulate(equations(drag), { ...options([controls[2]]), q: [0, 1], v: [3, 0] });
    expect([...simulation.advance(100).q]).toEqual([...fresh.advance(100).q]);
  });

  test("shorter steps in between keep the balance", () => {
    const simulation = simulate(yoonPendulum.equations, options([controls[2]]));
    const { total } = simulation.energy();
    simulation.runTo(3.005).setStep(0.005);
    simulation.runTo(6);
    expect(Math.abs(simulation.energy().total - total)).toBeLessThan(1e-5);
  });

  test("a failed step restores the work", () => {
    let broken = false;
    const fragile = equations({
      ...drag,
      holonomic: {
        ...drag.holonomic,
        rows: 1,
        // Called by the projection only, after the step has been taken.
        value: (p) => {
          if (broken) throw new Error("broken");
          return [(p[0] ** 2 + p[1] ** 2 - 1) / 2];
        },
      },
    });
    const list = [controls[2], projection()];
    const simulation = simulate(fragile, options(list, rk4())).advance(10);
    const twin = simulate(fragile, options(list, rk4())).advance(10);
    broken = true;
    expect(() => simulation.advance()).toThrow("broken");
    broken = false;
    expect([...simulation.advance(10).v]).toEqual([...twin.advance(10).v]);
  });
});

describe("energy control", () => {
  test.each([
    [() => energyMultiplier({ eta: -1 }), "energyMultiplier: eta is -1; give a number >= 0"],
    [
      () => energyMultiplier({ eta: Number.NaN }),
      "energyMultiplier: eta is NaN; give a number >= 0",
    ],
    [
      () => energyDescent({ positionGain: -2, velocityGain: 1 }),
      "energyDescent: positionGain is -2; give a number >= 0",
    ],
    [
      () => energyDescent({ positionGain: 1, velocityGain: Number.POSITIVE_INFINITY }),
      "energyDescent: velocityGain is Infinity; give a number >= 0",
    ],
    [() => energyVelocity({ gain: Number.NaN }), "energyVelocity: gain is NaN; give a number >= 0"],
    [() => baumgarte({ eta: -3 }), "baumgarte: eta is -3; give a number >= 0"],
  ])("gains: %#", (make, message) => {
    expect(make).toThrow(expect.objectContaining({ code: "METHOD", message }));
  });

  test("rejects a function of the step that returns a negative gain", () => {
    const simulation = simulate(
      yoonPendulum.equations,
      options([energyVelocity({ gain: (h) => -h })]),
    );
    const message = "energyVelocity: gain is -0.01; give a number >= 0";
    expect(() => simulation.advance()).toThrow(
      expect.objectContaining({ code: "METHOD", message }),
    );
  });

  test("rejects systems without a potential", () => {
    const { potential: _, potentialGradient: __, ...without } = circle;
    expect(() => simulate(equations(without), options([controls[0]]))).toThrow(
      "energyMultiplier controls the energy, but the system has no potential: give `potential`",
    );
  });

  test("rejects formulations that do not integrate the work", () => {
    const own: Formulation = {
      ...lagrange(),
      name: "own",
      bind: (system, { rates, ...stabilisation }) =>
        lagrange().bind(system, {
          ...stabilisation,
          ...(rates && { rates: { ...rates, integratesWork: false } }),
        }),
    };
    const { method, ...rest } = options([controls[2]]);
    expect(() =>
      simulate(equations(circle), { method: { ...method, formulation: own }, ...rest }),
    ).toThrow("own does not integrate the work that energyVelocity counts");
  });

  test("rejects two energy controls", () => {
    expect(() => simulate(equations(circle), options([controls[0], controls[1]]))).toThrow(
      "energyMultiplier and energyDescent would both correct the same energy error: use one of them",
    );
  });

  test.each([
    ["potential", { potential: () => Number.NaN }, "potential gave NaN at t = 0"],
    ["power", { power: () => Number.NaN }, "power gave NaN at t = 0"],
    [
      "potentialGradient",
      { potentialGradient: () => [0, Number.NaN] },
      'potentialGradient gave NaN for "Y" at t = 0',
    ],
  ])("a %s that is not a number", (_, part, message) => {
    expect(() =>
      simulate(equations({ ...circle, ...part }), options([controls[0]])).advance(),
    ).toThrow(
      expect.objectContaining({ code: "EVALUATION", message: `Yoon's pendulum: ${message}` }),
    );
  });
});
