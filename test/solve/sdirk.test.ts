// Diagonally implicit steps: orders, stiff motions, and reuse of Jacobians and factors.

import { equations, type Method, udwadiaKalaba } from "nodrift";
import { type SolveOptions, sdirk4, solve, start as startRun } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { bindToMotion, integratorOrders, type Motion } from "../support/integrator-order.js";
import { compareSaved } from "../support/save-restore.js";
import { boundOde } from "./support/bound-ode.js";
import { START, samples, stiffPendulum } from "./support/stiff-pendulum.js";

const method: Method = { formulation: udwadiaKalaba(), integrator: sdirk4() };
const both = [sdirk4(), sdirk4({ gamma: "1/4" })];

describe.each(both)("$name", (integrator) => {
  test("runs, dense output and error estimate have their declared orders", () => {
    const { global, dense, estimate } = integratorOrders(integrator);
    for (const order of [global, dense, estimate]) {
      expect(order).toBeGreaterThan(3.9);
      expect(order).toBeLessThan(4.1);
    }
  });

  test("leaves the accepted state alone until a step is accepted", () => {
    const bound = bindToMotion(integrator);
    bound.begin(0);
    const before = bound.y.slice();
    bound.stepper.attempt(0, 0.01);
    expect(bound.y).toEqual(before);
  });

  test("estimates errors and interpolates without an evaluation", () => {
    const bound = bindToMotion(integrator);
    bound.begin(0);
    bound.advance(0, 0.01);
    const { evaluations } = bound;
    bound.judge(0, 0.01);
    bound.prepareDense(0, 0.01);
    expect(bound.evaluations).toBe(evaluations);
    for (const [i, value] of bound.y.entries()) expect(bound.dense(1, i)).toBeCloseTo(value, 15);
  });
});

describe("stiff double pendulum", () => {
  const solved = (tolerance: number, options: Partial<SolveOptions> = {}) =>
    solve(stiffPendulum(), { ...START, firstStep: 1e-6, method, tolerance, ...options });

  // Negrut, Haug and German 2003, table III.
  const published = [31, 47, 76, 127, 223, 387, 682];
  test.each(published.map((steps, k) => ({ tolerance: 10 ** -(k + 2), steps })))(
    "takes $steps steps at $tolerance",
    ({ tolerance, steps }) => {
      const { status, statistics } = solved(tolerance, { output: "ends" });
      expect(status).toBe("finished");
      expect(Math.abs(statistics.steps - steps)).toBeLessThanOrEqual(2);
      expect(statistics.rejections).toBeLessThanOrEqual(15);
    },
  );

  test("ends at the reference state", () => {
    const { q, v } = solved(1e-8, { output: "ends" }).end;
    expect(Math.abs(q[0] - 4.640478183)).toBeLessThan(2e-9);
    expect(Math.abs(v[0] + 1.629892454)).toBeLessThan(5e-8);
  });

  test.each([1e-2, 1e-3, 1e-4, 1e-5, 1e-6])("dense output is within 10 times %d", (tolerance) => {
    const solution = solved(tolerance, { dense: true });
    for (const { time, theta, rate } of samples) {
      const { q, v } = solution.at(time);
      expect(Math.abs(q[0] - theta)).toBeLessThan(tolerance);
      expect(Math.abs(v[0] - rate)).toBeLessThan(10 * tolerance);
    }
  });

  test("continues bitwise identically from snapshots of random steps", () => {
    const options = { ...START, firstStep: 1e-6, method, tolerance: 1e-5, output: "ends" } as const;
    const run = {
      name: "stiff pendulum",
      begin: (more?: Partial<SolveOptions>) => startRun(stiffPendulum(), { ...options, ...more }),
    };
    const { plain, saving, continued } = compareSaved(run, 20, 7);
    expect(saving).toEqual(plain);
    expect(continued).toHaveLength(40);
    for (const { found, wanted } of continued) expect(found).toEqual(wanted);
  });
});

