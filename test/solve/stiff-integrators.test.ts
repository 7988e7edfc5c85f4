// Common properties of implicit integrators.

import {
  driftElimination,
  type Equations,
  equations,
  lagrange,
  projection,
  udwadiaKalaba,
} from "nodrift";
import { dop853, solve, start } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { start as fixed } from "../methods/support/pendulum.js";
import { bindToMotion, changesOrder, integratorOrders } from "../support/integrator-order.js";
import { implicit } from "../support/integrators.js";
import { boundOde, type Rate } from "./support/bound-ode.js";
import { END, START, stiffPendulum, swung } from "./support/stiff-pendulum.js";

describe.each(implicit)("$name", (integrator) => {
  const { isMultistep } = integrator;

  test.skipIf(changesOrder(integrator))(
    "runs, dense output and error estimate have their declared orders",
    () => {
      const { global, dense, estimate } = integratorOrders(integrator);
      expect(Math.abs(global - integrator.order)).toBeLessThan(0.2);
      expect(Math.abs(dense - integrator.order)).toBeLessThan(0.2);
      expect(Math.abs(estimate - integrator.errorOrder)).toBeLessThan(0.2);
    },
  );

  test("damps what is fast, in one step", () => {
    // y' = l (y - cos t) - sin t: what is off the cosine dies out at the rate l.
    const rate: Rate = (t, y, out) => {
      out[0] = -1e7 * (y[0] - Math.cos(t)) - Math.sin(t);
    };
    const ode = boundOde(integrator, rate, [2]);
    ode.fixedStep(0, 0.1);
    expect(Math.abs(ode.y[0] - Math.cos(0.1))).toBeLessThan(
      Math.max(1e-4, 0.1 ** integrator.order),
    );
  });

  test.each([1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9])(
    "a stiff motion is right to %d",
    (tolerance) => {
      // Methods of third order leave their errors after many more steps.
      const left = integrator.order < 4 ? 2 * tolerance : tolerance;
      const { status, reason, end } = swung(integrator, tolerance);
      expect(status, reason).toBe("finished");
      expect(Math.abs(end.q[0] - END.angle)).toBeLessThan(left + 1e-9);
      expect(Math.abs(end.v[0] - END.rate)).toBeLessThan(8 * left + 1e-9);
    },
  );

  test("states between steps are as accurate as at their ends", () => {
    const times = Array.from({ length: 190 }, (_, i) => 0.1 + i / 100);
    const reference = swung(integrator, 1e-10, { output: { times } });
    for (const tolerance of [1e-4, 1e-6]) {
      const found = swung(integrator, tolerance, { output: { times } });
      for (const name of ["theta1", "theta2"]) {
        const exact = reference.column(name);
        const errors = found.column(name).map((value, i) => Math.abs(value - exact[i]));
        expect(Math.max(...errors)).toBeLessThan(10 * tolerance);
      }
    }
  });

  test("gives dense output with both ends, corrected or not", () => {
    for (const correction of [0, 1e-3]) {
      const bound = bindToMotion(integrator);
      bound.begin(0.3);
      const before = bound.y.slice();
      bound.advance(0.3, 0.1);
      for (let i = 0; i < bound.y.length; i++) bound.y[i] += correction;
      bound.judge(0.3, 0.1);
      bound.prepareDense(0.3, 0.1);
      for (let i = 0; i < bound.y.length; i++) {
        expect(bound.dense(0, i)).toBe(before[i]);
        expect(bound.dense(1, i)).toBeCloseTo(bound.y[i], 14);
      }
    }
  });

  test.skipIf(isMultistep)("begins the next step where a correction has put the last one", () => {
    const [bound, other] = [bindToMotion(integrator), bindToMotion(integrator)];
    bound.begin(0);
    bound.advance(0, 0.1);
    for (let i = 0; i < bound.y.length; i++) bound.y[i] += 0.01 * (i + 1);
    bound.judge(0, 0.1);
    bound.stepper.commit(0, 0.1);
    other.stepper.reset();
    other.y.set(bound.y);
    // A shorter last step would need a new df/dy, which serves two steps of one length.
    bound.advance(0.1, 0.05);
    other.advance(0.1, 0.05);
    for (let i = 0; i < bound.y.length; i++) expect(bound.y[i]).toBeCloseTo(other.y[i], 9);
    bound.stepper.reset();
    bound.y.set(other.y);
    bound.advance(0.2, 0.1);
    other.stepper.reset();
    other.advance(0.2, 0.1);
    expect(bound.y).toEqual(other.y);
  });

  test("leaves the accepted state alone until a step is accepted", () => {
    const bound = bindToMotion(integrator);
    bound.begin(0);
    const before = bound.y.slice();
    bound.stepper.attempt(0, 0.1);
    expect(bound.y).toEqual(before);
  });

  test("continues bitwise identically from any step", () => {
    const method = { formulation: udwadiaKalaba(), integrator };
    const begin = () => start(stiffPendulum(), { ...START, method, tolerance: 1e-4 });
    const run = begin();
    const snapshots = [run.save()];
    while (run.step()) if (snapshots.length < 60) snapshots.push(run.save());
    const { end, statistics } = run.solution();
    for (const snapshot of snapshots.filter((_, i) => i % 4 === 0)) {
      const other = begin();
      for (let i = 0; i < 7; i++) other.step();
      other.restore(snapshot);
      const again = other.finish();
      expect([...again.end.q, ...again.end.v]).toEqual([...end.q, ...end.v]);
      expect(again.statistics.steps).toBe(statistics.steps);
      expect(again.statistics.evaluations).toBe(statistics.evaluations);
    }
  });

  test("counts what a run has cost, whatever ran in its memory before", () => {
    const pendulum = stiffPendulum();
    const method = { formulation: udwadiaKalaba(), integrator };
    const costs = () => solve(pendulum, { ...START, method, tolerance: 1e-4 }).statistics.implicit;
    const first = costs();
    expect(first?.jacobians).toBeGreaterThan(isMultistep ? 2 : 10);
    expect(costs()).toEqual(first);
  });

  test("locates events, and continues after them", () => {
    const when = ({ q }: { q: Float64Array }) => q[0] - 4.7;
    const events = [{ name: "passes", when }];
    const landing = [{ name: "lands", when, action: () => {} }];
    const exact = swung(dop853(), 1e-10, { events, span: [0, 0.4] }).events.map((e) => e.time);
    expect(exact.length).toBeGreaterThan(0);
    for (const list of [events, landing]) {
      const found = swung(integrator, 1e-7, { events: list, span: [0, 0.4] });
      expect(found.status, found.reason).toBe("finished");
      expect(found.events.length).toBe(exact.length);
      for (const [i, event] of found.events.entries()) {
        expect(Math.abs(event.time - exact[i])).toBeLessThan(1e-6);
      }
    }
  });

  test("one-step methods work with corrections that hold for one step", () => {
    const method = {
      formulation: udwadiaKalaba(),
      stabilisation: driftElimination(),
      integrator,
    };
    if (isMultistep) {
      expect(() => fixed(method, 0.01)).toThrow(
        /the multistep method bdf would reuse that correction/,
      );
      return;
    }
    const run = fixed(method, 0.01).advance(20);
    expect(run.constraintError().position).toBeLessThan(1e-6);
  });

  test("takes fixed steps, backwards too", () => {
    const method = { formulation: lagrange(), stabilisation: projection(), integrator };
    const one = fixed(method, 0.01);
    const energy = one.energy().total;
    one.advance(100);
    expect(one.constraintError().position).toBeLessThan(1e-12);
    expect(Math.abs(one.energy().total - energy)).toBeLessThan(integrator.order < 4 ? 1e-3 : 1e-4);
    const saved = one.save();
    one.advance(20);
    const again = fixed(method, 0.01);
    again.advance(3);
    again.restore(saved);
    again.advance(20);
    expect([...again.q, ...again.v]).toEqual([...one.q, ...one.v]);
  });
});

