// Methods that solve for multipliers, on mechanisms: both kinds of coordinates, redundant rows, rows on velocities.

import { compile, type Model } from "nodrift/bodies";
import {
  bennett,
  heavyTop,
  heavyTopReaction,
  heavyTopReference,
  hmmwv,
  rollingDisk,
  sliderCrank3d,
  squeezer,
} from "nodrift/mechanisms";
import {
  directFormulations,
  directMethods,
  generalisedAlpha,
  parseMethod,
  radau5,
  solve,
} from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { linearisationOf } from "../../src/methods/direct/direct-matrix.js";
import { difference } from "./support/systems.js";

const MODELS: Readonly<Record<string, () => Model>> = {
  "slider-crank in space": sliderCrank3d,
  "Bennett linkage, with redundant rows": () => bennett(),
  "rolling disk, with rows on velocities": () => rollingDisk(),
  "heavy top": heavyTop,
};
const SPAN = [0, 0.2] as const;

describe.each(Object.entries(MODELS))("%s", (_, make) => {
  test.each(["maximal", "relative"] as const)(
    "the motion matches in %s coordinates",
    async (coordinates) => {
      const source = await compile(make(), { coordinates });
      const wanted = solve(source, { span: SPAN, tolerance: 1e-11, output: "ends" }).end;
      for (const formulation of directFormulations) {
        const method = { formulation, integrator: radau5() };
        const found = solve(source, { span: SPAN, tolerance: 1e-8, method, output: "ends" });
        expect(found.status, found.reason).toBe("finished");
        // Velocities of index 3 are of order 3 only.
        expect(difference(found.end.q, wanted.q), formulation.name).toBeLessThan(2e-5);
      }
      const coupled = solve(source, {
        span: SPAN,
        tolerance: 1e-6,
        method: parseMethod("generalisedAlpha"),
      });
      expect(coupled.status, coupled.reason).toBe("finished");
      expect(difference(coupled.end.q, wanted.q)).toBeLessThan(5e-3);
      expect(coupled.statistics.maximumDrift.position).toBeLessThan(1e-12);
      expect(coupled.statistics.maximumDrift.velocity).toBeLessThan(1e-10);
    },
  );
});

/** Derivatives by formulas against central differences, as direct methods use them: with multipliers of their own. */
test.each([...Object.entries(MODELS), ["HMMWV", () => hmmwv()] as const])(
  "derivatives of %s are those of the equations",
  async (_, make) => {
    for (const coordinates of ["maximal", "relative"] as const) {
      expect(await worstDerivative(make(), coordinates), coordinates).toBeLessThan(1e-6);
    }
  },
);

/** Largest error of K, C, P and d(T v)/dx, each relative to the largest number of all of them in its kind. */
async function worstDerivative(model: Model, coordinates: "maximal" | "relative") {
  const compiled = await compile(model, { coordinates });
  const system = compiled.system();
  const { workspace, state, trial, constraints, dynamics, coordinates: space } = system;
  const { positions, velocities: n } = space;
  const { rows } = constraints;
  const found = linearisationOf(system, false);
  expect(found.source).toMatch(/^analytic/);
  const [a, lambda, step, product, rate] = [n, rows, n, n, positions].map((count, i) =>
    workspace.vector(`test ${i}`, count),
  );
  const given = [...compiled.q, ...compiled.v];
  const shown = workspace.vector("shown", given.length);
  const arena = workspace.seal();
  const view = (address: number, slots: number) => arena.floats({ name: "test", address, slots });
  view(system.publicState ? shown : state.q, given.length).set(given);
  system.publicState?.read(shown, state.q);
  system.load(0);
  view(a, n).forEach((_x, i, list) => {
    list[i] = 1 + (i % 3);
  });
  // Rows on velocities have no second derivatives: what they do to K is left out.
  view(lambda, constraints.holonomicRows).forEach((_x, i, list) => {
    list[i] = 2 - (i % 5);
  });
  found.evaluate(0, a, lambda);
  const dense = (entries: typeof found.rows, height: number) => {
    const matrix = new Float64Array(height * n);
    for (const { row, column, address } of entries) {
      matrix[row + column * height] += view(address, 1)[0];
    }
    return matrix;
  };
  const formulas = {
    stiffness: dense(found.stiffness, n),
    damping: dense(found.damping, n),
    rows: dense(found.rows, rows),
    rates: dense(found.rates, positions),
  };
  const values = () => {
    constraints.jacobianTransposeTimes(lambda, product);
    const force = view(dynamics.forces(), n).map((x, i) => x + view(product, n)[i]);
    dynamics.massTimes(a, product);
    const balance = force.map((x, i) => x - view(product, n)[i]);
    space.positionRate(trial.v, 0, trial.v, rate);
    return {
      balance,
      rows: view(constraints.phiDot(), rows).slice(),
      rates: view(rate, positions).slice(),
    };
  };
  const length = 1e-5;
  const sides = (move: (sign: number) => void) => {
    const [up, down] = [1, -1].map((sign) => {
      system.load(0);
      move(sign * length);
      system.at(0);
      return values();
    });
    const quotient = (x: Float64Array, y: Float64Array) =>
      x.map((value, i) => (value - y[i]) / (2 * length));
    return {
      balance: quotient(up.balance, down.balance),
      rows: quotient(up.rows, down.rows),
      rates: quotient(up.rates, down.rates),
    };
  };
  let worst = 0;
  const compare = (matrix: Float64Array, column: number, wanted: Float64Array) => {
    const largest = matrix.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
    wanted.forEach((value, i) => {
      worst = Math.max(worst, Math.abs(matrix[i + column * wanted.length] - value) / largest);
    });
  };
  for (let j = 0; j < n; j++) {
    const byPlace = sides((by) => {
      view(step, n).fill(0)[j] = by;
      space.displace(trial.q, step);
    });
    compare(formulas.stiffness, j, byPlace.balance);
    compare(formulas.rows, j, byPlace.rows);
    if (!space.ratesAreVelocities) compare(formulas.rates, j, byPlace.rates);
    const bySpeed = sides((by) => {
      view(trial.v, n)[j] += by;
    });
    compare(formulas.damping, j, bySpeed.balance);
  }
  return worst;
}