test("Van der Pol's equation, eps = 1e-6: rejected steps are recovered from", () => {
  const vanDerPol = equations({
    coordinates: ["x"],
    mass: [1],
    forces: ([x], [v], out) => {
      out[0] = ((1 - x * x) * v - x) / 1e-6;
    },
  });
  const options = {
    q: [2],
    v: [0],
    span: [0, 2],
    firstStep: 1e-6,
    method,
    output: "ends",
  } as const;
  // Step counts of another implementation.
  for (const [tolerance, steps] of [
    [1e-2, 140],
    [1e-3, 198],
    [1e-4, 336],
    [1e-5, 659],
  ]) {
    const { status, statistics } = solve(vanDerPol, { ...options, tolerance });
    expect(status).toBe("finished");
    expect(statistics.rejections).toBeGreaterThan(30);
    expect(Math.abs(statistics.steps / steps - 1)).toBeLessThan(0.05);
  }
});

describe("events of an overdamped mass", () => {
  // x'' = -c x' - k x on its slow motion, x = exp(r t).
  const [damping, stiffness] = [1e6, 1e6];
  const r = -stiffness / (damping / 2 + Math.sqrt((damping / 2) ** 2 - stiffness));
  const mass = equations({
    coordinates: ["x"],
    mass: [1],
    forces: ([x], [v], out) => {
      out[0] = -damping * v - stiffness * x;
    },
  });
  const options = { q: [1], v: [r], span: [0, 3], tolerance: 1e-7, method } as const;

  test.each(["passed", "landed on"])("locates events that are %s", (how) => {
    const action = how === "passed" ? {} : { action: () => {} };
    const { events, statistics, end } = solve(mass, {
      ...options,
      events: [{ when: ({ q }) => q[0] - 0.5, ...action }],
    });
    expect(events).toHaveLength(1);
    expect(Math.abs(events[0].time - Math.log(0.5) / r)).toBeLessThan(1e-6);
    expect(Math.abs(end.q[0] - Math.exp(3 * r))).toBeLessThan(1e-6);
    expect(statistics.steps).toBeLessThan(100);
  });

  test("leave no trace of the motion before a jump", () => {
    const { end, events, statistics } = solve(mass, {
      ...options,
      events: [
        {
          when: ({ q }) => q[0] - 0.5,
          action: ({ q, v }) => {
            q[0] = 1;
            v[0] = r;
          },
        },
      ],
    });
    expect(events).toHaveLength(4);
    expect(Math.abs(end.q[0] - 16 * Math.exp(3 * r))).toBeLessThan(1e-5);
    expect(statistics.steps).toBeLessThan(200);
  });
});

/** y' = -1e4 (y - cos t) - sin t: cos t. */
const forced: Motion = {
  dimension: 2,
  exact: (t) => Math.cos(t),
  rate(t, y, out) {
    for (let i = 0; i < 2; i++) out[i] = -1e4 * (y[i] - Math.cos(t)) - Math.sin(t);
  },
};