/** x'' = -k x - c x' + cos t, with k and c as stiff as given: x -> cos t / k where they are large. */
const driven = (k: number, c: number): Equations =>
  equations({
    name: "driven",
    coordinates: ["x"],
    mass: [1],
    forces: (q, v, out, t) => {
      out[0] = -k * q[0] - c * v[0] + Math.cos(t);
    },
  });

test.each(implicit)("$name follows forces that depend on time", (integrator) => {
  const [k, c] = [1e4, 1e6];
  const options = { span: [0, 5], q: [0], v: [0], tolerance: { relative: 1e-6, absolute: 1e-10 } };
  const { end, statistics } = solve(driven(k, c), { ...options, span: [0, 5], integrator });
  // Steady motion of period 2 pi: (k - 1 + i c)^-1 e^it; the slow part dies with the rate k / c = 1/100.
  const square = (k - 1) ** 2 + c ** 2;
  const steady = (t: number) => ((k - 1) * Math.cos(t) + c * Math.sin(t)) / square;
  const rate = (c - Math.sqrt(c * c - 4 * k)) / 2;
  const slow = -steady(0) * Math.exp(-rate * 5);
  expect(Math.abs(end.q[0] - steady(5) - slow)).toBeLessThan(2e-9);
  // Steps of BDF are short, and cost one evaluation or two.
  expect(statistics.steps).toBeLessThan(integrator.order < 4 || integrator.isMultistep ? 400 : 80);
});
