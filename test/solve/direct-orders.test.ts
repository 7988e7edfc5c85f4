// Orders of positions, velocities and multipliers of methods that solve for multipliers, on a pendulum whose motion and
// whose multiplier are known. Radau IIA with three stages: index 2 and the stabilised form 5, 5, 3, index 3 5, 3, 2
// (Hairer, Lubich and Roche 1989, table 2.1); with constraints on accelerations multipliers have the order of q and v; sdirk4, whose stages have order 1, 2, 2, 1; alpha methods 2, 2, 2 (generalisedAlpha, hilberHughesTaylor);
// BDF of order k in steps of one length k, k, k in all three (Lotstedt and Petzold, Math. Comp. 46 (1986) 491-516).

import { type Method, simulate } from "nodrift";
import {
  bdf,
  directFormulations,
  directMethods,
  fuhrerLeimkuhler,
  gearGuptaLeimkuhler,
  generalisedAlpha,
  index2,
  index3,
  radau5,
  sdirk4,
} from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { pendulum, START } from "../methods/support/pendulum.js";

const GRAVITY = 9.81;

/** The pendulum at a time, by its angle: M a = Q + J^T lambda with J = 2 q yields lambda = (g y - v^2) / 2. */
function reference(time: number) {
  const steps = 20000;
  const h = time / steps;
  let [angle, rate] = [-0.3, 1];
  const f = (theta: number) => -GRAVITY * Math.cos(theta);
  for (let i = 0; i < steps; i++) {
    const k1 = f(angle);
    const k2 = f(angle + (h / 2) * rate);
    const k3 = f(angle + (h / 2) * (rate + (h / 2) * k1));
    const k4 = f(angle + h * (rate + (h / 2) * k2));
    angle += h * (rate + (h / 6) * (k1 + k2 + k3));
    rate += (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const [x, y] = [Math.cos(angle), Math.sin(angle)];
  return { q: [x, y], v: [-y * rate, x * rate], lambda: [(GRAVITY * y - rate * rate) / 2] };
}

/** At one time alone an error may vanish by chance. */
const TRUE = [0.5, 0.75, 1].map(reference);
const distance = (a: ArrayLike<number>, b: readonly number[]) =>
  Math.hypot(...b.map((value, i) => a[i] - value));

/** The largest errors of positions, velocities and multipliers at these times. */
function errors(method: Method, steps: number) {
  const simulation = simulate(pendulum(), { method, step: 1 / steps, ...START });
  const worst = [0, 0, 0];
  for (const [i, known] of TRUE.entries()) {
    simulation.advance(i === 0 ? steps / 2 : steps / 4);
    const { q, v } = simulation;
    const found = [q, v, simulation.stepMultipliers()];
    for (const [k, wanted] of [known.q, known.v, known.lambda].entries()) {
      worst[k] = Math.max(worst[k], distance(found[k], wanted));
    }
  }
  return worst;
}

function orders(method: Method, steps: number) {
  const [coarse, fine] = [errors(method, steps), errors(method, 2 * steps)];
  return coarse.map((error, i) => Math.log2(error / fine[i]));
}

const overdetermined = fuhrerLeimkuhler({ form: "overdetermined" });

/** Steps of BDF by order: enough for errors far below one, and far above rounding. */
const BDF_STEPS = [0, 1024, 512, 512, 128, 128] as const;
const CASES: readonly (readonly [Method, steps: number, wanted: readonly number[]])[] = [
  [{ formulation: index3(), integrator: radau5() }, 64, [5, 3, 2]],
  [{ formulation: index2(), integrator: radau5() }, 32, [5, 5, 3]],
  [{ formulation: gearGuptaLeimkuhler(), integrator: radau5() }, 32, [5, 5, 3]],
  [{ formulation: index2(), integrator: sdirk4() }, 64, [2, 2, 1]],
  [{ formulation: gearGuptaLeimkuhler(), integrator: sdirk4() }, 64, [2, 2, 1]],
  [{ formulation: fuhrerLeimkuhler(), integrator: radau5() }, 32, [5, 5, 5]],
  [{ formulation: fuhrerLeimkuhler(), integrator: sdirk4() }, 64, [2, 2, 2]],
  [{ formulation: overdetermined, integrator: radau5() }, 32, [5, 5, 5]],
  [{ formulation: overdetermined, integrator: sdirk4() }, 32, [4, 4, 4]],
  ...directFormulations.flatMap((formulation) =>
    [1, 2, 3, 4, 5].map((order) => {
      const method = { formulation, integrator: bdf({ order }) };
      return [method, BDF_STEPS[order], [order, order, order]] as const;
    }),
  ),
  ...directMethods.map((coupled) => [{ coupled }, 128, [2, 2, 2]] as const),
];
const named = CASES.map(([method, steps, wanted]) => {
  const name =
    "coupled" in method
      ? method.coupled.name
      : `${method.formulation.name} + ${method.integrator.name}`;
  return { name, method, steps, wanted };
});

test("every formulation has orders in this file", () => {
  const all = named.map(({ name }) => name);
  const isHere = (wanted: string) => all.some((name) => name.startsWith(`${wanted} + `));
  expect(directFormulations.filter(({ name }) => !isHere(name))).toEqual([]);
});

describe.each(named)("$name", ({ method, steps, wanted }) => {
  test("positions, velocities and multipliers have their orders", () => {
    const found = orders(method, steps);
    for (const [i, order] of wanted.entries()) {
      expect(found[i], `${found}`).toBeGreaterThan(order - 0.2);
      // Multipliers of index 3, order 5: 5.4, before rounding over h^2 shows.
      expect(found[i], `${found}`).toBeLessThan(order + (i === 2 && order === 5 ? 0.5 : 0.2));
    }
  });
});

test.each(["stabilised", "index3"] as const)(
  "multipliers of alpha methods, %s, are of order 2 from the first steps on",
  (form) => {
    // Started with a_0 = v', or index 3 with a velocity on the constraints, they are of order 1 here: rho near 1
    // barely damps the error of the start.
    const coupled = generalisedAlpha({ rhoInfinity: 0.9, form });
    const largest = (steps: number) => {
      const simulation = simulate(pendulum(), { method: { coupled }, step: 1 / steps, ...START });
      let worst = 0;
      for (let i = 0; i < 6; i++) {
        simulation.advance();
        const own = simulation.stepMultipliers()[0];
        worst = Math.max(worst, Math.abs(own - simulation.multipliers()[0]));
      }
      return worst;
    };
    expect(Math.log2(largest(64) / largest(256)) / 2).toBeGreaterThan(1.8);
  },
);

test("index 3 with stages of order 1 is rejected: its multipliers would not converge", () => {
  const method = { formulation: index3(), integrator: sdirk4() };
  expect(() => simulate(pendulum(), { method, step: 0.01, ...START })).toThrow(
    /index3 .* index 3: with sdirk4-15 they would not converge; use radau5\(\)/,
  );
});