describe("Jacobian and factor", () => {
  function advance(bound: ReturnType<typeof bindToMotion>, t: number, h: number): void {
    bound.advance(t, h);
    bound.judge(t, h);
    bound.stepper.commit(t, h);
  }

  test("both are reused while they converge, and recomputed after a reset", () => {
    const bound = bindToMotion(sdirk4(), forced);
    const { stepper } = bound;
    stepper.setTolerance({ relative: 0, positions: 1e-8, velocities: 1e-8 });
    bound.begin(0);
    for (let k = 0; k < 10; k++) advance(bound, 0.05 * k, 0.05);
    expect(stepper.costs).toMatchObject({ jacobians: 1, convergenceFailures: 0 });
    expect(stepper.costs?.jacobianSource).toMatch(/by differences/);
    expect(Math.abs(bound.y[0] - Math.cos(0.5))).toBeLessThan(1e-5);
    advance(bound, 0.5, 0.025);
    expect(stepper.costs).toMatchObject({ jacobians: 1, factorisations: 2 });
    stepper.reset();
    advance(bound, 0.525, 0.025);
    expect(stepper.costs).toMatchObject({ jacobians: 2, factorisations: 3 });
  });

  test("analytic derivatives are used if there are any", () => {
    const seen: number[] = [];
    const bound = boundOde(
      {
        ...sdirk4(),
        bind: (ode, workspace) =>
          sdirk4().bind(
            {
              ...ode,
              jacobian: () => ({
                source: "analytic",
                evaluate: (t) => seen.push(t),
                shifted: () => ({
                  factor: (real) => seen.push(real) > 0,
                  solve: (b, x) => {
                    const [from, to] = [b, x].map((address) =>
                      bound.arena.floats({ name: "x", address, slots: 1 }),
                    );
                    to[0] = from[0] / (1 + (seen.at(-1) as number) * 1e6);
                  },
                }),
              }),
            },
            workspace,
          ),
      },
      (_, y, out) => {
        out[0] = -1e6 * y[0];
      },
      [1],
    );
    bound.fixedStep(0, 0.3);
    expect(bound.stepper.costs?.jacobianSource).toBe("analytic");
    expect(seen).toEqual([0, 0.3 * (4 / 15)]);
    // |R(-3e5)| is about 1e-5 for an L-stable method.
    expect(Math.abs(bound.y[0])).toBeLessThan(1e-4);
  });
});

describe("iterations that do not converge", () => {
  /** y' = -2 sinh(10 y): its rate of decay falls by four powers of ten. */
  const bound = () =>
    boundOde(
      sdirk4(),
      (_, y, out) => {
        out[0] = -2 * Math.sinh(10 * y[0]);
      },
      [2],
    );
  /** tanh(5 y) = tanh(5 y0) exp(-20 t). */
  const exact = (t: number) => Math.atanh(Math.tanh(10) * Math.exp(-20 * t)) / 5;

  test("refuse the step, and a shorter one does", () => {
    const ode = bound();
    const { stepper, y } = ode;
    stepper.setTolerance({ relative: 0, positions: 1e-10, velocities: 1e-10 });
    let [t, h, refused] = [0, 1, 0];
    while (t < 0.1) {
      const length = Math.min(h, 0.1 - t);
      try {
        const error = ode.judgedStep(t, length, 1e-10);
        if (error <= 1) {
          h = length * (stepper.rule?.accepted(length, error) ?? 1);
          stepper.commit(t, length);
          t = length === 0.1 - t ? 0.1 : t + length;
        } else {
          h = length * (stepper.rule?.rejected(length, error) ?? 1);
          ode.refuse();
        }
      } catch (error) {
        expect(error).toMatchObject({ name: "StepFailure" });
        const { factor } = error as { factor: number };
        expect(factor).toBeGreaterThan(0);
        expect(factor).toBeLessThan(1);
        h = length * factor;
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
    expect(stepper.costs?.convergenceFailures).toBe(refused);
    expect(Math.abs(y[0] - exact(0.1))).toBeLessThan(1e-8);
  });

  test("leave no trace in steps that do: they end where they would have, to the tolerance", () => {
    const [tried, plain] = [bound(), bound()];
    expect(() => tried.stepper.attempt(0, 1)).toThrow(/did not converge/);
    for (const ode of [tried, plain]) ode.fixedStep(0, 1e-10);
    expect(tried.y[0]).toBeCloseTo(plain.y[0], 12);
  });
});

test("an unknown diagonal is rejected", () => {
  const wrong = { gamma: "0.3" } as unknown as Parameters<typeof sdirk4>[0];
  expect(() => sdirk4(wrong)).toThrow('sdirk4: gamma is "0.3"; give "4/15" or "1/4"');
});