describe("heavy top, against an independent reference", () => {
  test("the stabilised form by radau5, with the reaction of the pivot", async () => {
    const source = await compile(heavyTop(), { coordinates: "maximal" });
    const method = { formulation: directFormulations[2], integrator: radau5() };
    const { end, statistics } = solve(source, { span: [0, 0.5], tolerance: 1e-9, method });
    expect(difference(end.q.subarray(0, 3), heavyTopReference[0].slice(1, 4))).toBeLessThan(1e-7);
    expect(statistics.implicit?.jacobianSource).toBe("analytic");
    const simulation = source.simulate({ step: 1e-3, method });
    simulation.advance(500);
    const force = [...simulation.stepMultipliers()];
    const wanted = heavyTopReaction[1].slice(1);
    const error = Math.hypot(...wanted.map((x, i) => Math.abs(force[i]) - Math.abs(x)));
    expect(error / Math.hypot(...wanted)).toBeLessThan(1e-4);
  });

  test.each([...directMethods])("$name has order 2, multipliers too", async (coupled) => {
    const source = await compile(heavyTop(), { coordinates: "maximal" });
    const exact = source.simulate({
      step: 1e-5,
      method: parseMethod("udwadiaKalaba + projection + rk4"),
    });
    exact.advance(2000);
    const lambda = exact.multipliers();
    const errors = [40, 80].map((steps) => {
      const simulation = source.simulate({ step: 0.02 / steps, method: { coupled } });
      simulation.advance(steps);
      return [
        difference(simulation.q, exact.q),
        difference(simulation.v, exact.v),
        difference(simulation.stepMultipliers(), lambda),
      ];
    });
    for (const i of [0, 1, 2]) {
      expect(Math.log2(errors[0][i] / errors[1][i]), `${i}`).toBeGreaterThan(1.8);
    }
  });
});

test("the Newton matrix stays regular however short the step is", async () => {
  const source = await compile(sliderCrank3d(), { coordinates: "maximal" });
  const coupled = generalisedAlpha();
  for (const step of [1e-2, 1e-4, 1e-6, 1e-8]) {
    const simulation = source.simulate({ step, method: { coupled } });
    simulation.advance(3);
    const [own, found] = [simulation.stepMultipliers(), simulation.multipliers()];
    const size = Math.hypot(...found);
    // Rounding of Phi changes lambda by some 1e-16 / h^2: an effect of the step, not of the matrix.
    expect(difference(own, found) / size).toBeLessThan(0.1 + 1e-14 / step ** 2);
    expect(simulation.constraintError().position).toBeLessThan(1e-14);
  }
});

test("coordinates of joints near zero: short steps meet rounding, and no failure", async () => {
  const source = await compile(squeezer(), { coordinates: "relative" });
  const wanted = source.simulate({ step: 5e-5 }).advance(10).q;
  for (const form of ["index3", "stabilised"] as const) {
    const method = { coupled: generalisedAlpha({ form }) };
    const found = source.simulate({ step: 5e-5, method }).advance(10).q;
    expect(difference(found, wanted)).toBeLessThan(1e-7);
  }
});
